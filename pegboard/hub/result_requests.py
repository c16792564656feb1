"""Decision requests from table results, derived by the hub or scanned as QR or short code; alarms for refused ones."""

from collections.abc import Iterable
from dataclasses import asdict, replace
from hashlib import sha256
from itertools import product

from pegboard.errors import Already, RuleError
from pegboard.hub.ledger.ledger_rows import Refusal, Refused, TableEvent
from pegboard.hub.table_results import TableResult, results_of
from pegboard.json_parser import canonical_json
from pegboard.messages import Message
from pegboard.tournament.ids import PlayerId
from pegboard.tournament.night.facts import (
    PaperResultEntered,
    ScheduledGame,
    SheetReference,
    TableResultReceived,
    TableResultWithdrawn,
)
from pegboard.tournament.night.night_report import known_names, players_by_names, report
from pegboard.tournament.night.night_state import GameFacts, Night, StoredDecision
from pegboard.tournament.pairings import GameKey
from pegboard.tournament.result_code import ResultCode, ShortResult, game_mark, names_mark, pairing_mark
from pegboard.tournament.results.claims import say_game
from pegboard.tournament.results.scoring import margin_of_holes
from pegboard.tournament.table_orders import Json

# --- alarms for the director: results the event refuses, and entered results of games that are still going on ---


def alarm_of_refused(night: str, result: TableResult, state: Night, fault: Message) -> Refusal | None:
    """An alarm if the event refuses a result, or a game goes on although its result counts; else None."""
    key = result.pairing.partition("/")[2]
    table = state.label(result.table)
    if (counts := outdated_report(result, state, key)) is not None:
        game = say_game(state.games[key].pairing, state.names)
        why = Message("hub_still_counts", table=table, game=game, fault=fault)
        end = f"{counts.winner} {counts.margin} {counts.sheet}"
    elif result.is_won:
        why, end = Message("hub_not_counted", table=table, fault=fault), f"{result.winner} {result.margin}"
    else:
        return None
    cause = f"{result.game} {end} {why.key} {fault.key}"
    return Refusal(night, result.table, Refused.NOT_COUNTED, why, b"", cause=cause)


def alarm_of_entered(night: str, stored: StoredDecision, state: Night) -> Refusal | None:
    """An alarm if a game goes on at its table although a result entered earlier counts; else None."""
    withdrawn = stored.decision
    if not isinstance(withdrawn, TableResultWithdrawn) or stored.number in state.undone:
        return None
    known = state.games[withdrawn.game]
    is_newest = known.decisions[-1] == stored.number
    if known.report is not None or not is_newest or not report(state).records[withdrawn.game].settled:
        return None
    game = say_game(known.pairing, state.names)
    why = Message("hub_entered_stands", table=state.label(withdrawn.table), game=game)
    return Refusal(night, withdrawn.table, Refused.NOT_COUNTED, why, b"", cause=f"{why.key} {withdrawn.sheet.digest}")


def request_of(result: TableResult, night: str, state: Night) -> Json | None:
    """The request that follows from the score sheet of a game of the event; None if the sheet has nothing to report.

    Raises:
        RuleError: the game was played to a different hole than the event's games.
    """
    event, _, key = result.pairing.partition("/")
    drawn = state.schedule.get(key)
    if event != night or drawn is None or result.impossible is not None:
        return None
    if result.over and result.margin is None and not result.abandoned:
        return None  # three players: events have no such games
    if result.winner is None or not result.is_won:
        return _withdrawal(result, state, drawn.key)
    if result.holes[result.winner] != state.rules.points.game_hole:
        raise RuleError("desk_other_game_hole", hole=result.holes[result.winner], due=state.rules.points.game_hole)
    players = players_by_names(state, drawn, result.players)
    return {
        "do": "table_result",
        "game": key,
        "table": result.table,
        "winner": players[result.winner],
        "margin": result.margin,
        "confirmed": [players[seat] for seat in result.confirmed],
        "sheet": asdict(sheet_of(result)),
    }


def _withdrawal(result: TableResult, state: Night, key: GameKey) -> Json | None:
    """The request for a sheet that went on after the game was won; None if it was never won, or this is recorded.

    Also made if the event has no result from that sheet: a scanned code of it may still arrive.
    """
    sheet = sheet_of(result)
    if outdated_report(result, state, key) is None and not _is_news(result, state.games.get(key)):
        return None
    return {"do": "table_withdrawal", "game": key, "table": result.table, "sheet": asdict(sheet)}


def _is_news(result: TableResult, known: GameFacts | None) -> bool:
    """Whether the game was won according to that sheet, and the event has not recorded that it went on."""
    if result.over_at is None:
        return False
    epoch, last = result.over_at
    return known is None or not known.has_continued(replace(sheet_of(result), epoch=epoch, last=last))


def outdated_report(result: TableResult, state: Night, key: GameKey) -> TableResultReceived | None:
    """The event's result from this sheet, if the sheet no longer shows a result; else None."""
    known = state.games.get(key)
    if known is None or known.report is None or result.is_won:
        return None
    return known.report if sheet_of(result).is_of(known.report.sheet) else None


def sheet_of(result: TableResult) -> SheetReference:
    """Reference to the score sheet of a result, up to its newest event."""
    return SheetReference(result.table, result.epoch, result.game, result.first, result.last, result.digest)


def request_id(result: TableResult) -> str:
    """The id of the request made from a result: a sheet is decided once, however often and by whatever route it comes.

    Playing on after a win is decided once, whatever is scored then, so that a director can undo it.

    No id from elsewhere contains a colon; otherwise a player could use this id before the table sends its result.
    """
    confirmed = "".join(map(str, result.confirmed))
    epoch, last = (result.epoch, result.last) if result.is_won or result.over_at is None else result.over_at
    words = (result.table, epoch, last, result.game, result.digest if result.is_won else "")
    return f"sheet:{sha256(repr(words).encode()).hexdigest()[:40]}:{confirmed}"


def require_report(state: Night, received: TableResultReceived) -> None:
    """Check that a stored result is still the event's result of its game.

    Raises:
        Already: the table has reopened the game since, or has sent a newer result.
    """
    known = state.games[received.game]
    if known.report != received:
        key = "night_result_reopened" if known.report is None else "night_result_older"
        raise Already(key, game=say_game(known.pairing, state.names))


def request_of_short(short: ShortResult, night: str, state: Night) -> Json | None:
    """The request for a panel's short code, as a paper result; None if no game of the event matches.

    Raises:
        RuleError: the game is not over or not confirmed by both, other players are drawn for it, or the event has
            another result or a reopened game; `Already` if it has this result or a director's decision.
    """
    game = next((game for game in state.schedule.values() if _is_of(short, night, game)), None)
    if game is None:
        return None
    if len(short.holes) != len(game.players) or len(short.confirmed) != len(game.players):
        raise RuleError("desk_short_unconfirmed")
    said = say_game(game.pairing, state.names)
    players = _players_by_mark(state, game, short.names_mark)
    if players is None:
        raise RuleError("desk_short_names", game=said)
    winner, margin = margin_of_holes((short.holes[0], short.holes[1]), state.rules.points.game_hole)
    known = state.games.get(game.key) or GameFacts(game.pairing)
    if known.report is not None:
        sheet = known.report.sheet
        if sheet is not None and sheet.digest.startswith(short.digest):
            raise Already("night_result_there", game=said)
        raise RuleError("desk_short_other_sheet", game=said)
    if any(game_mark(one.epoch, one.game) == short.game_mark for one in known.withdrawn):
        raise RuleError("desk_short_reopened", game=said)
    if known.verdict not in {None, PaperResultEntered(game.key, players[winner], margin)}:
        raise Already("night_decided_already", game=said)
    return {"do": "paper_result", "game": game.key, "winner": players[winner], "margin": margin}


def request_id_of_short(short: ShortResult) -> str:
    """The id of the request from a short code, with a colon for the same reason as in `request_id`."""
    return f"short:{short.game_mark}:{short.digest}"


def _is_of(short: ShortResult, night: str, game: ScheduledGame) -> bool:
    return short.pairing_mark == pairing_mark(night, game.table, game.key)


def _players_by_mark(night: Night, game: ScheduledGame, mark: str) -> tuple[PlayerId, ...] | None:
    """The players of a game in seat order, if the mark matches their names; else None."""
    for players in (game.players, game.players[::-1]):
        if any(names_mark(names) == mark for names in product(*(known_names(night, one) for one in players))):
            return players
    return None


def replay_code(code: ResultCode) -> TableResult:
    """Replay a scanned game as if its table had sent it, and return the result.

    Raises:
        RuleError: no table could have stored this game.
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
            seq=code.last if place == len(code.rows) else min(code.first + place - 1, code.last),
            game=code.game,
            place=place,
            at=0,
            received=0,
            kind=row.kind,
            body=canonical_json(row.body),
            source="",
            version=row.v,
            digest="",
        )
