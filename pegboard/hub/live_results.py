"""The results of an event's games while they come in: only what is new of a sheet is replayed."""

import threading
from collections.abc import Callable, Iterable, Sequence

from pegboard.hub.ledger.ledger import Ledger
from pegboard.hub.ledger.ledger_rows import Refused, TableEvent
from pegboard.hub.ledger.trouble_rows import Refusal
from pegboard.hub.table_results import RENAMED, SheetReplay, TableResult, replays_of_table


class LiveResults:
    """The results of one event; what cannot have happened at a table is quarantined, with an alarm."""

    def __init__(self, ledger: Ledger, event: str, on_alarm: Callable[[], None] = lambda: None) -> None:
        """`read_all` takes in what the ledger has, `note_stored` what has come since; an alarm calls `on_alarm`."""
        self._ledger, self._event, self._on_alarm = ledger, event, on_alarm
        self._sheets: dict[tuple[str, str], SheetReplay] = {}
        self._newest: dict[tuple[str, str], int] = {}  # of each table's epochs
        self._reported: set[tuple[str, str]] = set()
        self._lock = threading.Lock()

    def results(self) -> list[TableResult]:
        """The result of each game, also of those that go on."""
        with self._lock:
            return [sheet.result() for sheet in self._sheets.values()]

    def read_all(self) -> list[TableResult]:
        """Replay all that the ledger has.

        Raises:
            LedgerNotStored: a sheet that is impossible cannot be quarantined now.
        """
        with self._lock:
            self._sheets.clear()
            self._newest.clear()
            rows = self._ledger.rows_of(self._event)
            for table in sorted({row.table for row in rows}):
                self._replay_table([row for row in rows if row.table == table])
            self._report(self._sheets.values())
        return self.results()

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
            sheets = [self._sheets[table, game] for game in games if (table, game) in self._sheets]
            self._report(sheets)
            return [sheet.result() for sheet in sheets]

    def _goes_on(self, row: TableEvent) -> bool:
        """Whether an event follows the newest one of its sheet."""
        sheet = self._sheets.get((row.table, row.game))
        return row.place == (1 if sheet is None else len(sheet.rows) + 1)

    def _replay_table(self, rows: list[TableEvent]) -> None:
        self._newest |= {(row.table, row.epoch): row.seq for row in rows}
        for replay in replays_of_table(rows):
            self._sheets[rows[0].table, replay.rows[0].game] = replay

    def _add(self, row: TableEvent) -> None:
        self._newest[row.table, row.epoch] = row.seq
        self._sheets.setdefault((row.table, row.game), SheetReplay()).add(row)

    def _report(self, sheets: Iterable[SheetReplay]) -> None:
        """Quarantine those that cannot have happened: once, however often they are read."""
        for sheet in sheets:
            first = sheet.rows[0]
            if sheet.fault is None or (first.table, first.game) in self._reported:
                continue
            body = "\n".join(row.body for row in sheet.own).encode()
            refusal = Refusal(self._event, first.table, Refused.IMPOSSIBLE_SHEET, sheet.fault, body, cause=first.game)
            self._ledger.quarantine(refusal)
            self._reported.add((first.table, first.game))
            self._on_alarm()


def _firsts(rows: list[TableEvent]) -> list[TableEvent]:
    """The first event of each game among some."""
    return list({row.game: row for row in reversed(rows)}.values())
