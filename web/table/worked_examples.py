"""Worked examples for the rules page: hands, plays and rulings, counted by the core when the page is rendered."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import NamedTuple

from pegboard.core.board import Game
from pegboard.core.cards.pack import RANKS, Card, Part, read_cards, read_laid
from pegboard.core.cards.play import Play, begin_play, count_each
from pegboard.core.cards.show import count_show
from pegboard.core.moves import ClaimFalsely, Score, SetPegs
from pegboard.core.position import Lane
from pegboard.core.referee import new_game, play
from pegboard.core.rules import TRIPLE, Rules

PLAYERS = ("Ann", "Bob")

SUIT_SIGNS = {"C": "\u2663", "D": "\u2666", "H": "\u2665", "S": "\u2660", "": ""}


class HandExample(NamedTuple):
    """Four cards and the starter, to be counted as a hand or a crib."""

    cards: str
    starter: str
    crib: bool = False


HANDS: Mapping[str, tuple[HandExample, ...]] = {
    "counted-cards": (HandExample("7H 8C 8D KS", "7D"),),
    "fifteen": (HandExample("5H 10C JD 3S", "2C"),),
    "pair": (HandExample("2H 2S 9C KD", "7D"),),
    "pair-royal": (HandExample("9C 9D 9H KS", "4C"),),
    "double-pair-royal": (HandExample("3C 3D 3H 3S", "9D"),),
    "run": (HandExample("7C 8D 9H KS", "2C"), HandExample("2H 3C 4D 5S", "6H")),
    "double-run": (HandExample("AH 4S 5C 6D", "6H"), HandExample("7H 7C 8D 8S", "9H")),
    "flush": (HandExample("2H 6H 8H KH", "10C"), HandExample("2H 6H 8H KH", "10H")),
    "flush-in-the-crib": (HandExample("2H 6H 8H KH", "10C", crib=True), HandExample("2H 6H 8H KH", "10H", crib=True)),
    "nobs": (HandExample("JD 2C 4S 8H", "QD"), HandExample("QD 2C 4S 8H", "JD")),
    "zero": (HandExample("2C 4D 6H 8S", "KC"),),
    "best-hand": (HandExample("5H 5C 5S JD", "5D"),),
}
"""Example hands of each rule, by its anchor."""

HANDS_OF_THREE: Mapping[str, tuple[HandExample, ...]] = {
    "counted-cards": (HandExample("7H 8C 8D", "7D"),),
    "flush": (HandExample("2H 6H KH", "10C"), HandExample("2H 6H KH", "10H")),
    "nobs": (HandExample("JD 2C 4S", "QD"), HandExample("QD 2C 4S", "JD")),
    "best-hand": (HandExample("5H 5C 5S", "5D"), HandExample("5H 5C 5S JD", "5D", crib=True)),
}
"""Example hands for five-card cribbage; for other rules, the hands of `HANDS` are cribs, which have four cards."""

PLAYS: Mapping[str, tuple[str, ...]] = {
    "play-fifteen": ("7 8",),
    "play-pair": ("K K", "8 3 8", "K Q"),
    "play-pair-royal": ("9 9 9",),
    "play-double-pair-royal": ("7 7 7 7",),
    "play-run": ("4 2 3", "5 6 6 7", "6 A 4 3 2 5"),
    "thirty-one": ("K 9 5 7",),
    "play-most": ("4 6 5", "4 5 3 3 3 7 6"),
    "low-cards": ("10 9 Q A A",),
    "lead-low": ("4 K",),
    "lead-no-five": ("5 Q",),
    "lead-a-pair": ("3 3 3",),
    "lead-to-five": ("3 K 2",),
    "not-twenty-one": ("2 3 J", "7 4 10 K"),
    "answer-runs": ("3 5 4 6",),
    "save-low": ("K 9 8 3 A",),
}
"""Example plays of each rule, by its anchor."""

PLAYS_OF_THREE: Mapping[str, tuple[str, ...]] = {"play-most": ("4 6 5", "4 5 3 3 3")}
"""Example plays for five-card cribbage if `PLAYS` has too many cards: two hands of three have at most six cards."""

GO = "go"
A_PLAY = (("8H 9S 5C KD", "7D 10H QS KC"), "8H 7D 9S go 5C 10H KD QS KC")
"""Bob's and Ann's cards, and what they play and say in turn; Ann deals."""

A_PLAY_OF_THREE = (("8H 9S 5C", "7D 10H QS"), "8H 7D 9S go 5C 10H QS")
"""The cards and the play of `A_PLAY` for five-card cribbage."""

LEAP = (Lane(front=9, rear=4), 5)
"""The pegs and points of the leapfrog example."""

MOST_SINGLE_PARTS = 5
"""Maximum parts of a count that are listed one by one; more are grouped by kind."""


class CardFace(NamedTuple):
    """The face of a card: rank, suit, the suit's symbol, and whether it is red."""

    rank: str
    suit: str
    sign: str
    red: bool


class CountedPart(NamedTuple):
    """A part of a count: its kind, cards and points, the total with it, and how many such parts it combines."""

    kind: str
    cards: tuple[CardFace, ...]
    points: int
    total: int
    times: int = 1


@dataclass(frozen=True, slots=True)
class CountedHand:
    """A hand or crib with all parts of its count."""

    cards: tuple[CardFace, ...]
    starter: CardFace
    crib: bool
    parts: tuple[CountedPart, ...]
    points: int
    spoken: str


class StepExample(NamedTuple):
    """A card or go in a play: player, card, the count with it, its scoring parts and their points."""

    player: str
    card: CardFace | None
    reached: int
    parts: tuple[CountedPart, ...]
    points: int


class Ruling(NamedTuple):
    """A false claim of game: front pegs before and after, the actual points, and the winner if the ruling ends it."""

    before: tuple[int, int]
    truly: int
    after: tuple[int, int]
    winner: str
    skunked: bool


class Loser(NamedTuple):
    """A loser next to a skunk line: the front peg, the skunk lines not passed, and what the game is worth."""

    front: int
    skunks: int
    worth: int
    whole_match: bool


def hands(anchor: str, rules: Rules) -> list[CountedHand]:
    """The example hands of a rule, under the rules of a game."""
    examples = HANDS.get(anchor, ())
    if rules.pegging_only:
        examples = HANDS_OF_THREE.get(anchor) or tuple(hand._replace(crib=True) for hand in examples)
    return [count_hand(hand, rules.crib_flush) for hand in examples]


def plays(anchor: str, rules: Rules) -> list[list[StepExample]]:
    """The example plays of a rule, with no more cards than hands have under the rules of the game."""
    examples = PLAYS.get(anchor, ())
    if rules.pegging_only:
        examples = PLAYS_OF_THREE.get(anchor, examples)
    return [list(_play_steps(cards)) for cards in examples]


def whole_play(rules: Rules) -> list[StepExample]:
    """A play of all cards with a go, scored step by step."""
    (bob, ann), words = A_PLAY_OF_THREE if rules.pegging_only else A_PLAY
    stands = begin_play(PLAYERS, [read_cards(ann), read_cards(bob)], dealer=0)
    steps = []
    for word in words.split():
        stands, step = _next_step(stands, word)
        steps.append(step)
    return steps


def leap(home: int) -> tuple[Lane, int, Lane]:
    """The pegs before the leapfrog, its points, and the pegs after it."""
    before, points = LEAP
    return before, points, before.leapfrog(points, home)


def losers(rules: Rules) -> list[Loser]:
    """The worth of the game on either side of each skunk line, highest line first."""
    holes = [hole for line in rules.skunk_lines for hole in (line + 1, line)]
    missed = [(hole, rules.skunks_of(hole)) for hole in holes]
    last, triple = len(rules.worth) - 1, rules.triple_wins_match
    return [Loser(hole, lines, rules.worth[min(lines, last)], triple and lines >= TRIPLE) for hole, lines in missed]


def false_claims(rules: Rules) -> list[Ruling]:
    """Two false claims of game, ruled on by the core; none without an opponent."""
    if rules.lanes == 1:
        return []
    two = replace(rules, seats=2, lanes=2)
    return [_rule_on(two, (11, 21), 8), _rule_on(two, (24, 16), 6)]


def count_hand(hand: HandExample, crib_flush: int) -> CountedHand:
    """The hand with all parts of its count."""
    show = count_show(hand.cards, hand.starter, crib=hand.crib, crib_flush=crib_flush)
    cards = tuple(card_face(card) for card in read_cards(hand.cards))
    starter = card_face(read_cards(hand.starter)[0])
    return CountedHand(cards, starter, hand.crib, _count_parts(show.parts), show.points, show.spoken)


def _play_steps(words: str) -> Iterator[StepExample]:
    cards = read_laid(words)
    for number, (card, after) in enumerate(zip(cards, count_each(words), strict=True)):
        yield StepExample(
            PLAYERS[(number + 1) % 2], card_face(card), after.count, _count_parts(after.parts), after.points
        )


def _next_step(stands: Play, word: str) -> tuple[Play, StepExample]:
    seat = stands.turn or 0
    card = None if word == GO else read_cards(word)[0]
    count = stands.laid.count if card is None else stands.laid.count + card.value
    after = stands.go(seat) if card is None else stands.lay(seat, card)
    parts, points = _count_parts(after.parts), sum(part.points for part in after.parts)
    return after, StepExample(PLAYERS[seat], card and card_face(card), count, parts, points)


def _count_parts(parts: Sequence[Part]) -> tuple[CountedPart, ...]:
    total, counted = 0, []
    for group in _group(parts):
        total += sum(part.points for part in group)
        kind, cards = group[0].kind.replace(" ", "-"), tuple(card_face(card) for card in group[0].cards)
        counted.append(CountedPart(kind, cards, sum(part.points for part in group), total, len(group)))
    return tuple(counted)


def _group(parts: Sequence[Part]) -> list[list[Part]]:
    """Each part by itself, or grouped by kind if there are many."""
    if len(parts) <= MOST_SINGLE_PARTS:
        return [[part] for part in parts]
    return [list(group) for _, group in groupby(parts, key=lambda part: part.kind)]


def card_face(card: Card) -> CardFace:
    """The face of a card as the page draws it."""
    return CardFace(RANKS[card.rank - 1], card.suit, SUIT_SIGNS[card.suit], card.suit in ("D", "H"))


def _rule_on(rules: Rules, short: tuple[int, int], truly: int) -> Ruling:
    """The ruling if Ann pegs out with `truly` points; she needs `short[0]` holes to win, and Bob needs `short[1]`."""
    ann, bob = (rules.game_hole - holes for holes in short)
    game = play(play(new_game(rules, PLAYERS), SetPegs(0, ann, ann - 1)), SetPegs(1, bob, bob - 1))
    game = play(game, Score(short[0], 0))
    after = play(game, ClaimFalsely(len(game.entries), truly, short[0]))
    return Ruling((ann, bob), truly, (after.lanes[0].front, after.lanes[1].front), *_winner(after))


def _winner(game: Game) -> tuple[str, bool]:
    if game.outcome is None or game.outcome.winner is None:
        return "", False
    return PLAYERS[game.outcome.winner], any(game.outcome.skunks)
