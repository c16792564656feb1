"""The hub's unit under a real systemd, with a Mosquitto and a table: shut in, and losing nothing to kills and plugs."""

import csv
import re
import subprocess
import sys
import time

import pytest

from tests.boot.machine import HUB
from tests.boot.sandbox import denies_all_but_its_own
from tests.boot.test_service import scorer  # noqa: F401 - a fixture

NIGHT_S = 60
"""Seconds that anything of the night may take on an emulated machine."""

UNITS = ("pegboard-hub", "mosquitto", "pegboard")
"""The units of a machine that is hub, broker and table at once."""

MISSING = """runuser -u pegboard -- python3 -c "
import json, sqlite3
hub = sqlite3.connect('file:/var/lib/pegboard/hub/hub.db?mode=ro', uri=True)
table = sqlite3.connect('file:/var/lib/pegboard/journal.db?mode=ro', uri=True)
read = lambda rows: [(number, kind, json.loads(body)) for number, kind, body in rows]
stored = read(hub.execute('SELECT seq, kind, body FROM table_event ORDER BY received, seq'))
first = stored[0][0] if stored else 1
played = read(table.execute('SELECT id, kind, body FROM event WHERE id >= ? ORDER BY id', (first,)))
print('none' if stored == played else (len(played), len(stored)))
" """
"""What the hub's ledger lacks of the table's journal, from the first event that it was sent."""


class Director:
    """A director's browser, paired by the code that the terminal prints, and the night of two people that it runs."""

    def __init__(self, machine):
        self._machine, self._cookie, self._requests = machine, "", 0
        found = re.match(r"\w+", machine.says("pegboard hub code"))
        self.code = found[0]
        _, self._cookie = self._ask("POST", "/night/v1/pair", code=self.code)
        request = {"name": "Club night", "date": "2026-11-26", "rules": {"games": 1}}
        answer, _ = self._ask("POST", "/night/v1/nights", id=self._request_id(), **request)
        self.night = answer["night"]

    def do(self, word, **fields):
        self._ask("POST", "/night/v1/decisions", night=self.night, do=word, id=self._request_id(), **fields)

    def join_table(self):
        """Let the machine's own table join by its six digits."""
        answer, _ = self._ask("POST", f"/night/v1/{self.night}/tables/t4/code")
        address = f"http://127.0.0.1:{HUB}/t/{answer['code']}"
        assert "4" in self._machine.says(f"pegboard join {address}")

    def standings(self):
        place = f"http://127.0.0.1:{HUB}/night/v1/{self.night}/files/standings.csv"
        text = self._machine.says(f"""python3 - <<'PYTHON'
from urllib.request import Request, urlopen
print(urlopen(Request({place!r}, headers={{"Cookie": {self._cookie!r}}})).read().decode())
PYTHON
""")
        return [
            (row["name"], row["points"], row["won"], row["net"])
            for row in csv.DictReader(text.splitlines())
            if row["points"] != "0"
        ]

    def _request_id(self):
        self._requests += 1
        return f"request-of-a-test-{self._requests:04}"

    def _ask(self, method, path, **values):
        headers = {"Cookie": self._cookie} if self._cookie else {}
        body = values or None
        status, answer, cookie = self._machine.ask(method, path, body, timeout=60, port=HUB, **headers)
        assert status in {200, 201}, answer
        return answer, (cookie or "").partition(";")[0]


class Table:
    """The machine's own table, at which a paired phone scores."""

    def __init__(self, machine, scorer):  # noqa: F811
        self._machine, self._scorer = machine, scorer

    def state(self):
        return self._machine.ask("GET", "/api/v1/state", timeout=60)[1]

    def score(self, points):
        self._command(do="score", seat=0, points=points, base=self.state()["lanes"][0]["revision"])

    def confirm(self, seat):
        state = self.state()
        self._command(do="confirm", seat=seat, winner=0, fronts=[lane["front"] for lane in state["lanes"]])

    def _command(self, **command):
        command |= {"id": f"boot-{time.monotonic_ns():020}", "game": self.state()["game"]["id"]}
        status, answer, _ = self._machine.ask("POST", "/api/v1/commands", command, timeout=60, **self._scorer)
        assert status == 201, answer


def missing(machine):
    return machine.says(MISSING)


def until_so(found, wanted, machine):
    """Ask until the answer is as wanted; a start or a connection is under way."""
    until, now = time.monotonic() + NIGHT_S, None
    while time.monotonic() < until:
        try:
            now = found()
        except (OSError, ValueError) as error:
            now = error
        if now == wanted:
            return
        time.sleep(0.2)
    raise AssertionError(f"{now!r}, not {wanted!r}: {machine.says('journalctl -b -u pegboard-hub -n 40 -o cat')}")


@pytest.fixture(scope="module")
def hub(machine, tmp_path_factory):
    """The machine, on which the hub runs as docs/tournament/hub.md tells; Debian 12 first shows what it lacks there."""
    made = machine.says("pegboard hub broker for-mosquitto")
    for line in re.findall(r"^  sudo (.+)$", made, re.MULTILINE):
        machine.run(line)
    if machine.run("test -e /usr/lib/python3/dist-packages/sqlalchemy", check=False).returncode:
        refuse_without_sqlalchemy(machine)
        machine.copy(sqlalchemy_of_debian_12(tmp_path_factory.mktemp("pip")))
        machine.run("mkdir -p /usr/local/lib && mv target /usr/local/lib/pegboard && sync")
    machine.run("systemctl enable --now pegboard-hub || { journalctl -u pegboard-hub -n 20 -o cat; false; }")
    return machine


def refuse_without_sqlalchemy(machine):
    assert machine.run("systemctl start pegboard-hub", check=False).returncode != 0
    assert "the hub needs SQLAlchemy 2: " in machine.says("journalctl -u pegboard-hub -o cat")
    assert machine.says("systemctl is-failed pegboard-hub") == "failed"
    assert machine.says("systemctl show pegboard-hub -p NRestarts --value") == "0"


def sqlalchemy_of_debian_12(folder):
    """What the documented pip puts there; this machine runs it, as the other one reaches no package index."""
    words = ["--only-binary=:all:", "--python-version=3.11", "--platform=manylinux2014_x86_64"]
    pip = [sys.executable, "-m", "pip", "install", "--quiet", *words, "--target", folder / "target", "sqlalchemy>=2"]
    subprocess.run(pip, check=True)
    return folder / "target"


@pytest.fixture(scope="module")
def director(hub):
    return Director(hub)


@pytest.fixture(scope="module")
def table(hub, scorer):  # noqa: F811
    return Table(hub, scorer)


def test_it_is_ready_and_off_until_it_is_wanted(machine):
    shown = machine.says("systemctl is-enabled pegboard-hub || true; systemctl is-active pegboard-hub || true")
    assert shown.split() == ["disabled", "inactive"]


def test_it_runs_as_its_own_account_in_a_folder_of_its_own(hub):
    assert hub.says("systemctl is-active pegboard-hub") == "active"
    assert hub.says("systemctl --failed --no-legend") == ""
    assert hub.says("ps -o user= -p $(systemctl show -p MainPID --value pegboard-hub)").startswith("pegboard")
    assert hub.says("stat -c '%a %U' /var/lib/pegboard/hub") == "700 pegboard"
    assert hub.says("find /var/lib/pegboard/hub -not -user pegboard") == ""


def test_its_sandbox_denies_all_but_its_own(hub, capsys):
    others = ("/var/lib/pegboard", "/etc/mosquitto")
    denies_all_but_its_own(hub, capsys, "pegboard-hub", folder="pegboard/hub", not_in=others)


def test_a_table_of_the_same_machine_joins_and_has_its_next_game(hub, director, table):
    for name in ("Ann", "Bob"):
        director.do("enter", name=name, walk_up=True)
    director.do("add_table", table="t4", label="4", kind="board")
    director.do("draw")
    director.do("start_round", round=1)
    director.join_table()
    until_so(lambda: (table.state().get("event") or {}).get("round"), 1, hub)
    table.score(1)
    until_so(lambda: missing(hub), "none", hub)
    assert director.code not in hub.says("journalctl -u pegboard-hub -o cat")


def test_neither_a_killed_hub_nor_a_killed_broker_costs_a_peg(hub, table):
    for unit in ("pegboard-hub", "mosquitto"):
        before = hub.says(f"systemctl show -p MainPID --value {unit}")
        table.score(10)
        hub.run(f"kill -9 {before}")
        table.score(10)
        if unit == "mosquitto":
            hub.run("systemctl restart mosquitto")
        until_so(lambda: missing(hub), "none", hub)
    assert hub.says("systemctl show pegboard-hub -p NRestarts --value") == "1"


def test_a_pulled_plug_costs_nothing_and_all_three_are_there_again(hub, table):
    table.score(20)
    hub.pull_plug()
    hub.start()
    until_so(lambda: [hub.says(f"systemctl is-active {unit} || true") for unit in UNITS], ["active"] * 3, hub)
    hub.wait_for("1.0.0")
    assert table.state()["lanes"][0]["front"] == 61
    until_so(lambda: missing(hub), "none", hub)


def test_an_update_starts_the_hub_anew_with_all_it_has(hub, table, packages):
    before = hub.says("systemctl show -p MainPID --value pegboard-hub")
    hub.copy(packages.get("1.1.0"))
    hub.run("pegboard update --during-game --trust public pegboard_1.1.0_all.deb", timeout=900)
    hub.wait_for("1.1.0")
    until_so(lambda: hub.says("systemctl is-active pegboard-hub || true"), "active", hub)
    table.score(10)
    until_so(lambda: missing(hub), "none", hub)
    assert hub.says("systemctl show -p MainPID --value pegboard-hub") != before


def test_the_confirmed_result_stands_in_the_standings(hub, director, table):
    while not table.state()["game"]["over"]:
        table.score(10)
    for seat in (0, 1):
        table.confirm(seat)
    winner = table.state()["seats"][0]["name"]
    until_so(director.standings, [(winner, "3", "1", "121")], hub)
    assert missing(hub) == "none"
