"""The manual page, written as roff for `man -l` from the commands themselves."""

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import date

import click

from pegboard.commandline.help_layout import Documented, DocumentedGroup

EXITS = {
    "0": "It is done.",
    "1": "It cannot be done now: a full disk, a port or a folder that another program has; or a check found a fault.",
    "2": "What was typed, or what the settings say, is not taken.",
    "130": "Ctrl-C has ended it before it was done. A table that Ctrl-C stops ends with 0.",
}

FILES = {
    "~/.local/state/pegboard": "The scores, unless --state names another folder or XDG_STATE_HOME another place.",
    "journal.db": "In that folder: every event that was ever scored, an SQLite file.",
    "journal.mark": "In that folder: the newest score that was answered; a start looks whether it is there.",
    "backups": "In that folder: copies of journal.db, one after each finished game.",
    "quarantine": "In that folder: journals that were damaged, or in whose place a backup was put, by the time (UTC).",
    "pairing.json": "In that folder: the codes that pair phones.",
    "secret": "In that folder: what signs the cookies of paired phones; nobody else may read it.",
    "brightness.json": "In that folder: how brightly panel and strip shine, where that was chosen on a page.",
    "alarms.json": "In that folder: what nobody may overlook, until it is dismissed.",
    "findings.json": "In that folder: what was found wrong with the journal and is no alarm yet.",
    "table_settings.json": "In that folder: what the settings file said of the table at the last start.",
    "joined_event.json": "In that folder: the event that the table has joined, and its password at the hub's broker.",
    "event_orders.json": "In that folder: the hub that was joined last, and the table's next games.",
    "hub": "In that folder: the folder of a hub on this machine, with codes and a secret of its own.",
    "hub/hub.db": "What a hub stores, an SQLite file, unless pegboard hub names another database.",
    "hub/hub_key.hex": "What a hub signs its packages with; nobody else may read it.",
    "hub/known_hubs.txt": "The hubs whose packages are known here, by their public keys.",
    "hub/broker_accounts.json": "The passwords of hub and tables at the broker; nobody else may read them.",
    "/etc/pegboard/pegboard.toml": "The settings of the service that systemd runs.",
    "/etc/default/pegboard-hub": "Options of the hub that systemd runs, as HUB_OPTIONS=--port 8091.",
}

ENVIRONMENT = {
    "STATE_DIRECTORY": "The folder that keeps the scores, as systemd gives it.",
    "XDG_STATE_HOME": "The folder that holds the pegboard folder of scores; ~/.local/state where it is not set.",
}


def manual(group: DocumentedGroup, version: str, day: date) -> str:
    """The whole page: every command with its options, variants, house rules, files, exit statuses and examples."""
    return "\n".join(_lines(group, version, day)) + "\n"


def _lines(group: DocumentedGroup, version: str, day: date) -> Iterator[str]:
    yield from (
        f'.TH PEGBOARD 1 {day} "pegboard {_plain(version)}" "User Commands"',
        ".SH NAME",
        f"pegboard \\- {_plain(_first_sentence(group)).rstrip('.')}",
        ".SH SYNOPSIS",
        ".B pegboard",
        "[\\fIOPTIONS\\fR] \\fICOMMAND\\fR [\\fIARGUMENTS\\fR]",
        ".SH OPTIONS",
        *_options(group),
    )
    yield ".SH COMMANDS"
    for path, command in _commands("pegboard", group):
        yield from _command(path, command)
    for heading, rows in (*_sections(group), ("Exit status", EXITS), ("Files", FILES), ("Environment", ENVIRONMENT)):
        yield f".SH {heading.upper()}"
        yield from _rows(rows)
    yield from (".SH EXAMPLES", ".nf", *(f"pegboard {_plain(line)}" for line in _examples(group)), ".fi")


def _commands(path: str, group: click.Group) -> Iterator[tuple[str, click.Command]]:
    """Every command with its full name, those within groups too."""
    for name, command in sorted(group.commands.items()):
        if not command.hidden:
            yield f"{path} {name}", command
        if isinstance(command, click.Group):
            yield from _commands(f"{path} {name}", command)


def _command(path: str, command: click.Command) -> Iterator[str]:
    arguments = [parameter for parameter in command.params if isinstance(parameter, click.Argument)]
    written = " ".join(one.make_metavar(click.Context(command)) for one in arguments)
    yield f".SS {_plain(path)} [OPTIONS] {_plain(written)}".rstrip()
    first, *others = (command.help or "").split("\n\n")
    yield _plain(" ".join(first.split()))
    for paragraph in others:
        yield from (".PP", _plain(" ".join(paragraph.split())))
    yield from _options(command)


def _options(command: click.Command) -> Iterator[str]:
    context = click.Context(command, help_option_names=["-h", "--help"])
    for parameter in command.get_params(context):
        record = parameter.get_help_record(context) if isinstance(parameter, click.Option) else None
        if record is not None:
            yield from _rows(dict([record]))


def _rows(rows: Mapping[str, str]) -> Iterator[str]:
    for term, meaning in rows.items():
        yield from (".TP", f"\\fB{_plain(term)}\\fR", _plain(meaning) if meaning else "\\&")


def _sections(group: click.Group) -> Iterator[tuple[str, Mapping[str, str]]]:
    """The sections of all commands, each once, without the paths of this machine."""
    for _, command in _commands("pegboard", group):
        if isinstance(command, Documented):
            yield from ((heading, rows()) for heading, rows in command.sections if heading != "Files")


def _examples(group: DocumentedGroup) -> Iterable[str]:
    commands = (command for _, command in _commands("pegboard", group) if isinstance(command, Documented))
    return dict.fromkeys([*group.examples, *(line for command in commands for line in command.examples)])


def _first_sentence(command: click.Command) -> str:
    return " ".join((command.help or "").split("\n\n")[0].split())


def _plain(text: str) -> str:
    """Text escaped for roff."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("`", "\\(ga")
    return re.sub(r"^([.'])", r"\\&\1", escaped)
