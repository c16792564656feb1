"""The API that counts cards: a hand by its ranks or cards, and the play of a deal; nothing is scored."""

from collections.abc import Iterable, Mapping

from flask import Response, request
from marshmallow import Schema, fields, validate

from pegboard.core.cards.pack import RANKS, Kind
from pegboard.core.cards.show import ALL_FIVE
from pegboard.core.rules import CRIB_FLUSHES
from web.access import sessions
from web.api.contract.documented_endpoints import ANY_REFUSALS, DocumentedBlueprint, Parameter, ResponseDoc
from web.api.contract.schema_fields import boolean, integer, integers, quote, string, unknown_field
from web.api.contract.strict_json import json_response
from web.api.count_answers import count_by_cards, count_by_ranks, count_values, play_so_far, play_values
from web.api.program_parts import parts
from web.http.problems import Problem

counting = DocumentedBlueprint("counting", "Count a hand or follow the play; nothing is scored.")

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
    "players": _one_of((2, 3, 4), "number of players; default: 2"),
    "dealer": _one_of((0, 1, 2, 3), "the dealer's seat; the next seat leads; default: 0"),
    "held": _one_of((3, 4), "cards in each hand: 3 in five-card; default: 4"),
    "laid": Parameter("the cards played so far, in order, with `go` for each go", example="4,5,3,3,3,7,6"),
}


def _kind() -> fields.String:
    return string("the kind of score", validate=validate.OneOf([str(kind) for kind in Kind]))


class PartSchema(Schema):
    """Some cards of a hand that score together."""

    kind = _kind()
    cards = integers("the positions of its cards: 0 to 3 in the hand, 4 for the starter (0 to 2 and 3 in five-card)")
    points = integer("its points")
    total = integer("the running total, with these points")
    said = string("the words said, with that total")


class NoAnswerSchema(Schema):
    """An answer that is impossible with these ranks."""

    answer = integer("the answer")
    code = string("a stable word for the reason")
    why = string("the reason in words")


class SuitQuestionSchema(Schema):
    """A question about suits, and its answer."""

    asked = boolean("whether the ranks leave the question open")
    answer = integer("the answer used for the count")
    points = integer("its points")
    closed = fields.List(fields.Nested(NoAnswerSchema), required=True, metadata={"description": "impossible answers"})
    code = string("a stable word for the reason, if the answer scores nothing although it could", allow_none=True)
    why = string("that reason in words", allow_none=True)


class CountSchema(Schema):
    """A hand or crib, counted."""

    points = integer("0 to 29")
    spoken = string("the count as players say it, a double run in one breath")
    parts = fields.List(
        fields.Nested(PartSchema), required=True, metadata={"description": "the scores, in counting order"}
    )
    flush = fields.Nested(SuitQuestionSchema, required=True)
    nobs = fields.Nested(SuitQuestionSchema, required=True)


class PlayPartSchema(Schema):
    """Some cards of the play that score together."""

    kind = _kind()
    cards = integers("the positions of its cards among the steps")
    points = integer("its points")
    said = string("the words said")


class StepSchema(Schema):
    """A card laid, or a go said."""

    act = string('the card, or "go"')
    seat = integer("the player's seat")
    count = integer("the count after it, at most 31")
    anew = boolean("whether the count ends here; the next card, if any, then starts a new one")
    to = integer("the seat that scores, if any", allow_none=True)
    points = integer("its points")
    parts = fields.List(fields.Nested(PlayPartSchema), required=True, metadata={"description": "what scores"})


class NoRankSchema(Schema):
    """A rank that cannot be laid now."""

    rank = string("the rank", validate=validate.OneOf(RANKS))
    code = string("a stable word for the reason")
    why = string("the reason in words")


class PlaySchema(Schema):
    """The play of a deal as it stands."""

    count = integer("the count that the next card adds to")
    turn = integer("the seat to play a card or say go; null after the last card", allow_none=True)
    held = integers("by seat: cards still held")
    gone = integers("the seats that said go in this count")
    points = integers("by seat: points scored in this play")
    may_go = boolean("whether a go is possible now")
    no_go = string("why it is not", allow_none=True)
    closed = fields.List(
        fields.Nested(NoRankSchema), required=True, metadata={"description": "the ranks that cannot be played now"}
    )
    over = boolean("whether every card has been played")
    steps = fields.List(
        fields.Nested(StepSchema), required=True, metadata={"description": "every card played and go said"}
    )


COUNT_EXAMPLE = count_values(count_by_ranks("A 4 5 6", "6", flush=0, nobs=None, crib=False))
PLAY_EXAMPLE = play_values(*play_so_far(2, 0, 4, "4 5 3 3 3 7 6"))


@counting.view(
    "GET",
    "/count",
    answers={200: ResponseDoc("The points of the hand", CountSchema, COUNT_EXAMPLE)},
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
    answers={200: ResponseDoc("The current play", PlaySchema, PLAY_EXAMPLE)},
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
    """While a game of an event is played, its players count by themselves.

    Raises:
        Problem: 403, one is, and no director asks.
    """
    game = parts().scoreboard.view.game
    if game.pairing and game.outcome is None and not sessions.is_director(request):
        raise Problem(403, "role", "card_in_event")


def _query(known: Iterable[str], what: str) -> dict[str, str]:
    """The fields of the query.

    Raises:
        Problem: 422, one is unknown or there twice.
    """
    for name, values in request.args.lists():
        if name not in known:
            raise unknown_field(name, known, what)
        if len(values) > 1:
            raise Problem(422, "shape", "field_twice", field=name, times=len(values))
    return request.args.to_dict()


def _check_alone(query: dict[str, str]) -> None:
    """Where `cards` name the suits, nothing else may say something about them."""
    beside = [name for name in ("ranks", "flush", "nobs") if name in query]
    if beside:
        raise Problem(422, "shape", "field_beside_cards", field=beside[0])


def _choice(query: dict[str, str], name: str, known: Mapping[str, Parameter]) -> int | None:
    """The field `name`, one of the numbers that its documentation lists; None where it is left out."""
    value, choices = query.get(name), list(map(str, known[name].schema["enum"]))
    if value is not None and value not in choices:
        raise Problem(422, "shape", "field_choice", field=name, choices=", ".join(choices), value=quote(value))
    return None if value is None else int(value)
