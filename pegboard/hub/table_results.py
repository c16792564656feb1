"""Game results derived by the hub: score sheet replay that trusts no claim by a table; live results, sheet alarms."""

import json
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import groupby
from typing import TYPE_CHECKING, Any, cast

from pegboard.core import wire
from pegboard.core.board import Game
from pegboard.core.entry import Origin
from pegboard.core.moves import Abandoned, Event, InPlace, Ruling, Started
from pegboard.core.referee import apply, redecide
from pegboard.errors import PegboardError
from pegboard.hub.ledger.ledger_rows import Refusal, Refused, TableEvent
from pegboard.json_parser import canonical_json
from pegboard.messages import Message

if TYPE_CHECKING:
    from pegboard.hub.ledger.ledger import Ledger

UNREPLAYABLE = (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError)
"""Exceptions from replaying events that no table could have stored."""

TWO_SIDES = 2

RENAMED = "renamed"
"""The kind of event that corrects a name; it also applies to other games of the match."""


@dataclass(frozen=True, slots=True)
class TableResult:
    """The result of a game according to its score sheet.

    Attributes:
        event: the event id; table: the table where it was played.
        epoch: the id of the journal that holds the game's newest event; game: the id of the game.
        pairing: the drawn pairing, as the table had it: "EVENT/GAME KEY"; "" if the game is not part of the event.
        players: names in seat order.
        over: whether the game is won; winner: the winning lane, None until then.
        holes: the hole of each lane's front peg.
        margin: by how many holes the winner leads, 1 to 121; None until the game is won, and with more than two lanes.
        skunks: how many skunk lines the loser farthest behind has missed.
        confirmed: the seats that have confirmed the current result.
        is_agreed: whether the game is over and everyone has confirmed it.
        over_at: epoch and number of the newest event after which the game was won; None if it never was.
        corrections: how often lines were undone, restored, corrected or ruled on.
        abandoned: whether it was abandoned.
        first, last: the numbers of the game's first and newest event in the journal.
        digest: SHA-256 of the kinds, bodies and versions of the game's events, in hexadecimal.
        began_at, ended_at: times of the first and the newest event, by the table's clock, which may be wrong (ns).
        received_at: when the newest one arrived, by the hub's clock (ns since 1970).
        impossible: why no table could have stored this sheet; None if one could.
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
        """Whether it is a two-player game that was won and not abandoned."""
        return self.winner is not None and self.margin is not None and not self.abandoned


def results_of(rows: Iterable[TableEvent]) -> list[TableResult]:
    """The result of each game, including unfinished ones, in the order in which they began at each table.

    `rows` must be in the order of `Ledger.rows_of`: by table, epoch and number.
    """
    by_table = groupby(rows, lambda row: (row.event, row.table))
    return [replay.result() for _, of_table in by_table for replay in replays_of_table(list(of_table))]


def replays_of_table(rows: Sequence[TableEvent]) -> list["SheetReplay"]:
    """The sheets of all games of one table, including names corrected later in the same match."""
    sheets: dict[str, list[TableEvent]] = {}
    for row in rows:
        sheet = sheets.setdefault(row.game, [])
        while sheet and sheet[-1].place >= row.place:
            sheet.pop()  # the table lost these events, and went on without them under another epoch
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
    """The events of a game, with later name corrections from other games of its match, in order."""
    rows = list(sheet)
    for rename in renames:
        later = (n for n, row in enumerate(rows) if n and row.epoch == rename.epoch and row.seq > rename.seq)
        rows.insert(next(later, len(rows)), rename)
    return rows


def _text_in(row: TableEvent, name: str) -> str:
    """A text in the body of an event; "" if missing."""
    found = json.loads(row.body).get(name)
    return found if isinstance(found, str) else ""


class SheetReplay:
    """Incremental replay of a score sheet: the referee judges each event again before it is applied.

    Attributes:
        rows: the events of the game so far, and name corrections from other games of its match.
        own: the events of the game itself.
        game: the game after these events.
        fault: why no table could have stored these events; None if one could.
    """

    def __init__(self) -> None:
        """Start without events; the first one added determines the game."""
        self.rows: list[TableEvent] = []
        self.own: list[TableEvent] = []
        self.game, self.fault = Game(), cast("Message | None", None)
        self._corrections, self._is_abandoned = 0, False
        self._over_at: tuple[str, int] | None = None
        self._digest, self._received = sha256(), 0

    def add(self, row: TableEvent) -> None:
        """Add an event; after the first impossible one no further events are replayed."""
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
        """The current result."""
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
            players=game.first_players,
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
    """The bytes that an event contributes to the digest of its score sheet."""
    return canonical_json([row.kind, body, row.version]).encode() + b"\n"


def _check(game: Game, event: Event, *, is_first: bool) -> None:
    """Judge an event again.

    Raises:
        PegboardError: the event cannot have happened.
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


# --- live results of an event's games: only new events of a sheet are replayed ---


class LiveResults:
    """The results of one event; sheets that no table could have stored are quarantined, with an alarm.

    Once everyone has confirmed a game, only its result stays in memory; a further event rereads the table's sheets.
    """

    def __init__(self, ledger: "Ledger", event: str, on_alarm: Callable[[], None] = lambda: None) -> None:
        """`read_all` reads the ledger, `note_stored` adds newer events; each alarm calls `on_alarm`."""
        self._ledger, self._event, self._on_alarm = ledger, event, on_alarm
        self._sheets: dict[tuple[str, str], SheetReplay | TableResult] = {}
        self._newest: dict[tuple[str, str], int] = {}  # by table and epoch
        self._reported: set[tuple[str, str]] = set()
        self._lock = threading.Lock()

    def read_all(self) -> list[TableResult]:
        """Replay the whole ledger: the result of each game, including unfinished ones.

        Raises:
            LedgerNotStored: an impossible sheet cannot be quarantined now.
        """
        with self._lock:
            self._sheets.clear()
            self._newest.clear()
            rows = self._ledger.rows_of(self._event)
            for _, of_table in groupby(rows, lambda row: row.table):
                self._replay_table(list(of_table))
            return self._settle(self._sheets)

    def note_stored(self, table: str, rows: Sequence[TableEvent]) -> list[TableResult]:
        """Add stored events of a table, and return the results of their games.

        The ledger is read only if an event does not directly follow the replay of its sheet, or corrects a name.

        Raises:
            LedgerNotStored: an impossible sheet cannot be quarantined now.
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
        """Whether an event directly follows the newest one of its sheet."""
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
        assert isinstance(sheet, SheetReplay)  # checked by `_goes_on`
        sheet.add(row)

    def _settle(self, places: Iterable[tuple[str, str]]) -> list[TableResult]:
        """The results of these games; replays of confirmed games are dropped."""
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
        """Quarantine an impossible sheet, once, however often it is read."""
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
    """The first event of each game."""
    return list({row.game: row for row in reversed(rows)}.values())
