"""The board: lanes and pegs, the game as its score sheet, and how it ended, as frozen values."""

from dataclasses import dataclass, field
from typing import NamedTuple

from pegboard.core.moves import Line
from pegboard.core.rules import Hole, Rules, Seat

__all__ = ["UNMARKED", "Entry", "Game", "Hole", "Lane", "Mark", "Outcome", "Position", "Seat", "start"]


@dataclass(frozen=True, slots=True)
class Lane:
    """A player's row of holes with its two pegs: `front` is the score, `rear` the score before."""

    front: Hole = 0
    rear: Hole = 0

    def leapfrog(self, points: int, game_hole: Hole) -> "Lane":
        """The rear peg jumps over the front peg and stops at the game hole; zero points touch no peg."""
        if points == 0:
            return self
        return Lane(min(self.front + points, game_hole), self.front)


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended.

    Attributes:
        winner: the lane that has won, or None where a solitaire fell short.
        skunks: for each lane, how many skunk lines it missed; 0 for the winner.
    """

    winner: int | None
    skunks: tuple[int, ...]


class Position(NamedTuple):
    """What the sheet says after one of its lines; a tuple, because a correction makes one for every later line.

    Attributes:
        lanes: the pegs.
        dealer: who deals this deal.
        deal: its number, from 1.
        phase: "cut" (nothing dealt), "play", "hand", "crib", "over" or "unknown".
        to_count: in "hand", the seat whose hand is next.
        scored: whether anything of this deal has scored; muggins and penalties tell nothing of the deal.
        carded: whether a card of this deal has scored.
        heels: whether heels were pegged in this deal.
        outcome: how the game ended, or None while it goes on.
    """

    lanes: tuple[Lane, ...]
    dealer: Seat
    deal: int = 1
    phase: str = "cut"
    to_count: Seat | None = None
    scored: bool = False
    carded: bool = False
    heels: bool = False
    outcome: Outcome | None = None


@dataclass(frozen=True, slots=True)
class Mark:
    """Where a line came from; opaque to the rules.

    Attributes:
        event: the number of the journal's event.
        source: the door: "button", "phone" ...
        at: wall time in nanoseconds since 1970.
    """

    event: int = 0
    source: str = ""
    at: int = 0


UNMARKED = Mark()


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the score sheet: what it says, where it came from, whether it stands, and what changed that."""

    event: Line
    mark: Mark = UNMARKED
    stands: bool = True
    history: tuple[Mark, ...] = ()


def start(rules: Rules, dealer: Seat) -> tuple[Position, ...]:
    """The positions of an empty sheet: every peg in its start hole."""
    return (Position((Lane(),) * rules.lanes, dealer),)


@dataclass(frozen=True, slots=True)
class Game:
    """A game is its score sheet; pegs, dealer, phase and outcome follow from the lines that stand.

    Attributes:
        rules: the rules it is played by.
        players: a name for each seat.
        first_dealer: who dealt first, as the game was started.
        entries: the lines in the order they were made; line n is `entries[n - 1]`.
        revisions: for each lane, how many events have touched it.
        undone: the lines taken back since the last event of another kind, newest last.
        positions: derived: `positions[n]` is the position after line n, `positions[0]` the start.
    """

    rules: Rules = field(default_factory=Rules)
    players: tuple[str, ...] = ("", "")
    first_dealer: Seat = 0
    entries: tuple[Entry, ...] = ()
    revisions: tuple[int, ...] = (0, 0)
    undone: tuple[int, ...] = ()
    positions: tuple[Position, ...] = field(default=(), compare=False, repr=False)

    def __post_init__(self) -> None:
        if not self.positions:
            object.__setattr__(self, "positions", start(self.rules, self.first_dealer))

    @property
    def position(self) -> Position:
        """What the whole sheet says."""
        return self.positions[-1]

    @property
    def lanes(self) -> tuple[Lane, ...]:
        """The pegs."""
        return self.positions[-1].lanes

    @property
    def dealer(self) -> Seat:
        """Who deals, or has dealt."""
        return self.positions[-1].dealer

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it goes on."""
        return self.positions[-1].outcome

    @property
    def phase(self) -> str:
        """Where the deal stands: "cut", "play", "hand", "crib", "over" or "unknown"."""
        return self.positions[-1].phase

    def called(self, lane: int) -> str:
        """Who pegs in a lane: "Ann", or "Ann and Cy"."""
        return " and ".join(name for seat, name in enumerate(self.players) if self.rules.lane_of(seat) == lane)

    def counts(self, line: int) -> bool:
        """Whether a line stands and was made before the game ended."""
        return self.entries[line - 1].stands and self.positions[line - 1].outcome is None

    def newest_standing(self) -> int | None:
        """The newest line that stands, or None."""
        return next((n for n in range(len(self.entries), 0, -1) if self.entries[n - 1].stands), None)
