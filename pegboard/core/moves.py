"""What is asked (commands, present tense) beside what has happened (events, past tense)."""

from dataclasses import dataclass
from enum import Enum
from typing import ClassVar, Final, TypeAlias

from pegboard.core.rules import Hole, Rules, Seat

WHYS = ("play", "go", "thirty-one", "heels", "hand", "crib", "muggins", "penalty")
"""What points can be for; None where nobody has said it."""

FOR_CARDS = ("play", "go", "thirty-one")
"""The whys of points for a card that was laid in the play."""

FAULTS = ("muggins", "penalty")
"""The whys of points that an opponent's fault gives; they tell nothing of the deal."""

STAGES = ("play", "show")
"""Where a deal can be said to stand."""


class Unchanged(Enum):
    """Stands where an amendment leaves a value as it was, because None is a value itself."""

    UNCHANGED = "unchanged"


UNCHANGED: Final = Unchanged.UNCHANGED

OPEN = "open"
"""The format of a match that has no end: games are tallied as long as the players like."""


@dataclass(frozen=True, slots=True)
class Start:
    """Begin a game; `dealer` None leaves the first deal to the table's policy.

    `format` begins a match of that format; None goes on with the match on the table where players and rules stay.
    `house` are the house rules that change `rules`, such as `muggins=on`; None leaves them to the table.
    """

    rules: Rules
    players: tuple[str, ...]
    dealer: Seat | None = None
    format: str | None = None
    house: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Started:
    """A game has begun; `match` is the id of the match's first game, `replaces` that of the game given up for it.

    `note` says why that game was given up. `dealer_said`: whether somebody named the dealer, so that it was not left
    to the table's policy.
    """

    rules: Rules
    players: tuple[str, ...]
    dealer: Seat = 0
    match: str = ""
    replaces: str = ""
    format: str = OPEN
    note: str = ""
    dealer_said: bool = False


@dataclass(frozen=True, slots=True)
class Score:
    """Peg `points`, 0 to 29, for `seat`; or for `lane`, where a key knows no seat."""

    points: int
    seat: Seat | None = None
    lane: int | None = None
    why: str | None = None


@dataclass(frozen=True, slots=True)
class Penalize:
    """Award `points`, 1 to the game hole, to `seat` for an opponent's fault, which `note` tells."""

    points: int
    seat: Seat
    note: str = ""


@dataclass(frozen=True, slots=True)
class Scored:
    """Points were claimed and pegged; they are kept as claimed, before the game hole cuts them short.

    `guessed`: a page of an older version has guessed `why`, and nobody has said it.
    """

    lane: int
    points: int
    seat: Seat | None = None
    why: str | None = None
    note: str = ""
    guessed: bool = False


@dataclass(frozen=True, slots=True)
class CallMuggins:
    """`seat` claims `claimed` points that another has missed; truly `missed` were, 0 for a wrong call.

    `opponent` is the seat that a wrong call goes to, told where there are several.
    """

    seat: Seat
    claimed: int
    missed: int
    opponent: Seat | None = None


@dataclass(frozen=True, slots=True)
class MugginsCalled:
    """`caller` claimed, and `points` were pegged in `lane`: the caller's, or an opponent's for a wrong call."""

    why: ClassVar[str] = "muggins"

    lane: int
    points: int
    seat: Seat | None
    caller: Seat
    claimed: int
    missed: int


@dataclass(frozen=True, slots=True)
class Deal:
    """Say that a new deal begins before the next line (`new`), or who deals now (`new` False), even in mid-deal.

    Where `new` is None, it is a new deal if something has been scored since the last one began, else its dealer is put
    right. `dealer` None is the next in turn.
    """

    dealer: Seat | None = None
    new: bool | None = None


@dataclass(frozen=True, slots=True)
class Dealt:
    """The deal has passed; with `new` False only the dealer of the deal in hand was put right.

    Where a crib has passed the deal just before, it does not pass twice, but for lines of older versions (`twice`).
    A dealer who was put right `midway`, after scores of the deal, moves no head start, and is not the first dealer.
    """

    dealer: Seat | None = None
    new: bool = True
    midway: bool = False
    twice: bool = False


@dataclass(frozen=True, slots=True)
class Stage:
    """Say where the deal stands: "play" or "show"."""

    stage: str


@dataclass(frozen=True, slots=True)
class Staged:
    """The deal was said to stand in the play or in the show; no peg has moved."""

    stage: str


@dataclass(frozen=True, slots=True)
class TakeBack:
    """Take a line back (undo); None is the newest that stands. Lines count from 1."""

    line: int | None = None


@dataclass(frozen=True, slots=True)
class TakenBack:
    """The line no longer stands."""

    line: int


@dataclass(frozen=True, slots=True)
class Restore:
    """Put a line back (redo); None is the newest taken back, while nothing else has happened since."""

    line: int | None = None


@dataclass(frozen=True, slots=True)
class Restored:
    """The line stands again, at its old place."""

    line: int


@dataclass(frozen=True, slots=True)
class Amend:
    """Let a score or penalty of `was` points say other `points`, another reason, or be another player's.

    At least one of them is given; `points` and `seat` None leave theirs as they were, `why` None forgets the reason.
    """

    line: int
    points: int | None = None
    was: int | None = None
    why: str | Unchanged | None = UNCHANGED
    seat: Seat | None = None


@dataclass(frozen=True, slots=True)
class Amended:
    """The line says `points` now, that they are for `why`, and that they are of `seat`, whose lane they are in.

    What was not amended is UNCHANGED, or None for points and seat.
    """

    line: int
    points: int | None = None
    why: str | Unchanged | None = UNCHANGED
    seat: Seat | None = None


@dataclass(frozen=True, slots=True)
class OverPeg:
    """The score at `line` pegged `was` points, and `points` was true; `opponent` scores what the law awards."""

    line: int
    points: int
    was: int
    opponent: Seat | None = None


@dataclass(frozen=True, slots=True)
class OverPegged:
    """While this stands, `line` of `lane` counts `points`, not the `was` that it says.

    `award` are pegged in the lane `to`, unless that is None.
    """

    lane: int
    line: int
    points: int
    was: int
    to: int | None = None
    award: int = 0


@dataclass(frozen=True, slots=True)
class ClaimFalsely:
    """The score at `line` ended the game with `was` points, and `points` was true (ACC 8.4)."""

    line: int
    points: int
    was: int
    opponent: Seat | None = None


@dataclass(frozen=True, slots=True)
class FalselyClaimed:
    """While this stands, `line` counts `points`, not the `was` that it says, and `lane` goes 15 back.

    `award` is the overclaim as it was judged at the table, pegged in the lane `to`; None where there is no opponent.
    """

    lane: int
    line: int
    points: int
    was: int
    to: int | None
    award: int


@dataclass(frozen=True, slots=True)
class PegBack:
    """Move the front peg of `seat` back by `holes`, 1 to the game hole."""

    seat: Seat
    holes: int
    note: str = ""


@dataclass(frozen=True, slots=True)
class PeggedBack:
    """The front peg of `lane` went back by `holes`."""

    lane: int
    holes: int
    seat: Seat | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class SetPegs:
    """Put the pegs of `seat` where a judge finds that they belong."""

    seat: Seat
    front: Hole
    rear: Hole
    note: str = ""


@dataclass(frozen=True, slots=True)
class PegsSet:
    """The pegs of `lane` were put there, whatever was before."""

    lane: int
    front: Hole
    rear: Hole
    seat: Seat | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Retract:
    """Let the game go on from the position after line `to`; 0 is the empty sheet."""

    to: int
    note: str = ""


@dataclass(frozen=True, slots=True)
class Retracted:
    """While this stands, the lines between `to` and this one count for nothing."""

    to: int
    note: str = ""


@dataclass(frozen=True, slots=True)
class Confirm:
    """`seat` confirms that lane `winner` has won with the front pegs at `fronts`."""

    seat: Seat
    winner: int | None
    fronts: tuple[Hole, ...]


@dataclass(frozen=True, slots=True)
class Confirmed:
    """The player at `seat` has confirmed the result; no line, and void when winner or front pegs change."""

    seat: Seat
    winner: int | None
    fronts: tuple[Hole, ...]


@dataclass(frozen=True, slots=True)
class Abandon:
    """Give the running game up."""

    note: str = ""


@dataclass(frozen=True, slots=True)
class Abandoned:
    """The game was given up: it counts for nothing and does not resume."""

    note: str = ""


@dataclass(frozen=True, slots=True)
class Rename:
    """Correct the name of the player at `seat`, who is shown as `former`, to `to`."""

    seat: Seat
    former: str
    to: str


@dataclass(frozen=True, slots=True)
class Renamed:
    """The player at `seat`, shown as `former`, is called `to` in every game of the match; no line of the sheet."""

    seat: Seat
    former: str
    to: str


Award: TypeAlias = Scored | MugginsCalled
"""Points of the game's own course; after its end they move nothing."""

Ruling: TypeAlias = OverPegged | FalselyClaimed | PeggedBack | PegsSet | Retracted
"""What puts the board right, even after the end."""

InPlace: TypeAlias = TakenBack | Restored | Amended
"""What changes a line in its place."""

Line: TypeAlias = Award | Dealt | Staged | Ruling
"""An event that is a line of the sheet."""

Command: TypeAlias = (
    Start
    | Score
    | Penalize
    | CallMuggins
    | Deal
    | Stage
    | TakeBack
    | Restore
    | Amend
    | OverPeg
    | ClaimFalsely
    | PegBack
    | SetPegs
    | Retract
    | Confirm
    | Abandon
    | Rename
)
Event: TypeAlias = Started | Line | InPlace | Confirmed | Abandoned | Renamed
