"""What was found wrong with a journal, on disk before it is mended: a kill meanwhile leaves it to be said."""

import contextlib
from collections.abc import Sequence
from pathlib import Path

from pegboard.messages import NO_MESSAGE, Message
from pegboard.storage.state_values import read_values, write_values

FILE = "findings.json"
"""In the state folder, until every window says so."""


def note_unsaid(folder: Path, findings: Sequence[Message]) -> None:
    """Note what was found and is not said yet, in the place of what was noted before.

    Raises:
        OSError: it cannot be written.
    """
    write_values(folder / FILE, [{"text": str(finding)} | finding.as_json() for finding in findings])


def read_unsaid(folder: Path) -> list[Message]:
    """What was found and is not said yet; nothing where that cannot be read."""
    try:
        return [Message.from_json(values) for values in read_values(folder / FILE)]
    except (OSError, *NO_MESSAGE):
        return []


def forget_unsaid(folder: Path) -> None:
    """Every window says it now."""
    with contextlib.suppress(OSError):
        (folder / FILE).unlink()
