"""Figures of each deal of a game: who dealt it, and what each lane has pegged in it, by what that was for."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from pegboard.core.board import Game
from pegboard.core.course.certainty import Certainty
from pegboard.core.course.likeliest_readings import Reading
from pegboard.core.match import first_dealer
from pegboard.core.moves import MugginsCalled, Reason, Scored
from pegboard.core.position import deal_out
from pegboard.core.referee.replay import BEFORE_THE_SHOW
from pegboard.core.rules import Hole, Seat

Fronts: TypeAlias = tuple[Hole, ...]
"""Where the front peg of each lane stands."""

KINDS = dict.fromkeys(BEFORE_THE_SHOW, "play") | {"hand": "hand", "crib": "crib"}
"""The part of a deal that points of a reason belong to; points for an opponent's fault belong to none."""

KNOWN = 0.98
"""How likely each reason of a deal must be for the deal to count in averages."""


class Tally(NamedTuple):
    """Holes that a lane has pegged, by what they were for.

    Attributes:
        play: cards laid, go and heels.
        hand: hands counted.
        crib: cribs counted.
        other: penalties, muggins, awards, rulings and head starts; these can go back.
        unknown: points of which nothing tells what they are for.
    """

    play: int = 0
    hand: int = 0
    crib: int = 0
    other: int = 0
    unknown: int = 0

    @property
    def from_cards(self) -> int:
        """Points for cards: play, hand and crib."""
        return self.play + self.hand + self.crib


@dataclass(frozen=True, slots=True)
class DealFigures:
    """One deal.

    Attributes:
        deal: its number, from 1.
        dealer: who dealt it, as far as the sheet tells.
        whole: whether it was played out: the next one was dealt, and a hand had been counted.
        sure: how likely the least likely of its reasons is, 0 to 1; 1 where all were said.
        lanes: what each lane has pegged in it.
        fronts: where the front pegs stood when it ended.
    """

    deal: int
    dealer: Seat
    whole: bool
    sure: float
    lanes: tuple[Tally, ...]
    fronts: tuple[Hole, ...]

    @property
    def tells(self) -> bool:
        """Whether it counts in averages."""
        return self.whole and self.known

    @property
    def unsure(self) -> bool:
        """Whether it is left out because nobody can be sure what its points are for."""
        return self.whole and not self.known

    @property
    def known(self) -> bool:
        """Whether it is sure enough what its points are for."""
        return self.sure >= KNOWN


class _Deal:
    """Sums of a deal while its lines are read."""

    def __init__(self, lanes: int) -> None:
        self.tallies = [dict.fromkeys(Tally._fields, 0) for _ in range(lanes)]
        self.dealer: Seat = 0
        self.counted, self.sure = False, 1.0
        self.fronts: tuple[Hole, ...] = ()

    def figures(self, number: int, *, passed: bool) -> DealFigures:
        tallies = tuple(Tally(**tally) for tally in self.tallies)
        return DealFigures(number, self.dealer, passed and self.counted, self.sure, tallies, self.fronts)


def deal_figures(
    game: Game,
    lines: Sequence[int],
    fronts: Sequence[Fronts],
    truth: Mapping[int, int],
    sure: Mapping[int, Certainty],
) -> tuple[DealFigures, ...]:
    """The figures of each deal, by the course of the game."""
    followed, lanes = game.followed, game.rules.lanes
    deals: defaultdict[int, _Deal] = defaultdict(lambda: _Deal(lanes))
    _add_other(deals[1], (0,) * lanes, fronts[0])
    deals[1].dealer, deals[1].fronts = first_dealer(game), fronts[0]
    for line in lines:
        event, reading = game.entries[line - 1].event, reading_of(game, line)
        deal, pegged = deals[reading.deal], fronts[line - 1]
        deal.dealer = reading.dealer
        if isinstance(event, (Scored, MugginsCalled)):
            holes = _holes_of(game, line, event, truth.get(line, event.points))
            _add_score(deal, event, reading.why, holes)
            deal.sure = min(deal.sure, sure[line].part if line in sure else 1.0)
            pegged = _move_on(pegged, event.lane, holes)
            deal.fronts = pegged
        begins = game.positions[line].deal > game.positions[line - 1].deal and reading.why == Reason.CRIB
        if pegged != fronts[line]:
            _add_other(deals[reading.deal + begins], pegged, fronts[line])
    last = max(followed.progress.deal, *deals)
    deals[last].dealer = followed.progress.dealer
    for number in range(2, last + 1):
        deals[number].fronts = deals[number].fronts or deals[number - 1].fronts
    return tuple(deals[number].figures(number, passed=number < last) for number in sorted(deals))


def reading_of(game: Game, line: int) -> Reading:
    """What a line that counts was most likely for, and its deal."""
    reading = game.followed.readings[line - 1]
    assert reading is not None  # only lines that do not count have none
    return reading


def _add_other(deal: _Deal, pegged: Fronts, fronts: Fronts) -> None:
    """Add other moves of pegs than by points: a ruling, an award, a head start."""
    for tally, old, new in zip(deal.tallies, pegged, fronts, strict=True):
        tally["other"] += new - old
    deal.fronts = fronts


def _add_score(deal: _Deal, event: Scored | MugginsCalled, why: Reason | None, holes: int) -> None:
    """Add the holes that points have moved a peg, under what they were for."""
    unsaid = "unknown" if why is None and event.why is None else "other"
    deal.tallies[event.lane][KINDS.get(why or "", unsaid)] += holes
    deal.counted = deal.counted or why in {Reason.HAND, Reason.CRIB}
    if unsaid == "unknown":
        deal.sure = 0.0


def _holes_of(game: Game, line: int, event: Scored | MugginsCalled, points: int) -> int:
    """Holes that points have moved their lane's peg, up to the game hole."""
    before, after, rules = game.positions[line - 1], game.positions[line], game.rules
    starts = before.lanes
    if after.deal > before.deal and event.why in BEFORE_THE_SHOW:
        starts = deal_out(rules, before.lanes, rules.after(before.dealer), after.deal).lanes
    return min(points, rules.game_hole - starts[event.lane].front)


def _move_on(fronts: Fronts, lane: int, holes: int) -> Fronts:
    """The front peg of one lane so many holes further."""
    return (*fronts[:lane], fronts[lane] + holes, *fronts[lane + 1 :])
