"""Summary tables of the journal, with rows for games, seats and lanes: updated event by event, or rebuilt from all."""

import json
import sqlite3
from collections.abc import Callable, Iterable

from pegboard.core import wire
from pegboard.core.board import Game
from pegboard.core.match import Match, Result
from pegboard.core.moves import Abandoned, Event, Renamed, Started
from pegboard.core.names import original_journal
from pegboard.core.rules import OPEN
from pegboard.storage.event_row import EVENTS_OF_GAME, IMPORTED, EventRow, select_columns, select_rows
from pegboard.storage.summary.game_summary import GameSummary, result_json, summarize
from pegboard.storage.summary.name_corrections import correct_names
from pegboard.storage.summary.summary_workers import summarize_games

RUNNING_GAME = "SELECT id FROM game WHERE NOT abandoned AND imported = 0 ORDER BY started DESC LIMIT 1"
"""The last game started here and not abandoned, over or not."""

BEGINNING = """
SELECT place, (SELECT at FROM event WHERE event.id = game.started), abandoned FROM game WHERE id = ?
"""

LAST_PLACE = "SELECT coalesce(max(place), 0) FROM game WHERE imported = 0"

LAST_PLACES_AWAY = """
SELECT epoch, max(place) FROM game JOIN event ON event.id = game.started WHERE imported = 1 GROUP BY epoch
"""

NEW_SIDE = f"INSERT INTO side VALUES ({'?,' * 33}NULL)"  # noqa: S608 - ours
"""Inserts the row of a lane whose match is not settled yet."""


# --- one more event ---


def update_summary(  # noqa: PLR0917 - the parts of one event
    db: sqlite3.Connection, event: Event, game: str, number: int, at: int, won: Result | None, sheet: Game | None
) -> None:
    """Bring the summary of a game up to date with its event of that number, which `sheet` is the score sheet after."""
    match event:
        case Started():
            insert_game(db, event, game, number, at)
            if event.replaces:
                abandon(db, event.replaces, number, sheet)
        case Abandoned():
            abandon(db, game, number, sheet)
        case Renamed():
            correct_names(db, number - 1)
        case _:
            update_result(db, game, number, won, sheet)


class PlacesAway:
    """Where imported games come in the order of play: by their time, each after those before it of its own table.

    A clock that was set back there leaves the order in which its games are exported.
    """

    def __init__(self, db: sqlite3.Connection) -> None:
        self._last: dict[str, int] = {}
        for epoch, place in db.execute(LAST_PLACES_AWAY):
            journal = original_journal(epoch)
            self._last[journal] = max(place, self._last.get(journal, 0))

    def next(self, epoch: str, at: int) -> int:
        """The place of a game of that epoch which began at that time."""
        if epoch == IMPORTED:  # of which table is not known
            return at
        journal = original_journal(epoch)
        self._last[journal] = place = max(at, self._last.get(journal, -1) + 1)
        return place


def insert_game(
    db: sqlite3.Connection, event: Started, game: str, number: int, at: int, *, away: int | None = None
) -> None:
    """Insert a game that began with event `number`: an imported one at its place `away`.

    One of this table comes after all that were played here before.
    """
    place = max(at, db.execute(LAST_PLACE).fetchone()[0] + 1) if away is None else away
    row = (game, event.match, event.format, number, away is not None, place, event.rules.variant)
    db.execute("INSERT INTO game (id, match, format, started, imported, place, variant) VALUES (?,?,?,?,?,?,?)", row)
    seats = [(name, game, event.rules.lane_of(seat)) for seat, name in enumerate(event.players)]
    db.executemany("INSERT OR IGNORE INTO seat VALUES (?,?,?)", seats)


def abandon(db: sqlite3.Connection, game: str, number: int, sheet: Game | None) -> None:
    """Abandon a game of this table: it is listed as it stood on `sheet`, and counts for nothing."""
    if mark_abandoned(db, game, number, None if sheet is None else summarize(sheet), imported=False):
        settle_match(db, *_match_of(db, game))


def mark_abandoned(
    db: sqlite3.Connection, game: str, number: int, summary: GameSummary | None = None, *, imported: bool
) -> bool:
    """Abandon a game with event `number`, without settling its match. Returns whether there is such a game."""
    changed = db.execute(
        "UPDATE game SET abandoned = 1, card = coalesce(?, card), lines = coalesce(?, lines), changed = ?"
        " WHERE id = ? AND imported = ?",
        (summary and summary.list_item, summary and summary.lines, number, game, imported),
    )
    if changed.rowcount:
        db.execute("DELETE FROM side WHERE game = ?", (game,))
    return bool(changed.rowcount)


def update_result(db: sqlite3.Connection, game: str, number: int, won: Result | None, sheet: Game | None) -> None:
    """Store how a game of this table stands on `sheet` after event `number`; an unfinished one costs one statement.

    The rows of a finished one are always made again: a correction can change its hands and leave its result as it was.
    Without a sheet only the result is stored.
    """
    summary = summarize(sheet) if sheet is not None and sheet.outcome is not None else None
    changed = db.execute(
        "UPDATE game SET result = ?1, over = ?2, card = ?3, changed = ?4 WHERE id = ?5"
        " AND (?2 OR result IS NOT ?1 OR card IS NOT ?3)",
        (result_json(won), summary is not None, summary and summary.list_item, number, game),
    )
    if changed.rowcount:
        _replace_lane_rows(db, game, summary)
        settle_match(db, *_match_of(db, game))


def _replace_lane_rows(db: sqlite3.Connection, game: str, summary: GameSummary | None) -> None:
    db.execute("DELETE FROM side WHERE game = ?", (game,))
    if summary is not None:
        place, began, abandoned = db.execute(BEGINNING, (game,)).fetchone()
        db.execute("UPDATE game SET lines = ? WHERE id = ?", (summary.lines, game))
        rows = () if abandoned else summary.lane_rows
        db.executemany(NEW_SIDE, [(game, lane, place, began, *values) for lane, *values in rows])


def _match_of(db: sqlite3.Connection, game: str) -> tuple[str, bool]:
    match, imported = db.execute("SELECT match, imported FROM game WHERE id = ?", (game,)).fetchone()
    return match, bool(imported)


def settle_match(db: sqlite3.Connection, match: str, imported: bool) -> None:
    """Mark the game that decides a match with who has won the match; no game decides an open one."""
    games = db.execute(
        "SELECT id, format, result FROM game WHERE match = ? AND +imported = ? AND NOT abandoned AND over"
        " ORDER BY started",
        (match, imported),
    ).fetchall()
    if not games or games[0][1] == OPEN:
        return
    standing, settled = Match(games[0][1]), False
    for number, form, text in games:
        won = None if text is None else wire.read_result(json.loads(text))
        if won is not None and not sum(standing.games_won):
            standing = Match.empty(len(won.spread), form)
        if won is not None and len(won.spread) == len(standing.spread):  # another board cannot go on with the match
            standing = standing.plus(won)
        winner = None if settled else standing.winner
        db.execute(
            "UPDATE side SET matched = CASE WHEN ?1 IS NULL THEN NULL ELSE lane = ?1 END WHERE game = ?2",
            (winner, number),
        )
        settled = settled or winner is not None


# --- many games at once: each is summarized before it is stored, and each match settled once ---


def store_summary(
    db: sqlite3.Connection, game: str, number: int, summary: GameSummary, *, list_item: bool = True
) -> None:
    """Store the summary of a game after event `number`, without settling its match.

    Of an unfinished game of this table, which may go on, no `list_item` is stored.
    """
    item = summary.list_item if list_item or summary.over else None
    db.execute(
        "UPDATE game SET result = ?, over = ?, card = ?, lines = ?, changed = ? WHERE id = ?",
        (summary.result, summary.over, item, summary.lines, number, game),
    )
    _replace_lane_rows(db, game, summary)


def abandon_replaced(db: sqlite3.Connection, game: str, number: int, epoch: str) -> None:
    """Abandon the unfinished imported game that another one of the same table replaced with its event `number`.

    Another table's game, and one that is over, stay as they are.
    """
    query = "SELECT epoch FROM event JOIN game ON event.id = game.started WHERE game.id = ? AND imported AND NOT over"
    begun = db.execute(query, (game,)).fetchone()
    if begun is not None and original_journal(begun[0]) == original_journal(epoch):
        mark_abandoned(db, game, number, imported=True)


def settle_matches(db: sqlite3.Connection, games: Iterable[str]) -> None:
    """Settle the matches of some games, each once."""
    for match, imported in dict.fromkeys(_match_of(db, game) for game in games):
        settle_match(db, match, imported)


def summarize_journal(db: sqlite3.Connection, busy: Callable[[], None], after: int = 0) -> None:
    """Fill the summary tables, which hold the events up to number `after`, from all later ones, game by game.

    `busy` is called again and again.
    """
    first = [(row, row.event) for row in select_rows(db, "WHERE kind IN ('started', 'abandoned') AND id > ?", after)]
    starts = [(row, event) for row, event in first if isinstance(event, Started)]
    ends = {row.game: row.id for row, event in first if isinstance(event, Abandoned)}
    ends |= {event.replaces: row.id for row, event in starts if event.replaces and not row.is_imported}
    places = PlacesAway(db)
    for row, event in starts:
        away = places.next(row.epoch, row.at) if row.is_imported else None
        insert_game(db, event, row.game, row.id, row.at, away=away)
    changed = {game for (game,) in db.execute("SELECT DISTINCT game FROM event WHERE id > ?", (after,))} | ends.keys()
    games = [game for (game,) in db.execute("SELECT id FROM game ORDER BY started").fetchall() if game in changed]
    for game, rows, summary in summarize_games(games, lambda game: list(select_columns(db, EVENTS_OF_GAME, game))):
        busy()
        is_imported, newest = EventRow(*rows[0]).is_imported, EventRow(*rows[-1]).id
        store_summary(db, game, newest, summary, list_item=is_imported)
        if game in ends:
            mark_abandoned(db, game, ends[game], summary, imported=is_imported)
    for row, event in starts:
        if row.is_imported and event.replaces:
            abandon_replaced(db, event.replaces, row.id, row.epoch)
    correct_names(db, after)
    settle_matches(db, games)
