"""Key roles, and the actions that key presses stand for."""

from dataclasses import dataclass
from typing import TypeAlias

# --- roles ---


@dataclass(frozen=True, slots=True)
class AddKey:
    """A player's key: a press adds its points to the dialed amount."""

    lane: int
    points: int


@dataclass(frozen=True, slots=True)
class ShortLongKey:
    """A player's only key: a short press adds `points` on release, a long one adds `long_points` repeatedly."""

    lane: int
    points: int
    long_points: int


@dataclass(frozen=True, slots=True)
class DigitKey:
    """A digit of an amount not yet assigned to a player."""

    digit: int


@dataclass(frozen=True, slots=True)
class EnterKey:
    """A player's ENTER: pegs the typed amount, or else what the player has dialed."""

    lane: int


@dataclass(frozen=True, slots=True)
class UndoKey:
    """The UNDO key."""


@dataclass(frozen=True, slots=True)
class DealKey:
    """The DEAL key."""


KeyRole: TypeAlias = AddKey | ShortLongKey | DigitKey | EnterKey | UndoKey | DealKey


def lane_of(role: KeyRole) -> int | None:
    """The lane that a key scores for, from 0; None if it is shared."""
    return role.lane if isinstance(role, AddKey | ShortLongKey) else None


# --- actions ---


@dataclass(frozen=True, slots=True)
class Dial:
    """A player's key was pressed: add its points to the dialed amount."""

    lane: int
    points: int


@dataclass(frozen=True, slots=True)
class Peg:
    """The player is done dialling."""

    lane: int


@dataclass(frozen=True, slots=True)
class Drop:
    """A stuck key dialed the amount that the lane shows: drop it."""

    lane: int


@dataclass(frozen=True, slots=True)
class ShowTyped:
    """Show an amount that is typed but not yet pegged for a player; None hides it."""

    points: int | None


@dataclass(frozen=True, slots=True)
class RefuseDigit:
    """The next digit would make the amount `text`, which is too much; it remains `still`."""

    text: str
    still: int


@dataclass(frozen=True, slots=True)
class ForgetTyped:
    """An amount was typed and no ENTER followed: drop it."""

    points: int


@dataclass(frozen=True, slots=True)
class Enter:
    """A player's ENTER was pressed, after `points` were typed, or None."""

    lane: int
    points: int | None


@dataclass(frozen=True, slots=True)
class Undo:
    """UNDO was released before it became a hold."""


@dataclass(frozen=True, slots=True)
class PassDeal:
    """DEAL was pressed: pass the deal."""


@dataclass(frozen=True, slots=True)
class Invite:
    """DEAL was pressed while UNDO was down: show how to join, or hide it."""


@dataclass(frozen=True, slots=True)
class ShowChoice:
    """DEAL was tapped `taps` times, two or more, while UNDO is down: show what releasing UNDO will do."""

    taps: int


@dataclass(frozen=True, slots=True)
class Choose:
    """UNDO was released after `taps` taps of DEAL: do that."""

    taps: int


@dataclass(frozen=True, slots=True)
class TypeCodeDigit:
    """A digit of the code of an event was typed."""

    digit: int


@dataclass(frozen=True, slots=True)
class AskNewGame:
    """UNDO was held once: ask whether to start a new game."""


@dataclass(frozen=True, slots=True)
class NewGame:
    """UNDO was held again: start it."""


@dataclass(frozen=True, slots=True)
class CancelNewGame:
    """Another key, a short UNDO or no answer: do not start a new game."""


@dataclass(frozen=True, slots=True)
class AskPowerOff:
    """UNDO and DEAL were held once: ask whether to shut down the machine."""


@dataclass(frozen=True, slots=True)
class PowerOff:
    """UNDO and DEAL were held again: shut it down."""


@dataclass(frozen=True, slots=True)
class CancelPowerOff:
    """Another key, a shorter hold or no answer: do not shut down."""


@dataclass(frozen=True, slots=True)
class ReportStuck:
    """A key has been down for too long to be an intended press; it is ignored."""

    key: str


Action: TypeAlias = (
    Dial
    | Peg
    | Drop
    | ShowTyped
    | RefuseDigit
    | ForgetTyped
    | Enter
    | Undo
    | PassDeal
    | Invite
    | ShowChoice
    | Choose
    | TypeCodeDigit
    | AskNewGame
    | NewGame
    | CancelNewGame
    | AskPowerOff
    | PowerOff
    | CancelPowerOff
    | ReportStuck
)
