"""Results of games as the hub derives them itself: it replays each score sheet, and believes no claim of a table."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import groupby
from typing import Any, cast

from pegboard.core import wire
from pegboard.core.board import Game
from pegboard.core.entry import Origin
from pegboard.core.moves import Abandoned, Event, InPlace, Ruling, Started
from pegboard.core.referee import apply, redecide
from pegboard.errors import PegboardError
from pegboard.hub.ledger.ledger_rows import TableEvent
from pegboard.messages import Message
from pegboard.mqtt.messages_of_hub import canonical_json

UNREPLAYABLE = (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError)
"""What the replay ends in with events that no table can have stored so."""

TWO_SIDES = 2

RENAMED = "renamed"
"""The kind of a corrected name, which holds for other games of its match too."""


@dataclass(frozen=True, slots=True)
class TableResult:
    """A game as its score sheet tells it.

    Attributes:
        event: the event (the night); table: the table that it was played at.
        epoch: the id of the journal that its newest event is in; game: the id of the game.
        pairing: what was drawn, as the table had it: "EVENT/GAME KEY"; "" for a game that is none of the event's.
        players: names in seat order.
        over: whether somebody has won; winner: the lane, None while nobody has.
        holes: where the front peg of each lane stands.
        margin: by how many holes the winner is ahead, 1 to 121; None while nobody has won, and with three lanes.
        skunks: how many skunk lines the last of the losers has missed.
        confirmed: the seats that have confirmed the result as it is now.
        is_agreed: whether the game is over and nobody is left to confirm it.
        over_at: epoch and number of the newest event after which somebody had won; None where nobody ever had.
        corrections: lines undone, restored, amended or ruled on, each time.
        abandoned: whether it was given up.
        first, last: the numbers of its first and its newest event in the journal.
        digest: SHA-256 of the kinds, bodies and versions of its events, in hexadecimal.
        began_at, ended_at: when its first and its newest event were, by the table's clock, which may be wrong (ns).
        received_at: when the newest one came, by the hub's clock (ns since 1970).
        impossible: why the sheet cannot have happened at a table; None where it can.
    """

    event: str
    table: str
    epoch: str
    game: str
    pairing: str = ""
    players: tuple[str, ...] = ()
    over: bool = False
    winner: int | None = None
    holes: tuple[int, ...] = ()
    margin: int | None = None
    skunks: int = 0
    confirmed: tuple[int, ...] = ()
    is_agreed: bool = False
    over_at: tuple[str, int] | None = None
    corrections: int = 0
    abandoned: bool = False
    first: int = 0
    last: int = 0
    digest: str = ""
    began_at: int = 0
    ended_at: int = 0
    received_at: int = 0
    impossible: Message | None = None

    @property
    def is_won(self) -> bool:
        """Whether one of two has won it, and it was not given up."""
        return self.winner is not None and self.margin is not None and not self.abandoned


def results_of(rows: Iterable[TableEvent]) -> list[TableResult]:
    """The result of each game, also of those that go on, in the order in which they began at each table.

    `rows` are in the order of `Ledger.rows_of`: by table, epoch and number.
    """
    by_table = groupby(rows, lambda row: (row.event, row.table))
    return [replay.result() for _, of_table in by_table for replay in replays_of_table(list(of_table))]


def replays_of_table(rows: Sequence[TableEvent]) -> list["SheetReplay"]:
    """The sheets of all games of one table, each with the names that were corrected later in its match."""
    sheets: dict[str, list[TableEvent]] = {}
    for row in rows:
        sheet = sheets.setdefault(row.game, [])
        while sheet and sheet[-1].place >= row.place:
            sheet.pop()  # the table has lost these, and gone on without them under another epoch
        sheet.append(row)
    renames = [row for row in rows if row.kind == RENAMED]
    matches = {game: _text_in(sheet[0], "match") for game, sheet in sheets.items()}
    return [_replay(sheet, renames, matches) for sheet in sheets.values()]


def _replay(sheet: Sequence[TableEvent], renames: Sequence[TableEvent], matches: Mapping[str, str]) -> "SheetReplay":
    match = matches[sheet[0].game]
    others = [row for row in renames if row.game != sheet[0].game and match and matches.get(row.game) == match]
    replay = SheetReplay()
    for row in _in_order(sheet, others):
        replay.add(row)
    return replay


def _in_order(sheet: Sequence[TableEvent], renames: Sequence[TableEvent]) -> list[TableEvent]:
    """The events of a game with later corrections of names in others of its match, as they came."""
    rows = list(sheet)
    for rename in renames:
        later = (n for n, row in enumerate(rows) if n and row.epoch == rename.epoch and row.seq > rename.seq)
        rows.insert(next(later, len(rows)), rename)
    return rows


def _text_in(row: TableEvent, name: str) -> str:
    """A text in the body of an event; "" where there is none."""
    found = json.loads(row.body).get(name)
    return found if isinstance(found, str) else ""


class SheetReplay:
    """A score sheet while its events come: each is decided about once more by the referee, and applied.

    Attributes:
        rows: the events of the game so far, and names corrected in others of its match.
        own: those of the game itself.
        game: the game after them.
        fault: why it cannot have happened at a table; None while it can.
    """

    def __init__(self) -> None:
        """Without an event; the first one that is added says which game it is."""
        self.rows: list[TableEvent] = []
        self.own: list[TableEvent] = []
        self.game, self.fault = Game(), cast("Message | None", None)
        self._corrections, self._is_abandoned = 0, False
        self._over_at: tuple[str, int] | None = None
        self._digest, self._received = sha256(), 0

    def add(self, row: TableEvent) -> None:
        """One more event; after the first that cannot have happened no other is looked at."""
        self.rows.append(row)
        body = json.loads(row.body)
        if row.game == self.rows[0].game:
            self.own.append(row)
            self._digest.update(_digest_line(row, body))
            self._received = max(self._received, row.received)
        if self.fault is not None:
            return
        try:
            self._apply(row, body)
        except PegboardError as error:
            self.fault = Message("hub_impossible", game=row.game, fault=error.message)
        except UNREPLAYABLE:
            self.fault = Message("hub_unreadable_sheet", game=row.game)

    def _apply(self, row: TableEvent, body: Any) -> None:
        event = wire.read_event(row.kind, body, row.version)
        if row.game == self.rows[0].game:
            place = len(self.own)
            if row.place != place:
                raise PegboardError("hub_sheet_gap", place=place)
            if self._is_abandoned:
                raise PegboardError("hub_sheet_goes_on")
            _check(self.game, event, is_first=place == 1)
            self._is_abandoned = isinstance(event, Abandoned)
            self._corrections += isinstance(event, InPlace | Ruling)
        self.game = apply(self.game, event, Origin(row.seq, row.source, row.at))
        if row.game == self.rows[0].game and self.game.outcome is not None:
            self._over_at = row.epoch, row.seq

    def result(self) -> TableResult:
        """The result as it stands."""
        first, last = self.own[0], self.own[-1]
        known = TableResult(
            first.event,
            first.table,
            last.epoch,
            first.game,
            pairing=_text_in(first, "pairing"),
            first=first.seq,
            last=last.seq,
            digest=self._digest.hexdigest(),
            began_at=first.at,
            ended_at=last.at,
            received_at=self._received,
            impossible=self.fault,
        )
        return known if self.fault is not None else self._with_game(known)

    def _with_game(self, known: TableResult) -> TableResult:
        game, outcome = self.game, self.game.outcome
        winner = None if outcome is None else outcome.winner
        return replace(
            known,
            players=game.players,
            over=winner is not None,
            winner=winner,
            holes=tuple([lane.front for lane in game.lanes]),
            margin=_margin(game, winner),
            skunks=0 if outcome is None else max(outcome.skunks),
            confirmed=game.confirmed,
            is_agreed=winner is not None and not game.lanes_to_confirm(),
            over_at=self._over_at,
            corrections=self._corrections,
            abandoned=self._is_abandoned,
        )


def _digest_line(row: TableEvent, body: Any) -> bytes:
    """What an event adds to the digest of its score sheet."""
    return canonical_json([row.kind, body, row.version]).encode() + b"\n"


def _check(game: Game, event: Event, *, is_first: bool) -> None:
    """Decide about an event once more.

    Raises:
        PegboardError: it cannot have happened.
    """
    if isinstance(event, Started) != is_first:
        raise PegboardError("hub_sheet_start")
    due = redecide(game, event)
    if isinstance(event, Started) and isinstance(due, Started):
        is_due = (due.rules, due.players, due.dealer) == (event.rules, event.players, event.dealer)
    else:
        is_due = due == event
    if not is_due:
        raise PegboardError("hub_sheet_other", kind=wire.kind(event))


def _margin(game: Game, winner: int | None) -> int | None:
    if winner is None or len(game.lanes) != TWO_SIDES:
        return None
    return game.lanes[winner].front - game.lanes[1 - winner].front
