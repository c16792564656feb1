"""Statistics over finished games, in SQL from the summary tables: players, streaks, head-to-head scores, best hands."""

import json
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import groupby
from typing import Any, NamedTuple, TypeAlias

from pegboard.core import view_as_json
from pegboard.core.game_statistics import DEALER_PAR, NOTABLE, PONE_PAR, Average
from pegboard.core.names import comparison_key
from pegboard.storage.reader import JournalReader

Json: TypeAlias = dict[str, Any]
_Row: TypeAlias = sqlite3.Row | Mapping[str, Any]

MOST_PLAYERS, MOST_PAIRS, MAX_WALL_HANDS, MOST_HANDS = 100, 200, 50, 5
"""Maximum rows of each kind in the statistics, since a tournament could have very many."""

IS_LISTED = "NOT (abandoned AND lines = 0)"
"""Leaves out games that were abandoned before anything happened."""

PLAYER_IN_GAME = (
    "EXISTS (SELECT 1 FROM seat WHERE seat.name IN (SELECT value FROM json_each(:players)) AND seat.game = game.id)"
)
"""Condition on the table `game`: the player was in it; `:players` are the spellings of the name, by `spellings_of`."""

_GAME_OF_PLAYER = "game IN (SELECT game FROM seat WHERE name IN (SELECT value FROM json_each(:players)))"
_PARTS_OF_PLAYER = "SELECT game, lane, part FROM seat WHERE name IN (SELECT value FROM json_each(:players))"

_PLAYERS = """
SELECT names, sum(part = 0) AS games, sum(part > 0) AS took_over, sum(won) AS won,
    sum(taken = 1) AS taken1, sum(taken = 2) AS taken2, sum(taken = 3) AS taken3,
    sum(given1) AS given1, sum(given2) AS given2, sum(given3) AS given3, sum(points) AS points, sum(spread) AS spread,
    count(matched) AS matches, coalesce(sum(matched), 0) AS matches_won,
    sum(dealer_deals) AS dealer_deals, sum(dealer_points) AS dealer_points,
    sum(pone_deals) AS pone_deals, sum(pone_points) AS pone_points,
    sum(play) AS play, sum(hand) AS hand, sum(crib) AS crib,
    coalesce(min(CASE WHEN dealer_deals + pone_deals > 0 THEN of_par END), min(of_par)) AS of_par,
    sum(dealt_first) AS dealt_first, sum(dealt_first AND won) AS dealt_first_won,
    sum(n24) AS n24, sum(n28) AS n28, sum(n29) AS n29,
    sum(unfinished) AS unfinished, sum(unknown) AS unknown, sum(unknown_points) AS unknown_points
FROM {scan} WHERE NOT alone {condition} GROUP BY names ORDER BY games DESC, names
"""

_SOLITAIRES = """
SELECT names, count(*) AS games, sum(won) AS won, sum(greater) AS greater, max(front) AS best, avg(front) AS average,
    sum(n24) AS n24, sum(n28) AS n28, sum(n29) AS n29
FROM {side} WHERE alone AND part = 0 {condition} GROUP BY names
"""

_WINS = """
SELECT won FROM side WHERE names IN (SELECT value FROM json_each(:typed)) AND NOT alone AND part = 0 {condition}
ORDER BY place, game
"""

_PAIRS = """
SELECT min(a.names, b.names) AS first, max(a.names, b.names) AS second, count(*) AS games,
    sum(CASE WHEN a.names < b.names THEN a.won ELSE b.won END) AS won,
    sum(CASE WHEN a.names < b.names THEN b.won ELSE a.won END) AS lost,
    sum(CASE WHEN a.names < b.names THEN a.front - b.front ELSE b.front - a.front END) AS spread
FROM side a JOIN side b ON b.game = a.game AND b.lane > a.lane AND b.names <> a.names
WHERE a.part = 0 AND b.part = 0 {condition} GROUP BY 1, 2 ORDER BY count(*) DESC, 1, 2 LIMIT :most
"""

_HANDS = """
SELECT names, game, began, hands FROM side WHERE names IN (SELECT value FROM json_each(:typed)) AND best > 0 {condition}
ORDER BY best DESC, place DESC LIMIT :most
"""

_WALL = """
SELECT names, game, began, hands FROM {side} WHERE n24 + n28 + n29 > 0 {condition}
ORDER BY n28 + n29 > 0 DESC, place DESC LIMIT :most
"""


class StatisticsQuery(NamedTuple):
    """Filter for games that count: with `player`, started at `since` (ns since 1970) or later, of that `variant`."""

    player: str | None = None
    since: int | None = None
    variant: str | None = None


def compute_statistics(journal: JournalReader, query: StatisticsQuery) -> Json:
    """The statistics over all finished games that the query selects; names that look alike are one player."""
    spellings, values = _find_spellings(journal), _values(journal, query)
    shown = {"shown": json.dumps([*_typed_last(spellings).items()])}
    select = partial(_select, journal, query, values | shown, _sides_by_look(journal, spellings))
    solitaires = {row["names"]: row for row in select(_SOLITAIRES)}
    rows: list[_Row] = [*select(_PLAYERS)]
    found = {row["names"] for row in rows}
    rows += [defaultdict(int, names=names, of_par=1) for names in solitaires if names not in found]
    return {
        "games": _count_finished(journal, query, values),
        "players": [_player(select, row, solitaires.get(row["names"]), spellings) for row in rows[:MOST_PLAYERS]],
        "more": max(0, len(rows) - MOST_PLAYERS),
        "head_to_head": _pairs(select, spellings),
        "wall": _wall(select(_WALL, most=MAX_WALL_HANDS)),
        "left_out": _count_left_out(journal, query, values),
    }


Spellings: TypeAlias = dict[str, list[str]]
"""Names typed in several ways, as in `side`: maps the spelling in the newest game to all spellings."""


def _find_spellings(journal: JournalReader) -> Spellings:
    by_look: dict[tuple[str, ...], list[str]] = {}
    for row in journal.select("SELECT names FROM side GROUP BY names ORDER BY max(place) DESC", ()):
        by_look.setdefault(tuple(sorted(map(comparison_key, json.loads(row["names"])))), []).append(row["names"])
    return {typed[0]: typed for typed in by_look.values() if len(typed) > 1}


def _typed_last(spellings: Spellings) -> dict[str, str]:
    """Maps each spelling to the newest one."""
    return {typed: last for last, all_typed in spellings.items() for typed in all_typed}


def spellings_of(journal: JournalReader, player: str) -> str:
    """The seat names that look like `player`, as a JSON list."""
    names = (str(row["name"]) for row in journal.select("SELECT DISTINCT name FROM seat", ()))
    return json.dumps([name for name in names if comparison_key(name) == comparison_key(player)])


def _sides_by_look(journal: JournalReader, spellings: Spellings) -> dict[str, str]:
    """The table `side` with the newest spelling of names; the table itself if no name has two spellings.

    `scan` forces a full scan, ignoring indexes.
    """
    if not spellings:
        return {"side": "side", "scan": "side NOT INDEXED"}
    columns = [str(row["name"]) for row in journal.select("SELECT name FROM pragma_table_info('side')", ())]
    shown = ", ".join("coalesce(shown, names) AS names" if name == "names" else name for name in columns)
    pairs = "SELECT json_extract(value, '$[0]') AS typed, json_extract(value, '$[1]') AS shown FROM json_each(:shown)"
    table = f"(SELECT {shown} FROM side LEFT JOIN ({pairs}) ON typed = names) AS side"  # noqa: S608 - no user input
    return {"side": table, "scan": table}


def _select(  # noqa: PLR0917 - all but the last three are the same for every query
    journal: JournalReader,
    query: StatisticsQuery,
    values: Json,
    tables: dict[str, str],
    sql: str,
    sides: tuple[str, ...] = ("side",),
    **more: object,
) -> list[sqlite3.Row]:
    """Run a query on the games that count, filtered by the first of `sides`; one of them must be the player's lane."""
    player = " OR ".join(f"({side}.game, {side}.lane, {side}.part) IN ({_PARTS_OF_PLAYER})" for side in sides)
    condition = _condition(query, f"{sides[0]}.began", f"{sides[0]}.variant", f"({player})")
    return journal.select(sql.format(condition=condition, **tables), values | more)


def _values(journal: JournalReader, query: StatisticsQuery) -> Json:
    """The SQL parameters of a query."""
    return query._asdict() | {"players": None if query.player is None else spellings_of(journal, query.player)}


def _condition(query: StatisticsQuery, began: str, variant: str, player: str) -> str:
    """The end of a WHERE clause for the games that count, given the two columns and the condition for the player."""
    tests = ((query.since, f"{began} >= :since"), (query.variant, f"{variant} = :variant"), (query.player, player))
    return "".join(f" AND {test}" for value, test in tests if value is not None)


def _count_finished(journal: JournalReader, query: StatisticsQuery, values: Json) -> int:
    condition = _condition(query, "began", "variant", _GAME_OF_PLAYER)
    return journal.number(f"SELECT count(*) FROM side WHERE lane = 0 AND part = 0 {condition}", values)  # noqa: S608 - no user input


def _count_left_out(journal: JournalReader, query: StatisticsQuery, values: Json) -> Json:
    began = "(SELECT at FROM event WHERE event.id = game.started)"
    condition = _condition(query, began, "variant", PLAYER_IN_GAME)
    (row,) = journal.select(
        "SELECT count(CASE WHEN abandoned THEN 1 END) AS games_given_up,"  # noqa: S608 - no user input
        " count(CASE WHEN NOT abandoned THEN 1 END) AS games_unfinished FROM game"
        f" WHERE (abandoned OR (imported AND NOT over)) AND {IS_LISTED} {condition}",
        values,
    )
    return dict(row)


def _streak(wins: Iterable[int]) -> tuple[int, int]:
    """The current streak of games won (1) or lost (0), negative for losses; and the longest streak of games won."""
    runs = [(won, len(list(run))) for won, run in groupby(wins)] or [(1, 0)]
    won, newest = runs[-1]
    return (newest if won else -newest), max((length for won, length in runs if won), default=0)


def _player(
    select: Callable[..., list[sqlite3.Row]], row: _Row, alone: sqlite3.Row | None, spellings: Spellings
) -> Json:
    typed = json.dumps(spellings.get(row["names"], [row["names"]]))
    streak, longest = _streak(game["won"] for game in select(_WINS, typed=typed))
    deals = row["dealer_deals"] + row["pone_deals"]
    sizes, notable = (1, 2, 3), [f"n{points}" for points in NOTABLE]
    dealer, pone = (Average(row[f"{who}_deals"], row[f"{who}_points"]) for who in ("dealer", "pone"))
    return {
        "names": json.loads(row["names"]),
        "games": row["games"],
        "took_over": row["took_over"],
        "won": row["won"],
        "lost": row["games"] - row["won"],
        "skunks": {what: [row[f"{what}{size}"] for size in sizes] for what in ("given", "taken")},
        "streak": streak,
        "longest": longest,
        "points": row["points"],
        "spread": row["spread"],
        "matches": {"played": row["matches"], "won": row["matches_won"]},
        "dealer": average_values(dealer, DEALER_PAR if row["of_par"] else None),
        "pone": average_values(pone, PONE_PAR if row["of_par"] else None),
        "play": round_average(Average(deals, row["play"])),
        "hand": round_average(Average(deals, row["hand"])),
        "crib": round_average(Average(row["dealer_deals"], row["crib"])),
        "first_dealer": {"games": row["dealt_first"], "won": row["dealt_first_won"]},
        "best_hands": _best_hands(select(_HANDS, typed=typed, most=MOST_HANDS)),
        "wall": {name[1:]: row[name] + (0 if alone is None else alone[name]) for name in notable},
        "left_out": {"unfinished": row["unfinished"], "unknown": row["unknown"], "points": row["unknown_points"]},
        "solitaire": None
        if alone is None
        else {name: alone[name] for name in ("games", "won", "greater", "best")}
        | {"average": round(alone["average"], 2)},
    }


def _pairs(select: Callable[..., list[sqlite3.Row]], spellings: Spellings) -> list[Json]:
    """Head-to-head records, most games first; spellings are merged here, because SQL would have to join all games."""
    shown = _typed_last(spellings)
    sums: dict[tuple[str, str], list[int]] = {}
    for row in select(_PAIRS, ("a", "b"), most=-1 if spellings else MOST_PAIRS):
        one, other = (shown.get(row[side], row[side]) for side in ("first", "second"))
        figures = [row["games"], row["won"], row["lost"], row["spread"]]
        if one > other:
            one, other, figures = other, one, [figures[0], figures[2], figures[1], -figures[3]]
        sums[one, other] = [sum(pair) for pair in zip(sums.get((one, other), (0, 0, 0, 0)), figures, strict=True)]
    most = sorted(sums.items(), key=lambda item: (-item[1][0], item[0]))[:MOST_PAIRS]
    return [
        {"names": [json.loads(name) for name in names], "games": games, "won": [won, lost], "spread": spread}
        for names, (games, won, lost, spread) in most
    ]


def _hands(rows: Iterable[sqlite3.Row]) -> Iterator[tuple[str, Json]]:
    for row in rows:
        for points, why, deal, sure in json.loads(row["hands"]):
            at = row["began"] / view_as_json.NANOSECONDS
            yield (
                row["names"],
                {"points": points, "why": why, "game": row["game"], "deal": deal, "at": at, "sure": sure},
            )


def _best_hands(rows: Iterable[sqlite3.Row]) -> list[Json]:
    """A player's best hands, chosen from the best hands of the selected games."""
    return sorted((hand for _, hand in _hands(rows)), key=lambda hand: (-hand["points"], -hand["at"]))[:MOST_HANDS]


def _wall(rows: Iterable[sqlite3.Row]) -> list[Json]:
    hands = [hand | {"names": json.loads(names)} for names, hand in _hands(rows) if hand["points"] in NOTABLE]
    return sorted(hands, key=lambda hand: hand["points"] == NOTABLE[0])[:MAX_WALL_HANDS]


def average_values(average: Average, par: float | None) -> Json:
    """Points per deal, with the number of deals and the par."""
    return {"deals": average.deals, "average": round_average(average), "par": par}


def round_average(average: Average) -> float | None:
    """Points per deal, to hundredths; None if there are no deals."""
    return None if average.average is None else round(average.average, 2)
