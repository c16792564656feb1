"""The API of statistics: all finished games added up, for each player and each pair of players."""

import re
from datetime import UTC, datetime
from decimal import Decimal

from flask import Response, request
from marshmallow import Schema, fields

from pegboard.core import view_as_json
from pegboard.core.rules import VARIANTS
from pegboard.storage.statistics import StatisticsQuery
from web.api.conditional_responses import ETAG, respond_unless_known
from web.api.contract.documented_endpoints import DocumentedBlueprint, Parameter, ResponseDoc
from web.api.contract.games import AVERAGES, CountedHandSchema, LaneFiguresSchema, LeftOutSchema
from web.api.contract.schema_fields import decimal, integer, integers, list_of, quote, string, strings
from web.api.games import JOURNAL_REFUSALS, PLAYER
from web.api.program_parts import parts
from web.http.problems import Problem

statistics = DocumentedBlueprint("statistics", tag="history")

STATISTICS = "/api/v1/stats"
"""The path that takes longest to answer."""

LATEST = 4_102_444_800
"""Seconds since 1970 of the last moment that is accepted: the beginning of 2100."""


class SkunksSchema(Schema):
    """Skunks, double skunks and triple skunks."""

    given = integers("skunks given to losers: single, double, triple")
    taken = integers("skunks taken as the loser: single, double, triple")


class MatchesSchema(Schema):
    """Matches that were decided."""

    played = integer("number of decided matches")
    won = integer("number won")


class FirstDealerSchema(Schema):
    """Games that began with their deal."""

    games = integer("number of games dealt first")
    won = integer("number won")


class HungHandSchema(CountedHandSchema):
    """A hand or crib of some game."""

    points = integer("its points")
    game = string("the game's id")
    at = decimal("start of the game, in seconds since 1970")


class OnTheWallSchema(HungHandSchema):
    """A hand of 24, 28 or 29."""

    names = strings("the player, or both partners")


class SolitaireSchema(Schema):
    """Games played alone."""

    games = integer("number of games")
    won = integer("games that reached hole 91")
    greater = integer("games that reached the game hole")
    best = integer("the farthest hole")
    average = decimal("the average hole")


class PlayerSchema(LaneFiguresSchema):
    """One player, or two who were partners, in all games together."""

    names = strings("one name, or two partners' names")
    games = integer("finished games, without solitaire")
    won = integer("games won")
    lost = integer("games lost")
    skunks = fields.Nested(SkunksSchema, required=True)
    streak = integer("length of the current winning streak; negative for a losing streak")
    longest = integer("longest winning streak")
    points = integer("match points")
    spread = integer("holes won minus holes lost")
    matches = fields.Nested(MatchesSchema, required=True)
    first_dealer = fields.Nested(FirstDealerSchema, required=True)
    best_hands = list_of(HungHandSchema, "at most 5, best first")
    wall = fields.Dict(
        keys=fields.String(),
        values=fields.Integer(),
        required=True,
        metadata={"description": "number of hands of 24, 28 and 29"},
    )
    left_out = fields.Nested(LeftOutSchema, required=True)
    solitaire = fields.Nested(SolitaireSchema, required=True, allow_none=True)


class MeetingSchema(Schema):
    """Two who met."""

    names = fields.List(
        fields.List(fields.String()), required=True, metadata={"description": "the names of both sides"}
    )
    games = integer("number of games")
    won = integers("games won by each side; in a three-player game the third player can win instead")
    spread = integer("holes the first side is ahead over all games")


class NotCountedSchema(Schema):
    """Games that count for nothing."""

    games_given_up = integer("abandoned games")
    games_unfinished = integer("unfinished games")


class StatisticsSchema(Schema):
    """Statistics of finished games."""

    games = integer("number of games")
    players = list_of(PlayerSchema, "most games first, at most 100")
    more = integer("number of players not in that list")
    head_to_head = list_of(MeetingSchema, "most games first, at most 200")
    wall = list_of(OnTheWallSchema, "hands of 28 and 29, then of 24, newest first, at most 50")
    left_out = fields.Nested(NotCountedSchema, required=True)


_HAND = {"points": 24, "why": "hand", "game": "5b0e7c1f92aa", "deal": 5, "at": 1795000000.0, "sure": 1.0}

SOME_STATISTICS = {
    "games": 200,
    "players": [
        {"names": ["Ann"], "games": 200, "won": 104, "lost": 96, "streak": 3, "longest": 9, "points": 118}
        | {"skunks": {"given": [12, 1, 0], "taken": [9, 0, 0]}, "spread": 340, "matches": {"played": 12, "won": 7}}
        | AVERAGES
        | {"first_dealer": {"games": 98, "won": 55}, "best_hands": [_HAND], "wall": {"24": 1, "28": 0, "29": 0}}
        | {"left_out": {"unfinished": 200, "unknown": 14, "points": 122}, "solitaire": None}
    ],
    "more": 0,
    "head_to_head": [{"names": [["Ann"], ["Bob"]], "games": 200, "won": [104, 96], "spread": 340}],
    "wall": [_HAND | {"names": ["Ann"]}],
    "left_out": {"games_given_up": 3, "games_unfinished": 1},
}


@statistics.view(
    "GET",
    "/stats",
    answers={200: ResponseDoc("Statistics of finished games", StatisticsSchema, SOME_STATISTICS, headers=ETAG)},
    refuses=(*JOURNAL_REFUSALS, "shape"),
    query={
        "player": PLAYER,
        "since": Parameter("seconds since 1970, or a day such as 2026-01-31 (UTC); only games started since then"),
        "variant": Parameter("the name of a variant", {"type": "string", "enum": list(VARIANTS)}),
    },
)
def show_statistics() -> Response:
    """Statistics of finished games."""
    query = StatisticsQuery(request.args.get("player"), _since(), _variant())
    return respond_unless_known(
        parts().scoreboard.history.statistics_revision(), lambda: parts().scoreboard.history.statistics(query)
    )


def _variant() -> str | None:
    variant = request.args.get("variant")
    if variant is not None and variant not in VARIANTS:
        raise Problem(422, "shape", "field_choice", field="variant", choices=", ".join(VARIANTS), value=quote(variant))
    return variant


def _since() -> int | None:
    """In nanoseconds since 1970."""
    since = request.args.get("since")
    if since is None:
        return None
    seconds: Decimal | None = None
    if re.fullmatch(r"[0-9]{1,10}(\.[0-9]{1,9})?", since, re.ASCII):
        seconds = Decimal(since)  # a float has no room for nanoseconds
    elif re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", since, re.ASCII):
        seconds = _day(since)
    if seconds is None or not 0 <= seconds <= LATEST:
        raise Problem(422, "shape", "since", value=quote(since))
    return int(seconds * view_as_json.NANOSECONDS)


def _day(day: str) -> Decimal | None:
    try:
        return Decimal(datetime.strptime(day, "%Y-%m-%d").replace(tzinfo=UTC).timestamp())
    except ValueError:
        return None
