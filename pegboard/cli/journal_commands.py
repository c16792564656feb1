"""The commands `export`, `import`, `backup`, `restore`, `rebuild` and `check`, for the journal of scores."""

import contextlib
import errno
import json
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from io import BufferedReader
from os import SEEK_END
from pathlib import Path
from shutil import copyfileobj
from typing import IO, TYPE_CHECKING, BinaryIO

import click

from pegboard.cli.command_groups import Documented
from pegboard.cli.parameters import act_as_owner, open_folder_of, open_in, require_readable, state_option
from pegboard.core.sentences import pluralize
from pegboard.errors import BadImport, JournalError, JournalFailed, JournalInUse
from pegboard.interpreter_tuning import pause_collection
from pegboard.messages import escape_control
from pegboard.storage.games import History
from pegboard.storage.journal.journal import Journal
from pegboard.storage.reader import read_events
from pegboard.storage.rescue.backups import back_up
from pegboard.storage.state_files import FILE_MODE
from pegboard.storage.transfer import exporting
from pegboard.storage.transfer.import_parser import LONGEST_LINE, parse_line
from pegboard.streams import echo_line, echo_lines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pegboard.storage.rescue.journal_findings import JournalFinding
    from pegboard.storage.rescue.restoring import PreparedRestore
    from pegboard.storage.verified_copies import Contents

# --- import source: a file or standard input ---
# The source is read twice. Every error message starts with its name.


STANDARD_INPUT = "-"
"""The argument that stands for standard input."""


@contextmanager
def open_export(file: Path) -> Iterator[IO[bytes]]:
    """An export as a seekable binary file; standard input is copied first, since it can be read only once.

    Raises:
        BadImport: the export cannot be read, or is refused; the message starts with the source's name.
    """
    name = "standard input" if str(file) == STANDARD_INPUT else click.format_filename(file)
    try:
        with _standard_input() if str(file) == STANDARD_INPUT else _open_file(file) as lines:
            yield lines
    except BadImport as error:
        raise BadImport("in_file", name=name, fault=error.message) from error
    except OSError as error:
        if error.filename not in (None, str(file)):
            raise
        raise BadImport("file_unreadable", name=name, error=error.strerror) from error


def _read_first_line(lines: IO[bytes]) -> bytes:
    """The input through its first nonblank line, which is checked before more is read."""
    first = []
    while line := lines.readline(LONGEST_LINE + 1):
        first.append(line)
        if line.strip():
            parse_line(len(first), line)
            return b"".join(first)
    raise BadImport("export_empty")


@contextmanager
def _open_file(file: Path) -> Iterator[IO[bytes]]:
    with open(_open_nonblocking(file), "rb") as lines:
        if lines.seekable():
            _read_first_line(lines)
            lines.seek(0)
            yield lines
        else:  # a pipe with a name, such as `<(zcat games.jsonl.gz)` of a shell
            with _copy_to_disk(lines) as copy:
                yield copy


def _open_nonblocking(file: Path) -> int:
    """The descriptor of a file; a pipe without a writer reads as empty instead of blocking."""
    descriptor = os.open(file, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    os.set_blocking(descriptor, True)
    return descriptor


@contextmanager
def _standard_input() -> Iterator[IO[bytes]]:
    if sys.stdin is None:
        raise BadImport("no_standard_input")
    if sys.stdin.isatty():
        click.echo("Reading an export from the keyboard; press Ctrl-D to finish.", err=True)
    with _copy_to_disk(sys.stdin.buffer) as copy:
        yield copy


@contextmanager
def _copy_to_disk(lines: IO[bytes]) -> Iterator[IO[bytes]]:
    with tempfile.TemporaryFile() as copy:
        copy.write(_read_first_line(lines))
        copyfileobj(lines, copy)
        copy.seek(0)
        yield copy


# --- `export` and `import`: journal entries as JSON lines ---


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
            text = "\n".join(map(escape_control, part.split("\n"))) if is_shown else part
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
    """The progress bar of an export, hidden if the journal entries themselves go to the terminal."""
    if sys.stdout.isatty() or not sys.stderr.isatty():
        return contextlib.nullcontext(lambda _: None)
    return progress_bar("exporting", History(state).revision())


@contextlib.contextmanager
def _open_for_import(state: Path) -> Iterator[Journal]:
    act_as_owner(state)  # only now: the account may not be allowed to read the file
    try:
        with Journal(state) as journal:
            for found in journal.take_findings():
                echo_line(f"pegboard: {found}", err=True)
            yield journal
    except JournalInUse as error:
        raise JournalInUse("import_while_running", fault=error.message) from error


# --- progress bars of long commands ---
# Bars are written to standard error, and only if it is a terminal.


STEP = 65_536
"""Bytes read between updates of the bar."""


@contextmanager
def progress_bar(what: str, total: int | None) -> Iterator[Callable[[int], None]]:
    """A progress bar that disappears at the end, if there is a terminal; yields the function that advances it.

    `total` is the number of steps, or None if unknown.
    """
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bars:
        task = bars.add_task(what, total=total)
        yield lambda steps: bars.advance(task, steps)


def report_progress(lines: Iterable[bytes], advance: Callable[[int], None]) -> Iterator[bytes]:
    """The lines, unchanged; the bar advances by their bytes as they are read."""
    waiting = 0
    for line in lines:
        yield line
        waiting += len(line)
        if waiting >= STEP:
            advance(waiting)
            waiting = 0
    advance(waiting)


json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")

NEWEST = "newest"


@click.command(
    cls=Documented,
    short_help="Back up the journal, even while a table is running.",
    examples=("backup", "backup /media/usb/pegboard.db"),
)
@click.argument("file", required=False, type=click.Path(path_type=Path))
@state_option
@json_option
def backup(file: Path | None, state: Path, as_json: bool) -> None:
    """Back up the journal and verify the copy, even while a table is running.

    The backup joins the table's other backups; with FILE it is also copied there. The table makes its own backup after
    each finished game.
    """
    require_readable(state)
    with _new_file(file, state) as target:
        act_as_owner(state)  # only now: the account may not be allowed to write there
        made, contents = back_up(state, time.time())
        path = made.path
        if file is not None and target is not None:
            _copy_out(made.path, file, target)
            path = file
    values = {"file": str(path), "events": contents.events, "games": contents.games}
    echo_line(json.dumps(values) if as_json else f"Verified backup of {_describe(contents)}: {path}")


@contextlib.contextmanager
def _new_file(file: Path | None, state: Path) -> Iterator[BinaryIO | None]:
    """Create the target file of a copy, readable only by its owner; remove it again on failure."""
    if file is None:
        yield None
        return
    folder = open_folder_of(file, state)
    try:
        descriptor = open_in(folder, file, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, state, FILE_MODE)
    except FileExistsError as error:
        raise JournalFailed("backup_there", path=file) from error
    finally:
        os.close(folder)
    with os.fdopen(descriptor, "w+b") as target:
        try:
            yield target
        except BaseException:
            with contextlib.suppress(OSError):  # the scores' account may not remove it, but then it is empty
                target.truncate(0)
                file.unlink()
            raise


def _copy_out(source: Path, file: Path, target: BinaryIO) -> None:
    """Copy a verified backup and read it back, all through the open `target`, which the scores' account may not reopen.

    Raises:
        JournalError: the copy does not read back as written.
        OSError: the copy cannot be written.
    """
    with source.open("rb") as copied:
        shutil.copyfileobj(copied, target)
        target.flush()
        os.fsync(target.fileno())
        os.sync()  # also syncs the folder, which the scores' account may not be allowed to open
        copied.seek(0)
        target.seek(0)
        while True:
            part = copied.read(1 << 20)
            if target.read(1 << 20) != part:
                raise JournalError("backup_not_read_back", path=file)
            if not part:
                return


@click.command(
    cls=Documented,
    short_help="Restore a backup of the journal.",
    examples=("restore newest", "restore /media/usb/pegboard.db --yes"),
)
@click.argument("file", type=click.Path(path_type=Path), metavar="FILE|newest")
@state_option
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
@json_option
def restore(file: Path, state: Path, yes: bool, as_json: bool) -> None:
    """Replace the journal with a backup (FILE, or the table's newest good one) while no table is running.

    The backup is verified before and after. The old journal moves to the quarantine folder and is never deleted.
    """
    from pegboard.storage.rescue.restoring import find_newest_good, prepare_restore

    require_readable(state)
    is_newest = str(file) == NEWEST
    with contextlib.ExitStack() as cleanup:
        if is_newest:
            act_as_owner(state)
            file = find_newest_good(state)
        source, log = _open_journal(file, state, cleanup)
        act_as_owner(state)  # only now: the account may not be allowed to read the file
        with _while_none_runs("restore_while_running"):
            prepared = cleanup.enter_context(prepare_restore(state, source, file, log))
        if not yes:
            _ask(prepared, file)
        room = prepared.put_back()
    contents = prepared.contents
    if as_json:
        values = {"file": str(file), "events": contents.events, "games": contents.games}
        echo_line(json.dumps(values | {"quarantine": room and str(room)}))
        return
    echo_line(f"Restored {_describe(contents)} from {file}.")
    if room is not None:
        echo_line(f"The old journal is in {room}.")


def _open_journal(
    file: Path, state: Path, cleanup: contextlib.ExitStack
) -> tuple[BufferedReader, BufferedReader | None]:
    """Open a journal, and its write-ahead log if it was not closed, as may happen in quarantine.

    The content is passed to the scores' account, which must not get at other users' files by placing links to them.

    Raises:
        OSError: one of them is not a regular file, or they have different owners.
    """
    folder = open_folder_of(file, state)
    cleanup.callback(os.close, folder)
    source = cleanup.enter_context(os.fdopen(open_in(folder, file, os.O_RDONLY, state), "rb"))
    beside = file.with_name(f"{file.name}-wal")
    try:
        log = cleanup.enter_context(os.fdopen(open_in(folder, beside, os.O_RDONLY, state), "rb"))
    except FileNotFoundError:
        return source, None
    if os.fstat(log.fileno()).st_uid != os.fstat(source.fileno()).st_uid:
        raise PermissionError(errno.EPERM, f"it does not belong to the owner of {file.name}", str(beside))
    return source, log


def _ask(prepared: "PreparedRestore", file: Path) -> None:
    """Ask for confirmation.

    Raises:
        JournalFailed: the user declines, or nobody can answer.
    """
    present = prepared.present
    echo_line(f"{file} holds {_describe(prepared.contents)}.", err=True)
    now = "cannot be fully read" if present is None else f"holds {_describe(present)}"
    echo_line(f"The current journal {now}; it will move to quarantine.", err=True)
    try:
        goes_on = click.confirm("Replace it with the backup?", err=True)
    except click.Abort as error:
        raise JournalFailed("restore_asks") from error
    if not goes_on:
        raise JournalFailed("restore_declined")


@click.command(cls=Documented, short_help="Rebuild lists and statistics from the journal.", examples=("rebuild",))
@state_option
@json_option
def rebuild(state: Path, as_json: bool) -> None:
    """Rebuild the game lists and statistics from the journal while no table is running."""
    from pegboard.storage.rescue import restoring

    require_readable(state)
    act_as_owner(state)
    with _while_none_runs("rebuild_while_running"), pause_collection(), progress_bar("rebuilding", None) as advance:
        games = restoring.rebuild(state, lambda: advance(1))
    echo_line(
        json.dumps({"games": games}) if as_json else f"Rebuilt lists and statistics of {pluralize(games, 'game')}."
    )


@contextlib.contextmanager
def _while_none_runs(key: str) -> Iterator[None]:
    try:
        yield
    except JournalInUse as error:
        raise JournalInUse(key, fault=error.message) from error


@click.command(
    cls=Documented,
    short_help="Check the journal, its backups and their folder.",
    examples=("check", "check --json"),
)
@state_option
@json_option
def check(state: Path, as_json: bool) -> None:
    """Check the journal, its backups and their folder, even while a table is running.

    Verifies every event against the hash chain, and the lists and statistics against the events. Changes nothing.
    Exits with status 1 if anything is wrong.
    """
    from pegboard.storage.rescue.journal_findings import look_at_state

    require_readable(state)
    act_as_owner(state)
    with pause_collection(), progress_bar("checking", None) as advance:
        found = list(look_at_state(state, time.time(), lambda: advance(1)))
    _tell(found, as_json=as_json)
    sys.exit(0 if all(one.ok for one in found) else 1)


def _tell(found: "Sequence[JournalFinding]", *, as_json: bool) -> None:
    if as_json:
        echo_lines(json.dumps([one._asdict() for one in found], ensure_ascii=False, indent=1))
        return
    for name, good, sentence, remedy in found:
        echo_line(f"{'ok  ' if good else 'FAIL'}  {name}: {sentence}")
        if remedy and not good:
            echo_line(f"      fix: {remedy}")


def _describe(contents: "Contents") -> str:
    return f"{pluralize(contents.events, 'event')} of {pluralize(contents.games, 'game')}"
