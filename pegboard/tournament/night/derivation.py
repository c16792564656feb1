"""The fold of stored decisions to a night: one step a decision. It reads what was chosen, and never refuses.

What today's limits would refuse is listed as a departure and counts all the same. An undone decision counts as never
made: everything is folded anew without it.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, TypeAlias

from pegboard.errors import Already
from pegboard.messages import Message
from pegboard.tournament.night import facts
from pegboard.tournament.night.limits import refusal
from pegboard.tournament.night.night_state import EMPTY_NIGHT, Departure, Night, Participant, Presence
from pegboard.tournament.night.steps import play_off_steps, result_steps
from pegboard.tournament.night.steps.play_off_steps import mark_back, mark_gone
from pegboard.tournament.night.stored_form import StoredDecision

Step: TypeAlias = Callable[[Night, Any, int], Night]
"""What a fact does to a night; the number is that of its decision."""


def fold(rows: Iterable[StoredDecision]) -> Night:
    """The night that these decisions, in their order, have made."""
    rows = tuple(rows)
    undone = find_undone(rows)
    night = replace(EMPTY_NIGHT, departures=tuple(_find_idle_undoings(rows)))
    for row in rows:
        night = _step(night, row, undone)
    return replace(night, rows=rows, undone=undone)


def add(night: Night, row: StoredDecision) -> Night:
    """The night after one more decision, as if all were folded."""
    if isinstance(row.decision, facts.DecisionUndone):
        return fold((*night.rows, row))
    return replace(_step(night, row, {}), rows=(*night.rows, row))


def without(night: Night, numbers: Iterable[int]) -> Night:
    """The night as it would be without these decisions, and as if they had never been listed."""
    gone = set(numbers)
    return fold(row for row in night.rows if row.number not in gone)


def find_undone(rows: Iterable[StoredDecision]) -> dict[int, int]:
    """The numbers of undone decisions, each with the number of the decision that undid it.

    The newest is looked at first, so that an undoing that was undone itself does nothing.
    """
    undone: dict[int, int] = {}
    for row in sorted(rows, key=lambda row: row.number, reverse=True):
        if isinstance(row.decision, facts.DecisionUndone) and row.number not in undone:
            for number in (row.decision.number, *row.decision.also):
                if number < row.number:
                    undone.setdefault(number, row.number)
    return undone


def _find_idle_undoings(rows: Iterable[StoredDecision]) -> Iterator[Departure]:
    """Undoings of decisions that are not there, or come after them."""
    known: set[int] = set()
    for row in rows:
        if isinstance(row.decision, facts.DecisionUndone) and row.decision.number not in known:
            yield Departure(row.number, Message("night_no_decision", number=row.decision.number))
        known.add(row.number)


def _step(night: Night, row: StoredDecision, undone: Mapping[int, int]) -> Night:
    if row.number in undone:
        return night
    why = None if isinstance(row.decision, facts.DecisionUndone) else refusal(night, row.decision)
    if why is not None:
        departure = Departure(row.number, why.message, isinstance(why, Already))
        night = replace(night, departures=(*night.departures, departure))
    step = STEPS.get(type(row.decision))
    return night if step is None else step(night, row.decision, row.number)


# --- the night, its people and its tables ---


def _open(night: Night, fact: facts.NightOpened, _: int) -> Night:
    return replace(night, opened=fact, rules=fact.rules)


def _set_rules(night: Night, fact: facts.NightRulesSet, _: int) -> Night:
    return replace(night, rules=fact.rules)


def _enter(night: Night, fact: facts.PlayerEntered, _: int) -> Night:
    person = Participant(fact.player, fact.name, fact.number, fact.walk_up, fact.late, fact.free)
    person = replace(person, team=fact.team, partner=fact.partner, stays=fact.stays)
    night = _with_player(night, person)
    return _let_in(night, person) if fact.here else night


def _let_in(night: Night, person: Participant) -> Night:
    """The night with a player here; the rounds before are missed by who was not here then."""
    gone = range(person.left_in if person.came else 1, night.open_round)
    return _with_player(night, replace(person, presence=Presence.HERE, missed=(*person.missed, *gone), came=True))


def _correct_entry(night: Night, fact: facts.EntryCorrected, _: int) -> Night:
    own = {"team": fact.team, "partner": fact.partner, "free": fact.free, "stays": fact.stays}
    return _change_player(night, fact.player, name=fact.name, number=fact.number, **own)


def _check_in(night: Night, fact: facts.CheckedIn, _: int) -> Night:
    for player in fact.players:
        if player in night.players and not night.is_here(player):
            night = _let_in(night, night.players[player])
    return night


def _leave(night: Night, fact: facts.PlayerLeft, _: int) -> Night:
    left = _change_player(night, fact.player, presence=Presence.LEFT, left_in=night.open_round)
    return mark_gone(left, fact.player)


def _come_back(night: Night, fact: facts.PlayerReturned, _: int) -> Night:
    if fact.player not in night.players:
        return night
    return mark_back(_let_in(night, night.players[fact.player]), fact.player)


def _close_registration(night: Night, _fact: facts.RegistrationClosed, _: int) -> Night:
    return replace(night, registration_open=False)


def _open_registration(night: Night, _fact: facts.RegistrationOpened, _: int) -> Night:
    return replace(night, registration_open=True)


def _pay_fee(night: Night, fact: facts.FeePaid, _: int) -> Night:
    paid = night.payments.get(fact.player, 0) + fact.cents
    return replace(night, payments={**night.payments, fact.player: paid})


def _add_table(night: Night, fact: facts.TableAdded, _: int) -> Night:
    return replace(night, tables={**night.tables, fact.table: fact})


def _remove_table(night: Night, fact: facts.TableRemoved, _: int) -> Night:
    return replace(night, tables={table: one for table, one in night.tables.items() if table != fact.table})


def _with_player(night: Night, player: Participant) -> Night:
    return replace(night, players={**night.players, player.player: player})


def _change_player(night: Night, player: str, **values: Any) -> Night:
    known = night.players.get(player)
    return night if known is None else _with_player(night, replace(known, **values))


# --- schedule ---


def _draw(night: Night, fact: facts.ScheduleDrawn, number: int) -> Night:
    sit_outs: dict[int, tuple[str, ...]] = {}
    for rest in fact.rests:
        sit_outs[rest.round] = (*sit_outs.get(rest.round, ()), rest.player)
    for table in fact.tables:
        night = _add_table(night, table, number)
    games = {game.key: game for game in sorted(fact.games, key=lambda game: game.round)}
    return replace(night, schedule=games, sit_outs=sit_outs, remarks=fact.remarks)


def _move_game(night: Night, fact: facts.GameMoved, _: int) -> Night:
    game = night.schedule.get(fact.game)
    if game is None:
        return night
    return replace(night, schedule={**night.schedule, fact.game: replace(game, table=fact.table)})


def _start_round(night: Night, fact: facts.RoundStarted, _: int) -> Night:
    return replace(night, started=night.started | {fact.round})


# --- words, and the end ---


def _announce(night: Night, fact: facts.Announced, number: int) -> Night:
    return replace(night, announcements=(*night.announcements, (number, fact)))


def _end(night: Night, fact: facts.NightEnded, _: int) -> Night:
    return replace(night, ended=fact)


def _open_again(night: Night, _fact: facts.NightOpenedAgain, _: int) -> Night:
    return replace(night, ended=None)


STEPS: Mapping[type, Step] = {
    facts.NightOpened: _open,
    facts.NightRulesSet: _set_rules,
    facts.PlayerEntered: _enter,
    facts.EntryCorrected: _correct_entry,
    facts.CheckedIn: _check_in,
    facts.PlayerLeft: _leave,
    facts.PlayerReturned: _come_back,
    facts.RegistrationClosed: _close_registration,
    facts.RegistrationOpened: _open_registration,
    facts.FeePaid: _pay_fee,
    facts.TableAdded: _add_table,
    facts.TableRemoved: _remove_table,
    facts.ScheduleDrawn: _draw,
    facts.GameMoved: _move_game,
    facts.RoundStarted: _start_round,
    **result_steps.STEPS,
    **play_off_steps.STEPS,
    facts.Announced: _announce,
    facts.NightEnded: _end,
    facts.NightOpenedAgain: _open_again,
}
"""By the class of a fact; an undoing has no step, for `find_undone` reads it."""
