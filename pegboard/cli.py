"""The command line: what each command takes, and the sentences it answers."""

import contextlib
import json
import logging
import os
import sys
from collections.abc import Callable, Iterator
from os import SEEK_END
from pathlib import Path

import click

from pegboard import config, counting
from pegboard.bootstrap import default_state, load_settings, run_table
from pegboard.commandline import parameters
from pegboard.commandline.documented import Documented
from pegboard.commandline.exits import CommandGroup
from pegboard.commandline.export_file import open_export
from pegboard.commandline.progress import progress_bar, watched
from pegboard.commandline.reference import completion, print_manual
from pegboard.core.cards.play_count import count_each
from pegboard.core.referee.decisions import pluralize
from pegboard.core.rules import CRIB_FLUSHES
from pegboard.counting import show_of_words
from pegboard.errors import JournalInUse, PegboardError, PortTaken, SettingError
from pegboard.install.machine import on_a_pi
from pegboard.startup import settings_file
from pegboard.startup.already_running import explain_folder, explain_port
from pegboard.startup.devices import findings
from pegboard.startup.interpreter import uncollected
from pegboard.startup.next_game import NextGame
from pegboard.startup.start_notice import clock, command_for_phones, without_phones
from pegboard.storage import exporting
from pegboard.storage.journal import Journal
from pegboard.storage.reader import check, journal_exists, read_events
from web.pages.language_commands import languages

state_option = click.option(
    "--state",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Folder that keeps the scores; pegboard --help tells the usual one.",
)
config_option = click.option(
    "--config",
    "config_file",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Settings, a TOML file; without it each has its default.",
)


def _files() -> dict[str, str]:
    """Where things are on this machine."""
    return {
        str(default_state()): "the scores; --state names another folder",
        "settings": "none, unless --config names a file; pegboard config prints one to change",
    }


FILES = ("Files", _files)


@click.group(cls=CommandGroup, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="pegboard", message="pegboard %(version)s")
@click.pass_context
def main(context: click.Context) -> None:
    """A cribbage board: buttons, phones, an OLED and an LED strip."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


for command in (languages, print_manual, completion):
    main.add_command(command)


main.sections, main.examples = (FILES,), ("run --players Ann,Bob", "count 5H 5C 5S JD 5D", "run --help")


@main.command(
    cls=Documented,
    sections=(
        ("Variants", parameters.variants),
        ("Match formats", parameters.match_formats),
        ("House rules", parameters.house_rules_in_rows),
        FILES,
    ),
    examples=(
        "run --players Ann,Bob",
        "run --players Ann,Bob,Cy --variant three-handed",
        "run --host 0.0.0.0 --open --match 'best of 3' --house muggins=on",
    ),
)
@click.option("--mock", is_flag=True, help="Stand-in hardware; the default where there is no Pi.")
@click.option(
    "--open",
    "is_open",
    is_flag=True,
    help="Everybody who reaches the table may score; the default where only this machine does.",
)
@click.option("--closed", "is_closed", is_flag=True, help="Its keys and paired phones alone may score.")
@click.option(
    "--host",
    metavar="ADDRESS",
    shell_complete=parameters.complete_hosts,
    help="Address to listen on, 0.0.0.0 for every one of this machine; the default is that on a Pi, else 127.0.0.1.",
)
@click.option("--port", type=parameters.PORT, metavar="PORT", help="Port to listen on; the default is 8080.")
@state_option
@config_option
@click.option(
    "--variant",
    type=parameters.VARIANT,
    metavar="NAME",
    help="Variant of the next game; the default is standard, or the one for as many as --players names.",
)
@click.option(
    "--players",
    type=parameters.PLAYERS,
    metavar="NAMES",
    help="Who plays the next game, in seat order; the default is Ann,Bob,Cy,Dee, as many as have a seat.",
)
@click.option(
    "--house",
    type=parameters.HOUSE_RULE,
    multiple=True,
    metavar="RULE",
    help="A house rule, such as muggins=on; may be repeated.",
)
@click.option(
    "--match",
    "match_format",
    type=parameters.MATCH_FORMAT,
    metavar="FORMAT",
    help="Format of the next match; the default is open.",
)
@click.option(
    "--record",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="With --mock: write every bus transaction and key edge into FILE.",
)
def run(  # noqa: PLR0917 - click passes them by name
    mock: bool,
    is_open: bool,
    is_closed: bool,
    host: str | None,
    port: int | None,
    state: Path | None,
    config_file: Path | None,
    variant: str | None,
    players: str | None,
    house: tuple[str, ...],
    match_format: str | None,
    record: Path | None,
) -> None:
    """Keep the score of a table until stopped."""
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    mock = mock or not on_a_pi()
    if record and not mock:
        raise click.UsageError("--record goes with --mock")
    if is_open and is_closed:
        raise click.UsageError("a table is --open or --closed; give one of them")
    open_table = is_open if is_open or is_closed else None
    settings = load_settings(config_file, open_table=open_table, host=host, port=port)
    next_game = NextGame(settings, variant, players, match_format, house)
    state = state or default_state()
    try:
        command = command_for_phones(sys.argv, os.environ)
        run_table(next_game, state, mock=mock, record=record, command=command)
    except PortTaken as error:
        raise explain_port(error, settings.web.host, settings.web.port) from error
    except JournalInUse as error:
        raise explain_folder(error, state) from error
    except SettingError as error:
        raise SettingError(settings.origin.message_of(error)) from error


@main.command(
    "code",
    cls=Documented,
    short_help="Tell the code that pairs a phone with the table.",
    examples=("code", "code director"),
)
@click.argument("role", type=click.Choice(["scorer", "director"], case_sensitive=False), default="scorer")
@state_option
def tell_code(role: str, state: Path | None) -> None:
    """Tell the code that pairs a phone with the table, as a scorer or as a director."""
    from web.access.invitation import in_terminal
    from web.access.pairing_codes import Codes
    from web.access.pairing_file import StateFileError

    codes = Codes.of_table(state or default_state())
    table = codes.table
    if table is None or (table.open and table.is_running):
        raise StateFileError("open_table")
    code = codes.director() if role == "director" else codes.scorer()
    address = f"{table.url}j/{code.text}"
    on_network = table.reach == "network"
    click.echo(f"{code.text} pairs one {'phone' if on_network else 'browser'} as a {role}, until {clock(code.until)}.")
    click.echo(f"{'Scan this, or open' if on_network else 'Open'} {address}")
    for line in without_phones(table.reach, table.command):
        click.echo(line)
    if not table.is_running:
        click.echo("No table is open there now; the code counts when pegboard run has begun.")
    if on_network:
        click.echo(in_terminal(address))


@main.command()
@state_option
def unpair(state: Path | None) -> None:
    """Unpair every phone: each needs a new code to score again."""
    from web.access.pairing_codes import Codes

    Codes.of_table(state or default_state()).unpair_all()
    click.echo("No phone is paired any more; each needs a new code to score again.")


@main.command(
    cls=Documented,
    short_help="Print every event of the journal as JSON lines.",
    examples=("export > games.jsonl", "export | gzip > games.jsonl.gz"),
)
@state_option
def export(state: Path | None) -> None:
    """Print every event of the journal, one JSON line each, oldest first."""
    state = state or default_state()
    with read_events(state) as rows, _bar_of_export(state) as advance:
        for part in exporting.event_batches(rows):
            click.echo(part.encode(), nl=False)
            advance(part.count("\n"))


@main.command(
    "import",
    cls=Documented,
    short_help="Bring the games that another table has exported.",
    examples=("import games.jsonl", "import - < games.jsonl", "import --state DIR games.jsonl"),
)
@click.argument("file", type=click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=Path))
@state_option
def import_games(file: Path, state: Path | None) -> None:
    """Bring the games of another table, which its `export` has printed into FILE: all of them or none.

    A dash for FILE takes what is piped in.
    """
    from pegboard.storage.import_workers import check_in_parallel, split_into_chunks

    with open_export(file) as lines, _for_import(state or default_state()) as journal, uncollected():
        size = lines.seek(0, SEEK_END)
        lines.seek(0)
        with progress_bar("importing", 2 * size) as advance:
            chunks = split_into_chunks(watched(lines, advance))
            told = journal.import_games(check_in_parallel(lines, chunks, journal.rows, advance or (lambda _: None)))
    games = pluralize(told.games, "game")
    further = f"; gone on: {pluralize(told.continued, 'game')}" if told.continued else ""
    here = f"; here already: {pluralize(told.skipped, 'game')}" if told.skipped else ""
    otherwise = f" ({told.differing} told otherwise than here, and left as here)" if told.differing else ""
    click.echo(f"Imported: {games} with {pluralize(told.events, 'event')}{further}{here}{otherwise}.")


@main.command()
@state_option
@config_option
@click.option("--mock", is_flag=True, help="Look at the stand-ins.")
def selftest(state: Path | None, config_file: Path | None, mock: bool) -> None:
    """Say in words what is found: pins, I2C, SPI and the journal. Exit status 1 when something is missing."""
    settings = load_settings(config_file)
    if mock or not on_a_pi():
        click.echo("These are the stand-ins; nothing is wired.")
    found = findings(settings, mock=mock or not on_a_pi())
    journal = _journal_found(state or default_state())
    for name, good, sentence in (*found, journal):
        click.echo(f"{'ok  ' if good else 'FAIL'}  {name}: {sentence}")
    sys.exit(0 if all(good for _, good, _ in (*found, journal)) else 1)


@main.command(
    "config",
    cls=Documented,
    short_help="Print every setting with its sentence.",
    examples=("config > pegboard.toml", "run --config pegboard.toml"),
)
@config_option
def show_config(config_file: Path | None) -> None:
    """Print every setting with its sentence, as a file that --config takes."""
    settings = load_settings(config_file, guess=False)
    config.require_fit(settings)
    click.echo(settings_file.as_toml(settings).encode(), nl=False)


@main.command(
    cls=Documented,
    short_help="Count a hand, a crib or the play.",
    examples=(
        "count 5H 5C 5S JD 5D",
        "count 5h5c5sjd 5d --crib",
        "count --five-card 5H 5C JD 5D",
        "count --alone 4H 5H 6H JH",
        "count --play 4 5 3 3 3",
    ),
)
@click.argument("cards", nargs=-1, type=parameters.TYPED)
@click.option("--crib", is_flag=True, help="These are the crib's cards.")
@click.option(
    "--crib-flush",
    type=click.Choice(tuple(CRIB_FLUSHES), case_sensitive=False),
    default="five",
    show_default=True,
    help="Cards of one suit that are a flush in the crib; four where the house plays so.",
)
@click.option("--five-card", is_flag=True, help="A hand of three cards and the starter, as in the old game of five.")
@click.option("--alone", is_flag=True, help="Four cards without a starter: the last hand of solitaire.")
@click.option("--nineteen", is_flag=True, help="Call no points by the score that cannot happen.")
@click.option("--play", is_flag=True, help="Count the play instead: each card in the order in which it was laid.")
@click.option("--json", "as_json", is_flag=True, help="One line of JSON.")
def count(  # noqa: PLR0917 - click passes them by name
    cards: tuple[str, ...],
    crib: bool,
    crib_flush: str,
    five_card: bool,
    alone: bool,
    nineteen: bool,
    play: bool,
    as_json: bool,
) -> None:
    """Count a hand with its starter, which comes last, or the play: the points, part by part.

    A card is its rank (A 2 3 ... 10 J Q K) and its suit (C D H S or their signs), with or without blanks between cards.
    """
    if play:
        if crib or five_card or alone or nineteen:
            raise click.UsageError("--play takes the cards that were laid, and nothing but --json goes with it")
        laid = count_each(" ".join(cards))
        lines, values = counting.play_lines(laid), counting.play_values(laid)
    else:
        flush = CRIB_FLUSHES[crib_flush]
        show = show_of_words(cards, crib=crib, alone=alone, five_card=five_card, crib_flush=flush)
        lines = counting.show_lines(show, nineteen=nineteen)
        values = counting.show_values(show, nineteen=nineteen) | {"crib": crib}
    click.echo(json.dumps(values, ensure_ascii=False) if as_json else "\n".join(lines))


def _journal_found(state: Path) -> tuple[str, bool, str]:
    try:
        if not journal_exists(state):
            return "journal", True, f"there is none in {state} yet; the first pegboard run begins it"
        return "journal", True, f"{state} keeps its events as they were written, {check(state)} in all"
    except PegboardError as error:
        return "journal", False, str(error)


@contextlib.contextmanager
def _bar_of_export(state: Path) -> Iterator[Callable[[int], None]]:
    """What moves the bar on by so many events; there is none where the events themselves go to the terminal."""
    if sys.stdout is None or sys.stdout.isatty() or not sys.stderr.isatty():
        yield lambda _: None
        return
    with progress_bar("exporting", exporting.newest_event(state)) as advance:
        yield advance or (lambda _: None)


@contextlib.contextmanager
def _for_import(state: Path) -> Iterator[Journal]:
    try:
        with Journal(state) as journal:
            yield journal
    except JournalInUse as error:
        raise JournalInUse("import_while_running", fault=error.message) from error
