"""A roster from CSV: each line becomes a request to enter a player, or is refused with its number and the reason."""

from collections.abc import Mapping, Sequence
from typing import Any

from pegboard.errors import PegboardError, RuleError
from pegboard.messages import Message
from pegboard.tournament.joined_names import join_pair
from pegboard.tournament.night.checks.names_on_roster import look
from pegboard.tournament.night.decisions import ROWS
from pegboard.tournament.night.exchange.results_file import COLUMNS as RESULT_COLUMNS
from pegboard.tournament.night.exchange.table_file import (
    FileRequests,
    Json,
    check_cells,
    name_columns,
    read_lines,
    say_left_out,
)
from pegboard.tournament.night.night_state import Night
from pegboard.tournament.night.request_fields import check_fields

COLUMNS: Mapping[str, str] = {
    **dict.fromkeys(("name", "player", "player name", "full name", "nom", "nom complet", "joueur"), "name"),
    **dict.fromkeys(("first name", "first", "given name", "prénom"), "first"),
    **dict.fromkeys(("last name", "last", "surname", "family name", "nom de famille"), "last"),
    **dict.fromkeys(("number", "no", "numéro", "acc", "acc no", "acc number", "member", "member no"), "number"),
    **dict.fromkeys(("member number", "member id", "membership", "membership no", "membership number"), "number"),
    "team": "team",
    "équipe": "team",
    "partner": "partner",
    "partenaire": "partner",
    "free": "free",
    "gratuit": "free",
    "stays": "stays",
    "reste": "stays",
    "here": "walk_up",
    "présent": "walk_up",
}
"""Words over a column, and the field that it is; other columns are left out."""

KNOWN = ("name", "first name", "last name", "number", "team", "partner", "free", "stays", "here")
"""One heading of each field, for sentences."""

NAME_PARTS = ("first", "last")
"""Fields that make a name, in its order."""

WORDS: Mapping[str, bool] = {
    **dict.fromkeys(("yes", "y", "oui", "o", "true", "x", "1"), True),
    **dict.fromkeys(("no", "n", "non", "false", "0", ""), False),
}
"""What a cell of yes or no can say."""


def read_roster(text: str, night: Night) -> FileRequests:
    """The players of a CSV file; its first line names the columns: `name`, or `first name` and `last name`, is needed.

    Raises:
        RuleError: it has no line, too many, no column of names, or two columns of one field.
    """
    header, rows = read_lines(text)
    columns = _name_columns(header)
    known = 0
    requests: dict[int, Json] = {}
    faults: list[Message] = []
    seen = {look(name): one.display_name for one in night.players.values() for name in (one.name, one.partner) if name}
    numbers = {one.number: one.display_name for one in night.players.values() if one.number}
    there = {(look(one.name), number) for one in night.players.values() for number in ("", one.number)}
    for line, cells in rows:
        values = dict(zip(columns, (" ".join(cell.split()) for cell in cells), strict=False))
        if (look(_name_of(values)), values.get("number", "")) in there and not any(cells[len(header) :]):
            known += 1  # the same roster once more
            continue
        try:
            check_cells(header, cells)
            requests[line] = _read_line(header, columns, cells, seen, numbers)
        except PegboardError as error:
            faults.append(Message("night_file_line", line=line, why=error.message))
    notes = say_left_out(header, columns, rows, known)
    return FileRequests(tuple(requests.values()), tuple(faults), tuple(requests), notes)


def _name_columns(header: Sequence[str]) -> list[str | None]:
    """The field of each column; a column of names beside one of first names is that of the last names.

    Raises:
        RuleError: there is no column of names, or two columns are of one field.
    """
    columns = name_columns(header, COLUMNS)
    if "first" in columns and "last" not in columns:
        columns = ["last" if field == "name" else field for field in columns]
    whole, parts = "name" in columns, {"first", "last"} <= set(columns)
    if whole and "last" in columns:
        one, other = header[columns.index("name")], header[columns.index("last")]
        raise RuleError("night_file_column_twice", one=one, other=other)
    if not whole and not parts:
        raise RuleError("night_file_columns", known=", ".join(KNOWN), results=", ".join(RESULT_COLUMNS))
    return columns


def _read_line(
    header: Sequence[str],
    columns: Sequence[str | None],
    cells: Sequence[str],
    seen: dict[str, str],
    numbers: dict[str, str],
) -> Json:
    """The request of a line; its name and number are noted, so that no later line has them again."""
    request: Json = {}
    for title, field, cell in zip(header, columns, cells, strict=False):
        if field in ("free", "stays", "walk_up"):
            request[field] = _read_word(title, cell)
        elif field is not None and cell:
            request[field] = " ".join(cell.split())
    request = {"name": _name_of(request)} | {key: value for key, value in request.items() if key not in NAME_PARTS}
    check_fields(ROWS["enter"].own_fields, request)
    number, names = request.get("number", ""), [request["name"], *filter(None, [request.get("partner")])]
    called = join_pair(*names) if len(names) > 1 else names[0]
    for name in names:
        if look(name) in seen:
            raise RuleError("night_name_twice", name=seen[look(name)])
        seen[look(name)] = called
    if number and number in numbers:
        raise RuleError("night_number_twice", number=number, name=numbers[number])
    if number:
        numbers[number] = called
    return {"do": "enter"} | request


def _name_of(values: Mapping[Any, str]) -> str:
    """The whole name in a line, which may have it in two columns."""
    return values.get("name") or " ".join(filter(None, (values.get(part) for part in NAME_PARTS)))


def _read_word(title: str, cell: str) -> bool:
    word = cell.casefold()
    if word not in WORDS:
        raise RuleError("night_file_word", column=title, value=repr(cell))
    return WORDS[word]
