"""The manual roff and the completions: whole, valid, and made of the commands as they are."""

import os
import re
import shutil
import subprocess

import click
import pytest
from click.testing import CliRunner

from pegboard.cli import hub_commands
from pegboard.cli.main import main
from pegboard.core.house_rules import HOUSE_RULES
from pegboard.core.presets import PRESETS
from pegboard.core.rules import FORMATS, VARIANTS
from pegboard.devices import brightness
from pegboard.hub import broker_accounts
from pegboard.hub.packages import hub_keys
from pegboard.mqtt import joined_event
from pegboard.startup import next_game
from pegboard.storage import schema
from pegboard.storage.journal import journal_mark
from pegboard.table import event_table
from tests.support.program import PYTHON
from web.access import pairing_file, sessions


@pytest.fixture(scope="module")
def roff():
    return CliRunner().invoke(main, ["manual"], env={"SOURCE_DATE_EPOCH": "0"}).stdout


def commands(group, path="pegboard"):
    for name, command in group.commands.items():
        yield f"{path} {name}", command
        if isinstance(command, click.Group):
            yield from commands(command, f"{path} {name}")


def plain(text):
    return text.replace("\\-", "-").replace("\\(aq", "'").replace("\\(ga", "`").replace("\\e", "\\")


@pytest.mark.parametrize(
    "file",
    [
        *(schema.FILE, journal_mark.FILE, "quarantine", brightness.FILE, next_game.FILE),
        *(pairing_file.PAIRING_FILE, sessions.SECRET_FILE, joined_event.FILE, event_table.FILE),
        *(
            f"hub/{file}"
            for file in (hub_commands.FILE, hub_keys.KEY_FILE, hub_keys.KNOWN_HUBS_FILE, broker_accounts.FILE)
        ),
    ],
)
def test_the_manual_has_every_file_of_the_state_folder(roff, file):
    assert file in plain(roff).partition(".SH FILES")[2]


def test_the_manual_has_every_command_with_every_option(roff):
    sections = dict(part.partition(" [OPTIONS]")[::2] for part in plain(roff).split("\n.SS ")[1:])
    for path, command in commands(main):
        for option in (one for one in command.params if isinstance(one, click.Option)):
            assert option.opts[-1] in sections[path], (path, option.opts)


@pytest.mark.parametrize(
    "word", [*VARIANTS, *PRESETS, *HOUSE_RULES, *FORMATS, "STATE_DIRECTORY", "journal.db", "0", "1", "2", "130"]
)
def test_the_manual_tells_every_variant_rule_format_file_and_exit_status(roff, word):
    assert f"\\fB{word}\\fR" in roff.replace("\\-", "-")


def test_every_example_of_the_manual_is_taken(roff):
    examples = plain(roff).split(".nf\n")[1].split("\n.fi\n")[0].splitlines()
    assert len(examples) > 10
    for example in examples:
        words = example.removeprefix("pegboard ").split()
        assert words[0] in main.commands, example
        command, known = main, {"--help"}
        for word in words:
            if (command := getattr(command, "commands", {}).get(word)) is None:
                break
            known |= {option for one in command.params for option in one.opts}
        assert {word for word in words if word.startswith("--")} <= known, example


@pytest.mark.parametrize("told", ["1" + "0" * 400, "9" * 5000, "nan", "inf", "1e999", "yesterday"])
def test_a_day_of_the_sources_that_is_none_is_refused_in_a_sentence(told):
    refused = CliRunner().invoke(main, ["manual"], env={"SOURCE_DATE_EPOCH": told})
    assert refused.exit_code == 2
    assert refused.stderr == "pegboard: SOURCE_DATE_EPOCH must be a whole number of seconds since 1970\n"


def test_the_manual_is_the_same_each_time(roff):
    assert CliRunner().invoke(main, ["manual"], env={"SOURCE_DATE_EPOCH": "0"}).stdout == roff
    assert ' 1970-01-01 "pegboard' in roff


@pytest.mark.debian
def test_mandoc_finds_no_fault_in_the_manual(roff):
    tool = shutil.which("mandoc")
    assert tool, "mandoc is missing: tests/debian-packages installs it"
    told = subprocess.run(
        [tool, "-T", "lint", "-W", "warning"], input=roff, capture_output=True, text=True, check=False
    )
    assert (told.returncode, told.stdout) == (0, "")


# --- completion ---


def completed(*words):
    """What is offered for the last of these words."""
    typed = " ".join(["pegboard", *words])
    environment = {"_PEGBOARD_COMPLETE": "bash_complete", "COMP_WORDS": typed, "COMP_CWORD": str(len(words))}
    told = CliRunner().invoke(main, [], env=environment, prog_name="pegboard").stdout
    return re.findall(r"^\w+,(.*)$", told, re.MULTILINE)


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (["ru"], ["run"]),
        (["run", "--var"], ["--variant"]),
        (["run", "--variant", "th"], ["three-handed"]),
        (["run", "--variant", ""], list(VARIANTS)),
        (["run", "--preset", ""], [name.replace(" ", "-") for name in PRESETS]),
        (["run", "--preset", "a"], ["ACC-tournament"]),
        (["run", "--house", "mug"], ["muggins=off", "muggins=on"]),
        (["run", "--house", "game"], ["game-hole="]),
        (["run", "--match", "best"], ["best-of-3", "best-of-5", "best-of-7"]),
        (["run", "--host", "0"], ["0.0.0.0"]),
        (["code", "d"], ["director"]),
        (["completion", "z"], ["zsh"]),
    ],
)
def test_a_shell_completes_names_and_values(words, offered):
    assert completed(*words) == offered


@pytest.mark.parametrize("value", [value for value in completed("run", "--house", "") if not value.endswith("=")])
def test_every_completed_house_rule_is_taken(value, monkeypatch):
    taken = []
    monkeypatch.setattr(
        "pegboard.cli.main.run_table", lambda next_game, *_, **__: taken.append(next_game.first_setup())
    )
    words = ["run", "--house", value]
    assert CliRunner().invoke(main, words).exit_code == 0
    assert taken


def test_bash_itself_completes(tmp_path):
    program = tmp_path / "pegboard"
    program.write_text(f'#!/bin/sh\nexec {PYTHON} -m pegboard "$@"\n')
    program.chmod(0o755)
    script = (
        'eval "$(pegboard completion bash)"; COMP_WORDS=(pegboard run --variant s); COMP_CWORD=3; '
        '_pegboard_completion pegboard; printf "%s\\n" "${COMPREPLY[@]}"'
    )
    environment = os.environ | {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
    told = subprocess.run(["bash", "-c", script], capture_output=True, text=True, env=environment, check=True).stdout
    assert told.split() == [name for name in VARIANTS if name.startswith("s")]
