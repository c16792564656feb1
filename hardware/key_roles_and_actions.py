"""Key roles (add points, digit, ENTER, UNDO, DEAL), and the actions of presses (peg, undo, pass the deal, new game)."""

from dataclasses import dataclass
from typing import TypeAlias

# --- roles ---


@dataclass(frozen=True, slots=True)
class AddKey:
    """A player's key: a press adds its points to the keyed-in amount."""

    lane: int
    points: int


@dataclass(frozen=True, slots=True)
class ShortLongKey:
    """A player's only key: a short press adds `points` on release, a long press adds `long_points` repeatedly."""

    lane: int
    points: int
    long_points: int


@dataclass(frozen=True, slots=True)
class DigitKey:
    """A digit of an amount not yet assigned to a player."""

    digit: int


@dataclass(frozen=True, slots=True)
class EnterKey:
    """A player's ENTER: pegs the typed amount plus the amount that the player has keyed in."""

    lane: int


@dataclass(frozen=True, slots=True)
class UndoKey:
    """The UNDO key."""


@dataclass(frozen=True, slots=True)
class DealKey:
    """The DEAL key."""


KeyRole: TypeAlias = AddKey | ShortLongKey | DigitKey | EnterKey | UndoKey | DealKey


def lane_of(role: KeyRole) -> int | None:
    """The lane that a key adds points for, from 0; None for the other keys."""
    return role.lane if isinstance(role, AddKey | ShortLongKey) else None


# --- actions ---


@dataclass(frozen=True, slots=True)
class Dial:
    """A player's key was pressed: add its points to the keyed-in amount."""

    lane: int
    points: int


@dataclass(frozen=True, slots=True)
class Peg:
    """A lane's keys were quiet long enough or held, or another lane's key was pressed: peg the keyed-in amount."""

    lane: int


@dataclass(frozen=True, slots=True)
class Drop:
    """The amount that the lane shows was keyed in by a stuck key: drop the amount."""

    lane: int


@dataclass(frozen=True, slots=True)
class ShowTyped:
    """Show an amount that is typed but not yet pegged for a player; None hides it."""

    points: int | None


@dataclass(frozen=True, slots=True)
class RefuseDigit:
    """The next digit would make the amount `text`, which is too large; the amount remains `still`."""

    text: str
    still: int


@dataclass(frozen=True, slots=True)
class ForgetTyped:
    """An amount was typed and no ENTER followed: drop the amount."""

    points: int


@dataclass(frozen=True, slots=True)
class Enter:
    """A player's ENTER was pressed; `points` is the amount typed before it, or None."""

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
    """UNDO was released after `taps` taps of DEAL: do what was shown."""

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
    """UNDO was held again: start a new game."""


@dataclass(frozen=True, slots=True)
class CancelNewGame:
    """Another key, a short UNDO or no answer: do not start a new game."""


@dataclass(frozen=True, slots=True)
class AskPowerOff:
    """UNDO and DEAL were held once: ask whether to shut down the machine."""


@dataclass(frozen=True, slots=True)
class PowerOff:
    """UNDO and DEAL were held again: shut down the machine."""


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
