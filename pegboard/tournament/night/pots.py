"""Pots (side pools, prizes, jackpots) of an event: decisions about entries, hits and payouts; totals, carry-over."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Annotated, Any

from pegboard.errors import Already, RuleError
from pegboard.messages import Message
from pegboard.tournament.ids import PlayerId
from pegboard.tournament.night import facts, request_fields
from pegboard.tournament.night.deciding import CUT, RESULTS, Choosing, Request, decision
from pegboard.tournament.night.night_report import ranking_of, report
from pegboard.tournament.night.night_state import Night, NightPot, require_player
from pegboard.tournament.night.play_offs import MAIN, require_results
from pegboard.tournament.playoffs.qualifying import Cut
from pegboard.tournament.pots.money import Cents
from pegboard.tournament.pots.payouts import EntryShare, Payout, Pot, PotEntry, PotHit, hits_of_cut, pay_out
from pegboard.tournament.pots.pot_rules import (
    POT_RULES,
    FeeFor,
    HitKind,
    PotRule,
    pot_rule,
    pot_rule_as_json,
    pot_rule_from_json,
    prize_scale,
)

# --- pots by their ids ---


def require_pot(night: Night, name: str) -> NightPot:
    """The pot with this id.

    Raises:
        RuleError: the pot does not exist.
    """
    pot = night.pots.get(name)
    if pot is None:
        raise RuleError("night_no_pot", pot=name)
    return pot


def require_open_pot(night: Night, name: str) -> NightPot:
    """The unpaid pot with this id.

    Raises:
        RuleError: the pot does not exist, or it is paid.
    """
    pot = require_pot(night, name)
    if pot.paid is not None:
        raise RuleError("night_pot_paid", pot=pot_name(pot))
    return pot


def require_pot_to_pay(night: Night, name: str) -> NightPot:
    """The pot with this id, if it can be paid out.

    Raises:
        RuleError: the pot does not exist.
        Already: the pot is paid.
    """
    pot = require_pot(night, name)
    if pot.paid is not None:
        raise Already("night_pot_paid", pot=pot_name(pot))
    return pot


def pot_name(pot: NightPot) -> str:
    """A pot's display name."""
    return pot.opened.name or pot.opened.pot


OF_THE_CUT = (HitKind.QUALIFIED, HitKind.HIGH_NON_QUALIFIER)
"""Hits derived from the cutoff; skunks are counted from the games, and all others are noted by the director."""


def payout_of(night: Night, state: NightPot) -> Payout:
    """The payout if a pot were paid now.

    Raises:
        RuleError: the winners are not known yet: qualifying or, for prizes, a game or the bracket is still open.
    """
    rule = rule_of_pot(state)
    if rule.scale:
        return pay_out(pot_of(night, state), find_prize_places(night))
    if night.cut is None and any(kind in OF_THE_CUT for kind in _kinds(rule)):
        raise RuleError("night_cut_first")
    pot = pot_of(night, state)
    places = {placing.player: placing.place for placing in report(night).placings}
    return pay_out(replace(pot, hits=(*pot.hits, *_hits_of_cut(night, pot))), places)


def find_prize_places(night: Night) -> dict[PlayerId, int]:
    """Places for prizes: first by progress in the bracket, then by the standings.

    Players who lose in the same bracket round share a place.

    Raises:
        RuleError: a game has no result yet, or the bracket has no winner.
    """
    derived = report(night)
    require_results(night, derived)
    standings = {placing.player: placing.place for placing in derived.placings}
    main = night.brackets.get(MAIN)
    if main is None:
        return standings
    if main.bracket.winner is None:
        raise RuleError("night_pot_bracket_open")
    found = {player: place.first for place in main.bracket.places for player in place.players}
    return {player: len(found) + place for player, place in standings.items()} | found


def _hits_of_cut(night: Night, pot: Pot) -> Iterator[PotHit]:
    for kind in OF_THE_CUT:
        if kind in _kinds(pot.rule) and night.cut is not None:
            yield from hits_of_cut(_closed_cut(night, night.cut), kind, pot.entries)


def _closed_cut(night: Night, closed: facts.CutClosed) -> Cut:
    """The cutoff as it was closed: its qualifiers, followed by the other players by place."""
    groups = ranking_of(night, report(night).placings)
    others = (tuple(player for player in group if player not in closed.qualifiers) for group in groups)
    ranking = (*((player,) for player in closed.qualifiers), *(group for group in others if group))
    return Cut(ranking, len(closed.qualifiers))


def carried_out_by_kind(night: Night) -> dict[str, Cents]:
    """Cents that the pots of an event carry over to the next one, by kind; unpaid pots count 0."""
    return _sum_by_kind(night, lambda state: state.paid.carried if state.paid else 0)


def carried_in_by_kind(night: Night) -> dict[str, Cents]:
    """Cents carried over into the pots of an event from earlier ones, by kind."""
    return _sum_by_kind(night, lambda state: state.opened.carried)


def _sum_by_kind(night: Night, cents_of: Callable[[NightPot], Cents]) -> dict[str, Cents]:
    found: dict[str, Cents] = {}
    for state in night.pots.values():
        name = rule_of_pot(state).name
        found[name] = found.get(name, 0) + cents_of(state)
    return found


def rule_of_pot(state: NightPot) -> PotRule:
    """A pot's row of `POT_RULES`, as it was when the pot was opened."""
    return pot_rule_from_json(state.opened.rule)


def notable_kinds(rule: PotRule) -> tuple[str, ...]:
    """Kinds of hits that a director can note for a pot."""
    return tuple(str(kind) for kind in _kinds(rule) if kind not in (*OF_THE_CUT, HitKind.SKUNK))


def _kinds(rule: PotRule) -> tuple[HitKind, ...]:
    return tuple(dict.fromkeys(kind for tier in rule.tiers for kind in tier.kinds))


def _share(entry: facts.PotEntered) -> EntryShare:
    return EntryShare.HALF if entry.half else EntryShare.FULL


def pot_of(night: Night, state: NightPot) -> Pot:
    """A pot with its entries and all hits so far, including skunks from the games."""
    rule = rule_of_pot(state)
    entries = tuple(PotEntry(entry.player, _share(entry)) for entry in state.entries)
    hits = [PotHit(hit.player, HitKind(hit.kind), hit.count) for hit in state.hits if hit.kind in set(HitKind)]
    won, lost = count_skunks(night)
    if HitKind.SKUNK in _kinds(rule):
        hits += [PotHit(player, HitKind.SKUNK, count) for player, count in won.items()]
    opened, pool = state.opened, fees_of_entry(night) if rule.fee_for is FeeFor.NIGHT else 0
    return Pot(opened.pot, rule, opened.fee, entries, tuple(hits), tuple(lost.items()), opened.carried, pool)


def total_of(night: Night, state: NightPot) -> Cents:
    """A pot's total in cents; for a paid pot, the total when it was paid."""
    paid = state.paid
    if paid is None:
        return pot_of(night, state).total
    return sum(share.cents for share in (*paid.shares, *paid.refunds)) + paid.house + paid.carried


def fees_of_entry(night: Night) -> Cents:
    """Entry fees due from everyone who has come, paid or not, in cents."""
    return night.rules.fee * sum(one.came and not one.free for one in night.players.values())


@lru_cache(maxsize=8)
def count_skunks(night: Night) -> tuple[Mapping[PlayerId, int], Mapping[PlayerId, int]]:
    """Each player's games won by a skunk, and lost by one."""
    won: dict[PlayerId, int] = {}
    lost: dict[PlayerId, int] = {}
    for record in report(night).records.values():
        for player, value in zip(record.pairing.players, record.values, strict=True):
            if value is not None and night.rules.points.skunks(abs(value.net)):
                counts = won if value.won else lost
                counts[player] = counts.get(player, 0) + 1
    return won, lost


# --- decisions ---


PotRef = Annotated[str, request_fields.text("the id of a pot", least=1, most=24)]


def _others(pot: NightPot, player: str) -> tuple[facts.PotEntered, ...]:
    return tuple(entry for entry in pot.entries if entry.player != player)


def _change_pot(night: Night, name: str, change: Callable[[NightPot], NightPot]) -> Night:
    pot = night.pots.get(name)
    return night if pot is None else replace(night, pots={**night.pots, name: change(pot)})


def _pot_topics(fact: Any) -> Iterable[str]:
    return (f"pot {fact.pot}",)


def _say_pot(key: str) -> Any:
    return staticmethod(
        lambda night, fact: Message(key, name=night.name(fact.player), pot=_name_in_log(night, fact.pot))
    )


def _name_in_log(night: Night, pot: str) -> str:
    known = night.pots.get(pot)
    return (known.opened.name if known else "") or pot


@decision("open_pot", facts.PotOpened, example={"kind": "q_pool", "fee": 500})
class OpenPot(Request):
    """Open a pot with the current rules of its kind; its id is the kind, with a number from the second pot on."""

    kind: Annotated[str, request_fields.word("the kind of the pot", tuple(POT_RULES))]
    name: Annotated[str, request_fields.text("the pot's name")] = ""
    fee: Annotated[int, request_fields.cents("the price of a share")] = 0
    carried: Annotated[int, request_fields.cents("the amount carried over")] = 0
    house_percent: Annotated[int, request_fields.number("the house's percentage", 0, 100)] = 0
    scale: Annotated[str, request_fields.text("prizes by place in percent, such as 50-30-20")] | None = None

    def choose(self, night: Night, _: Choosing) -> facts.PotOpened:
        """The pot's id and rules.

        Raises:
            RuleError: there is no such kind, a scale is given for a kind without prizes, a fee is given for prizes paid
                from entry fees, or the entry fees are already in another pot.
        """
        rule = replace(pot_rule(self.kind), house_percent=self.house_percent)
        if self.scale is not None:
            if not rule.scale:
                raise RuleError("night_pot_no_scale")
            rule = replace(rule, scale=prize_scale(self.scale))
        if rule.fee_for is FeeFor.NIGHT and self.fee:
            raise RuleError("night_pot_no_fee")
        if rule.fee_for is FeeFor.NIGHT and any(
            rule_of_pot(pot).fee_for is FeeFor.NIGHT for pot in night.pots.values()
        ):
            raise RuleError("night_pot_prizes_there")
        numbered = (rule.name, *(f"{rule.name}-{number}" for number in range(2, len(night.pots) + 2)))
        pot = next(name for name in numbered if name not in night.pots)
        return facts.PotOpened(pot, pot_rule_as_json(rule), self.name.strip(), self.fee, self.carried)

    @staticmethod
    def check(night: Night, fact: facts.PotOpened) -> None:
        """Refuse an id that is in use."""
        if fact.pot in night.pots:
            raise Already("night_pot_there", pot=fact.pot)

    @staticmethod
    def apply(night: Night, fact: facts.PotOpened, _: int) -> Night:
        """The event with the pot."""
        return replace(night, pots={**night.pots, fact.pot: NightPot(fact)})

    @staticmethod
    def say(_: Night, fact: facts.PotOpened) -> Message:
        """A sentence with the name of the pot."""
        return Message("night_did_open_pot", pot=fact.name or fact.pot)


@decision("enter_pot", facts.PotEntered, about="pot", example={"pot": "q_pool", "player": "p3"})
class EnterPot(Request):
    """Add a player to a pot."""

    pot: PotRef
    player: request_fields.PlayerRef
    half: Annotated[bool, request_fields.flag("the player has half a share")] = False

    changes = staticmethod(_pot_topics)
    say = _say_pot("night_did_enter_pot")

    def choose(self, night: Night, _: Choosing) -> facts.PotEntered:
        """The entry.

        Raises:
            RuleError: there is no such pot, everyone plays for it, or half its fee is not a whole number of cents.
        """
        fact = facts.PotEntered(self.pot, self.player, self.half)
        state = require_open_pot(night, fact.pot)
        if rule_of_pot(state).fee_for is FeeFor.NIGHT:
            raise RuleError("night_pot_for_all", pot=pot_name(state))
        pot_of(night, replace(state, entries=_others(state, fact.player))).with_entry(fact.player, _share(fact))
        return fact

    @staticmethod
    def check(night: Night, fact: facts.PotEntered) -> None:
        """Refuse an unknown player, a paid pot, and the same entry."""
        known, pot = require_player(night, fact.player), require_open_pot(night, fact.pot)
        if fact in pot.entries:
            raise Already("night_pot_in", name=known.display_name, pot=pot_name(pot))

    @staticmethod
    def apply(night: Night, fact: facts.PotEntered, _: int) -> Night:
        """The pot with this entry in place of the player's earlier entry."""
        return _change_pot(night, fact.pot, lambda pot: replace(pot, entries=(*_others(pot, fact.player), fact)))


@decision("leave_pot", facts.PotLeft, about="pot", example={"pot": "q_pool", "player": "p3"})
class LeavePot(Request):
    """Remove a player from a pot."""

    pot: PotRef
    player: request_fields.PlayerRef

    changes = staticmethod(_pot_topics)
    say = _say_pot("night_did_leave_pot")

    @staticmethod
    def check(night: Night, fact: facts.PotLeft) -> None:
        """Refuse an unknown player, a paid pot, and a player who is not in the pot."""
        known, pot = require_player(night, fact.player), require_open_pot(night, fact.pot)
        if all(entry.player != fact.player for entry in pot.entries):
            raise Already("night_pot_not_in", name=known.display_name, pot=pot_name(pot))

    @staticmethod
    def apply(night: Night, fact: facts.PotLeft, _: int) -> Night:
        """The pot without the player's entry."""
        return _change_pot(night, fact.pot, lambda pot: replace(pot, entries=_others(pot, fact.player)))


@decision("pot_hit", facts.PotHitNoted, about="pot", needs_base=True, example={"pot": "hand_24", "player": "p3"})
class NoteHit(Request):
    """Record a player's hits; the kind is optional if the pot has only one."""

    pot: PotRef
    player: request_fields.PlayerRef
    kind: Annotated[str, request_fields.text("the kind of hit", most=24)] = ""
    count: Annotated[int, request_fields.number("the number of hits", 1, 100)] = 1

    say = _say_pot("night_did_pot_hit")

    def topics(self) -> Iterable[str]:
        """The player's hits in the pot."""
        return (f"hits {self.pot} {self.player}",)

    def choose(self, night: Night, _: Choosing) -> facts.PotHitNoted:
        """The hits with their kind.

        Raises:
            RuleError: there is no such pot, or it does not pay for this kind of hits.
        """
        kinds = notable_kinds(rule_of_pot(require_open_pot(night, self.pot)))
        kind = self.kind or (kinds[0] if len(kinds) == 1 else "")
        if kind not in kinds:
            raise RuleError("night_pot_kind", kinds=", ".join(kinds) or "-")
        return facts.PotHitNoted(self.pot, self.player, kind, self.count)

    @staticmethod
    def check(night: Night, fact: facts.PotHitNoted) -> None:
        """Refuse an unknown player, a paid pot, and a player who is not in the pot."""
        known, pot = require_player(night, fact.player), require_open_pot(night, fact.pot)
        if all(entry.player != fact.player for entry in pot.entries):
            raise RuleError("night_pot_not_in", name=known.display_name, pot=pot_name(pot))

    @staticmethod
    def apply(night: Night, fact: facts.PotHitNoted, _: int) -> Night:
        """The pot with the hits."""
        return _change_pot(night, fact.pot, lambda pot: replace(pot, hits=(*pot.hits, fact)))

    @staticmethod
    def changes(fact: facts.PotHitNoted) -> Iterable[str]:
        """The pot, and the player's hits in it."""
        return (*_pot_topics(fact), f"hits {fact.pot} {fact.player}")


@decision("pay_pot", facts.PotPaid, about="pot", needs_base=True, after_end=True, example={"pot": "q_pool"})
class PayPot(Request):
    """Pay out a pot."""

    pot: PotRef

    changes = staticmethod(_pot_topics)

    def topics(self) -> Iterable[str]:
        """Everything that decides who wins the pot."""
        return (RESULTS, CUT, f"pot {self.pot}")

    def choose(self, night: Night, _: Choosing) -> facts.PotPaid:
        """The shares, refunds and remainders, if the pot is paid now.

        Raises:
            RuleError: there is no such pot, or its winners are not known yet; `Already` if the pot is paid.
        """
        state = require_pot_to_pay(night, self.pot)
        payout = payout_of(night, state)
        shares = tuple(facts.PotShare(share.player, share.cents) for share in payout.shares)
        refunds = tuple(facts.PotShare(share.player, share.cents) for share in payout.refunds)
        return facts.PotPaid(state.opened.pot, shares, refunds, payout.house, payout.carried)

    @staticmethod
    def check(night: Night, fact: facts.PotPaid) -> None:
        """Refuse an unknown or a paid pot."""
        require_pot_to_pay(night, fact.pot)

    @staticmethod
    def apply(night: Night, fact: facts.PotPaid, _: int) -> Night:
        """The paid pot."""
        return _change_pot(night, fact.pot, lambda pot: replace(pot, paid=fact))

    @staticmethod
    def say(night: Night, fact: facts.PotPaid) -> Message:
        """A sentence with the name of the pot."""
        return Message("night_did_pay_pot", pot=_name_in_log(night, fact.pot))
