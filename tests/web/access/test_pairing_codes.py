"""The codes that pair a device: how they may be typed, how long they count, and the file that keeps them."""

import json
import os
import stat
import subprocess
import sys
import threading
from collections import Counter
from pathlib import Path

import pytest

from tests.support.machine_clock import MachineClock
from web.access.paired_devices import PairedDevice
from web.access.pairing_codes import ALPHABET, Codes, InvalidCode, read_code
from web.access.pairing_file import PAIRING_FILE, StateFileError


@pytest.fixture
def clock() -> MachineClock:
    return MachineClock()


@pytest.fixture
def codes(tmp_path: Path, clock: MachineClock) -> Codes:
    return Codes(tmp_path, clock=clock)


def wrong(codes: Codes) -> str:
    """A code that is none of the table's."""
    codes.scorer()
    stored = json.loads((codes._file.folder / PAIRING_FILE).read_text())
    known = {code["text"] for role in ("scorer", "director") for code in stored[role]}
    return next(text for text in ("222222", "333333", "444444") if text not in known)


def test_the_alphabet_is_crockfords():
    assert ALPHABET == "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("7KQ2AB", "7KQ2AB"),
        ("7kq2ab", "7KQ2AB"),
        (" 7kq 2ab ", "7KQ2AB"),
        ("7KQ-2AB", "7KQ2AB"),
        ("7KQ\u20132A\u00a0B", "7KQ2AB"),
        ("OIL0il", "011011"),
        ("ooooLL", "000011"),
    ],
)
def test_a_code_is_taken_however_it_is_written(typed: str, meant: str):
    assert read_code(typed) == meant


@pytest.mark.parametrize("typed", ["", "7KQ2A", "7KQ2ABC", "7KQ2AU", "7KQ2A!", "\uff17KQ2AB", "7KQ2Aß", "<script>"])
def test_what_can_be_no_code_is_said_and_costs_no_try(codes: Codes, typed: str):
    shown = codes.scorer()
    for _ in range(20):
        with pytest.raises(InvalidCode, match="6 letters and digits"):
            codes.redeem(typed)
    assert codes.scorer() == shown


def test_a_shown_code_makes_a_scorer_once(codes: Codes):
    shown = codes.scorer()
    assert codes.redeem(shown.text) == "scorer"
    assert codes.redeem(shown.text) is None
    assert codes.scorer().text != shown.text


def test_a_directors_code_makes_a_director_once_and_leaves_the_scorers(codes: Codes):
    shown, own = codes.scorer(), codes.director()
    assert codes.redeem(own.text) == "director"
    assert codes.redeem(own.text) is None
    assert codes.redeem(shown.text) == "scorer"


def test_the_newest_directors_code_counts_alone(codes: Codes):
    first, second = codes.director(), codes.director()
    assert codes.redeem(first.text) is None
    assert codes.redeem(second.text) == "director"


@pytest.mark.parametrize(("after_s", "role"), [(0, "scorer"), (599, "scorer"), (600, None), (601, None)])
def test_a_code_counts_ten_minutes(codes: Codes, clock: MachineClock, after_s: float, role: str | None):
    shown = codes.scorer()
    clock.wait(after_s)
    assert codes.redeem(shown.text) == role


def test_a_new_code_is_shown_before_the_old_one_ends_and_both_count_meanwhile(codes: Codes, clock: MachineClock):
    first = codes.scorer()
    clock.wait(539)
    assert codes.scorer() == first
    clock.wait(2)
    second = codes.scorer()
    assert second.text != first.text
    clock.wait(50)
    assert codes.redeem(first.text) == "scorer"
    assert codes.redeem(second.text) is None, "one use renews all"


@pytest.mark.parametrize("step_s", [-86_400, 20 * 365 * 86_400])
def test_a_code_counts_its_ten_minutes_whatever_the_clock_is_set_to(codes: Codes, clock: MachineClock, step_s: float):
    shown, own = codes.scorer(), codes.director()
    clock.step(step_s)
    clock.wait(599)
    assert codes.redeem(shown.text) == "scorer"
    clock.wait(2)
    assert codes.redeem(own.text) is None


def test_ten_wrong_tries_renew_the_code_on_display_and_no_directors(codes: Codes):
    shown, own = codes.scorer(), codes.director()
    for _ in range(9):
        assert codes.redeem(wrong(codes)) is None
    assert codes.scorer() == shown
    assert codes.redeem(wrong(codes)) is None
    assert codes.scorer().text != shown.text
    assert codes.redeem(shown.text) is None
    for _ in range(30):
        codes.redeem(wrong(codes))
    assert codes.redeem(own.text) == "director"


def test_a_right_try_forgives_the_wrong_ones(codes: Codes):
    for _ in range(9):
        codes.redeem(wrong(codes))
    assert codes.redeem(codes.scorer().text) == "scorer"
    shown = codes.scorer()
    codes.redeem(wrong(codes))
    assert codes.scorer() == shown


def test_codes_are_random_in_every_place(codes: Codes):
    texts = [codes.director().text for _ in range(320)]
    assert len(set(texts)) == len(texts)
    for place in range(6):
        seen = Counter(text[place] for text in texts)
        assert len(seen) > 25
        assert max(seen.values()) < 40


def test_unpairing_all_takes_epoch_and_codes_away(codes: Codes):
    shown, epoch = codes.scorer(), codes.epoch
    codes.unpair_all()
    assert codes.epoch not in {epoch, ""}
    assert codes.redeem(shown.text) is None


def test_codes_survive_a_restart(codes: Codes, clock: MachineClock, tmp_path: Path):
    shown, own = codes.scorer(), codes.director()
    again = Codes(tmp_path, clock=clock)
    assert again.scorer() == shown
    assert again.epoch == codes.epoch
    assert again.redeem(own.text) == "director"


def test_the_program_notices_what_another_one_writes(codes: Codes, clock: MachineClock, tmp_path: Path):
    codes.scorer()
    other = Codes(tmp_path, clock=clock)
    own = other.director()
    assert codes.redeem(own.text) == "director"
    other.unpair_all()
    assert codes.epoch == other.epoch


def test_a_code_is_redeemed_by_one_of_many_at_once(codes: Codes, clock: MachineClock, tmp_path: Path):
    shown, roles = codes.scorer(), []
    others = [Codes(tmp_path, clock=clock) for _ in range(8)]
    threads = [threading.Thread(target=lambda one=one: roles.append(one.redeem(shown.text))) for one in others]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert Counter(roles) == {"scorer": 1, None: 7}


def test_the_file_is_for_its_owner_alone_and_is_replaced_whole(codes: Codes, tmp_path: Path):
    before = os.umask(0)
    try:
        codes.scorer()
        first = (tmp_path / PAIRING_FILE).stat()
        codes.director()
    finally:
        os.umask(before)
    now = (tmp_path / PAIRING_FILE).stat()
    assert stat.S_IMODE(first.st_mode) == stat.S_IMODE(now.st_mode) == 0o600
    assert {path.name for path in tmp_path.iterdir()} == {PAIRING_FILE, f"{PAIRING_FILE}.lock"}


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"epoch": 1}', "\x00" * 300])
def test_a_file_that_makes_no_sense_unpairs_everybody_and_is_written_anew(codes: Codes, tmp_path: Path, text: str):
    codes.scorer()
    epoch = codes.epoch
    (tmp_path / PAIRING_FILE).write_text(text)
    assert codes.epoch == ""
    assert codes.redeem(codes.scorer().text) == "scorer"
    assert codes.epoch not in {epoch, ""}


def test_looking_writes_nothing(codes: Codes, tmp_path: Path):
    assert (codes.epoch, codes.table) == ("", None)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path):
    with pytest.raises(StateFileError, match=r"cannot save the codes in .*pairing\.json: "):
        Codes(tmp_path / "missing").scorer()


def test_another_program_uses_the_tables_own_times(tmp_path: Path):
    Codes(tmp_path, lasts_s=60).register("http://127.0.0.1:8080/", "127.0.0.1:8080", is_open=False)
    other = Codes.of_table(tmp_path)
    assert other.table.url == "http://127.0.0.1:8080/"
    assert other.table.is_running
    assert Codes(tmp_path, lasts_s=60).redeem(other.director().text) == "director"


def test_a_table_whose_program_has_ended_does_not_run(tmp_path: Path):
    ended = subprocess.run([sys.executable, "-c", "import os; print(os.getpid())"], capture_output=True, check=True)
    codes = Codes(tmp_path)
    codes.register("http://127.0.0.1:8080/", "127.0.0.1:8080", is_open=False)
    stored = json.loads((tmp_path / PAIRING_FILE).read_text())
    stored["table"]["pid"] = int(ended.stdout)
    (tmp_path / PAIRING_FILE).write_text(json.dumps(stored))
    assert not codes.table.is_running


def test_where_no_table_is_kept_there_is_no_code(tmp_path: Path):
    with pytest.raises(StateFileError, match=r"no table keeps codes in .*, because no table has started there yet"):
        Codes.of_table(tmp_path)


def test_a_file_with_fields_of_another_version_unpairs_nobody(codes: Codes, clock: MachineClock, tmp_path: Path):
    codes.register("http://127.0.0.1:8080/", "127.0.0.1:8080", is_open=False)
    device = PairedDevice("d1", "s1", "scorer", "Firefox", codes.now())
    codes.add_device(device, 60, lambda device: device.since)
    epoch, shown = codes.epoch, codes.scorer()
    stored = json.loads((tmp_path / PAIRING_FILE).read_text()) | {"wrong": 3}
    for part in (stored["scorer"][0], stored["devices"][0], stored["table"], stored["clock"]):
        part["later"] = [1]
    (tmp_path / PAIRING_FILE).write_text(json.dumps(stored))
    other = Codes(tmp_path, clock=clock)
    assert (other.epoch, other.devices, other.scorer()) == (epoch, (device,), shown)
