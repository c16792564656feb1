"""The position after a line of the score sheet: pegs, dealer, phase of the deal, head starts, how the game ended."""

from dataclasses import dataclass
from typing import NamedTuple

from pegboard.core.names import TextEnum
from pegboard.core.rules import Hole, Rules, Seat


class Phase(TextEnum):
    """The phase of a deal: before the first deal, in the play, counting hands, counting the crib, over, or unknown."""

    CUT = "cut"
    PLAY = "play"
    HAND = "hand"
    CRIB = "crib"
    OVER = "over"
    UNKNOWN = "unknown"


class Lane(NamedTuple):
    """A player's row of holes with its two pegs: `front` is the score, `rear` the previous score.

    A tuple for speed, like `Position`: a correction creates one for every later line.
    """

    front: Hole = 0
    rear: Hole = 0

    def leapfrog(self, points: int, game_hole: Hole) -> "Lane":
        """Peg points: the rear peg jumps over the front peg and stops at the game hole.

        Zero points, or a front peg already in the game hole, move no peg.
        """
        if points == 0 or self.front >= game_hole:
            return self
        return Lane(min(self.front + points, game_hole), self.front)

    def back(self, holes: int) -> "Lane":
        """Move the front peg back, not beyond the start, and the rear peg too if it must stay behind it."""
        front = max(0, self.front - holes)
        return Lane(front, min(self.rear, max(0, front - 1)))


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended.

    Attributes:
        winner: the lane that won, or None if a game of solitaire fell short.
        skunks: for each lane, the number of skunk lines it missed; 0 for the winner.
    """

    winner: int | None
    skunks: tuple[int, ...]


class Position(NamedTuple):
    """The position after a line of the sheet; a tuple for speed: a correction creates one for every later line.

    Attributes:
        lanes: the pegs of each lane.
        dealer: the dealer of this deal.
        deal: the number of this deal, from 1.
        phase: the phase of this deal.
        to_count: while hands are counted, the seat whose hand is next.
        scored: whether anything has scored in this deal, not counting muggins and penalties.
        carded: whether a card has scored in this deal.
        heels: whether heels were pegged in this deal.
        outcome: how the game ended, or None if it is still on.
        arrived: the lanes whose front peg is in the game hole, in order of arrival.
        head_starts_swapped: the pegs as if exactly the other lanes had started this deal ahead; empty if the rules
            give no head starts.
        head_starts_of: the dealer for whom this deal's head starts were given, if any; differs from `dealer` after the
            dealer was corrected midway.
        last_hand: whether the last hand of solitaire has been counted; then only a change of its line reopens the
            game.
        passed: whether a crib has passed the deal to the next dealer, with no points or deal entered since.
        seated_by: for each seat, the line by which its player took over, 0 for the player who began; empty while
            everyone who began still plays.
    """

    lanes: tuple[Lane, ...]
    dealer: Seat
    deal: int = 1
    phase: Phase = Phase.CUT
    to_count: Seat | None = None
    scored: bool = False
    carded: bool = False
    heels: bool = False
    outcome: Outcome | None = None
    arrived: tuple[int, ...] = ()
    head_starts_swapped: tuple[Lane, ...] = ()
    head_starts_of: Seat = 0
    last_hand: bool = False
    passed: bool = False
    seated_by: tuple[int, ...] = ()


def start(rules: Rules, dealer: Seat) -> tuple[Position, ...]:
    """The positions of an empty sheet: every peg in its start hole, except for head starts of the variant."""
    return (deal_out(rules, (Lane(),) * rules.lanes, dealer, 1, Phase.CUT),)


def deal_out(rules: Rules, lanes: tuple[Lane, ...], dealer: Seat, deal: int, phase: Phase = Phase.PLAY) -> Position:
    """The position after the cards are dealt, including head starts."""
    holes = rules.dealer_start or (rules.pone_start if deal == 1 else 0)
    if not holes:
        return Position(lanes, dealer, deal, phase)
    ahead = head_starts(rules, dealer, deal)
    pegs = [(lane.leapfrog(holes, rules.game_hole - 1), lane) for lane in lanes]
    given = tuple(both[n not in ahead] for n, both in enumerate(pegs))
    swapped = tuple(both[n in ahead] for n, both in enumerate(pegs))
    return Position(given, dealer, deal, phase, head_starts_swapped=swapped, head_starts_of=dealer)


def head_starts(rules: Rules, dealer: Seat, deal: int) -> set[int]:
    """The lanes that start ahead in this deal: every deal's dealer (box sheet), the first pone (three for last).

    A head start stops one hole short of the game hole.
    """
    ahead = {rules.lane_of(dealer)} if rules.dealer_start else set()
    return ahead | {rules.lane_of(rules.after(dealer))} if rules.pone_start and deal == 1 else ahead
