"""Play (pegging) of a whole deal: two to six players take turns; card points, go, last card, and the lead."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import NamedTuple

from pegboard.core.cards.pack import FIFTEEN, SHORTEST_RUN, VALUES, Card, Kind, Part, check_pack, pair, read_laid, run
from pegboard.errors import RuleError
from pegboard.messages import Message

# --- count of the play, and points for the card just played ---


THIRTY_ONE = 31

MOST_LAID = 24
"""Maximum cards played: six hands of four."""


@dataclass(frozen=True, slots=True)
class PlayCount:
    """The cards played since the count last restarted; only the last card scores.

    Attributes:
        cards: the cards in the order played; empty before the first card.
        count: the sum of their values, at most 31.
    """

    cards: tuple[Card, ...] = ()
    count: int = 0

    @property
    def points(self) -> int:
        """Points for the last card, without go and last card."""
        total = 2 if self.count in (FIFTEEN, THIRTY_ONE) else 0
        alike = _alike_at_end(self.cards)
        return total + alike * (alike - 1) + _run_at_end(self.cards)

    @property
    def parts(self) -> tuple[Part, ...]:
        """The combinations that the last card scores: fifteen or thirty-one, cards of the same rank, a run."""
        return tuple(self._scoring())

    def _scoring(self) -> Iterator[Part]:
        if self.count == FIFTEEN:
            yield Part(Kind.FIFTEEN, self.cards, 2)
        if self.count == THIRTY_ONE:
            yield Part(Kind.THIRTY_ONE, self.cards, 2)
        alike = _alike_at_end(self.cards)
        if alike > 1:
            yield pair(self.cards[-alike:])
        length = _run_at_end(self.cards)
        if length:
            yield run(self.cards[-length:])


def count_play(laid: str) -> PlayCount:
    """Score the last card of a sequence of played cards; after thirty-one the count restarts.

    The count also restarts after a go, which the cards do not show: give only the cards played since.

    Args:
        laid: ranks or cards in the order of play, such as `4 5 3 3 3`; suits score nothing.

    Raises:
        RuleError: no card was played, a card cannot be read or would pass 31, or no deck or deal has these cards.
    """
    return _current_count(_read(laid))


def count_each(laid: str) -> list[PlayCount]:
    """Score every card of the sequence as `count_play` scores the last one.

    Raises:
        RuleError: as in `count_play`.
    """
    cards = _read(laid)
    return [_current_count(cards[:end]) for end in range(1, len(cards) + 1)]


def _read(laid: str) -> tuple[Card, ...]:
    cards = read_laid(laid)
    if not 1 <= len(cards) <= MOST_LAID:
        raise RuleError("play_many", cards=len(cards), most=MOST_LAID)
    check_pack(cards)
    return cards


def _current_count(cards: tuple[Card, ...]) -> PlayCount:
    first = count = 0
    for place, card in enumerate(cards):
        if count == THIRTY_ONE:
            first, count = place, 0
        count += VALUES[card.rank]
        if count > THIRTY_ONE:
            raise RuleError("play_passed_go", card=card, count=count, most=THIRTY_ONE)
    return PlayCount(cards[first:], count)


def message_past_thirty_one(card: Card, count: int) -> Message:
    """The refusal of a card that would pass thirty-one."""
    return Message("play_passed", card=card, count=count, most=THIRTY_ONE)


def _alike_at_end(cards: Sequence[Card]) -> int:
    """Number of consecutive cards at the end with the last card's rank."""
    return len(list(takewhile(lambda card: card.rank == cards[-1].rank, reversed(cards))))


def _run_at_end(cards: Sequence[Card]) -> int:
    """Length of the longest run, in any order, that ends with the last card, or 0.

    Each rank is a bit of one integer: consecutive ranks are adjacent bits; divided by the lowest bit they give
    2 ** length - 1.
    """
    length = ranks = 0
    for many, card in enumerate(reversed(cards), 1):
        bit = 1 << card.rank
        if ranks & bit:
            break
        ranks |= bit
        if ranks // (ranks & -ranks) + 1 == 1 << many:
            length = many
    return length if length >= SHORTEST_RUN else 0


FEWEST_PLAYERS = 2

MOST_PLAYERS = 6

HAND_SIZES = (4, 3)
"""Cards in a player's hand: four, or three in five-card cribbage."""

ANY_CARD_FITS = THIRTY_ONE - max(VALUES)
"""Up to this count any card can be played, so a player with a card may not say go."""


class HeldCards(NamedTuple):
    """The cards a player still holds: known cards, or a number of unknown cards.

    Attributes:
        seen: the cards, if known.
        unseen: the number of cards, if unknown.
    """

    seen: tuple[Card, ...] = ()
    unseen: int = 0

    @property
    def cards_left(self) -> int:
        """Number of cards left to play."""
        return len(self.seen) + self.unseen

    def fitting(self, count: int) -> tuple[Card, ...]:
        """The known cards that do not pass thirty-one."""
        return tuple([card for card in self.seen if count + card.value <= THIRTY_ONE])

    def without(self, card: Card) -> "HeldCards":
        """The hand after one of its cards is played."""
        if self.unseen:
            return HeldCards(unseen=self.unseen - 1)
        place = self.seen.index(card)
        return HeldCards(self.seen[:place] + self.seen[place + 1 :])


@dataclass(frozen=True, slots=True)
class Play:
    """State of the play of one deal. Immutable: a card or a go returns a new value.

    Attributes:
        players: names in seat order.
        hands: the cards each seat still holds.
        turn: the seat that plays a card or says go next; None after every card has been played.
        laid: the cards since the count last restarted; if there are none, `turn` leads.
        gone: seats that have said go in this count.
        turned: the cards of earlier counts, turned face down.
        last: the seat that played the newest card; None before the first card.
        parts: the combinations that the newest card or go scored, all for the seat `last`.
        points: the points that each seat has scored in this play.
    """

    players: tuple[str, ...]
    hands: tuple[HeldCards, ...]
    turn: int | None
    laid: PlayCount
    gone: frozenset[int]
    turned: tuple[Card, ...]
    last: int | None
    parts: tuple[Part, ...]
    points: tuple[int, ...]

    @property
    def over(self) -> bool:
        """Whether every card has been played."""
        return self.turn is None

    def lay(self, seat: int, card: Card) -> "Play":
        """Play a card.

        Raises:
            RuleError: it is another player's turn, this player said go, or the card is not held, was played before or
                would pass thirty-one.
        """
        self._check_turn(seat)
        self._check_card(seat, card)
        laid = PlayCount((*self.laid.cards, card), self.laid.count + card.value)
        hands = (*self.hands[:seat], self.hands[seat].without(card), *self.hands[seat + 1 :])
        after = replace(self, hands=hands, laid=laid, last=seat, parts=())
        return _go_on(_score(after, laid.parts), seat)

    def go(self, seat: int) -> "Play":
        """Say go: no card can be played. If nobody else can play either, the player of the last card scores one.

        Raises:
            RuleError: it is another player's turn, or this player already said go or can play a card.
        """
        self._check_turn(seat)
        self._check_go(seat)
        return _go_on(replace(self, gone=self.gone | {seat}, parts=()), seat)

    def _check_turn(self, seat: int) -> None:
        _check_seat(seat, self.players)
        if self.turn is None:
            raise RuleError("play_over")
        if seat in self.gone:
            raise RuleError("play_waits", name=self.players[seat])
        if seat != self.turn:
            raise RuleError("play_turn", name=self.players[self.turn], other=self.players[seat])

    def _check_card(self, seat: int, card: Card) -> None:
        hand, laid = self.hands[seat], self.turned + self.laid.cards
        if card.suit and card in laid:
            raise RuleError("play_laid", card=card)
        if card not in hand.seen:
            self._check_unseen(seat, card)
        if self.laid.count + card.value > THIRTY_ONE:
            raise RuleError(message_past_thirty_one(card, self.laid.count + card.value))

    def _check_unseen(self, seat: int, card: Card) -> None:
        """Check that a card can be one of the unknown cards of a hand."""
        hand = self.hands[seat]
        if not hand.unseen:
            raise RuleError("play_held", name=self.players[seat], card=card, cards=_join(hand.seen))
        shown = [shown for hand in self.hands for shown in hand.seen]
        check_pack((*self.turned, *self.laid.cards, *shown, card))

    def _check_go(self, seat: int) -> None:
        count, hand = self.laid.count, self.hands[seat]
        if count <= ANY_CARD_FITS:
            raise RuleError("play_every", name=self.players[seat], count=count)
        if fitting := hand.fitting(count):
            raise RuleError("play_fits", name=self.players[seat], cards=_join(fitting), count=count)


def begin_play(players: Sequence[str], hands: Sequence[Sequence[Card] | int], *, dealer: int) -> Play:
    """Start the play of a deal; the player left of the dealer (pone if there are two) leads.

    Args:
        players: two to six names in seat order.
        hands: each seat's cards, or only their number if unknown: four each, or three each.
        dealer: the seat that deals.

    Raises:
        RuleError: there are not two to six players with the same number of cards, or the cards do not fit one deck.
    """
    if not FEWEST_PLAYERS <= len(players) <= MOST_PLAYERS:
        raise RuleError("play_players", least=FEWEST_PLAYERS, most=MOST_PLAYERS, players=len(players))
    if len(hands) != len(players):
        raise RuleError("play_hands", players=len(players), hands=len(hands))
    _check_seat(dealer, players)
    held = tuple([HeldCards(unseen=hand) if isinstance(hand, int) else HeldCards(tuple(hand)) for hand in hands])
    _check_dealt(held)
    nothing = (0,) * len(players)
    leads = (dealer + 1) % len(players)
    return Play(tuple(players), held, leads, PlayCount(), frozenset(), (), None, (), nothing)


def _go_on(play: Play, seat: int) -> Play:
    """Pass the turn on from this seat; if nobody can continue, end the play or restart the count."""
    if not any(hand.cards_left for hand in play.hands):
        ended = replace(play, turn=None)
        return ended if play.laid.count == THIRTY_ONE else _score_one(ended, Kind.LAST_CARD)
    if play.laid.count == THIRTY_ONE:
        return _restart_count(play)
    speaks = next((other for other in _round_from(play, seat) if _speaks(play, other)), None)
    return _restart_count(_score_one(play, Kind.GO)) if speaks is None else replace(play, turn=speaks)


def _speaks(play: Play, seat: int) -> bool:
    """Whether a seat must play or say go; the player of the last card scores the go without saying anything."""
    hand = play.hands[seat]
    if seat in play.gone or not hand.cards_left:
        return False
    return seat != play.last or bool(hand.unseen or hand.fitting(play.laid.count))


def _restart_count(play: Play) -> Play:
    """Turn the cards face down and restart the count; the next seat after `last` that still has a card leads."""
    assert play.last is not None
    leads = next(seat for seat in _round_from(play, play.last) if play.hands[seat].cards_left)
    return replace(play, turn=leads, laid=PlayCount(), gone=frozenset(), turned=play.turned + play.laid.cards)


def _round_from(play: Play, seat: int) -> Iterator[int]:
    """Every seat once, starting after this one and ending with it."""
    seats = len(play.players)
    return ((seat + step) % seats for step in range(1, seats + 1))


def _score_one(play: Play, kind: Kind) -> Play:
    return _score(play, (Part(kind, play.laid.cards[-1:], 1),))


def _score(play: Play, parts: tuple[Part, ...]) -> Play:
    """Add these parts to the score of the newest card and of its player."""
    more = sum(part.points for part in parts)
    points = tuple([had + more * (seat == play.last) for seat, had in enumerate(play.points)])
    return replace(play, parts=play.parts + parts, points=points)


def _check_dealt(hands: Sequence[HeldCards]) -> None:
    sizes = [hand.cards_left for hand in hands]
    if len(set(sizes)) > 1 or sizes[0] not in HAND_SIZES:
        raise RuleError("play_sizes", sizes=_join(sizes))
    check_pack([card for hand in hands for card in hand.seen])


def _check_seat(seat: int, players: Sequence[str]) -> None:
    if seat not in range(len(players)):
        raise RuleError("no_seat", seat=repr(seat), seats=Message("zero_to", most=len(players) - 1))


def _join(things: Sequence[object]) -> str:
    return ", ".join(map(str, things))
