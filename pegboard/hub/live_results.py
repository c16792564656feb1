"""The results of an event's games while they come in: only what is new of a sheet is replayed."""

import threading

from pegboard.hub.ledger.ledger import Ledger
from pegboard.hub.ledger.ledger_rows import Refused, TableEvent
from pegboard.hub.ledger.trouble_rows import Refusal
from pegboard.hub.table_results import RENAMED, SheetReplay, TableResult, replays_of_table


class LiveResults:
    """The results of one event; what cannot have happened at a table is quarantined, with an alarm."""

    def __init__(self, ledger: Ledger, event: str) -> None:
        """`read_all` takes in what the ledger has; `note_stored` what has come since."""
        self._ledger, self._event = ledger, event
        self._sheets: dict[tuple[str, str], SheetReplay] = {}
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
            rows = self._ledger.rows_of(self._event)
            for table in sorted({row.table for row in rows}):
                self._replay_table([row for row in rows if row.table == table])
        return self.results()

    def note_stored(self, table: str, games: frozenset[str]) -> list[TableResult]:
        """The results of the games of a table of which something was stored.

        Raises:
            LedgerNotStored: a sheet that is impossible cannot be quarantined now.
        """
        with self._lock:
            rows = self._ledger.rows_of(self._event, table, games)
            known = {(row.epoch, row.seq) for game in games for row in self._rows_known(table, game)}
            new = [row for row in rows if (row.epoch, row.seq) not in known]
            if all(self._goes_on(row) for row in _firsts(new)) and not any(row.kind == RENAMED for row in new):
                for row in new:
                    self._add(row)
            else:
                self._replay_table(self._ledger.rows_of(self._event, table))
            return [self._sheets[table, game].result() for game in sorted(games) if (table, game) in self._sheets]

    def _rows_known(self, table: str, game: str) -> list[TableEvent]:
        sheet = self._sheets.get((table, game))
        return [] if sheet is None else sheet.rows

    def _goes_on(self, row: TableEvent) -> bool:
        """Whether an event follows the newest one of its sheet."""
        return row.place == len(self._rows_known(row.table, row.game)) + 1

    def _replay_table(self, rows: list[TableEvent]) -> None:
        for replay in replays_of_table(rows):
            self._sheets[rows[0].table, replay.rows[0].game] = replay
            self._report(replay)

    def _add(self, row: TableEvent) -> None:
        sheet = self._sheets.setdefault((row.table, row.game), SheetReplay())
        was_possible = sheet.fault is None
        sheet.add(row)
        if was_possible:
            self._report(sheet)

    def _report(self, sheet: SheetReplay) -> None:
        """Quarantine a sheet that cannot have happened: once, however often it is read."""
        if sheet.fault is None:
            return
        first = sheet.rows[0]
        body = "\n".join(row.body for row in sheet.own).encode()
        refusal = Refusal(self._event, first.table, Refused.IMPOSSIBLE_SHEET, sheet.fault, body, cause=first.game)
        self._ledger.quarantine(refusal)


def _firsts(rows: list[TableEvent]) -> list[TableEvent]:
    """The first event of each game among some."""
    return list({row.game: row for row in reversed(rows)}.values())
