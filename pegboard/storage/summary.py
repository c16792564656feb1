"""Summary tables of the journal (games, seats, lanes): update per event, bulk rebuild in workers, match winners."""

import contextlib
import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from multiprocessing.connection import Connection
from typing import Any, NamedTuple, TypeAlias

from pegboard.core import wire
from pegboard.core.board import Game
from pegboard.core.entry import Origin
from pegboard.core.game_statistics import NOTABLE, ShownHand, figures, pars
from pegboard.core.match import Match, Result, result
from pegboard.core.moves import Abandoned, Event, Renamed, Ruling, Started, Substituted
from pegboard.core.names import original_journal
from pegboard.core.referee import apply_all
from pegboard.core.rules import OPEN, Seat
from pegboard.core.view_as_json import NANOSECONDS, round_probability
from pegboard.interpreter_tuning import pause_collection
from pegboard.storage.event_row import (
    EVENTS_OF_GAME,
    IMPORTED,
    EventRow,
    Row,
    read_event,
    replay_rows,
    select_columns,
    select_rows,
)
from pegboard.storage.name_corrections import compact_json, correct_names, lane_names
from pegboard.storage.worker_process import command_of, distribute, start_workers

# --- summary of one game: result, list item, a row for each lane ---


BEST = 5
"""Number of best hands stored per lane and game: points, hand or crib, deal, probability of this interpretation."""


@dataclass(frozen=True, slots=True)
class GameSummary:
    """The summary of one game.

    Attributes:
        result: the result of the game as JSON text; None if nobody has won.
        over: whether the game is over.
        list_item: the game's item in the list of games, as JSON text.
        lines: the number of lines of the score sheet.
        lane_rows: the rows of the function `lane_rows`, once the game is over.
    """

    result: str | None
    over: bool
    list_item: str
    lines: int
    lane_rows: tuple[tuple[Any, ...], ...]


def summarize(game: Game) -> GameSummary:
    """The summary of a game in its current state."""
    won, over = result(game), game.outcome is not None
    rows = tuple(lane_rows(game, won)) if over else ()
    return GameSummary(result_json(won), over, compact_json(list_item(game)), len(game.entries), rows)


def result_json(won: Result | None) -> str | None:
    """A result as stored JSON text, None for None."""
    return None if won is None else compact_json(wire.result_values(won))


def list_item(game: Game) -> dict[str, Any]:
    """The item of a game in the list of games: the part that can be derived from the score sheet."""
    outcome, at, won = game.outcome, game.position, result(game)
    end = ending_origin(game)
    return {
        "variant": game.rules.variant,
        "players": list(game.first_players),
        **substitutes_item(game),
        "lanes": [game.rules.lane_of(seat) for seat in range(game.rules.seats)],
        "ended": None if end is None else end.at / NANOSECONDS,
        "over": outcome is not None,
        "winner": None if outcome is None else outcome.winner,
        "fronts": [lane.front for lane in at.lanes],
        "skunks": [0] * game.rules.lanes if outcome is None else list(outcome.skunks),
        "lurch": game.rules.lurch,
        "points": 0 if won is None else won.points,
        "corrected": is_corrected(game, end),
        "deals": game.followed.progress.deal,
    }


def substitutes_item(game: Game) -> dict[str, Any]:
    """Everyone who took over a seat by a line that counts, in order; nothing if nobody did."""
    lines = (entry.event for line, entry in enumerate(game.entries, 1) if game.counts(line))
    took_over = [{"seat": event.seat, "name": event.name} for event in lines if isinstance(event, Substituted)]
    return {"substitutes": took_over} if took_over else {}


def ending_origin(game: Game) -> Origin | None:
    """The origin of the line that finally ended the game; None if it is not over."""
    if game.outcome is None:
        return None
    line = len(game.entries)
    while line > 1 and game.positions[line - 1].outcome is not None:
        line -= 1
    return game.entries[line - 1].origin


def is_corrected(game: Game, end: Origin | None) -> bool:
    """Whether a ruling is in effect, a line was corrected, or anything was changed after the end."""
    if any(isinstance(entry.event, Ruling) and entry.stands for entry in game.entries):
        return True
    changes = (change for entry in game.entries for change in entry.history)
    return any(change.did == "amend" or (end is not None and change.origin.event > end.event) for change in changes)


def lane_rows(game: Game, won: Result | None) -> Iterator[tuple[Any, ...]]:
    """The `side` rows of a finished game, one per part of a lane, without the game's id, place, time and match."""
    found = figures(game)
    of_par = pars(game.rules) != (None, None)
    for part in found.parts:
        averages = part.averages
        yield (
            *(part.lane, part.number, game.rules.variant, lane_names(part.players, 1, 0), game.rules.lanes == 1),
            *(_result_columns(game, won, part.lane, found.first_dealer) if part.number == 0 else NO_RESULT),
            *(*averages.dealer, *averages.pone, averages.play.points, averages.hand.points, averages.crib.points),
            *(of_par, part.left_out.unfinished, part.left_out.unknown, part.left_out.points),
            *_hand_columns(part.hands),
        )


NO_RESULT = (0,) * 10
"""The result columns of those who took over: the result counts for those who began."""


def _result_columns(game: Game, won: Result | None, lane: int, first: Seat) -> tuple[int, ...]:
    assert game.outcome is not None
    has_won, skunks = game.outcome.winner == lane, game.outcome.skunks
    given = [sum(min(missed, 3) == size for missed in skunks) if has_won else 0 for size in (1, 2, 3)]
    dealt_first = game.rules.lane_of(first) == lane
    points = won.points if won is not None and has_won else 0
    spread = 0 if won is None else won.spread[lane]
    greater = has_won and bool(game.rules.enough) and game.lanes[lane].front >= game.rules.game_hole
    return (has_won, dealt_first, min(skunks[lane], 3), *given, points, spread, game.lanes[lane].front, greater)


def _hand_columns(shown: Sequence[ShownHand]) -> tuple[Any, ...]:
    hands = [hand for hand in shown if hand.points]
    notable = [sum(hand.points == points for hand in hands) for points in NOTABLE]
    best = [[hand.points, hand.why, hand.deal, round_probability(hand.sure)] for hand in hands[:BEST]]
    return hands[0].points if hands else 0, compact_json(best), *notable


# --- parallel summaries of many games: worker processes replay events, results stay in order ---
#
# A game's summary depends only on its own events, so the result is the same as with one process.


FEWEST = 300
"""Minimum number of games for which workers are started: a worker needs a third of a second to load the rules."""

BATCH = 20
"""Games sent to a worker at once: about 40 ms of work."""

COMMAND = command_of(__name__)

_Task: TypeAlias = list[list[Row]]

_Reply: TypeAlias = list[GameSummary] | None
"""A worker's reply: None if the events of a game cannot be replayed."""


class SummarizedGame(NamedTuple):
    """A game with its rows (`event_row.COLUMNS`), and its summary after the last row."""

    game: str
    rows: list[Row]
    summary: GameSummary


class _Batch(NamedTuple):
    """A batch of games with their rows."""

    games: Sequence[str]
    rows: _Task

    def with_summaries(self, summaries: Iterable[GameSummary]) -> Iterator[SummarizedGame]:
        return map(SummarizedGame, self.games, self.rows, summaries)


def summarize_games(games: Sequence[str], rows_of: Callable[[str], list[Row]]) -> Iterator[SummarizedGame]:
    """Each game with its summary, in order; many games are shared among worker processes.

    If a worker dies, cannot start or cannot replay a game, its batch is summarized in this process.

    Raises:
        Exception: anything the replay raises for rows that no version of pegboard could have written.
    """
    with start_workers(COMMAND, len(games) if len(games) >= FEWEST else 0) as workers:
        left = iter(games)
        batches = (_Batch(few, [rows_of(game) for game in few]) for few in iter(lambda: [*islice(left, BATCH)], []))
        for batch, reply in distribute(batches, workers, 2, lambda batch: batch.rows):
            yield from batch.with_summaries(_summarize_here(batch.rows) if reply is None else reply)


_read_event = lru_cache(maxsize=500)(read_event)
"""Cached parser of events, which are immutable; a season repeats a few hundred different scores."""


def _summarize_here(games: _Task) -> Iterator[GameSummary]:
    for game in games:
        rows = [EventRow(*row) for row in game]
        yield summarize(apply_all(Game(), ((_read_event(row.kind, row.body, row.version), row.origin) for row in rows)))


def serve(connection: Connection) -> None:
    """Summarize received batches until the other end is closed."""
    with contextlib.suppress(EOFError, OSError), pause_collection():
        while True:
            task: _Task = connection.recv()
            reply: _Reply = None
            with contextlib.suppress(Exception):  # the parent process replays the batch and raises it
                reply = list(_summarize_here(task))
            connection.send(reply)


RUNNING_GAME = "SELECT id FROM game WHERE NOT abandoned AND imported = 0 ORDER BY started DESC LIMIT 1"
"""The newest game started here and not abandoned, finished or not."""

BEGINNING = """
SELECT place, (SELECT at FROM event WHERE event.id = game.started), abandoned FROM game WHERE id = ?
"""

LAST_PLACE = "SELECT coalesce(max(place), 0) FROM game WHERE imported = 0"

LAST_IMPORTED_PLACES = """
SELECT epoch, max(place) FROM game JOIN event ON event.id = game.started WHERE imported = 1 GROUP BY epoch
"""

NEW_SIDE = f"INSERT INTO side VALUES ({'?,' * 34}NULL)"  # noqa: S608 - no user input
"""Inserts the row of a part of a lane, with no winner of the match yet."""


# --- update by a single event ---


def update_summary(  # noqa: PLR0917 - the parts of one event
    db: sqlite3.Connection, event: Event, game: str, number: int, at: int, won: Result | None, sheet: Game | None
) -> None:
    """Update the summary of a game with its event `number`; `sheet` is the score sheet after that event."""
    match event:
        case Started():
            insert_game(db, event, game, number, at)
            if event.replaces:
                abandon(db, event.replaces, number, sheet)
        case Abandoned():
            abandon(db, game, number, sheet)
        case Renamed():
            correct_all_names(db, number - 1)
        case _:
            update_result(db, game, number, won, sheet)


class ImportedPlaces:
    """Places of imported games in the order of play: by start time, but after all earlier games of the same table.

    So if that table's clock was set back, its games keep the order of the export.
    """

    def __init__(self, db: sqlite3.Connection) -> None:
        self._last: dict[str, int] = {}
        for epoch, place in db.execute(LAST_IMPORTED_PLACES):
            journal = original_journal(epoch)
            self._last[journal] = max(place, self._last.get(journal, 0))

    def next(self, epoch: str, at: int) -> int:
        """The place of a game of that epoch that started at that time."""
        if epoch == IMPORTED:  # the table is unknown
            return at
        journal = original_journal(epoch)
        self._last[journal] = place = max(at, self._last.get(journal, -1) + 1)
        return place


def insert_game(
    db: sqlite3.Connection, event: Started, game: str, number: int, at: int, *, away: int | None = None
) -> None:
    """Insert a game that started with event `number`; an imported game gets the place `away`.

    A game of this table comes after all games played here before.
    """
    place = max(at, db.execute(LAST_PLACE).fetchone()[0] + 1) if away is None else away
    row = (game, event.match, event.format, number, away is not None, place, event.rules.variant)
    db.execute("INSERT INTO game (id, match, format, started, imported, place, variant) VALUES (?,?,?,?,?,?,?)", row)
    seats = [(name, game, event.rules.lane_of(seat)) for seat, name in enumerate(event.players)]
    db.executemany("INSERT OR IGNORE INTO seat (name, game, lane) VALUES (?,?,?)", seats)


def abandon(db: sqlite3.Connection, game: str, number: int, sheet: Game | None) -> None:
    """Abandon a game of this table: it stays listed, with the score of `sheet`, but does not count."""
    if mark_abandoned(db, game, number, None if sheet is None else summarize(sheet), imported=False):
        settle_match(db, *_match_of(db, game))


def mark_abandoned(
    db: sqlite3.Connection, game: str, number: int, summary: GameSummary | None = None, *, imported: bool
) -> bool:
    """Abandon a game with event `number`, without settling its match. Return whether the game exists."""
    changed = db.execute(
        "UPDATE game SET abandoned = 1, card = coalesce(?, card), lines = coalesce(?, lines), changed = ?"
        " WHERE id = ? AND imported = ?",
        (summary and summary.list_item, summary and summary.lines, number, game, imported),
    )
    if changed.rowcount:
        _delete_lane_rows(db, game)
    return bool(changed.rowcount)


def update_result(db: sqlite3.Connection, game: str, number: int, won: Result | None, sheet: Game | None) -> None:
    """Store the result of a game of this table after event `number`; an unfinished game takes only one statement.

    The rows of a finished game are always rebuilt: a correction can change its hands without changing its result.
    Without a `sheet`, only the result is stored.
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


_HANDED_OVER = """
SELECT id FROM game WHERE over AND NOT abandoned AND (match, imported) IN (
    SELECT its.match, its.imported FROM event JOIN game AS its ON its.id = event.game
    WHERE event.kind = 'renamed' AND +event.id > ?
) AND EXISTS (SELECT 1 FROM event WHERE event.game = game.id AND event.kind = 'substituted')
"""


def correct_all_names(db: sqlite3.Connection, number: int) -> None:
    """Update the summaries of all games with the name corrections after event `number`.

    Those who took over a seat are found only by replaying the game, which is seldom needed.
    """
    correct_names(db, number)
    for (game,) in db.execute(_HANDED_OVER, (number,)).fetchall():
        sheet = replay_rows(select_rows(db, EVENTS_OF_GAME, game))
        (changed,) = db.execute("SELECT changed FROM game WHERE id = ?", (game,)).fetchone()
        update_result(db, game, changed, result(sheet), sheet)


_LATER_SEATS = """
DELETE FROM seat WHERE game = ?1 AND part > 0
AND name IN (SELECT value FROM side JOIN json_each(side.names) WHERE side.game = ?1 AND side.part > 0)
"""


def _delete_lane_rows(db: sqlite3.Connection, game: str) -> None:
    db.execute(_LATER_SEATS, (game,))
    db.execute("DELETE FROM side WHERE game = ?", (game,))


def _replace_lane_rows(db: sqlite3.Connection, game: str, summary: GameSummary | None) -> None:
    _delete_lane_rows(db, game)
    if summary is not None:
        place, began, abandoned = db.execute(BEGINNING, (game,)).fetchone()
        db.execute("UPDATE game SET lines = ? WHERE id = ?", (summary.lines, game))
        rows = () if abandoned else summary.lane_rows
        db.executemany(NEW_SIDE, [(game, lane, part, place, began, *values) for lane, part, *values in rows])
        seats = [(name, game, lane, part) for lane, part, _, names, *_ in rows if part for name in json.loads(names)]
        db.executemany("INSERT INTO seat VALUES (?,?,?,?)", seats)


def _match_of(db: sqlite3.Connection, game: str) -> tuple[str, bool]:
    match, imported = db.execute("SELECT match, imported FROM game WHERE id = ?", (game,)).fetchone()
    return match, bool(imported)


def settle_match(db: sqlite3.Connection, match: str, imported: bool) -> None:
    """Record the winner of a match in its deciding game; a match in the open format has no winner."""
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
        if won is not None and len(won.spread) == len(standing.spread):  # same number of lanes
            standing = standing.plus(won)
        winner = None if settled else standing.winner
        db.execute(
            "UPDATE side SET matched = CASE WHEN ?1 IS NULL THEN NULL ELSE lane = ?1 END WHERE game = ?2 AND part = 0",
            (winner, number),
        )
        settled = settled or winner is not None


# --- bulk updates: each game is summarized before it is stored, and each match is settled once ---


def store_summary(
    db: sqlite3.Connection, game: str, number: int, summary: GameSummary, *, list_item: bool = True
) -> None:
    """Store the summary of a game after event `number`, without settling its match.

    For an unfinished game of this table, which may continue, no `list_item` is stored.
    """
    item = summary.list_item if list_item or summary.over else None
    db.execute(
        "UPDATE game SET result = ?, over = ?, card = ?, lines = ?, changed = ? WHERE id = ?",
        (summary.result, summary.over, item, summary.lines, number, game),
    )
    _replace_lane_rows(db, game, summary)


def abandon_replaced(db: sqlite3.Connection, game: str, number: int, epoch: str) -> None:
    """Abandon an unfinished imported game that another game of the same table replaced with event `number`.

    Finished games and games of other tables are unchanged.
    """
    query = "SELECT epoch FROM event JOIN game ON event.id = game.started WHERE game.id = ? AND imported AND NOT over"
    begun = db.execute(query, (game,)).fetchone()
    if begun is not None and original_journal(begun[0]) == original_journal(epoch):
        mark_abandoned(db, game, number, imported=True)


def settle_matches(db: sqlite3.Connection, games: Iterable[str]) -> None:
    """Settle the matches of these games, each match once."""
    for match, imported in dict.fromkeys(_match_of(db, game) for game in games):
        settle_match(db, match, imported)


def summarize_journal(db: sqlite3.Connection, busy: Callable[[], None], after: int = 0) -> None:
    """Update the summary tables, which cover the events up to number `after`, with all later events, game by game.

    `busy` is called repeatedly.
    """
    first = [(row, row.event) for row in select_rows(db, "WHERE kind IN ('started', 'abandoned') AND id > ?", after)]
    starts = [(row, event) for row, event in first if isinstance(event, Started)]
    ends = {row.game: row.id for row, event in first if isinstance(event, Abandoned)}
    ends |= {event.replaces: row.id for row, event in starts if event.replaces and not row.is_imported}
    places = ImportedPlaces(db)
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
    correct_all_names(db, after)
    settle_matches(db, games)
