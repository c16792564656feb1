"""The command `pegboard hub`: runs until a signal, opens events, and says in a sentence what is not there."""

import re
import shlex
import signal
import subprocess
import sys

import pytest

from pegboard.hub.ledger.ledger import open_ledger
from tests.support import forked
from tests.support.hub_night import EVENT, publish
from tests.support.table_messages import WrittenJournal
from tests.support.waiting import soon

PEGBOARD = [sys.executable, "-m", "pegboard", "hub"]


def say(*words):
    """Exit status and what was written."""
    ran = forked.run(["hub", *words])
    return ran.returncode, ran.stdout + ran.stderr


def here(folder):
    """Options of a hub whose folder and pages are a test's own."""
    return ("--state", str(folder / "hub"), "--host", "127.0.0.1", "--port", "0")


def test_a_hub_that_runs_stores_what_comes_and_ends_on_a_signal(tmp_path, broker):
    database = f"sqlite:///{tmp_path}/night/hub.db"
    assert say("--database", database, "event", "open", EVENT, "--label", "Club night") == (
        0,
        "Event club-night (Club night) is open.\n",
    )
    words = [*PEGBOARD, "--database", database, "--broker", f"mqtt://127.0.0.1:{broker.port}", *here(tmp_path)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        said = [process.stdout.readline() for _ in range(4)]
        assert "night/hub.db" in said[0]
        assert said[1] == f"Broker      127.0.0.1:{broker.port}   (no accounts; make them with pegboard hub broker)\n"
        assert re.match(r"Pages +http://127\.0\.0\.1:\d+/$", said[2])
        assert re.match(r"Director +http://127\.0\.0\.1:\d+/j/[0-9A-Z]{6} ", said[3])
        typed = re.search(r"works once; to get another: pegboard hub (code .*)\)", said[3]).group(1)
        assert typed.endswith(f"--state {tmp_path / 'hub'}")
        status, text = say(*shlex.split(typed))
        assert (status, "signs in one browser as director" in text) == (0, True), text
        own = WrittenJournal().score(3)

        def arrived():
            publish(broker.port, f"pegboard/v1/{EVENT}/t1/events", own.payload())
            with open_ledger(database) as ledger:
                return [row.seq for row in ledger.rows_of(EVENT)] == [1, 2, 3]

        soon(arrived)
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0


def test_events_are_listed(tmp_path):
    own = ("--database", f"sqlite:///{tmp_path}/hub.db", "event")
    for name in ("first", "second"):
        say(*own, "open", name)
    status, text = say(*own, "list", "--state", str(tmp_path))
    assert (status, [line.split() for line in text.splitlines()]) == (0, [["first", "first"], ["second", "second"]])


def test_without_a_database_a_file_of_the_state_folder_is_used(tmp_path):
    assert say("--state", str(tmp_path / "state"), "event", "open", EVENT)[0] == 0
    assert (tmp_path / "state" / "hub.db").stat().st_mode & 0o077 == 0


@pytest.mark.sampled(least=3)
@pytest.mark.parametrize(
    ("words", "status", "sentence"),
    [
        (("--database", "postgresql://127.0.0.1:9/night"), 1, "is not answering"),
        (("--database", "mysql://night"), 2, "sqlite:////FOLDER/FILE"),
        (("--broker", "http://hub"), 2, "is not a broker address; use mqtt://HOST:PORT"),
        (("--key", __file__), 2, "--key needs --certificate"),
        (("--port", "99999"), 2, "is not a port; use a number from"),
        (("event", "open", "Club Night"), 2, "is not a valid event name; use 1 to 32 lowercase letters"),
        (("--broker", "mqtts://127.0.0.1", "--ca", __file__), 2, "cannot be read as a certificate"),
    ],
)
def test_what_cannot_be_accepted_is_said_in_a_sentence(tmp_path, words, status, sentence):
    database = () if "--database" in words else ("--database", f"sqlite:///{tmp_path}/hub.db")
    found, text = say(*database, *words)
    assert (found, text.count("\n")) == (status, 1)
    assert sentence in text


def test_a_broker_that_is_not_there_is_said_and_waited_for(tmp_path):
    words = [*PEGBOARD, "--database", f"sqlite:///{tmp_path}/hub.db", "--broker", "mqtt://127.0.0.1:9"]
    words += here(tmp_path)
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert "127.0.0.1:9 cannot be reached" in process.stderr.readline()
        assert process.poll() is None
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 0


def test_the_folder_of_a_hub_is_named_before_a_command_or_after_it(tmp_path):
    named = ("--state", str(tmp_path / "hub"))
    assert say(*named, "event", "open", "first")[0] == say("event", "open", "second", *named)[0] == 0
    for words in ((*named, "event", "list"), ("event", "list", *named)):
        assert [line.split()[0] for line in say(*words)[1].splitlines()] == ["first", "second"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["hub"]


def test_the_access_list_is_printed(tmp_path):
    status, text = say("acl", "--hub-user", "desk")
    assert status == 0
    assert "pattern write pegboard/v1/+/%u/events" in text
    assert "user desk\ntopic readwrite pegboard/v1/#" in text


def test_the_lines_for_mosquitto_hold_for_a_folder_with_blanks_in_its_name(tmp_path):
    folder = tmp_path / "for mosquitto"
    status, text = say("--state", str(tmp_path / "hub"), "broker", str(folder), "--tables", "2")
    line = next(line for line in text.splitlines() if "install" in line)
    command = line.replace("sudo install -o mosquitto -m 600", "ls").replace("/etc/mosquitto/conf.d/", "")
    named = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=True).stdout.split("\n")
    assert (status, [name for name in named if name]) == (0, sorted(map(str, folder.iterdir())))
