"""Paper cards as they were written: the arithmetic of one card, and the sums over all, each fault in a sentence."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pegboard.messages import Message
from pegboard.tournament.ids import PlayerId
from pegboard.tournament.pairings import Pairing
from pegboard.tournament.results.claims import NOBODY, Claim, Column, Names, name_of
from pegboard.tournament.results.scoring import PointTable


@dataclass(frozen=True, slots=True)
class WrittenTotals:
    """The totals at the foot of a paper card.

    Attributes:
        points: game points.
        won: games won.
        plus: the sum of the plus column.
        minus: the sum of the minus column.
        net: plus less minus.
    """

    points: int
    won: int
    plus: int
    minus: int
    net: int


@dataclass(frozen=True, slots=True)
class WrittenScoreCard:
    """A paper card.

    Attributes:
        player: whose it is.
        claims: what it says of each game.
        totals: at its foot; None where nobody has added up.
    """

    player: PlayerId
    claims: Mapping[Pairing, Claim]
    totals: WrittenTotals | None = None


def add_up_claims(card: WrittenScoreCard, table: PointTable) -> WrittenTotals:
    """What the totals of a card are, of the games as they were written, each spread in the column that it stands in."""
    plus = _sum_column(card, Column.PLUS)
    minus = _sum_column(card, Column.MINUS)
    points = sum(_points(pairing, claim, table) for pairing, claim in card.claims.items())
    return WrittenTotals(points, sum(claim.won for claim in card.claims.values()), plus, minus, plus - minus)


def _sum_column(card: WrittenScoreCard, column: Column) -> int:
    return sum(claim.margin or 0 for claim in card.claims.values() if claim.spread_column == column)


def _points(pairing: Pairing, claim: Claim, table: PointTable) -> int:
    return _worth(pairing, claim, table) if claim.points is None else claim.points


def _worth(pairing: Pairing, claim: Claim, table: PointTable) -> int:
    """Game points of a claimed result by its spread."""
    return table.points(claim.margin or 0, pairing.round) if claim.won else 0


def check_written_card(card: WrittenScoreCard, table: PointTable, names: Names = NOBODY) -> tuple[Message, ...]:
    """The faults that one card shows by itself: a spread in the wrong column, points that do not fit, a wrong sum."""
    called = name_of(card.player, names)
    rows = [fault for pairing, claim in card.claims.items() for fault in _check_row(called, pairing, claim, table)]
    return (*rows, *_check_sums(called, card, table))


def _check_row(called: str, pairing: Pairing, claim: Claim, table: PointTable) -> Iterable[Message]:
    if claim.margin is None:
        return
    if claim.spread_column != claim.own_column:
        yield Message("results_card_column", name=called, round=pairing.round)
    worth = _worth(pairing, claim, table)
    if claim.points is not None and claim.points != worth:
        yield Message(
            "results_card_points",
            name=called,
            round=pairing.round,
            written=claim.points,
            margin=claim.margin,
            worth=worth,
        )


def _check_sums(called: str, card: WrittenScoreCard, table: PointTable) -> Iterable[Message]:
    written = card.totals
    if written is None:
        return
    right = add_up_claims(card, table)
    sums = {
        "results_card_sum_points": (right.points, written.points),
        "results_card_sum_won": (right.won, written.won),
        "results_card_sum_plus": (right.plus, written.plus),
        "results_card_sum_minus": (right.minus, written.minus),
        "results_card_sum_net": (written.plus - written.minus, written.net),
    }
    for key, (due, found) in sums.items():
        if due != found:
            yield Message(key, name=called, sum=due, written=found)


def check_field_sums(cards: Iterable[WrittenScoreCard], table: PointTable) -> tuple[Message, ...]:
    """The faults that all cards show together: sums that would hold if each game stood alike on both its cards."""
    everybody = tuple(cards)
    feet = [card.totals or add_up_claims(card, table) for card in everybody]
    plus, minus, net = (sum(getattr(foot, name) for foot in feet) for name in ("plus", "minus", "net"))
    won, points = sum(foot.won for foot in feet), sum(foot.points for foot in feet)
    games = {pairing.key for card in everybody for pairing in card.claims}
    worth = sum(_worth(pairing, claim, table) for card in everybody for pairing, claim in card.claims.items())
    return (
        *([Message("results_field_spread", plus=plus, minus=minus)] if plus != minus else ()),
        *([Message("results_field_net", net=net)] if net else ()),
        *([Message("results_field_won", won=won, games=len(games))] if won != len(games) else ()),
        *([Message("results_field_points", points=points, worth=worth)] if points != worth else ()),
    )
