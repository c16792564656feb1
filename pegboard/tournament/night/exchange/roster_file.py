"""A roster from CSV: each line becomes a request to enter a player, or is refused with its number and the reason."""

from collections.abc import Mapping, Sequence

from pegboard.errors import PegboardError, RuleError
from pegboard.messages import Message
from pegboard.tournament.joined_names import join_pair
from pegboard.tournament.night.checks.names_on_roster import look
from pegboard.tournament.night.decisions import ROWS
from pegboard.tournament.night.exchange.results_file import COLUMNS as RESULT_COLUMNS
from pegboard.tournament.night.exchange.table_file import FileRequests, Json, name_columns, read_lines
from pegboard.tournament.night.night_state import Night
from pegboard.tournament.night.request_fields import check_fields

COLUMNS: Mapping[str, str] = {
    "name": "name",
    "player": "name",
    "nom": "name",
    "number": "number",
    "member": "number",
    "acc": "number",
    "no": "number",
    "numéro": "number",
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
"""Words over a column, and the field that it is; other columns are passed over."""

WORDS: Mapping[str, bool] = {
    **dict.fromkeys(("yes", "y", "oui", "o", "true", "x", "1"), True),
    **dict.fromkeys(("no", "n", "non", "false", "0", ""), False),
}
"""What a cell of yes or no can say."""


def read_roster(text: str, night: Night) -> FileRequests:
    """The players of a CSV file; its first line names the columns, of which `name` is needed.

    Raises:
        RuleError: it has no line, too many, or no column of names.
    """
    header, rows = read_lines(text)
    columns = name_columns(header, COLUMNS)
    if "name" not in columns:
        raise RuleError("night_file_columns", known=", ".join(COLUMNS), results=", ".join(RESULT_COLUMNS))
    requests: dict[int, Json] = {}
    faults: list[Message] = []
    seen = {look(name): one.display_name for one in night.players.values() for name in (one.name, one.partner) if name}
    numbers = {one.number: one.display_name for one in night.players.values() if one.number}
    there = {(look(one.name), number) for one in night.players.values() for number in ("", one.number)}
    for line, cells in rows:
        values = dict(zip(columns, (" ".join(cell.split()) for cell in cells), strict=False))
        if (look(values.get("name", "")), values.get("number", "")) in there:
            continue  # the same roster once more
        try:
            requests[line] = _read_line(header, columns, cells, seen, numbers)
        except PegboardError as error:
            faults.append(Message("night_file_line", line=line, why=error.message))
    return FileRequests(tuple(requests.values()), tuple(faults), tuple(requests))


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


def _read_word(title: str, cell: str) -> bool:
    word = cell.casefold()
    if word not in WORDS:
        raise RuleError("night_file_word", column=title, value=repr(cell))
    return WORDS[word]
