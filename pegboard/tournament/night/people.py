"""Decisions about an event's people: roster, check-in, registration, fees; normalization of names for comparison."""

import unicodedata
from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from typing import Annotated, Any

from pegboard.errors import Already, RuleError
from pegboard.messages import Message
from pegboard.tournament.ids import PlayerId
from pegboard.tournament.night import facts, request_fields
from pegboard.tournament.night.deciding import (
    FIELD,
    Choosing,
    Request,
    always,
    decision,
    say_only,
    say_player,
    say_players,
)
from pegboard.tournament.night.night_state import (
    DIRECTOR_AND_PLAYERS,
    Night,
    Participant,
    Presence,
    Role,
    collapse_spaces,
    require_player,
)
from pegboard.tournament.night.play_offs import mark_back, mark_gone
from pegboard.tournament.pairings import join_pair, player_number
from pegboard.tournament.pots.money import money

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


# --- the roster ---


def _with_player(night: Night, player: Participant) -> Night:
    return replace(night, players={**night.players, player.player: player})


def _change_player(night: Night, player: str, **values: Any) -> Night:
    known = night.players.get(player)
    return night if known is None else _with_player(night, replace(known, **values))


def _mark_present(night: Night, person: Participant) -> Night:
    """The event with a player checked in; rounds before that count as missed if they were absent."""
    gone = range(person.left_in if person.came else 1, night.open_round)
    return _with_player(night, replace(person, presence=Presence.HERE, missed=(*person.missed, *gone), came=True))


MAX_PAIR_LENGTH = 61
"""Maximum characters of both names of a pair: joined, they just fit a table's limit for a name."""


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


def _team(night: Night, name: str) -> str:
    """A team's name, as it was first written."""
    return find_same_name(name, night.teams) or collapse_spaces(name)


def next_player(night: Night) -> PlayerId:
    """An id never used at this event, not even by an entry that was undone."""
    used = [row.decision.player for row in night.rows if isinstance(row.decision, facts.PlayerEntered)]
    return f"p{max((player_number(player)[1] for player in used), default=0) + 1}"


# --- entries ---


Number = Annotated[str, request_fields.text("the association number")]

Team = Annotated[str, request_fields.text("the team's name, empty for none", most=40)]

Partner = Annotated[str, request_fields.text("the partner's name, empty for none")]

Free = Annotated[bool, request_fields.flag("the player owes no fee")]

Stays = Annotated[bool, request_fields.flag("the player must stay at one table")]


@decision("enter", facts.PlayerEntered, who=DIRECTOR_AND_PLAYERS, example={"name": "Ann", "number": "MI101"})
class EnterPlayer(Request):
    """Add a player with the next free id; walk-ups, and players who sign up by phone, are checked in at once."""

    name: Annotated[str, request_fields.text("the name", least=1)]
    number: Number = ""
    walk_up: Annotated[bool, request_fields.flag("the player is a walk-up and checks in now")] = False
    free: Free = False
    team: Team = ""
    partner: Partner = ""
    stays: Stays = False

    changes = always(FIELD)

    def choose(self, night: Night, choosing: Choosing) -> facts.PlayerEntered:
        """The entry with its id."""
        by_themselves = choosing.by.role is Role.PLAYER
        walk_up = by_themselves or self.walk_up
        return facts.PlayerEntered(
            next_player(night),
            collapse_spaces(self.name),
            collapse_spaces(self.number),
            walk_up,
            bool(night.schedule),
            self.free and not by_themselves,
            walk_up,
            _team(night, self.team),
            collapse_spaces(self.partner),
            self.stays,
        )

    @staticmethod
    def check(night: Night, fact: facts.PlayerEntered) -> None:
        """Refuse entries while registration is closed, and a name or number already on the roster."""
        if not night.registration_open:
            raise RuleError("night_registration_closed", name=join_pair(fact.name, fact.partner))
        if fact.player in night.players:
            raise RuleError("night_player_known", player=fact.player)
        _check_name(night.players.values(), fact)

    @staticmethod
    def apply(night: Night, fact: facts.PlayerEntered, _: int) -> Night:
        """The event with one more player."""
        person = Participant(fact.player, fact.name, fact.number, fact.walk_up, fact.late, fact.free)
        person = replace(person, team=fact.team, partner=fact.partner, stays=fact.stays)
        night = _with_player(night, person)
        return _mark_present(night, person) if fact.here else night

    @staticmethod
    def say(_: Night, fact: facts.PlayerEntered) -> Message:
        """The name, or both names of a pair."""
        return Message("night_did_enter", name=join_pair(fact.name, fact.partner))


@decision("correct_entry", facts.EntryCorrected, about="player", example={"player": "p2", "name": "Bob"})
class CorrectEntry(Request):
    """Change a player's entry; fields that are left out stay unchanged."""

    player: request_fields.PlayerRef
    name: Annotated[str, request_fields.text("the correct name", least=1)] | None = None
    number: Number | None = None
    free: Free | None = None
    team: Team | None = None
    partner: Partner | None = None
    stays: Stays | None = None

    def choose(self, night: Night, _: Choosing) -> facts.EntryCorrected:
        """The whole entry with the changes.

        Raises:
            RuleError: there is no such player.
        """
        known = require_player(night, self.player)
        return facts.EntryCorrected(
            known.player,
            collapse_spaces(known.name if self.name is None else self.name),
            collapse_spaces(known.number if self.number is None else self.number),
            known.free if self.free is None else self.free,
            _team(night, known.team if self.team is None else self.team),
            collapse_spaces(known.partner if self.partner is None else self.partner),
            known.stays if self.stays is None else self.stays,
        )

    @staticmethod
    def check(night: Night, fact: facts.EntryCorrected) -> None:
        """Refuse the same entry, and another player's name or number."""
        known = require_player(night, fact.player)
        same = (known.name, known.number, known.free, known.team, known.partner, known.stays)
        if (fact.name, fact.number, fact.free, fact.team, fact.partner, fact.stays) == same:
            raise Already("night_entry_same", name=known.display_name)
        _check_name((one for one in night.players.values() if one is not known), fact)

    @staticmethod
    def apply(night: Night, fact: facts.EntryCorrected, _: int) -> Night:
        """The event with the corrected entry."""
        own = {"team": fact.team, "partner": fact.partner, "free": fact.free, "stays": fact.stays}
        return _change_player(night, fact.player, name=fact.name, number=fact.number, **own)

    @staticmethod
    def say(_: Night, fact: facts.EntryCorrected) -> Message:
        """The name, or both names of a pair."""
        return Message("night_did_correct", name=join_pair(fact.name, fact.partner))


# --- check-in, leaving, coming back ---


@decision("check_in", facts.CheckedIn, who=DIRECTOR_AND_PLAYERS, about="player", example={"player": "p2"})
class CheckIn(Request):
    """Check in one or several players."""

    player: request_fields.PlayerRef | None = None
    players: Annotated[tuple[request_fields.PlayerRef, ...], request_fields.several("a list of players", least=1)] = ()

    changes = always(FIELD)
    say = say_players("night_did_check_in", lambda fact: fact.players)

    def choose(self, _night: Night, _: Choosing) -> facts.CheckedIn:
        """The players, each once.

        Raises:
            RuleError: the request names no player.
        """
        players = (*([self.player] if self.player is not None else []), *self.players)
        if not players:
            raise RuleError("night_nobody_named")
        return facts.CheckedIn(tuple(dict.fromkeys(players)))

    @staticmethod
    def check(night: Night, fact: facts.CheckedIn) -> None:
        """Refuse players who have left, and a list of players who are all checked in."""
        players = [require_player(night, player) for player in fact.players]
        left = [one for one in players if one.presence is Presence.LEFT]
        if left:
            raise RuleError("night_has_left", name=left[0].display_name)
        if all(one.presence is Presence.HERE for one in players):
            if len(players) != 1:
                raise Already("night_all_here")
            raise Already("night_is_here", name=players[0].display_name)

    @staticmethod
    def apply(night: Night, fact: facts.CheckedIn, _: int) -> Night:
        """The event with these players checked in."""
        for player in fact.players:
            if player in night.players and not night.is_here(player):
                night = _mark_present(night, night.players[player])
        return night


@decision("leave", facts.PlayerLeft, about="player", example={"player": "p2"})
class Leave(Request):
    """Mark a player as left."""

    player: request_fields.PlayerRef

    changes = always(FIELD)
    say = say_player("night_did_leave")

    @staticmethod
    def check(night: Night, fact: facts.PlayerLeft) -> None:
        """Refuse a player who has left."""
        known = require_player(night, fact.player)
        if known.presence is Presence.LEFT:
            raise Already("night_gone_already", name=known.display_name)

    @staticmethod
    def apply(night: Night, fact: facts.PlayerLeft, _: int) -> Night:
        """The event without the player, from the next round on; opponents in brackets advance."""
        left = _change_player(night, fact.player, presence=Presence.LEFT, left_in=night.open_round)
        return mark_gone(left, fact.player)


@decision("come_back", facts.PlayerReturned, about="player", example={"player": "p2"})
class ComeBack(Request):
    """Mark a player as back."""

    player: request_fields.PlayerRef

    changes = always(FIELD)
    say = say_player("night_did_come_back")

    @staticmethod
    def check(night: Night, fact: facts.PlayerReturned) -> None:
        """Refuse a player who has not left."""
        known = require_player(night, fact.player)
        if known.presence is not Presence.LEFT:
            raise Already("night_not_gone", name=known.display_name)

    @staticmethod
    def apply(night: Night, fact: facts.PlayerReturned, _: int) -> Night:
        """The event with the player, in brackets too."""
        if fact.player not in night.players:
            return night
        return mark_back(_mark_present(night, night.players[fact.player]), fact.player)


# --- registration ---


@decision("close_registration", facts.RegistrationClosed)
class CloseRegistration(Request):
    """Close registration."""

    say = say_only("night_did_close_registration")

    @staticmethod
    def check(night: Night, _: facts.RegistrationClosed) -> None:
        """Refuse if registration is already closed."""
        if not night.registration_open:
            raise Already("night_registration_closed_already")

    @staticmethod
    def apply(night: Night, _fact: facts.RegistrationClosed, _: int) -> Night:
        """The event with registration closed."""
        return replace(night, registration_open=False)


@decision("open_registration", facts.RegistrationOpened)
class OpenRegistration(Request):
    """Reopen registration."""

    say = say_only("night_did_open_registration")

    @staticmethod
    def check(night: Night, _: facts.RegistrationOpened) -> None:
        """Refuse if registration is already open."""
        if night.registration_open:
            raise Already("night_registration_open_already")

    @staticmethod
    def apply(night: Night, _fact: facts.RegistrationOpened, _: int) -> Night:
        """The event with registration open."""
        return replace(night, registration_open=True)


# --- fees ---


@decision(
    "fee_paid",
    facts.FeePaid,
    about="player",
    needs_base=True,
    after_end=True,
    example={"player": "p2", "cents": 1000},
)
class PayFee(Request):
    """Record a player's payment or refund."""

    player: request_fields.PlayerRef
    cents: Annotated[int, request_fields.cents("the payment, negative for a refund,", least=-request_fields.MAX_CENTS)]

    def topics(self) -> Iterable[str]:
        """The player's fee."""
        return (f"fee {self.player}",)

    @staticmethod
    def check(night: Night, fact: facts.FeePaid) -> None:
        """Refuse an amount of 0, and a refund of more than was paid."""
        known = require_player(night, fact.player)
        paid = night.payments.get(fact.player, 0)
        if fact.cents == 0:
            raise RuleError("night_fee_nothing", name=known.display_name)
        if paid + fact.cents < 0:
            raise RuleError("night_fee_back", name=known.display_name, paid=paid)

    @staticmethod
    def apply(night: Night, fact: facts.FeePaid, _: int) -> Night:
        """The event with the payment."""
        paid = night.payments.get(fact.player, 0) + fact.cents
        return replace(night, payments={**night.payments, fact.player: paid})

    @staticmethod
    def changes(fact: facts.FeePaid) -> Iterable[str]:
        """The player's fee."""
        return (f"fee {fact.player}",)

    @staticmethod
    def say(night: Night, fact: facts.FeePaid) -> Message:
        """The player and the amount, paid or refunded."""
        key = "night_did_pay_back" if fact.cents < 0 else "night_did_pay"
        return Message(key, name=night.name(fact.player), amount=money(abs(fact.cents)))
