"""What the journal keeps of each game to find it and to add it up: made from its events, and made anew from them."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from pegboard.core import wire
from pegboard.core.board import Game, Mark
from pegboard.core.game_statistics import NOTABLE, Figures, Hand, LaneFigures, figures, pars
from pegboard.core.match import Match, Result, result
from pegboard.core.moves import OPEN, Abandoned, Event, Ruling, Started
from pegboard.core.referee.decide import apply
from pegboard.core.rules import Seat
from pegboard.core.snapshot import NANOSECONDS, hundredths
from pegboard.storage.name_corrections import as_text, lane_names, update_since

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
    def epoch(self) -> str:
        """The mark of the journal that it was made in, as it is kept."""

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


def given_up(db: Db, game: str, number: int, sheet: Game | None) -> None:
    """A game of here was given up: it is listed as it stood, and counts for nothing."""
    told = None if sheet is None else summed(sheet)
    if _give_up(db, game, number, told, imported=False):
        decide(db, *_match_of(db, game))


def _give_up(db: Db, game: str, number: int, told: "Summed | None", *, imported: bool) -> bool:
    done = db.execute(
        "UPDATE game SET abandoned = 1, card = coalesce(?, card), lines = coalesce(?, lines), changed = ?"
        " WHERE id = ? AND imported = ?",
        (told and told.card, told and told.lines, number, game, imported),
    )
    if done.rowcount:
        db.execute("DELETE FROM side WHERE game = ?", (game,))
    return bool(done.rowcount)


def stands(db: Db, game: str, number: int, won: Result | None, sheet: Game | None) -> None:
    """A game of here stands as it does on `sheet` after event `number`; an unfinished one costs one statement.

    A finished one is always laid out anew: a correction can change its hands, and leave its result as it was. A sheet
    that is not told has nothing but its result kept.
    """
    over = sheet is not None and sheet.outcome is not None
    told = summed(sheet) if over and sheet is not None else None
    done = db.execute(
        "UPDATE game SET result = ?1, over = ?2, card = ?3, changed = ?4 WHERE id = ?5"
        " AND (?2 OR result IS NOT ?1 OR card IS NOT ?3)",
        (_result_text(won), over, told and told.card, number, game),
    )
    if done.rowcount:
        _lay_out(db, game, told)
        decide(db, *_match_of(db, game))


def _lay_out(db: Db, game: str, told: "Summed | None") -> None:
    """What a finished game gave to each lane takes the place of what is there of it."""
    db.execute("DELETE FROM side WHERE game = ?", (game,))
    if told is not None:
        place, began, abandoned = db.execute(BEGINNING, (game,)).fetchone()
        db.execute("UPDATE game SET lines = ? WHERE id = ?", (told.lines, game))
        for row in () if abandoned else told.sides:
            db.execute(NEW_SIDE, (game, row[0], place, began, *row[1:]))


def _match_of(db: Db, game: str) -> tuple[str, bool]:
    match, imported = db.execute("SELECT match, imported FROM game WHERE id = ?", (game,)).fetchone()
    return match, bool(imported)


def decide(db: Db, match: str, imported: bool) -> None:
    """Tell the game that decides a match, and who won that; a tally without end is decided by none."""
    games = db.execute(
        "SELECT id, format, result FROM game WHERE match = ? AND +imported = ? AND NOT abandoned AND over"
        " ORDER BY started",
        (match, imported),
    ).fetchall()
    if not games or games[0][1] == OPEN:
        return
    standing, decided = Match(games[0][1]), False
    for number, form, kept in games:
        won = None if kept is None else wire.read_result(json.loads(kept))
        if won is not None and not sum(standing.games_won):
            standing = Match.empty(len(won.spread), form)
        if won is not None and len(won.spread) == len(standing.spread):  # another board cannot go on with the match
            standing = standing.plus(won)
        now = standing.winner is not None and not decided
        winner = standing.winner if now else None
        db.execute(
            "UPDATE side SET matched = CASE WHEN ?1 IS NULL THEN NULL ELSE lane = ?1 END WHERE game = ?2",
            (winner, number),
        )
        decided = decided or now


# --- many games at once: each is summed up before it is kept, and each match decided once ---


def came(db: Db, game: str, number: int, told: "Summed", *, card: bool = True) -> None:
    """A game stands as it is summed up after event `number`; an unfinished one has its `card` kept where none plays on.

    Its match is not decided yet.
    """
    db.execute(
        "UPDATE game SET result = ?, over = ?, card = ?, lines = ?, changed = ? WHERE id = ?",
        (told.result, told.over, told.card if card or told.over else None, told.lines, number, game),
    )
    _lay_out(db, game, told)


def replaced(db: Db, game: str, number: int, epoch: str) -> None:
    """A game that was imported replaced another by its event `number`, which was unfinished then, at the same table.

    Another table's game, and one that is over, stay as they are.
    """
    query = "SELECT epoch FROM event JOIN game ON event.id = game.started WHERE game.id = ? AND imported AND NOT over"
    if db.execute(query, (game,)).fetchone() == (epoch,):
        _give_up(db, game, number, None, imported=True)


def gone(db: Db, game: str, number: int) -> None:
    """A game that was imported was given up by its event `number`."""
    _give_up(db, game, number, None, imported=True)


def decide_all(db: Db, games: Iterable[str]) -> None:
    """Decide the matches of some games, each once."""
    for match, imported in dict.fromkeys(_match_of(db, game) for game in games):
        decide(db, match, imported)


def sum_up_all(db: Db, games: Sequence[Kept], rows: Callable[[str], Iterable[Kept]]) -> None:
    """Make the summary of a whole journal, one game after another.

    `games` are the events that begin games and give them up, `rows` gives all events of one game.
    """
    first = [(row, row.event) for row in games]
    starts = [(row, event) for row, event in first if isinstance(event, Started)]
    ends = {row.game: row.id for row, event in first if isinstance(event, Abandoned)}
    ends |= {event.replaces: row.id for row, event in starts if event.replaces and not row.imported}
    for row, event in starts:
        began(db, event, row.game, row.id, row.at, imported=row.imported)
    for row, _ in starts:
        sheet, number = _folded(rows(row.game))
        told = summed(sheet)
        came(db, row.game, number, told, card=row.imported)
        if row.game in ends:
            _give_up(db, row.game, ends[row.game], told, imported=row.imported)
    for row, event in starts:
        if row.imported and event.replaces:
            replaced(db, event.replaces, row.id, row.epoch)
    update_since(db, 0)
    decide_all(db, (row.game for row, _ in starts))


def _folded(rows: Iterable[Kept]) -> tuple[Game, int]:
    """The game that its events make, and the number of the newest."""
    game, number = Game(), 0
    for row in rows:
        game, number = apply(game, row.event, row.mark), row.id
    return game, number


# --- what is told of a game ---


@dataclass(frozen=True, slots=True)
class Summed:
    """A game summed up, as it is kept.

    Attributes:
        result: how it was won, None where nobody has.
        over: whether it is over.
        card: what a list tells of it.
        lines: how many its sheet has.
        sides: what it gave to each lane, once it is over.
    """

    result: str | None
    over: bool
    card: str
    lines: int
    sides: tuple[tuple[Any, ...], ...]


def summed(game: Game) -> Summed:
    """A game summed up."""
    won, over = result(game), game.outcome is not None
    rows = tuple(sides(game, won)) if over else ()
    return Summed(_result_text(won), over, as_text(card_values(game)), len(game.entries), rows)


def _result_text(won: Result | None) -> str | None:
    return None if won is None else as_text(wire.result_values(won))


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
        "lurch": game.rules.lurch,
        "points": 0 if won is None else won.points,
        "corrected": corrected(game, end),
        "deals": game.followed.reached.deal,
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
            *_ended(game, won, lane, told.first_dealer),
            *_averaged(each, of_par=of_par),
            *(told.left_out.unfinished, told.left_out.unknown, told.unsure_points(lane)),
            *_best(told, lane),
        )


def names_of(game: Game, lane: int) -> str:
    """Who pegs in a lane, as JSON: partners are the same pair whoever sits first."""
    return lane_names(game.players, game.rules.lanes, lane)


def _ended(game: Game, won: Result | None, lane: int, first: Seat) -> tuple[int, ...]:
    assert game.outcome is not None
    has_won, skunks = game.outcome.winner == lane, game.outcome.skunks
    given = [sum(min(missed, 3) == size for missed in skunks) if has_won else 0 for size in (1, 2, 3)]
    dealt_first = game.rules.lane_of(first) == lane
    points = won.points if won is not None and has_won else 0
    spread = 0 if won is None else won.spread[lane]
    greater = has_won and bool(game.rules.enough) and game.lanes[lane].front >= game.rules.game_hole
    return (has_won, dealt_first, min(skunks[lane], 3), *given, points, spread, game.lanes[lane].front, greater)


def _averaged(each: LaneFigures, *, of_par: bool) -> tuple[int, ...]:
    return (*each.dealer, *each.pone, each.play.points, each.hand.points, each.crib.points, of_par)


def _best(told: Figures, lane: int) -> tuple[Any, ...]:
    hands = [hand for hand in told.hands if hand.lane == lane and hand.points]
    notable = [sum(hand.points == points for hand in hands) for points in NOTABLE]
    return hands[0].points if hands else 0, as_text([hand_values(hand) for hand in hands[:BEST]]), *notable


def hand_values(hand: Hand) -> list[Any]:
    """A hand as it is kept: points, why, deal, how sure that is what it was."""
    return [hand.points, hand.why, hand.deal, hundredths(hand.sure)]
