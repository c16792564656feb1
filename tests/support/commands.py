"""Commands made from JSON, as requests name them, without an envelope and without limits."""

from collections.abc import Mapping
from typing import Any

from pegboard.core.moves import ENVELOPE, ROWS, Command
from pegboard.values import STORED, object_reader


def command_of(values: Mapping[str, Any]) -> Command:
    """The command that "do" names."""
    row = ROWS[values["do"]]
    own = tuple(one for one in row.fields.values() if one.name not in (*ENVELOPE, "do"))
    command: Command = object_reader(own, row.command, STORED)(dict(values))
    return command
