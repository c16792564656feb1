"""The fee ledger of a night: what each player has to pay, has paid and still owes, and what the cash box holds."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from pegboard.tournament.ids import PlayerId
from pegboard.tournament.pots.pots import Pot
from pegboard.tournament.pots.shares import Cents


class FeeKind(StrEnum):
    """Which way money went: in from a player, back to one who paid too much, or out as a prize or a share of a pot."""

    PAID = "paid"
    PAID_BACK = "paid_back"
    PRIZE = "prize"


@dataclass(frozen=True, slots=True)
class FeeRow:
    """Money that went one way: a stored row; cents are more than 0."""

    player: PlayerId
    kind: FeeKind
    cents: Cents


@dataclass(frozen=True, slots=True)
class Account:
    """One player's fees, in cents.

    Attributes:
        player: whose they are.
        free: whether the player pays no fee of entry; pots cost everybody the same.
        due: to pay tonight.
        paid: without what was paid back.
        owed: still to pay.
        credit: paid too much.
        won: prizes and pots that were handed over.
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
    """All accounts of a night, and their sums in cents.

    Attributes:
        accounts: of everybody.
        due: from everybody.
        paid: by everybody.
        owed: still, by those who owe; what others have paid too much pays nothing of it.
        in_hand: has to be in the cash box, beside what lay there before.
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
    """The accounts of the players, in the order in which they are given; money of others is in accounts after theirs.

    Args:
        players: everybody who has to pay to be there.
        entry_fee: cents.
        free: who pays no fee of entry.
        pots: with their entries.
        rows: money that went one way or the other.
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
