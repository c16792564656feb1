"""The command line as a stranger meets it: one clear sentence, and exit status 2, for what cannot be."""

import json
import os
import pty
import socket
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from pegboard.cli.main import main
from pegboard.storage.journal.journal import Journal
from pegboard.storage.schema import FILE
from tests.support import forked
from tests.support.program import BOUND_BY_PERMISSIONS, PYTHON, Service
from tests.web.access.test_access_of_real_program import make_certificate


def pegboard(*arguments, **more):
    return forked.run(list(map(str, arguments)), **more)


def refused(*arguments, status=2):
    """The one sentence with which it ends."""
    ended = pegboard(*arguments)
    assert ended.returncode == status, ended
    assert "Traceback" not in ended.stderr
    (sentence,) = ended.stderr.splitlines()
    return sentence


def test_a_taken_port_is_said(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        sentence = refused("run", "--mock", "--state", tmp_path, "--port", port, status=1)
    assert sentence.startswith(f"pegboard: another program is using port {port}; stop it")
    assert not (tmp_path / "journal.db").exists(), "a start that is refused leaves nothing behind"


def test_bad_toml_is_said(tmp_path):
    path = tmp_path / "pegboard.toml"
    path.write_text("[web")
    assert "not valid TOML" in refused("run", "--mock", "--state", tmp_path, "--config", path)


def test_an_unknown_setting_is_said(tmp_path):
    path = tmp_path / "pegboard.toml"
    path.write_text("[web]\nprot = 1")
    assert "did you mean 'web.port'" in refused("run", "--mock", "--state", tmp_path, "--config", path)


def test_a_folder_that_cannot_be_written_is_said(tmp_path):
    (tmp_path / "file").touch()
    assert "choose another folder with --state" in refused(
        "run", "--mock", "--port", 0, "--state", tmp_path / "file" / "state"
    )


def test_a_folder_of_somebody_else_is_said(tmp_path):
    folder = tmp_path / "theirs"
    folder.mkdir()
    folder.chmod(0o555)
    command = [*BOUND_BY_PERMISSIONS, sys.executable, "-m", "pegboard", "run", "--mock", "--port=0", "--state", folder]
    said = subprocess.run(command, capture_output=True, text=True, check=False).stderr
    assert f"cannot write to {folder}: Permission denied" in said


def test_a_newer_database_is_said(tmp_path):
    Journal(tmp_path).close()
    with sqlite3.connect(tmp_path / FILE) as db:
        db.execute("PRAGMA user_version = 99")
        db.execute("UPDATE about SET min_reader = 99")
    assert "newer pegboard" in refused("run", "--mock", "--port", 0, "--state", tmp_path)


def test_a_second_table_on_the_same_folder_is_said(service):
    sentence = refused("run", "--mock", "--state", service.state, "--port", 0, status=1)
    assert f"process {service.pid}" in sentence
    assert f"open {service.url}/ in a browser" in sentence


def test_a_port_that_a_pegboard_has_is_said_with_its_address(service, tmp_path):
    sentence = refused("run", "--mock", "--state", tmp_path / "other", "--port", service.port, status=1)
    assert f"another pegboard is already using port {service.port}: open {service.url}/" in sentence
    assert not (tmp_path / "other").exists()


def test_a_port_that_a_pegboard_with_a_certificate_has_is_said_too(tmp_path):
    certificate, key, settings = (tmp_path / name for name in ("certificate.pem", "key.pem", "pegboard.toml"))
    make_certificate(certificate, key)
    settings.write_text(f'[web]\ncertificate = "{certificate}"\nkey = "{key}"\n')
    with Service(tmp_path / "state", "--config", settings) as service:
        sentence = refused("run", "--mock", "--state", tmp_path / "other", "--port", service.port, status=1)
    assert f"open {service.url}/ in a browser" in sentence


def test_an_import_beside_a_running_table_says_what_to_do(service, tmp_path):
    (tmp_path / "games.jsonl").write_text(pegboard("export", "--state", service.state).stdout)
    sentence = refused("import", tmp_path / "games.jsonl", "--state", service.state, status=1)
    assert f"process {service.pid}" in sentence
    assert "stop it first, or import the file on its /history page" in sentence


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--variant", "whist"], "no variant 'whist'"),
        (["--port", "abc"], "--port: "),
        (["--port", "99999"], "'99999' is not a port; use a number from 0 to 65535"),
        (["--port", "000000000" + "9" * 400], "...' is not a port; use a number from 0 to 65535"),
        (["--port", "0" * 5000], "...' is not a port; use a number from 0 to 65535"),
        (["--port", "nan"], "'nan' is not a port"),
        (["--music"], "there is no option --music; pegboard run --help lists them"),
        (["--plyers", "Ann,Bob"], "there is no option --plyers; did you mean --players?"),
        (["--open", "--closed"], "use either --open or --closed, not both"),
        (["--players", "Ann", "--variant", "acc"], "acc is for 2 players, not 1; for 1, use solitaire"),
        (
            ["--players", "Ann,Bob,Cy", "--variant", "Standard"],
            "standard is for 2 players, not 3; for 3, use three-handed",
        ),
        (["--players", "A,B,C,D,E"], "a table seats 1, 2, 3, 4 or 6 players, not 5"),
        (["--players", "Ann,"], "a name is blank in 'Ann,'; separate names with single commas, such as Ann,Bob"),
        (["--players", "Ann,,Bob"], "a name is blank in 'Ann,,Bob'"),
        (["--players", " "], "no player names in ' '"),
        (["--record", "/nowhere/record"], "cannot write the recording to /nowhere/record"),
        (["--house", "jokers=wild"], "there is no house rule 'jokers'; use one of game hole, skunks"),
        (["--house", "muggins"], "the house rule muggins must be off, on, not ''"),
        (["--house", "triple wins match=on", "--house", "skunks=off"], "a triple skunk needs three skunk lines"),
        (["--match", "best of 4"], "there is no match format 'best of 4'; use open, single"),
    ],
)
def test_options_that_do_not_fit_are_said(tmp_path, arguments, sentence):
    words = ["run", "--mock", "--state", str(tmp_path), "--port", "0", *arguments]
    ended = CliRunner().invoke(main, words, prog_name="pegboard")
    (line,) = ended.stderr.splitlines()
    assert (ended.exit_code, ended.stdout) == (2, "")
    assert sentence in line


def test_an_option_that_does_not_fit_ends_the_program_with_a_sentence(tmp_path):
    assert "no variant 'whist'" in refused("run", "--mock", "--state", tmp_path, "--port", 0, "--variant", "whist")


def test_house_rules_of_the_settings_that_do_not_fit_are_said_before_anything_is_written(tmp_path):
    path = tmp_path / "pegboard.toml"
    path.write_text('[table]\nhouse = ["game hole=1000"]')
    assert "31 to 361, not '1000'" in refused("run", "--mock", "--state", tmp_path / "state", "--config", path)
    assert not (tmp_path / "state").exists()


def test_the_house_and_the_match_are_said_and_played(tmp_path):
    options = ("--house", "muggins=on", "--house", "worth=games 1-2-4", "--match", "best of 3")
    with Service(tmp_path, *options) as service:
        assert "Ann, Bob play standard with worth=games 1-2-4 and muggins=on, best of 3\n" in service.said[0]
        client = service.client()
        state = client.state()
        call = {"do": "muggins", "game": state["game"]["id"], "seat": 1, "claimed": 4, "missed": 2}
        status, answer = client.command(**call, base=state["revision"])
        assert (status, [lane["front"] for lane in answer["state"]["lanes"]]) == (201, [0, 2])
    with Service(tmp_path) as service:
        assert "with worth=games 1-2-4 and muggins=on, best of 3" in service.said[0], "a game keeps its rules"


def test_a_full_disk_is_said_and_nothing_is_scored(tmp_path):
    """A limit on the size of files stands for a full disk: the kernel refuses to write more."""
    shell = f"ulimit -f 200; exec {PYTHON} -m pegboard run --mock --port 0 --state {tmp_path}/state"
    with Service(tmp_path / "state", command=["bash", "-c", shell]) as service:
        client, stored = service.client(), 0
        while True:
            status, answer = client.score(0, 0)
            if status != 201:
                break
            stored += 1
        assert (status, answer["code"]) == (503, "not_stored")
        assert "NOT SAVED" in answer["detail"]
        state = client.state()
        assert "NOT SAVED" in state["notice"]
        assert state["entries"][0]["id"] == str(stored)
        service.kill()
    with Service(tmp_path / "state") as service:
        assert service.client().state()["entries"][0]["id"] == str(stored)


def test_a_full_disk_at_start_is_said_and_the_table_runs_all_the_same(tmp_path):
    shell = f"ulimit -f 0; exec {PYTHON} -m pegboard run --mock --open --port 0 --state {tmp_path}/state"
    with Service(tmp_path, command=["bash", "-c", shell]) as service:
        state = service.client().state()
        assert ([lane["front"] for lane in state["lanes"]], state["game"]["id"]) == ([0, 0], "")
        assert "NOT SAVED" in state["notice"]
    said = "".join(service.said)
    assert "Traceback" not in said
    assert "the disk does not accept scores" in said


def test_a_host_that_others_reach_is_open_only_when_asked(tmp_path):
    options = ["run", "--mock", "--port", "0", "--state", str(tmp_path), "--host", "127.0.0.2"]
    with Service(tmp_path, command=[sys.executable, "-m", "pegboard", *options]) as service:
        status, problem = service.client("127.0.0.2").score(0, 1)
    assert (status, problem["code"]) == (403, "not_paired")


def test_run_says_where_the_pages_are_and_that_the_table_is_open(service):
    said = "".join(service.said)
    assert "Ann, Bob play standard" in said
    assert str(service.state) in said


def test_players_named_during_a_game_play_the_next_one_and_it_says_so(tmp_path):
    with Service(tmp_path) as service:
        service.client().score(0, 5)
    with Service(tmp_path, "--players", "Cy,Dee") as service:
        state = service.client().state()
        service.stop()
        said = "".join(service.said) + service.process.stdout.read()
    assert [seat["name"] for seat in state["seats"]] == ["Ann", "Bob"]
    assert "Next game: Cy, Dee play standard" in said


def test_export_prints_every_event_while_the_table_plays(service):
    service.client().score(0, 12, "hand")
    lines = [json.loads(line) for line in pegboard("export", "--state", service.state).stdout.splitlines()]
    assert [line["kind"] for line in lines] == ["started", "scored"]
    assert lines[1]["body"] == {"lane": 0, "points": 12, "seat": 0, "why": "hand"}


def test_export_without_a_journal_is_said(tmp_path):
    assert "there is no journal" in refused("export", "--state", tmp_path)


def test_selftest_says_in_words_what_is_found(service):
    told = pegboard("selftest", "--mock", "--state", service.state)
    assert told.returncode == 0
    for name in ("pins", "I2C", "SPI", "journal"):
        assert f"ok    {name}: " in told.stdout


def test_selftest_of_a_new_table_says_that_nothing_is_kept_yet(tmp_path):
    told = pegboard("selftest", "--mock", "--state", tmp_path)
    assert told.returncode == 0
    assert "ok    journal: none in" in told.stdout


def test_selftest_fails_where_something_is_broken(tmp_path):
    (tmp_path / "journal.db").write_bytes(b"no journal")
    told = pegboard("selftest", "--mock", "--state", tmp_path)
    assert told.returncode == 1
    assert "FAIL  journal: " in told.stdout


def test_printed_settings_are_taken_back(tmp_path):
    path = tmp_path / "pegboard.toml"
    path.write_text(pegboard("config").stdout)
    assert pegboard("config", "--config", path).stdout == path.read_text()


def test_a_terminal_shows_the_board(tmp_path):
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "pegboard", "run", "--mock", "--port", "0", "--state", str(tmp_path)]
    wide = os.environ | {"COLUMNS": "100", "TERM": "xterm"}
    process = subprocess.Popen(command, stdout=theirs, stderr=theirs, env=wide)
    os.close(theirs)
    seen, end = b"", time.monotonic() + 30
    while b"121 to go" not in seen and time.monotonic() < end:
        seen += os.read(ours, 4096)
    process.terminate()
    assert process.wait(60) == 0
    os.close(ours)
    assert b"121 to go" in seen


def test_the_program_starts_as_a_module_and_as_a_command():
    script = Path(sys.executable).with_name("pegboard")
    told = subprocess.run([script, "--version"], capture_output=True, text=True, check=True).stdout
    assert told == pegboard("--version").stdout


def test_record_is_for_mock_wires_only():
    assert pegboard("run", "--help").stdout.count("--record") == 1


def test_printed_settings_open_no_table_that_they_would_not_open_themselves():
    assert "\nopen = false\n" in pegboard("config").stdout


def test_a_format_is_read_in_any_case(tmp_path):
    with Service(tmp_path, "--match", "Best of 3") as service:
        assert service.said[0].endswith(", best of 3\n")
