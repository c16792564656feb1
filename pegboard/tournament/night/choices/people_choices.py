"""The night's rules, its people and its tables: a request with what it leaves open filled in."""

from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from typing import Any

from pegboard.errors import RuleError
from pegboard.tournament.ids import PlayerId
from pegboard.tournament.night import facts
from pegboard.tournament.night.checks.names_on_roster import find_alike
from pegboard.tournament.night.checks.shared_limits import require_player
from pegboard.tournament.night.night_report import report
from pegboard.tournament.night.night_state import Night
from pegboard.tournament.pairings import player_number
from pegboard.tournament.playoffs.play_off import check_best_of
from pegboard.tournament.playoffs.qualifying import read_cut_rule
from pegboard.tournament.results.scoring import point_table
from pegboard.tournament.results.tie_breaks import tie_break_order

DAYS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
"""Of each month at most."""


def open_night(_: Night, values: dict[str, Any]) -> facts.NightOpened:
    """A night with its rules written out.

    Raises:
        RuleError: the day is none, or a rule is none of those that there are.
    """
    rules = read_rules(facts.NightRules(), values.get("rules", {}))
    return facts.NightOpened(_blank_free(values["name"]), _check_day(values["date"]), rules)


def set_rules(night: Night, values: dict[str, Any]) -> facts.NightRulesSet:
    """The rules with what the request changes.

    Raises:
        RuleError: a rule is none of those that there are.
    """
    return facts.NightRulesSet(read_rules(night.rules, values.get("rules", {})))


def read_rules(rules: facts.NightRules, values: dict[str, Any]) -> facts.NightRules:
    """The rules with these of them changed, by the names that a director chooses.

    Raises:
        RuleError: a rule is none of those that there are.
    """
    named = {field.name for field in fields(rules)} & values.keys()
    return replace(rules, **{name: _read_rule(name, values[name]) for name in named})


def _read_rule(name: str, value: Any) -> Any:
    read = _READERS.get(name)
    return value if read is None else read(value)


def _check_currency(text: str) -> str:
    """A currency as ISO 4217 writes it.

    Raises:
        RuleError: no page could show an amount in it.
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
    "table_games": tuple,
}
"""How a rule is read that is stored otherwise than a director chooses it."""


def _check_day(text: str) -> str:
    """A day such as 2026-11-26, as it was written.

    Raises:
        RuleError: it is none.
    """
    year, month, day = (*text.split("-"), "", "")[:3]
    right = all(part.isascii() and part.isdecimal() for part in (year, month, day)) and text == f"{year}-{month}-{day}"
    if not (right and len(year) == 4 and 1 <= int(month) <= 12 and 1 <= int(day) <= DAYS[int(month) - 1]):  # noqa: PLR2004
        raise RuleError("night_day", date=repr(text))
    return text


# --- people ---


def enter(night: Night, values: dict[str, Any], *, by_themselves: bool = False) -> facts.PlayerEntered:
    """An entry with the next free id; a walk-up is here, and so is who has entered at the door by phone."""
    walk_up = by_themselves or bool(values.get("walk_up", False))
    return facts.PlayerEntered(
        next_player(night),
        _blank_free(values["name"]),
        _blank_free(values.get("number", "")),
        walk_up,
        bool(night.schedule),
        values.get("free", False) and not by_themselves,
        walk_up,
        _team(night, values.get("team", "")),
        _blank_free(values.get("partner", "")),
        values.get("stays", False),
    )


def next_player(night: Night) -> PlayerId:
    """An id that no player of this night has ever had, also none whose entry was undone."""
    used = [row.decision.player for row in night.rows if isinstance(row.decision, facts.PlayerEntered)]
    return f"p{max((player_number(player)[1] for player in used), default=0) + 1}"


def correct_entry(night: Night, values: dict[str, Any]) -> facts.EntryCorrected:
    """An entry with what the request changes.

    Raises:
        RuleError: there is no such player.
    """
    known = require_player(night, values["player"])
    return facts.EntryCorrected(
        known.player,
        _blank_free(values.get("name", known.name)),
        _blank_free(values.get("number", known.number)),
        values.get("free", known.free),
        _team(night, values.get("team", known.team)),
        _blank_free(values.get("partner", known.partner)),
        values.get("stays", known.stays),
    )


def _team(night: Night, name: str) -> str:
    """The name of a team, as it was written first."""
    return find_alike(name, night.teams) or _blank_free(name)


def check_in(_: Night, values: dict[str, Any]) -> facts.CheckedIn:
    """One player, or several at once.

    Raises:
        RuleError: nobody is named.
    """
    players = (*([values["player"]] if "player" in values else []), *values.get("players", []))
    if not players:
        raise RuleError("night_nobody_named")
    return facts.CheckedIn(tuple(dict.fromkeys(players)))


def _blank_free(text: str) -> str:
    return " ".join(text.split())


# --- tables, and the end ---


def add_table(night: Night, values: dict[str, Any]) -> facts.TableAdded:
    """A table with the next number as its label, where it has none."""
    labels = {table.label for table in night.tables.values()}
    free = next(str(number) for number in range(1, len(labels) + 2) if str(number) not in labels)
    return facts.TableAdded(values["table"], values.get("label", "").strip() or free, values.get("kind", "board"))


def end_night(night: Night, _: dict[str, Any]) -> facts.NightEnded:
    """The end, with the standings as they are."""
    return facts.NightEnded(final_rows(night))


def final_rows(night: Night) -> tuple[facts.FinalRow, ...]:
    """The standings as rows that are stored."""
    return tuple(
        facts.FinalRow(
            placing.player,
            placing.place,
            placing.totals.points,
            placing.totals.won,
            placing.totals.losses,
            placing.totals.skunks,
            placing.totals.plus,
            placing.totals.minus,
        )
        for placing in report(night).placings
    )
