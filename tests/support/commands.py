"""Commands made from JSON as requests have it, without envelope and limits; null is taken, as older pages sent it."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pegboard.core.moves import ENVELOPE, ROWS, Command
from pegboard.values import STORED, object_reader


def command_of(values: Mapping[str, Any]) -> Command:
    """The command that "do" names."""
    row = ROWS[values["do"]]
    own = (one for one in row.fields.values() if one.name not in (*ENVELOPE, "do"))
    lenient = tuple(replace(one, required=False, default=None) for one in own)
    command: Command = object_reader(lenient, row.command, STORED)(dict(values))
    return command
