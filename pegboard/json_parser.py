"""Strict JSON parser for untrusted input: rejects duplicate keys, NaN and Infinity."""

import json
from typing import Any, NoReturn


class DuplicateKey(ValueError):
    """A JSON object has a duplicate key; parsers differ in which value they use.

    Attributes:
        name: the duplicate key.
    """

    def __init__(self, name: str) -> None:
        super().__init__("a field appears twice")
        self.name = name


def parse_json(text: str | bytes) -> Any:
    """Parse JSON strictly.

    Raises:
        DuplicateKey: an object has a duplicate key.
        ValueError: the text is not valid JSON; NaN and Infinity are not numbers.
        RecursionError: the text is nested too deeply.
    """
    return json.loads(text, parse_constant=_refuse_constant, object_pairs_hook=_without_duplicates)


def _refuse_constant(word: str) -> NoReturn:
    raise ValueError(f"{word} is not a number")


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict[str, Any]()
    for name, value in pairs:
        if name in values:
            raise DuplicateKey(name)
        values[name] = value
    return values
