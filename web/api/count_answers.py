"""Counting for the API: a hand by its ranks or cards, and a play by the cards laid, as JSON-ready values."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Any

from pegboard.core.cards.pack import JACK, RANKS, SUITS, Card, Kind, Part, read_cards, read_laid, read_ranks
from pegboard.core.cards.play import THIRTY_ONE, Play, begin_play, message_past_thirty_one
from pegboard.core.cards.show import (
    ALL_FIVE,
    HAND_OF_FIVE_CARDS,
    NOBS,
    NUMBERS,
    Question,
    Show,
    count_ranks,
    count_show,
    flush_points,
    flush_question,
    nobs_question,
    rank_parts,
    rank_word,
)
from pegboard.errors import RuleError

GO = "go"
"""Stands among the cards laid where a player has said go."""

_SETTLED = Question(is_open=False, answers=NOBS, closed=())
"""There is no question where the suits are known."""


# --- the show ---


@dataclass(frozen=True, slots=True)
class Count:
    """A counted hand or crib, with the two questions about its suits.

    Attributes:
        show: the hand with what it scores; a flush of four in a crib scores nothing.
        crib: whether it is the crib.
        flush: how many cards its flush has, whether that scores or not.
        flush_query: the question about the flush.
        nobs_query: the question about the jack of the starter's suit.
    """

    show: Show
    crib: bool
    flush: int
    flush_query: Question
    nobs_query: Question


def count_by_ranks(
    ranks: str,
    starter: str | None,
    *,
    flush: int | None,
    nobs: int | None,
    crib: bool,
    crib_flush: int = ALL_FIVE,
) -> Count:
    """Count a hand or crib by its ranks.

    Args:
        ranks: four ranks, such as `A 4 5 6`, or three of a hand in the game of five cards.
        starter: one rank; None counts four cards alone.
        flush: of how many cards there is a flush, 0, 4 or 5, of three cards 3 or 4; a crib may have one of four, which
            scores nothing there unless `crib_flush` is 4. None takes the plainest answer that can be.
        nobs: 1 where the hand has the jack of the starter's suit, else 0; None as in `flush`.
        crib: whether it is the crib.
        crib_flush: cards of one suit that are a flush there: 5, or 4 where the house counts its four.

    Raises:
        RuleError: as `count_ranks`, or a crib is counted without the starter.
    """
    hand, cut = read_ranks(ranks), None if starter is None else read_ranks(starter)[:1]
    _check_crib(len(hand), cut, crib=crib)
    turned = cut[0] if cut else None
    flush_query = flush_question(hand, turned)
    flush = flush_query.first if flush is None else flush
    nobs_query = nobs_question(hand, turned, flush=flush)
    nobs = nobs_query.first if nobs is None else nobs
    show = count_ranks(ranks, starter, flush=flush, nobs=bool(nobs))
    if crib and 0 < flush < crib_flush:
        show = replace(show, flush=0)
    return Count(show, crib, flush, flush_query, nobs_query)


def count_by_cards(cards: str, starter: str | None, *, crib: bool, crib_flush: int = ALL_FIVE) -> Count:
    """Count a hand or crib whose suits are known.

    Raises:
        RuleError: as `count_show`.
    """
    read_cards(f"{cards} {starter or ''}")  # a program names every suit
    show = count_show(cards, starter, crib=crib, crib_flush=crib_flush)
    return Count(show, crib, flush_points(show.hand, show.starter), _SETTLED, _SETTLED)


def _check_crib(cards: int, starter: object, *, crib: bool) -> None:
    if crib and cards == HAND_OF_FIVE_CARDS:
        raise RuleError("card_crib_of_four", cards=cards)
    if crib and starter is None:
        raise RuleError("card_crib_starter")


def count_values(count: Count) -> dict[str, Any]:
    """The count as JSON-ready values; a card is given by its place: 0 to 3 in a hand of four, then the starter."""
    show = count.show
    return {
        "points": show.points,
        "spoken": show.spoken,
        "parts": list(_parts(show)),
        "flush": _question(count.flush_query, count.flush, show.flush) | _crib_flush(count),
        "nobs": _question(count.nobs_query, int(show.nobs), int(show.nobs)) | {"code": None, "why": None},
    }


def _parts(show: Show) -> Iterator[dict[str, Any]]:
    totals = accumulate(part.points for part in show.parts)
    for part, places, total, phrase in zip(show.parts, _places(show), totals, show.phrases, strict=True):
        yield {"kind": part.kind, "cards": places, "points": part.points, "total": total, "said": phrase}


def _places(show: Show) -> Iterator[list[int]]:
    """The places of each part's cards, low cards first: cards of equal rank differ in their place."""
    cards = show.hand if show.starter is None else (*show.hand, show.starter)
    numbered = sorted(Card(card.rank, str(place)) for place, card in enumerate(cards))
    for part in rank_parts(numbered):
        yield [int(card.suit) for card in part.cards]
    if show.flush:
        yield list(range(show.flush))
    if show.nobs and show.starter is not None:
        yield [show.hand.index(Card(JACK, show.starter.suit))]


def _question(question: Question, answer: int, points: int) -> dict[str, Any]:
    return {
        "asked": question.is_open,
        "answer": answer,
        "points": points,
        "closed": [one._asdict() for one in question.closed],
    }


def _crib_flush(count: Count) -> dict[str, Any]:
    """Why a flush of four scores nothing in the crib."""
    starter = count.show.starter
    if not (count.crib and count.flush > count.show.flush and starter is not None):
        return {"code": None, "why": None}
    why = f"no flush: in the crib all five must be one suit, and the {rank_word(starter)} is not"
    return {"code": "crib", "why": why}


# --- the play ---


@dataclass(frozen=True, slots=True)
class PlayStep:
    """A card laid, or a go said.

    Attributes:
        act: the card, or None for a go.
        seat: who laid or said it.
        count: the count with it, before that begins anew.
        after: the play after it.
        pile: places among the steps of the cards of this count.
    """

    act: Card | None
    seat: int
    count: int
    after: Play
    pile: tuple[int, ...]


def play_so_far(players: int, dealer: int, cards: int, laid: str) -> tuple[Play, tuple[PlayStep, ...]]:
    """The play of a deal as it stands, with each step that led there.

    Args:
        players: two to four.
        dealer: the seat that deals, from 0.
        cards: how many each player holds: four, or three in five-card.
        laid: ranks or cards in the order of play, and `go` where somebody said it; empty before the first.

    Raises:
        RuleError: there is no such play, a word is neither a card nor `go`, or it cannot be done then; the sentence
            names it.
    """
    play = begin_play([f"seat {seat}" for seat in range(players)], [cards] * players, dealer=dealer)
    steps: list[PlayStep] = []
    pile: tuple[int, ...] = ()
    for word in laid.replace(",", " ").split():
        card = None if word.lower() == GO else read_laid(word)[0]
        step = _step(play, card, pile, len(steps))
        pile = step.pile if step.after.laid.cards else ()
        play = step.after
        steps.append(step)
    return play, tuple(steps)


def _step(play: Play, card: Card | None, pile: tuple[int, ...], place: int) -> PlayStep:
    seat, count = play.turn, play.laid.count
    if seat is None:
        raise RuleError("play_over")
    if card is None:
        return PlayStep(None, seat, count, play.go(seat), pile)
    return PlayStep(card, seat, count + card.value, play.lay(seat, card), (*pile, place))


def play_values(play: Play, steps: Sequence[PlayStep]) -> dict[str, Any]:
    """The play as JSON-ready values; the cards of a part are given by their places among the steps."""
    no_go = _why_no_go(play)
    return {
        "count": play.laid.count,
        "turn": play.turn,
        "held": [hand.cards_left for hand in play.hands],
        "gone": sorted(play.gone),
        "points": list(play.points),
        "may_go": no_go is None,
        "no_go": no_go,
        "closed": list(_ranks_closed(play)),
        "over": play.over,
        "steps": [_step_values(step) for step in steps],
    }


def _step_values(step: PlayStep) -> dict[str, Any]:
    parts = step.after.parts
    return {
        "act": GO if step.act is None else str(step.act),
        "seat": step.seat,
        "count": step.count,
        "anew": step.after.over or not step.after.laid.cards,
        "to": step.after.last,
        "points": sum(part.points for part in parts),
        "parts": [_part_values(part, step.pile) for part in parts],
    }


def _part_values(part: Part, pile: Sequence[int]) -> dict[str, Any]:
    """All of a part's cards lie at the end of the pile."""
    places = pile[-len(part.cards) :]
    return {"kind": part.kind, "cards": list(places), "points": part.points, "said": _part_words(part)}


def _part_words(part: Part) -> str:
    number = NUMBERS[part.points]
    match part.kind:
        case Kind.FIFTEEN:
            return f"fifteen {number}"
        case Kind.GO | Kind.LAST_CARD:
            return f"{number} for {'the go' if part.kind == Kind.GO else 'last card'}"
        case Kind.RUN:
            return f"a run of {number}"
        case Kind.THIRTY_ONE:
            return f"thirty-one for {number}"
    return f"a {part.kind} for {number}"


def _why_no_go(play: Play) -> str | None:
    """Why nobody may say go now; None where the player in turn may."""
    try:
        play.go(play.turn or 0)
    except RuleError as error:
        return str(error)
    return None


def _ranks_closed(play: Play) -> Iterator[dict[str, Any]]:
    """The ranks that cannot be laid now."""
    known = [card.rank for card in (*play.turned, *play.laid.cards)]
    for rank, name in enumerate(RANKS, 1):
        card = Card(rank, "")
        count = play.laid.count + card.value
        if play.over:
            yield {"rank": name, "code": "over", "why": "the play is over: all cards have been played"}
        elif known.count(rank) == len(SUITS):
            yield {"rank": name, "code": "all_laid", "why": "all four cards of this rank are played"}
        elif count > THIRTY_ONE:
            yield {"rank": name, "code": "passes", "why": message_past_thirty_one(card, count)}
