"""Fields of a request for a decision: what each takes, in words and in bounds."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from pegboard.core.names import cite, is_legible
from pegboard.errors import RuleError
from pegboard.tournament.results.scoring import GAME_HOLE

MOST_LETTERS = 64
"""Of a player's name, a number or a label."""

MOST_WORDS = 280
"""Letters of an announcement or a note."""

MOST_CENTS = 100_000_000
"""A million in most currencies: more is a slip of the finger."""

MOST_ROUNDS = 200
"""Rounds of a night; twenty-two are many."""

MOST_PLAYERS = 2000
"""Of a night."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """A field of a request.

    Attributes:
        takes: what it takes, in words; a refusal says them.
        required: whether it must be there.
        nullable: whether null is possible.
    """

    takes: str
    required: bool = True
    nullable: bool = False

    def fits(self, value: Any) -> bool:
        """Whether a JSON value has this shape."""
        raise NotImplementedError

    def check(self, name: str, value: Any) -> Any:
        """The value.

        Raises:
            RuleError: it has another shape; the sentence says what is possible.
        """
        if (value is None and self.nullable) or (value is not None and self.fits(value)):
            return value
        raise RuleError("night_field", field=name, takes=self.takes)


@dataclass(frozen=True, slots=True, kw_only=True)
class WantedText(Wanted):
    """A text of `least` to `most` letters."""

    least: int = 0
    most: int = MOST_LETTERS

    def fits(self, value: Any) -> bool:
        """Whether it is a text that a page can show, of such a length."""
        return self._is_as_long(value) and is_legible(value)

    def check(self, name: str, value: Any) -> Any:
        """The text.

        Raises:
            RuleError: it is not a text, is too short or too long, or has invisible letters.
        """
        if self._is_as_long(value) and not is_legible(value):
            raise RuleError("night_text_unseen", text=cite(value))
        return Wanted.check(self, name, value)  # super() fails in a class with slots=True

    def _is_as_long(self, value: Any) -> bool:
        return isinstance(value, str) and self.least <= len(value) <= self.most


@dataclass(frozen=True, slots=True, kw_only=True)
class WantedNumber(Wanted):
    """A whole number from `least` to `most`."""

    least: int
    most: int

    def fits(self, value: Any) -> bool:
        """Whether it is a whole number within the bounds."""
        return isinstance(value, int) and not isinstance(value, bool) and self.least <= value <= self.most


@dataclass(frozen=True, slots=True, kw_only=True)
class WantedFlag(Wanted):
    """True or false."""

    def fits(self, value: Any) -> bool:
        """Whether it is true or false."""
        return isinstance(value, bool)


@dataclass(frozen=True, slots=True, kw_only=True)
class WantedWord(Wanted):
    """One of some words."""

    words: tuple[str, ...]

    def fits(self, value: Any) -> bool:
        """Whether it is one of them."""
        return isinstance(value, str) and value in self.words


@dataclass(frozen=True, slots=True, kw_only=True)
class WantedList(Wanted):
    """A list of `least` to `most` values, each as `item` takes it."""

    item: Wanted
    least: int = 0
    most: int = MOST_PLAYERS

    def fits(self, value: Any) -> bool:
        """Whether it is such a list."""
        return (
            isinstance(value, list) and self.least <= len(value) <= self.most and all(self.item.fits(v) for v in value)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class WantedObject(Wanted):
    """An object with fields of its own; others are refused."""

    own: "WantedFields"

    def fits(self, value: Any) -> bool:
        """Whether it is an object of such fields."""
        return isinstance(value, dict) and not self.fault(value)

    def check(self, name: str, value: Any) -> Any:
        """The value.

        Raises:
            RuleError: it is no object, or a field of it has another shape, which is named.
        """
        if not isinstance(value, dict):
            return Wanted.check(self, name, value)  # super() fails in a class with slots=True
        check_fields(self.own, value)
        return value

    def fault(self, value: Mapping[str, Any]) -> bool:
        """Whether a field is missing, unknown or of another shape."""
        try:
            check_fields(self.own, value)
        except RuleError:
            return True
        return False


WantedFields: TypeAlias = Mapping[str, Wanted]


def check_fields(wanted: WantedFields, values: Mapping[str, Any]) -> None:
    """See that the values have the fields that are wanted.

    Raises:
        RuleError: one is missing, unknown, or of another shape.
    """
    unknown = [name for name in values if name not in wanted]
    if unknown:
        raise RuleError("night_field_unknown", field=str(unknown[0])[:MOST_LETTERS], known=", ".join(wanted))
    for name, field in wanted.items():
        if name in values:
            field.check(name, values[name])
        elif field.required:
            raise RuleError("night_field", field=name, takes=field.takes)


def player(what: str = "the player", *, required: bool = True) -> WantedText:
    """A player's id."""
    return WantedText(takes=f"the id of {what}, such as p3", least=2, most=8, required=required)


def game() -> WantedText:
    """The id of a game."""
    return WantedText(takes="the id of a game, such as r3:p1-p7", least=6, most=24)


def table(*, required: bool = True) -> WantedText:
    """A table's id."""
    return WantedText(
        takes="the id of a table, 1 to 32 characters from a-z 0-9 _ -", least=1, most=32, required=required
    )


def margin(*, nullable: bool = False) -> WantedNumber:
    """Holes between winner and loser."""
    blank = ", or null if the card has none" if nullable else ""
    takes = f"a whole number of holes from 1 to {GAME_HOLE}{blank}"
    return WantedNumber(takes=takes, least=1, most=GAME_HOLE, nullable=nullable)


def cents(what: str, *, least: int = 0, required: bool = True) -> WantedNumber:
    """An amount of money."""
    takes = f"{what} in cents, a whole number from {least} to {MOST_CENTS}"
    return WantedNumber(takes=takes, least=least, most=MOST_CENTS, required=required)


def flag(what: str) -> WantedFlag:
    """True or false; left out, it is false."""
    return WantedFlag(takes=f"true if {what}, otherwise false", required=False)


def text(what: str, *, least: int = 0, most: int = MOST_LETTERS, required: bool = True) -> WantedText:
    """A text."""
    return WantedText(
        takes=f"{what}, a text of {least} to {most} characters", least=least, most=most, required=required
    )


def number(what: str, least: int, most: int, *, required: bool = True) -> WantedNumber:
    """A whole number."""
    return WantedNumber(
        takes=f"{what}, a whole number from {least} to {most}", least=least, most=most, required=required
    )


def word(what: str, words: tuple[str, ...], *, required: bool = True) -> WantedWord:
    """One of some words."""
    return WantedWord(takes=f"{what}: one of {', '.join(words)}", words=words, required=required)
