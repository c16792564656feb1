"""Playing cards: parsing from text or Unicode symbols, deck checks, scoring combinations (pairs, runs ...)."""

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

from pegboard.errors import RuleError
from pegboard.messages import Message

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS = "CDHS"

JACK = 11
KING = 13
VALUES = (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10)
"""Card values by rank; no card has rank 0."""
FIFTEEN = 15
SHORTEST_RUN = 3
SHOWN_OF_A_WORD = 12
"""Number of characters of an unreadable word that a message quotes."""


class Card(NamedTuple):
    """One card; a plain tuple for speed, because hands are hashed and sorted all the time.

    Attributes:
        rank: 1 (ace, always low) to 13 (king).
        suit: C, D, H or S; empty if only the rank is known.
    """

    rank: int
    suit: str

    @property
    def value(self) -> int:
        """Value for fifteens and the count of the play; face cards count ten."""
        return VALUES[self.rank]

    def __str__(self) -> str:
        return RANKS[self.rank - 1] + self.suit


class Kind(StrEnum):
    """Scoring combinations: for a hand, in counting order; then for the play only."""

    FIFTEEN = "fifteen"
    PAIR = "pair"
    PAIR_ROYAL = "pair royal"
    DOUBLE_PAIR_ROYAL = "double pair royal"
    RUN = "run"
    FLUSH = "flush"
    NOBS = "nobs"
    THIRTY_ONE = "thirty-one"
    GO = "go"
    LAST_CARD = "last card"


class Part(NamedTuple):
    """A scoring combination: cards that score together."""

    kind: Kind
    cards: tuple[Card, ...]
    points: int


PAIRS = {2: Kind.PAIR, 3: Kind.PAIR_ROYAL, 4: Kind.DOUBLE_PAIR_ROYAL}
"""Names for two, three and four cards of the same rank."""


def pair(cards: Sequence[Card]) -> Part:
    """Two, three or four cards of the same rank: two points for every pair among them (2, 6 or 12)."""
    return Part(PAIRS[len(cards)], tuple(cards), len(cards) * (len(cards) - 1))


def run(cards: Sequence[Card]) -> Part:
    """Three or more cards in sequence: one point per card."""
    return Part(Kind.RUN, tuple(sorted(cards)), len(cards))


_NAMES = {name: rank for rank, name in enumerate(RANKS, 1)} | {"T": 10, "0": 10}
_BY_RANK = {name: Card(rank, "") for name, rank in _NAMES.items()}
_SUITED = {
    written: Card(rank, suit)
    for name, rank in _NAMES.items()
    for suit in SUITS
    for written in (name + suit, suit + name)  # no rank begins with the letter of a suit
}
_EITHER = _BY_RANK | _SUITED

_SIGNS = str.maketrans(
    {sign: suit for suit, signs in zip(SUITS, ("♣♧", "♦♢", "♥♡❤", "♠♤"), strict=True) for sign in signs}
    | dict.fromkeys("\ufe0e\ufe0f")  # variation selectors: as text, or as an emoji
)
"""Suit symbols from phones and keyboards."""

_CARD_SIGNS = {
    first + rank + (rank > JACK): f" {RANKS[rank - 1]}{suit} "  # Unicode has a knight between jack and queen
    for suit, first in zip(SUITS, (0x1F0D0, 0x1F0C0, 0x1F0B0, 0x1F0A0), strict=True)
    for rank in range(1, KING + 1)
}
"""Unicode playing card characters, such as 🂡."""

_SEPARATORS = dict.fromkeys(map(ord, ",;-\u2010\u2011\u2012\u2013\u2014\u2212"), " ")
"""Separators between cards other than spaces: commas, semicolons, hyphens, dashes and minus signs."""

LONGEST_CARD = 3
"""Maximum characters of a card, as in 10H."""


def read_cards(text: str) -> tuple[Card, ...]:
    """Parse cards with rank and suit, such as `5H 10c, TD`, `5h10ctd`, `5♥`, `H5-C10` or `🂵`.

    Raises:
        RuleError: a word is not a card, or its suit is missing.
    """
    return _read(text, _SUITED)


def read_ranks(text: str) -> tuple[Card, ...]:
    """Parse cards written as ranks only, such as `A 10 T K`; their suit is empty.

    Raises:
        RuleError: a word is not a rank, or names a suit.
    """
    return _read(text, _BY_RANK)


def read_laid(text: str) -> tuple[Card, ...]:
    """Parse cards with optional suits, as in the play, where suits score nothing.

    Raises:
        RuleError: a word is neither a card nor a rank.
    """
    return _read(text, _EITHER)


def _read(text: str, known: Mapping[str, Card]) -> tuple[Card, ...]:
    words = text.replace(",", " ").upper().split()
    try:
        return tuple([known[word] for word in words])
    except KeyError:  # slow path for symbols and missing spaces: millions of hands are counted
        words = text.translate(_CARD_SIGNS | _SEPARATORS).upper().split()
        return tuple(card for word in words for card in _split_word(word, known))


def _split_word(word: str, known: Mapping[str, Card]) -> Iterator[Card]:
    """Split a word into cards, such as `5H5C` or `45333`; unambiguous, because no suit letter is a rank."""
    rest = letters = word.translate(_SIGNS)
    is_suited = True
    while rest:
        card = next((rest[:size] for size in range(LONGEST_CARD, 0, -1) if rest[:size] in known), None)
        if card is None:
            whole = letters if letters in _EITHER else word
            raise RuleError(_why_unread(rest if len(letters) > LONGEST_CARD and is_suited else whole))
        is_suited = known[card].suit != ""
        yield known[card]
        rest = rest.removeprefix(card)


def _why_unread(word: str) -> Message:
    if word in _BY_RANK:
        return Message("card_no_suit", rank=word, suits=", ".join(word + suit for suit in SUITS))
    if word in _SUITED:
        return Message("card_suit_named", card=word, rank=RANKS[_SUITED[word].rank - 1])
    ranks, suits = " ".join(RANKS), " ".join(SUITS)
    return Message("card_no_card", card=repr(word[:SHOWN_OF_A_WORD]), ranks=ranks, suits=suits)


def check_pack(cards: Sequence[Card]) -> None:
    """Check that all these cards can come from one deck.

    Raises:
        RuleError: a card appears twice, or a rank five times.
    """
    suited = [card for card in cards if card.suit]
    if len(set(suited)) < len(suited):
        twice = next(card for card in suited if suited.count(card) > 1)
        raise RuleError("card_twice", card=twice, times=suited.count(twice))
    ranks = [card.rank for card in cards] if len(suited) < len(cards) else []  # suited cards: at most four of a rank
    for rank in set(ranks):
        if ranks.count(rank) > len(SUITS):
            raise RuleError("card_rank_five", rank=RANKS[rank - 1], times=ranks.count(rank))
