"""The play of a whole deal: cards laid in turn by two to four players, go, the last card, and who leads."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import NamedTuple

from pegboard.core.cards.pack import FIFTEEN, SHORTEST_RUN, VALUES, Card, Kind, Part, check_pack, pair, read_laid, run
from pegboard.errors import RuleError
from pegboard.messages import Message

# --- the count of the play: points of the card just laid on the way to thirty-one ---


THIRTY_ONE = 31


MOST_LAID = 16
"""Cards laid at most: four hands of four."""


@dataclass(frozen=True, slots=True)
class PlayCount:
    """The cards laid since the count last began anew; the last of them is the one that scores.

    Attributes:
        cards: in the order in which they were laid; none before the first.
        count: the sum of their values, at most 31.
    """

    cards: tuple[Card, ...] = ()
    count: int = 0

    @property
    def points(self) -> int:
        """Points of the last card, without go and last card."""
        total = 2 if self.count in (FIFTEEN, THIRTY_ONE) else 0
        alike = _alike_at_end(self.cards)
        return total + alike * (alike - 1) + _run_at_end(self.cards)

    @property
    def parts(self) -> tuple[Part, ...]:
        """What the last card scores for: fifteen or thirty-one, cards of a rank, a run."""
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
    """Count the last of the cards laid in turn; after thirty-one the next card begins the count anew.

    After a go the count begins anew too, which the cards do not tell: give only those laid since.

    Args:
        laid: ranks or cards in the order of play, such as `4 5 3 3 3`; suits score nothing.

    Raises:
        RuleError: nothing was laid, a card cannot be read, would pass 31, or no pack or deal has such cards.
    """
    return _since_anew(_read(laid))


def count_each(laid: str) -> list[PlayCount]:
    """Count every card laid in turn as `count_play` counts the last.

    Raises:
        RuleError: as in `count_play`.
    """
    cards = _read(laid)
    return [_since_anew(cards[:end]) for end in range(1, len(cards) + 1)]


def _read(laid: str) -> tuple[Card, ...]:
    cards = read_laid(laid)
    if not 1 <= len(cards) <= MOST_LAID:
        raise RuleError("play_many", cards=len(cards), most=MOST_LAID)
    check_pack(cards)
    return cards


def _since_anew(cards: tuple[Card, ...]) -> PlayCount:
    first = count = 0
    for place, card in enumerate(cards):
        if count == THIRTY_ONE:
            first, count = place, 0
        count += VALUES[card.rank]
        if count > THIRTY_ONE:
            raise RuleError("play_passed_go", card=card, count=count, most=THIRTY_ONE)
    return PlayCount(cards[first:], count)


def message_past_thirty_one(card: Card, count: int) -> Message:
    """The message that a card would pass thirty-one."""
    return Message("play_passed", card=card, count=count, most=THIRTY_ONE)


def _alike_at_end(cards: Sequence[Card]) -> int:
    """How many cards of the last card's rank lie together at the end."""
    return len(list(takewhile(lambda card: card.rank == cards[-1].rank, reversed(cards))))


def _run_at_end(cards: Sequence[Card]) -> int:
    """Length of the longest run, in any order, that ends with the last card; 0 where there is none.

    Each rank is a bit of one whole number: neighbouring ranks are ones side by side, whose lowest divides them to
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


MOST_PLAYERS = 4


HAND_SIZES = (4, 3)
"""Cards a player holds: four, or three in five-card cribbage."""


ANY_CARD_FITS = THIRTY_ONE - max(VALUES)
"""Up to this count any card can be laid, so nobody with a card may say go."""


class HeldCards(NamedTuple):
    """The cards a player still holds: known ones, or a number of cards that nobody has shown.

    Attributes:
        seen: the cards, where they are known.
        unseen: how many there are, where they are not known.
    """

    seen: tuple[Card, ...] = ()
    unseen: int = 0

    @property
    def cards_left(self) -> int:
        """How many cards are left to lay."""
        return len(self.seen) + self.unseen

    def fitting(self, count: int) -> tuple[Card, ...]:
        """The known cards that do not pass thirty-one."""
        return tuple([card for card in self.seen if count + card.value <= THIRTY_ONE])

    def without(self, card: Card) -> "HeldCards":
        """The hand after one of its cards is laid."""
        if self.unseen:
            return HeldCards(unseen=self.unseen - 1)
        place = self.seen.index(card)
        return HeldCards(self.seen[:place] + self.seen[place + 1 :])


@dataclass(frozen=True, slots=True)
class Play:
    """The play of one deal as it stands. A card or a go makes a new value; a refusal leaves this one as it was.

    Attributes:
        players: names in seat order.
        hands: what each seat still holds.
        turn: the seat that lays a card or says go; None when every card has been laid.
        laid: the cards since the count last began anew; with none of them, `turn` leads.
        gone: seats that have said go in this count.
        turned: the cards of earlier counts, turned face down.
        last: the seat that laid the newest card; None before the first.
        parts: what the newest card, or go, has scored; it all belongs to `last`.
        points: what each seat has scored in this play.
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
        """Whether every card has been laid."""
        return self.turn is None

    def lay(self, seat: int, card: Card) -> "Play":
        """Lay a card.

        Raises:
            RuleError: it is another player's turn, this one said go, or the card is not held, was laid before or
                would pass thirty-one.
        """
        self._check_turn(seat)
        self._check_card(seat, card)
        laid = PlayCount((*self.laid.cards, card), self.laid.count + card.value)
        hands = (*self.hands[:seat], self.hands[seat].without(card), *self.hands[seat + 1 :])
        after = replace(self, hands=hands, laid=laid, last=seat, parts=())
        return _go_on(_score(after, laid.parts), seat)

    def go(self, seat: int) -> "Play":
        """Say that no card can be laid; when nobody else can, the player of the last card scores for it.

        Raises:
            RuleError: it is another player's turn, this one said go before, or a card can be laid.
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
        """Check that a card can be one of the unseen cards."""
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
    """Begin the play of a deal: the player next to the dealer, pone where there are two, leads.

    Args:
        players: two to four names in seat order.
        hands: each seat's cards, or only how many there are where nobody has shown them: four, or all three.
        dealer: the seat that deals.

    Raises:
        RuleError: there are not two to four players with as many cards each, or one pack cannot hold the cards.
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
    """Pass the turn on from this seat; where nobody can go on, end the play or begin the count anew."""
    if not any(hand.cards_left for hand in play.hands):
        ended = replace(play, turn=None)
        return ended if play.laid.count == THIRTY_ONE else _score_one(ended, Kind.LAST_CARD)
    if play.laid.count == THIRTY_ONE:
        return _begin_anew(play)
    speaks = next((other for other in _round_from(play, seat) if _speaks(play, other)), None)
    return _begin_anew(_score_one(play, Kind.GO)) if speaks is None else replace(play, turn=speaks)


def _speaks(play: Play, seat: int) -> bool:
    """Whether a seat has to lay or say go; the player of the last card takes the go without saying anything."""
    hand = play.hands[seat]
    if seat in play.gone or not hand.cards_left:
        return False
    return seat != play.last or bool(hand.unseen or hand.fitting(play.laid.count))


def _begin_anew(play: Play) -> Play:
    """Turn the cards; the player next to the one who played last, and who still holds a card, leads."""
    assert play.last is not None
    leads = next(seat for seat in _round_from(play, play.last) if play.hands[seat].cards_left)
    return replace(play, turn=leads, laid=PlayCount(), gone=frozenset(), turned=play.turned + play.laid.cards)


def _round_from(play: Play, seat: int) -> Iterator[int]:
    """Every seat once, beginning next to this one and ending with it."""
    seats = len(play.players)
    return ((seat + step) % seats for step in range(1, seats + 1))


def _score_one(play: Play, kind: Kind) -> Play:
    return _score(play, (Part(kind, play.laid.cards[-1:], 1),))


def _score(play: Play, parts: tuple[Part, ...]) -> Play:
    """Add these parts to what the newest card has scored for its player."""
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
