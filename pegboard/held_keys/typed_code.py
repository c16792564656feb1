"""The code of an event as keys type it: digit by digit, each of which the keys count up. Pure."""

from dataclasses import dataclass, replace

LENGTH = 6
"""Digits of a code."""

OPEN, LEFT = "_", "."
"""What stands for the digit that is to come, and for those after it."""


@dataclass(frozen=True, slots=True)
class TypedCode:
    """What has been typed.

    Attributes:
        digits: those that are done.
        digit: the next one as far as keys have counted it; None where they have not.
    """

    digits: str = ""
    digit: int | None = None

    @property
    def is_complete(self) -> bool:
        """Whether no digit is to come."""
        return len(self.digits) == LENGTH

    @property
    def as_text(self) -> str:
        """As it is shown: "48 3_ .."."""
        now = OPEN if self.digit is None else str(self.digit)
        return f"{self.digits} {now}{LEFT * (LENGTH - len(self.digits) - 1)}".strip()

    def count_up(self, points: int) -> "TypedCode":
        """A key of so many points was pressed: the digit goes up by them, and after 9 comes 0."""
        return replace(self, digit=((self.digit or 0) + points) % 10)

    def go_on(self) -> "TypedCode":
        """The digit is right; one that no key has counted is a 0."""
        return TypedCode(f"{self.digits}{self.digit or 0}")

    def type_digit(self, digit: int) -> "TypedCode":
        """A digit was typed as it is."""
        return TypedCode(f"{self.digits}{digit}")

    def go_back(self) -> "TypedCode | None":
        """The digit, or else the one before it, was wrong; None where there is none."""
        if self.digit is not None:
            return TypedCode(self.digits)
        return TypedCode(self.digits[:-1]) if self.digits else None
