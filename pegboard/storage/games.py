"""Game queries on the journal: list of games, game details with figures, played pairings, cached statistics."""

import json
import sqlite3
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

from pegboard.core import view_as_json, wire
from pegboard.core.board import Game
from pegboard.core.command_fields import line_id
from pegboard.core.game_statistics import DealFigures, Figures, LaneFigures, figures, pars
from pegboard.core.moves import Started
from pegboard.core.names import comparison_key
from pegboard.errors import JournalError
from pegboard.storage.event_row import UNREPLAYABLE, EventRow, replay_on
from pegboard.storage.reader import JournalReader, read_snapshot
from pegboard.storage.schema import INCOMPLETE
from pegboard.storage.statistics import (
    IS_LISTED,
    MOST_HANDS,
    PLAYER_IN_GAME,
    Json,
    StatisticsQuery,
    average_values,
    compute_statistics,
    round_average,
    spellings_of,
)
from pegboard.storage.summary import RUNNING_GAME, list_item, substitutes_item

# --- games that a table played for a club event ---


_PLAYED = """
SELECT json_extract(event.body, '$.pairing') AS pairing FROM game JOIN event ON event.id = game.started
WHERE game.over AND NOT game.abandoned AND game.imported = 0 AND substr(pairing, 1, ?) = ?
"""


def played_pairings(folder: Path, event: str) -> frozenset[str]:
    """The pairings of an event's games that are over and not abandoned.

    Raises:
        JournalError: the journal cannot be read.
    """
    beginning = f"{event}/"
    with read_snapshot(folder) as journal:
        return frozenset(str(row["pairing"]) for row in journal.select(_PLAYED, (len(beginning), beginning)))


def rows_of_game(folder: Path, game: str) -> list[EventRow]:
    """The events of one game, without name corrections made in a later game of its match.

    Raises:
        JournalError: the journal cannot be read.
    """
    with read_snapshot(folder) as journal:
        return [row for row in journal.rows(game) if row.game == game]


T = TypeVar("T")

CACHE_SIZE = 16
"""Number of cached statistics; they are valid until a finished game changes."""

SHEETS = 2
"""Number of cached replayed sheets, with their derived data: replaying a long sheet takes a tenth of a second."""

_GAMES = """
SELECT id, match, format, variant, started, place, abandoned, imported, card,
    (SELECT at FROM event WHERE event.id = game.started) AS began,
    (SELECT CASE WHEN json_valid(body) AND json_extract(body, '$.rules.preset') IS NOT NULL THEN body END FROM event
    WHERE event.id = game.started) AS by_preset
FROM game
"""
"""The columns for a list of games; a missing `card` is rebuilt from the events. `by_preset` is the start by a preset.

The preset is not part of the summary, so that release 0.2.0 finds the summary as it would write it.
"""

_IN_MATCH = "SELECT 1 FROM game WHERE id = ? AND match = ? AND NOT abandoned AND imported = 0"

_HAS_SUBSTITUTE = "id IN (SELECT value FROM json_each(:games))"

_UNFINISHED_WITH_SUBSTITUTES = """
SELECT id FROM game WHERE (abandoned OR NOT over)
AND EXISTS (SELECT 1 FROM event WHERE event.game = game.id AND event.kind = 'substituted')
"""
"""The games whose substitutes are not in the table `seat`, which lists those of finished games."""

_PLACE = "SELECT place, started FROM game WHERE id = ?"


class History:
    """Read access to the games in the journal of `folder`, while another process may write."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._cached_statistics = lru_cache(CACHE_SIZE)(self._statistics_at)
        self._sheets: dict[str, tuple[EventRow, int, Game]] = {}  # by game: newest row, number of rows, sheet

    def has_game(self, game: str) -> bool:
        """Whether a game is in the journal.

        Raises:
            JournalError: the journal cannot be read.
        """
        with read_snapshot(self.folder) as journal:
            return bool(journal.select(_PLACE, (game,)))

    def rows(self, game: str) -> list[EventRow]:
        """The events of a game; empty if there is no such game.

        Raises:
            JournalError: the journal cannot be read.
        """
        with read_snapshot(self.folder) as journal:
            return journal.rows(game)

    def revision(self) -> int:
        """The number of the journal's newest event.

        Raises:
            JournalError: the journal cannot be read.
        """
        with read_snapshot(self.folder) as journal:
            return journal.newest_event()

    def statistics_revision(self) -> int:
        """The number of the newest event that changed statistics.

        Raises:
            JournalError: the journal cannot be read.
        """
        with read_snapshot(self.folder) as journal:
            return journal.number("SELECT coalesce(max(changed), 0) FROM game")

    def games(self, limit: int, before: str | None = None, player: str | None = None) -> Json | None:
        """A page of the list of games, newest first; None if there is no game `before`.

        Raises:
            JournalError: the journal cannot be read.
        """
        with read_snapshot(self.folder) as journal:
            place = journal.select(_PLACE, (before,))
            if before is not None and not place:
                return None
            condition = f"{IS_LISTED} AND (place, started) < (:place, :started)" if place else IS_LISTED
            if player is not None:
                condition += f" AND ({PLAYER_IN_GAME} OR {_HAS_SUBSTITUTE})"
            players = None if player is None else spellings_of(journal, player)
            of_substitute = None if player is None else json.dumps(self._find_unfinished_of_substitute(journal, player))
            values = {"players": players, "games": of_substitute, "most": limit + 1} | dict(place[0] if place else {})
            rows = journal.select(f"{_GAMES} WHERE {condition} ORDER BY place DESC, started DESC LIMIT :most", values)
            items = _list_items(journal, rows[:limit], lambda game: self._sheet_of(journal.rows(game)))
        return {"games": items, "before": items[-1]["id"] if len(rows) > limit else None}

    def _find_unfinished_of_substitute(self, journal: JournalReader, player: str) -> list[str]:
        """The running and abandoned games in which a player of that name took over a seat."""
        games = [str(row["id"]) for row in journal.select(_UNFINISHED_WITH_SUBSTITUTES)]
        wanted = comparison_key(player)
        return [
            game
            for game in games
            if any(
                comparison_key(one["name"]) == wanted
                for one in substitutes_item(self._sheet_of(journal.rows(game))).get("substitutes", ())
            )
        ]

    def game(self, wanted: str) -> tuple[Json, Game] | None:
        """A game with its deals, steps and figures, and its score sheet; None if there is no such game.

        Raises:
            JournalError: the journal cannot be read.
        """
        with read_snapshot(self.folder) as journal:
            rows = journal.select(_GAMES + "WHERE id = ?", (wanted,))
            if not rows:
                return None
            sheet = self._sheet_of(journal.rows(wanted))
            (item,) = _list_items(journal, rows, lambda _: sheet)
            match = journal.select(f"SELECT 1 FROM game WHERE id = ({RUNNING_GAME}) AND match = ?", (item["match"],))  # noqa: S608 - no user input
            details = _game_detail(sheet)
        correctable = not item["abandoned"] and not item["imported"] and bool(match)
        return item | {"correctable": correctable} | details, sheet

    def render_sheet(self, game: str, render: Callable[[Game], T]) -> T | None:
        """The result of `render` for the score sheet of a game; None if there is no such game.

        Raises:
            JournalError: the journal cannot be read.
        """
        with read_snapshot(self.folder) as journal:
            rows = journal.rows(game)
            return render(self._sheet_of(rows)) if rows else None

    def sheet_in_match(self, game: str, match: str) -> Game | None:
        """The score sheet of a game if it belongs to this match of this table; else None.

        Raises:
            JournalError: the journal cannot be read.
        """
        with read_snapshot(self.folder) as journal:
            rows = journal.rows(game) if journal.select(_IN_MATCH, (game, match)) else []
        return self._sheet_of(rows) if rows else None

    def _sheet_of(self, rows: list[EventRow]) -> Game:
        """The sheet of a game's rows, cached: only rows added since the last call are replayed.

        The journal is append-only, so rows up to the cached one are unchanged, unless the journal was replaced.
        """
        game, cached = rows[0].game, self._sheets
        newest, count, known = cached.get(game, (None, 0, Game()))
        if 0 < count <= len(rows) and rows[count - 1] == newest:
            sheet = known if count == len(rows) else _replay(rows[count:], known)
        else:
            sheet = _replay(rows)
        others = [(name, value) for name, value in cached.items() if name != game]
        self._sheets = dict([*others[1 - SHEETS :], (game, (rows[-1], len(rows), sheet))])
        return sheet

    def statistics(self, query: StatisticsQuery) -> Json:
        """The statistics over all finished games that the query selects.

        Raises:
            JournalError: the journal cannot be read.
        """
        with read_snapshot(self.folder) as journal:
            (state,) = journal.select("SELECT epoch, (SELECT coalesce(max(changed), 0) FROM game) FROM about")
        return self._cached_statistics(tuple(state), query)

    def _statistics_at(self, _state: tuple[str, int], query: StatisticsQuery) -> Json:
        """The statistics, cached by revision; if a game ends meanwhile, they are newer than the revision, not older."""
        with read_snapshot(self.folder) as journal:
            return compute_statistics(journal, query)


def list_items_after(folder: Path, after: tuple[int, int], most: int) -> tuple[list[Json], tuple[int, int] | None]:
    """Up to `most` games after a place in the order of play, and the place of the last of them if there may be more.

    Raises:
        JournalError: the journal cannot be read.
    """
    with read_snapshot(folder) as journal:
        query = f"{_GAMES} WHERE {IS_LISTED} AND (place, started) > (?, ?) ORDER BY place, started LIMIT ?"
        rows = journal.select(query, (*after, most))
        items = _list_items(journal, rows)
    return items, (rows[-1]["place"], rows[-1]["started"]) if len(rows) == most else None


def _list_items(
    journal: JournalReader, rows: list[sqlite3.Row], sheet_of: Callable[[str], Game] | None = None
) -> list[Json]:
    running = {row["id"] for row in journal.select(RUNNING_GAME)}
    incomplete = _incomplete_games(journal)
    replay = sheet_of or (lambda game: _replay(journal.rows(game)))
    return [
        _list_item(row, replay) | {"running": row["id"] in running, "incomplete": row["id"] in incomplete}
        for row in rows
    ]


def _replay(rows: list[EventRow], sheet: Game = Game()) -> Game:  # noqa: B008 - it never changes
    """Replay further events of a game.

    Raises:
        JournalError: the events are damaged.
    """
    try:
        return replay_on(sheet, rows)
    except UNREPLAYABLE as error:
        raise JournalError("journal_game_damaged", game=rows[0].game) from error


def _incomplete_games(journal: JournalReader) -> set[str]:
    """The games that lack or may lack scores since a damaged journal was salvaged."""
    if not journal.select("SELECT 1 FROM sqlite_master WHERE name = ?", (INCOMPLETE,)):
        return set()
    return {row["game"] for row in journal.select(f"SELECT game FROM {INCOMPLETE}")}  # noqa: S608 - no user input


def _list_item(row: sqlite3.Row, sheet_of: Callable[[str], Game]) -> Json:
    text = row["card"]
    item = list_item(sheet_of(row["id"])) if text is None else json.loads(text)
    common = {name: row[name] for name in ("id", "match", "format", "variant")} | {"preset": _preset(row["by_preset"])}
    started, ended = row["began"] / view_as_json.NANOSECONDS, item["ended"]
    if ended is not None and ended < started:  # the clock was set back during the game
        ended = None
    return (
        common
        | item
        | {"started": started, "ended": ended, "abandoned": bool(row["abandoned"])}
        | {"imported": bool(row["imported"])}
    )


def _preset(started: str | None) -> Json | None:
    """The preset that a start event names, with what players changed in it, or None."""
    if started is None:
        return None
    event = wire.read_event("started", json.loads(started))
    assert isinstance(event, Started)
    state: Json | None = view_as_json.preset_state(event.rules).get("preset")
    return state


def _game_detail(sheet: Game) -> Json:
    found, rules = figures(sheet), sheet.rules
    return {
        "pairing": sheet.pairing or None,
        "game_hole": rules.game_hole,
        "skunk_lines": list(rules.skunk_lines),
        "rules": view_as_json.rules_state(rules) | {"confirm": rules.confirm},
        "revisions": list(sheet.revisions),
        "deals_played": [_deal_values(deal) for deal in found.deals],
        "steps": [
            {"entry": line_id(step.line) if step.line else None, "deal": step.deal, "fronts": list(step.fronts)}
            for step in found.steps
        ],
        "figures": _figure_values(found, sheet),
    }


def _deal_values(deal: DealFigures) -> Json:
    return {
        "deal": deal.deal,
        "dealer": deal.dealer,
        "whole": deal.whole,
        "known": deal.known,
        "sure": view_as_json.round_probability(deal.sure),
        "lanes": [tally._asdict() | {"score": front} for tally, front in zip(deal.lanes, deal.fronts, strict=True)],
    }


def _figure_values(found: Figures, sheet: Game) -> Json:
    out = found.left_out
    best = [hand for hand in found.hands if hand.points][:MOST_HANDS]
    return {
        "first_dealer": found.first_dealer,
        "lead_changes": found.lead_changes,
        "greatest_lead": list(found.greatest_lead),
        "lanes": [_lane_averages(lane, pars(sheet.rules)) for lane in found.lanes],
        "parts": [
            {"names": list(part.players), "lane": part.lane, "holes": part.holes, "deals": part.deals}
            for part in found.parts
        ],
        "best_hands": [
            {"points": hand.points, "why": hand.why, "deal": hand.deal, "lane": hand.lane}
            | {"seat": hand.seat, "entry": line_id(hand.line), "sure": view_as_json.round_probability(hand.sure)}
            | ({"by": sheet.player_of(hand.lane, hand.seat, hand.line)} if sheet.has_substitutes else {})
            for hand in best
        ],
        "left_out": {"unfinished": out.unfinished, "unknown": out.unknown, "points": out.points},
    }


def _lane_averages(lane: LaneFigures, par: tuple[float | None, float | None]) -> Json:
    return {
        "dealer": average_values(lane.dealer, par[0]),
        "pone": average_values(lane.pone, par[1]),
        "play": round_average(lane.play),
        "hand": round_average(lane.hand),
        "crib": round_average(lane.crib),
    }
