"""Results that tables have counted, as requests for decisions: what the hub has derived, and what a QR code brings."""

from collections.abc import Iterable

from pegboard.errors import RuleError
from pegboard.hub.ledger.ledger_rows import TableEvent
from pegboard.hub.packages.rederivation import winner_of
from pegboard.hub.table_results import TableResult, results_of
from pegboard.tournament.night.facts import ScheduledGame
from pegboard.tournament.night.night_state import Night
from pegboard.tournament.packed_sheet import as_json
from pegboard.tournament.result_code import ResultCode, ShortResult, pairing_mark
from pegboard.tournament.results.scoring import margin_of_holes
from web.hub.opened_night import Json


def request_of(result: TableResult, night: str, state: Night) -> Json | None:
    """The request that a finished game of a night leads to; None for one that is not over, or is none of its games."""
    event, _, key = result.pairing.partition("/")
    drawn = state.schedule.get(key)
    if event != night or drawn is None or not result.over or result.impossible is not None:
        return None
    if result.winner is None or result.margin is None or result.abandoned:
        return None
    winner = winner_of(result, state, key)
    loser = next(player for player in drawn.players if player != winner)
    seats = (winner, loser) if result.winner == 0 else (loser, winner)
    return {
        "do": "table_result",
        "game": key,
        "table": result.table,
        "winner": winner,
        "margin": result.margin,
        "confirmed": [seats[seat] for seat in result.confirmed],
        "sheet": {name: getattr(result, name) for name in ("table", "epoch", "game", "first", "last", "digest")},
    }


def request_id(result: TableResult) -> str:
    """The id of that request: the same sheet is decided about once, however often and by whatever way it comes.

    It has a colon, as no id has that comes from elsewhere, or a player could use it up before the table has sent.
    """
    confirmed = "".join(map(str, result.confirmed))
    return f"sheet:{result.digest[:40]}:{confirmed}"


def request_of_short(short: ShortResult, night: str, state: Night) -> Json | None:
    """The request that a panel's short code leads to, as a result from paper; None where no game of the night has it.

    Raises:
        RuleError: the game is not over, or not confirmed by both.
    """
    game = next((game for game in state.schedule.values() if _is_of(short, night, game)), None)
    if game is None:
        return None
    if len(short.holes) != len(game.players) or len(short.confirmed) != len(game.players):
        raise RuleError("desk_short_unconfirmed")
    winner, margin = margin_of_holes((short.holes[0], short.holes[1]), state.rules.points.game_hole)
    return {"do": "paper_result", "game": game.key, "winner": game.players[winner], "margin": margin}


def _is_of(short: ShortResult, night: str, game: ScheduledGame) -> bool:
    return short.pairing_mark == pairing_mark(night, game.table, game.key)


def replay_code(code: ResultCode) -> TableResult:
    """The result of a scanned game, which is replayed as if its table had sent it.

    Raises:
        RuleError: it cannot have happened at a table.
    """
    result = results_of(_events_of(code))[0]
    if result.impossible is not None:
        raise RuleError(result.impossible)
    return result


def _events_of(code: ResultCode) -> Iterable[TableEvent]:
    for place, row in enumerate(code.rows, 1):
        yield TableEvent(
            event=code.event,
            table=code.table,
            epoch=code.epoch,
            seq=min(code.first + place - 1, code.last),
            game=code.game,
            place=place,
            at=0,
            received=0,
            kind=row.kind,
            body=as_json(row.body),
            source="",
            version=row.v,
            digest="",
        )
