"""Terminal screen: addresses, how to join, and the board as text, cropped to the terminal; imports rich."""

from collections.abc import Sequence

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from pegboard.core.board import Game
from pegboard.core.position import Lane
from pegboard.core.rules import STREET
from pegboard.core.sentences import join_names, marked_dealer, to_count
from pegboard.core.view import Call, EventNews, NextSeat, View
from pegboard.messages import capitalize

BOARD_COLUMNS = 40
"""Minimum columns of the board beside a QR code; longer names are cut."""

NO_ROOM = "Make this window larger to see the QR code"

BETWEEN = 2
"""Columns between the board and the QR code."""


def compose(view: View, lines: Sequence[str], qr: str | None, console: Console) -> RenderableType:
    """The screen: all lines, the QR code beside the board or above the lines, and as much of the board as fits.

    If the code does not fit, a line says so. The last row of the terminal is left free for the cursor.
    """
    width, height = console.size.width, console.size.height - 1
    if qr is None:
        return _column(view, lines, width, height, console)
    code = Text(qr, no_wrap=True, overflow="crop")
    across, down = max(map(len, qr.splitlines())), len(qr.splitlines())
    beside = width - across - BETWEEN
    if beside >= BOARD_COLUMNS and down <= height:
        return _side_by_side(_column(view, lines, beside, height, console), code, beside)
    stacked = Group(code, *_words(lines), Text(), draw(view))
    if across <= width and _rows(stacked, width, console) <= height:
        return stacked
    return _column(view, [*lines, NO_ROOM], width, height, console)


def _column(view: View, lines: Sequence[str], width: int, height: int, console: Console) -> Group:
    words = _words(lines)
    room = height - _rows(Group(*words), width, console) - 1
    board = draw(view, room)
    wrapped = _rows(board, width, console) - len(board.renderables)
    return Group(*words, Text(), draw(view, room - wrapped) if wrapped else board)


def _words(lines: Sequence[str]) -> list[Text]:
    return [Text(line) for line in lines]


def _side_by_side(left: RenderableType, right: RenderableType, width: int) -> Table:
    grid = Table.grid(padding=(0, BETWEEN, 0, 0))
    grid.add_column(width=width)
    grid.add_column(no_wrap=True)
    grid.add_row(left, right)
    return grid


def _rows(shown: RenderableType, width: int, console: Console) -> int:
    return len(console.render_lines(shown, console.options.update(width=width), pad=False))


# --- the board as text in a terminal: names, scores and the track ---


COLORS = ("#58B4EE", "#F5BC3D", "#3CCB9F", "#E58BB6")
"""Colors of the lanes, readable on a dark terminal; each lane also has its own symbols."""

MARKS = (("●", "○"), ("■", "□"), ("▲", "△"), ("◆", "◇"))
"""The symbols of the front and the rear peg of each lane."""


def draw(view: View, most: int | None = None) -> Group:
    """The board, about 12 lines of 50 columns; if limited to `most` lines, streets with pegs come first."""
    lanes = range(view.game.rules.lanes)
    heads = [_head(view, lane) for lane in lanes]
    said = [*(alarm.message for alarm in view.alarms), *([view.notice] if view.notice else [])]
    said += [] if view.event is None else event_sentences(view.event)
    notes = [Text(capitalize(sentence), style="bold reverse") for sentence in said]
    room = None if most is None else most - len(heads) - 1 - len(notes)
    rows = [_street(view, lane, first) for first in _streets(view, room) for lane in _order(lanes, first)]
    return Group(*heads, *([Text(), *rows] if rows else []), *notes)


def _streets(view: View, room: int | None) -> list[int]:
    """The hole before each street; if `room` has too few lines, streets with pegs come first."""
    streets = range(0, view.game.rules.game_hole - 1, STREET)
    if room is None or room >= len(streets) * len(view.game.lanes):
        return list(streets)
    fronts = {_street_of(lane.front) for lane in view.game.lanes}
    rears = {_street_of(lane.rear) for lane in view.game.lanes}
    ranked = sorted(streets, key=lambda first: (first not in fronts, first not in rears))
    return sorted(ranked[: max(0, room) // len(view.game.lanes)])


def _street_of(hole: int) -> int:
    return max(0, hole - 1) // STREET * STREET


def _order(lanes: range, first: int) -> list[int]:
    """The order of the lanes in a street: the track turns after each street, so every second street is reversed."""
    return list(lanes if first // STREET % 2 == 0 else reversed(lanes))


def _head(view: View, lane: int) -> Text:
    game = view.game
    pegs = game.lanes[lane]
    line = Text.assemble((MARKS[lane][0], COLORS[lane]), " ", (game.lane_name(lane), "bold"))
    line.append(f"  {pegs.front}", "bold")
    if view.dialled[lane]:
        line.append(f"  +{view.dialled[lane]} ...", "reverse")
    if (dealer := marked_dealer(view)) is not None and game.rules.lane_of(dealer) == lane:
        line.append("  D", "reverse")
    line.append(_counting(game, lane), "bold")
    line.append(f"  {_standing(view, lane)}", "dim")
    line.no_wrap, line.overflow = True, "ellipsis"
    if view.match.games_won[lane]:
        line.append(f"  won {view.match.games_won[lane]}", "dim")
    return line


def _counting(game: Game, lane: int) -> str:
    """What a lane counts next, hand or crib, in words; "" if nothing."""
    counts = to_count(game)
    if counts is None or game.rules.lane_of(counts.seat) != lane:
        return ""
    whose = f"{game.players[counts.seat]} " if game.rules.seats > game.rules.lanes else ""
    return f"  {whose}counts the {counts.what}"


def _standing(view: View, lane: int) -> str:
    outcome, game = view.game.outcome, view.game
    if outcome is None:
        return f"{game.rules.game_hole - game.lanes[lane].front} to go"
    if outcome.winner == lane:
        return "wins"
    if game.rules.lurch and outcome.skunks[lane]:
        return "in the lurch"
    return ("", "skunked", "double skunked", "triple skunked")[outcome.skunks[lane]]


def _street(view: View, lane: int, first: int) -> Text:
    """One lane of a street in groups of five, with the start hole before the first and the game hole after the last."""
    pegs, game_hole = view.game.lanes[lane], view.game.rules.game_hole
    last = min(first + STREET, game_hole - 1)
    backward = first // STREET % 2 == 1
    cells = [_hole(pegs, lane, hole) for hole in range(first + 1, last + 1)]
    fives = [cells[n : n + 5] for n in range(0, len(cells), 5)]
    if backward:
        fives = [five[::-1] for five in fives[::-1]]
    end = _hole(pegs, lane, game_hole) if last == game_hole - 1 else Text(" ")
    start = _hole(pegs, lane, 0) if first == 0 else Text(" ")
    track = Text(" ").join(Text.assemble(*five) for five in fives)
    return Text.assemble(end, " ", track) if backward else Text.assemble(start, " ", track, " ", end)


def _hole(pegs: Lane, lane: int, hole: int) -> Text:
    front, rear = MARKS[lane]
    if hole == pegs.front:
        return Text(front, COLORS[lane])
    if hole == pegs.rear:
        return Text(rear, COLORS[lane])
    if 0 < hole < pegs.rear:
        return Text("━", COLORS[lane])
    return Text("·", "dim")


# --- the event's news as sentences ---


def event_sentences(event: EventNews) -> list[str]:
    """The event's news for this table, in English."""
    of = f" of {event.rounds}" if event.rounds else ""
    said = [f"{event.name}, table {event.table}{f', round {event.round}{of}' if event.round else ''}"]
    said += [_call_sentence(call) for call in event.calls]
    said += [_said_of_seat(seat) for seat in event.next]
    said += [f"next at this table: {join_names(event.here)}"] if event.here else []
    said += [event.announcement] if event.announcement else []
    said += [] if event.is_linked else ["the hub is offline; the table plays on"]
    return said + ([f"result not sent to the hub yet: {event.result_url}"] if event.result_url else [])


def _call_sentence(call: Call) -> str:
    who = {"judge": "a judge", "director": "the director"}[call.kind]
    if call.is_answered:
        return f"{join_names(call.accepted)} {'is' if len(call.accepted) == 1 else 'are'} coming"
    return f"{who} is called" + (f"; {join_names(call.accepted)} is coming" if call.accepted else "")


def _said_of_seat(seat: NextSeat) -> str:
    if not seat.table:
        return f"{seat.name}: no next game yet"
    deals = {True: ", and deals first", False: ", who deals first", None: ""}[seat.deals]
    return f"{seat.name}: next {'here, ' if seat.stays else ''}table {seat.table}, against {seat.against}{deals}"
