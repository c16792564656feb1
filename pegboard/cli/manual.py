"""Manual page in roff for `man -l`, generated from the commands; and the commands `manual` and `completion`."""

import os
import re
import time
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, date, datetime

import click

from pegboard.cli.command_groups import Documented, DocumentedGroup
from pegboard.errors import SettingError

# --- the commands `manual` and `completion` ---


@click.command("manual", cls=Documented, examples=("manual | man -l -", "manual > pegboard.1"))
@click.pass_context
def print_manual(context: click.Context) -> None:
    """Print the manual page in the format that `man -l` reads."""
    from pegboard.install.program_version import program_version

    group = context.find_root().command
    assert isinstance(group, DocumentedGroup)
    click.echo(manual(group, program_version(), _today()).encode(), nl=False)


def _today() -> date:
    """Today's date, or that of SOURCE_DATE_EPOCH in a reproducible build.

    Raises:
        SettingError: SOURCE_DATE_EPOCH is not a valid time.
    """
    try:
        return datetime.fromtimestamp(int(os.environ.get("SOURCE_DATE_EPOCH") or time.time()), UTC).date()
    except (ValueError, OverflowError, OSError):
        raise SettingError("no_source_date") from None


@click.command(
    cls=Documented,
    examples=(
        "completion bash > ~/.local/share/bash-completion/completions/pegboard",
        "completion zsh > ~/.zfunc/_pegboard",
        "completion fish > ~/.config/fish/completions/pegboard.fish",
    ),
)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"], case_sensitive=False))
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    """Print a shell's completion script.

    It completes commands, options, variants, house rules, formats and roles.
    """
    from click.shell_completion import get_completion_class

    kind = get_completion_class(shell)
    assert kind is not None
    click.echo(kind(context.find_root().command, {}, "pegboard", "_PEGBOARD_COMPLETE").source())


EXITS = {
    "0": "Success.",
    "1": "The command cannot run now (the disk is full, or a port or folder is in use), or a check found a fault.",
    "2": "An argument or a setting is not valid.",
    "130": "Interrupted with Ctrl-C. A table stopped with Ctrl-C exits with status 0.",
}

FILES = {
    "~/.local/state/pegboard": "The scores, unless --state or XDG_STATE_HOME names another folder.",
    "journal.db": "In that folder: every event ever recorded, in an SQLite file.",
    "journal.mark": "In that folder: the newest acknowledged score; start-up checks that the journal has it.",
    "backups": "In that folder: copies of journal.db, one after each finished game.",
    "quarantine": "In that folder: damaged or replaced journals, named by time (UTC).",
    "pairing.json": "In that folder: the pairing codes for phones.",
    "secret": "In that folder: the key that signs the cookies of paired phones; keep it private.",
    "brightness.json": "In that folder: panel and strip brightness chosen on the settings page.",
    "alarms.json": "In that folder: alarms that have not been dismissed.",
    "findings.json": "In that folder: journal findings not yet shown as alarms.",
    "table_settings.json": "In that folder: the [table] settings of the last start.",
    "joined_event.json": "In that folder: the joined event, with the table's password at the hub's broker.",
    "event_orders.json": "In that folder: the last hub joined, and the table's next games.",
    "hub": "In that folder: the folder of a hub on this machine, with its own codes and secret.",
    "hub/hub.db": "The hub's database (an SQLite file), unless another is chosen with --database.",
    "hub/hub_key.hex": "The key that signs the hub's packages; keep it private.",
    "hub/known_hubs.txt": "The trusted hubs and their public keys.",
    "hub/broker_accounts.json": "The broker passwords of hub and tables; keep it private.",
    "/etc/pegboard/pegboard.toml": "The settings of the systemd service.",
    "/etc/default/pegboard-hub": "Options of the hub's systemd service, such as HUB_OPTIONS=--port 8091.",
}

ENVIRONMENT = {
    "STATE_DIRECTORY": "The folder for the scores, set by systemd.",
    "XDG_STATE_HOME": "The parent of the pegboard state folder (default: ~/.local/state).",
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
    """Every command with its full name, including those in groups."""
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
    """The sections of all commands, except Files, which has paths of this machine."""
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
