"""A whole deal written in one text: the play and the show in order, with the points of each player."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TypeVar

from pegboard.core.cards.pack import JACK, SHOWN_OF_A_WORD, Card, check_pack, read_laid
from pegboard.core.cards.play import MOST_PLAYERS
from pegboard.core.cards.show import ALL_FIVE, HAND_CARDS, HAND_OF_FIVE_CARDS, Show, count_show, only_card
from pegboard.core.cards.written_play import PLAYERS, WrittenPlay, cards_left, follow_play
from pegboard.errors import RuleError
from pegboard.messages import Message

T = TypeVar("T")

PART_ENDS = "|"
"""Mark between two parts; a new line is one, too."""

CRIB, STARTER, PLAY = "crib", "starter", "play"

LABELS = (*PLAYERS[MOST_PLAYERS], CRIB, STARTER, PLAY)
"""The parts of a deal, in the order in which they are explained."""

HEELS = 2
"""Points for the dealer if the starter is a jack (all sheets)."""

MOST_DEALT = 6
"""Maximum cards dealt to a player, before the discard."""


@dataclass(frozen=True, slots=True)
class PlayerPoints:
    """What a player scores in a deal; None for what cannot be counted.

    Attributes:
        player: pone, the next players or the dealer.
        heels: 2 for the dealer if the starter is a jack, else 0; None without a starter.
        play: the points of the play; None if no play is given.
        hand: the points of the hand; None if it or the starter is not given.
        crib: the dealer's points for the crib; None if it or the starter is not given, and 0 for the others.
    """

    player: str
    heels: int | None
    play: int | None
    hand: int | None
    crib: int | None

    @property
    def total(self) -> int:
        """The sum of what can be counted."""
        return sum(points or 0 for points in (self.heels, self.play, self.hand, self.crib))


@dataclass(frozen=True, slots=True)
class WrittenDeal:
    """A deal, as far as it is given.

    Attributes:
        starter: the starter; None if it is not given.
        play: the play with its steps; None if it is not given.
        hands: in the order of the show, pone's first and the dealer's last; None for a hand that cannot be counted.
        crib: the crib; None if it cannot be counted.
        points: what each player scores, in the same order.
    """

    starter: Card | None
    play: WrittenPlay | None
    hands: tuple[Show | None, ...]
    crib: Show | None
    points: tuple[PlayerPoints, ...]


def count_deal(text: str, *, five_card: bool = False, crib_flush: int = ALL_FIVE) -> WrittenDeal:
    """Count a deal: heels, the play, and every hand and the crib with the starter.

    Args:
        text: parts separated by `|` or new lines, such as `pone: 4 5 6 J | dealer: 7 7 8 9 | crib: A 2 K Q |
            starter: 5 | play: 4 7 ...`. Each part may be missing. `player 2` to `player 5`, between pone and the
            dealer, make it a deal for three to six players. A hand is the four cards kept, or all that were dealt if
            the crib or the play shows which of them were kept. The play is written as for `follow_play`.
        five_card: whether hands have three cards, as in five-card cribbage.
        crib_flush: 4 if a house rule counts a flush of the crib's own four.

    Raises:
        RuleError: a part is unknown, repeated or cannot be read, its cards do not fit the other parts, a missing suit
            matters, or there is nothing to count.
    """
    parts = _read_parts(text)
    names = PLAYERS[_number_of_players(parts)]
    held = HAND_OF_FIVE_CARDS if five_card else HAND_CARDS
    cards = {label: _read(label, parts[label]) for label in parts if label != PLAY}
    starter = _in_part(STARTER, lambda: only_card(cards[STARTER])) if STARTER in cards else None
    crib = cards.get(CRIB)
    if crib is not None and len(crib) != HAND_CARDS:
        raise RuleError("deal_part", part=CRIB, fault=Message("card_crib_of_four", cards=len(crib)))
    if PLAY not in parts and (starter is None or cards.keys() <= {STARTER}):
        raise RuleError("deal_nothing")
    dealt = [cards.get(name) for name in names]
    kept = _kept_hands(names, dealt, crib, parts.get(PLAY), held)
    discards = [
        card for whole, hand in zip(dealt, kept, strict=True) for card in cards_left(whole or (), hand or ()) or ()
    ]
    if crib is None and len(discards) == HAND_CARDS:
        crib = tuple(discards)
    play = _follow(parts.get(PLAY), kept, held)
    _check_deck(kept, play, discards if crib is None else crib, starter)
    shows = tuple([_show(name, hand, starter) for name, hand in zip(names, kept, strict=True)])
    crib_show = _show(CRIB, crib, starter, crib_flush=crib_flush)
    return WrittenDeal(starter, play, shows, crib_show, tuple(_points(names, starter, play, shows, crib_show)))


def _check_deck(
    kept: Sequence[tuple[Card, ...] | None], play: WrittenPlay | None, discards: Sequence[Card], starter: Card | None
) -> None:
    """Check that hands, or what was played from them, the crib and the starter can come from one deck."""
    unseen = [card for seat, hand in enumerate(kept) if play and hand is None for card in play.cards_of(seat)]
    in_hands = [card for hand in kept for card in hand or ()]
    check_pack([*in_hands, *unseen, *discards, *([] if starter is None else [starter])])


def _read_parts(text: str) -> Mapping[str, str]:
    """The text of each part by its label."""
    written = [part.strip() for part in "|".join(text.splitlines()).split(PART_ENDS)]
    pairs = [_label_and_cards(part) for part in written if part]
    labels = [label for label, _ in pairs]
    for label in labels:
        if labels.count(label) > 1:
            raise RuleError("deal_part_twice", part=label, times=labels.count(label))
    if not pairs:
        raise RuleError("deal_nothing")
    return dict(pairs)


def _label_and_cards(part: str) -> tuple[str, str]:
    label, colon, cards = part.partition(":")
    known = ", ".join(LABELS)
    if not colon:
        raise RuleError("deal_no_label", text=repr(part[:SHOWN_OF_A_WORD]), parts=known)
    label = " ".join(label.lower().split())
    if label not in LABELS:
        raise RuleError("deal_part_unknown", text=repr(label[:SHOWN_OF_A_WORD]), parts=known)
    if not cards.strip():
        raise RuleError("deal_no_cards", part=label)
    return label, cards


def _number_of_players(labels: Iterable[str]) -> int:
    """As many as the parts name, at least two."""
    return next(players for players, names in PLAYERS.items() if {*labels} <= {*names, CRIB, STARTER, PLAY})


def _kept_hands(
    names: Sequence[str],
    dealt: Sequence[tuple[Card, ...] | None],
    crib: tuple[Card, ...] | None,
    play: str | None,
    held: int,
) -> list[tuple[Card, ...] | None]:
    """The hand of each player without the discards; None if it is not given."""
    for name, cards in zip(names, dealt, strict=True):
        if cards is not None and not held <= len(cards) <= MOST_DEALT:
            raise RuleError("deal_hand_size", name=name, cards=len(cards), held=held, dealt=MOST_DEALT)
    if all(cards is None or len(cards) == held for cards in dealt):
        return list(dealt)
    played = _follow(play, [cards if cards and len(cards) == held else None for cards in dealt], held)
    return [
        None if cards is None else _keep(name, cards, crib, () if played is None else played.cards_of(seat), held)
        for seat, (name, cards) in enumerate(zip(names, dealt, strict=True))
    ]


def _keep(
    name: str, dealt: tuple[Card, ...], crib: tuple[Card, ...] | None, played: tuple[Card, ...], held: int
) -> tuple[Card, ...]:
    """The only cards of these that can have been kept, as the crib and the cards played show."""
    choices = {tuple(sorted(hand)): hand for hand in combinations(dealt, held)}
    fitting = [
        hand
        for hand in choices.values()
        if cards_left(hand, played) is not None
        and (crib is None or cards_left(crib, cards_left(dealt, hand) or ()) is not None)
    ]
    if len(fitting) != 1:
        key = "deal_kept_many" if fitting else "deal_kept_none"
        raise RuleError(key, name=name, cards=len(dealt), held=held)
    return fitting[0]


def _follow(play: str | None, hands: Sequence[tuple[Card, ...] | None], held: int) -> WrittenPlay | None:
    if play is None:
        return None
    written = [None if hand is None else _write(hand) for hand in hands]
    return _in_part(PLAY, lambda: follow_play(play, written, players=len(hands), held=held))


def _show(
    part: str, cards: tuple[Card, ...] | None, starter: Card | None, *, crib_flush: int = ALL_FIVE
) -> Show | None:
    if cards is None or starter is None:
        return None
    return _in_part(part, lambda: count_show(_write(cards), str(starter), crib=part == CRIB, crib_flush=crib_flush))


def _points(
    names: Sequence[str],
    starter: Card | None,
    play: WrittenPlay | None,
    shows: Sequence[Show | None],
    crib: Show | None,
) -> Iterator[PlayerPoints]:
    for seat, (name, show) in enumerate(zip(names, shows, strict=True)):
        deals = seat == len(names) - 1
        yield PlayerPoints(
            name,
            heels=None if starter is None else HEELS * (deals and starter.rank == JACK),
            play=None if play is None else play.state.points[seat],
            hand=None if show is None else show.points,
            crib=(None if crib is None else crib.points) if deals else 0,
        )


def _read(part: str, cards: str) -> tuple[Card, ...]:
    return _in_part(part, lambda: read_laid(cards))


def _in_part(part: str, act: Callable[[], T]) -> T:
    """Do something with a part; a refusal then names the part."""
    try:
        return act()
    except RuleError as error:
        raise RuleError("deal_part", part=part, fault=error.message) from None


def _write(cards: Sequence[Card]) -> str:
    return " ".join(map(str, cards))
