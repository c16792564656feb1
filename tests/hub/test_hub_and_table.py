"""A hub, a table and Mosquitto as a director sets them up, each a process of its own: from an account to a standing."""

import csv
import json
import re
import subprocess

import pytest

from pegboard.hub.broker_accounts import hash_password, make_accounts, read_accounts
from tests.support.hub_program import HUB, HubProgram, broker_with_accounts
from tests.support.hub_site import Client
from tests.support.program import Service
from tests.support.waiting import soon


def do(client, night, number, word, **values):
    answer = client.post("/night/v1/decisions", night=night, do=word, id=f"request-of-a-test-{number:04}", **values)
    assert answer.status in (200, 201), answer.body
    return json.loads(answer.body)


@pytest.fixture
def broker(tmp_path):
    """Mosquitto with the files that `pegboard hub broker` writes."""
    one = broker_with_accounts(tmp_path, tmp_path / "hub")
    yield one.start()
    one.stop()


def test_the_broker_holds_no_small_message_back(tmp_path, broker):
    assert broker.port
    assert "set_tcp_nodelay true" in (tmp_path / "for-mosquitto" / "pegboard.conf").read_text("utf-8").splitlines()


def test_a_table_joins_by_its_code_and_its_game_stands_in_the_standings(tmp_path, broker):
    hub = HubProgram(tmp_path / "hub", broker.port)
    try:
        with Service(tmp_path / "table") as table:
            play_one_game(hub.director(), table)
    finally:
        hub.stop()
    log = hub.log.read_text("utf-8")
    assert re.search(r"pegboard\.security: \S+ 127\.0\.0\.1 paired device \w+ as a director", log)
    assert "127.0.0.1 table t4 has joined 2026-11-26-" in log
    assert hub.code not in log


def play_one_game(director, table):
    request = {"name": "Club night", "date": "2026-11-26", "rules": {"games": 1}}
    night = json.loads(director.post("/night/v1/nights", id="request-of-a-test-open", **request).body)["night"]
    for number, name in enumerate(("Ann", "Bob")):
        do(director, night, number, "enter", name=name, walk_up=True)
    do(director, night, 2, "add_table", table="t4", label="4", kind="board")
    do(director, night, 3, "draw")
    do(director, night, 4, "start_round", round=1)
    code = soon(lambda: seat_code(director, night))
    client = table.client()
    status, answer = client.ask("POST", "/api/v1/event/join", {"code": f"http://127.0.0.1:{director.port}/t/{code}"})
    assert status == 202, answer
    soon(lambda: (client.state().get("event") or {}).get("round") == 1, 20)
    while not client.state()["game"]["over"]:
        client.score(0, 24)
    game = client.state()["game"]["id"]
    for seat in (0, 1):
        status, answer = client.command(do="confirm", seat=seat, winner=0, fronts=[121, 0], game=game)
        assert status in (200, 201), answer
    winner = client.state()["seats"][0]["name"]
    first = soon(lambda: next(iter(standings(director, night)), None))
    assert (first["name"], first["points"], first["won"], first["net"]) == (winner, "3", "1", "121")
    code = client.ask("GET", f"/api/v1/event/results/{game}")[1]["code"]
    carried = Client(director.port).post("/night/v1/result-codes", code=code)
    assert (carried.status, carried.json["replayed"]) == (200, True), "sealed by the table, and the same result"


def standings(director, night):
    text = director.get(f"/night/v1/{night}/files/standings.csv").body.decode()
    return [row for row in csv.DictReader(text.splitlines()) if row["points"] != "0"]


def seat_code(director, night):
    answer = director.post(f"/night/v1/{night}/tables/t4/code")
    return json.loads(answer.body)["code"] if answer.status == 200 else None


# --- what an account at the broker may do ---


@pytest.fixture
def at_broker(tmp_path, broker):
    """Words for the clients of Mosquitto, as the user of that name."""
    passwords = read_accounts(tmp_path / "hub").passwords

    def words(user):
        return ["-h", "127.0.0.1", "-p", str(broker.port), "-u", user, "-P", passwords[user]]

    return words


def publish(words, topic, text):
    subprocess.run(["mosquitto_pub", *words, "-q", "1", "-r", "-t", topic, "-m", text], check=True)


def heard(words, topic, *more):
    command = ["mosquitto_sub", *words, "-v", "-W", "1", "-t", topic, *more]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.splitlines()


def test_a_table_reads_and_writes_at_the_broker_what_is_its_own_and_nothing_else(at_broker):
    channels = ("events", "state", "status", "ack", "cmd")
    for table in ("t1", "t2"):
        for channel in channels:
            publish(at_broker("hub"), f"pegboard/v1/night/{table}/{channel}", "of the hub")
    for channel in channels:
        publish(at_broker("t1"), f"pegboard/v1/night/t2/{channel}", "forged")
        publish(at_broker("t1"), f"pegboard/v1/night/t1/{channel}", "own")
    publish(at_broker("t1"), "pegboard/v1/hub/another", "forged")
    own = [f"pegboard/v1/night/t1/{channel} of the hub" for channel in ("ack", "cmd")]
    for everything in ("#", "pegboard/#", "pegboard/v1/night/+/+", "$SYS/#"):
        assert set(heard(at_broker("t1"), everything)) <= set(own), everything
    assert sorted(heard(at_broker("t1"), "#")) == own
    assert heard(at_broker("t1"), "pegboard/v1/night/t2/cmd") == []
    everywhere = heard(at_broker("hub"), "pegboard/#")
    assert not [line for line in everywhere if line.endswith("forged")]
    assert sorted(line for line in everywhere if line.endswith(" own")) == [
        f"pegboard/v1/night/t1/{channel} own" for channel in ("events", "state", "status")
    ]


def test_nobody_reads_at_the_broker_without_an_account(broker):
    for words in ([], ["-u", "t1", "-P", "wrong"], ["-u", "t1"]):
        assert heard(["-h", "127.0.0.1", "-p", str(broker.port), *words], "#") == []


@pytest.mark.long
def test_a_table_ends_no_connection_of_another_by_its_id(broker, at_broker):
    """MQTT 3.1.1, 3.1.4: a client of the same id is disconnected, so the id must not be the client's to choose."""
    topic = "pegboard/v1/night/t1/cmd"
    with subprocess.Popen(["mosquitto_sub", *at_broker("t1"), "-i", "pegboard-night-t1", "-t", topic]) as victim:
        soon(lambda: f" {topic}" in broker.log.read_text("utf-8"))
        for wanted in ("pegboard-night-t1", "t1"):
            heard(at_broker("t2"), "pegboard/v1/night/t2/cmd", "-i", wanted)
        victim.terminate()
    said = broker.log.read_text("utf-8")
    assert said.count("as t2 ") == 2
    assert "already connected" not in said


# --- the accounts themselves ---


def test_what_was_made_before_keeps_its_password_and_more_tables_can_be_added(tmp_path):
    before = make_accounts(tmp_path, 2)
    after = make_accounts(tmp_path, 3)
    assert after.tables == ["t1", "t2", "t3"]
    assert {name: after.passwords[name] for name in before.passwords} == before.passwords
    assert make_accounts(tmp_path, 1).passwords == after.passwords, "fewer take nobody's account"
    assert read_accounts(tmp_path) == after
    assert (tmp_path / "broker_accounts.json").stat().st_mode & 0o077 == 0


@pytest.mark.debian
def test_the_hash_is_that_of_mosquittos_own_program(tmp_path):
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    subprocess.run(["mosquitto_passwd", "-c", "-b", str(theirs), "t1", "secret"], check=True)
    ours.write_text(f"t1:{hash_password('secret')}\n", "utf-8")
    form = re.compile(r"t1:\$7\$101\$[A-Za-z0-9+/]{16}\$[A-Za-z0-9+/]{86}==\n")
    assert form.fullmatch(ours.read_text("utf-8"))
    assert form.fullmatch(theirs.read_text("utf-8"))


def test_a_second_hub_on_the_same_folder_is_refused(tmp_path, broker):
    hub = HubProgram(tmp_path / "hub", broker.port)
    try:
        words = [*HUB, "--state", str(tmp_path / "hub"), "--host", "127.0.0.1", "--port", "0"]
        ran = subprocess.run(words, capture_output=True, text=True, check=False, timeout=60)
        assert ran.returncode != 0
        assert f"another pegboard (process {hub.process.pid}) is using {tmp_path / 'hub'}" in ran.stderr
    finally:
        hub.stop()
