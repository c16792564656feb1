"""Name corrections in the summary tables: each player has the same name in all games of a match.

Existing events are not changed: a correction is a separate event. It belongs to one game, and applies to every game of
the same match and journal that had already started.
"""

import json
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import starmap
from typing import Any, TypeAlias

from pegboard.core.names import RENEWED
from pegboard.core.rules import Rules, Seat


def _original_journal(column: str) -> str:
    """`core.names.original_journal` as SQL."""
    return f"substr({column}, 1, instr({column} || '{RENEWED}', '{RENEWED}') - 1)"


CORRECTIONS_OF_MATCH = f"""
SELECT correction.id FROM game AS own CROSS JOIN event AS correction CROSS JOIN game AS its
JOIN event AS start ON start.id = own.started
WHERE own.id = ?1 AND correction.kind = 'renamed' AND its.id = correction.game
AND its.match = own.match AND its.imported = own.imported
AND (own.imported = 0 OR {_original_journal("correction.epoch")} = {_original_journal("start.epoch")})
"""  # noqa: S608 - no user input
"""The numbers of the name corrections in the match of a game."""

CORRECTIONS_OF_GAME = f"{CORRECTIONS_OF_MATCH} AND +correction.id > own.started"
"""The corrections that apply to the game: those made after it started."""

_GAMES = f"""
SELECT game.id, game.started, json_extract(body, '$.players'), coalesce(json_extract(body, '$.rules.lanes'), ?4), card
FROM game JOIN event ON event.id = game.started
WHERE match = ?1 AND imported = ?2 AND (imported = 0 OR {_original_journal("epoch")} = ?3)
"""  # noqa: S608 - no user input

_CORRECTIONS = f"""
SELECT event.id, json_extract(body, '$.seat'), json_extract(body, '$.from'), json_extract(body, '$.to')
FROM event CROSS JOIN game ON game.id = event.game
WHERE kind = 'renamed' AND match = ?1 AND imported = ?2 AND (imported = 0 OR {_original_journal("epoch")} = ?3)
"""  # noqa: S608 - no user input

_MATCHES = f"""
SELECT DISTINCT match, imported, CASE WHEN imported THEN {_original_journal("epoch")} ELSE '' END
FROM event CROSS JOIN game ON game.id = event.game WHERE kind = 'renamed' AND +event.id > ?
"""  # noqa: S608 - no user input

Names: TypeAlias = list[str]
"""Names of a game's players, one per seat."""

_COMPACT = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class _Correction:
    number: int
    seat: Seat
    former: str
    to: str


def correct_names(db: sqlite3.Connection, number: int) -> None:
    """Update the summaries of all games with the name corrections after event `number`."""
    for match in db.execute(_MATCHES, (number,)).fetchall():
        _correct_match(db, match, number)


def _correct_match(db: sqlite3.Connection, match: tuple[str, int, str], number: int) -> None:
    games = db.execute(_GAMES, (*match, Rules().lanes)).fetchall()
    corrections = list(starmap(_Correction, db.execute(_CORRECTIONS, match)))
    newest = max(each.number for each in corrections)
    earlier = [each for each in corrections if each.number <= number]
    starts = {game: (started, json.loads(players)) for game, started, players, _, _ in games}
    names_before, names_after = _names_in_games(starts, earlier), _names_in_games(starts, corrections)
    for game, _, _, lanes, item_text in games:
        before, after = names_before[game], names_after[game]
        if before != after:
            _update_seats(db, game, lanes, before, after)
        item = None if item_text is None else json.loads(item_text)
        if before != after or (item and item["players"] != after):  # summarized between two corrections
            _update_list_item(db, game, item, after, newest)
            _update_lane_rows(db, game, lanes, after)


def _names_in_games(starts: dict[str, tuple[int, Names]], corrections: Iterable[_Correction]) -> dict[str, Names]:
    """The names in each game after its later corrections; applied backwards, so that each is used once."""
    last: dict[tuple[Seat, str], str] = {}
    games = sorted(starts, key=lambda game: starts[game][0])
    names: dict[str, Names] = {}
    for each in sorted(corrections, key=lambda each: each.number, reverse=True):
        while games and starts[games[-1]][0] > each.number:
            game = games.pop()
            names[game] = _with_corrections(starts[game][1], last)
        last[each.seat, each.former] = last.get((each.seat, each.to), each.to)
    return names | {game: _with_corrections(starts[game][1], last) for game in games}


def _with_corrections(names: Names, last: dict[tuple[Seat, str], str]) -> Names:
    return [last.get((seat, name), name) for seat, name in enumerate(names)]


def _update_seats(db: sqlite3.Connection, game: str, lanes: int, before: Names, after: Names) -> None:
    leaving = [(name, game, seat % lanes) for seat, name in enumerate(before)]
    coming = [(name, game, seat % lanes) for seat, name in enumerate(after)]
    db.executemany("DELETE FROM seat WHERE name = ? AND game = ? AND lane = ? AND part = 0", leaving)
    db.executemany("INSERT OR IGNORE INTO seat (name, game, lane) VALUES (?,?,?)", coming)


def _update_list_item(
    db: sqlite3.Connection, game: str, item: dict[str, Any] | None, names: Names, number: int
) -> None:
    text = None if item is None else compact_json(item | {"players": names})
    db.execute("UPDATE game SET card = ?, changed = ? WHERE id = ?", (text, number, game))


def _update_lane_rows(db: sqlite3.Connection, game: str, lanes: int, names: Names) -> None:
    values = [(lane_names(names, lanes, lane), game, lane) for lane in range(lanes)]
    db.executemany("UPDATE side SET names = ? WHERE game = ? AND lane = ? AND part = 0", values)


def lane_names(players: Sequence[str], lanes: int, lane: int) -> str:
    """The players of a lane as a sorted JSON list: partners in either order are the same pair."""
    return compact_json(sorted(name for seat, name in enumerate(players) if seat % lanes == lane))


def compact_json(values: object) -> str:
    """Values as compact JSON text, as stored in the summary tables."""
    return _COMPACT.encode(values)
