"""Game statistics from the score sheet: points by deal, averages by lane, peg positions over time, best hands."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from pegboard.core.best_path import Reading
from pegboard.core.board import Game
from pegboard.core.course_of_sheet import Certainty
from pegboard.core.match import first_dealer
from pegboard.core.moves import Dealt, MugginsCalled, Reason, Retracted, Ruling, Scored, Staged, Substituted
from pegboard.core.position import deal_out
from pegboard.core.replay import BEFORE_THE_SHOW
from pegboard.core.rules import Hole, Rules, Seat

# --- statistics of each deal ---


Fronts: TypeAlias = tuple[Hole, ...]
"""The hole of each lane's front peg."""

KINDS = dict.fromkeys(BEFORE_THE_SHOW, "play") | {"hand": "hand", "crib": "crib"}
"""The part of a deal for each reason; points for an opponent's fault belong to no part."""

KNOWN = 0.98
"""Minimum probability of each reason in a deal for the deal to count in averages."""


class Tally(NamedTuple):
    """Holes that a lane has pegged, by reason.

    Attributes:
        play: points for cards played, go and heels.
        hand: points for hands.
        crib: points for cribs.
        other: penalties, muggins, awards, rulings and head starts; can be negative.
        unknown: points whose reason is unknown.
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
    """Statistics of one deal.

    Attributes:
        deal: the deal's number, from 1.
        dealer: the deal's dealer, as inferred from the sheet.
        whole: whether the deal was finished: a hand was counted, and the next deal began.
        sure: probability of the least certain reason, 0 to 1; 1 if all were stated.
        lanes: the holes that each lane pegged.
        fronts: the front pegs at the end of the deal.
    """

    deal: int
    dealer: Seat
    whole: bool
    sure: float
    lanes: tuple[Tally, ...]
    fronts: tuple[Hole, ...]

    @property
    def tells(self) -> bool:
        """Whether the deal counts in averages."""
        return self.whole and self.known

    @property
    def unsure(self) -> bool:
        """Whether the deal is left out of averages because the reasons for its points are uncertain."""
        return self.whole and not self.known

    @property
    def known(self) -> bool:
        """Whether the reasons for its points are certain enough."""
        return self.sure >= KNOWN


class _Deal:
    """Accumulator for one deal."""

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
    """The statistics of each deal, by the inferred course of the game."""
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
    """The reading of a line that counts: its most likely reason and deal."""
    reading = game.followed.readings[line - 1]
    assert reading is not None  # every line that counts has a reading
    return reading


def _add_other(deal: _Deal, pegged: Fronts, fronts: Fronts) -> None:
    """Add peg moves that are not points: a ruling, an award, a head start."""
    for tally, old, new in zip(deal.tallies, pegged, fronts, strict=True):
        tally["other"] += new - old
    deal.fronts = fronts


def _add_score(deal: _Deal, event: Scored | MugginsCalled, why: Reason | None, holes: int) -> None:
    """Add the holes that points moved a peg, by reason."""
    unsaid = "unknown" if why is None and event.why is None else "other"
    deal.tallies[event.lane][KINDS.get(why or "", unsaid)] += holes
    deal.counted = deal.counted or why in {Reason.HAND, Reason.CRIB}
    if unsaid == "unknown":
        deal.sure = 0.0


def _holes_of(game: Game, line: int, event: Scored | MugginsCalled, points: int) -> int:
    """The number of holes that points moved their lane's peg, up to the game hole."""
    before, after, rules = game.positions[line - 1], game.positions[line], game.rules
    starts = before.lanes
    if after.deal > before.deal and event.why in BEFORE_THE_SHOW:
        starts = deal_out(rules, before.lanes, rules.after(before.dealer), after.deal).lanes
    return min(points, rules.game_hole - starts[event.lane].front)


def _move_on(fronts: Fronts, lane: int, holes: int) -> Fronts:
    """Move the front peg of one lane forward."""
    return (*fronts[:lane], fronts[lane] + holes, *fronts[lane + 1 :])


DEALER_PAR, PONE_PAR = 16.2, 10.2
"""Average holes that a good player pegs in a six-card deal with and without the crib."""

NOTABLE = (24, 28, 29)
"""Hand totals for the wall of fame."""


class ShownHand(NamedTuple):
    """A counted hand or crib with its correct points; its cards are unknown.

    `why` is hand or crib and `sure` its probability, 0 to 1. `seat` is None if only the lane is known.
    """

    points: int
    why: Reason
    deal: int
    lane: int
    seat: Seat | None
    line: int
    sure: float = 1.0


class PegStep(NamedTuple):
    """The front pegs after a line that counts; line 0 is the start."""

    line: int
    deal: int
    fronts: tuple[Hole, ...]


class Average(NamedTuple):
    """Points over a number of deals."""

    deals: int = 0
    points: int = 0

    @property
    def average(self) -> float | None:
        """Points per deal, None without a deal."""
        return self.points / self.deals if self.deals else None


@dataclass(frozen=True, slots=True)
class LaneFigures:
    """A lane's averages over the deals that count in averages.

    Attributes:
        dealer: points from play, hand and crib in the lane's own deals.
        pone: points from play and hand in other players' deals.
        play: points from the play in all these deals.
        hand: points from hands in all these deals; two hands per deal if partners share the lane.
        crib: points from cribs in the lane's own deals.
    """

    dealer: Average
    pone: Average
    play: Average
    hand: Average
    crib: Average


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Numbers of unfinished and of uncertain deals left out of averages, and the points of the uncertain deals."""

    unfinished: int
    unknown: int
    points: int


class Stint(NamedTuple):
    """The part of a game that the same players of a lane played; the whole game unless somebody took over.

    Deals that were not played from start to end by the same players are left out of averages as unfinished.

    Attributes:
        lane: the lane.
        number: 0 for those who began, then counted in order of taking over; players who come back continue their part.
        players: the names of the players.
        holes: holes that their front peg moved, by points, rulings and head starts.
        deals: number of deals in which they played.
        averages: averages over their deals.
        left_out: their deals left out of averages, and the points of the uncertain ones.
        hands: their hands and cribs, best first.
    """

    lane: int
    number: int
    players: tuple[str, ...]
    holes: int
    deals: int
    averages: LaneFigures
    left_out: LeftOut
    hands: tuple[ShownHand, ...]


@dataclass(frozen=True, slots=True)
class Figures:
    """Statistics of a game.

    Attributes:
        deals: statistics of each deal.
        steps: the pegs after each line that counts.
        hands: hands and cribs, best first.
        first_dealer: the first dealer.
        lanes: averages of each lane.
        left_out: deals left out of the averages.
        parts: what each player or pair played, lane by lane.
    """

    deals: tuple[DealFigures, ...]
    steps: tuple[PegStep, ...]
    hands: tuple[ShownHand, ...]
    first_dealer: Seat
    lanes: tuple[LaneFigures, ...]
    left_out: LeftOut
    parts: tuple[Stint, ...]

    @property
    def lead_changes(self) -> int:
        """Number of times the lead passed to another lane; ties do not count."""
        led = [lane for lane in map(_leader, self.steps) if lane is not None]
        return sum(now != before for before, now in pairwise(led))

    @property
    def greatest_lead(self) -> tuple[int, ...]:
        """Each lane's largest lead over the next lane, in holes; 0 if there is only one lane."""
        return tuple(max(_ahead(step.fronts, lane) for step in self.steps) for lane in range(len(self.lanes)))


def figures(game: Game) -> Figures:
    """The statistics of a game, after corrections and rulings."""
    lines, truth = tuple(counting_lines(game)), game.true_points
    fronts = [tuple([lane.front for lane in at.lanes]) for at in game.positions]
    sure = {} if game.followed.is_certain else game.followed.certainties(len(game.entries))
    deals = deal_figures(game, lines, fronts, truth, sure)
    hands = tuple(sorted(_hands(game, lines, truth, sure), key=lambda hand: (-hand.points, hand.line)))
    return Figures(
        deals,
        tuple(_steps(game, lines, fronts)),
        hands,
        deals[0].dealer,
        tuple(_of_lane(game.rules, deals, lane) for lane in range(game.rules.lanes)),
        _leave_out(deals),
        tuple(part for lane in range(game.rules.lanes) for part in _parts(game, lane, lines, deals, hands)),
    )


def pars(rules: Rules) -> tuple[float | None, float | None]:
    """Par for dealer and pone in a deal of two-handed six-card cribbage; None and None for other games."""
    two_hands_of_six = (rules.seats, rules.lanes) == (2, 2) and not rules.pegging_only
    return (DEALER_PAR, PONE_PAR) if two_hands_of_six else (None, None)


def counting_lines(game: Game) -> Iterator[int]:
    """The lines that count and were not rolled back; their moves add up to the current pegs."""
    gone = set[int]()
    for line, entry in enumerate(game.entries, 1):
        if isinstance(entry.event, Retracted) and entry.stands:
            gone |= {line, *range(entry.event.to + 1, line)}
    for line, entry in enumerate(game.entries, 1):
        if entry.stands and line not in gone and _says_something(game, line):
            yield line


def _says_something(game: Game, line: int) -> bool:
    return game.positions[line - 1].outcome is None or isinstance(game.entries[line - 1].event, Ruling)


# --- averages ---


def _of_lane(rules: Rules, deals: Sequence[DealFigures], lane: int) -> LaneFigures:
    tell = [(deal.lanes[lane], rules.lane_of(deal.dealer) == lane) for deal in deals if deal.tells]
    own = [tally for tally, dealer in tell if dealer]
    others = [tally for tally, dealer in tell if not dealer]
    return LaneFigures(
        Average(len(own), sum(tally.from_cards for tally in own)),
        Average(len(others), sum(tally.from_cards for tally in others)),
        Average(len(tell), sum(tally.play for tally, _ in tell)),
        Average(len(tell), sum(tally.hand for tally, _ in tell)),
        Average(len(own), sum(tally.crib for tally in own)),
    )


def _leave_out(deals: Sequence[DealFigures]) -> LeftOut:
    return LeftOut(
        sum(not deal.whole for deal in deals),
        sum(deal.unsure for deal in deals),
        sum(tally.from_cards + tally.unknown for deal in deals if deal.unsure for tally in deal.lanes),
    )


# --- parts: who played what, if somebody took over ---


def _parts(
    game: Game, lane: int, lines: Sequence[int], deals: Sequence[DealFigures], hands: Sequence[ShownHand]
) -> Iterator[Stint]:
    """The parts of a lane; a line belongs to those who played when it was made."""
    began, now = _players_of(game, lane, 0), _players_of(game, lane, len(game.entries))
    holes, who = {began: game.positions[0].lanes[lane].front}, dict[int, tuple[str, ...]]()
    by_deal = defaultdict[int, set[tuple[str, ...]]](set)
    for line in lines:
        players = _players_of(game, lane, line - 1)
        who[line] = players
        if not isinstance(game.entries[line - 1].event, Substituted):
            by_deal[reading_of(game, line).deal].add(players)
        moved = game.positions[line].lanes[lane].front - game.positions[line - 1].lanes[lane].front
        holes[players] = holes.get(players, 0) + moved
    holes.setdefault(now, 0)
    for number, players in enumerate(holes):
        part = [deal for deal in deals if players in (by_deal[deal.deal] or {now})]
        own = [deal for deal in part if len(by_deal[deal.deal]) <= 1]
        yield Stint(
            lane,
            number,
            players,
            holes[players],
            len(part),
            _of_lane(game.rules, own, lane),
            _omissions(lane, own, len(part) - len(own)),
            tuple(hand for hand in hands if hand.lane == lane and who[hand.line] == players),
        )


def _players_of(game: Game, lane: int, line: int) -> tuple[str, ...]:
    players = game.players_after(line)
    return tuple(name for seat, name in enumerate(players) if game.rules.lane_of(seat) == lane)


def _omissions(lane: int, deals: Sequence[DealFigures], shared: int) -> LeftOut:
    unsure = [deal for deal in deals if deal.unsure]
    return LeftOut(
        sum(not deal.whole for deal in deals) + shared,
        len(unsure),
        sum(deal.lanes[lane].from_cards + deal.lanes[lane].unknown for deal in unsure),
    )


# --- peg positions over time ---


def _steps(game: Game, lines: Sequence[int], fronts: Sequence[Fronts]) -> Iterator[PegStep]:
    yield PegStep(0, 1, fronts[0])
    for line in lines:
        announced = isinstance(game.entries[line - 1].event, Dealt | Staged | Substituted)
        if not announced or fronts[line - 1] != fronts[line]:
            yield PegStep(line, reading_of(game, line).deal, fronts[line])


def _leader(step: PegStep) -> int | None:
    """The lane in the lead, or None if tied."""
    most = max(step.fronts)
    return step.fronts.index(most) if step.fronts.count(most) == 1 else None


def _ahead(fronts: Fronts, lane: int) -> int:
    others = [front for other, front in enumerate(fronts) if other != lane]
    return max(0, fronts[lane] - max(others)) if others else 0


def _hands(
    game: Game, lines: Sequence[int], truth: Mapping[int, int], sure: Mapping[int, Certainty]
) -> Iterator[ShownHand]:
    for line in lines:
        event, reading = game.entries[line - 1].event, reading_of(game, line)
        if isinstance(event, Scored) and reading.why in {Reason.HAND, Reason.CRIB}:
            points = truth.get(line, event.points)
            how = sure[line].why if line in sure else 1.0
            yield ShownHand(points, reading.why, reading.deal, event.lane, event.seat, line, how)
