"""Paper cards as they were written, and what can be checked of them: one card's arithmetic, and the sums over all."""

from collections.abc import Mapping
from dataclasses import dataclass

from pegboard.tournament.ids import PlayerId
from pegboard.tournament.pairings import Pairing
from pegboard.tournament.results.claims import Claim, Column
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


def check_written_card(card, table):
    """Which faults one card shows by itself: a spread in the wrong column, points that do not fit, a wrong sum."""
    faults = [fault for pairing, claim in card.claims.items() for fault in _check_row(pairing, claim, table)]
    if card.totals is None:
        return faults
    right, written = add_up_claims(card, table), card.totals
    wrong = [name for name in ("points", "won", "plus", "minus") if getattr(right, name) != getattr(written, name)]
    return [*faults, *wrong, *(["net"] if written.plus - written.minus != written.net else [])]


def _check_row(pairing, claim, table):
    if claim.margin is None:
        return
    if claim.spread_column != claim.own_column:
        yield f"column in round {pairing.round}"
    if claim.points not in (None, _worth(pairing, claim, table)):
        yield f"points in round {pairing.round}"


def check_field_sums(cards, table):
    """Which sums over all cards do not hold that would if each game stood alike on both its cards."""
    cards = list(cards)
    feet = [card.totals or add_up_claims(card, table) for card in cards]
    plus, minus, net = (sum(getattr(foot, name) for foot in feet) for name in ("plus", "minus", "net"))
    games = {pairing.key for card in cards for pairing in card.claims}
    worth = sum(_worth(pairing, claim, table) for card in cards for pairing, claim in card.claims.items())
    sums = {
        "spread": plus == minus,
        "net": net == 0,
        "won": sum(foot.won for foot in feet) == len(games),
        "points": sum(foot.points for foot in feet) == worth,
    }
    return [name for name, holds in sums.items() if not holds]
