"""The result of a game of an event, by its events in the journal. Pure."""

import json
from collections.abc import Sequence

from pegboard.event_table.shown_event import is_agreed
from pegboard.storage.event_row import EventRow, replay_rows
from pegboard.tournament.result_code import ResultCode, SheetRow


def result_of(rows: Sequence[EventRow], table: str) -> ResultCode | None:
    """The result of a game played at `table`; None where it is no game of an event, not over or not confirmed."""
    game = replay_rows(rows)
    if not is_agreed(game):
        return None
    event, _, pairing = game.pairing.partition("/")
    return ResultCode(
        event=event,
        table=table,
        epoch=rows[-1].original_epoch,
        game=rows[0].game,
        pairing=pairing,
        players=game.players,
        holes=tuple(lane.front for lane in game.lanes),
        confirmed=tuple(sorted(game.confirmed)),
        first=rows[0].id,
        last=rows[-1].id,
        rows=tuple(SheetRow(row.kind, json.loads(row.body), row.version) for row in rows),
    )
