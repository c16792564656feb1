"""What the journal keeps of each game to find it and to add it up: made from its events, and made anew from them."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Protocol

from pegboard.core import wire
from pegboard.core.board import Game, Mark
from pegboard.core.figures import NOTABLE, Figures, Hand, LaneFigures, figures, pars
from pegboard.core.match import Match, Result, first_dealer, result
from pegboard.core.moves import OPEN, Event, Ruling, Started
from pegboard.core.referee import apply
from pegboard.core.shown import NANOSECONDS

TABLES = ("game", "seat", "side")

SUMMARY = (
    """
CREATE TABLE game (
    id        TEXT PRIMARY KEY,
    match     TEXT NOT NULL,
    format    TEXT NOT NULL,
    started   INTEGER NOT NULL UNIQUE,
    abandoned INTEGER NOT NULL DEFAULT 0,
    result    TEXT,
    imported  INTEGER NOT NULL DEFAULT 0,
    place     INTEGER NOT NULL,
    variant   TEXT NOT NULL,
    over      INTEGER NOT NULL DEFAULT 0,
    lines     INTEGER NOT NULL DEFAULT 0,
    changed   INTEGER NOT NULL DEFAULT 0,
    card      TEXT
)
""",
    "CREATE INDEX game_place ON game (place, started)",
    "CREATE INDEX game_of_here ON game (imported, place)",
    "CREATE INDEX game_begun_here ON game (imported, started)",
    "CREATE INDEX game_changed ON game (changed)",
    "CREATE INDEX game_match ON game (match)",
    "CREATE INDEX game_left_out ON game (variant) WHERE abandoned OR (imported AND NOT over)",
    "CREATE TABLE seat (name TEXT, game TEXT, lane INTEGER, PRIMARY KEY (name, game, lane)) WITHOUT ROWID",
    """
CREATE TABLE side (
    game TEXT NOT NULL, lane INTEGER NOT NULL, place INTEGER NOT NULL, began INTEGER NOT NULL, variant TEXT NOT NULL,
    names TEXT NOT NULL, alone INTEGER NOT NULL, won INTEGER NOT NULL, dealt_first INTEGER NOT NULL,
    taken INTEGER NOT NULL, given1 INTEGER NOT NULL, given2 INTEGER NOT NULL, given3 INTEGER NOT NULL,
    points INTEGER NOT NULL, spread INTEGER NOT NULL, front INTEGER NOT NULL, greater INTEGER NOT NULL,
    dealer_deals INTEGER NOT NULL, dealer_points INTEGER NOT NULL,
    pone_deals INTEGER NOT NULL, pone_points INTEGER NOT NULL,
    play INTEGER NOT NULL, hand INTEGER NOT NULL, crib INTEGER NOT NULL, of_par INTEGER NOT NULL,
    unfinished INTEGER NOT NULL, unknown INTEGER NOT NULL, unknown_points INTEGER NOT NULL,
    best INTEGER NOT NULL, hands TEXT NOT NULL, n24 INTEGER NOT NULL, n28 INTEGER NOT NULL, n29 INTEGER NOT NULL,
    matched INTEGER,
    PRIMARY KEY (game, lane)
) WITHOUT ROWID
""",
    "CREATE INDEX side_runs ON side (names, place, game, won, alone, began, variant)",
    "CREATE INDEX side_met ON side (game, lane, names, won, front, began, variant)",
    "CREATE INDEX side_alone ON side (names) WHERE alone",
    "CREATE INDEX side_best ON side (names, best, place)",
)
"""`game` sums a game up: its match, its first event, how it was won, its place among all games in the order in which
they were played, and its card; `seat` tells who played; `side` what a finished one gave to each lane."""

BEGINNING = """
SELECT place, (SELECT at FROM event WHERE event.id = game.started), abandoned FROM game WHERE id = ?
"""

NEW_SIDE = f"INSERT INTO side VALUES ({'?,' * 33}NULL)"  # noqa: S608 - ours
"""A row of a lane, of whose match nothing is known yet."""

BEST = 5
"""Hands that are kept of each lane of a game."""


class Db(Protocol):
    """What is asked of the database."""

    def execute(self, sql: str, values: Sequence[Any] = ..., /) -> Any:
        """Do one statement."""


class Kept(Protocol):
    """What is asked of a row of the journal."""

    @property
    def id(self) -> int:
        """Its number."""

    @property
    def game(self) -> str:
        """The game it belongs to."""

    @property
    def at(self) -> int:
        """Wall time."""

    @property
    def imported(self) -> bool:
        """Whether it came from another table."""

    @property
    def event(self) -> Event:
        """The event itself."""

    @property
    def mark(self) -> Mark:
        """Where it came from."""


def make_anew(db: Db) -> None:
    """Drop the tables of the summary, and make them empty."""
    for table in TABLES:
        db.execute(f"DROP TABLE IF EXISTS {table}")
    for statement in SUMMARY:
        db.execute(statement)


# --- brought up to date with one more event ---


def began(db: Db, event: Started, game: str, number: int, at: int, *, imported: bool = False) -> None:
    """A game has begun with event `number`; one of here comes after all that were played here before."""
    place = at if imported else max(at, _last_place(db) + 1)
    row = (game, event.match, event.format, number, imported, place, event.rules.variant)
    db.execute("INSERT INTO game (id, match, format, started, imported, place, variant) VALUES (?,?,?,?,?,?,?)", row)
    for seat, name in enumerate(event.players):
        db.execute("INSERT OR IGNORE INTO seat VALUES (?,?,?)", (name, game, event.rules.lane_of(seat)))


def _last_place(db: Db) -> int:
    (place,) = db.execute("SELECT coalesce(max(place), 0) FROM game WHERE imported = 0").fetchone()
    return int(place)


def given_up(db: Db, game: str, number: int, sheet: Game | None, *, imported: bool = False) -> None:
    """A game was given up: it is listed as it stood, and counts for nothing."""
    card = None if sheet is None else _text(card_values(sheet))
    lines = None if sheet is None else len(sheet.entries)
    done = db.execute(
        "UPDATE game SET abandoned = 1, card = coalesce(?, card), lines = coalesce(?, lines), changed = ?"
        " WHERE id = ? AND imported = ?",
        (card, lines, number, game, imported),
    )
    if done.rowcount:
        db.execute("DELETE FROM side WHERE game = ?", (game,))
        _decide(db, game)


def stands(db: Db, game: str, number: int, won: Result | None, sheet: Game | None, *, whole: bool = False) -> None:
    """A game stands as it does on `sheet` after event `number`; an unfinished one costs one statement.

    A sheet that is not told has nothing but its result kept; one that is `whole` has its lines counted too.
    """
    if whole and sheet is not None:
        db.execute("UPDATE game SET lines = ? WHERE id = ?", (len(sheet.entries), game))
    over = sheet is not None and sheet.outcome is not None
    card = _text(card_values(sheet)) if over and sheet is not None else None
    kept = None if won is None else _text(wire.result_values(won))
    done = db.execute(
        "UPDATE game SET result = ?1, over = ?2, card = ?3, changed = ?4 WHERE id = ?5"
        " AND (result IS NOT ?1 OR card IS NOT ?3)",
        (kept, over, card, number, game),
    )
    if not done.rowcount:
        return
    db.execute("DELETE FROM side WHERE game = ?", (game,))
    if over and sheet is not None:
        place, began, abandoned = db.execute(BEGINNING, (game,)).fetchone()
        db.execute("UPDATE game SET lines = ? WHERE id = ?", (len(sheet.entries), game))
        for row in () if abandoned else sides(sheet, won):
            db.execute(NEW_SIDE, (game, row[0], place, began, *row[1:]))
    _decide(db, game)


def _decide(db: Db, game: str) -> None:
    """Tell the game that decides its match, and who won that; a tally without end is decided by none."""
    match, form, imported = db.execute("SELECT match, format, imported FROM game WHERE id = ?", (game,)).fetchone()
    if form == OPEN:
        return
    games = db.execute(
        "SELECT id, result FROM game WHERE match = ? AND imported = ? AND NOT abandoned AND over ORDER BY started",
        (match, imported),
    ).fetchall()
    standing, decided = Match(form), False
    for number, kept in games:
        won = None if kept is None else wire.read_result(json.loads(kept))
        if won is not None:
            standing = (standing if sum(standing.games_won) else Match.empty(len(won.spread), form)).plus(won)
        now = standing.winner is not None and not decided
        winner = standing.winner if now else None
        db.execute(
            "UPDATE side SET matched = CASE WHEN ?1 IS NULL THEN NULL ELSE lane = ?1 END WHERE game = ?2",
            (winner, number),
        )
        decided = decided or now


# --- made anew ---


def sum_up_all(db: Db, games: Sequence[Kept], rows: Callable[[str], Iterable[Kept]]) -> None:
    """Make the summary of a whole journal, one game after another.

    `games` are the events that begin games and give them up, `rows` gives all events of one game.
    """
    ends: dict[str, int] = {}
    for row in games:
        event = row.event
        if isinstance(event, Started):
            began(db, event, row.game, row.id, row.at, imported=row.imported)
        gone = event.replaces if isinstance(event, Started) else row.game
        ends |= {gone: row.id} if gone else {}
    for first in games:
        if isinstance(first.event, Started):
            sheet, number = _folded(rows(first.game))
            stands(db, first.game, number, result(sheet), sheet)
            if first.game in ends:
                given_up(db, first.game, ends[first.game], sheet, imported=first.imported)


def _folded(rows: Iterable[Kept]) -> tuple[Game, int]:
    """The game that its events make, and the number of the newest."""
    game, number = Game(), 0
    for row in rows:
        game, number = apply(game, row.event, row.mark), row.id
    return game, number


# --- what is told of a game ---


def card_values(game: Game) -> dict[str, Any]:
    """What a list tells of a game, as far as its sheet says it."""
    outcome, at, won = game.outcome, game.position, result(game)
    end = ending(game)
    return {
        "variant": game.rules.variant,
        "players": list(game.players),
        "lanes": [game.rules.lane_of(seat) for seat in range(game.rules.seats)],
        "ended": None if end is None else end.at / NANOSECONDS,
        "over": outcome is not None,
        "winner": None if outcome is None else outcome.winner,
        "fronts": [lane.front for lane in at.lanes],
        "skunks": [0] * game.rules.lanes if outcome is None else list(outcome.skunks),
        "points": 0 if won is None else won.points,
        "corrected": corrected(game, end),
        "deals": at.deal,
    }


def ending(game: Game) -> Mark | None:
    """Where the line came from that ended the game for good; None while it goes on."""
    if game.outcome is None:
        return None
    line = len(game.entries)
    while line > 1 and game.positions[line - 1].outcome is not None:
        line -= 1
    return game.entries[line - 1].mark


def corrected(game: Game, end: Mark | None) -> bool:
    """Whether a ruling stands, a line was amended, or anything was changed after the end."""
    for entry in game.entries:
        if isinstance(entry.event, Ruling) and entry.stands:
            return True
        for change in entry.history:
            if change.did == "amend" or (end is not None and change.mark.event > end.event):
                return True
    return False


def sides(game: Game, won: Result | None) -> Iterator[tuple[Any, ...]]:
    """For each lane of a finished game the values of its row, but for its game, place, time and match."""
    told = figures(game)
    of_par = pars(game.rules) != (None, None)
    for lane, each in enumerate(told.lanes):
        yield (
            *(lane, game.rules.variant, names_of(game, lane), game.rules.lanes == 1),
            *_ended(game, won, lane),
            *_averaged(each, of_par=of_par),
            *(told.left_out.unfinished, told.left_out.unknown, sum(deal.lanes[lane].unknown for deal in told.deals)),
            *_best(told, lane),
        )


def names_of(game: Game, lane: int) -> str:
    """Who pegs in a lane, as JSON: partners are the same pair whoever sits first."""
    names = (name for seat, name in enumerate(game.players) if game.rules.lane_of(seat) == lane)
    return _text(sorted(names))


def _ended(game: Game, won: Result | None, lane: int) -> tuple[int, ...]:
    assert game.outcome is not None
    has_won, skunks = game.outcome.winner == lane, game.outcome.skunks
    given = [sum(min(missed, 3) == size for missed in skunks) if has_won else 0 for size in (1, 2, 3)]
    dealt_first = game.rules.lane_of(first_dealer(game)) == lane
    points = won.points if won is not None and has_won else 0
    spread = 0 if won is None else won.spread[lane]
    greater = has_won and bool(game.rules.enough) and game.lanes[lane].front >= game.rules.game_hole
    return (has_won, dealt_first, min(skunks[lane], 3), *given, points, spread, game.lanes[lane].front, greater)


def _averaged(each: LaneFigures, *, of_par: bool) -> tuple[int, ...]:
    return (*each.dealer, *each.pone, each.play.points, each.hand.points, each.crib.points, of_par)


def _best(told: Figures, lane: int) -> tuple[Any, ...]:
    hands = [hand for hand in told.hands if hand.lane == lane and hand.points]
    notable = [sum(hand.points == points for hand in hands) for points in NOTABLE]
    return hands[0].points if hands else 0, _text([hand_values(hand) for hand in hands[:BEST]]), *notable


def hand_values(hand: Hand) -> list[Any]:
    """A hand as it is kept: points, why, deal."""
    return [hand.points, hand.why, hand.deal]


def _text(values: Any) -> str:
    return json.dumps(values, separators=(",", ":"), ensure_ascii=False)
