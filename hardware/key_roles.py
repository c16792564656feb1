"""What each key is for, and what the players can mean by pressing them."""

from dataclasses import dataclass
from typing import TypeAlias

# --- what a key is for ---


@dataclass(frozen=True, slots=True)
class AddKey:
    """A player's key: a press adds its points to what is dialled."""

    lane: int
    points: int


@dataclass(frozen=True, slots=True)
class ShortLongKey:
    """A player's only key: a short press adds `points` when it ends, a long one `longer` again and again instead."""

    lane: int
    points: int
    longer: int


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

# --- what the players mean ---


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
    """What the lane has dialled was a stuck key's doing."""

    lane: int


@dataclass(frozen=True, slots=True)
class Typed:
    """An amount has been typed, which is no player's yet; None when it is taken back."""

    points: int | None


@dataclass(frozen=True, slots=True)
class TooMuch:
    """One more digit would have made `text` of what was typed; it is still `still`."""

    text: str
    still: int


@dataclass(frozen=True, slots=True)
class Forgot:
    """An amount was typed, and no ENTER followed."""

    points: int


@dataclass(frozen=True, slots=True)
class Enter:
    """A player's ENTER was pressed, after an amount was typed or without one."""

    lane: int
    points: int | None


@dataclass(frozen=True, slots=True)
class Undo:
    """UNDO was let go before it became a hold."""


@dataclass(frozen=True, slots=True)
class Deal:
    """DEAL was pressed."""


@dataclass(frozen=True, slots=True)
class Invite:
    """DEAL was pressed while UNDO was down: show how to join, or hide it."""


@dataclass(frozen=True, slots=True)
class AskNewGame:
    """UNDO was held once: ask."""


@dataclass(frozen=True, slots=True)
class NewGame:
    """UNDO was held again: yes."""


@dataclass(frozen=True, slots=True)
class Cancel:
    """Another key, a short UNDO or no answer: no."""


@dataclass(frozen=True, slots=True)
class Stuck:
    """A key has been down for so long that nobody can be pressing it."""

    key: str


Action: TypeAlias = (
    Dial | Peg | Drop | Typed | TooMuch | Forgot | Enter | Undo | Deal | Invite | AskNewGame | NewGame | Cancel | Stuck
)
