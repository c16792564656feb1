"""Opening, rules, announcements and end of an event: state changes, limits and log sentences.

A refusal says what would be possible instead. Only new decisions are refused: replay lists decisions beyond these
limits and still counts them. No limit prevents the end of an event, drops anyone, or is permanent.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import reduce
from typing import Any

from pegboard.errors import Already, RuleError
from pegboard.messages import Message
from pegboard.tournament.night import facts
from pegboard.tournament.night.night_state import Night, require_open_cut
from pegboard.tournament.pots.money import money

# --- opening and rules: state changes ---


def _open(night: Night, fact: facts.NightOpened, _: int) -> Night:
    return replace(night, opened=fact, rules=fact.rules)


def _set_rules(night: Night, fact: facts.NightRulesSet, _: int) -> Night:
    return replace(night, rules=fact.rules)


# --- announcements and end: state changes ---


def _announce(night: Night, fact: facts.Announced, number: int) -> Night:
    return replace(night, announcements=(*night.announcements, (number, fact)))


def _end(night: Night, fact: facts.NightEnded, _: int) -> Night:
    return replace(night, ended=fact)


def _open_again(night: Night, _fact: facts.NightOpenedAgain, _: int) -> Night:
    return replace(night, ended=None)


def _say_rules(night: Night, fact: facts.NightRulesSet) -> Message:
    """Which rules have changed, with old and new values if these read the same in every language."""
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
"""Rules that a director can change, each with its message key."""


def _rules_before(night: Night, fact: facts.NightRulesSet) -> facts.NightRules:
    """The rules before a decision changed them."""
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


def _say_undone(fact: facts.DecisionUndone) -> Message:
    if fact.also:
        return Message("night_did_undo_also", number=fact.number, also=", ".join(map(str, fact.also)))
    return Message("night_did_undo", number=fact.number)


# --- opening and rules: limits ---


def _check_open(night: Night, _: facts.NightOpened) -> None:
    if night.opened is not None:
        raise Already("night_open_already", name=night.opened.name)


def _check_rules(night: Night, fact: facts.NightRulesSet) -> None:
    if fact.rules == night.rules:
        raise Already("night_rules_same")
    require_open_cut(night)


# --- announcements and end: limits ---


def _check_words(_: Night, fact: facts.Announced) -> None:
    if not fact.text.strip():
        raise RuleError("night_words_blank")


def _check_end(night: Night, _: facts.NightEnded) -> None:
    if night.ended is not None:
        raise Already("night_ended_already")


def _check_reopening(night: Night, _: facts.NightOpenedAgain) -> None:
    if night.ended is None:
        raise Already("night_not_ended")
