"""What is asked (commands, present tense) beside what has happened (events, past tense)."""

from dataclasses import dataclass
from typing import TypeAlias

from pegboard.core.rules import Rules, Seat

WHYS = ("play", "go", "heels", "hand", "crib", "muggins", "penalty")
"""What points can be for; None where the door cannot know."""


@dataclass(frozen=True, slots=True)
class Start:
    """Begin a game; `dealer` None leaves the first deal to the table's policy."""

    rules: Rules
    players: tuple[str, ...]
    dealer: Seat | None = None


@dataclass(frozen=True, slots=True)
class Started:
    """A game has begun; `match` is the id of the match's first game, `replaces` that of the game given up for it."""

    rules: Rules
    players: tuple[str, ...]
    dealer: Seat = 0
    match: str = ""
    replaces: str = ""


@dataclass(frozen=True, slots=True)
class Score:
    """Peg `points`, 0 to 29, for `seat`; or for `lane`, where a key knows no seat."""

    points: int
    seat: Seat | None = None
    lane: int | None = None
    why: str | None = None


@dataclass(frozen=True, slots=True)
class Scored:
    """Points were claimed and pegged; they are kept as claimed, before the game hole cuts them short."""

    lane: int
    points: int
    seat: Seat | None = None
    why: str | None = None


@dataclass(frozen=True, slots=True)
class Deal:
    """Pass the deal on, to `dealer` where the seats are not taken in turn."""

    dealer: Seat | None = None


@dataclass(frozen=True, slots=True)
class Dealt:
    """The deal has passed; with `new` False only the dealer of the deal in hand was put right."""

    dealer: Seat | None = None
    new: bool = True


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
class Abandoned:
    """The game was given up: it counts for nothing and does not resume."""


Line: TypeAlias = Scored | Dealt
"""An event that is a line of the sheet."""

Command: TypeAlias = Start | Score | Deal | TakeBack | Restore
Event: TypeAlias = Started | Scored | Dealt | TakenBack | Restored | Abandoned
