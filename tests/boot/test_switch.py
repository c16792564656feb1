"""Updates under a real systemd: out of service for moments, rolled back if they fail, whole after a pulled plug."""

import contextlib
import os
import threading
import time

from tests.boot.conftest import CRASHES
from tests.boot.test_service import front, score, scorer  # noqa: F401 - a fixture

ROWS = """python3 -c "
import sqlite3
db = sqlite3.connect('file:/var/lib/pegboard/journal.db?mode=ro', uri=True)
print(db.execute('SELECT id, chain FROM event').fetchall())
" """

FAULT = """

def run_table(*_, **__):
    raise RuntimeError('a fault')
"""

RESTARTS = 3
"""How often at least systemd must have started a version again until it is left."""

POINTS = int(os.environ.get("POINTS", "20"))
"""At how many moments of an update the plug is pulled."""


class Polling:
    """Asks the table again and again; tells for how long it did not answer."""

    def __init__(self, machine, pause_s=0.1):
        self._machine, self._pause_s, self._ends = machine, pause_s, threading.Event()
        self.longest_s = 0.0
        self._thread = threading.Thread(target=self._run)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._ends.set()
        self._thread.join()

    def _run(self):
        last = time.monotonic()
        while not self._ends.is_set():
            with contextlib.suppress(OSError, ValueError):
                self._machine.ask("GET", "/api/v1/state", timeout=120)
                now = time.monotonic()
                self.longest_s, last = max(self.longest_s, now - last), now
            time.sleep(self._pause_s)


def test_an_update_keeps_every_score(machine, packages, scorer, capsys):  # noqa: F811
    assert score(machine, scorer, 9) == 9
    machine.copy(packages.get("1.1.0"))
    before = machine.says(ROWS)
    with Polling(machine) as polling:
        machine.run("pegboard update --during-game --trust public pegboard_1.1.0_all.deb", timeout=900)
    with capsys.disabled():
        print(f"\nout of service for {polling.longest_s:.2f} s{machine.speed}")
    assert machine.version() == "1.1.0"
    assert (front(machine), machine.says(ROWS)) == (9, before)


def test_a_version_that_does_not_start_changes_nothing(machine, packages):
    machine.copy(packages.get("1.2.0", FAULT))
    before = machine.says(ROWS)
    ran = machine.run("pegboard update --during-game --trust public pegboard_1.2.0_all.deb", check=False, timeout=900)
    assert ran.returncode == 1
    assert "failed its test on a copy of the scores" in ran.stderr
    assert (machine.version(), machine.says(ROWS)) == ("1.1.0", before)


def test_going_back_and_forth(machine):
    machine.run("pegboard back --during-game", timeout=900)
    assert (machine.version(), front(machine)) == ("1.0.0", 9)
    machine.run("pegboard back --during-game", timeout=900)
    assert machine.version() == "1.1.0"


def test_a_version_that_dies_later_is_left_by_itself(machine, packages):
    machine.copy(packages.get("1.3.0", CRASHES))
    ran = machine.run("pegboard update --during-game --trust public pegboard_1.3.0_all.deb", check=False, timeout=900)
    assert ran.returncode == 0, ran.stderr or "it dies only after it has been watched"
    machine.wait_for("1.1.0", 900)
    assert front(machine) == 9
    restarts = int(machine.says("journalctl -u pegboard -o cat | grep -c 'Scheduled restart job'"))
    assert restarts >= RESTARTS, "one death is no proof"
    assert '"failed"' in machine.says("cat /var/lib/pegboard-trees/versions.json")


def test_a_plug_pulled_in_the_middle_leaves_one_whole_version(machine, packages, scorer, capsys):  # noqa: F811
    machine.copy(packages.get("1.4.0"))
    begun = time.monotonic()
    machine.run("pegboard update --during-game --trust public pegboard_1.4.0_all.deb", timeout=900)
    took = time.monotonic() - begun
    machine.run("pegboard back --during-game && rm -rf /var/lib/pegboard-trees/1.4.0 && sync", timeout=900)
    holes, seen = front(machine), []
    for point in range(POINTS):
        machine.run(
            "nohup pegboard update --during-game --trust public pegboard_1.4.0_all.deb >/root/update.log 2>&1 &"
        )
        time.sleep(took * (point + 0.5) / POINTS)
        machine.pull_plug()
        machine.start()
        until = time.monotonic() + 400
        while (version := machine.version()) not in {"1.1.0", "1.4.0"} or machine.says(
            "systemctl is-active pegboard-finish-update; ls -d /var/lib/pegboard-trees/proving.json 2>/dev/null || true"
        ).startswith("activ"):
            assert time.monotonic() < until, version
            time.sleep(1)
        seen.append(version)
        assert machine.says("ls /var/lib/pegboard-trees | grep -c part || true") == "0" or version == "1.1.0"
        assert front(machine) == holes
        holes = score(machine, scorer, 1)
        with capsys.disabled():
            print(f"\nplug {point + 1} of {POINTS}: version {version}, front peg at {holes}", end="", flush=True)
        if version == "1.4.0":
            machine.run("pegboard back --during-game", timeout=900)
        machine.run("rm -rf /var/lib/pegboard-trees/1.4.0 && sync")
    with capsys.disabled():
        print(
            f"\n{POINTS} pulled plugs: {seen.count('1.1.0')} times the old version, {seen.count('1.4.0')} the new one"
        )
