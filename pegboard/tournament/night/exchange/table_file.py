"""What all CSV files that come in have in common: headings, lines, and the requests that they become."""

import unicodedata
from collections.abc import Mapping, Sequence
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
        notes: what was left out of the file without being wrong.
    """

    requests: tuple[Json, ...]
    faults: tuple[Message, ...] = ()
    lines: tuple[int, ...] = ()
    notes: tuple[Message, ...] = ()


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
    header = rows[0][1]
    while not header[-1]:
        header.pop()  # no heading, so no column: a cell below it is one too many
    return header, rows[1:]


def name_columns(header: Sequence[str], columns: Mapping[str, str]) -> list[str | None]:
    """The field of each column by the words over it, whatever their case, blanks and signs; None for any other column.

    Raises:
        RuleError: two columns are of one field.
    """
    by_heading = {_plain(words): field for words, field in columns.items()}
    found = [by_heading.get(_plain(words)) for words in header]
    for at, field in enumerate(found):
        if field is not None and field in found[:at]:
            raise RuleError("night_file_column_twice", one=header[found.index(field)], other=header[at])
    return found


def _plain(words: str) -> str:
    """A heading without case, blanks and signs; "#" and "N\u00b0" are "no", as in "ACC #".

    A "#" alone stays as it is: it may count the lines, and a member number must not be guessed.
    """
    if words.strip() == "#":
        return "#"
    text = unicodedata.normalize("NFKC", words).casefold().replace("#", "no").replace("\u00b0", "o")
    return "".join(filter(str.isalnum, text))


def check_cells(header: Sequence[str], cells: Sequence[str]) -> None:
    """See that a line has no cell beyond the headings, which would be lost.

    Raises:
        RuleError: it has.
    """
    if any(cells[len(header) :]):
        count = max(at for at, cell in enumerate(cells, 1) if cell)
        raise RuleError("night_file_cells", cells=count, columns=len(header))


def say_left_out(
    header: Sequence[str], columns: Sequence[str | None], rows: Sequence[tuple[int, list[str]]], lines: int
) -> tuple[Message, ...]:
    """Which columns with anything in them were left out, and how many lines that say nothing new."""
    left = [
        words or f"#{at + 1}"
        for at, (words, field) in enumerate(zip(header, columns, strict=True))
        if field is None and any(any(cells[at : at + 1]) for _, cells in rows)
    ]
    of_columns = (Message("night_file_columns_left", columns=", ".join(left)),) if left else ()
    return of_columns + ((Message("night_file_lines_left", count=lines),) if lines else ())
