"""Results of games as the hub derives them itself: it replays each score sheet, and believes no claim of a table."""

import json
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
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
from pegboard.hub.ledger.ledger import Ledger
from pegboard.hub.ledger.ledger_tables import Refused, TableEvent
from pegboard.hub.ledger.trouble_rows import Refusal
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


# --- the results of an event's games while they come in: only what is new of a sheet is replayed ---


class LiveResults:
    """The results of one event; what cannot have happened at a table is quarantined, with an alarm.

    Of a game that all have confirmed only the result stays in memory; should its sheet go on, it is read once more.
    """

    def __init__(self, ledger: Ledger, event: str, on_alarm: Callable[[], None] = lambda: None) -> None:
        """`read_all` takes in what the ledger has, `note_stored` what has come since; an alarm calls `on_alarm`."""
        self._ledger, self._event, self._on_alarm = ledger, event, on_alarm
        self._sheets: dict[tuple[str, str], SheetReplay | TableResult] = {}
        self._newest: dict[tuple[str, str], int] = {}  # of each table's epochs
        self._reported: set[tuple[str, str]] = set()
        self._lock = threading.Lock()

    def read_all(self) -> list[TableResult]:
        """Replay all that the ledger has: the result of each game, also of those that go on.

        Raises:
            LedgerNotStored: a sheet that is impossible cannot be quarantined now.
        """
        with self._lock:
            self._sheets.clear()
            self._newest.clear()
            rows = self._ledger.rows_of(self._event)
            for _, of_table in groupby(rows, lambda row: row.table):
                self._replay_table(list(of_table))
            return self._settle(self._sheets)

    def note_stored(self, table: str, rows: Sequence[TableEvent]) -> list[TableResult]:
        """The results of the games of a table of which these events were stored; they are not read from the ledger.

        Raises:
            LedgerNotStored: a sheet that is impossible cannot be quarantined now.
        """
        with self._lock:
            new = [row for row in rows if row.seq > self._newest.get((table, row.epoch), 0)]
            if all(self._goes_on(row) for row in _firsts(new)) and not any(row.kind == RENAMED for row in new):
                for row in new:
                    self._add(row)
            else:
                self._replay_table(self._ledger.rows_of(self._event, table))
            games = sorted({row.game for row in rows})
            return self._settle([(table, game) for game in games if (table, game) in self._sheets])

    def _goes_on(self, row: TableEvent) -> bool:
        """Whether an event follows the newest one of its sheet."""
        sheet = self._sheets.get((row.table, row.game))
        if isinstance(sheet, TableResult):
            return False
        return row.place == (1 if sheet is None else len(sheet.rows) + 1)

    def _replay_table(self, rows: list[TableEvent]) -> None:
        self._newest |= {(row.table, row.epoch): row.seq for row in rows}
        for replay in replays_of_table(rows):
            result = replay.result()
            self._sheets[result.table, result.game] = result if result.is_agreed else replay

    def _add(self, row: TableEvent) -> None:
        self._newest[row.table, row.epoch] = row.seq
        place = row.table, row.game
        if place not in self._sheets:
            self._sheets[place] = SheetReplay()
        sheet = self._sheets[place]
        assert isinstance(sheet, SheetReplay)  # it goes on
        sheet.add(row)

    def _settle(self, places: Iterable[tuple[str, str]]) -> list[TableResult]:
        """The results of these games; what is not needed for them any more is dropped."""
        results = []
        for place in list(places):
            sheet = self._sheets[place]
            if isinstance(sheet, SheetReplay) and sheet.fault is not None:
                self._report(place, sheet, sheet.fault)
            results.append(_result_of(sheet))
            if results[-1].is_agreed:
                self._sheets[place] = results[-1]
        return results

    def _report(self, place: tuple[str, str], sheet: SheetReplay, fault: Message) -> None:
        """Quarantine a sheet that cannot have happened: once, however often it is read."""
        if place in self._reported:
            return
        table, game = place
        body = "\n".join(row.body for row in sheet.own).encode()
        self._ledger.quarantine(Refusal(self._event, table, Refused.IMPOSSIBLE_SHEET, fault, body, cause=game))
        self._reported.add(place)
        self._on_alarm()


def _result_of(sheet: SheetReplay | TableResult) -> TableResult:
    return sheet if isinstance(sheet, TableResult) else sheet.result()


def _firsts(rows: list[TableEvent]) -> list[TableEvent]:
    """The first event of each game among some."""
    return list({row.game: row for row in reversed(rows)}.values())
