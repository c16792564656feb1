"""Main command group: `run`, `code`, `unpair`, `selftest`, `config`; the other commands are loaded lazily."""

import logging
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pegboard import config, systemd
from pegboard.cli import parameters
from pegboard.cli.command_groups import CommandGroup, Documented, LazyCommands
from pegboard.cli.parameters import act_as_owner, is_owner, require_readable
from pegboard.errors import JournalInUse, PortTaken, SettingError
from pegboard.install.host import INSTALLED, default_state, is_installed, on_a_pi
from pegboard.install.program_version import program_version
from pegboard.startup import settings_file
from pegboard.startup.bootstrap import load_settings, run_table
from pegboard.startup.next_game import NextGame
from pegboard.startup.start_notice import clock, command_for_phones, explain_folder, explain_port, without_phones
from pegboard.streams import echo_line

if TYPE_CHECKING:
    from web.access.pairing_codes import Codes

# --- `pegboard unpair`: list paired phones, unpair one or all ---


def list_devices(codes: "Codes") -> Iterator[str]:
    """One line per paired phone, most recently paired first: its id, role and browser, and when it was paired."""
    table = codes.table
    devices = [] if table is None else codes.paired_devices(table.paired_s)
    if not devices:
        yield "No paired phones."
    for one in devices:
        paired = clock(codes.as_wall_time(one.since))
        yield f"{one.id}  {one.role:<8}  {one.label or 'a device'}, paired at {paired}"


def unpair_devices(codes: "Codes", device: str | None) -> Iterator[str]:
    """Unpair one phone, or all if None; yield the sentences to print.

    Raises:
        StateFileError: no phone has that id, or the change cannot be stored.
    """
    from web.access.pairing_file import StateFileError

    if device is None:
        codes.unpair_all()
        yield "All phones are unpaired; each needs a new code to score again."
        return
    found = codes.unpair(device)
    if found is None:
        raise StateFileError("no_such_device", device=repr(device))
    yield f"{found.label or 'The device'} is unpaired and needs a new code to score again."


config_option = click.option(
    "--config",
    "config_file",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Settings file (TOML); without one, all settings have their defaults.",
)


def _files() -> dict[str, str]:
    """The locations of scores and settings on this machine."""
    scores = {str(default_state()): "scores; choose another folder with --state"}
    if is_installed():
        return scores | {str(INSTALLED.settings): "settings; choose another file with --config"}
    return scores | {"settings": "none unless you use --config; pegboard config prints a file to start from"}


FILES = ("Files", _files)

ELSEWHERE = {
    "back": "pegboard.cli.versions_commands:back",
    "backup": "pegboard.cli.journal_commands:backup",
    "card": "pegboard.cli.versions_commands:card",
    "check": "pegboard.cli.journal_commands:check",
    "completion": "pegboard.cli.manual:completion",
    "count": "pegboard.cli.count:count",
    "export": "pegboard.cli.journal_commands:export",
    "hub": "pegboard.cli.hub_commands:hub",
    "import": "pegboard.cli.journal_commands:import_games",
    "join": "pegboard.cli.join_command:join",
    "languages": "pegboard.cli.language_commands:languages",
    "manual": "pegboard.cli.manual:print_manual",
    "rebuild": "pegboard.cli.journal_commands:rebuild",
    "restore": "pegboard.cli.journal_commands:restore",
    "update": "pegboard.cli.versions_commands:update",
}
"""Commands of other modules, loaded only when used."""


def _print_version(context: click.Context, _parameter: click.Parameter, value: bool) -> None:
    if value and not context.resilient_parsing:
        click.echo(f"pegboard {program_version()}")
        context.exit()


@click.group(
    cls=CommandGroup,
    commands=LazyCommands(ELSEWHERE),
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_version,
    help="Show the version and exit.",
)
@click.pass_context
def main(context: click.Context) -> None:
    """A cribbage board: buttons, phones, an OLED and an LED strip."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


main.sections, main.examples = (FILES,), ("run --players Ann,Bob", "count 5H 5C 5S JD 5D", "run --help")


@main.command(
    cls=Documented,
    sections=(
        ("Variants", parameters.variants),
        ("Presets", parameters.presets),
        ("Match formats", parameters.match_formats),
        ("House rules", parameters.house_rules_in_rows),
        FILES,
    ),
    examples=(
        "run --players Ann,Bob",
        "run --players Ann,Bob,Cy --variant three-handed",
        "run --players Ann,Bob --preset '1922 laws'",
        "run --host 0.0.0.0 --open --match 'best of 3' --house muggins=on",
    ),
)
@click.option("--mock", is_flag=True, help="Simulate the hardware; the default when not on a Pi.")
@click.option(
    "--open",
    "is_open",
    is_flag=True,
    help="Let anyone who can reach the table score; the default when only this machine can reach it.",
)
@click.option("--closed", "is_closed", is_flag=True, help="Let only the keys and paired phones score.")
@click.option(
    "--host",
    metavar="ADDRESS",
    shell_complete=parameters.complete_hosts,
    help="Address to listen on (default: 0.0.0.0, meaning all addresses, on a Pi; otherwise 127.0.0.1).",
)
@click.option("--port", type=parameters.PORT, metavar="PORT", help="Port to listen on (default: 8080).")
@parameters.state_option
@config_option
@click.option(
    "--variant",
    type=parameters.VARIANT,
    metavar="NAME",
    help="Variant of the next game (default: standard, or the one that fits --players).",
)
@click.option(
    "--preset",
    type=parameters.PRESET,
    metavar="NAME",
    help="Printed rule sheet of the next game; it sets the variant and its rules, and --house changes them.",
)
@click.option(
    "--players",
    type=parameters.PLAYERS,
    metavar="NAMES",
    help="Players of the next game, in seat order (default: as many of Ann,Bob,Cy,Dee as there are seats).",
)
@click.option(
    "--house",
    type=parameters.HOUSE_RULE,
    multiple=True,
    metavar="RULE",
    help="House rule, such as muggins=on; can be repeated.",
)
@click.option(
    "--match",
    "match_format",
    type=parameters.MATCH_FORMAT,
    metavar="FORMAT",
    help="Format of the next match (default: open).",
)
@click.option(
    "--record",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="With --mock: record every bus transaction and key edge in FILE.",
)
def run(  # noqa: PLR0917 - click passes them by name
    mock: bool,
    is_open: bool,
    is_closed: bool,
    host: str | None,
    port: int | None,
    state: Path,
    config_file: Path | None,
    variant: str | None,
    preset: str | None,
    players: str | None,
    house: tuple[str, ...],
    match_format: str | None,
    record: Path | None,
) -> None:
    """Run the scoreboard until you stop it."""
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    logging.getLogger("pegboard.security").setLevel(logging.INFO)  # also log pairings, which are not warnings
    mock = mock or not on_a_pi()
    if record and not mock:
        raise click.UsageError("--record needs --mock")
    if is_open and is_closed:
        raise click.UsageError("use either --open or --closed, not both")
    open_table = is_open if is_open or is_closed else None
    sockets = systemd.inherited_sockets()
    settings = load_settings(config_file, open_table=open_table, host=host, port=port, sockets=sockets)
    act_as_owner(state)
    next_game = NextGame(settings, variant, players, match_format, house, preset)
    try:
        command = command_for_phones(sys.argv, os.environ)
        run_table(next_game, state, mock=mock, record=record, command=command, sockets=sockets)
    except PortTaken as error:
        raise explain_port(error, settings.web.host, settings.web.port) from error
    except JournalInUse as error:
        raise explain_folder(error, state) from error
    except SettingError as error:
        raise SettingError(settings.origin.message_of(error)) from error


@main.command(
    "code",
    cls=Documented,
    short_help="Show the code that pairs a phone with the table.",
    examples=("code", "code director"),
)
@click.argument("role", type=click.Choice(["scorer", "director"], case_sensitive=False), default="scorer")
@parameters.state_option
def tell_code(role: str, state: Path) -> None:
    """Show the code that pairs a phone with the table as a scorer or director."""
    from web.access.invitation import in_terminal
    from web.access.pairing_codes import Codes
    from web.access.pairing_file import StateFileError

    require_readable(state)
    is_own = is_owner(state)
    act_as_owner(state)
    codes = Codes.of_table(state)
    table = codes.table
    if table is None or (table.open and table.is_running):
        raise StateFileError("open_table")
    code = codes.director() if role == "director" else codes.scorer()
    address = f"{table.url}j/{code.text}"
    on_network = table.reach == "network"
    until = clock(codes.as_wall_time(code.until))
    echo_line(f"{code.text} pairs one {'phone' if on_network else 'browser'} as a {role}, until {until}.")
    echo_line(f"{'Scan this, or open' if on_network else 'Open'} {address}")
    command = table.command if is_own else _command_for_phones(state)
    for line in without_phones(table.reach, command):
        echo_line(line)
    if not table.is_running:
        echo_line("The table is not running; the code will work once it starts.")
    if on_network:
        click.echo(in_terminal(address))


def _command_for_phones(state: Path) -> str | None:
    """The command that starts another account's table for phones, built here since that account is not trusted."""
    named = [] if state == default_state() else ["--state", str(state)]
    return command_for_phones([sys.argv[0], "run", *named], os.environ)


@main.command(
    cls=Documented,
    short_help="Unpair one phone or all of them.",
    examples=("unpair --list", "unpair 9f2c07d1e4b85a36", "unpair"),
)
@click.argument("device", required=False)
@click.option("--list", "lists", is_flag=True, help="List the paired phones with their ids.")
@parameters.state_option
def unpair(device: str | None, lists: bool, state: Path) -> None:
    """Unpair the phone with the id DEVICE, or all phones. An unpaired phone needs a new code to score again."""
    from web.access.pairing_codes import Codes

    if lists and device is not None:
        raise click.UsageError("--list cannot be combined with DEVICE")
    require_readable(state)
    act_as_owner(state)
    codes = Codes.of_table(state)
    for line in list_devices(codes) if lists else unpair_devices(codes, device):
        echo_line(line)


@main.command(cls=Documented, examples=("selftest", "selftest --keys", "selftest --leds --config pegboard.toml"))
@parameters.state_option
@config_option
@click.option("--mock", is_flag=True, help="Test the simulated hardware.")
@click.option("--keys", "trial", flag_value="keys", help="Print each key press with its pin, until Ctrl-C.")
@click.option("--leds", "trial", flag_value="leds", help="Light the LEDs one by one and print each hole.")
@click.option("--panel", "trial", flag_value="panel", help="Show a test picture on the panel, until Ctrl-C.")
@click.option("--dark", is_flag=True, help="Only turn off the panel and strip, for example after a crash.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def selftest(  # noqa: PLR0917 - click passes them by name
    state: Path, config_file: Path | None, mock: bool, trial: str | None, dark: bool, as_json: bool
) -> None:
    """Check pins, I2C, SPI and the journal, and report what is found. Exits with status 1 if anything is missing."""
    if trial is not None and (dark or as_json):
        raise click.UsageError(f"--{trial} cannot be combined with --dark or --json")
    from pegboard.cli.selftest_command import run_selftest

    settings = load_settings(config_file)
    run_selftest(settings, state, mock=mock or not on_a_pi(), as_json=as_json, darken=dark, trial=trial)


@main.command(
    "config",
    cls=Documented,
    short_help="Print all settings with their descriptions.",
    examples=("config > pegboard.toml", "run --config pegboard.toml"),
)
@config_option
def show_config(config_file: Path | None) -> None:
    """Print all settings with their descriptions, as a file for --config."""
    settings = load_settings(config_file, guess=False)
    config.require_fit(settings)
    click.echo(settings_file.as_toml(settings).encode(), nl=False)
