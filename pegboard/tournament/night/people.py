"""Roster, registration, fees and rules of an event: state changes, limits, and requests completed into facts.

Also normalizes names for comparison, labels new tables and builds the final standings.
"""

import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, replace
from functools import lru_cache
from typing import Any

from pegboard.errors import Already, RuleError
from pegboard.messages import Message
from pegboard.tournament.ids import PlayerId
from pegboard.tournament.night import facts
from pegboard.tournament.night.night_report import report
from pegboard.tournament.night.night_state import Night, Participant, Presence, require_player
from pegboard.tournament.night.play_offs import mark_back, mark_gone
from pegboard.tournament.pairings import join_pair, player_number
from pegboard.tournament.playoffs.qualifying import read_cut_rule
from pegboard.tournament.playoffs.seeding import check_best_of
from pegboard.tournament.pots.money import money
from pegboard.tournament.results.scoring import point_table
from pegboard.tournament.results.standings import tie_break_order

# --- name comparison: case, blanks and variants of a letter make no difference ---


APOSTROPHES = dict.fromkeys(map(ord, "\u2018\u2019\u02bc\u00b4`"), "'")
"""Characters that phones and spreadsheets write for an apostrophe."""


@lru_cache(maxsize=4096)
def look(name: str) -> str:
    """Normalize a name for comparison: no invisible characters, one case (casefold), plain letter forms (NFKC)."""
    seen = "".join(letter for letter in name if unicodedata.category(letter) not in {"Cc", "Cf", "Zl", "Zp"})
    plain = unicodedata.normalize("NFKC", seen.translate(APOSTROPHES))
    return " ".join(plain.casefold().split())


def find_same_name(name: str, others: Iterable[str]) -> str | None:
    """The first of the other names that looks the same as this name; None if none does."""
    mine = look(name)
    return next((other for other in others if look(other) == mine), None)


def _enter(night: Night, fact: facts.PlayerEntered, _: int) -> Night:
    person = Participant(fact.player, fact.name, fact.number, fact.walk_up, fact.late, fact.free)
    person = replace(person, team=fact.team, partner=fact.partner, stays=fact.stays)
    night = _with_player(night, person)
    return _mark_present(night, person) if fact.here else night


def _mark_present(night: Night, person: Participant) -> Night:
    """The event with a player checked in; rounds before that count as missed if they were absent."""
    gone = range(person.left_in if person.came else 1, night.open_round)
    return _with_player(night, replace(person, presence=Presence.HERE, missed=(*person.missed, *gone), came=True))


def _correct_entry(night: Night, fact: facts.EntryCorrected, _: int) -> Night:
    own = {"team": fact.team, "partner": fact.partner, "free": fact.free, "stays": fact.stays}
    return _change_player(night, fact.player, name=fact.name, number=fact.number, **own)


def _check_in(night: Night, fact: facts.CheckedIn, _: int) -> Night:
    for player in fact.players:
        if player in night.players and not night.is_here(player):
            night = _mark_present(night, night.players[player])
    return night


def _leave(night: Night, fact: facts.PlayerLeft, _: int) -> Night:
    left = _change_player(night, fact.player, presence=Presence.LEFT, left_in=night.open_round)
    return mark_gone(left, fact.player)


def _come_back(night: Night, fact: facts.PlayerReturned, _: int) -> Night:
    if fact.player not in night.players:
        return night
    return mark_back(_mark_present(night, night.players[fact.player]), fact.player)


def _close_registration(night: Night, _fact: facts.RegistrationClosed, _: int) -> Night:
    return replace(night, registration_open=False)


def _open_registration(night: Night, _fact: facts.RegistrationOpened, _: int) -> Night:
    return replace(night, registration_open=True)


def _pay_fee(night: Night, fact: facts.FeePaid, _: int) -> Night:
    paid = night.payments.get(fact.player, 0) + fact.cents
    return replace(night, payments={**night.payments, fact.player: paid})


def _with_player(night: Night, player: Participant) -> Night:
    return replace(night, players={**night.players, player.player: player})


def _change_player(night: Night, player: str, **values: Any) -> Night:
    known = night.players.get(player)
    return night if known is None else _with_player(night, replace(known, **values))


MAX_PAIR_LENGTH = 61
"""Maximum characters of both names of a pair: joined, they just fit a table's limit for a name."""


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
    """Check that no other player or partner has the same name or number; the number is optional."""
    names = [name for name in (fact.name, fact.partner) if name]
    if not fact.name.strip():
        raise RuleError("night_name_blank")
    if fact.partner and find_same_name(fact.partner, [fact.name]):
        raise RuleError("night_name_twice", name=fact.name)
    if fact.partner and sum(map(len, names)) > MAX_PAIR_LENGTH:
        raise RuleError("night_pair_long", most=MAX_PAIR_LENGTH, letters=sum(map(len, names)))
    for other in others:
        if any(find_same_name(name, [other.name, other.partner]) for name in names):
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


def _say_payment(night: Night, fact: facts.FeePaid) -> Message:
    key = "night_did_pay_back" if fact.cents < 0 else "night_did_pay"
    return Message(key, name=night.name(fact.player), amount=money(abs(fact.cents)))


DAYS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
"""Maximum days of each month."""


def open_night(_: Night, values: dict[str, Any]) -> facts.NightOpened:
    """Open an event with its rules written out.

    Raises:
        RuleError: the date is invalid, or a rule is unknown.
    """
    rules = read_rules(facts.NightRules(), values.get("rules", {}))
    return facts.NightOpened(_collapse_spaces(values["name"]), _check_day(values["date"]), rules)


def set_rules(night: Night, values: dict[str, Any]) -> facts.NightRulesSet:
    """The rules with the changes of the request.

    Raises:
        RuleError: a rule is unknown.
    """
    return facts.NightRulesSet(read_rules(night.rules, values.get("rules", {})))


def read_rules(rules: facts.NightRules, values: dict[str, Any]) -> facts.NightRules:
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
"""Parsers of rules that are stored in another form than the director enters."""


def _check_day(text: str) -> str:
    """Check a date such as 2026-11-26 and return it unchanged.

    Raises:
        RuleError: it is not a date.
    """
    year, month, day = (*text.split("-"), "", "")[:3]
    right = all(part.isascii() and part.isdecimal() for part in (year, month, day)) and text == f"{year}-{month}-{day}"
    if not (right and len(year) == 4 and 1 <= int(month) <= 12 and 1 <= int(day) <= DAYS[int(month) - 1]):  # noqa: PLR2004
        raise RuleError("night_day", date=repr(text))
    return text


# --- people ---


def enter(night: Night, values: dict[str, Any], *, by_themselves: bool = False) -> facts.PlayerEntered:
    """Add a player with the next free id; walk-ups, and players who sign up by phone, are checked in at once."""
    walk_up = by_themselves or bool(values.get("walk_up", False))
    return facts.PlayerEntered(
        next_player(night),
        _collapse_spaces(values["name"]),
        _collapse_spaces(values.get("number", "")),
        walk_up,
        bool(night.schedule),
        values.get("free", False) and not by_themselves,
        walk_up,
        _team(night, values.get("team", "")),
        _collapse_spaces(values.get("partner", "")),
        values.get("stays", False),
    )


def next_player(night: Night) -> PlayerId:
    """An id never used at this event, not even by an entry that was undone."""
    used = [row.decision.player for row in night.rows if isinstance(row.decision, facts.PlayerEntered)]
    return f"p{max((player_number(player)[1] for player in used), default=0) + 1}"


def correct_entry(night: Night, values: dict[str, Any]) -> facts.EntryCorrected:
    """An entry with the changes of the request.

    Raises:
        RuleError: there is no such player.
    """
    known = require_player(night, values["player"])
    return facts.EntryCorrected(
        known.player,
        _collapse_spaces(values.get("name", known.name)),
        _collapse_spaces(values.get("number", known.number)),
        values.get("free", known.free),
        _team(night, values.get("team", known.team)),
        _collapse_spaces(values.get("partner", known.partner)),
        values.get("stays", known.stays),
    )


def _team(night: Night, name: str) -> str:
    """A team's name, as it was first written."""
    return find_same_name(name, night.teams) or _collapse_spaces(name)


def check_in(_: Night, values: dict[str, Any]) -> facts.CheckedIn:
    """Check in one or several players.

    Raises:
        RuleError: the request names no player.
    """
    players = (*([values["player"]] if "player" in values else []), *values.get("players", []))
    if not players:
        raise RuleError("night_nobody_named")
    return facts.CheckedIn(tuple(dict.fromkeys(players)))


def _collapse_spaces(text: str) -> str:
    return " ".join(text.split())


# --- tables, and the end ---


def add_table(night: Night, values: dict[str, Any]) -> facts.TableAdded:
    """A table; if it has no label, the first free number is its label."""
    labels = {table.label for table in night.tables.values()}
    free = next(str(number) for number in range(1, len(labels) + 2) if str(number) not in labels)
    return facts.TableAdded(values["table"], values.get("label", "").strip() or free, values.get("kind", "board"))


def end_night(night: Night, _: dict[str, Any]) -> facts.NightEnded:
    """End the event with the current standings."""
    return facts.NightEnded(final_rows(night))


def final_rows(night: Night) -> tuple[facts.FinalRow, ...]:
    """The current standings as rows for storage."""
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
