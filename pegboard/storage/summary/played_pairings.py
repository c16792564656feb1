"""The games of an event that a table has played, and one of them with its events, read from the journal."""

from pathlib import Path

from pegboard.storage.event_row import EventRow
from pegboard.storage.reader import read_snapshot

_PLAYED = """
SELECT json_extract(event.body, '$.pairing') AS pairing FROM game JOIN event ON event.id = game.started
WHERE game.over AND NOT game.abandoned AND game.imported = 0 AND substr(pairing, 1, ?) = ?
"""


def played_pairings(folder: Path, event: str) -> frozenset[str]:
    """What the journal calls the games of an event that are over and were not given up.

    Raises:
        JournalError: the journal cannot be read.
    """
    beginning = f"{event}/"
    with read_snapshot(folder) as journal:
        return frozenset(str(row["pairing"]) for row in journal.select(_PLAYED, (len(beginning), beginning)))


def rows_of_game(folder: Path, game: str) -> list[EventRow]:
    """The events of a game alone, without names that were corrected in a later game of its match.

    Raises:
        JournalError: the journal cannot be read.
    """
    with read_snapshot(folder) as journal:
        return [row for row in journal.rows(game) if row.game == game]
