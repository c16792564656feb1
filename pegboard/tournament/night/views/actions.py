"""Button states for pages: enabled, or disabled with the reason, by the same checks as the decisions."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Annotated, Any, TypeAlias, TypedDict

from pegboard.errors import PegboardError
from pegboard.messages import Message
from pegboard.tournament.night import facts
from pegboard.tournament.night.deciding import check, check_phase, find_refusal
from pegboard.tournament.night.night_report import report
from pegboard.tournament.night.night_state import Night
from pegboard.tournament.night.play_offs import MAIN, require_bracket, require_cut, require_ties
from pegboard.tournament.night.rounds import require_drawable


class SaidJson(TypedDict):
    """A message by its key, with its text."""

    key: Annotated[str, "the sentence's key, for translation"]
    values: Annotated[dict[str, Any], "its values: words, numbers, and messages"]
    text: Annotated[str, "the sentence in English"]


class ActionJson(TypedDict):
    """Whether a button is enabled."""

    possible: bool
    why: Annotated[SaidJson | None, "why not; null if it is enabled"]


Actions: TypeAlias = Annotated[dict[str, ActionJson], "buttons by the word of their decision"]

ForDirectors: TypeAlias = Annotated[dict[str, ActionJson], "only for directors: buttons by their decision"]

POSSIBLE: ActionJson = {"possible": True, "why": None}


def say(message: Message) -> SaidJson:
    """A message for pages: its key, values and English text."""
    known = message.as_json()
    return {"key": known["key"], "values": known["values"], "text": str(message)}


def say_or_none(message: Message | None) -> SaidJson | None:
    """A message for pages, or None."""
    return None if message is None else say(message)


def as_action(error: PegboardError | None) -> ActionJson:
    """An enabled button, or a disabled one with the reason."""
    return POSSIBLE if error is None else {"possible": False, "why": say(error.message)}


def action(night: Night, decision: facts.Decision) -> ActionJson:
    """The button for a given decision."""
    return as_action(find_refusal(lambda: check(night, decision)))


def actions(night: Night, decisions: Mapping[str, facts.Decision]) -> Actions:
    """Buttons by the word of their decision."""
    return {do: action(night, decision) for do, decision in decisions.items()}


# --- buttons of the event itself ---


def night_actions(night: Night) -> Actions:
    """The director's buttons that do not belong to a player, game, pot or bracket."""
    return {do: as_action(find_refusal(partial(look, night))) for do, look in LOOKS.items()}


def _probe(decision: facts.Decision) -> Callable[[Night], None]:
    return lambda night: check(night, decision)


def _look_at_rules(night: Night) -> None:
    check(night, facts.NightRulesSet(facts.NightRules(games=night.rules.games + 1)))


def _look_at_draw(night: Night) -> None:
    check(night, facts.ScheduleDrawn(tuple(night.schedule.values())))
    require_drawable(night)


def _look_at_cut(night: Night) -> None:
    check_phase(night, facts.CutClosed)
    require_cut(night, report(night))


def _look_at_ties(night: Night) -> None:
    check_phase(night, facts.TieBroken)
    require_ties(night)


def _look_at_bracket(night: Night) -> None:
    check(night, facts.BracketDrawn(MAIN, ()))


def _look_at_consolation(night: Night) -> None:
    check(night, facts.BracketDrawn("", ()))
    require_bracket(night, MAIN)


def _look_at_people(night: Night) -> None:
    check_phase(night, facts.CheckedIn)


LOOKS: Mapping[str, Callable[[Night], None]] = {
    "open_night": _probe(facts.NightOpened("-", "-")),
    "set_rules": _look_at_rules,
    "enter": _probe(facts.PlayerEntered("", "\ufffd")),
    "check_in": _look_at_people,
    "close_registration": _probe(facts.RegistrationClosed()),
    "open_registration": _probe(facts.RegistrationOpened()),
    "add_table": _probe(facts.TableAdded("_", "\ufffd")),
    "draw": _look_at_draw,
    "close_cut": _look_at_cut,
    "open_cut": _probe(facts.CutOpened()),
    "break_tie": _look_at_ties,
    "draw_bracket": _look_at_bracket,
    "draw_consolation": _look_at_consolation,
    "open_pot": _probe(facts.PotOpened("", {})),
    "announce": _probe(facts.Announced("-")),
    "end_night": _probe(facts.NightEnded()),
    "open_again": _probe(facts.NightOpenedAgain()),
}
"""Checks by the word of the decision; `draw_consolation` is `draw_bracket` for any bracket other than main."""
