"""Pot payouts (entries, hits, shares, refunds, carry-over, the house's cut), and the fee ledger of an event.

Players join a pot by choice, with a full or a half share. Hits by players outside the pot win nothing.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import groupby

from pegboard.errors import Already, RuleError
from pegboard.messages import Message
from pegboard.tournament.ids import PlayerId
from pegboard.tournament.playoffs.qualifying import Cut
from pegboard.tournament.pots.money import Cents, Division, Portion, RestRule, Share, divide, money, say_rest
from pegboard.tournament.pots.pot_rules import FeeFor, HalfRule, HitKind, PotRule, SharedBy, Tier, Unwon, divide_prizes

FULL, HALF = 2, 1
"""Weights of shares."""


class EntryShare(StrEnum):
    """The size of a player's share."""

    FULL = "full"
    HALF = "half"


@dataclass(frozen=True, slots=True)
class PotEntry:
    """A player who is in a pot: a stored row."""

    player: PlayerId
    share: EntryShare = EntryShare.FULL

    @property
    def weight(self) -> int:
        """The size of the share in halves."""
        return HALF if self.share is EntryShare.HALF else FULL


@dataclass(frozen=True, slots=True)
class PotHit:
    """A hit of a player, `count` times: a stored row, or derived from score sheets or the cutoff."""

    player: PlayerId
    kind: HitKind
    count: int = 1


@dataclass(frozen=True, slots=True)
class Pot:
    """The stored rows of a pot.

    Attributes:
        id: the pot's id, assigned by the event.
        rule: the pot's rules.
        fee: cents for a full share, or for each game lost by a skunk.
        entries: the players in the pot, with their shares.
        hits: hits by any player.
        skunked: games lost by a skunk, by players in a pot that charges for them.
        carried: cents carried over from earlier events.
        pool: cents from the event's entry fees, if they go into the pot.
    """

    id: str
    rule: PotRule
    fee: Cents
    entries: tuple[PotEntry, ...] = ()
    hits: tuple[PotHit, ...] = ()
    skunked: tuple[tuple[PlayerId, int], ...] = ()
    carried: Cents = 0
    pool: Cents = 0

    def with_entry(self, player: PlayerId, share: EntryShare = EntryShare.FULL) -> "Pot":
        """Add a player to the pot.

        Raises:
            Already: the player is already in the pot.
            RuleError: half the fee is not a whole number of cents.
        """
        if any(entry.player == player for entry in self.entries):
            raise Already("pots_entered")
        if share is EntryShare.HALF and self.fee % 2:
            raise RuleError("pots_no_half", fee=money(self.fee))
        return replace(self, entries=(*self.entries, PotEntry(player, share)))

    @property
    def dues(self) -> Mapping[PlayerId, Cents]:
        """The cents that each player in the pot must pay into it."""
        times = dict.fromkeys((entry.player for entry in self.entries), int(self.rule.fee_for is FeeFor.ENTRY))
        if self.rule.fee_for is FeeFor.SKUNKED:
            times = {player: sum(count for one, count in self.skunked if one == player) for player in times}
        return {entry.player: times[entry.player] * self.fee * entry.weight // FULL for entry in self.entries}

    @property
    def total(self) -> Cents:
        """Cents in the pot: dues, the pool of entry fees, and cents carried over from earlier events."""
        return sum(self.dues.values()) + self.pool + self.carried


@dataclass(frozen=True, slots=True)
class Payout:
    """The payout of a pot; its parts add up to the total.

    Attributes:
        total: cents in the pot.
        shares: the winners' shares.
        refunds: cents paid back because nobody won.
        carried: cents carried over to the pot of the next event.
        house: cents for the house.
        sentences: sentences about money that nobody won or that could not be divided.
    """

    total: Cents
    shares: tuple[Share, ...] = ()
    refunds: tuple[Share, ...] = ()
    carried: Cents = 0
    house: Cents = 0
    sentences: tuple[Message, ...] = ()


def pay_out(pot: Pot, places: Mapping[PlayerId, int] | None = None) -> Payout:
    """The payout of a pot by its rules.

    Args:
        pot: the pot, with all hits.
        places: the players' places in the standings, shared if they tie; leftover cents go by place if the rule
            says so, and prizes always go by place, whether or not the player is in the pot.
    """
    if pot.rule.scale:
        return _pay_prizes(pot, places or {})
    inside = {entry.player for entry in pot.entries}
    hits = [hit for hit in pot.hits if hit.player in inside and hit.count > 0]
    start = Payout(pot.total)
    for tier in pot.rule.tiers:
        counts = _count_hits(hits, tier)
        if counts:
            return _pay_winners(pot, start, tier, _winners(counts, pot.rule.shared_by), places or {})
    return _settle_unwon(pot, start)


def _pay_prizes(pot: Pot, places: Mapping[PlayerId, int]) -> Payout:
    rule = pot.rule
    house = (pot.total - pot.carried) * rule.house_percent // 100
    by_place = sorted(places, key=places.__getitem__)
    ranking = tuple(tuple(group) for _, group in groupby(by_place, places.__getitem__))
    if not ranking:
        return _settle_unwon(pot, Payout(pot.total))
    division = divide_prizes(pot.total - house, rule.scale, ranking, rule.rest, rule.unit)
    return _with_shares(Payout(pot.total), division, house)


def _count_hits(hits: Iterable[PotHit], tier: Tier) -> dict[PlayerId, int]:
    counts: defaultdict[PlayerId, int] = defaultdict(int)
    for hit in hits:
        if hit.kind in tier.kinds:
            counts[hit.player] += hit.count
    return dict(counts)


def _winners(counts: Mapping[PlayerId, int], shared_by: SharedBy) -> dict[PlayerId, int]:
    """Number of shares by winner."""
    if shared_by is SharedBy.HIT:
        return dict(counts)
    most = max(counts.values())
    return {player: 1 for player, count in counts.items() if shared_by is SharedBy.PLAYER or count == most}


def _pay_winners(
    pot: Pot, start: Payout, tier: Tier, winners: Mapping[PlayerId, int], places: Mapping[PlayerId, int]
) -> Payout:
    rule, weights = pot.rule, {entry.player: entry.weight for entry in pot.entries}
    house = (start.total - pot.carried) * rule.house_percent // 100
    part = (start.total - house) * tier.numerator // tier.denominator
    portions = [Portion(one, count * weights[one], places.get(one, 0)) for one, count in winners.items()]
    if rule.halves is HalfRule.STRICT:
        missing = sum(count * (FULL - weights[one]) for one, count in winners.items())
        part -= part * missing // (FULL * sum(winners.values()))
    division = divide(part, portions, rule.rest, rule.unit)
    return _place_unwon(pot, _with_shares(start, division, house), start.total - house - part)


def _with_shares(start: Payout, division: Division, house: Cents) -> Payout:
    """The payout of a division; indivisible cents go where its rule says."""
    carried = division.rest if division.rule is RestRule.CARRY else 0
    said = _sentences(say_rest(division))
    return replace(
        start, shares=division.shares, house=house + division.rest - carried, carried=carried, sentences=said
    )


def _settle_unwon(pot: Pot, start: Payout) -> Payout:
    if pot.rule.unwon is Unwon.REFUND:
        refunds = tuple(Share(player, cents) for player, cents in pot.dues.items() if cents)
        said = _sentences(Message("pots_refunded", total=money(start.total - pot.carried)) if refunds else None)
        return _place_unwon(pot, replace(start, refunds=refunds, sentences=said), pot.carried)
    house = (start.total - pot.carried) * pot.rule.house_percent // 100
    return _place_unwon(pot, replace(start, house=house), start.total - house)


def _place_unwon(pot: Pot, paid: Payout, cents: Cents) -> Payout:
    """The payout with unwon money added: to the house if the rule says so, else carried to the next event."""
    if not cents:
        return paid
    if pot.rule.unwon is Unwon.HOUSE:
        said = Message("pots_to_the_house", cents=money(cents))
        return replace(paid, house=paid.house + cents, sentences=(*paid.sentences, said))
    said = Message("pots_carried", cents=money(cents))
    return replace(paid, carried=paid.carried + cents, sentences=(*paid.sentences, said))


def _sentences(said: Message | None) -> tuple[Message, ...]:
    return () if said is None else (said,)


# --- hits derived from the standings ---


def hits_of_cut(cut: Cut, kind: HitKind, entries: Sequence[PotEntry]) -> tuple[PotHit, ...]:
    """Hits of the players in a pot who qualified, or of its highest player who did not; several if they tie.

    Raises:
        RuleError: a player in the pot is part of an undecided tie at the cutoff.
    """
    inside = {entry.player for entry in entries}
    if cut.tie is not None and inside.intersection(cut.tie.players):
        raise RuleError("pots_cut_tied")
    if kind is HitKind.QUALIFIED:
        return tuple(PotHit(entry.player, kind) for entry in entries if entry.player in cut.qualifiers)
    below = [[one for one in group if one in inside and one not in cut.qualifiers] for group in cut.ranking]
    return tuple(PotHit(player, kind) for player in next(filter(None, below), []))


# --- the fee ledger of an event: dues, payments, debts and the cash box ---


class FeeKind(StrEnum):
    """Direction of a payment: in from a player, refunded to a player, or out as a prize or a share of a pot."""

    PAID = "paid"
    PAID_BACK = "paid_back"
    PRIZE = "prize"


@dataclass(frozen=True, slots=True)
class FeeRow:
    """A payment in one direction: a stored row; cents are more than 0."""

    player: PlayerId
    kind: FeeKind
    cents: Cents


@dataclass(frozen=True, slots=True)
class Account:
    """One player's fees, in cents.

    Attributes:
        player: the account's owner.
        free: whether the player pays no entry fee; pots cost everyone the same.
        due: cents to pay for this event.
        paid: cents paid, minus refunds.
        owed: cents still to pay.
        credit: cents overpaid.
        won: cents of prizes and pot shares handed out.
    """

    player: PlayerId
    free: bool
    due: Cents
    paid: Cents
    owed: Cents
    credit: Cents
    won: Cents


@dataclass(frozen=True, slots=True)
class FeeLedger:
    """All accounts of an event, and their sums in cents.

    Attributes:
        accounts: the accounts of all players.
        due: cents due from everyone.
        paid: cents paid by everyone.
        owed: cents still owed by players; overpayments of others do not reduce it.
        in_hand: cents that the cash box must hold, in addition to its starting cash.
    """

    accounts: tuple[Account, ...]
    due: Cents
    paid: Cents
    owed: Cents
    in_hand: Cents


def open_ledger(
    players: Iterable[PlayerId],
    entry_fee: Cents,
    free: Collection[PlayerId],
    pots: Iterable[Pot],
    rows: Iterable[FeeRow],
) -> FeeLedger:
    """The accounts of the players in the order given, followed by those of anyone else with dues or payments.

    Args:
        players: all players who pay to enter.
        entry_fee: the entry fee, in cents.
        free: players who pay no entry fee.
        pots: the pots, with their entries.
        rows: payments in either direction.
    """
    due: defaultdict[PlayerId, Cents] = defaultdict(int)
    for player in players:
        due[player] += 0 if player in free else entry_fee
    for pot in pots:
        for player, cents in pot.dues.items():
            due[player] += cents
    sums: defaultdict[tuple[PlayerId, FeeKind], Cents] = defaultdict(int)
    for row in rows:
        due[row.player] += 0
        sums[row.player, row.kind] += row.cents
    accounts = tuple(_account(player, player in free, cents, sums) for player, cents in due.items())
    return FeeLedger(
        accounts,
        due=sum(account.due for account in accounts),
        paid=sum(account.paid for account in accounts),
        owed=sum(account.owed for account in accounts),
        in_hand=sum(account.paid - account.won for account in accounts),
    )


def _account(player: PlayerId, free: bool, due: Cents, sums: Mapping[tuple[PlayerId, FeeKind], Cents]) -> Account:
    paid = sums.get((player, FeeKind.PAID), 0) - sums.get((player, FeeKind.PAID_BACK), 0)
    won = sums.get((player, FeeKind.PRIZE), 0)
    return Account(player, free, due, paid, owed=max(0, due - paid), credit=max(0, paid - due), won=won)
