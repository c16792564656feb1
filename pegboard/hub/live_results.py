"""The results of an event's games while they come in: only what is new of a sheet is replayed."""

import threading
from collections.abc import Callable, Iterable, Sequence
from itertools import groupby

from pegboard.hub.ledger.ledger import Ledger
from pegboard.hub.ledger.ledger_rows import Refused, TableEvent
from pegboard.hub.ledger.trouble_rows import Refusal
from pegboard.hub.table_results import RENAMED, SheetReplay, TableResult, replays_of_table
from pegboard.messages import Message


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
