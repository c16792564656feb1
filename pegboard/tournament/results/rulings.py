"""The rulings of ACC 12.2 by their letters, and two that are none of it: what each makes of two cards, or why not."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from pegboard.messages import Message
from pegboard.tournament.results.claims import Claim, Column, GameRecord, Names, Value, Values, name_of
from pegboard.tournament.results.cross_checks import find_mismatch, find_wrong_margin
from pegboard.tournament.results.scoring import PointTable
from pegboard.tournament.results.settling import value_of_game, values_of_claims, values_of_sheet


@dataclass(frozen=True, slots=True)
class Dispute:
    """A game before the director.

    Attributes:
        record: its claims.
        qualifies: which of its players apparently qualifies, in the order of the pairing's players.
        table: what a win is worth.
        names: what players are called.
    """

    record: GameRecord
    qualifies: tuple[bool, bool]
    table: PointTable
    names: Names

    @property
    def cards(self) -> tuple[Claim, Claim] | None:
        """Both cards; None where one is missing."""
        one, other = self.record.claims
        return None if one is None or other is None else (one, other)

    def name(self, place: int) -> str:
        """What the first or second player is called."""
        return name_of(self.record.pairing.players[place], self.names)

    def values(self, winner: int, plus: int, minus: int) -> Values:
        """A win by `plus` for the player at that place, and a loss by `minus` for the other."""
        won, lost = self.value(plus), self.value(-minus)
        return (won, lost) if winner == 0 else (lost, won)

    def value(self, net: int) -> Value:
        """What a win by so many holes, or a loss (a negative number), counts."""
        return value_of_game(net, self.record, self.table)

    def bear(self, winner: int, plus: int, minus: int) -> tuple[int, int]:
        """Both spreads once who apparently qualifies bears the difference: 12.2 (a), (b) and (h) in one."""
        winner_qualifies, loser_qualifies = self.qualifies[winner], self.qualifies[1 - winner]
        return (min(plus, minus) if winner_qualifies else plus, max(plus, minus) if loser_qualifies else minus)


@dataclass(frozen=True, slots=True)
class Spreads:
    """Two cards with a spread each.

    Attributes:
        winner: the place of the winner, 0 or 1.
        plus: the spread on the winner's card.
        minus: the spread on the loser's card.
    """

    winner: int
    plus: int
    minus: int


Found: TypeAlias = tuple[Message, Values] | Message
"""A ruling and its values, or why it is not to be had."""


# --- what the cards say ---


def _missing(dispute: Dispute) -> Message:
    absent = [place for place, claim in enumerate(dispute.record.claims) if claim is None]
    return _name_missing(dispute, absent)


def _name_missing(dispute: Dispute, absent: list[int]) -> Message:
    if len(absent) > 1:
        return Message("results_cards_missing")
    return Message("results_card_missing", name=dispute.name(absent[0]))


def _spreads(dispute: Dispute, *, results_differ: bool) -> tuple[Claim, Claim] | Message:
    """Both cards if each has a spread and their results differ, or are the same, as wanted; else what they lack."""
    cards = dispute.cards
    if cards is None:
        return _missing(dispute)
    if find_mismatch(dispute.record) is None:
        return Message("results_cards_fit")
    if (cards[0].won != cards[1].won) != results_differ:
        return Message("results_same_result" if results_differ else "results_results_differ")
    blank = [card for card in cards if card.margin is None]
    if blank:
        return Message("results_spread_missing" if len(blank) == 1 else "results_spreads_missing")
    return cards


def _difference(dispute: Dispute) -> Spreads | Message:
    """One win and one loss, each in its column, by different spreads; else what the cards are instead."""
    cards = _spreads(dispute, results_differ=True)
    if isinstance(cards, Message):
        return cards
    if cards[0].spread_column == cards[1].spread_column:
        return Message("results_columns_alike")
    if cards[0].spread_column != cards[0].own_column:
        return Message("results_columns_wrong")
    return _by_winner(cards, 0 if cards[0].won else 1)


def _by_winner(cards: tuple[Claim, Claim], winner: int) -> Spreads:
    return Spreads(winner, cards[winner].margin or 0, cards[1 - winner].margin or 0)


# --- the rulings by their letters ---


def _rule_a(dispute: Dispute) -> Found:
    """The disadvantage goes to the one who apparently qualifies."""
    spreads = _difference(dispute)
    if isinstance(spreads, Message):
        return spreads
    if sum(dispute.qualifies) != 1:
        return Message("results_both_qualify" if any(dispute.qualifies) else "results_nobody_qualifies")
    if spreads.plus < spreads.minus:
        return Message("results_costs_already")
    plus, minus = dispute.bear(spreads.winner, spreads.plus, spreads.minus)
    place = dispute.qualifies.index(True)
    key = "results_ruling_a_win" if place == spreads.winner else "results_ruling_a_loss"
    said = Message(key, name=dispute.name(place), margin=plus, other=dispute.name(1 - place))
    return said, dispute.values(spreads.winner, plus, minus)


def _rule_b(dispute: Dispute) -> Found:
    """The disadvantage goes to both, where both apparently qualify."""
    spreads = _difference(dispute)
    if isinstance(spreads, Message):
        return spreads
    if not all(dispute.qualifies):
        return Message("results_one_qualifies" if any(dispute.qualifies) else "results_nobody_qualifies")
    if spreads.plus < spreads.minus:
        return Message("results_costs_already")
    return _say_both("results_ruling_b", dispute, spreads)


def _rule_c(dispute: Dispute) -> Found:
    """The spread that only one card gives goes onto both."""
    given = [
        place for place, claim in enumerate(dispute.record.claims) if claim is not None and claim.margin is not None
    ]
    cards = dispute.cards
    if cards and cards[0].won == cards[1].won:
        return Message("results_same_result")
    if len(given) != 1:
        return Message("results_spreads_given" if given else "results_spreads_missing")
    card = dispute.record.claims[given[0]]
    assert card is not None
    assert card.margin is not None
    winner = given[0] if card.won else 1 - given[0]
    said = Message("results_ruling_c", name=dispute.name(given[0]), margin=card.margin)
    return said, dispute.values(winner, card.margin, card.margin)


def _rule_d(dispute: Dispute) -> Found:
    """Of two cards with the same result, the one with its spread in the plus column wins."""
    cards = _spreads(dispute, results_differ=False)
    if isinstance(cards, Message):
        return cards
    if cards[0].spread_column == cards[1].spread_column:
        return Message("results_columns_alike")
    winner = 0 if cards[0].spread_column == Column.PLUS else 1
    return _say_both("results_ruling_d", dispute, _by_winner(cards, winner))


def _rule_e(dispute: Dispute) -> Found:
    """Two cards with the same result and the spread in the same column: a loss for both."""
    cards = _spreads(dispute, results_differ=False)
    if isinstance(cards, Message):
        return cards
    if cards[0].spread_column != cards[1].spread_column:
        return Message("results_columns_differ")
    one, other = (card.margin or 0 for card in cards)
    said = Message("results_ruling_e", one=dispute.name(0), one_margin=one, other=dispute.name(1), other_margin=other)
    return said, (dispute.value(-one), dispute.value(-other))


def _rule_f(dispute: Dispute) -> Found:
    """One win, and both spreads in the same column: the win stands, the wrong card's spread changes its column."""
    cards = _spreads(dispute, results_differ=True)
    if isinstance(cards, Message):
        return cards
    if cards[0].spread_column != cards[1].spread_column:
        return Message("results_columns_differ")
    return _say_both("results_ruling_f", dispute, _by_winner(cards, 0 if cards[0].won else 1))


def _rule_h(dispute: Dispute) -> Found:
    """No harm, no foul: what costs who apparently qualifies already, stays."""
    spreads = _difference(dispute)
    if isinstance(spreads, Message):
        return spreads
    if not any(dispute.qualifies):
        return Message("results_nobody_qualifies")
    if spreads.plus > spreads.minus:
        return Message("results_favours")
    return Message("results_ruling_h"), dispute.values(spreads.winner, spreads.plus, spreads.minus)


def _rule_by_sheet(dispute: Dispute) -> Found:
    """The margin that follows from the table's score sheet; no letter of 12.2, which knows paper only."""
    sheet = dispute.record.sheet
    if sheet is None:
        return Message("results_no_sheet")
    winner = dispute.record.pairing.players.index(sheet.winner)
    said = Message("results_ruling_sheet", winner=dispute.name(winner), margin=sheet.margin)
    return said, values_of_sheet(dispute.record, sheet, dispute.table)


def _let_stand(dispute: Dispute) -> Found:
    """Both cards as they are: 12.2 puts a difference on who apparently qualifies, and says nothing of two others."""
    cards = dispute.cards
    if cards and find_mismatch(dispute.record) is None and find_wrong_margin(dispute.record):
        return Message("results_ruling_stand"), values_of_claims(cards, dispute.record, dispute.table)
    spreads = _difference(dispute)
    if isinstance(spreads, Message):
        return spreads
    if any(dispute.qualifies):
        return Message("results_somebody_qualifies")
    return Message("results_ruling_stand"), dispute.values(spreads.winner, spreads.plus, spreads.minus)


def _say_both(key: str, dispute: Dispute, spreads: Spreads) -> Found:
    """A ruling whose sentence names the winner and the loser, each with the spread that he then has."""
    plus, minus = dispute.bear(spreads.winner, spreads.plus, spreads.minus)
    winner, loser = dispute.name(spreads.winner), dispute.name(1 - spreads.winner)
    return (
        Message(key, winner=winner, plus=plus, loser=loser, minus=minus),
        dispute.values(spreads.winner, plus, minus),
    )


RULINGS: Mapping[str, Callable[[Dispute], Found]] = {
    "a": _rule_a,
    "b": _rule_b,
    "c": _rule_c,
    "d": _rule_d,
    "e": _rule_e,
    "f": _rule_f,
    "h": _rule_h,
    "sheet": _rule_by_sheet,
    "stand": _let_stand,
}
"""In the order of the rule book; "sheet" and "stand" are none of it."""
