"""Results from CSV: each line is the result of a drawn game, as from paper, or is refused with number and reason.

A file with two lines of one game is refused as a whole.
"""

from collections.abc import Mapping

from pegboard.errors import PegboardError, RuleError
from pegboard.messages import Message
from pegboard.tournament.ids import PlayerId
from pegboard.tournament.night.checks.names_on_roster import look
from pegboard.tournament.night.decisions import ROWS
from pegboard.tournament.night.exchange.table_file import (
    FileRequests,
    Json,
    check_cells,
    name_columns,
    read_lines,
    say_left_out,
)
from pegboard.tournament.night.facts import ScheduledGame
from pegboard.tournament.night.night_report import report
from pegboard.tournament.night.night_state import Night
from pegboard.tournament.night.request_fields import check_fields
from pegboard.tournament.pairings import GameKey
from pegboard.tournament.results.scoring import GAME_HOLE, check_margin

COLUMNS: Mapping[str, str] = {
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
"""Words over a column, and what it holds; other columns are left out."""

NEEDED = ("one", "other")
"""Without these columns no game is named; `round` tells two games of the same players apart."""

OF_RESULTS = frozenset({"other", "winner", "margin", "net"})
"""Columns that no roster has."""

RESULT = frozenset({"net", "winner", "margin"})
"""Columns of which a line has at least one where its game was played."""


def is_results(text: str) -> bool:
    """Whether the first line of a file names a column that results have, and a roster has not; others may be missing.

    Raises:
        RuleError: it is no CSV, has no line, or too many.
    """
    return not OF_RESULTS.isdisjoint(name_columns(read_lines(text)[0], COLUMNS))


def read_results(text: str, night: Night) -> FileRequests:
    """The results of a CSV file: both players of a game, and its winner with the margin, or the net of the first.

    A line without a result, or with the one that its game has already, is passed over, so that the file of results that
    a night gives out comes in again as it is.

    Raises:
        RuleError: it has no line, too many, lacks a column, or two lines are of one game: which of them is right, or
            which game the other was to be, nobody can guess.
    """
    header, rows = read_lines(text)
    columns = name_columns(header, COLUMNS)
    if not (set(NEEDED) <= set(columns) and ("net" in columns or {"winner", "margin"} <= set(columns))):
        raise RuleError("night_file_result_columns", known=", ".join(COLUMNS))
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
            request = _read_line(named, game, night)
            if request is None:
                nothing_new += 1
            else:
                requests[line] = request
        except PegboardError as error:
            faults.append(Message("night_file_line", line=line, why=error.message))
    _check_lines(lines, night)
    notes = say_left_out(header, columns, rows, nothing_new)
    return FileRequests(tuple(requests.values()), tuple(faults), tuple(requests), notes)


def _check_lines(lines: Mapping[GameKey, list[int]], night: Night) -> None:
    """Refuse two lines of one game.

    Raises:
        RuleError: there are two.
    """
    for game, (first, *others) in lines.items():
        if others:
            one, other = (night.name(player) for player in night.schedule[game].players)
            raise RuleError("night_file_twice", line=others[0], first=first, one=one, other=other)


def _read_line(named: Mapping[str, str], game: ScheduledGame, night: Night) -> Json | None:
    """The request of a line; None where it says nothing new."""
    winner, margin = _result_of(named, game, night)
    check_margin(margin, night.rules.points)
    request: Json = {"do": "paper_result", "game": game.key, "winner": winner, "margin": margin}
    check_fields(ROWS["paper_result"].own_fields, {name: value for name, value in request.items() if name != "do"})
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
        RuleError: a name is on no roster, or no such game is drawn, or more than one.
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
    """Who has won, and by how many holes.

    Raises:
        RuleError: the winner is neither of the two, or the margin is no number.
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
