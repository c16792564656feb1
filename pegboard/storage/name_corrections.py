"""Corrected names in the summary of the journal: a player is listed and added up under one name through a match.

The events stay as they are. A correction is an event of its own, and is read with every game of its match that had
begun by then: of the same journal, whichever of these games it was kept with.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from pegboard.core.rules import Rules, Seat

INDEX = "CREATE INDEX IF NOT EXISTS event_renamed ON event (game) WHERE kind = 'renamed'"
"""Finds the few corrections among all events. It is no part of the format: without it they are found more slowly."""

OF_A_MATCH = """
SELECT correction.id FROM game AS own CROSS JOIN event AS correction CROSS JOIN game AS its
JOIN event AS start ON start.id = own.started
WHERE own.id = ?1 AND correction.kind = 'renamed' AND its.id = correction.game
AND its.match = own.match AND its.imported = own.imported
AND (own.imported = 0 OR correction.epoch = start.epoch)
"""
"""The numbers of the corrections in the match of a game."""

OF_A_GAME = f"{OF_A_MATCH} AND +correction.id > own.started"
"""Those of them that are read with the game itself, which had begun by then."""

_GAMES = """
SELECT game.id, game.started, json_extract(body, '$.players'), coalesce(json_extract(body, '$.rules.lanes'), ?4), card
FROM game JOIN event ON event.id = game.started
WHERE match = ?1 AND imported = ?2 AND (imported = 0 OR epoch = ?3)
"""

_CORRECTIONS = """
SELECT event.id, body FROM event CROSS JOIN game ON game.id = event.game
WHERE kind = 'renamed' AND match = ?1 AND imported = ?2 AND (imported = 0 OR epoch = ?3)
"""

_MATCHES = """
SELECT DISTINCT match, imported, CASE WHEN imported THEN epoch ELSE '' END
FROM event CROSS JOIN game ON game.id = event.game WHERE kind = 'renamed' AND +event.id > ?
"""


class Db(Protocol):
    """What is asked of the database."""

    def execute(self, sql: str, values: Sequence[Any] = ..., /) -> Any:
        """Do one statement."""


Names: TypeAlias = list[str]
"""Of a game: a name for each seat."""


@dataclass(frozen=True, slots=True)
class _Correction:
    number: int
    seat: Seat
    former: str
    to: str


def update_since(db: Db, number: int) -> None:
    """Bring the summary up to date with the corrections after event `number`; every game has been summed up."""
    for match in db.execute(_MATCHES, (number,)).fetchall():
        _update_match(db, match, number)


def _update_match(db: Db, match: tuple[str, int, str], number: int) -> None:
    games = db.execute(_GAMES, (*match, Rules().lanes)).fetchall()
    corrections = list(_read(db.execute(_CORRECTIONS, match)))
    newest = max(each.number for each in corrections)
    earlier = [each for each in corrections if each.number <= number]
    begun = {game: (started, json.loads(players)) for game, started, players, _, _ in games}
    were, are = _corrected(begun, earlier), _corrected(begun, corrections)
    for game, _, _, lanes, card in games:
        if were[game] != are[game]:
            _update_seats(db, game, lanes, were[game], are[game])
        told = None if card is None else json.loads(card)
        if were[game] != are[game] or (told and told["players"] != are[game]):  # summed up between two corrections
            _update_card(db, game, told, are[game], newest)
            _update_sides(db, game, lanes, are[game])


def _read(rows: Iterable[tuple[int, str]]) -> Iterator[_Correction]:
    for number, text in rows:
        body = json.loads(text)
        yield _Correction(number, body["seat"], body["from"], body["to"])


def _corrected(begun: dict[str, tuple[int, Names]], corrections: Iterable[_Correction]) -> dict[str, Names]:
    """The names of each game as its later corrections leave them; read backwards, so that each is looked at once."""
    last: dict[tuple[Seat, str], str] = {}
    games = sorted(begun, key=lambda game: begun[game][0])
    names: dict[str, Names] = {}
    for each in sorted(corrections, key=lambda each: each.number, reverse=True):
        while games and begun[games[-1]][0] > each.number:
            names |= _named(begun, games.pop(), last)
        last[each.seat, each.former] = last.get((each.seat, each.to), each.to)
    for game in games:
        names |= _named(begun, game, last)
    return names


def _named(begun: dict[str, tuple[int, Names]], game: str, last: dict[tuple[Seat, str], str]) -> dict[str, Names]:
    return {game: [last.get((seat, name), name) for seat, name in enumerate(begun[game][1])]}


def _update_seats(db: Db, game: str, lanes: int, were: Names, are: Names) -> None:
    for seat, name in enumerate(were):
        db.execute("DELETE FROM seat WHERE name = ? AND game = ? AND lane = ?", (name, game, seat % lanes))
    for seat, name in enumerate(are):
        db.execute("INSERT OR IGNORE INTO seat VALUES (?,?,?)", (name, game, seat % lanes))


def _update_card(db: Db, game: str, told: dict[str, Any] | None, are: Names, number: int) -> None:
    card = None if told is None else as_text(told | {"players": are})
    db.execute("UPDATE game SET card = ?, changed = ? WHERE id = ?", (card, number, game))


def _update_sides(db: Db, game: str, lanes: int, are: Names) -> None:
    for lane in range(lanes):
        db.execute("UPDATE side SET names = ? WHERE game = ? AND lane = ?", (lane_names(are, lanes, lane), game, lane))


def lane_names(players: Sequence[str], lanes: int, lane: int) -> str:
    """Who pegs in a lane, as JSON: partners are the same pair whoever sits first."""
    return as_text(sorted(name for seat, name in enumerate(players) if seat % lanes == lane))


def as_text(values: Any) -> str:
    """Values as JSON, as the summary keeps them."""
    return json.dumps(values, separators=(",", ":"), ensure_ascii=False)
