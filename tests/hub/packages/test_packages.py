"""A night as one signed file: refused when a byte is altered, re-derived by any machine, stored once."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pegboard.hub.packages.hub_keys import PackageRefused, fingerprint
from pegboard.hub.packages.night_package import (
    FORMAT,
    choose_sheets,
    open_package,
    package_content,
    seal,
)
from pegboard.hub.packages.package_exchange import read_season, receive_package
from pegboard.hub.packages.verification import verified_json, verified_lines, verify_package
from pegboard.json_parser import canonical_json
from pegboard.tournament.night.exchange.files_out import night_json
from pegboard.tournament.night.season import season_night
from tests.hub.packages.conftest import EVENT, OURS, THEIRS
from tests.support.night_at_work import NightAtWork

ALTERED = {
    "package_no_json",
    "package_none",
    "package_newer",
    "package_not_canonical",
    "package_digest",
    "package_signature",
}
"""The reasons for which a package is refused that was altered."""


def refusal(file):
    with pytest.raises(PackageRefused) as refused:
        open_package(file)
    return refused.value.message.key


@pytest.fixture(scope="module")
def small():
    """The least of packages: a night that was planned."""
    work = NightAtWork()
    work.do("open_night", name="Club night", date="2026-11-26")
    return seal(night_json(work.night), OURS)


def test_a_package_is_as_it_was_signed(small):
    assert open_package(small).public == OURS.public
    assert open_package(small).content["name"] == "Club night"


def test_a_package_altered_in_any_byte_is_refused_with_the_reason(small):
    for place in range(len(small)):
        for altered in (small[place] ^ 1, small[place] ^ 0x20, ord(" ")):
            if altered != small[place]:
                assert refusal(small[:place] + bytes([altered]) + small[place + 1 :]) in ALTERED


def test_a_package_with_a_byte_more_or_less_is_refused(small):
    for place in range(len(small)):
        assert refusal(small[:place]) in ALTERED
        assert refusal(small[:place] + small[place + 1 :]) in ALTERED
        assert refusal(small[:place] + b" " + small[place:]) in ALTERED
    assert refusal(small + b"\n") in ALTERED


@pytest.mark.parametrize(
    ("key", "change"),
    [
        ("package_digest", lambda values: values["content"].update(name="Other night")),
        ("package_signature", lambda values: values.update(key=THEIRS.public.hex())),
        ("package_signature", lambda values: values.update(signature=values["signature"][::-1])),
        ("package_signature", lambda values: values.update(signature=values["signature"].upper())),
        ("package_signature", lambda values: values.update(key=5)),
        ("package_newer", lambda values: values.update(format="pegboard-package/2")),
        ("package_none", lambda values: values.update(format="other/1")),
        ("package_not_canonical", lambda values: values.update(more=1)),
        ("package_not_canonical", lambda values: values.pop("digest")),
        ("package_not_canonical", lambda values: values.update(content=[])),
    ],
)
def test_an_altered_package_is_told_by_its_true_cause(small, key, change):
    values = json.loads(small)
    change(values)
    assert refusal(canonical_json(values).encode() + b"\n") == key


def test_the_same_values_in_other_words_are_no_package(small):
    assert refusal(json.dumps(json.loads(small)).encode()) == "package_not_canonical"


def test_a_name_twice_in_an_object_is_seen(small):
    assert refusal(small.replace(b'"date":"2026-11-26"', b'"date":"2026-11-27","date":"2026-11-26"', 1)) in ALTERED


@given(st.binary())
def test_no_bytes_do_more_than_be_refused(file):
    assert refusal(file) in ALTERED


def test_signing_twice_gives_the_same_file(played):
    assert seal(played.content, OURS) == played.file


def test_the_format_is_signed_too(small):
    assert FORMAT.encode() in small


# --- re-derived ---


def test_a_sheet_that_goes_on_after_its_result_is_in_the_package_as_it_was_then(played, sheet_rows):
    """A judge opens the game again after the night, or a card with the old name sends its own."""
    last = sheet_rows[-1]
    after = [
        replace(last, seq=last.seq + 1, place=last.place + 1, kind="taken_back", body='{"line":13}'),
        replace(last, epoch="another", seq=3, place=last.place - 1),
    ]
    sheets = choose_sheets(played.night, [*sheet_rows, *after])
    assert sheets == {played.key: sheet_rows}
    verified = verify_package(seal(package_content(EVENT, played.night, sheets, "0.1.0"), OURS), {})
    assert (verified.departures, verified.rederived.margins) == ((), 1)


def keys(verified):
    return [departure.key for departure in verified.departures]


def test_rederived_standings_and_margins_are_those_of_the_night(played):
    verified = verify_package(played.file, {})
    assert verified.departures == ()
    assert verified.rederived.margins == 1
    assert [(row["player"], row["points"], row["plus"]) for row in verified.sealed.content["standings"]] == [
        ("p1", 3, 37),
        ("p2", 0, 0),
    ]


def test_a_margin_that_its_score_sheet_does_not_give_is_named(forge):
    """Signed properly, but 36 holes are claimed of a game that was won by 37."""

    def change(content):
        row = next(row for row in content["decisions"] if row["do"] == "table_result")
        row["body"]["margin"] = 36

    verified = verify_package(forge(change), {})
    departure = next(one for one in verified.departures if one.key == "package_margin")
    assert (departure.values["stored"], departure.values["derived"]) == (36, 37)


def test_a_winner_that_its_score_sheet_does_not_give_is_named(forge):
    def change(content):
        next(row for row in content["decisions"] if row["do"] == "table_result")["body"]["winner"] = "p2"

    assert "package_margin" in keys(verify_package(forge(change), {}))


@pytest.mark.parametrize(
    ("part", "change"),
    [
        ("standings", lambda rows: rows.reverse()),
        ("games", lambda rows: rows[0]["values"][0].update(points=2)),
        ("invariants", lambda rows: rows[0].update(state="broken")),
        ("qualifiers", lambda rows: rows.append("p2")),
        ("winners", lambda rows: rows.update(main="p2")),
    ],
)
def test_a_part_that_the_decisions_do_not_come_to_is_named(forge, part, change):
    assert keys(verify_package(forge(lambda content: change(content[part])), {})) == [f"package_{part}_differ"]


def test_a_sheet_that_is_missing_other_or_impossible_is_named(forge, played):
    assert keys(verify_package(forge(lambda content: content["sheets"].clear()), {})) == ["package_no_sheet"]

    def less(content):
        content["sheets"][played.key].pop()

    assert keys(verify_package(forge(less), {})) == ["package_other_sheet"]


def test_a_decision_that_would_be_refused_today_is_named_and_counts(forge):
    def twice(content):
        entry = next(row for row in content["decisions"] if row["do"] == "enter")
        content["decisions"].append(entry | {"number": len(content["decisions"]) + 1})

    assert "package_departs" in keys(verify_package(forge(twice), {}))


def test_a_night_of_newer_rules_is_not_derived_by_older_ones(forge):
    verified = verify_package(forge(lambda content: content["rules"].update(version=99)), {})
    assert keys(verified) == ["package_newer_rules"]
    assert verified.rederived.night is None


@pytest.mark.parametrize("broken", [{}, {"decisions": 5}, {"decisions": [{}]}, {"decisions": [], "sheets": 1}])
def test_a_signed_content_that_is_no_night_is_named(broken):
    verified = verify_package(seal(broken, OURS), {})
    assert keys(verified) == ["package_not_derived"]
    assert verified_lines(verified)
    assert verified_json(verified)["known"] is False


def test_who_has_signed_is_told_by_fingerprint_and_name(played):
    verified = verify_package(played.file, {OURS.public: "Riverside"})
    assert verified.fingerprint == fingerprint(OURS.public)
    assert f"Signed by {fingerprint(OURS.public)} (Riverside)" in verified_lines(verified)
    assert "(unknown hub)" in verified_lines(verify_package(played.file, {}))[1]


def test_a_finished_night_is_read_as_it_ended(forge):
    """The end holds the standings: what today's order would make of them changes nothing."""

    def other_order(content):
        end = content["decisions"][-1]["body"]
        end["standings"].reverse()
        content["standings"].reverse()

    verified = verify_package(forge(other_order), {})
    assert verified.departures == ()
    assert verified.rederived.night.ended.standings[0].player == "p2"


# --- to another hub ---


class Store:
    """What the ledger's table of packages is."""

    def __init__(self):
        self.packages = {}

    def add(self, digest, content, season, /):
        is_new = digest not in self.packages
        self.packages.setdefault(digest, (content, season))
        return is_new


def test_an_upload_is_stored_once_however_often_it_comes(played):
    store = Store()
    assert [receive_package(played.file, store, {}).is_new for _ in range(3)] == [True, False, False]
    ((content, season),) = store.packages.values()
    assert content == played.file
    assert read_season(season).night == season_night(played.night, "club-night")
    assert read_season(season).public == OURS.public.hex()


def test_an_altered_upload_stores_nothing(played):
    store = Store()
    with pytest.raises(PackageRefused):
        receive_package(played.file.replace(b"Ann", b"Amy"), store, {})
    assert store.packages == {}
