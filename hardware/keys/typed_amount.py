"""The amount that a keypad's digits have typed and that is no player's yet."""

from collections.abc import Callable

from hardware.key_roles_and_actions import Action, ForgetTyped, RefuseDigit, ShowTyped, TypeCodeDigit
from hardware.keys.timing import Nanoseconds
from pegboard.core.rules import MOST_AT_ONCE

MOST_DIGITS = len(str(MOST_AT_ONCE))


class TypedAmount:
    """The digits so far.

    Attributes:
        text: they, or "".
        until: when they are forgotten.
    """

    def __init__(self, lasts: Nanoseconds, types_code: Callable[[], bool]) -> None:
        """They are forgotten after `lasts`; `types_code` says whether the table wants a code instead of an amount."""
        self._lasts, self._types_code = lasts, types_code
        self.text = ""
        self.until: Nanoseconds = 0

    def type_digit(self, digit: int, t_ns: Nanoseconds) -> list[Action]:
        """One more digit was typed."""
        if self._types_code():
            return [TypeCodeDigit(digit)]
        text = f"{self.text}{digit}"
        self.until = t_ns + self._lasts
        if len(text) > MOST_DIGITS or int(text) > MOST_AT_ONCE:
            return [RefuseDigit(text, int(self.text))]
        self.text = text
        return [ShowTyped(int(text))]

    def pop(self) -> int | None:
        """The amount, which is gone then; None where there is none."""
        text, self.text = self.text, ""
        return int(text) if text else None

    def drop(self) -> list[Action]:
        """Take the amount away, where there is one."""
        return [] if self.pop() is None else [ShowTyped(None)]

    def forget(self, _t_ns: Nanoseconds = 0) -> list[Action]:
        """No ENTER has followed."""
        points = self.pop()
        return [] if points is None else [ForgetTyped(points)]
