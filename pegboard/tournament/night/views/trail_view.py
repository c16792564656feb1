"""The audit trail of a night: every decision in words, newest first, with who made it and whether it counts."""

from collections.abc import Callable, Iterable, Mapping
from functools import partial, reduce
from typing import Any

from pegboard.messages import Message
from pegboard.tournament.joined_names import join_names, join_pair
from pegboard.tournament.night import facts
from pegboard.tournament.night.checks.play_off_limits import MAIN
from pegboard.tournament.night.checks.shared_limits import say_game_of
from pegboard.tournament.night.decisions import Role
from pegboard.tournament.night.limits import check
from pegboard.tournament.night.night_state import Night
from pegboard.tournament.night.steps.result_steps import read_game_key
from pegboard.tournament.night.stored_form import StoredDecision, word_of
from pegboard.tournament.night.views.actions import Json, as_action, find_refusal, say
from pegboard.tournament.night.views.standing_view import differs_from_end
from pegboard.tournament.pairings import Pairing
from pegboard.tournament.playoffs.bracket_games import Ending
from pegboard.tournament.pots.shares import money
from pegboard.tournament.results.claims import Claim

NEWEST = 30
"""Lines of the trail that a director's page shows at once."""


def list_trail(night: Night, most: int | None = NEWEST) -> list[Json]:
    """The newest decisions, newest first; None for all of them."""
    rows = night.rows if most is None else night.rows[-most:]
    return [_trail_line(night, row) for row in reversed(rows)]


def _trail_line(night: Night, row: StoredDecision) -> Json:
    undone_by = night.undone.get(row.number)
    return {
        "number": row.number,
        "at": row.at,
        "by": author_as_json(row),
        "do": word_of(row.decision),
        "said": say(say_decision(night, row.decision)),
        "stands": undone_by is None,
        "undone_by": undone_by,
        "actions": {"undo": undo_action(night, row.number)},
    }


def author_as_json(row: StoredDecision) -> Json:
    """Who has decided."""
    return {"role": str(row.by.role), "name": row.by.name}


def undo_action(night: Night, number: int) -> Json:
    """The button that undoes a decision; whether a later one rests on it is found when it is pressed."""
    return as_action(find_refusal(partial(check, night, facts.DecisionUndone(number))))


def list_announcements(night: Night) -> list[Json]:
    """What was said to all, newest first."""
    rows = {row.number: row for row in night.rows}
    return [
        {
            "number": number,
            "at": rows[number].at,
            "text": fact.text,
            "by": rows[number].by.name if rows[number].by.role is Role.DIRECTOR else "",
            "actions": {"undo": undo_action(night, number)},
        }
        for number, fact in reversed(night.announcements)
    ]


def list_departures(night: Night) -> list[Json]:
    """Decisions that today's limits would refuse, and why; they count all the same."""
    departures = [{"number": one.number, "why": say(one.why)} for one in night.departures]
    if differs_from_end(night):
        ends = (row.number for row in night.standing_rows() if isinstance(row.decision, facts.NightEnded))
        departures.append({"number": max(ends, default=0), "why": say(Message("night_standings_differ"))})
    return departures


# --- a decision in words ---


def say_decision(night: Night, decision: facts.Decision) -> Message:
    """A decision in one sentence."""
    sayer = SAYERS.get(type(decision))
    if sayer is None:
        return Message("night_did_unknown", do=getattr(decision, "do", type(decision).__name__))
    return sayer(night, decision)


def _of_player(key: str) -> Callable[[Night, Any], Message]:
    return lambda night, fact: Message(key, name=night.name(fact.player))


def _plain(key: str) -> Callable[[Night, Any], Message]:
    return lambda _night, _fact: Message(key)


def say_game_key(night: Night, key: str) -> Message | str:
    """A game in words, by its key; its players in the order of the draw."""
    pairing = _pairing_of(night, key)
    return key if pairing is None else say_game_of(night, pairing)


def _pairing_of(night: Night, key: str) -> Pairing | None:
    drawn = night.find_game(key)
    return drawn.pairing if drawn else read_game_key(key)


def _say_card(night: Night, fact: facts.ResultClaimed | facts.ResultConfirmed) -> Message:
    key = "night_did_claim" if isinstance(fact, facts.ResultClaimed) else "night_did_confirm"
    return Message(key, name=night.name(fact.player), game=say_game_key(night, fact.game), claim=say_claim(fact.claim))


def say_claim(claim: Claim) -> Message:
    """What a card says, in words."""
    if claim.margin is None:
        return Message("night_claim_won_blank" if claim.won else "night_claim_lost_blank")
    return Message("night_claim_won" if claim.won else "night_claim_lost", margin=claim.margin)


def _say_result(key: str) -> Callable[[Night, Any], Message]:
    return lambda night, fact: Message(
        key, game=say_game_key(night, fact.game), name=night.name(fact.winner), margin=fact.margin
    )


def _say_table_result(night: Night, fact: facts.TableResultReceived) -> Message:
    said = _say_result("night_did_table_result")(night, fact)
    if not fact.confirmed:
        return said
    return Message("night_did_table_confirmed", result=said, names=join_names(fact.confirmed, night.names))


def _say_ruling(night: Night, fact: facts.ResultRuled) -> Message:
    """Whoever a value is of is named, for the log has the players in an order of its own."""
    pairing = _pairing_of(night, fact.game)
    one, other = ("?", "?") if pairing is None else (night.name(player) for player in pairing.players)
    nets = {"net": f"{fact.values[0].net:+d}", "other_net": f"{fact.values[1].net:+d}"}
    game = say_game_key(night, fact.game)
    return Message("night_did_rule", game=game, letter=fact.letter, one=one, other=other, **nets)


def _say_award(night: Night, fact: facts.GameAwarded) -> Message:
    return Message("night_did_award", game=say_game_key(night, fact.game), name=night.name(fact.against))


def _say_forfeit(night: Night, fact: facts.GameForfeited) -> Message:
    return Message("night_did_forfeit", game=say_game_key(night, fact.game), name=night.name(fact.player))


def _say_names(key: str, players: Callable[[Any], Iterable[str]]) -> Callable[[Night, Any], Message]:
    return lambda night, fact: Message(key, names=join_names(players(fact), night.names))


def _say_draw(_: Night, fact: facts.ScheduleDrawn) -> Message:
    rounds = {game.round for game in fact.games}
    return Message("night_did_draw", games=len(fact.games), rounds=len(rounds))


def _say_bracket(key: str, main_key: str) -> Callable[[Night, Any], Message]:
    return lambda _, fact: Message(main_key) if fact.bracket == MAIN else Message(key, bracket=fact.bracket)


def _say_rules(night: Night, fact: facts.NightRulesSet) -> Message:
    """Which rules are other than before, and where a number says it, how."""
    before = _rules_before(night, fact)
    changed = [name for name in RULES if getattr(before, name) != getattr(fact.rules, name)]
    if not changed:
        return Message("night_did_rules_first")
    said = [Message(RULES[name], **_in_words(name, before, fact.rules)) for name in changed]
    return Message(
        "night_did_rules", changes=reduce(lambda one, more: Message("night_rules_and", rule=one, others=more), said)
    )


RULES: Mapping[str, str] = {
    "games": "night_rule_games",
    "points": "night_rule_points",
    "order": "night_rule_order",
    "cut": "night_rule_cut",
    "fee": "night_rule_fee",
    "currency": "night_rule_currency",
    "best_of": "night_rule_best_of",
    "movement": "night_rule_movement",
    "format": "night_rule_format",
    "table_games": "night_rule_table_games",
    "odd": "night_rule_odd",
}
"""What a director can change, each with its message."""


def _rules_before(night: Night, fact: facts.NightRulesSet) -> facts.NightRules:
    """The rules that a decision has changed."""
    rules = facts.NightRules()
    for row in night.rows:
        if row.decision is fact:
            break
        if row.number not in night.undone and isinstance(row.decision, (facts.NightOpened, facts.NightRulesSet)):
            rules = row.decision.rules
    return rules


IN_WORDS: Mapping[str, Callable[[Any], str]] = {
    "games": str,
    "cut": str,
    "fee": money,
    "currency": str,
    "best_of": lambda lengths: "-".join(map(str, lengths)),
}
"""Rules whose values read the same in every language."""


def _in_words(name: str, before: facts.NightRules, after: facts.NightRules) -> dict[str, str]:
    write = IN_WORDS.get(name)
    return {} if write is None else {"before": write(getattr(before, name)), "after": write(getattr(after, name))}


def _say_bracket_game(night: Night, fact: facts.BracketGamePlayed) -> Message:
    game, (bracket, round_, number) = fact.game, fact.match.rsplit(":", 2)
    other = next((night.name(player) for player in game.players if player != game.winner), "")
    match = Message("night_match", number=number, round=round_)
    where = match if bracket == MAIN else Message("night_match_of", match=match, bracket=bracket)
    values: dict[str, Any] = {"match": where, "name": night.name(game.winner)}
    if game.how is not Ending.PLAYED:
        return Message("night_did_bracket_forfeit", **values, other=other, games=game.games)
    if game.margin is None:
        return Message("night_did_bracket_win", **values, other=other)
    return Message("night_did_bracket_game", **values, other=other, margin=game.margin)


def _say_pot(key: str) -> Callable[[Night, Any], Message]:
    return lambda night, fact: Message(key, name=night.name(fact.player), pot=_pot_called(night, fact.pot))


def _pot_called(night: Night, pot: str) -> str:
    known = night.pots.get(pot)
    return (known.opened.name if known else "") or pot


def _say_payment(night: Night, fact: facts.FeePaid) -> Message:
    key = "night_did_pay_back" if fact.cents < 0 else "night_did_pay"
    return Message(key, name=night.name(fact.player), amount=money(abs(fact.cents)))


def _say_undone(fact: facts.DecisionUndone) -> Message:
    if fact.also:
        return Message("night_did_undo_also", number=fact.number, also=", ".join(map(str, fact.also)))
    return Message("night_did_undo", number=fact.number)


SAYERS: Mapping[type, Callable[[Night, Any], Message]] = {
    facts.NightOpened: lambda _, fact: Message("night_did_open", name=fact.name),
    facts.NightRulesSet: _say_rules,
    facts.NightEnded: _plain("night_did_end"),
    facts.NightOpenedAgain: _plain("night_did_open_again"),
    facts.PlayerEntered: lambda _, fact: Message("night_did_enter", name=join_pair(fact.name, fact.partner)),
    facts.EntryCorrected: lambda _, fact: Message("night_did_correct", name=join_pair(fact.name, fact.partner)),
    facts.CheckedIn: _say_names("night_did_check_in", lambda fact: fact.players),
    facts.PlayerLeft: _of_player("night_did_leave"),
    facts.PlayerReturned: _of_player("night_did_come_back"),
    facts.RegistrationClosed: _plain("night_did_close_registration"),
    facts.RegistrationOpened: _plain("night_did_open_registration"),
    facts.FeePaid: _say_payment,
    facts.TableAdded: lambda _, fact: Message("night_did_add_table", label=fact.label),
    facts.TableRemoved: lambda night, fact: Message("night_did_remove_table", label=night.label(fact.table)),
    facts.ScheduleDrawn: _say_draw,
    facts.GameMoved: lambda night, fact: Message(
        "night_did_move", game=say_game_key(night, fact.game), label=night.label(fact.table)
    ),
    facts.RoundStarted: lambda _, fact: Message("night_did_start_round", round=fact.round),
    facts.ResultClaimed: _say_card,
    facts.ResultConfirmed: _say_card,
    facts.PaperResultEntered: _say_result("night_did_paper"),
    facts.TableResultReceived: _say_table_result,
    facts.TableResultWithdrawn: lambda night, fact: Message(
        "night_did_table_withdrawal", game=say_game_key(night, fact.game)
    ),
    facts.ResultRuled: _say_ruling,
    facts.GameAwarded: _say_award,
    facts.GameForfeited: _say_forfeit,
    facts.TieBroken: _say_names(
        "night_did_break_tie", lambda fact: (player for group in fact.decision.groups for player in group)
    ),
    facts.CutClosed: _say_names("night_did_close_cut", lambda fact: fact.qualifiers),
    facts.CutOpened: _plain("night_did_open_cut"),
    facts.BracketDrawn: _say_bracket("night_did_draw_bracket", "night_did_draw_main"),
    facts.BracketPlaced: _say_bracket("night_did_place_bracket", "night_did_place_main"),
    facts.BracketGamePlayed: _say_bracket_game,
    facts.PotOpened: lambda _, fact: Message("night_did_open_pot", pot=fact.name or fact.pot),
    facts.PotEntered: _say_pot("night_did_enter_pot"),
    facts.PotLeft: _say_pot("night_did_leave_pot"),
    facts.PotHitNoted: _say_pot("night_did_pot_hit"),
    facts.PotPaid: lambda night, fact: Message("night_did_pay_pot", pot=_pot_called(night, fact.pot)),
    facts.Announced: lambda _, fact: Message("night_did_announce", words=fact.text),
    facts.DecisionUndone: lambda _, fact: _say_undone(fact),
}
"""By the class of a fact."""
