"""What is refused today, with a sentence that says what would be possible instead.

Only new decisions are refused: replay lists what departs from these limits and counts it. Nothing here hinders the end
of a night, drops anybody, or closes a door for good.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

from pegboard.errors import Already, PegboardError, RuleError
from pegboard.tournament.joined_names import join_pair
from pegboard.tournament.night import facts
from pegboard.tournament.night.checks.names_on_roster import find_alike
from pegboard.tournament.night.checks.play_off_limits import PLAY_OFF_LIMITS
from pegboard.tournament.night.checks.pot_limits import POT_LIMITS
from pegboard.tournament.night.checks.result_limits import RESULT_LIMITS
from pegboard.tournament.night.checks.shared_limits import require_open_cut, require_player, require_round, say_game_of
from pegboard.tournament.night.night_state import Night, Participant, Presence

Limit: TypeAlias = Callable[[Night, Any], None]
"""Looks at a fact of one class.

Raises:
    RuleError: it is refused; `Already` where there is nothing to do.
"""

BEFORE_THE_OPENING = (facts.NightOpened, facts.DecisionUndone)
"""What is possible while no night is open: a night that was called off opens again by undoing that."""

AFTER_THE_END = (
    *(facts.NightOpened, facts.NightOpenedAgain, facts.NightEnded, facts.FeePaid, facts.PotPaid),
    *(facts.Announced, facts.DecisionUndone, facts.UnknownDecision),
)
"""What is possible when the night has ended: money is often counted then."""


BEFORE_THE_CUT = (*RESULT_LIMITS, facts.ScheduleDrawn, facts.TieBroken, facts.NightRulesSet)
"""What the standings and so the cut rest on."""

LONGEST_PAIR = 61
"""Letters of both names of a pair: with what joins them no more than a table takes as a name."""

TABLE_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789_-")
"""Of a table's id, which is a user name at the broker."""


def refusal(night: Night, decision: facts.Decision) -> PegboardError | None:
    """Why a decision is refused today; None where it is not."""
    try:
        check(night, decision)
    except PegboardError as error:
        return error
    return None


def check(night: Night, decision: facts.Decision) -> None:
    """See that a decision is possible today.

    Raises:
        RuleError: it is not; `Already` where there is nothing to do.
    """
    if isinstance(decision, facts.UnknownDecision):
        raise RuleError("night_unknown_decision", do=repr(decision.do))
    check_phase(night, type(decision))
    LIMITS[type(decision)](night, decision)


def check_phase(night: Night, kind: type) -> None:
    """See that decisions of a kind are possible before the night is open, or after it has ended.

    Raises:
        RuleError: they are not.
    """
    if kind not in BEFORE_THE_OPENING and night.opened is None:
        raise RuleError("night_not_open")
    if night.ended is not None and kind not in AFTER_THE_END:
        raise RuleError("night_ended")


# --- the night, its people and its tables ---


def _check_open(night: Night, _: facts.NightOpened) -> None:
    if night.opened is not None:
        raise Already("night_open_already", name=night.opened.name)


def _check_rules(night: Night, fact: facts.NightRulesSet) -> None:
    if fact.rules == night.rules:
        raise Already("night_rules_same")
    require_open_cut(night)


def _check_entry(night: Night, fact: facts.PlayerEntered) -> None:
    if not night.registration_open:
        raise RuleError("night_registration_closed", name=join_pair(fact.name, fact.partner))
    if fact.player in night.players:
        raise RuleError("night_player_known", player=fact.player)
    _check_name(night.players.values(), fact)


def _check_correction(night: Night, fact: facts.EntryCorrected) -> None:
    known = require_player(night, fact.player)
    same = (known.name, known.number, known.free, known.team, known.partner, known.stays)
    if (fact.name, fact.number, fact.free, fact.team, fact.partner, fact.stays) == same:
        raise Already("night_entry_same", name=known.display_name)
    _check_name((one for one in night.players.values() if one is not known), fact)


def _check_name(others: Iterable[Participant], fact: facts.PlayerEntered | facts.EntryCorrected) -> None:
    """See that nobody else has that name, as a partner either, or that number; a player needs no number."""
    names = [name for name in (fact.name, fact.partner) if name]
    if not fact.name.strip():
        raise RuleError("night_name_blank")
    if fact.partner and find_alike(fact.partner, [fact.name]):
        raise RuleError("night_name_twice", name=fact.name)
    if fact.partner and sum(map(len, names)) > LONGEST_PAIR:
        raise RuleError("night_pair_long", most=LONGEST_PAIR, letters=sum(map(len, names)))
    for other in others:
        if any(find_alike(name, [other.name, other.partner]) for name in names):
            raise RuleError("night_name_twice", name=other.display_name)
        if fact.number and fact.number == other.number:
            raise RuleError("night_number_twice", number=fact.number, name=other.display_name)


def _check_check_in(night: Night, fact: facts.CheckedIn) -> None:
    players = [require_player(night, player) for player in fact.players]
    left = [one for one in players if one.presence is Presence.LEFT]
    if left:
        raise RuleError("night_has_left", name=left[0].display_name)
    if all(one.presence is Presence.HERE for one in players):
        if len(players) != 1:
            raise Already("night_all_here")
        raise Already("night_is_here", name=players[0].display_name)


def _check_leave(night: Night, fact: facts.PlayerLeft) -> None:
    known = require_player(night, fact.player)
    if known.presence is Presence.LEFT:
        raise Already("night_gone_already", name=known.display_name)


def _check_return(night: Night, fact: facts.PlayerReturned) -> None:
    known = require_player(night, fact.player)
    if known.presence is not Presence.LEFT:
        raise Already("night_not_gone", name=known.display_name)


def _check_closing(night: Night, _: facts.RegistrationClosed) -> None:
    if not night.registration_open:
        raise Already("night_registration_closed_already")


def _check_opening(night: Night, _: facts.RegistrationOpened) -> None:
    if night.registration_open:
        raise Already("night_registration_open_already")


def _check_fee(night: Night, fact: facts.FeePaid) -> None:
    known = require_player(night, fact.player)
    paid = night.payments.get(fact.player, 0)
    if fact.cents == 0:
        raise RuleError("night_fee_nothing", name=known.display_name)
    if paid + fact.cents < 0:
        raise RuleError("night_fee_back", name=known.display_name, paid=paid)


def _check_table(night: Night, fact: facts.TableAdded) -> None:
    if fact.table in night.tables:
        raise Already("night_table_there", label=night.label(fact.table))
    if not fact.table or set(fact.table) - TABLE_LETTERS:
        raise RuleError("night_table_id", table=repr(fact.table))
    if fact.kind == "paper" and fact.table in night.former_boards:
        raise RuleError("night_table_was_board", table=fact.table)
    if any(fact.label == other.label for other in night.tables.values()):
        raise RuleError("night_label_twice", label=fact.label)


def _check_removal(night: Night, fact: facts.TableRemoved) -> None:
    if fact.table not in night.tables:
        raise RuleError("night_no_table", table=fact.table)
    begun = [game for game in night.schedule.values() if game.table == fact.table and _is_under_way(night, game)]
    if begun:
        raise RuleError("night_table_in_use", label=night.label(fact.table), game=say_game_of(night, begun[0].pairing))


def _is_under_way(night: Night, game: facts.ScheduledGame) -> bool:
    return game.round in night.started and game.key not in night.games


# --- schedule ---


def _check_draw(night: Night, fact: facts.ScheduleDrawn) -> None:
    require_open_cut(night)
    seen: set[tuple[int, str]] = set()
    for game in fact.games:
        for player in game.players:
            require_player(night, player)
            if (game.round, player) in seen:
                raise RuleError("night_drawn_twice", name=night.name(player), round=game.round)
            seen.add((game.round, player))
    drawn = {game.key for game in fact.games}
    for key, state in night.games.items():
        if key not in drawn:
            raise RuleError("night_draw_drops", game=say_game_of(night, state.pairing))


def _check_move(night: Night, fact: facts.GameMoved) -> None:
    game = night.find_game(fact.game)
    if game is None:
        raise RuleError("night_no_game", game=fact.game)
    if fact.table not in night.tables:
        raise RuleError("night_no_table", table=fact.table)
    require_open_cut(night)
    if game.table == fact.table:
        raise Already("night_table_same", label=night.label(fact.table))


def _check_start(night: Night, fact: facts.RoundStarted) -> None:
    require_round(night, fact.round)
    if fact.round in night.started:
        raise Already("night_round_begun", round=fact.round)


# --- words, the trail, the end ---


def _check_words(_: Night, fact: facts.Announced) -> None:
    if not fact.text.strip():
        raise RuleError("night_words_blank")


def _check_undo(night: Night, fact: facts.DecisionUndone) -> None:
    row = next((row for row in night.rows if row.number == fact.number), None)
    if row is None:
        raise RuleError("night_no_decision", number=fact.number)
    if fact.number in night.undone:
        raise Already("night_undone_already", number=night.undone[fact.number])
    check_phase(night, type(row.decision))
    if night.cut is not None and isinstance(row.decision, BEFORE_THE_CUT):
        raise RuleError("night_cut_closed")


def _check_end(night: Night, _: facts.NightEnded) -> None:
    if night.ended is not None:
        raise Already("night_ended_already")


def _check_reopening(night: Night, _: facts.NightOpenedAgain) -> None:
    if night.ended is None:
        raise Already("night_not_ended")


LIMITS: Mapping[type, Limit] = {
    facts.NightOpened: _check_open,
    facts.NightRulesSet: _check_rules,
    facts.PlayerEntered: _check_entry,
    facts.EntryCorrected: _check_correction,
    facts.CheckedIn: _check_check_in,
    facts.PlayerLeft: _check_leave,
    facts.PlayerReturned: _check_return,
    facts.RegistrationClosed: _check_closing,
    facts.RegistrationOpened: _check_opening,
    facts.FeePaid: _check_fee,
    facts.TableAdded: _check_table,
    facts.TableRemoved: _check_removal,
    facts.ScheduleDrawn: _check_draw,
    facts.GameMoved: _check_move,
    facts.RoundStarted: _check_start,
    **RESULT_LIMITS,
    **PLAY_OFF_LIMITS,
    **POT_LIMITS,
    facts.Announced: _check_words,
    facts.DecisionUndone: _check_undo,
    facts.NightEnded: _check_end,
    facts.NightOpenedAgain: _check_reopening,
}
"""By the class of a fact."""
