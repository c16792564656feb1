"""The command line: what each command takes, and the sentences it answers."""

import json
import logging
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

import click

from pegboard import brought, config, counting, exported
from pegboard.bootstrap import default_state, load_settings, on_a_pi, run_table
from pegboard.core.judge import so_many
from pegboard.core.play import count_each
from pegboard.core.show import Show, count_show
from pegboard.device_startup import findings
from pegboard.errors import PegboardError
from pegboard.journal import FILE, Journal, check, reading
from pegboard.next_game import NextGame
from pegboard.welcome import clock, without_phones
from web.language_commands import languages

state_option = click.option(
    "--state", type=click.Path(path_type=Path), metavar="DIR", help="Folder that keeps the scores."
)
config_option = click.option(
    "--config", "config_file", type=click.Path(path_type=Path), metavar="FILE", help="Settings, a TOML file."
)


class Sentences(click.Group):
    """A group that ends with one sentence and exit status 2 when something of pegboard, or of its options, refuses."""

    def main(self, *arguments: Any, **more: Any) -> Any:
        """Run the command that was asked for."""
        try:
            status = super().main(*arguments, **more | {"standalone_mode": False})
        except (PegboardError, click.UsageError) as error:
            sentence = error.format_message() if isinstance(error, click.UsageError) else str(error)
            click.echo(f"pegboard: {sentence}", err=True)
            status = 2
        except click.Abort:
            status = 1
        sys.exit(status if isinstance(status, int) else 0)


@click.group(cls=Sentences, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(version("pegboard"), message="pegboard %(version)s")
def main() -> None:
    """A cribbage board: buttons, phones, an OLED and an LED strip."""


main.add_command(languages)


@main.command()
@click.option("--mock", is_flag=True, help="Stand-in hardware; the default where there is no Pi.")
@click.option("--open", "is_open", is_flag=True, help="Everybody who reaches the table may score.")
@click.option("--closed", "is_closed", is_flag=True, help="Its keys and paired phones alone may score.")
@click.option("--host", help="Address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), help="Port to listen on.")
@state_option
@config_option
@click.option("--variant", help="Variant of the next game.")
@click.option("--players", help="Names in seat order: Ann,Bob.")
@click.option("--house", multiple=True, metavar="RULE", help="A house rule, such as muggins=on; may be repeated.")
@click.option("--match", "match_format", metavar="FORMAT", help="Format of the next match, such as 'best of 3'.")
@click.option("--record", type=click.Path(path_type=Path), metavar="FILE", help="With --mock: every bus transaction.")
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
    run_table(next_game, state or default_state(), mock=mock, record=record)


@main.command("code")
@click.argument("role", type=click.Choice(["scorer", "director"]), default="scorer")
@state_option
def tell_code(role: str, state: Path | None) -> None:
    """Tell the code that pairs a phone with the table, as a scorer or as a director."""
    from web.codes import Codes, NotKept
    from web.join import in_terminal

    codes = Codes.of_table(state or default_state())
    table = codes.table
    if table is None or (table.open and table.runs):
        raise NotKept("this table is open: everybody who reaches it may score, and no code is needed")
    code = codes.director() if role == "director" else codes.scorer()
    address = f"{table.url}j/{code.text}"
    on_network = table.reach == "network"
    click.echo(f"{code.text} pairs one {'phone' if on_network else 'browser'} as a {role}, until {clock(code.until)}.")
    click.echo(f"{'Scan this, or open' if on_network else 'Open'} {address}")
    for line in without_phones(table.reach, table.command):
        click.echo(line)
    if not table.runs:
        click.echo("No table is open there now; the code counts when pegboard run has begun.")
    if on_network:
        click.echo(in_terminal(address))


@main.command()
@state_option
def unpair(state: Path | None) -> None:
    """Unpair every phone: each needs a new code to score again."""
    from web.codes import Codes

    Codes.of_table(state or default_state()).unpair_all()
    click.echo("No phone is paired any more; each needs a new code to score again.")


@main.command()
@state_option
def export(state: Path | None) -> None:
    """Print every event of the journal, one JSON line each, oldest first."""
    with reading(state or default_state()) as rows:
        for part in exported.in_parts(rows):
            click.echo(part, nl=False)


@main.command("import")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@state_option
def bring(file: Path, state: Path | None) -> None:
    """Bring the games of another table, which its `export` has printed into FILE: all of them or none."""
    with file.open("rb") as lines, Journal(state or default_state()) as journal:
        last = brought.ends(lines)
        lines.seek(0)
        told = journal.bring(brought.arrivals(lines, last, journal.rows))
    games = so_many(told.games, "game")
    further = f"; gone on: {so_many(told.continued, 'game')}" if told.continued else ""
    here = f"; here already: {so_many(told.skipped, 'game')}" if told.skipped else ""
    otherwise = f" ({told.differing} told otherwise than here, and left as here)" if told.differing else ""
    click.echo(f"Imported: {games} with {so_many(told.events, 'event')}{further}{here}{otherwise}.")


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


@main.command("config")
@config_option
def show_config(config_file: Path | None) -> None:
    """Print every setting with its sentence, as a file that --config takes."""
    click.echo(config.as_toml(load_settings(config_file, guess=False)), nl=False)


@main.command()
@click.argument("cards", required=False)
@click.argument("starter", required=False)
@click.option("--crib", is_flag=True, help="These are the crib's cards: only five of a suit are a flush.")
@click.option("--alone", is_flag=True, help="Four cards without a starter: the last hand of solitaire.")
@click.option("--nineteen", is_flag=True, help="Call no points by the score that cannot happen.")
@click.option("--play", "laid", metavar="CARDS", help="Count each card laid in turn instead, such as '4 5 3 3 3'.")
@click.option("--json", "as_json", is_flag=True, help="One line of JSON.")
def count(  # noqa: PLR0917 - click passes them by name
    cards: str | None, starter: str | None, crib: bool, alone: bool, nineteen: bool, laid: str | None, as_json: bool
) -> None:
    """Count a hand with its starter, such as "5H 5C 5S JD" 5D, or the play: the points, part by part."""
    if laid is not None:
        if cards is not None or crib or alone or nineteen:
            raise click.UsageError("--play takes the cards laid, and nothing but --json goes with it")
        play = count_each(laid)
        lines, values = counting.play_lines(play), counting.play_values(play)
    else:
        show = _show(cards, starter, crib=crib, alone=alone)
        lines = counting.show_lines(show, nineteen=nineteen)
        values = counting.show_values(show, nineteen=nineteen) | {"crib": crib}
    click.echo(json.dumps(values, ensure_ascii=False) if as_json else "\n".join(lines))


def _show(cards: str | None, starter: str | None, *, crib: bool, alone: bool) -> Show:
    if cards is None:
        raise click.UsageError('the cards are missing: "5H 5C 5S JD" 5D is taken, or --play "4 5 3 3 3"')
    if alone and starter is not None:
        raise click.UsageError("--alone counts four cards without a starter, and a starter was given")
    show = count_show(cards, starter, crib=crib)
    if starter is None and not alone:
        raise click.UsageError("the starter is missing: one card after the hand is taken, or --alone to count without")
    return show


def _journal_found(state: Path) -> tuple[str, bool, str]:
    if not (state / FILE).exists():
        return "journal", True, f"there is none in {state} yet; the first pegboard run begins it"
    try:
        return "journal", True, f"{state} keeps its events as they were written, {check(state)} in all"
    except PegboardError as error:
        return "journal", False, str(error)
