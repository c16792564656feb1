"""Play of a deal written in one line: cards and goes in order, followed step by step with the points of each."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pegboard.core.cards.pack import Card, Kind, Part, check_pack, read_laid
from pegboard.core.cards.play import FEWEST_PLAYERS, HAND_SIZES, MOST_PLAYERS, THIRTY_ONE, Play, begin_play
from pegboard.errors import RuleError

GO = "go"

COUNT_ENDS = "/"
"""Optional mark between two counts; the players who have not said go say it there."""

PLAYERS = {
    players: ("pone", *(f"player {number}" for number in range(2, players)), "dealer")
    for players in range(FEWEST_PLAYERS, MOST_PLAYERS + 1)
}
"""What the players are called, in the order in which they play: the player left of the dealer leads."""


@dataclass(frozen=True, slots=True)
class WrittenStep:
    """A card played, a go said, or a go scored.

    Attributes:
        player: who plays, says go or scores it.
        card: the card as written; None for a go.
        count: the count with that card, 1 to 31.
        parts: what it scores: a card's combinations and the last card, or the go; a go that is only said has none.
    """

    player: str
    card: Card | None
    count: int
    parts: tuple[Part, ...]

    @property
    def points(self) -> int:
        """0 to 15."""
        return sum(part.points for part in self.parts)


@dataclass(frozen=True, slots=True)
class WrittenPlay:
    """A play as far as it is written.

    Attributes:
        players: pone, the next players and the dealer, in the order of play.
        hands: their cards as written; None if unknown.
        steps: every card and go so far.
        state: whose turn it is, the count and the points by player; its cards have no suits, which never score.
        takes_go: whether the newest go was scored by a player who has not said a word.
    """

    players: tuple[str, ...]
    hands: tuple[tuple[Card, ...] | None, ...]
    steps: tuple[WrittenStep, ...]
    state: Play
    takes_go: bool = False

    @property
    def cards(self) -> tuple[Card, ...]:
        """All cards played, as written."""
        return tuple([step.card for step in self.steps if step.card is not None])

    def cards_of(self, seat: int) -> tuple[Card, ...]:
        """The cards that this seat has played, as written."""
        name = self.players[seat]
        return tuple([step.card for step in self.steps if step.card is not None and step.player == name])


def follow_play(
    laid: str, hands: Sequence[str | None] = (), *, players: int = 2, held: int = HAND_SIZES[0]
) -> WrittenPlay:
    """Follow a play from the first card, which pone plays (the player left of the dealer).

    Args:
        laid: cards in the order of play, with or without suits, and `go` where a player says it; it may be left out if
            the known hands or an earlier go leave no choice. A `/` may separate the counts.
        hands: the cards of pone, the next players and the dealer; None for an unknown hand. Empty if none is known.
        players: two to six.
        held: cards in each hand: four, or three in five-card cribbage.

    Raises:
        RuleError: a word cannot be read; a card is not held, appears twice, passes 31 or comes after the last; or
            somebody says go who can play, as far as the hands or the cards that follow show.
    """
    if not FEWEST_PLAYERS <= players <= MOST_PLAYERS:
        raise RuleError("play_players", least=FEWEST_PLAYERS, most=MOST_PLAYERS, players=players)
    known = [None if hand is None else read_laid(hand) for hand in hands or [None] * players]
    play = _begin(PLAYERS[players], known, held)
    for number, count in enumerate(laid.split(COUNT_ENDS)):
        play = _end_count(play) if number else play
        for card in read_play(count):
            play = _say_go(play) if card is None else _lay(play, card)
    if not play.steps:
        raise RuleError("play_many", cards=0, most=players * held)
    return play


def read_play(text: str) -> tuple[Card | None, ...]:
    """Parse cards and goes, such as `9 K J go K`; None is a go.

    Raises:
        RuleError: a word is neither a card nor `go`.
    """
    first, *others = text.lower().split(GO)  # no card is written with these letters
    return (*read_laid(first), *[act for other in others for act in (None, *read_laid(other))])


def _begin(names: tuple[str, ...], known: Sequence[tuple[Card, ...] | None], held: int) -> WrittenPlay:
    check_pack([card for hand in known if hand for card in hand])
    seen = [held if hand is None else [Card(card.rank, "") for card in hand] for hand in known]
    return WrittenPlay(names, tuple(known), (), begin_play(names, seen, dealer=len(names) - 1))


def _end_count(play: WrittenPlay) -> WrittenPlay:
    while play.state.laid.cards and not play.state.over:
        play = _go(play)
    return replace(play, takes_go=False)


def _say_go(play: WrittenPlay) -> WrittenPlay:
    """A written go; the player of the last card may say what has been scored already."""
    if play.takes_go:
        return replace(play, takes_go=False)
    if play.state.over:
        raise _after_the_last(play, GO)
    return _go(play)


def _go(play: WrittenPlay) -> WrittenPlay:
    state = play.state
    assert state.turn is not None
    after, count = state.go(state.turn), state.laid.count
    if state.turn == state.last:  # who takes the go says it by scoring it
        return _add_scored_go(replace(play, state=after), count, takes_go=False)
    said = WrittenStep(play.players[state.turn], None, count, ())
    return _add_scored_go(replace(play, steps=(*play.steps, said), state=after), count, takes_go=True)


def _lay(play: WrittenPlay, card: Card) -> WrittenPlay:
    while _must_go(play.state, card):
        play = _go(play)
    seat, count = play.state.turn, play.state.laid.count + card.value
    if seat is None:
        raise _after_the_last(play, card)
    _check_card(play, seat, card)
    after = play.state.lay(seat, Card(card.rank, ""))
    parts = tuple([_with_written_cards(play, card, part) for part in after.parts if part.kind != Kind.GO])
    step = WrittenStep(play.players[seat], card, count, parts)
    return _add_scored_go(replace(play, steps=(*play.steps, step), state=after), count, takes_go=True)


def _must_go(state: Play, card: Card) -> bool:
    """Whether the player whose turn it is says go before this card: no known card fits, or others have said it."""
    if state.turn is None or not state.laid.cards:
        return False
    hand, count = state.hands[state.turn], state.laid.count
    return not hand.fitting(count) if hand.seen else bool(state.gone) and count + card.value > THIRTY_ONE


def _add_scored_go(play: WrittenPlay, count: int, *, takes_go: bool) -> WrittenPlay:
    """Add the step of a go that has just been scored, if any."""
    parts = tuple([part for part in play.state.parts if part.kind == Kind.GO])
    if not parts or play.state.last is None:
        return replace(play, takes_go=False)
    step = WrittenStep(play.players[play.state.last], None, count, parts)
    return replace(play, steps=(*play.steps, step), takes_go=takes_go)


def _with_written_cards(play: WrittenPlay, card: Card, part: Part) -> Part:
    """A part with the cards as they are written; all of them end with the newest card."""
    pile = (*play.cards, card)[-len(part.cards) :]
    return part._replace(cards=tuple(sorted(pile)) if part.kind == Kind.RUN else pile)


def _check_card(play: WrittenPlay, seat: int, card: Card) -> None:
    name, hand, mine = play.players[seat], play.hands[seat], play.cards_of(seat)
    if hand is not None and cards_left(hand, (*mine, card)) is None:
        left = cards_left(hand, mine) or ()
        raise RuleError("play_held", name=name, card=card, cards=", ".join(map(str, left)))
    unseen = [one for other, known in enumerate(play.hands) if known is None for one in play.cards_of(other)]
    check_pack([*play.cards, card])
    check_pack([*[one for known in play.hands if known for one in known], *unseen, *([] if hand else [card])])
    count = play.state.laid.count + card.value
    if count > THIRTY_ONE:
        raise RuleError("play_passed_no_go", card=card, count=count, most=THIRTY_ONE, name=name)
    goes = [step.count for step in play.steps if step.player == name and step.card is None]
    if goes and min(goes) + card.value <= THIRTY_ONE:
        raise RuleError("play_go_held", name=name, card=card, count=min(goes))


def cards_left(hand: Sequence[Card], taken: Sequence[Card]) -> tuple[Card, ...] | None:
    """A hand without these cards, where a card without a suit can be any of its rank; None if it lacks one of them."""
    left = list(hand)
    for card in sorted(taken, key=lambda card: card.suit == ""):  # a card without a suit takes what the others leave
        alike = [one for one in left if one.rank == card.rank and (card.suit in ("", one.suit) or not one.suit)]
        if not alike:
            return None
        left.remove(card if card in alike else alike[0])
    return tuple(left)


def _after_the_last(play: WrittenPlay, act: Card | str) -> RuleError:
    return RuleError("play_after_last", act=act, players=len(play.players), cards=len(play.cards))
