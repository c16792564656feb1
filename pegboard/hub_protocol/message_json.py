"""JSON of messages between tables and hubs: read strictly, and what cannot be read is refused with a sentence."""

import json
import re
from typing import Any

from pegboard.errors import PegboardError
from pegboard.json_parser import parse_json

_CANONICAL = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


class BadMessage(PegboardError, ValueError):
    """A message that is none: not JSON, or not of the shape that is read here."""

    code = "message"


def canonical_json(values: object) -> str:
    """Values as JSON text that is always the same for equal values.

    Raises:
        BadMessage: they hold text that is no Unicode, or are nested too deep.
    """
    try:
        text = _CANONICAL.encode(values)
        text.encode()
    except (ValueError, RecursionError) as error:
        raise BadMessage("hub_message_json") from error
    return text


def read_object(payload: bytes) -> dict[str, Any]:
    """The JSON object in a payload.

    Raises:
        BadMessage: there is none.
    """
    try:
        values = parse_json(payload)
    except (ValueError, RecursionError) as error:  # UnicodeDecodeError is a ValueError, and so is a number too long
        raise BadMessage("hub_message_json") from error
    if not isinstance(values, dict):
        raise BadMessage("hub_message_json")
    return values


def is_integer(value: Any, least: int, below: int) -> bool:
    """Whether a value is a whole number from `least` to just below `below`."""
    return type(value) is int and least <= value < below


def is_text(value: Any, pattern: str) -> bool:
    """Whether a value is text of that pattern."""
    return isinstance(value, str) and re.fullmatch(pattern, value, re.ASCII) is not None


def is_word(value: Any, longest: int) -> bool:
    """Whether a value is text that can be shown, of so many letters at most."""
    return isinstance(value, str) and len(value) <= longest and value.isprintable()
