"""What all CSV files that come in have in common: their lines, and the requests that they become."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from pegboard.errors import RuleError
from pegboard.messages import Message
from pegboard.tournament.night.exchange.csv_text import read_csv

Json: TypeAlias = dict[str, Any]

MOST_LINES = 2000
"""Of a file."""


@dataclass(frozen=True, slots=True)
class FileRequests:
    """A file that was read.

    Attributes:
        requests: one for each line that can be entered and is not there already.
        faults: one sentence for each line that cannot.
        lines: the number of the line of each request.
    """

    requests: tuple[Json, ...]
    faults: tuple[Message, ...] = ()
    lines: tuple[int, ...] = ()


def read_lines(text: str) -> tuple[list[str], list[tuple[int, list[str]]]]:
    """The first line, which names the columns; and the number and the cells of each other line that has any.

    Raises:
        RuleError: it is no CSV, has no line, or too many.
    """
    try:
        rows = read_csv(text)
    except ValueError:
        raise RuleError("night_file_no_csv") from None
    if not rows:
        raise RuleError("night_file_empty")
    if len(rows) > MOST_LINES:
        raise RuleError("night_file_long", most=MOST_LINES)
    return rows[0][1], rows[1:]


def name_columns(cells: list[str], columns: Mapping[str, str]) -> list[str | None]:
    """The field of each column by the word over it; None for a column that is passed over."""
    return [columns.get(word.casefold()) for word in cells]
