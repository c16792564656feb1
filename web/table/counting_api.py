"""API for counting cards: a hand by ranks or cards, and the play of a deal; no peg moves."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Annotated, Any, TypedDict

from flask import Response, request

from pegboard.core.cards.pack import JACK, RANKS, SUITS, Card, Kind, Part, read_cards, read_ranks
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
from pegboard.core.cards.written_play import GO, read_play
from pegboard.core.rules import CRIB_FLUSHES
from pegboard.errors import RuleError
from pegboard.values import Takes, strict
from web.access import sessions
from web.http.problems import Problem
from web.kit.documented_endpoints import (
    ANY_REFUSALS,
    DocumentedBlueprint,
    Parameter,
    ResponseDoc,
    json_response,
    quote,
    unknown_field,
)
from web.table.program_parts import parts

# --- counting: a hand by its ranks or cards, and a play by the cards played, as JSON-ready values ---


_SETTLED = Question(is_open=False, answers=NOBS, closed=())
"""A question that is not open, because the suits are known."""


# --- the show ---


@dataclass(frozen=True, slots=True)
class Count:
    """A counted hand or crib, with the two questions about its suits.

    Attributes:
        show: the hand with its score; a flush of four in a crib scores nothing.
        crib: whether it is the crib.
        flush: number of cards in the flush, even if the flush scores nothing.
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
        ranks: four ranks, such as `A 4 5 6`, or three for a hand in five-card cribbage.
        starter: one rank; None counts only the four cards.
        flush: number of cards in a flush: 0, 4 or 5, with three cards 3 or 4. A crib may have a flush of four, which
            scores nothing unless `crib_flush` is 4. None for the smallest possible number.
        nobs: 1 if the hand has the jack of the starter's suit, else 0; None for 0 if that is possible.
        crib: whether it is the crib.
        crib_flush: cards of one suit for a flush in the crib: 5, or 4 as a house rule.

    Raises:
        RuleError: the ranks cannot be counted (see `count_ranks`), or a crib has no starter or only three cards.
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
        RuleError: the cards cannot be counted (see `count_show`).
    """
    read_cards(f"{cards} {starter or ''}")  # programs must name every suit
    show = count_show(cards, starter, crib=crib, crib_flush=crib_flush)
    return Count(show, crib, flush_points(show.hand, show.starter), _SETTLED, _SETTLED)


def _check_crib(cards: int, starter: object, *, crib: bool) -> None:
    if crib and cards == HAND_OF_FIVE_CARDS:
        raise RuleError("card_crib_of_four", cards=cards)
    if crib and starter is None:
        raise RuleError("card_crib_starter")


def count_values(count: Count) -> dict[str, Any]:
    """The count as JSON-ready values; cards are given by position: 0 to 3 in a hand of four, then the starter."""
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
    """The positions of each part's cards, low cards first; cards of equal rank differ in their positions."""
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
    """The reason if a flush of four scores nothing in the crib, as code and sentence; else None for both."""
    starter = count.show.starter
    if not (count.crib and count.flush > count.show.flush and starter is not None):
        return {"code": None, "why": None}
    why = f"no flush: in the crib all five must be one suit, and the {rank_word(starter)} is not"
    return {"code": "crib", "why": why}


# --- the play ---


@dataclass(frozen=True, slots=True)
class PlayStep:
    """A card played, or a go.

    Attributes:
        act: the card, or None for a go.
        seat: the player's seat.
        count: the count after the card or go, before the count starts over.
        after: the play after the card or go.
        pile: the positions among the steps of the cards in this count.
    """

    act: Card | None
    seat: int
    count: int
    after: Play
    pile: tuple[int, ...]


def play_so_far(players: int, dealer: int, cards: int, laid: str) -> tuple[Play, tuple[PlayStep, ...]]:
    """The current state of a deal's play, with all its steps.

    Args:
        players: the number of players, two to six.
        dealer: the seat that deals, from 0.
        cards: cards in each hand: four, or three in five-card cribbage.
        laid: ranks or cards in the order of play, with `go` for each go; empty before the first.

    Raises:
        RuleError: there is no such play, a word is neither a card nor `go`, or that card or go is not possible at that
            point; the message says which.
    """
    play = begin_play([f"seat {seat}" for seat in range(players)], [cards] * players, dealer=dealer)
    steps: list[PlayStep] = []
    pile: tuple[int, ...] = ()
    for card in read_play(laid):
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
    """The play as JSON-ready values; a part's cards are given by their positions among the steps."""
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
    """The values of a part; all its cards are at the end of the pile."""
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
    """The reason why nobody may say go now; None if the player whose turn it is may."""
    try:
        play.go(play.turn or 0)
    except RuleError as error:
        return str(error)
    return None


def _ranks_closed(play: Play) -> Iterator[dict[str, Any]]:
    """The ranks that cannot be played now."""
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


counting = DocumentedBlueprint("counting", "Count a hand or follow the play; no peg moves.")

REFUSES = (*ANY_REFUSALS, "shape", "rule", "role")


def _one_of(numbers: Iterable[int], sentence: str) -> Parameter:
    return Parameter(sentence, {"type": "integer", "enum": list(numbers)})


COUNT_QUERY = {
    "ranks": Parameter(
        "the hand's four ranks (three in five-card); required unless `cards` is given", example="A,4,5,6"
    ),
    "cards": Parameter("the same cards with their suits, such as 5H,5C,5S,JD"),
    "starter": Parameter("the starter, in the same form; leave it out to count four cards alone", example="6"),
    "flush": _one_of((0, 3, 4, 5), "with `ranks`: cards in the flush; default: the smallest possible"),
    "nobs": _one_of((0, 1), "with `ranks`: 1 if the hand has the jack of the starter's suit; default: 0 if possible"),
    "crib": _one_of((0, 1), "1 for the crib; default: a hand"),
    "crib_flush": _one_of(CRIB_FLUSHES.values(), "4 if four cards of a suit are a flush in the crib; default: 5"),
}

PLAY_QUERY = {
    "players": _one_of((2, 3, 4, 5, 6), "number of players; default: 2"),
    "dealer": _one_of((0, 1, 2, 3, 4, 5), "the dealer's seat; the next seat leads; default: 0"),
    "held": _one_of((3, 4), "cards in each hand: 3 in five-card; default: 4"),
    "laid": Parameter("the cards played so far, in order, with `go` for each go", example="4,5,3,3,3,7,6"),
}


@strict
class PartJson(TypedDict):
    """Cards of a hand that score together."""

    kind: Annotated[Kind, "the kind of score"]
    cards: Annotated[
        list[int], "the positions of its cards: 0 to 3 in the hand, 4 for the starter (0 to 2 and 3 in five-card)"
    ]
    points: Annotated[int, "its points"]
    total: Annotated[int, "the running total, with these points"]
    said: Annotated[str, "the words said, with that total"]


@strict
class NoAnswerJson(TypedDict):
    """An answer that is impossible with these ranks."""

    answer: Annotated[int, "the answer"]
    code: Annotated[str, "a stable word for the reason"]
    why: Annotated[str, "the reason in words"]


@strict
class SuitQuestionJson(TypedDict):
    """A question about suits, and its answer."""

    asked: Annotated[bool, "whether the ranks leave the question open"]
    answer: Annotated[int, "the answer used for the count"]
    points: Annotated[int, "its points"]
    closed: Annotated[list[NoAnswerJson], "impossible answers"]
    code: Annotated[str | None, "a stable word for the reason, if the answer scores nothing although it could"]
    why: Annotated[str | None, "that reason in words"]


@strict
class CountJson(TypedDict):
    """A hand or crib, counted."""

    points: Annotated[int, "0 to 29"]
    spoken: Annotated[str, "the count as players say it, a double run in one breath"]
    parts: Annotated[list[PartJson], "the scores, in counting order"]
    flush: SuitQuestionJson
    nobs: SuitQuestionJson


@strict
class PlayPartJson(TypedDict):
    """Cards of the play that score together."""

    kind: Annotated[Kind, "the kind of score"]
    cards: Annotated[list[int], "the positions of its cards among the steps"]
    points: Annotated[int, "its points"]
    said: Annotated[str, "the words said"]


@strict
class StepJson(TypedDict):
    """A card played, or a go."""

    act: Annotated[str, 'the card, or "go"']
    seat: Annotated[int, "the player's seat"]
    count: Annotated[int, "the count after it, at most 31"]
    anew: Annotated[bool, "whether the count ends here; the next card, if any, then starts a new one"]
    to: Annotated[int | None, "the seat that scores, if any"]
    points: Annotated[int, "its points"]
    parts: Annotated[list[PlayPartJson], "the scores of this step"]


@strict
class NoRankJson(TypedDict):
    """A rank that cannot be played now."""

    rank: Annotated[str, Takes(words="the rank", one_of=tuple(RANKS))]
    code: Annotated[str, "a stable word for the reason"]
    why: Annotated[str, "the reason in words"]


@strict
class PlayJson(TypedDict):
    """The current play of a deal."""

    count: Annotated[int, "the count that the next card adds to"]
    turn: Annotated[int | None, "the seat to play a card or say go; null after the last card"]
    held: Annotated[list[int], "by seat: cards still held"]
    gone: Annotated[list[int], "the seats that said go in this count"]
    points: Annotated[list[int], "by seat: points scored in this play"]
    may_go: Annotated[bool, "whether a go is possible now"]
    no_go: Annotated[str | None, "why a go is not possible now; null if it is possible"]
    closed: Annotated[list[NoRankJson], "the ranks that cannot be played now"]
    over: Annotated[bool, "whether every card has been played"]
    steps: Annotated[list[StepJson], "every card played and go said"]


COUNT_EXAMPLE = count_values(count_by_ranks("A 4 5 6", "6", flush=0, nobs=None, crib=False))

PLAY_EXAMPLE = play_values(*play_so_far(2, 0, 4, "4 5 3 3 3 7 6"))


@counting.view(
    "GET",
    "/count",
    answers={200: ResponseDoc("The points of the hand", CountJson, COUNT_EXAMPLE)},
    refuses=REFUSES,
    query=COUNT_QUERY,
)
def count() -> Response:
    """Count a hand or crib.

    Ranks are usually enough; the response says which questions about suits remain open and which answers it used.
    """
    _refuse_in_event()
    query = _query(COUNT_QUERY, "a count")
    starter = query.get("starter")
    crib, nobs = bool(_choice(query, "crib", COUNT_QUERY)), _choice(query, "nobs", COUNT_QUERY)
    flush, crib_flush = _choice(query, "flush", COUNT_QUERY), _choice(query, "crib_flush", COUNT_QUERY) or ALL_FIVE
    if "cards" in query:
        _check_alone(query)
        return json_response(count_values(count_by_cards(query["cards"], starter, crib=crib, crib_flush=crib_flush)))
    ranks = query.get("ranks")
    if ranks is None:
        raise Problem(422, "shape", "ranks_missing")
    count = count_by_ranks(ranks, starter, flush=flush, nobs=nobs, crib=crib, crib_flush=crib_flush)
    return json_response(count_values(count))


@counting.view(
    "GET",
    "/play",
    answers={200: ResponseDoc("The current play", PlayJson, PLAY_EXAMPLE)},
    refuses=REFUSES,
    query=PLAY_QUERY,
)
def play() -> Response:
    """Follow the play of a deal.

    The response has the count, whose turn it is, the points of every card, and the ranks that cannot be played now.
    """
    _refuse_in_event()
    query = _query(PLAY_QUERY, "a play")
    players, held = _choice(query, "players", PLAY_QUERY) or 2, _choice(query, "held", PLAY_QUERY) or 4
    dealer = _choice(query, "dealer", PLAY_QUERY) or 0
    return json_response(play_values(*play_so_far(players, dealer, held, query.get("laid", ""))))


def _refuse_in_event() -> None:
    """Refuse to count during a game of an event, whose players must count themselves.

    Raises:
        Problem: 403, such a game is running, and the client is not a director.
    """
    game = parts().scoreboard.view.game
    if game.pairing and game.outcome is None and not sessions.is_director(request):
        raise Problem(403, "role", "card_in_event")


def _query(known: Iterable[str], what: str) -> dict[str, str]:
    """The query parameters.

    Raises:
        Problem: 422, a parameter is unknown or repeated.
    """
    for name, values in request.args.lists():
        if name not in known:
            raise unknown_field(name, known, what)
        if len(values) > 1:
            raise Problem(422, "shape", "field_twice", field=name, times=len(values))
    return request.args.to_dict()


def _check_alone(query: dict[str, str]) -> None:
    """Check that a query with `cards`, which names the suits, has no parameter for ranks, flush or nobs as well."""
    beside = [name for name in ("ranks", "flush", "nobs") if name in query]
    if beside:
        raise Problem(422, "shape", "field_beside_cards", field=beside[0])


def _choice(query: dict[str, str], name: str, known: Mapping[str, Parameter]) -> int | None:
    """The parameter `name`, one of the numbers in its documentation; None if missing."""
    value, choices = query.get(name), list(map(str, known[name].schema["enum"]))
    if value is not None and value not in choices:
        raise Problem(422, "shape", "field_choice", field=name, choices=", ".join(choices), value=quote(value))
    return None if value is None else int(value)
