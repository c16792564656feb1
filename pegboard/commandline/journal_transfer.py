"""The commands `export` and `import`: the events of the journal as JSON lines, out of one table and into another."""

import contextlib
import sys
from collections.abc import Callable, Iterator
from os import SEEK_END
from pathlib import Path

import click

from pegboard.commandline.help_layout import Documented
from pegboard.commandline.import_source import open_export
from pegboard.commandline.parameters import state_option
from pegboard.commandline.progress import progress_bar, report_progress
from pegboard.commandline.state_owner import act_as_owner, require_readable
from pegboard.commandline.streams import echo_line
from pegboard.core.sentences import pluralize
from pegboard.errors import JournalInUse
from pegboard.interpreter_tuning import pause_collection
from pegboard.messages import legible
from pegboard.storage.games import History
from pegboard.storage.journal.journal import Journal
from pegboard.storage.reader import read_events
from pegboard.storage.transfer import exporting


@click.command(
    cls=Documented,
    short_help="Print the journal as JSON lines.",
    examples=("export > games.jsonl", "export | gzip > games.jsonl.gz"),
)
@state_option
def export(state: Path) -> None:
    """Print all events of the journal as JSON lines, oldest first."""
    require_readable(state)
    act_as_owner(state)
    is_shown = sys.stdout.isatty()
    with read_events(state) as rows, _bar_of_export(state) as advance:
        for part in exporting.event_batches(rows):
            text = "\n".join(map(legible, part.split("\n"))) if is_shown else part
            click.echo(text.encode(), nl=False)
            advance(part.count("\n"))


@click.command(
    "import",
    cls=Documented,
    short_help="Import games exported from another table.",
    examples=("import games.jsonl", "import - < games.jsonl", "import --state DIR games.jsonl"),
)
@click.argument("file", type=click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=Path))
@state_option
def import_games(file: Path, state: Path) -> None:
    """Import the games in FILE, written by another table's `export`: all of them or none.

    Use - as FILE to read standard input.
    """
    from pegboard.storage.transfer.import_check import check_in_parallel, split_into_chunks

    require_readable(state)
    with open_export(file) as lines, _open_for_import(state) as journal, pause_collection():
        size = lines.seek(0, SEEK_END)
        lines.seek(0)
        with progress_bar("importing", 2 * size) as advance:
            chunks = split_into_chunks(report_progress(lines, advance))
            report = journal.import_games(check_in_parallel(lines, chunks, journal.rows, advance))
    games = pluralize(report.games, "game")
    further = f"; continued: {pluralize(report.continued, 'game')}" if report.continued else ""
    here = f"; already here: {pluralize(report.skipped, 'game')}" if report.skipped else ""
    differing = f" ({report.differing} differ here and were left unchanged)" if report.differing else ""
    echo_line(f"Imported: {games} with {pluralize(report.events, 'event')}{further}{here}{differing}.")


def _bar_of_export(state: Path) -> contextlib.AbstractContextManager[Callable[[int], None]]:
    """What moves the bar on by so many events; there is none where the events themselves go to the terminal."""
    if sys.stdout.isatty() or not sys.stderr.isatty():
        return contextlib.nullcontext(lambda _: None)
    return progress_bar("exporting", History(state).revision())


@contextlib.contextmanager
def _open_for_import(state: Path) -> Iterator[Journal]:
    act_as_owner(state)  # only now: the file may lie where the account cannot look
    try:
        with Journal(state) as journal:
            for found in journal.take_findings():
                echo_line(f"pegboard: {found}", err=True)
            yield journal
    except JournalInUse as error:
        raise JournalInUse("import_while_running", fault=error.message) from error
