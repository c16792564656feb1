"""The role of each key, and the actions that players can mean by their presses."""

from dataclasses import dataclass
from typing import TypeAlias

# --- roles ---


@dataclass(frozen=True, slots=True)
class AddKey:
    """A player's key: a press adds its points to what is dialled."""

    lane: int
    points: int


@dataclass(frozen=True, slots=True)
class ShortLongKey:
    """A player's only key: a short press adds `points` when it ends, a long one adds `long_points` again and again."""

    lane: int
    points: int
    long_points: int


@dataclass(frozen=True, slots=True)
class DigitKey:
    """A digit of an amount that is no player's yet."""

    digit: int


@dataclass(frozen=True, slots=True)
class EnterKey:
    """A player's ENTER: it pegs what has been typed, or else what the player has dialled."""

    lane: int


@dataclass(frozen=True, slots=True)
class UndoKey:
    """The UNDO key."""


@dataclass(frozen=True, slots=True)
class DealKey:
    """The DEAL key."""


KeyRole: TypeAlias = AddKey | ShortLongKey | DigitKey | EnterKey | UndoKey | DealKey


def lane_of(role: KeyRole) -> int | None:
    """The lane that a key scores for, from 0; None where it is everybody's."""
    return role.lane if isinstance(role, AddKey | ShortLongKey) else None


# --- actions ---


@dataclass(frozen=True, slots=True)
class Dial:
    """A player's key was pressed: add its points to what is dialled."""

    lane: int
    points: int


@dataclass(frozen=True, slots=True)
class Peg:
    """The player is done dialling."""

    lane: int


@dataclass(frozen=True, slots=True)
class Drop:
    """A stuck key has dialled what the lane shows: drop it."""

    lane: int


@dataclass(frozen=True, slots=True)
class ShowTyped:
    """Show an amount that has been typed and is no player's yet; None takes it away."""

    points: int | None


@dataclass(frozen=True, slots=True)
class RefuseDigit:
    """One more digit would make `text` of the amount, which is too much; it is still `still`."""

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
    """DEAL was tapped `taps` times, two or more, while UNDO is down: show what letting UNDO go will do."""

    taps: int


@dataclass(frozen=True, slots=True)
class Choose:
    """UNDO was let go after so many taps of DEAL: do that."""

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
    """Another key, a short UNDO or no answer: start none."""


@dataclass(frozen=True, slots=True)
class AskPowerOff:
    """UNDO and DEAL were held once: ask whether to switch the machine off."""


@dataclass(frozen=True, slots=True)
class PowerOff:
    """UNDO and DEAL were held again: switch it off."""


@dataclass(frozen=True, slots=True)
class CancelPowerOff:
    """Another key, a shorter hold or no answer: leave it on."""


@dataclass(frozen=True, slots=True)
class ReportStuck:
    """A key has been down for so long that nobody can be pressing it; it is ignored."""

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
