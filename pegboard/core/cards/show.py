"""Hand scoring in the show: points and parts of a hand or crib, spoken count, questions about suits (flush, nobs)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, groupby, product
from typing import NamedTuple

from pegboard.core.cards.pack import (
    FIFTEEN,
    JACK,
    KING,
    PAIRS,
    SHORTEST_RUN,
    SUITS,
    Card,
    Kind,
    Part,
    check_pack,
    pair,
    read_laid,
    read_ranks,
    run,
)
from pegboard.errors import RuleError

# --- spoken count: "fifteen two, fifteen four, and a pair is six" ---


NUMBERS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"),
    *("ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
    *("twenty", "twenty-one", "twenty-two", "twenty-three", "twenty-four"),
    *("twenty-five", "twenty-six", "twenty-seven", "twenty-eight", "twenty-nine"),
)

ONE_FOR_NOBS = "one for his nobs"

_PAIRS = tuple(PAIRS.values())

_TIMES = {2: "double", 3: "triple", 4: "quadruple"}


def with_totals(named: Iterable[tuple[str, int]]) -> tuple[str, ...]:
    """Each name with the running total; the last of several begins with "and", unless it is a fifteen."""
    phrases = list(_phrases(named))
    if len(phrases) > 1 and not phrases[-1].startswith(Kind.FIFTEEN):
        phrases[-1] = f"and {phrases[-1]}"
    return tuple(phrases)


def _phrases(named: Iterable[tuple[str, int]]) -> Iterator[str]:
    total = 0
    for name, points in named:
        total += points
        if name == Kind.FIFTEEN:
            yield f"{name} {NUMBERS[total]}"
        else:
            yield name if name == ONE_FOR_NOBS and total == 1 else f"{name} is {NUMBERS[total]}"


def names_in_one_breath(parts: Sequence[Part]) -> Iterator[tuple[str, int]]:
    """Name each part as players do: a double run includes its pair."""
    all_runs = [part for part in parts if part.kind == Kind.RUN]
    together = [part for part in parts if part.kind in (*_PAIRS, Kind.RUN)] if len(all_runs) > 1 else []
    for part in parts:
        if part not in together:
            yield name_of(part), part.points
        elif part is together[-1]:
            name = f"a {_TIMES[len(all_runs)]} run of {NUMBERS[len(part.cards)]}"
            yield name, sum(each.points for each in together)


def name_of(part: Part) -> str:
    """The spoken name of a part: "fifteen", "a pair royal", "a run of four"."""
    if part.kind == Kind.FIFTEEN:
        return part.kind
    if part.kind == Kind.NOBS:
        return ONE_FOR_NOBS
    if part.kind in _PAIRS:
        return f"a {part.kind}"
    return f"a {part.kind} of {NUMBERS[len(part.cards)]}"


# --- questions about suits (flush, nobs) for hands entered by rank ---


CALLED = (*("ace", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king"),)
"""Names of the ranks, ace first."""

_COUNTED = {4: "four", 5: "five"}

NOBS = (0, 1)
"""Answers for nobs: whether the hand has the jack of the starter's suit."""


class ImpossibleAnswer(NamedTuple):
    """An answer that is impossible for these ranks.

    Attributes:
        answer: the answer.
        code: a stable code for the reason.
        why: the reason in words.
    """

    answer: int
    code: str
    why: str


@dataclass(frozen=True, slots=True)
class Question:
    """A question about suits.

    Attributes:
        is_open: whether more than one answer is possible.
        answers: every answer, possible or not.
        closed: the impossible answers.
    """

    is_open: bool
    answers: tuple[int, ...]
    closed: tuple[ImpossibleAnswer, ...]

    @property
    def first(self) -> int:
        """The default answer, the first possible one: no, unless these cards leave no choice."""
        impossible = {one.answer for one in self.closed}
        return next(answer for answer in self.answers if answer not in impossible)


def flush_question(hand: Sequence[Card], starter: Card | None) -> Question:
    """The question how many cards the flush has: none, the hand, or also the starter; open if the hand has no pair."""
    return Question(not _alike(hand), (0, len(hand), len(hand) + 1), tuple(_no_flush(hand, starter)))


def nobs_question(hand: Sequence[Card], starter: Card | None, *, flush: int) -> Question:
    """The question whether the hand has nobs; open if the hand has a jack and there is a starter.

    Args:
        hand: the ranks of the hand.
        starter: the rank of the starter; None if four cards are counted without one.
        flush: how many cards the flush has, also in the crib, where a flush of four scores nothing.
    """
    closed = next(_no_nobs(hand, starter, flush), None)
    return Question(starter is not None and _jacks(hand) > 0, NOBS, () if closed is None else (closed,))


def _no_flush(hand: Sequence[Card], starter: Card | None) -> Iterator[ImpossibleAnswer]:
    if _alike(hand):
        why = "two cards of the same rank cannot share a suit"
        yield from (ImpossibleAnswer(flush, "alike", why) for flush in (len(hand), len(hand) + 1))
    elif starter is None:
        yield ImpossibleAnswer(len(hand) + 1, "no_starter", "there is no starter")
    elif starter.rank in [card.rank for card in hand]:
        why = f"the hand has {_a(rank_word(starter))} like the starter, so not all cards share a suit"
        yield ImpossibleAnswer(len(hand) + 1, "starter_alike", why)


def _no_nobs(hand: Sequence[Card], starter: Card | None, flush: int) -> Iterator[ImpossibleAnswer]:
    if starter is None:
        yield ImpossibleAnswer(1, "no_starter", "there is no starter")
    elif not _jacks(hand):
        yield ImpossibleAnswer(1, "no_jack", "there is no jack in the hand")
    elif starter.rank == JACK:
        yield ImpossibleAnswer(1, "jack_turned", "the jack of that suit is the starter")
    elif flush == len(hand):
        yield ImpossibleAnswer(1, "flush_of_four", f"the {rank_word(starter)} is a different suit")
    elif flush == len(hand) + 1:
        yield ImpossibleAnswer(0, "flush_of_five", f"all {_COUNTED[flush]} share a suit, including the jack")
    elif _jacks(hand) == len(SUITS):
        yield ImpossibleAnswer(0, "four_jacks", f"one of the four jacks has the {rank_word(starter)}'s suit")


def rank_word(card: Card) -> str:
    """The rank of a card in words: "king"."""
    return CALLED[card.rank - 1]


def _a(name: str) -> str:
    return f"an {name}" if name[0] in "ae" else f"a {name}"


def _alike(hand: Sequence[Card]) -> bool:
    """Whether two cards have the same rank."""
    return len({card.rank for card in hand}) < len(hand)


def _jacks(hand: Sequence[Card]) -> int:
    return sum(card.rank == JACK for card in hand)


HAND_CARDS = 4

HAND_OF_FIVE_CARDS = 3
"""Cards of a hand in five-card cribbage, in which two are discarded."""

ALL_FIVE = 5
"""Cards of one suit needed for a flush in the crib; a house rule can make it four."""

PLACE = 8
"""Bits for the number of ways to make a total; five cards have 32 subsets."""


@dataclass(frozen=True, slots=True)
class Show:
    """A hand or crib on the table; its score is computed on demand.

    Attributes:
        hand: the four cards of the hand or crib; three of a hand in five-card cribbage.
        starter: the starter; None only for four cards counted without one, as in the last hand of solitaire.
        flush: points for cards of one suit: 0, the number of cards in the hand, or one more.
        nobs: whether the hand has the jack of the starter's suit.
    """

    hand: tuple[Card, ...]
    starter: Card | None
    flush: int
    nobs: bool

    @property
    def points(self) -> int:
        """The score, 0 to 29; never 19, 25, 26 or 27."""
        return rank_points(self._cards) + self.flush + self.nobs

    @property
    def parts(self) -> tuple[Part, ...]:
        """The combinations that score, in counting order: fifteens, pairs, runs, flush, nobs."""
        return (*rank_parts(sorted(self._cards)), *self._suit_parts())

    @property
    def spoken(self) -> str:
        """The count as players say it: `fifteen two, fifteen four, and a pair is six`."""
        return self.say()

    def say(self, *, nineteen: bool = False) -> str:
        """The count as players say it; with `nineteen`, a zero hand is called "nineteen", an impossible score."""
        count = with_totals(names_in_one_breath(self.parts))
        if not count:
            return "nineteen" if nineteen else "zero"
        return ", ".join(count)

    @property
    def phrases(self) -> tuple[str, ...]:
        """Each part separately with the running total; only `spoken` joins a double run with its pair."""
        return with_totals((name_of(part), part.points) for part in self.parts)

    @property
    def _cards(self) -> tuple[Card, ...]:
        return self.hand if self.starter is None else (*self.hand, self.starter)

    def _suit_parts(self) -> Iterator[Part]:
        if self.flush:
            cards = self.hand if self.flush == len(self.hand) else tuple(sorted(self._cards))
            yield Part(Kind.FLUSH, cards, self.flush)
        if self.nobs and self.starter is not None:
            yield Part(Kind.NOBS, (Card(JACK, self.starter.suit),), 1)


def count_show(hand: str, starter: str | None, *, crib: bool = False, crib_flush: int = ALL_FIVE) -> Show:
    """Count a hand or crib with the starter, cards written as rank and suit; ranks are enough if no suit matters.

    Args:
        hand: four cards, such as `5H 5C 5S JD` or `7 7 8 9`, or three of a hand in five-card cribbage.
        starter: one card; None counts four cards without a starter, as in the last hand of solitaire.
        crib: whether these are the crib's cards, where only five of a suit make a flush.
        crib_flush: 4 if a house rule counts a flush of the crib's own four.

    Raises:
        RuleError: a card cannot be read or appears twice, there are too many or too few, or a missing suit matters.
    """
    cards = read_laid(hand)
    cut = None if starter is None else only_card(read_laid(starter))
    _check(cards, cut, crib=crib)
    if all(card.suit for card in (cards if cut is None else (*cards, cut))):
        return Show(cards, cut, flush_points(cards, cut, crib=crib, crib_flush=crib_flush), has_nobs(cards, cut))
    every = [(flush_points(*one, crib=crib, crib_flush=crib_flush), has_nobs(*one)) for one in _in_suits(cards, cut)]
    return Show(cards, cut, *_same_in_all_suits(every))


def possible_points(hand: Sequence[Card], starter: Card) -> set[int]:
    """The points that a hand of four scores, for every suit that its cards without one can have; empty if none fits."""
    points = rank_points((*hand, starter))
    return {points + flush_points(*one) + has_nobs(*one) for one in _in_suits(hand, starter)}


def count_ranks(ranks: str, starter: str | None, *, flush: int, nobs: bool) -> Show:
    """Count a hand or crib by ranks; the caller answers the two questions about suits.

    Args:
        ranks: four ranks, such as `A 4 5 6`, or three of a hand in five-card cribbage.
        starter: one rank; None counts four cards without a starter.
        flush: 0, 4 (the hand has one suit) or 5 (also the starter), one less for three cards; a crib has no flush of
            4, unless a house rule counts it.
        nobs: whether the hand has the jack of the starter's suit.

    Raises:
        RuleError: a rank cannot be read, there are too many or too few ranks, or no cards of a deck fit the answers.
    """
    cards = read_ranks(ranks)
    cut = None if starter is None else only_card(read_ranks(starter))
    _check(cards, cut)
    _check_flush(cards, cut, flush)
    _check_nobs(cards, cut, flush, nobs=nobs)
    return Show(cards, cut, flush, nobs)


def fifteens(cards: Sequence[Card]) -> list[tuple[Card, ...]]:
    """Every set of cards whose values add up to fifteen."""
    sets = [chosen for size in range(2, len(cards) + 1) for chosen in combinations(cards, size)]
    return [chosen for chosen in sets if sum(card.value for card in chosen) == FIFTEEN]


def of_a_rank(cards: Sequence[Card]) -> list[list[Card]]:
    """The cards grouped by rank, lowest rank first."""
    return [list(group) for _, group in groupby(sorted(cards), key=lambda card: card.rank)]


def runs(groups: Sequence[list[Card]]) -> list[tuple[Card, ...]]:
    """Every distinct longest run of three or more, from cards grouped by rank.

    Five cards can have only one sequence of consecutive ranks; equal ranks in it make it a double run, triple run ...
    """
    stretch: list[list[Card]] = []
    for group in groups:
        if stretch and group[0].rank != stretch[-1][0].rank + 1:
            if len(stretch) >= SHORTEST_RUN:
                break
            stretch = []
        stretch.append(group)
    return list(product(*stretch)) if len(stretch) >= SHORTEST_RUN else []


def rank_parts(cards: Sequence[Card]) -> Iterator[Part]:
    """The combinations that score by rank: fifteens, pairs and runs."""
    groups = of_a_rank(cards)
    yield from (Part(Kind.FIFTEEN, chosen, 2) for chosen in fifteens(cards))
    yield from (pair(group) for group in groups if len(group) > 1)
    yield from (run(chosen) for chosen in runs(groups))


def rank_points(cards: Sequence[Card]) -> int:
    """Points for fifteens, pairs and runs, faster than by `rank_parts`."""
    many: dict[int, int] = {}
    pairs = 0
    for card in cards:
        before = many.get(card.rank, 0)
        pairs += before
        many[card.rank] = before + 1
    return 2 * (_ways_to_fifteen(cards) + pairs) + _run_points(many)


def _ways_to_fifteen(cards: Sequence[Card]) -> int:
    """Number of sets of cards that add up to fifteen: every card can be added to all earlier sets.

    One integer holds the number of ways for every total, `PLACE` bits each, so that adding a card is a shift.
    """
    ways = 1
    for card in cards:
        ways += ways << PLACE * card.value
    return (ways >> PLACE * FIFTEEN) % (1 << PLACE)


def _run_points(many: Mapping[int, int]) -> int:
    """Points for runs, given the number of cards of each rank; equal ranks make a double run, triple run ..."""
    length, times = 0, 1
    for rank in range(1, KING + 2):
        if rank in many:
            length, times = length + 1, times * many[rank]
        elif length >= SHORTEST_RUN:
            return length * times
        else:
            length, times = 0, 1
    return 0


def flush_points(hand: Sequence[Card], starter: Card | None, *, crib: bool = False, crib_flush: int = ALL_FIVE) -> int:
    """Points for a flush: 4, or 5 with the starter (3 or 4 if the hand has three cards); in the crib only 5.

    `crib_flush` is 4 if a house rule counts a flush of the crib's own four.
    """
    suits = {card.suit for card in hand}
    if len(suits) > 1:
        return 0
    if starter is not None and starter.suit in suits:
        return len(hand) + 1
    return 0 if crib and crib_flush > len(hand) else len(hand)


def has_nobs(hand: Sequence[Card], starter: Card | None) -> bool:
    """Whether the jack of the starter's suit is in the hand; the starter itself is never nobs."""
    return starter is not None and Card(JACK, starter.suit) in hand


def _in_suits(hand: Sequence[Card], starter: Card | None) -> Iterator[tuple[tuple[Card, ...], Card | None]]:
    """The hand and starter with every possible suit for cards without one; at most 4 ** 5 ways."""
    cards = hand if starter is None else (*hand, starter)
    for suits in product(*(card.suit or SUITS for card in cards)):
        suited = [Card(card.rank, suit) for card, suit in zip(cards, suits, strict=True)]
        if len(set(suited)) == len(suited):
            yield tuple(suited[: len(hand)]), None if starter is None else suited[-1]


def _same_in_all_suits(every: Sequence[tuple[int, bool]]) -> tuple[int, bool]:
    """The flush points and nobs, if they are the same for all suits."""
    flushes, nobs = ({one[n] for one in every} for n in range(2))
    if len(flushes) > 1 and len(nobs) > 1:
        raise RuleError("count_suits_both")
    if len(flushes) > 1 or len(nobs) > 1:
        raise RuleError("count_suits_flush" if len(flushes) > 1 else "count_suits_nobs")
    return every[0]


def only_card(cards: Sequence[Card]) -> Card:
    """The starter among the cards written for it.

    Raises:
        RuleError: there are none, or several.
    """
    if len(cards) != 1:
        raise RuleError("card_one_starter", cards=len(cards))
    return cards[0]


def _check(hand: Sequence[Card], starter: Card | None, *, crib: bool = False) -> None:
    if len(hand) not in {HAND_CARDS, HAND_OF_FIVE_CARDS}:
        raise RuleError("card_hand_of_four", cards=len(hand))
    if crib and len(hand) != HAND_CARDS:
        raise RuleError("card_crib_of_four", cards=len(hand))
    if starter is None and len(hand) != HAND_CARDS:
        raise RuleError("card_three_alone", cards=len(hand))
    if crib and starter is None:
        raise RuleError("card_crib_starter")
    check_pack(hand if starter is None else (*hand, starter))


def _check_flush(hand: Sequence[Card], starter: Card | None, flush: int) -> None:
    four, five = len(hand), len(hand) + 1
    if flush not in (0, four, five):
        raise RuleError("card_flush_of", flush=flush, four=four, five=five)
    if flush == five and starter is None:
        raise RuleError("card_flush_starter", five=five, four=four)
    cards = (*hand, starter) if flush == five and starter is not None else hand
    if flush and len(set(cards)) < flush:
        raise RuleError("card_flush_pair", flush=flush, taken="0" if len(set(hand)) < four else f"0 or {four}")


def _check_nobs(hand: Sequence[Card], starter: Card | None, flush: int, *, nobs: bool) -> None:
    four, five = len(hand), len(hand) + 1
    can_be = starter is not None and starter.rank != JACK and has_nobs(hand, starter)
    if nobs and not can_be:
        raise RuleError("card_nobs_jack")
    if nobs and flush == four:
        raise RuleError("card_nobs_flush_four", four=four, five=five)
    if can_be and not nobs and flush == five:
        raise RuleError("card_nobs_flush_five", five=five, four=four)
    if can_be and not nobs and hand.count(Card(JACK, "")) == len(SUITS):
        raise RuleError("card_nobs_four")
