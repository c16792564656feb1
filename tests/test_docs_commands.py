"""What the documentation tells to type can be typed: commands, options, make targets, units and settings."""

import re
import shlex
import tomllib
from dataclasses import fields
from itertools import takewhile
from pathlib import Path

import pytest

from pegboard import config
from pegboard.cli.main import main
from pegboard.config import Settings
from pegboard.startup import settings_file

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
MAKER_PAGES = [ROOT / "docs" / name for name in ("build.md", "pi.md", "play.md", "troubleshooting.md")]

CODE_LINE = re.compile(r"^ {4,}(\S.*)$", re.MULTILINE)
INLINE = re.compile(r"`([^`\n]+)`")
PEGBOARD = re.compile(r"^(?:sudo )?(?:\.venv/bin/)?pegboard(?= |$)")

OF_THE_SYSTEM = """
    apt apt-get cage cd curl df eval git hostname install journalctl man nano pip poweroff raspi-config reboot systemctl
    timedatectl usermod vcgencmd
"""
"""Commands of Raspberry Pi OS that pages for makers and players name."""


def typed(page):
    """Everything on a page that is code: lines, and words between backticks."""
    content = page.read_text("utf-8")
    return [line.strip() for line in CODE_LINE.findall(content) + INLINE.findall(content)]


def words_of(line):
    """A line's words up to where the shell takes over: a pipe, a file, another command."""
    try:
        words = shlex.split(line, comments=True)
    except ValueError:
        words = line.split()
    return list(takewhile(lambda word: word not in {"|", ">", "<", "&&", "||", ";"}, words))


def every(pattern, pages=PAGES):
    """Each line of code that begins so, once a page."""
    for page in pages:
        for line in dict.fromkeys(typed(page)):
            if re.match(pattern, line):
                yield pytest.param(line, id=f"{page.name}:{line[:60]}")


def refuse(words, command):
    """Assert that a command takes these words, and return none."""
    while words and hasattr(command, "commands") and words[0] in command.commands:
        command, words = command.commands[words[0]], words[1:]
    known = {name: one for one in command.params for name in one.opts}
    places = sum(9 if one.nargs < 0 else one.nargs for one in command.params if one.param_type_name == "argument")
    rest = iter(words)
    for word in rest:
        if word.startswith("-") and word != "-":
            name, _, value = word.partition("=")
            assert name in {*known, "--help", "--version"}, f"{command.name} has no {name}"
            option = known.get(name)
            if option is not None and not option.is_flag and not value:
                next(rest, None)
        else:
            places -= 1
    assert places >= 0, f"{command.name} takes fewer words than {words}"


@pytest.mark.parametrize("line", list(every(PEGBOARD)))
def test_every_command_of_pegboard_is_one_with_its_options(line):
    words = words_of(PEGBOARD.sub("", line))
    assert not words or words[0].startswith("-") or words[0] in main.commands, line
    refuse(words, main)


@pytest.mark.parametrize("line", list(every(r"make [a-z]")))
def test_every_target_of_make_is_there_and_takes_its_options(line):
    _, target, *more = words_of(line)
    assert re.search(rf"^{re.escape(target)}:", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    options = [word.removeprefix("ARGS=") for word in more if word.startswith("ARGS=")]
    if target == "run" and options and options != ["..."]:
        refuse(shlex.split(options[0]), main.commands["run"])


def test_a_misspelt_option_or_one_word_too_many_is_found():
    for words in (["run", "--opne"], ["back", "now"], ["selftest", "--led"], ["update"] * 3):
        with pytest.raises(AssertionError):
            refuse(words, main)


OTHERS_UNITS = {"mosquitto"}
"""Of other packages than ours."""

UNIT = re.compile(r"systemctl (?:start|stop|restart|status|enable|disable)(?: --now)? ([a-z. -]+)")


@pytest.mark.parametrize("line", list(every(r"(?:sudo )?systemctl \w+ \S")))
def test_every_unit_is_there(line):
    for unit in set(UNIT.match(line.removeprefix("sudo "))[1].split()) - OTHERS_UNITS:
        name = unit if "." in unit else f"{unit}.service"
        assert (ROOT / "systemd" / name).exists(), name


@pytest.mark.parametrize("page", MAKER_PAGES, ids=lambda page: page.name)
def test_a_line_to_type_begins_with_a_command_that_is_there(page):
    for line in CODE_LINE.findall(page.read_text("utf-8")):
        word = line.removeprefix("sudo ").split()[0]
        assert word in {"pegboard", "make", "hours", *OF_THE_SYSTEM.split()}, line


# --- settings ---

SETTING = re.compile(r"^(table|web|keys|keypad|oled|strip|mqtt|hub)\.(?!db\b)([a-z_]+)\b(?!\()(?: = (.+))?")


def named_settings():
    for page in PAGES:
        for line in dict.fromkeys(typed(page)):
            if found := SETTING.match(line):
                yield pytest.param(*found.groups(), id=f"{page.name}:{line[:50]}")


@pytest.mark.parametrize(("section", "name", "value"), list(named_settings()))
def test_every_setting_that_a_page_names_is_there_and_takes_its_value(section, name, value, tmp_path):
    assert name in {one.name for one in fields(config.sections(Settings())[section])}
    if value:
        path = tmp_path / "pegboard.toml"
        path.write_text(f"[{section}]\n{name} = {value}\n", "utf-8")
        read = settings_file.read(path)
        assert read.unfit == {}
        wanted = tomllib.loads(f"x = {value}")["x"]
        assert getattr(config.sections(read)[section], name) == wanted


def settings_files():
    for page in PAGES:
        for n, content in enumerate(
            re.findall(r"^```toml\n(.*?)^```", page.read_text("utf-8"), re.MULTILINE | re.DOTALL)
        ):
            if page.name != "displays.md":  # its file is of a package of its own, whose example a test installs
                yield pytest.param(content, id=f"{page.name}:{n}")


@pytest.mark.parametrize("content", list(settings_files()))
def test_every_settings_file_of_a_page_is_taken(content, tmp_path):
    path = tmp_path / "pegboard.toml"
    path.write_text(content, "utf-8")
    assert settings_file.read(path).unfit == {}


# --- docs/play.md ---


def test_the_page_for_tonight_is_six_screens_long():
    assert len((ROOT / "docs/play.md").read_text("utf-8").splitlines()) <= 120
