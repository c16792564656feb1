"""Small state files in JSON, each object with a check value: a flipped bit is found, and never taken for a choice."""

import json
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any, TypeAlias

from pegboard.storage.atomic_file import replace_file
from pegboard.storage.private_files import read_owned

Values: TypeAlias = Mapping[str, Any]

CHECK = "check"
"""The name under which an object has its check value; one that an older version wrote has none."""

MOST_BYTES = 500_000
"""Bytes of a file that are read."""

_CHECK_BYTES = 8


def write_values(path: Path, values: Values | Sequence[Values]) -> None:
    """Write an object of JSON, or a list of them, to disk in the place of a file.

    Raises:
        OSError: it could not be written; the old file is as it was.
    """
    checked = _with_check(values) if isinstance(values, Mapping) else [_with_check(one) for one in values]
    replace_file(path, json.dumps(checked))


def read_values(path: Path) -> Any:
    """The object, or the list of objects, that a file holds.

    Raises:
        OSError: it is missing, a link or no regular file, or cannot be read.
        ValueError: it is not what was written.
    """
    try:
        values = json.loads(read_owned(path, MOST_BYTES).decode())
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error
    return [_without_check(one) for one in values] if isinstance(values, list) else _without_check(values)


def _with_check(values: Values) -> dict[str, Any]:
    return {**values, CHECK: _check(values)}


def _without_check(values: object) -> dict[str, Any]:
    """An object without its check value.

    Raises:
        ValueError: it is no object, or not what was written.
    """
    if not isinstance(values, dict):
        raise ValueError(f"{values!r:.40} is not an object")  # noqa: TRY004 - of a file, not of an argument
    left = {name: value for name, value in values.items() if name != CHECK}
    if CHECK in values and values[CHECK] != _check(left):
        raise ValueError("its checksum is wrong")
    return left


def _check(values: Values) -> str:
    text = json.dumps(values, sort_keys=True, separators=(",", ":"))
    return blake2b(text.encode(), digest_size=_CHECK_BYTES).hexdigest()
