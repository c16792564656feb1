"""Quarantine: a journal that is not to be used any more is put aside with the files beside it, and never deleted."""

import contextlib
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

from pegboard.messages import NO_MESSAGE, Message
from pegboard.storage.schema import FILE, QUARANTINE
from pegboard.storage.state_files import FOLDER_MODE, read_values, replace_file, sync_folder, write_values

# --- what was found wrong with a journal, on disk before it is mended: a kill meanwhile leaves it to be said ---


UNSAID_FILE = "findings.json"
"""In the state folder, until every window says so."""


def note_unsaid(folder: Path, findings: Sequence[Message]) -> None:
    """Note what was found and is not said yet, in the place of what was noted before.

    Raises:
        OSError: it cannot be written.
    """
    write_values(folder / UNSAID_FILE, [{"text": str(finding)} | finding.as_json() for finding in findings])


def read_unsaid(folder: Path) -> list[Message]:
    """What was found and is not said yet; nothing where that cannot be read."""
    try:
        return [Message.from_json(values) for values in read_values(folder / UNSAID_FILE)]
    except (OSError, *NO_MESSAGE):
        return []


def forget_unsaid(folder: Path) -> None:
    """Every window says it now."""
    with contextlib.suppress(OSError):
        (folder / UNSAID_FILE).unlink()


FILES = (FILE, f"{FILE}-wal", f"{FILE}-shm")
"""The journal and what SQLite keeps beside it, which is read with it or not at all."""


OUTCOME = "outcome.json"
"""The file in a folder of the quarantine that tells what took the journal's place."""


def quarantine(folder: Path) -> Path:
    """Move the journal in `folder` and the files beside it, together, into a folder of the quarantine.

    A power cut leaves them where they were, or all of them there; those that are then in the old place as well are
    removed by whoever puts another journal there (`clear_place`).

    Returns:
        That folder, named by the time (UTC).

    Raises:
        OSError: they cannot be moved; they are where they were.
    """
    rooms = folder / QUARANTINE
    if rooms.is_symlink():
        raise NotADirectoryError(f"{rooms} is a link")
    rooms.mkdir(mode=FOLDER_MODE, exist_ok=True)
    part = _new_folder(rooms / f"{datetime.now(UTC):%Y%m%dT%H%M%SZ}.part")
    for name in FILES:
        with contextlib.suppress(FileNotFoundError):
            _link(folder / name, part / name)
    sync_folder(part)
    room = _free_name(part.with_suffix(""))
    part.rename(room)
    sync_folder(rooms)
    sync_folder(folder)
    clear_place(folder, room)
    return room


def set_folders_aside(folder: Path) -> None:
    """Move folders that lie where the journal or a file beside it belongs into the quarantine, as they are.

    Raises:
        OSError: one cannot be moved.
    """
    for name in FILES:
        path = folder / name
        if path.is_dir() and not path.is_symlink():
            (folder / QUARANTINE).mkdir(mode=FOLDER_MODE, exist_ok=True)
            path.rename(_free_name(folder / QUARANTINE / f"{datetime.now(UTC):%Y%m%dT%H%M%SZ}-{name}"))


def clear_place(folder: Path, room: Path) -> None:
    """Make room in `folder` for another journal than the one that lies in `room`, on disk.

    Names of files that lie there are removed; a journal that is another goes into quarantine, too.

    Raises:
        OSError: they cannot be removed, or moved.
    """
    for name in FILES:  # the journal first: without its log it would seem whole, and be an older one
        if _is_same(folder / name, room / name):
            (folder / name).unlink()
    sync_folder(folder)
    if any(os.path.lexists(folder / name) for name in FILES):
        quarantine(folder)


def rooms_of(folder: Path) -> list[Path]:
    """The folders of the quarantine that hold a journal, the newest first."""
    found = (path for path in (folder / QUARANTINE).glob("*") if path.suffix != ".part" and path.is_dir())
    return sorted((path for path in found if any((path / name).exists() for name in FILES)), reverse=True)


def note_outcome(room: Path, values: Mapping[str, object]) -> None:
    """Note what is in the place of a quarantined journal now; until then that place waits to be filled.

    Raises:
        OSError: it cannot be written.
    """
    replace_file(room / OUTCOME, json.dumps(values, indent=1, ensure_ascii=False) + "\n")
    sync_folder(room)


def find_unsalvaged(folder: Path) -> Path | None:
    """The folder of the quarantine whose journal was not replaced before a power cut came; None where none waits.

    None waits once another journal is in the old place.
    """
    waiting = (room for room in rooms_of(folder) if not (room / OUTCOME).exists())
    room = next(waiting, None)
    is_free = room is not None and (not (folder / FILE).exists() or _is_same(folder / FILE, room / FILE))
    return room if is_free else None


def _is_same(path: Path, other: Path) -> bool:
    try:
        return os.path.samestat(path.lstat(), other.lstat())
    except FileNotFoundError:
        return False


def _link(path: Path, target: Path) -> None:
    try:
        os.link(path, target, follow_symlinks=False)
    except FileNotFoundError:
        raise
    except OSError:  # a file system without hard links
        path.rename(target)


def _new_folder(path: Path) -> Path:
    for free in _names(path):
        with contextlib.suppress(FileExistsError):
            free.mkdir(mode=FOLDER_MODE)
            return free
    raise AssertionError


def _free_name(path: Path) -> Path:
    return next(free for free in _names(path) if not free.exists())


def _names(path: Path) -> Iterator[Path]:
    """This name, and the same with 2, 3, 4 ... for others within the same second."""
    return (path if n == 1 else path.with_stem(f"{path.stem}-{n}") for n in count(1))
