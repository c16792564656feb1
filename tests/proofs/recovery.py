"""The journal of a folder opened again as a start does it, in this process, and what is in it then."""

import contextlib
import sqlite3
from dataclasses import dataclass

from pegboard import Score
from pegboard.errors import PegboardError
from pegboard.feed import Feed
from pegboard.storage.journal.journal import Journal
from pegboard.storage.reader import check
from pegboard.storage.schema import FILE
from pegboard.table.scoreboard import Scoreboard
from tests.support.scoreboard_on_a_folder import STANDARD


@dataclass(frozen=True)
class Recovered:
    """`rows` are number and link of each event, `trouble` why it is not whole; `said` what windows would show."""

    rows: tuple = ()
    trouble: str = ""
    said: tuple = ()
    fronts: tuple = ()


def recover(folder, *, and_score=False):
    """Start a table on a folder, read what it has, perhaps score once more, and end it."""
    try:
        with Journal(folder) as journal:
            rows = links(folder)  # before an empty journal gets its first game
            board = Scoreboard(journal, Feed(), STANDARD)
            said = said_by(board.view)
            fronts = tuple(lane.front for lane in board.view.game.lanes)
            if and_score and board.view.game.outcome is None:
                score_once(board)
        check(folder)
    except (PegboardError, sqlite3.Error, OSError, ArithmeticError, LookupError, ValueError) as error:
        return Recovered(trouble=f"{type(error).__name__}: {error}")
    return Recovered(rows, "", said, fronts)


def score_once(board):
    game = board.view
    board.handle(Score(1, 0), source="phone", id="after-the-cut-000001", game=game.id, base=game.game.revisions[0])


def said_by(view):
    """The alarms that every window shows."""
    return tuple(map(str, getattr(view, "alarms", ())))


def links(folder):
    """Number and link of every event, read by SQLite alone."""
    with contextlib.closing(sqlite3.connect(folder / FILE)) as db:
        return tuple(db.execute("SELECT id, chain FROM event ORDER BY id"))


def events(folder):
    """All that is stored of every event but its link, in their order; read by SQLite alone."""
    with contextlib.closing(sqlite3.connect(folder / FILE)) as db:
        return db.execute("SELECT id, game, seq, kind, body, source, command_id FROM event ORDER BY id").fetchall()
