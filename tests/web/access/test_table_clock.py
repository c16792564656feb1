"""Codes and pairings age by the table's time: no step of the wall clock ends them, and no restart gives them years."""

from pathlib import Path

import pytest

from pegboard.devices.power_and_clock import SystemClock
from tests.support.machine_clock import MachineClock
from tests.web.access.test_sessions import CLOSED, WAY
from web.access.sessions import Access

HOUR, YEARS = 3600.0, 20 * 365 * 86_400.0
LASTS = 12 * HOUR


@pytest.fixture
def clock() -> MachineClock:
    return MachineClock()


def started(folder: Path, clock: MachineClock) -> Access:
    """The access of a program that begins now, as it writes down where it is."""
    access = Access(folder, CLOSED, lambda _: WAY | {"reach": "network", "command": None}, clock=clock)
    access.register()
    return access


def pair(access: Access) -> dict[str, str]:
    return {access.cookie: access.pair("scorer")[1]}


def is_paired(access: Access, cookie: dict[str, str]) -> bool:
    return access.session_of(cookie).role == "scorer"


@pytest.mark.parametrize("step_s", [YEARS, -YEARS, 13 * HOUR, -13 * HOUR, 59.0])
def test_a_step_of_the_clock_unpairs_nobody_and_a_phone_stays_paired_just_as_long(
    tmp_path: Path, clock: MachineClock, step_s: float
):
    access = started(tmp_path, clock)
    cookie = pair(access)
    clock.step(step_s)
    assert is_paired(access, cookie)
    clock.wait(LASTS - 1)
    assert is_paired(access, cookie)
    clock.wait(1)
    assert not is_paired(access, cookie)


@pytest.mark.parametrize("step_s", [YEARS, -YEARS])
def test_another_program_of_the_same_start_counts_the_same(tmp_path: Path, clock: MachineClock, step_s: float):
    access = started(tmp_path, clock)
    cookie, code = pair(access), access.codes.scorer()
    clock.step(step_s)
    again = Access(tmp_path, CLOSED, lambda _: WAY, clock=clock)
    assert is_paired(again, cookie)
    assert again.codes.scorer() == code
    assert again.codes.redeem(code.text) == "scorer"


def test_over_a_restart_with_the_right_time_on_both_sides_the_time_off_counts(tmp_path: Path, clock: MachineClock):
    cookie = pair(started(tmp_path, clock))
    clock.wait(HOUR)
    clock.restart(off_s=10 * HOUR)
    access = started(tmp_path, clock)
    assert is_paired(access, cookie)
    clock.wait(HOUR - 1)
    assert is_paired(access, cookie)
    clock.wait(1)
    assert not is_paired(access, cookie)


@pytest.mark.parametrize("wrong", [0.0, 1_700_000_000.0, 1_795_003_700.0])
def test_a_pi_that_gets_the_time_only_after_its_start_unpairs_nobody(tmp_path: Path, clock: MachineClock, wrong: float):
    """At its start it has 1970, the day of its image, or the time at which it was switched off."""
    truth = clock.now
    access = started(tmp_path, clock)
    cookie = pair(access)
    clock.wait(HOUR)
    access.keep_time()
    clock.restart(off_s=0, wall=wrong, right=False)
    access = started(tmp_path, clock)
    assert is_paired(access, cookie)
    clock.wait(30)
    clock.step(truth + 30 * HOUR - clock.now)
    clock.right = True
    access.keep_time()
    assert is_paired(access, cookie), "the network brought the time, and it stepped forward"
    clock.wait(11 * HOUR - 31)
    assert is_paired(access, cookie)
    clock.wait(2)
    assert not is_paired(access, cookie)


def test_a_phone_paired_before_the_time_came_stays_paired_over_the_next_restart(tmp_path: Path, clock: MachineClock):
    truth = clock.now
    clock.now, clock.right = 0.0, False
    access = started(tmp_path, clock)
    cookie = pair(access)
    clock.step(truth)
    clock.right = True
    access.keep_time()
    clock.restart(off_s=HOUR)
    assert is_paired(started(tmp_path, clock), cookie)


def test_a_plug_pulled_before_the_time_came_unpairs_nobody_either(tmp_path: Path, clock: MachineClock):
    truth = clock.now
    clock.now, clock.right = 0.0, False
    cookie = pair(started(tmp_path, clock))
    clock.restart(off_s=0, wall=truth)
    access = started(tmp_path, clock)
    assert is_paired(access, cookie)
    clock.restart(off_s=LASTS)
    assert not is_paired(started(tmp_path, clock), cookie), "from here on the time is known"


def test_a_clock_that_is_behind_at_a_restart_gives_no_time(tmp_path: Path, clock: MachineClock):
    cookie = pair(started(tmp_path, clock))
    clock.wait(11 * HOUR)
    started(tmp_path, clock).keep_time()
    clock.restart(off_s=0, wall=clock.now - YEARS)
    access = started(tmp_path, clock)
    assert is_paired(access, cookie)
    clock.wait(LASTS)
    assert not is_paired(access, cookie)


def test_where_nothing_can_be_written_at_the_start_ages_go_on_all_the_same(tmp_path: Path, clock: MachineClock):
    cookie = pair(started(tmp_path, clock))
    clock.restart(off_s=0, right=False)
    access = Access(tmp_path, CLOSED, lambda _: WAY, clock=clock)
    assert is_paired(access, cookie)
    clock.step(YEARS)
    clock.right = True
    assert is_paired(access, cookie)
    clock.wait(LASTS)
    assert not is_paired(access, cookie)


def test_ends_are_told_in_the_time_that_the_clock_shows(tmp_path: Path, clock: MachineClock):
    access = started(tmp_path, clock)
    clock.step(YEARS)
    invited = access.invitation()
    assert invited["until"] == pytest.approx(clock.now + 600, abs=1)


def test_the_clocks_are_written_down_only_when_they_were_set(tmp_path: Path, clock: MachineClock):
    access = started(tmp_path, clock)
    first = (tmp_path / "pairing.json").stat().st_ino
    for _ in range(100):
        clock.wait(60)
        access.keep_time()
    assert (tmp_path / "pairing.json").stat().st_ino == first
    clock.step(60)
    access.keep_time()
    assert (tmp_path / "pairing.json").stat().st_ino != first


def test_without_the_right_time_a_pairing_ages_as_long_as_the_machine_runs(tmp_path: Path, clock: MachineClock):
    """A table of three hours and a half each Friday whose machine never learns the time."""
    clock.right = False
    access = started(tmp_path, clock)
    cookie = pair(access)
    for _ in range(4):
        assert is_paired(access, cookie)
        for _ in range(210):
            clock.wait(60)
            access.keep_time()
        clock.restart(off_s=0, right=False)
        access = started(tmp_path, clock)
    assert not is_paired(access, cookie)


def test_this_machine_has_such_clocks():
    clock = SystemClock()
    assert clock.boot
    assert clock.boot == SystemClock().boot
    assert 0 < clock.ticks() <= clock.ticks()
    assert clock.is_set() in {True, False}
    assert SystemClock(boot_id=Path("/nowhere")).boot == ""
