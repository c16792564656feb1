"""What a director is to know of results: one that the night refuses, and what was entered of a game that goes on."""

from pegboard.hub.ledger.ledger_rows import Refused
from pegboard.hub.ledger.trouble_rows import Refusal
from pegboard.hub.nights.result_requests import outdated_report
from pegboard.hub.table_results import TableResult
from pegboard.messages import Message
from pegboard.tournament.night.facts import TableResultWithdrawn
from pegboard.tournament.night.night_report import report
from pegboard.tournament.night.night_state import Night, StoredDecision
from pegboard.tournament.results.claims import say_game


def alarm_of_refused(night: str, result: TableResult, state: Night, fault: Message) -> Refusal | None:
    """A result that the night refuses, or a game that goes on though its result counts; None where it is neither."""
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
    """A game that goes on at its table, and that counts by what was entered of it before; None where that is not so."""
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
