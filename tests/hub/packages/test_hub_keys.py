"""The hub's own key and the hubs that it knows: made once, for its owner alone, and no link is followed."""

import stat

import pytest

from pegboard.hub.packages.hub_keys import (
    KEY_FILE,
    HubKeyLost,
    PackageRefused,
    add_known_hub,
    fingerprint,
    is_signed_by,
    load_key,
    load_or_make_key,
    read_known_hubs,
)
from pegboard.hub.packages.hub_keys import KNOWN_HUBS_FILE as HUBS
from tests.hub.packages.conftest import OURS, THEIRS


def test_each_hub_makes_its_own_key_once_for_its_owner_alone(tmp_path):
    made = load_or_make_key(tmp_path)
    assert load_or_make_key(tmp_path) == made
    assert stat.S_IMODE((tmp_path / KEY_FILE).stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir()] == [KEY_FILE]
    other = tmp_path / "other"
    other.mkdir()
    assert load_or_make_key(other) != made


def test_a_key_does_not_show_itself():
    assert OURS.seed.hex() not in repr(OURS)
    assert repr(OURS.seed) not in repr(OURS)


def test_the_published_key_pair_of_rfc_8032_signs_as_published():
    """RFC 8032, 7.1, test 2: one byte 0x72."""
    from pegboard.hub.packages.hub_keys import HubKey  # noqa: PLC0415

    key = HubKey(bytes.fromhex("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb"))
    signature = bytes.fromhex(
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
        "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
    )
    assert key.public.hex() == "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c"
    assert key.sign(b"\x72") == signature
    assert is_signed_by(key.public, signature, b"\x72")
    assert not is_signed_by(key.public, signature, b"\x73")


def test_a_link_in_place_of_the_key_is_not_followed(tmp_path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_text(OURS.seed.hex())
    (tmp_path / KEY_FILE).symlink_to(elsewhere)
    with pytest.raises(HubKeyLost):
        load_or_make_key(tmp_path)


def test_a_dangling_link_makes_no_key_elsewhere(tmp_path):
    (tmp_path / KEY_FILE).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(HubKeyLost):
        load_or_make_key(tmp_path)
    assert not (tmp_path / "elsewhere").exists()


@pytest.mark.parametrize("text", ["", "no key", "00" * 31, "00" * 33, "é"])
def test_a_file_that_is_no_key_is_never_written_over(tmp_path, text):
    (tmp_path / KEY_FILE).write_text(text)
    with pytest.raises(HubKeyLost):
        load_or_make_key(tmp_path)
    assert (tmp_path / KEY_FILE).read_text() == text


def test_no_key_is_made_to_look_at_a_package(tmp_path):
    assert load_key(tmp_path) is None
    assert list(tmp_path.iterdir()) == []


def test_a_fingerprint_is_short_enough_to_be_read_out():
    assert len(fingerprint(OURS.public).split()) == 8
    assert fingerprint(OURS.public) != fingerprint(THEIRS.public)


# --- known hubs ---


def test_a_hub_is_known_by_the_name_that_it_was_given_last(tmp_path):
    assert read_known_hubs(tmp_path) == {}
    add_known_hub(tmp_path, OURS.public, "Riverside")
    add_known_hub(tmp_path, THEIRS.public, " Ash  Town ")
    add_known_hub(tmp_path, OURS.public, "Riverside club")
    assert read_known_hubs(tmp_path) == {OURS.public: "Riverside club", THEIRS.public: "Ash Town"}


def test_a_person_may_write_the_file_of_known_hubs(tmp_path):
    (tmp_path / HUBS).write_text(f"# ours\n\n{OURS.public.hex()} Riverside\n")
    assert read_known_hubs(tmp_path) == {OURS.public: "Riverside"}


def test_a_line_without_a_key_is_named(tmp_path):
    (tmp_path / HUBS).write_text("Riverside\n")
    with pytest.raises(PackageRefused) as refused:
        read_known_hubs(tmp_path)
    assert refused.value.message.key == "package_hubs_line"


@pytest.mark.parametrize("name", ["", "  ", "x" * 65, "a\x1bb"])
def test_a_hub_has_a_name_that_can_be_shown(tmp_path, name):
    with pytest.raises(PackageRefused):
        add_known_hub(tmp_path, OURS.public, name)
    assert not (tmp_path / HUBS).exists()
