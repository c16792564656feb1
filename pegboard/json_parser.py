"""Strict JSON: the parser for untrusted text rejects duplicate keys, NaN and Infinity; the writer is canonical."""

import json
import re
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


_CANONICAL = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def canonical_json(values: object) -> str:
    """Values as canonical JSON text: the same for equal values, now and later, because hashes and signatures cover it.

    Raises:
        ValueError: they contain NaN or infinity.
        RecursionError: they are nested too deeply.
    """
    return _CANONICAL.encode(values)


# --- nesting depth of JSON text: Python's own limit differs between versions ---


DEEPEST = 32
"""Maximum nesting of lists and objects; a line of an export has five levels."""

_STRING = re.compile(rb'"(?:[^"\\]|\\.)*"?', re.DOTALL)

_BRACKET = re.compile(rb"[][{}]")


def is_too_deep(text: bytes) -> bool:
    """Whether lists and objects are nested more than `DEEPEST` levels deep; the text need not be valid JSON."""
    if text.count(b"[") + text.count(b"{") <= DEEPEST:
        return False
    level = 0
    for bracket in _BRACKET.findall(_STRING.sub(b"", text)):
        level += 1 if bracket in b"[{" else -1
        if level > DEEPEST:
            return True
    return False
