"""Summary of one game for lists and statistics: its result, its item of the list, a row for each lane."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pegboard.core import wire
from pegboard.core.board import Game
from pegboard.core.entry import Origin
from pegboard.core.game_statistics import NOTABLE, Figures, figures, pars
from pegboard.core.match import Result, result
from pegboard.core.moves import Ruling
from pegboard.core.rules import Seat
from pegboard.core.view_as_json import NANOSECONDS, round_probability
from pegboard.storage.summary.name_corrections import compact_json, lane_names

BEST = 5
"""Best hands that are stored of each lane of a game: points, reason, deal, how sure that reading is."""


@dataclass(frozen=True, slots=True)
class GameSummary:
    """What the summary tables hold of one game.

    Attributes:
        result: how it was won, as JSON text; None where nobody has won.
        over: whether it is over.
        list_item: what a list of games shows of it, as JSON text.
        lines: how many lines its score sheet has.
        lane_rows: the values of `lane_rows`, once it is over.
    """

    result: str | None
    over: bool
    list_item: str
    lines: int
    lane_rows: tuple[tuple[Any, ...], ...]


def summarize(game: Game) -> GameSummary:
    """The summary of a game as it stands."""
    won, over = result(game), game.outcome is not None
    rows = tuple(lane_rows(game, won)) if over else ()
    return GameSummary(result_json(won), over, compact_json(list_item(game)), len(game.entries), rows)


def result_json(won: Result | None) -> str | None:
    """A result as it is stored."""
    return None if won is None else compact_json(wire.result_values(won))


def list_item(game: Game) -> dict[str, Any]:
    """What a list of games shows of a game, as far as its score sheet says it."""
    outcome, at, won = game.outcome, game.position, result(game)
    end = ending_origin(game)
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
        "corrected": is_corrected(game, end),
        "deals": game.followed.progress.deal,
    }


def ending_origin(game: Game) -> Origin | None:
    """The origin of the line that ended the game for good; None while it goes on."""
    if game.outcome is None:
        return None
    line = len(game.entries)
    while line > 1 and game.positions[line - 1].outcome is not None:
        line -= 1
    return game.entries[line - 1].origin


def is_corrected(game: Game, end: Origin | None) -> bool:
    """Whether a ruling stands, a line was amended, or anything was changed after the end."""
    if any(isinstance(entry.event, Ruling) and entry.stands for entry in game.entries):
        return True
    changes = (change for entry in game.entries for change in entry.history)
    return any(change.did == "amend" or (end is not None and change.origin.event > end.event) for change in changes)


def lane_rows(game: Game, won: Result | None) -> Iterator[tuple[Any, ...]]:
    """For each lane of a finished game its row of the table `side`, without the game's id, place, time and match."""
    found = figures(game)
    of_par = pars(game.rules) != (None, None)
    for lane, averages in enumerate(found.lanes):
        yield (
            *(lane, game.rules.variant, lane_names(game.players, game.rules.lanes, lane), game.rules.lanes == 1),
            *_result_columns(game, won, lane, found.first_dealer),
            *(*averages.dealer, *averages.pone, averages.play.points, averages.hand.points, averages.crib.points),
            *(of_par, found.left_out.unfinished, found.left_out.unknown, found.unsure_points(lane)),
            *_hand_columns(found, lane),
        )


def _result_columns(game: Game, won: Result | None, lane: int, first: Seat) -> tuple[int, ...]:
    assert game.outcome is not None
    has_won, skunks = game.outcome.winner == lane, game.outcome.skunks
    given = [sum(min(missed, 3) == size for missed in skunks) if has_won else 0 for size in (1, 2, 3)]
    dealt_first = game.rules.lane_of(first) == lane
    points = won.points if won is not None and has_won else 0
    spread = 0 if won is None else won.spread[lane]
    greater = has_won and bool(game.rules.enough) and game.lanes[lane].front >= game.rules.game_hole
    return (has_won, dealt_first, min(skunks[lane], 3), *given, points, spread, game.lanes[lane].front, greater)


def _hand_columns(found: Figures, lane: int) -> tuple[Any, ...]:
    hands = [hand for hand in found.hands if hand.lane == lane and hand.points]
    notable = [sum(hand.points == points for hand in hands) for points in NOTABLE]
    best = [[hand.points, hand.why, hand.deal, round_probability(hand.sure)] for hand in hands[:BEST]]
    return hands[0].points if hands else 0, compact_json(best), *notable
