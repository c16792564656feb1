"""Decisions about the event itself: opening, rules, announcements, undo, end, reopening.

A refusal says what would be possible instead. Only new decisions are refused: replay lists decisions beyond these
limits and still counts them. No limit prevents the end of an event, drops anyone, or is permanent.
"""

from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from functools import reduce
from typing import Annotated, Any, TypedDict

from pegboard.errors import Already, RuleError
from pegboard.messages import Message
from pegboard.tournament.night import facts, request_fields
from pegboard.tournament.night.deciding import (
    END,
    RULES,
    UNDONE,
    Choosing,
    Request,
    always,
    check_phase,
    decision,
    kind_of,
    say_only,
)
from pegboard.tournament.night.night_report import report
from pegboard.tournament.night.night_state import (
    Author,
    LimitViolation,
    Night,
    Role,
    StoredDecision,
    collapse_spaces,
    require_open_cut,
)
from pegboard.tournament.playoffs.qualifying import CUT_RULES, read_cut_rule
from pegboard.tournament.playoffs.seeding import check_best_of
from pegboard.tournament.pots.money import money
from pegboard.tournament.results.scoring import POINT_TABLES, point_table
from pegboard.tournament.results.standings import TIE_BREAK_ORDERS, tie_break_order
from pegboard.tournament.schedule.draw_request import MOST_GAMES
from pegboard.tournament.schedule.ring import ONE_FEWER, ONE_MORE

# --- rules of an event in a request ---

MOST_MATCH_TABLES = 60
"""Maximum tables of a match between two teams."""

TableGames = Annotated[
    tuple[Annotated[int, request_fields.number("games", 1, MOST_GAMES)], ...],
    request_fields.several("games per table of a match, starting with the first table", most=MOST_MATCH_TABLES),
]

CUT_WORDS = f"the number of qualifiers, such as {', '.join(CUT_RULES)}, 1/4 or 8"


class RulesRequest(TypedDict, total=False):
    """Rules to change, by the names that directors use."""

    games: Annotated[int, request_fields.number("games per player", 1, MOST_GAMES)]
    points: Annotated[str, request_fields.word("the game points", tuple(POINT_TABLES))]
    order: Annotated[str, request_fields.word("the tie-break order", tuple(TIE_BREAK_ORDERS))]
    cut: Annotated[str, request_fields.text(CUT_WORDS, least=1)]
    fee: Annotated[int, request_fields.cents("the fee")]
    currency: Annotated[str, request_fields.text_of("three capital letters, such as USD", 3, 3)]
    format: Annotated[str, request_fields.word("the format", facts.FORMATS)]
    movement: Annotated[str, request_fields.word("the movement", facts.MOVEMENTS)]
    odd: Annotated[str, request_fields.word("the rule for odd numbers", (ONE_MORE, ONE_FEWER))]
    table_games: TableGames
    best_of: request_fields.BestOf


Rules = Annotated[RulesRequest, "the event's rules"]


def read_rules(rules: facts.NightRules, values: Mapping[str, Any]) -> facts.NightRules:
    """The rules with these values changed, by the names that directors use.

    Raises:
        RuleError: a rule is unknown.
    """
    named = {field.name for field in fields(rules)} & values.keys()
    return replace(rules, **{name: _read_rule(name, values[name]) for name in named})


def _read_rule(name: str, value: Any) -> Any:
    read = _READERS.get(name)
    return value if read is None else read(value)


def _check_currency(text: str) -> str:
    """Check a currency code, as in ISO 4217.

    Raises:
        RuleError: the code is not three capital letters, so that no page could show an amount in it.
    """
    if not (text.isascii() and text.isalpha() and text.isupper()):
        raise RuleError("night_field", field="currency", takes="three capital letters, such as USD")
    return text


_READERS: Mapping[str, Callable[[Any], Any]] = {
    "points": point_table,
    "order": tie_break_order,
    "cut": lambda words: read_cut_rule(words).text,
    "currency": _check_currency,
    "best_of": lambda lengths: tuple(check_best_of(length) for length in lengths),
}
"""Parsers of rules that are not stored as the director enters them."""


# --- opening ---

DAYS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
"""Maximum days of each month."""


def _check_day(text: str) -> str:
    """Check a date such as 2026-11-26 and return it unchanged.

    Raises:
        RuleError: the text is not a date.
    """
    year, month, day = (*text.split("-"), "", "")[:3]
    right = all(part.isascii() and part.isdecimal() for part in (year, month, day)) and text == f"{year}-{month}-{day}"
    if not (right and len(year) == 4 and 1 <= int(month) <= 12 and 1 <= int(day) <= DAYS[int(month) - 1]):  # noqa: PLR2004
        raise RuleError("night_day", date=repr(text))
    return text


@decision(
    "open_night",
    facts.NightOpened,
    before_opening=True,
    after_end=True,
    example={"name": "Thursday club", "date": "2026-11-26", "rules": {"games": 9, "fee": 1000}},
)
class OpenNight(Request):
    """Open an event with its rules written out."""

    name: Annotated[str, request_fields.text("the name", least=1)]
    date: Annotated[str, request_fields.text_of("a day such as 2026-11-26", 10, 10)]
    rules: Rules | None = None

    def choose(self, _night: Night, _: Choosing) -> facts.NightOpened:
        """The event with all its rules.

        Raises:
            RuleError: the date is invalid, or a rule is unknown.
        """
        rules = read_rules(facts.NightRules(), self.rules or {})
        return facts.NightOpened(collapse_spaces(self.name), _check_day(self.date), rules)

    @staticmethod
    def check(night: Night, _: facts.NightOpened) -> None:
        """Refuse a second opening."""
        if night.opened is not None:
            raise Already("night_open_already", name=night.opened.name)

    @staticmethod
    def apply(night: Night, fact: facts.NightOpened, _: int) -> Night:
        """The opened event."""
        return replace(night, opened=fact, rules=fact.rules)

    @staticmethod
    def say(_: Night, fact: facts.NightOpened) -> Message:
        """A sentence with the name of the event."""
        return Message("night_did_open", name=fact.name)


# --- rules ---


@decision("set_rules", facts.NightRulesSet, needs_base=True, before_cut=True, example={"rules": {"games": 7}})
class SetRules(Request):
    """Change rules of the event."""

    rules: Rules | None = None

    topics = changes = always(RULES)

    def choose(self, night: Night, _: Choosing) -> facts.NightRulesSet:
        """The rules with the changes of the request.

        Raises:
            RuleError: a rule is unknown.
        """
        return facts.NightRulesSet(read_rules(night.rules, self.rules or {}))

    @staticmethod
    def check(night: Night, fact: facts.NightRulesSet) -> None:
        """Refuse the same rules, and changes once qualifying is closed."""
        if fact.rules == night.rules:
            raise Already("night_rules_same")
        require_open_cut(night)

    @staticmethod
    def apply(night: Night, fact: facts.NightRulesSet, _: int) -> Night:
        """The event with these rules."""
        return replace(night, rules=fact.rules)

    @staticmethod
    def say(night: Night, fact: facts.NightRulesSet) -> Message:
        """The rules that have changed, with old and new values if these read the same in every language."""
        before = _rules_before(night, fact)
        changed = [name for name in RULE_KEYS if getattr(before, name) != getattr(fact.rules, name)]
        if not changed:
            return Message("night_did_rules_first")
        said = [Message(RULE_KEYS[name], **_in_words(name, before, fact.rules)) for name in changed]
        return Message(
            "night_did_rules", changes=reduce(lambda one, more: Message("night_rules_and", rule=one, others=more), said)
        )


RULE_KEYS: Mapping[str, str] = {
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


# --- announcements ---


@decision("announce", facts.Announced, after_end=True, example={"text": "Round 3 begins at nine"})
class Announce(Request):
    """Make an announcement."""

    text: Annotated[str, request_fields.text("the announcement", least=1, most=request_fields.MAX_TEXT_LENGTH)]

    @staticmethod
    def check(_: Night, fact: facts.Announced) -> None:
        """Refuse a blank text."""
        if not fact.text.strip():
            raise RuleError("night_words_blank")

    @staticmethod
    def apply(night: Night, fact: facts.Announced, number: int) -> Night:
        """The event with one more announcement."""
        return replace(night, announcements=(*night.announcements, (number, fact)))

    @staticmethod
    def say(_: Night, fact: facts.Announced) -> Message:
        """A sentence with the announcement."""
        return Message("night_did_announce", words=fact.text)


# --- undo: decisions that are undone together with another, and decisions that must be undone first ---


@decision("undo", facts.DecisionUndone, about="number", before_opening=True, after_end=True, example={"number": 12})
class UndoDecision(Request):
    """Undo a decision, together with the bracket games that fit no match without it."""

    number: Annotated[int, request_fields.number("the number of a log entry", 1, 2**53)]

    changes = always(UNDONE)

    def choose(self, night: Night, choosing: Choosing) -> facts.DecisionUndone:
        """The numbers of the decisions to undo.

        Raises:
            RuleError: there is no such decision, or a later decision, named in the message, depends on it; `Already`
                if it is undone.
        """
        fact = facts.DecisionUndone(self.number)
        UndoDecision.check(night, fact)
        also = _find_idle_games(_after(night, fact, choosing)) - _find_idle_games(night)
        fact = facts.DecisionUndone(fact.number, tuple(sorted(also)))
        resting = _find_dependents(night, _after(night, fact, choosing))
        if resting:
            raise RuleError("night_undo_first", number=resting[-1].number, why=_with_names(night, resting[-1].why))
        return fact

    @staticmethod
    def check(night: Night, fact: facts.DecisionUndone) -> None:
        """Refuse unknown and undone decisions, and those that the phase forbids or a closed cutoff depends on."""
        row = next((row for row in night.rows if row.number == fact.number), None)
        if row is None:
            raise RuleError("night_no_decision", number=fact.number)
        if fact.number in night.undone:
            raise Already("night_undone_already", number=night.undone[fact.number])
        check_phase(night, type(row.decision))
        kind = kind_of(type(row.decision))
        if night.cut is not None and kind is not None and kind.before_cut:
            raise RuleError("night_cut_closed")

    @staticmethod
    def say(_: Night, fact: facts.DecisionUndone) -> Message:
        """A sentence with the numbers of the undone decisions."""
        if fact.also:
            return Message("night_did_undo_also", number=fact.number, also=", ".join(map(str, fact.also)))
        return Message("night_did_undo", number=fact.number)


def _with_names(night: Night, why: Message) -> Message:
    """A refusal with the player's name in place of the id, since the undo may remove the player from the roster."""
    player = why.values.get("player")
    return Message(why.key, **{**why.values, "player": night.name(player)}) if isinstance(player, str) else why


def _find_dependents(before: Night, after: Night) -> list[LimitViolation]:
    """Later decisions that would have been refused without the undone decision, oldest first."""
    known = {departure.number for departure in before.departures}
    return [one for one in after.departures if not one.idle and one.number not in known]


def _after(night: Night, fact: facts.DecisionUndone, choosing: Choosing) -> Night:
    return choosing.add(night, StoredDecision(night.revision + 1, 0, Author(Role.DIRECTOR), fact))


def _find_idle_games(night: Night) -> set[int]:
    """Decision numbers of bracket games that fit no match."""
    found: set[int] = set()
    for state in night.brackets.values():
        idle = {id(game) for game in state.bracket.idle}
        rows = zip(state.bracket.games, state.numbers, strict=True)
        found |= {number for game, number in rows if id(game) in idle}
    return found


# --- end ---


def final_rows(night: Night) -> tuple[facts.FinalRow, ...]:
    """The current standings as rows for storage."""
    return tuple(
        facts.FinalRow(one.player, one.place, own.points, own.won, own.losses, own.skunks, own.plus, own.minus)
        for one in report(night).placings
        for own in [one.totals]
    )


@decision("end_night", facts.NightEnded, needs_base=True, after_end=True)
class EndNight(Request):
    """End the event."""

    topics = changes = always(END)
    say = say_only("night_did_end")

    def choose(self, night: Night, _: Choosing) -> facts.NightEnded:
        """The current standings."""
        return facts.NightEnded(final_rows(night))

    @staticmethod
    def check(night: Night, _: facts.NightEnded) -> None:
        """Refuse a second end."""
        if night.ended is not None:
            raise Already("night_ended_already")

    @staticmethod
    def apply(night: Night, fact: facts.NightEnded, _: int) -> Night:
        """The ended event."""
        return replace(night, ended=fact)


@decision("open_again", facts.NightOpenedAgain, after_end=True)
class OpenAgain(Request):
    """Reopen the event after its end."""

    changes = always(END)
    say = say_only("night_did_open_again")

    @staticmethod
    def check(night: Night, _: facts.NightOpenedAgain) -> None:
        """Refuse reopening before the end."""
        if night.ended is None:
            raise Already("night_not_ended")

    @staticmethod
    def apply(night: Night, _fact: facts.NightOpenedAgain, _: int) -> Night:
        """The event without its end."""
        return replace(night, ended=None)
