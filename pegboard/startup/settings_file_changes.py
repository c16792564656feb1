"""Which settings of [table] have changed in the settings file since the last start: those hold for the next game.

Players who start games from a phone choose players, variant, house rules and match anew, and a restart must not undo
that choice; but somebody who edits the file wants it to count. So the file's values are stored beside the journal, and
only those that have changed since are played next, until a game has begun with them.
"""

import logging
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from pegboard.config import Settings
from pegboard.storage.state_files import read_values, write_values

FILE = "table_settings.json"
"""In the state folder."""

NAMES = ("variant", "players", "house", "match")
"""The settings of [table], in the order in which they are printed."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Record:
    """What the settings file said at the last start.

    Attributes:
        values: each setting that a settings file has named so far, with its newest value.
        pending: the settings that had changed, and wait for the game after `game`.
        game: the id of the game that was running.
    """

    values: Mapping[str, Any]
    pending: tuple[str, ...] = ()
    game: str = ""


def named_values(settings: Settings) -> dict[str, Any]:
    """The settings of [table] that the file names, as JSON holds them."""
    values = {name: getattr(settings.table, name) for name in NAMES if settings.origin.has(f"table.{name}")}
    return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}


def newest(record: Record | None, named: Mapping[str, Any], differing: frozenset[str], game: str) -> Record:
    """The record to store while `game` runs, when the file names these values.

    `differing` are those that the running game does not play; they count as changed at a table that has no record, as
    they had no effect there.
    """
    if record is None:
        return Record(named, tuple(name for name in NAMES if name in differing), game)
    waits = record.pending if record.game == game else ()
    changed = {name for name, value in named.items() if name in waits or value != record.values.get(name)}
    return Record({**record.values, **named}, tuple(name for name in NAMES if name in changed), game)


def remember(folder: Path, named: Mapping[str, Any], differing: frozenset[str], game: str) -> frozenset[str]:
    """Store what the file names; the settings that have changed, which are for the next game."""
    path = folder / FILE
    record = _read(path)
    new = newest(record, named, differing, game)
    if new != record:
        _write(path, new)
    return frozenset(new.pending)


def _read(path: Path) -> Record | None:
    """The record; None where there is none, or none that can be read, which must not keep a game from starting."""
    try:
        values = read_values(path)
        return Record(dict(values["values"]), tuple(map(str, values["pending"])), str(values["game"]))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, TypeError, KeyError) as error:
        log.warning("%s cannot be read, so the settings file counts as changed: %s", path, error)
        return None


def _write(path: Path, record: Record) -> None:
    try:
        write_values(path, asdict(record))
    except OSError as error:
        log.warning("%s cannot be written, so the next start will say the same again: %s", path, error.strerror)
