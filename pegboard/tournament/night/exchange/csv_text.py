"""CSV reader and writer (RFC 4180, with a byte order mark), protected against formula injection in spreadsheets.

The reader accepts comma, semicolon or tab as separator, whichever is most frequent in the first line.
"""

import csv
from collections.abc import Iterable, Sequence

BOM = "\ufeff"
"""Byte order mark, by which spreadsheets recognize UTF-8."""

FORMULA_SIGNS = frozenset(
    "=+-@\u2212\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b\u207a\u207b\u207c\u208a\u208b\u208c"
)
"""= + - @, the minus sign, and their full-width, small, superscript and subscript forms."""

CELL_ENDS = frozenset(";\t\r\n")
"""Cell ends in a spreadsheet that splits cells at semicolons or tabs."""

SEPARATORS = (",", ";", "\t")

APOSTROPHE = "'"
"""Marks a cell as text; spreadsheets hide it."""


def write_csv(rows: Iterable[Iterable[str | int]]) -> str:
    """Rows as CSV; numbers stay numbers."""
    lines: list[str] = []
    writer = csv.writer(_Lines(lines), lineterminator="\r\n")
    writer.writerows([defuse(cell) if isinstance(cell, str) else cell for cell in row] for row in rows)
    return BOM + "".join(lines)


class _Lines:
    """File-like target of a CSV writer."""

    def __init__(self, lines: list[str]) -> None:
        self._lines = lines

    def write(self, line: str) -> None:
        self._lines.append(line)


def defuse(text: str) -> str:
    """The text with an apostrophe before each part that a spreadsheet would read as a formula."""
    letters: list[str] = []
    for at, letter in enumerate(text):
        if (at == 0 and _begins_formula(text)) or (at and text[at - 1] in CELL_ENDS and _begins_sign(text[at:])):
            letters.append(APOSTROPHE)
        letters.append(letter)
    return "".join(letters)


def _begins_formula(text: str) -> bool:
    return text[:1] in tuple("\t\r\n") or _begins_sign(text)


def _begins_sign(text: str) -> bool:
    return text.lstrip()[:1] in FORMULA_SIGNS


def fuse(text: str) -> str:
    """The text of a cell without the apostrophe that `defuse` adds."""
    return text[1:] if text[:1] == APOSTROPHE and _begins_formula(text[1:]) else text


def read_csv(text: str) -> list[tuple[int, list[str]]]:
    """Line number and stripped cells of each line that is not blank.

    A row that spans several lines has the number of the last line.

    Raises:
        ValueError: the text is not CSV.
    """
    lines = text.removeprefix(BOM).splitlines(keepends=True)
    first = next((line for line in lines if line.strip()), "")
    separator = max(SEPARATORS, key=first.count)
    try:
        reader = csv.reader(lines, delimiter=separator, strict=True)
        rows = [(reader.line_num, _cells(row)) for row in reader]
    except csv.Error as error:
        raise ValueError(str(error)) from error
    return [(line, cells) for line, cells in rows if any(cells)]


def _cells(row: Sequence[str]) -> list[str]:
    return [fuse(cell.strip()) for cell in row]
