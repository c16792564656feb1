"""Rulings on mismatched score cards (ACC 12.2 by letter, and two more), awards without play, judges' decisions."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

from pegboard.errors import Already, RuleError
from pegboard.messages import Message
from pegboard.tournament.ids import PlayerId
from pegboard.tournament.results.claims import (
    NOBODY,
    Claim,
    Column,
    DecidedBy,
    GameRecord,
    Names,
    Value,
    Values,
    find_mismatch,
    find_wrong_margin,
    name_of,
    value_of_game,
    values_of_claims,
    values_of_sheet,
)
from pegboard.tournament.results.scoring import PointTable


@dataclass(frozen=True, slots=True)
class Dispute:
    """A game for the director to rule on.

    Attributes:
        record: the record of the game, with its claims.
        qualifies: which of its players apparently qualify, in the order of the pairing's players.
        table: the event's point table.
        names: players' names.
    """

    record: GameRecord
    qualifies: tuple[bool, bool]
    table: PointTable
    names: Names

    @property
    def cards(self) -> tuple[Claim, Claim] | None:
        """Both cards; None if one is missing."""
        one, other = self.record.claims
        return None if one is None or other is None else (one, other)

    def name(self, place: int) -> str:
        """The name of the first or second player."""
        return name_of(self.record.pairing.players[place], self.names)

    def values(self, winner: int, plus: int, minus: int) -> Values:
        """The values of a win by `plus` for the player at place `winner`, and of a loss by `minus` for the other."""
        won, lost = self.value(plus), self.value(-minus)
        return (won, lost) if winner == 0 else (lost, won)

    def value(self, net: int) -> Value:
        """The value of a win by `net` holes, or of a loss (negative)."""
        return value_of_game(net, self.record, self.table)

    def bear(self, winner: int, plus: int, minus: int) -> tuple[int, int]:
        """Both spreads after players who apparently qualify bear the difference: 12.2 (a), (b) and (h) combined."""
        winner_qualifies, loser_qualifies = self.qualifies[winner], self.qualifies[1 - winner]
        return (min(plus, minus) if winner_qualifies else plus, max(plus, minus) if loser_qualifies else minus)


@dataclass(frozen=True, slots=True)
class Spreads:
    """The spreads of two cards that each have one.

    Attributes:
        winner: the place of the winner, 0 or 1.
        plus: the spread on the winner's card.
        minus: the spread on the loser's card.
    """

    winner: int
    plus: int
    minus: int


Found: TypeAlias = tuple[Message, Values] | Message
"""A ruling in words and its values, or the reason why it does not apply."""


# --- claims of the cards: missing, alike, different ---


def _missing(dispute: Dispute) -> Message:
    absent = [place for place, claim in enumerate(dispute.record.claims) if claim is None]
    return _name_missing(dispute, absent)


def _name_missing(dispute: Dispute, absent: list[int]) -> Message:
    if len(absent) > 1:
        return Message("results_cards_missing")
    return Message("results_card_missing", name=dispute.name(absent[0]))


def _spreads(dispute: Dispute, *, results_differ: bool) -> tuple[Claim, Claim] | Message:
    """Both cards if each has a spread and their results differ, or match, as required; else the reason why not."""
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
    """The spreads of a win and a loss, each in its column, that differ; else the reason why the cards are different."""
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


# --- the rulings by letter ---


def _rule_a(dispute: Dispute) -> Found:
    """The player who apparently qualifies bears the disadvantage."""
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
    """Both players bear the disadvantage if both apparently qualify."""
    spreads = _difference(dispute)
    if isinstance(spreads, Message):
        return spreads
    if not all(dispute.qualifies):
        return Message("results_one_qualifies" if any(dispute.qualifies) else "results_nobody_qualifies")
    if spreads.plus < spreads.minus:
        return Message("results_costs_already")
    return _say_both("results_ruling_b", dispute, spreads)


def _rule_c(dispute: Dispute) -> Found:
    """A spread on only one card is used for both."""
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
    """If two cards have the same result, the card with its spread in the plus column wins."""
    cards = _spreads(dispute, results_differ=False)
    if isinstance(cards, Message):
        return cards
    if cards[0].spread_column == cards[1].spread_column:
        return Message("results_columns_alike")
    winner = 0 if cards[0].spread_column == Column.PLUS else 1
    return _say_both("results_ruling_d", dispute, _by_winner(cards, winner))


def _rule_e(dispute: Dispute) -> Found:
    """Two cards with the same result and spreads in the same column: a loss for both."""
    cards = _spreads(dispute, results_differ=False)
    if isinstance(cards, Message):
        return cards
    if cards[0].spread_column != cards[1].spread_column:
        return Message("results_columns_differ")
    one, other = (card.margin or 0 for card in cards)
    said = Message("results_ruling_e", one=dispute.name(0), one_margin=one, other=dispute.name(1), other_margin=other)
    return said, (dispute.value(-one), dispute.value(-other))


def _rule_f(dispute: Dispute) -> Found:
    """One win, and both spreads in the same column: the win counts, and the wrong card's spread changes columns."""
    cards = _spreads(dispute, results_differ=True)
    if isinstance(cards, Message):
        return cards
    if cards[0].spread_column != cards[1].spread_column:
        return Message("results_columns_differ")
    return _say_both("results_ruling_f", dispute, _by_winner(cards, 0 if cards[0].won else 1))


def _rule_h(dispute: Dispute) -> Found:
    """No harm, no foul: a difference that already costs the player who apparently qualifies is left as is."""
    spreads = _difference(dispute)
    if isinstance(spreads, Message):
        return spreads
    if not any(dispute.qualifies):
        return Message("results_nobody_qualifies")
    if spreads.plus > spreads.minus:
        return Message("results_favours")
    return Message("results_ruling_h"), dispute.values(spreads.winner, spreads.plus, spreads.minus)


def _rule_by_sheet(dispute: Dispute) -> Found:
    """The margin from the table's score sheet; not in 12.2, which covers only paper cards."""
    sheet = dispute.record.sheet
    if sheet is None:
        return Message("results_no_sheet")
    winner = dispute.record.pairing.players.index(sheet.winner)
    said = Message("results_ruling_sheet", winner=dispute.name(winner), margin=sheet.margin)
    return said, values_of_sheet(dispute.record, sheet, dispute.table)


def _let_stand(dispute: Dispute) -> Found:
    """Keep both cards: 12.2 charges differences to players who apparently qualify, and has no rule if neither does."""
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
    """A ruling whose sentence names the winner and the loser, each with their resulting spread."""
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
"""Rulings in the order of the rule book; "sheet" and "stand" are not in it."""


# --- rulings on two cards that do not match: ACC rule 12.2 as guided choices, each with letter, sentence and values ---
#
# The player who apparently qualifies bears a difference, so the two values of a game may differ on purpose: never
# derive one from the other. Rule (g), adjusted totals, always holds, since totals are computed from values. Rule (i),
# telling the director if a ruling changes who qualifies, is `qualifying_notice`.


@dataclass(frozen=True, slots=True)
class RulingChoice:
    """A ruling the director can choose, or the reason why it does not apply.

    Attributes:
        letter: the letter in ACC 12.2; or "sheet" or "stand", which are not in it.
        said: the effect of the ruling, in a sentence; None if the ruling does not apply.
        values: the game's values after the ruling, in the order of the pairing's players; None if it does not apply.
        why_not: the reason why the ruling does not apply; None if it does.
    """

    letter: str
    said: Message | None = None
    values: Values | None = None
    why_not: Message | None = None

    @property
    def possible(self) -> bool:
        """Whether the director can choose it."""
        return self.why_not is None


def ruling_choices(
    record: GameRecord, qualifiers: Collection[PlayerId], table: PointTable, names: Names = NOBODY
) -> tuple[RulingChoice, ...]:
    """Every ruling on a game, with its values, or with the reason why it does not apply.

    Args:
        record: the game; only its claims matter, not earlier rulings.
        qualifiers: the players who apparently qualify.
        table: the event's point table.
        names: players' names.
    """
    one, other = (player in qualifiers for player in record.pairing.players)
    dispute = Dispute(record, (one, other), table, names)
    return tuple(_choice(letter, find(dispute)) for letter, find in RULINGS.items())


def _choice(letter: str, found: Found) -> RulingChoice:
    if isinstance(found, Message):
        return RulingChoice(letter, why_not=found)
    said, values = found
    return RulingChoice(letter, said, values)


def adjudicate(
    record: GameRecord, letter: str, qualifiers: Collection[PlayerId], table: PointTable, names: Names = NOBODY
) -> GameRecord:
    """Apply a ruling to a game; its claims are kept as written.

    Raises:
        RuleError: there is no such ruling, or it does not apply here, with the reason.
    """
    choices = {choice.letter: choice for choice in ruling_choices(record, qualifiers, table, names)}
    if letter not in choices:
        raise RuleError("results_ruling_unknown", letter=repr(letter), known=", ".join(choices))
    chosen = choices[letter]
    if chosen.values is None:
        raise RuleError(chosen.why_not or Message("results_cards_fit"))
    return replace(record, values=chosen.values, decided_by=DecidedBy.RULING, rule=letter)


def qualifying_notice(
    before: Collection[PlayerId], after: Collection[PlayerId], names: Names = NOBODY
) -> Message | None:
    """ACC 12.2 (i): a message to the director if a ruling changes who apparently qualifies; else None."""
    into = ", ".join(name_of(player, names) for player in after if player not in before)
    out = ", ".join(name_of(player, names) for player in before if player not in after)
    if into and out:
        return Message("results_qualifiers_change", into=into, out=out)
    if into:
        return Message("results_qualifies_now", into=into)
    return Message("results_qualifies_no_longer", out=out) if out else None


# --- awards without play: late after lunch, refusing a ruling of three judges, forfeits; and judges' decisions ---


AWARD_MARGIN = 10
"""Margin in holes of a game won and lost without play (ACC 11.4 of 2025)."""


@dataclass(frozen=True, slots=True)
class AwardRule:
    """A game that one player wins without play.

    Attributes:
        name: the name under which the award is stored.
        said: the message key of its sentence.
        margin: by how many holes the opponent wins.
        once: whether the award can happen to a player only once per event.
    """

    name: str
    said: str
    margin: int = AWARD_MARGIN
    once: bool = False


LATE, REFUSED_JUDGES, FORFEIT, JUDGE = "late", "refused_judges", "forfeit", "judge"

AWARDS: Mapping[str, AwardRule] = {
    award.name: award
    for award in (
        AwardRule(LATE, "results_award_late", once=True),
        AwardRule(REFUSED_JUDGES, "results_award_refused_judges"),
        AwardRule(FORFEIT, "results_award_forfeit"),
    )
}
"""ACC 11.4 (2025): more than five minutes late after lunch; ACC 11: refusing the ruling of three judges; and a player
who left, whose games go to the opponents by the same margin, so that they do not block the end of the event."""


def award(
    record: GameRecord,
    name: str,
    against: PlayerId,
    table: PointTable,
    *,
    earlier: Iterable[GameRecord] = (),
    names: Names = NOBODY,
) -> GameRecord:
    """Award a game without play; claims, if any, are kept as written.

    Args:
        record: the game.
        name: the name of the award.
        against: the player who loses it.
        table: the event's point table.
        earlier: the games of the event, to check an award that can happen only once.
        names: players' names.

    Raises:
        Already: the player has already lost a game by this award, which can happen only once.
        RuleError: there is no such award, or the player is not in this game.
    """
    if name not in AWARDS:
        raise RuleError("results_no_award", name=repr(name), known=", ".join(AWARDS))
    if against not in record.pairing.players:
        raise RuleError("results_not_in_game", name=name_of(against, names), game=record.key)
    rule = AWARDS[name]
    for other in earlier:
        if rule.once and other.rule == name and other.key != record.key and _has_lost(other, against):
            raise Already("results_late_once", name=name_of(against, names), round=other.pairing.round)
    nets = (-rule.margin if player == against else rule.margin for player in record.pairing.players)
    return _with_values(record, _values(nets, record, table), name)


def _has_lost(record: GameRecord, player: PlayerId) -> bool:
    value = record.value_of(player) if player in record.pairing.players else None
    return value is not None and not value.won


def _values(nets: Iterable[int], record: GameRecord, table: PointTable) -> Values:
    one, other = (value_of_game(net, record, table) for net in nets)
    return one, other


def _with_values(record: GameRecord, values: Values, rule: str) -> GameRecord:
    return replace(record, values=values, decided_by=DecidedBy.AWARD, rule=rule)


def decide_as_judge(record: GameRecord, values: Values, table: PointTable) -> GameRecord:
    """Decide a game as a judge: any net spread for each player, even a loss for both, with the matching game points.

    Raises:
        RuleError: a net spread is impossible in a game, game points do not match the point table, or both players would
            win.
    """
    for value in values:
        if not 1 <= abs(value.net) <= table.game_hole:
            raise RuleError("results_judge_net", most=table.game_hole, net=value.net)
        worth = value_of_game(value.net, record, table).points
        if value.points != worth:
            raise RuleError(
                "results_judge_points", net=value.net, worth=worth, round=record.pairing.round, points=value.points
            )
    if all(value.won for value in values):
        raise RuleError("results_judge_two_wins")
    return _with_values(record, values, JUDGE)


def say_award(record: GameRecord, names: Names = NOBODY) -> Message | None:
    """The reason why a game was awarded, in a sentence; None if it was not awarded."""
    if record.decided_by != DecidedBy.AWARD or record.both_values is None:
        return None
    if record.rule not in AWARDS:
        return Message("results_award_judge")
    one, other = record.both_values
    winner = 0 if one.won else 1
    called = [name_of(player, names) for player in record.pairing.players]
    margin = max(one.net, other.net)
    return Message(AWARDS[record.rule].said, name=called[1 - winner], other=called[winner], margin=margin)
