"""Parses JSON that others have written: no name twice in an object, and no number that is none."""

import json
from typing import Any, NoReturn


class NamedTwice(ValueError):
    """An object in JSON has two values of one name, of which readers take this one or that.

    Attributes:
        name: that name.
    """

    def __init__(self, name: str) -> None:
        super().__init__("a field appears twice")
        self.name = name


def parse_json(text: str | bytes) -> Any:
    """The values of JSON that others have written.

    Raises:
        NamedTwice: an object has two values of one name.
        ValueError: it is not JSON: NaN and the like are no numbers.
        RecursionError: it is nested too deeply.
    """
    return json.loads(text, parse_constant=_refuse_constant, object_pairs_hook=_without_duplicates)


def _refuse_constant(word: str) -> NoReturn:
    raise ValueError(f"{word} is not a number")


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict[str, Any]()
    for name, value in pairs:
        if name in values:
            raise NamedTwice(name)
        values[name] = value
    return values
