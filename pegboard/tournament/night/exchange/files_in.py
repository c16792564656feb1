"""CSV import of rosters and results: each line becomes a request, or is refused with its number and the reason.

A file of results with two lines for one game is refused as a whole.
"""

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from pegboard.errors import PegboardError, RuleError
from pegboard.messages import Message
from pegboard.tournament.ids import PlayerId
from pegboard.tournament.night.deciding import read_request
from pegboard.tournament.night.exchange.csv_text import read_csv
from pegboard.tournament.night.facts import ScheduledGame
from pegboard.tournament.night.night_report import report
from pegboard.tournament.night.night_state import Night
from pegboard.tournament.night.people import EnterPlayer, look
from pegboard.tournament.night.results_decided import EnterPaperResult
from pegboard.tournament.pairings import GameKey, join_pair
from pegboard.tournament.results.scoring import GAME_HOLE, check_margin

# --- shared by all CSV imports: headings, lines, requests ---


Json: TypeAlias = dict[str, Any]

MOST_LINES = 2000
"""Maximum lines of a file."""


@dataclass(frozen=True, slots=True)
class FileRequests:
    """Parsed content of an import file.

    Attributes:
        requests: one request for each line that is valid and new.
        faults: one message for each line that is refused.
        lines: the line number of each request.
        notes: messages about columns and lines that were skipped without being wrong.
    """

    requests: tuple[Json, ...]
    faults: tuple[Message, ...] = ()
    lines: tuple[int, ...] = ()
    notes: tuple[Message, ...] = ()


def read_lines(text: str) -> tuple[list[str], list[tuple[int, list[str]]]]:
    """The first line, which names the columns; and the line number and cells of each other nonblank line.

    Raises:
        RuleError: the text is not CSV, is empty, or has too many lines.
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
        header.pop()  # a column without a heading is not read: its cells are in excess
    return header, rows[1:]


def name_columns(header: Sequence[str], columns: Mapping[str, str]) -> list[str | None]:
    """The field of each column by its heading, ignoring case, blanks and punctuation; None for unknown columns.

    Raises:
        RuleError: two columns are for the same field.
    """
    by_heading = {_plain(words): field for words, field in columns.items()}
    found = [by_heading.get(_plain(words)) for words in header]
    for at, field in enumerate(found):
        if field is not None and field in found[:at]:
            raise RuleError("night_file_column_twice", one=header[found.index(field)], other=header[at])
    return found


def _plain(words: str) -> str:
    """Normalize a heading: no case, blanks or punctuation; "#" and "N\u00b0" become "no", as in "ACC #".

    A lone "#" is kept: it may count the lines, and a member number must not be guessed.
    """
    if words.strip() == "#":
        return "#"
    text = unicodedata.normalize("NFKC", words).casefold().replace("#", "no").replace("\u00b0", "o")
    return "".join(filter(str.isalnum, text))


def check_cells(header: Sequence[str], cells: Sequence[str]) -> None:
    """Check that a line has no cells beyond the headings; they would be lost.

    Raises:
        RuleError: the line has such cells.
    """
    if any(cells[len(header) :]):
        count = max(at for at, cell in enumerate(cells, 1) if cell)
        raise RuleError("night_file_cells", cells=count, columns=len(header))


def describe_skipped(
    header: Sequence[str], columns: Sequence[str | None], rows: Sequence[tuple[int, list[str]]], lines: int
) -> tuple[Message, ...]:
    """Messages about skipped columns that are not empty, and about the number of lines with nothing new."""
    left = [
        words or f"#{at + 1}"
        for at, (words, field) in enumerate(zip(header, columns, strict=True))
        if field is None and any(any(cells[at : at + 1]) for _, cells in rows)
    ]
    of_columns = (Message("night_file_columns_left", columns=", ".join(left)),) if left else ()
    return of_columns + ((Message("night_file_lines_left", count=lines),) if lines else ())


# --- roster import: one request per player ---


ROSTER_COLUMNS: Mapping[str, str] = {
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
"""Fields by column heading; other columns are skipped."""

KNOWN = ("name", "first name", "last name", "number", "team", "partner", "free", "stays", "here")
"""One heading per field, for messages."""

NAME_PARTS = ("first", "last")
"""Fields that make up a full name, in order."""

WORDS: Mapping[str, bool] = {
    **dict.fromkeys(("yes", "y", "oui", "o", "true", "x", "1"), True),
    **dict.fromkeys(("no", "n", "non", "false", "0", ""), False),
}
"""Accepted words in yes-or-no cells."""


def read_roster(text: str, night: Night) -> FileRequests:
    """Read a roster from CSV; its first line names the columns: `name`, or `first name` and `last name`, is required.

    Raises:
        RuleError: the text is not CSV, is empty, has too many lines, no name column, or two columns for the same field.
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
            known += 1  # already on the roster
            continue
        try:
            check_cells(header, cells)
            requests[line] = _read_entry_line(header, columns, cells, seen, numbers)
        except PegboardError as error:
            faults.append(Message("night_file_line", line=line, why=error.message))
    notes = describe_skipped(header, columns, rows, known)
    return FileRequests(tuple(requests.values()), tuple(faults), tuple(requests), notes)


def _name_columns(header: Sequence[str]) -> list[str | None]:
    """The field of each column; a name column next to a first-name column holds the last names.

    Raises:
        RuleError: there is no name column, or two columns are for the same field.
    """
    columns = name_columns(header, ROSTER_COLUMNS)
    if "first" in columns and "last" not in columns:
        columns = ["last" if field == "name" else field for field in columns]
    whole, parts = "name" in columns, {"first", "last"} <= set(columns)
    if whole and "last" in columns:
        one, other = header[columns.index("name")], header[columns.index("last")]
        raise RuleError("night_file_column_twice", one=one, other=other)
    if not whole and not parts:
        raise RuleError("night_file_columns", known=", ".join(KNOWN), results=", ".join(RESULT_COLUMNS))
    return columns


def _read_entry_line(
    header: Sequence[str],
    columns: Sequence[str | None],
    cells: Sequence[str],
    seen: dict[str, str],
    numbers: dict[str, str],
) -> Json:
    """The request for a line; records its names and number to catch later duplicates."""
    request: Json = {}
    for title, field, cell in zip(header, columns, cells, strict=False):
        if field in ("free", "stays", "walk_up"):
            request[field] = _read_word(title, cell)
        elif field is not None and cell:
            request[field] = " ".join(cell.split())
    request = {"name": _name_of(request)} | {key: value for key, value in request.items() if key not in NAME_PARTS}
    read_request(EnterPlayer, request)
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
    """The full name in a line, which may be split over two columns."""
    return values.get("name") or " ".join(filter(None, (values.get(part) for part in NAME_PARTS)))


def _read_word(title: str, cell: str) -> bool:
    word = cell.casefold()
    if word not in WORDS:
        raise RuleError("night_file_word", column=title, value=repr(cell))
    return WORDS[word]


RESULT_COLUMNS: Mapping[str, str] = {
    "round": "round",
    "ronde": "round",
    "player": "one",
    "joueur": "one",
    "opponent": "other",
    "adversaire": "other",
    "winner": "winner",
    "vainqueur": "winner",
    "margin": "margin",
    "écart": "margin",
    "player_net": "net",
}
"""Fields by column heading; other columns are skipped."""

NEEDED = ("one", "other")
"""Required columns, which identify the game; `round` distinguishes two games of the same players."""

OF_RESULTS = frozenset({"other", "winner", "margin", "net"})
"""Columns that only results files have, not rosters."""

RESULT = frozenset({"net", "winner", "margin"})
"""Columns that hold a result; a line of a played game fills at least one."""


def is_results(text: str) -> bool:
    """Whether a file is a results file: its first line has a column that rosters do not have; others may be missing.

    Raises:
        RuleError: the text is not CSV, is empty, or has too many lines.
    """
    return not OF_RESULTS.isdisjoint(name_columns(read_lines(text)[0], RESULT_COLUMNS))


def read_results(text: str, night: Night) -> FileRequests:
    """Read results from CSV: both players of a game, and either the winner and margin or the first player's net.

    Lines without a result, or with the result already recorded, are skipped, so that an exported results file can be
    imported unchanged.

    Raises:
        RuleError: the text is not CSV, is empty, has too many lines, lacks a column, or has two lines for one game:
            it is unknown which line is right, or which game the other line is meant for.
    """
    header, rows = read_lines(text)
    columns = name_columns(header, RESULT_COLUMNS)
    if not (set(NEEDED) <= set(columns) and ("net" in columns or {"winner", "margin"} <= set(columns))):
        raise RuleError("night_file_result_columns", known=", ".join(RESULT_COLUMNS))
    requests: dict[int, Json] = {}
    lines: dict[GameKey, list[int]] = {}
    faults: list[Message] = []
    nothing_new = 0
    for line, cells in rows:
        named = {name: " ".join(cell.split()) for name, cell in zip(columns, cells, strict=False) if name and cell}
        if named.keys().isdisjoint(RESULT) and not any(cells[len(header) :]):
            nothing_new += 1
            continue
        try:
            check_cells(header, cells)
            game = _game_of(named, night)
            lines.setdefault(game.key, []).append(line)
            request = _read_result_line(named, game, night)
            if request is None:
                nothing_new += 1
            else:
                requests[line] = request
        except PegboardError as error:
            faults.append(Message("night_file_line", line=line, why=error.message))
    _check_lines(lines, night)
    notes = describe_skipped(header, columns, rows, nothing_new)
    return FileRequests(tuple(requests.values()), tuple(faults), tuple(requests), notes)


def _check_lines(lines: Mapping[GameKey, list[int]], night: Night) -> None:
    """Check that no game has two lines.

    Raises:
        RuleError: a game has two lines.
    """
    for game, (first, *others) in lines.items():
        if others:
            one, other = (night.name(player) for player in night.schedule[game].players)
            raise RuleError("night_file_twice", line=others[0], first=first, one=one, other=other)


def _read_result_line(named: Mapping[str, str], game: ScheduledGame, night: Night) -> Json | None:
    """The request for a line; None if the line has nothing new."""
    winner, margin = _result_of(named, game, night)
    check_margin(margin, night.rules.points)
    request: Json = {"do": "paper_result", "game": game.key, "winner": winner, "margin": margin}
    read_request(EnterPaperResult, {name: value for name, value in request.items() if name != "do"})
    record = report(night).records[game.key]
    if not record.settled:
        return request
    signs = (1, -1) if record.pairing.players[0] == winner else (-1, 1)
    if [value.net for value in record.values if value is not None] == [sign * margin for sign in signs]:
        return None
    raise RuleError("night_file_other_result", one=night.name(game.players[0]), other=night.name(game.players[1]))


def _game_of(named: Mapping[str, str], night: Night) -> ScheduledGame:
    """The drawn game that a line names.

    Raises:
        RuleError: a name is not on the roster, or no such game is drawn, or more than one such game.
    """
    players = {_player(named.get(name, ""), night) for name in NEEDED}
    number = named.get("round", "")
    found = [
        game for game in night.schedule.values() if set(game.players) == players and number in ("", str(game.round))
    ]
    if len(found) != 1:
        key = "night_file_games" if found else "night_file_no_game"
        raise RuleError(key, one=named.get("one", ""), other=named.get("other", ""), round=number or "?")
    return found[0]


def _player(name: str, night: Night) -> PlayerId:
    for one in night.players.values():
        if look(one.display_name) == look(name):
            return one.player
    raise RuleError("night_file_no_name", name=repr(name))


def _result_of(named: Mapping[str, str], game: ScheduledGame, night: Night) -> tuple[PlayerId, int]:
    """The winner and the margin in holes.

    Raises:
        RuleError: the winner is neither player, or the margin is not a number.
    """
    one, other = (_player(named[name], night) for name in NEEDED)
    if "net" in named:
        net = _number(named["net"])
        return (one, net) if net > 0 else (other, -net)
    winner = _player(named.get("winner", ""), night)
    if winner not in game.players:
        raise RuleError("night_file_winner", one=night.name(one), other=night.name(other))
    return winner, _number(named.get("margin", ""))


def _number(text: str) -> int:
    digits = text.replace("\u2212", "-")
    if not digits.lstrip("+-").isascii() or not digits.lstrip("+-").isdigit() or len(digits) > len(f"+{GAME_HOLE}"):
        raise RuleError("night_file_margin", most=GAME_HOLE, value=repr(text))
    return int(digits)
