"""Games that were played: the list of them, one with its figures, and statistics over all; reading only."""

import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from pegboard.core import snapshot
from pegboard.core.board import Game
from pegboard.core.game_statistics import (
    DEALER_PAR,
    NOTABLE,
    PONE_PAR,
    Average,
    DealFigures,
    Figures,
    LaneFigures,
    figures,
    pars,
)
from pegboard.core.wire import line_id
from pegboard.storage.journal import Look, Row, fold, look
from pegboard.storage.summary import card_values

Json: TypeAlias = dict[str, Any]

MOST_PLAYERS, MOST_PAIRS, MOST_ON_THE_WALL, MOST_HANDS = 100, 200, 50, 5
"""Rows of each kind in the statistics; a tournament's field would fill books."""

KEPT_ANSWERS = 16
"""Statistics that are remembered while no finished game changes."""

LISTED = """
SELECT id, match, format, variant, started, abandoned, imported, card,
    (SELECT at FROM event WHERE event.id = game.started)
FROM game
"""
"""What is listed of games; a card that is missing is made from the events."""

WORTH_LISTING = "NOT (abandoned AND lines = 0)"
"""A game that was given up before anything happened is none."""

SITS = " AND EXISTS (SELECT 1 FROM seat WHERE seat.name = ? AND seat.game = game.id)"


IN_THE_GAME = " AND game IN (SELECT game FROM seat WHERE name = ?)"
LANES_OF = "SELECT game, lane FROM seat WHERE name = ?"
"""Ways to ask for a player's games."""


@dataclass(frozen=True, slots=True)
class Asked:
    """Which games count: those with `player`, begun `since` (nanoseconds since 1970), of that `variant`."""

    player: str | None = None
    since: int | None = None
    variant: str | None = None


class History:
    """The games in the journal of a folder, looked at beside the one who writes."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.Lock()
        self._answers: dict[tuple[int, Asked], Json] = {}

    @property
    def folder(self) -> Path:
        """Where the journal is."""
        return self._folder

    def knows(self, game: str) -> bool:
        """Whether a game is in the journal.

        Raises:
            JournalError: the journal cannot be read.
        """
        with look(self._folder) as journal:
            return bool(journal.ask("SELECT 1 FROM game WHERE id = ?", game))

    def rows(self, game: str) -> list[Row]:
        """The events of a game; none where there is no such game.

        Raises:
            JournalError: the journal cannot be read.
        """
        with look(self._folder) as journal:
            return journal.rows(game)

    def revision(self) -> int:
        """The number of the journal's newest event.

        Raises:
            JournalError: the journal cannot be read.
        """
        with look(self._folder) as journal:
            return _newest(journal)

    def changed(self) -> int:
        """The newest event that has changed what statistics tell.

        Raises:
            JournalError: the journal cannot be read.
        """
        with look(self._folder) as journal:
            return _changed(journal)

    def games(self, limit: int, before: str | None = None, player: str | None = None) -> Json | None:
        """A page of the list of games, newest first; None where there is no game `before`.

        Raises:
            JournalError: the journal cannot be read.
        """
        with look(self._folder) as journal:
            running = _running(journal)
            where, values = "", []
            if before is not None:
                found = journal.ask("SELECT place, started FROM game WHERE id = ?", before)
                if not found:
                    return None
                where, values = " AND (place, started) < (?, ?)", list(found[0])
            if player is not None:
                where += SITS
                values.append(player)
            query = f"{LISTED} WHERE {WORTH_LISTING} {where} ORDER BY place DESC, started DESC LIMIT ?"
            rows = journal.ask(query, *values, limit + 1)
            cards = [_card(journal, row, running) for row in rows[:limit]]
        return {"games": cards, "before": cards[-1]["id"] if len(rows) > limit else None}

    def game(self, wanted: str) -> tuple[Json, Game] | None:
        """A game with its deals, its steps and its figures, beside the sheet; None where there is no such game.

        Raises:
            JournalError: the journal cannot be read.
        """
        with look(self._folder) as journal:
            rows = journal.ask(LISTED + "WHERE id = ?", wanted)
            if not rows:
                return None
            running = _running(journal)
            sheet = fold(journal.rows(wanted))
            card = _card(journal, rows[0], running)
            match = journal.ask("SELECT match FROM game WHERE id = ?", running)
        correctable = not card["abandoned"] and not card["imported"] and match == [(card["match"],)]
        return card | {"correctable": correctable} | _told(sheet), sheet

    def sheet(self, wanted: str) -> Game | None:
        """The sheet of a game, None where there is no such game.

        Raises:
            JournalError: the journal cannot be read.
        """
        with look(self._folder) as journal:
            rows = journal.rows(wanted)
        return fold(rows) if rows else None

    def statistics(self, asked: Asked) -> Json:
        """All finished games that are asked for, added up.

        Raises:
            JournalError: the journal cannot be read.
        """
        with look(self._folder) as journal:
            key = (_changed(journal), asked)
            with self._lock:
                known = self._answers.get(key)
            if known is None:
                known = _added_up(journal, asked)
                with self._lock:
                    while len(self._answers) >= KEPT_ANSWERS:
                        del self._answers[next(iter(self._answers))]
                    self._answers[key] = known
            return known


def cards_after(folder: Path, after: tuple[int, int], most: int) -> tuple[list[Json], tuple[int, int] | None]:
    """The games after a place in the order in which they were played, so many at most, and where the rest begins.

    Raises:
        JournalError: the journal cannot be read.
    """
    with look(folder) as journal:
        running = _running(journal)
        query = f"{LISTED} WHERE {WORTH_LISTING} AND (place, started) > (?, ?) ORDER BY place, started LIMIT ?"
        rows = journal.ask(query, *after, most)
        cards = [_card(journal, row, running) for row in rows]
        if len(rows) < most:
            return cards, None
        (place,) = journal.ask("SELECT place, started FROM game WHERE id = ?", rows[-1][0])
        return cards, (int(place[0]), int(place[1]))


def _newest(journal: Look) -> int:
    return int(journal.ask("SELECT coalesce(max(id), 0) FROM event")[0][0])


def _changed(journal: Look) -> int:
    return int(journal.ask("SELECT coalesce(max(changed), 0) FROM game")[0][0])


def _running(journal: Look) -> str | None:
    found = journal.ask(
        "SELECT id FROM game WHERE NOT abandoned AND imported = 0 ORDER BY started DESC LIMIT 1",
    )
    return str(found[0][0]) if found else None


def _card(journal: Look, row: tuple[Any, ...], running: str | None) -> Json:
    number, match, form, variant, _, abandoned, imported, card, began = row
    told = card_values(fold(journal.rows(number))) if card is None else json.loads(card)
    common = {"id": number, "match": match, "format": form, "variant": variant}
    where = {"abandoned": bool(abandoned), "running": number == running, "imported": bool(imported)}
    return common | told | {"started": began / snapshot.NANOSECONDS} | where


# --- one game ---


def _told(sheet: Game) -> Json:
    told, rules = figures(sheet), sheet.rules
    return {
        "game_hole": rules.game_hole,
        "skunk_lines": list(rules.skunk_lines),
        "rules": {name: getattr(rules, name) for name in (*snapshot.ASKED_BY_PAGES, "confirm")},
        "revisions": list(sheet.revisions),
        "deals_played": [_deal_values(deal) for deal in told.deals],
        "steps": [
            {"entry": line_id(step.line) if step.line else None, "deal": step.deal, "fronts": list(step.fronts)}
            for step in told.steps
        ],
        "figures": _figure_values(told, sheet),
    }


def _deal_values(deal: DealFigures) -> Json:
    lanes = [tally._asdict() | {"score": front} for tally, front in zip(deal.lanes, deal.fronts, strict=True)]
    told = {"deal": deal.deal, "dealer": deal.dealer, "whole": deal.whole, "known": deal.known}
    return told | {"sure": snapshot.hundredths(deal.sure), "lanes": lanes}


def _figure_values(told: Figures, sheet: Game) -> Json:
    out = told.left_out
    best = [hand for hand in told.hands if hand.points][:MOST_HANDS]
    return {
        "first_dealer": told.first_dealer,
        "lead_changes": told.lead_changes,
        "greatest_lead": list(told.greatest_lead),
        "lanes": [_averages(lane, pars(sheet.rules)) for lane in told.lanes],
        "best_hands": [
            {"points": hand.points, "why": hand.why, "deal": hand.deal, "lane": hand.lane}
            | {"seat": hand.seat, "entry": line_id(hand.line), "sure": snapshot.hundredths(hand.sure)}
            for hand in best
        ],
        "left_out": {"unfinished": out.unfinished, "unknown": out.unknown, "points": out.points},
    }


def _averages(lane: LaneFigures, par: tuple[float | None, float | None]) -> Json:
    values = {"dealer": _average(lane.dealer, par[0]), "pone": _average(lane.pone, par[1])}
    return values | {name: _rounded(getattr(lane, name).average) for name in ("play", "hand", "crib")}


def _average(of: Average, par: float | None) -> Json:
    return {"deals": of.deals, "average": _rounded(of.average), "par": par}


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 2)


# --- all of them ---

SUMS = """
SELECT names, count(*), sum(won), max(place),
    sum(taken = 1), sum(taken = 2), sum(taken = 3), sum(given1), sum(given2), sum(given3), sum(points), sum(spread),
    count(matched), coalesce(sum(matched), 0), sum(dealer_deals), sum(dealer_points), sum(pone_deals),
    sum(pone_points), sum(play), sum(hand), sum(crib),
    coalesce(min(CASE WHEN dealer_deals + pone_deals > 0 THEN of_par END), min(of_par)), sum(dealt_first),
    sum(dealt_first AND won), sum(n24), sum(n28), sum(n29), sum(unfinished), sum(unknown), sum(unknown_points)
FROM side NOT INDEXED WHERE NOT alone {and_asked} GROUP BY names ORDER BY count(*) DESC, names
"""

ALONE = """
SELECT names, count(*), sum(won), sum(greater), max(front), avg(front), sum(n24), sum(n28), sum(n29)
FROM side WHERE alone {and_asked} GROUP BY names
"""

RUNS = "SELECT names, won FROM side WHERE NOT alone {and_asked} ORDER BY names, place, game"

PAIRS = """
SELECT min(a.names, b.names), max(a.names, b.names), count(*),
    sum(CASE WHEN a.names < b.names THEN a.won ELSE b.won END),
    sum(CASE WHEN a.names < b.names THEN b.won ELSE a.won END),
    sum(CASE WHEN a.names < b.names THEN a.front - b.front ELSE b.front - a.front END)
FROM side a JOIN side b ON b.game = a.game AND b.lane > a.lane AND b.names <> a.names
WHERE a.game IS NOT NULL {and_asked} GROUP BY 1, 2 ORDER BY count(*) DESC, 1, 2 LIMIT ?
"""

HANDS = """
SELECT names, game, began, hands FROM side WHERE names = ? AND best > 0 {and_asked}
ORDER BY best DESC, place DESC LIMIT ?
"""

WALL = """
SELECT names, game, began, hands FROM side WHERE n24 + n28 + n29 > 0 {and_asked}
ORDER BY n28 + n29 > 0 DESC, place DESC LIMIT ?
"""


def _added_up(journal: Look, asked: Asked) -> Json:
    find = _Finding(journal, asked)
    rows = list(find(SUMS))
    alone = {row[0]: row[1:] for row in find(ALONE)}
    runs = _runs(find(RUNS))
    rows, shown_alone = rows[:MOST_PLAYERS], [names for names in alone if names not in runs]
    hands = {names: _best(find(HANDS, MOST_HANDS, first=names)) for names in (*(row[0] for row in rows), *shown_alone)}
    players = [_player(row, runs[row[0]], alone.get(row[0]), hands[row[0]]) for row in rows]
    players += [_alone_only(names, alone[names], hands[names]) for names in shown_alone]
    pairs = find(PAIRS, MOST_PAIRS, sides=("a", "b"))
    return {
        "games": _finished(journal, asked),
        "players": players[:MOST_PLAYERS],
        "more": len(runs) + len(shown_alone) - len(players[:MOST_PLAYERS]),
        "head_to_head": [_pair(row) for row in pairs],
        "wall": list(_wall(find(WALL, MOST_ON_THE_WALL)))[:MOST_ON_THE_WALL],
        "left_out": _not_counted(journal, asked),
    }


class _Finding:
    """Asks for what is wanted of the games that are asked for."""

    def __init__(self, journal: Look, asked: Asked) -> None:
        self._journal, self._asked = journal, asked

    def __call__(
        self, query: str, *values: object, first: str | None = None, sides: tuple[str, ...] = ("side",)
    ) -> list[tuple[Any, ...]]:
        """What a query finds; `first` is asked for before the games are, `values` after."""
        where, given = _where(self._asked, sides)
        before = () if first is None else (first,)
        return self._journal.ask(query.format(and_asked=where), *before, *given, *values)


def _where(asked: Asked, sides: tuple[str, ...]) -> tuple[str, list[object]]:
    """What the games must be: of the first table, and one of the tables must have the player in its lane."""
    where, given = _which(asked, f"{sides[0]}.began", f"{sides[0]}.variant")
    if asked.player is not None:
        sits = [f"({side}.game, {side}.lane) IN ({LANES_OF})" for side in sides]
        where, given = f"{where} AND ({' OR '.join(sits)})", [*given, *[asked.player] * len(sides)]
    return where, given


def _which(asked: Asked, began: str, variant: str) -> tuple[str, list[object]]:
    where, given = "", list[object]()
    if asked.since is not None:
        where, given = f" AND {began} >= ?", [asked.since]
    if asked.variant is not None:
        where, given = f"{where} AND {variant} = ?", [*given, asked.variant]
    return where, given


def _finished(journal: Look, asked: Asked) -> int:
    where, given = _which(asked, "began", "variant")
    if asked.player is not None:
        where, given = where + IN_THE_GAME, [*given, asked.player]
    return int(journal.ask(f"SELECT count(*) FROM side WHERE lane = 0 {where}", *given)[0][0])  # noqa: S608 - ours


def _not_counted(journal: Look, asked: Asked) -> Json:
    where, given = _which(asked, "(SELECT at FROM event WHERE event.id = game.started)", "variant")
    if asked.player is not None:
        where, given = where + SITS, [*given, asked.player]
    query = (
        "SELECT count(CASE WHEN abandoned THEN 1 END), count(CASE WHEN NOT abandoned THEN 1 END) FROM game"  # noqa: S608
        f" WHERE (abandoned OR (imported AND NOT over)) AND {WORTH_LISTING} {where}"
    )
    ((up, unfinished),) = journal.ask(query, *given)
    return {"games_given_up": up, "games_unfinished": unfinished}


def _runs(rows: list[tuple[Any, ...]]) -> dict[str, tuple[int, int]]:
    """For each the run that goes on, negative of games lost, and the longest of games won."""
    runs: dict[str, tuple[int, int]] = {}
    for names, won in rows:
        now, longest = runs.get(names, (0, 0))
        if won:
            now = now + 1 if now > 0 else 1
            runs[names] = now, max(longest, now)
        else:
            runs[names] = (now - 1 if now < 0 else -1), longest
    return runs


def _player(row: tuple[Any, ...], runs: tuple[int, int], alone: tuple[Any, ...] | None, hands: list[Json]) -> Json:
    (names, games, won, _, *skunks) = row[:10]
    points, spread, matches, matches_won, own, own_points, others, others_points = row[10:18]
    play, hand, crib, of_par, dealt, dealt_won, n24, n28, n29, unfinished, unknown, unknown_points = row[18:]
    deals, solo = own + others, alone[5:] if alone else (0, 0, 0)
    return {
        "names": json.loads(names),
        "games": games,
        "won": won,
        "lost": games - won,
        "skunks": {"given": skunks[3:], "taken": skunks[:3]},
        "streak": runs[0],
        "longest": runs[1],
        "points": points,
        "spread": spread,
        "matches": {"played": matches, "won": matches_won},
        "dealer": _average(Average(own, own_points), DEALER_PAR if of_par else None),
        "pone": _average(Average(others, others_points), PONE_PAR if of_par else None),
        "play": _rounded(Average(deals, play).average),
        "hand": _rounded(Average(deals, hand).average),
        "crib": _rounded(Average(own, crib).average),
        "first_dealer": {"games": dealt, "won": dealt_won},
        "best_hands": hands,
        "wall": {"24": n24 + solo[0], "28": n28 + solo[1], "29": n29 + solo[2]},
        "left_out": {"unfinished": unfinished, "unknown": unknown, "points": unknown_points},
        "solitaire": None if alone is None else _solitaire(alone),
    }


def _alone_only(names: str, alone: tuple[Any, ...], hands: list[Json]) -> Json:
    """One who has played nothing but solitaire."""
    return _player((names, *[0] * 20, 1, *[0] * 8), (0, 0), alone, hands)


def _solitaire(row: tuple[Any, ...]) -> Json:
    games, won, greater, best, average, *_ = row
    return {"games": games, "won": won, "greater": greater, "best": best, "average": _rounded(average)}


def _pair(row: tuple[Any, ...]) -> Json:
    first, second, games, won, lost, spread = row
    return {
        "names": [json.loads(first), json.loads(second)],
        "games": games,
        "won": [won, lost],
        "spread": spread,
    }


def _each_hand(rows: list[tuple[Any, ...]]) -> Iterator[tuple[str, Json]]:
    for names, game, began, hands in rows:
        for points, why, deal, sure in json.loads(hands):
            at = began / snapshot.NANOSECONDS
            yield names, {"points": points, "why": why, "game": game, "deal": deal, "at": at, "sure": sure}


def _best(rows: list[tuple[Any, ...]]) -> list[Json]:
    """The best hands of one: they are among those of the games with the best ones."""
    return sorted((hand for _, hand in _each_hand(rows)), key=_worth)[:MOST_HANDS]


def _worth(hand: Json) -> tuple[int, float]:
    return -hand["points"], -hand["at"]


def _wall(rows: list[tuple[Any, ...]]) -> Iterator[Json]:
    hung = [hand | {"names": json.loads(names)} for names, hand in _each_hand(rows) if hand["points"] in NOTABLE]
    yield from sorted(hung, key=lambda hand: hand["points"] == NOTABLE[0])
