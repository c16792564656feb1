"""House rules: a table's changes to its variant, written as name=value, such as `muggins=on`."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from pegboard.core.names import find, likely, suggestion
from pegboard.core.rules import (
    CRIB_FLUSHES,
    GAME_HOLES,
    HEAD_START,
    MISDEALS,
    MOST_SEATS,
    TRIPLE,
    VARIANTS,
    WORTH,
    FirstDeal,
    HeelsLimit,
    OverpegAward,
    Rules,
    check,
    lurch_line,
    skunk_lines,
)
from pegboard.errors import RuleError

DIGITS = 3
"""Maximum number of digits in the value of a house rule."""

OFF_ON = {"off": False, "on": True}
HEAD_STARTS = {"off": 0, "on": HEAD_START}
WINS_MATCH = "triple wins match"
LURCH = "lurch"
SKUNK_CHOICES = ("on", "off", "triple", WINS_MATCH, LURCH)
OLDER = {WINS_MATCH: OFF_ON}
"""House rules of older settings that are now part of `skunks`, with their values."""

SAID_OTHERWISE = dict.fromkeys(("", "yes", "true", "1", "with"), "on") | dict.fromkeys(
    ("no", "false", "0", "without"), "off"
)
"""Synonyms for on and off; suggested, but not accepted."""


ANY_PLAYERS, OPPONENTS, THREE_PLAYERS = range(1, MOST_SEATS + 1), range(2, MOST_SEATS + 1), range(3, 4)
"""Numbers of players for which a house rule can matter."""


@dataclass(frozen=True, slots=True)
class HouseRule:
    """One rule that a house can change.

    Attributes:
        attribute: the attribute of `Rules` that the house rule sets.
        values: the accepted values, by their words; None if the value is a number in `span`.
        span: the accepted numbers.
        seats: the numbers of players for which the rule can matter; for others it is kept, but not named.
    """

    attribute: str
    values: Mapping[str, Any] | None = None
    span: range = range(0)
    seats: range = ANY_PLAYERS

    @property
    def choices(self) -> str:
        """The accepted values, in words."""
        return f"{self.span[0]} to {self.span[-1]}" if self.values is None else ", ".join(self.values)

    def read(self, value: str) -> Any:
        """Parse a value.

        Raises:
            KeyError: the value is not accepted.
        """
        if self.values is not None:
            return self.values[find(value, self.values) or value]
        if not (value.isascii() and value.isdigit() and len(value) <= DIGITS and int(value) in self.span):
            raise KeyError(value)
        return int(value)

    def suggest(self, name: str, value: str) -> str | None:
        """The house rule with the value that was probably meant, such as `muggins=on`, or None."""
        meant = likely(value, self.values or (), SAID_OTHERWISE if "on" in (self.values or ()) else None)
        return f"{name}={meant}" if meant else None


def _by_name(names: Iterable[str]) -> Mapping[str, str]:
    return {str(name): name for name in names}


HOUSE_RULES = {
    "game hole": HouseRule("game_hole", span=GAME_HOLES),
    "skunks": HouseRule("skunk_lines", _by_name(SKUNK_CHOICES)),
    "worth": HouseRule("worth", WORTH),
    "first deal": HouseRule("first_deal", _by_name(FirstDeal), seats=OPPONENTS),
    "dealer start": HouseRule("dealer_start", HEAD_STARTS),
    "three for last": HouseRule("pone_start", HEAD_STARTS),
    "heels limit": HouseRule("heels_limit", _by_name(HeelsLimit)),
    "muggins": HouseRule("muggins", OFF_ON, seats=OPPONENTS),
    "crib flush": HouseRule("crib_flush", CRIB_FLUSHES),
    "misdeal": HouseRule("misdeal", span=MISDEALS, seats=OPPONENTS),
    "pone chooses": HouseRule("pone_chooses", OFF_ON, seats=OPPONENTS),
    "dealer six": HouseRule("dealer_six", OFF_ON, seats=THREE_PLAYERS),
    "over-peg": HouseRule("overpeg_award", _by_name(OverpegAward), seats=OPPONENTS),
    "strict": HouseRule("strict", OFF_ON),
    "peg out": HouseRule("peg_out", OFF_ON),
    "confirm": HouseRule("confirm", OFF_ON),
}
"""House rules by name (docs/rules.md, House rules)."""


def with_house_rules(rules: Rules, *lists: Iterable[str]) -> Rules:
    """The rules with lists of house rules applied, such as `muggins=on` or `worth=games 1-2-4`; later lists win.

    Raises:
        RuleError: there is no such house rule, its value is not accepted, a list gives it twice, or the combination
            cannot be played.
    """
    changes: dict[str, Any] = {}
    for words in lists:
        changes |= _read_list(words)
    if "game_hole" in changes and rules.skunk_lines:
        skunks = _word_of(HOUSE_RULES["skunks"], rules)  # the same skunks, with lines for the other game hole
        too_short = skunks == WINS_MATCH and len(skunk_lines(changes["game_hole"], triple=True)) < TRIPLE
        changes.setdefault("skunk_lines", skunks if skunks in SKUNK_CHOICES and not too_short else "on")
    wins = {"triple_wins_match": True} if changes.pop(WINS_MATCH, False) else {}
    if wins and changes.get("skunk_lines", "on") == "on":
        changes["skunk_lines"] = WINS_MATCH
    if "skunk_lines" in changes:
        changes |= _skunks(changes["skunk_lines"], changes.get("game_hole", rules.game_hole))
    return check(replace(rules, **changes | wins))


def difference(rules: Rules, usual: Rules | None = None) -> tuple[str, ...]:
    """The house rules by which rules differ from the usual ones, by default their variant's, if they can matter."""
    then, now = house_words(usual or VARIANTS.get(rules.variant, rules)), house_words(rules)
    return tuple(
        f"{name}={value}"
        for name, value in now.items()
        if value != then[name] and rules.seats in HOUSE_RULES[name].seats
    )


def house_words(rules: Rules) -> dict[str, str]:
    """The value of each house rule in these rules, in words."""
    return {name: _word_of(rule, rules) for name, rule in HOUSE_RULES.items()}


def _read_list(words: Iterable[str]) -> dict[str, Any]:
    changes: dict[str, Any] = {}
    for word in words:
        attribute, value = _read(word)
        if attribute in changes:
            raise RuleError("rules_house_rule_twice", rule=find(word.partition("=")[0], (*HOUSE_RULES, *OLDER)))
        changes[attribute] = value
    return changes


def _read(word: str) -> tuple[str, Any]:
    typed, _, value = (part.strip() for part in word.partition("="))
    if (older := find(typed, OLDER)) and (said := find(value, OLDER[older])):
        return older, OLDER[older][said]
    name = find(typed, HOUSE_RULES)
    if name is None:
        meant = _whole_rule(word) or likely(typed, HOUSE_RULES)
        known = f"{', '.join(HOUSE_RULES)}{suggestion(meant)}"
        raise RuleError("rules_no_house_rule", rule=repr(typed), known=known)
    rule = HOUSE_RULES[name]
    try:
        return rule.attribute, rule.read(value)
    except KeyError:
        meant = suggestion(rule.suggest(name, value))
        raise RuleError("rules_house_rule_takes", rule=name, taken=rule.choices, value=f"{value!r}{meant}") from None


def _whole_rule(word: str) -> str | None:
    """The house rule that was written without `=`, such as `muggins on`."""
    whole = {f"{name}={value}": None for name, rule in HOUSE_RULES.items() for value in rule.values or ()}
    return find(word, whole)


def _word_of(rule: HouseRule, rules: Rules) -> str:
    now = getattr(rules, rule.attribute)
    if rule.attribute == "skunk_lines":
        played = {name: getattr(rules, name) for name in _skunks("on", rules.game_hole)}
        return next((skunks for skunks in SKUNK_CHOICES if _skunks(skunks, rules.game_hole) == played), str(now))
    return next((words for words, value in (rule.values or {}).items() if value == now), str(now))


def _skunks(skunks: str, game_hole: int) -> dict[str, Any]:
    """The attributes of `Rules` for a value of the house rule `skunks`."""
    lines = skunk_lines(game_hole, triple=skunks in {"triple", WINS_MATCH})
    if skunks in {"off", LURCH}:
        lines = lurch_line(game_hole) if skunks == LURCH else ()
    return {"skunk_lines": lines, "triple_wins_match": skunks == WINS_MATCH, "lurch": skunks == LURCH}
