"""The API of games and statistics: the list of games, and one game with its score sheet and statistics."""

import re
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, ClassVar

from flask import Response, request
from marshmallow import Schema, fields

from pegboard.core import view_as_json
from pegboard.core.command_fields import GAME_ID
from pegboard.core.names import LONGEST_NAME
from pegboard.core.rules import VARIANTS
from pegboard.storage.statistics import StatisticsQuery
from web.http.problems import Problem
from web.kit.documented_endpoints import (
    ANY_REFUSALS,
    DocumentedBlueprint,
    Parameter,
    ResponseDoc,
    boolean,
    decimal,
    integer,
    integers,
    list_of,
    quote,
    string,
    strings,
)
from web.table.openapi_document import STATE
from web.table.program_parts import ETAG, parts, respond_unless_known
from web.table.schemas import EntrySchema, RulesSchema

# --- schemas of the list of games and of one game, with examples ---


class CardSchema(Schema):
    """A line of the list of games."""

    id = string("the game's id")
    match = string("the match's id, which is the id of its first game")
    format = string("the match's format")
    variant = string("the variant played")
    players = strings("by seat")
    lanes = integers("by seat: the lane")
    started = decimal("seconds since 1970")
    ended = decimal(
        "seconds since 1970; null until the game is over, or if the clock was set back during it", allow_none=True
    )
    over = boolean("whether the game is over")
    abandoned = boolean("whether it was abandoned; it then counts for nothing")
    running = boolean("whether it is the current game, over or not")
    imported = boolean("whether it came from another table")
    incomplete = boolean("whether scores may be missing because a damaged journal was repaired")
    winner = integer("the lane that won, or null", allow_none=True)
    fronts = integers("by lane: the hole of the front peg")
    skunks = integers("by lane: how many skunk lines it did not pass")
    lurch = boolean("whether the only skunk line is the lurch line at halfway")
    points = integer("match points for the win, 0 if there is none")
    corrected = boolean("whether the game has a ruling, a corrected line, or a change after its end")
    deals = integer("number of deals started")


class GamesSchema(Schema):
    """A page of the list of games."""

    games = list_of(CardSchema, "newest first")
    before = string("`before` for the next page; null on the last page", allow_none=True)


class DealLaneSchema(Schema):
    """Holes that a lane pegged in a deal; all deals add up to its front peg's hole."""

    play = integer("cards played, go and heels")
    hand = integer("the hand, or both partners' hands")
    crib = integer("the crib")
    other = integer("penalties, muggins, awards, rulings and head starts; may be negative")
    unknown = integer("scores without a reason")  # type: ignore[assignment] # a field of that name
    score = integer("the front peg's hole at the end of the deal")


class PlayedDealSchema(Schema):
    """A deal."""

    deal = integer("its number, from 1")
    dealer = integer("the seat that dealt, as the sheet shows it")
    whole = boolean("whether it was played to its end; averages leave out a deal cut short by the end of the game")
    known = boolean("whether `sure` is at least 0.98; averages leave out other deals")
    sure = decimal("how likely its least certain reason is, 0 to 1; 1 if all were given")
    lanes = list_of(DealLaneSchema, "by lane")


class PegStepSchema(Schema):
    """The pegs after a line that counts."""

    entry = string("the line's id; null for the start", allow_none=True)
    deal = integer("the deal it belongs to")
    fronts = integers("by lane: the hole of the front peg")


class AverageSchema(Schema):
    """Points per deal."""

    deals = integer("number of deals played to their end with known reasons")
    average = decimal("their average points; null if there are none", allow_none=True)
    par = decimal("what two good players average in six-card cribbage; null for other games", allow_none=True)


class LaneFiguresSchema(Schema):
    """Averages of a lane."""

    dealer = fields.Nested(AverageSchema, required=True)
    pone = fields.Nested(AverageSchema, required=True)
    play = decimal("points per deal in the play; null if there are no deals", allow_none=True)
    hand = decimal("points per deal for the hand; null if there are no deals", allow_none=True)
    crib = decimal("points per crib; null if there are no cribs", allow_none=True)


class CountedHandSchema(Schema):
    """A hand or crib that was counted; its cards are unknown."""

    why = string("hand or crib")
    deal = integer("the deal it was counted in")
    sure = decimal("how likely this reason is, 0 to 1; 1 if it was given")


class BestHandSchema(CountedHandSchema):
    """One of the best hands of a game."""

    points = integer("its points, including any beyond the game hole")
    lane = integer("the player's lane")
    seat = integer("the player's seat; null if only the lane is known", allow_none=True)
    entry = string("its line")


class LeftOutSchema(Schema):
    """What averages leave out."""

    unfinished = integer("number of deals cut short")
    unknown = integer("number of other deals whose reasons are not certain enough")  # type: ignore[assignment]
    points = integer("number of points whose reasons are uncertain")


class FiguresSchema(Schema):
    """Statistics of a game."""

    first_dealer = integer("the seat that dealt first")
    lead_changes = integer("number of times another lane took the lead")
    greatest_lead = integers("by lane: its greatest lead over the next lane, in holes")
    lanes = list_of(LaneFiguresSchema, "by lane")
    best_hands = list_of(BestHandSchema, "at most 5, best first")
    left_out = fields.Nested(LeftOutSchema, required=True)


class PlayedRulesSchema(RulesSchema):
    """The rules of a game, with those for its printed sheet."""

    confirm = boolean("whether the players confirm the result")


class RenamingSchema(Schema):
    """A corrected name, in this game or another one of its match."""

    class Meta:
        """Needed for `from`, which is a Python keyword."""

        include: ClassVar[dict[str, fields.String]] = {"from": string("the name before")}

    seat = integer("the player's seat")
    to = string("the name after")
    source = string("how it was entered, such as phone or button")
    at = decimal("seconds since 1970")
    after = string('the newest line at that time, "0" if there was none')


class PlayedSchema(CardSchema):
    """A game with its score sheet and statistics."""

    correctable = boolean("whether it can be corrected, because it belongs to the current match")
    epoch = string("the journal's id")
    revision = integer("the board's revision: the number of the newest event")
    revisions = integers("by lane, for the `base` of a correction")
    pairing = string("the event's id, a slash and the pairing's id; null outside an event", allow_none=True)
    game_hole = integer("the game hole")
    skunk_lines = integers("the skunk lines, highest first; a loser at or below a line is skunked")
    rules = fields.Nested(PlayedRulesSchema, required=True)
    deals_played = list_of(PlayedDealSchema, "every deal, in order")
    steps = list_of(PegStepSchema, "the pegs after each line, for a graph")
    entries = list_of(EntrySchema, "every line, newest first, as in the sheet")
    renamings = list_of(RenamingSchema, "name corrections, oldest first; `players` has the current names")
    figures = fields.Nested(FiguresSchema, required=True)


# --- examples ---

A_CARD: dict[str, Any] = {
    "id": "5b0e7c1f92aa",
    "match": "77d03a9e10c4",
    "format": "best of 3",
    "variant": "standard",
    "players": ["Ann", "Bob"],
    "lanes": [0, 1],
    "started": 1795000000.0,
    "ended": 1795001810.5,
    "over": True,
    "abandoned": False,
    "running": False,
    "imported": False,
    "incomplete": False,
    "winner": 0,
    "fronts": [121, 88],
    "skunks": [0, 1],
    "lurch": False,
    "points": 2,
    "corrected": False,
    "deals": 1,
}


AVERAGES = {
    "dealer": {"deals": 1, "average": 16.0, "par": 16.2},
    "pone": {"deals": 0, "average": None, "par": 10.2},
    "play": 3.0,
    "hand": 9.0,
    "crib": 4.0,
}


A_GAME = A_CARD | {
    "correctable": True,
    "epoch": STATE["epoch"],
    "revision": STATE["revision"],
    "revisions": [31, 28],
    "pairing": "club-night-7/r3:p1-p7",
    "game_hole": 121,
    "skunk_lines": [90, 60],
    "rules": STATE["game"]["rules"] | {"confirm": False},
    "deals_played": [
        {"deal": 1, "dealer": 0, "whole": True, "known": True, "sure": 1.0}
        | {
            "lanes": [
                {"play": 3, "hand": 9, "crib": 4, "other": 0, "unknown": 0, "score": 16},
                {"play": 2, "hand": 6, "crib": 0, "other": 2, "unknown": 0, "score": 10},
            ]
        }
    ],
    "steps": [{"entry": None, "deal": 1, "fronts": [0, 0]}, {"entry": "1", "deal": 1, "fronts": [0, 2]}],
    "entries": STATE["entries"],
    "renamings": [{"seat": 1, "from": "Bbo", "to": "Bob", "source": "phone", "at": 1795000420.0, "after": "3"}],
    "figures": {
        "first_dealer": 0,
        "lead_changes": 6,
        "greatest_lead": [33, 12],
        "lanes": [AVERAGES, AVERAGES],
        "best_hands": [{"points": 24, "why": "hand", "deal": 5, "lane": 0, "seat": 0, "entry": "31", "sure": 1.0}],
        "left_out": {"unfinished": 1, "unknown": 0, "points": 0},
    },
}


history = DocumentedBlueprint("history", "Games played: list, statistics, export and import.")


PAGE, LONGEST_PAGE = 20, 100
"""Games on a page of the list: default and maximum."""


JOURNAL_REFUSALS = (*ANY_REFUSALS, "journal")
"""Error codes of requests that read the journal."""


PLAYER = Parameter(
    "a player's exact name",
    {"type": "string", "minLength": 1, "maxLength": LONGEST_NAME},
    example="Ann",
)


THE_GAME = Parameter("the id of a game", {"type": "string", "pattern": f"^{GAME_ID}$"}, example="5b0e7c1f92aa")


@history.view(
    "GET",
    "/games",
    answers={
        200: ResponseDoc("A page of the list of games", GamesSchema, {"games": [A_CARD], "before": None}, headers=ETAG)
    },
    refuses=(*JOURNAL_REFUSALS, "shape"),
    query={
        "limit": Parameter(
            f"games per page (default: {PAGE})",
            {"type": "integer", "minimum": 1, "maximum": LONGEST_PAGE},
        ),
        "before": Parameter("the id of a game; the page starts with the game before it", THE_GAME.schema),
        "player": PLAYER,
    },
)
def games() -> Response:
    """The list of games, newest first, including the current one."""
    history, limit, before = parts().scoreboard.history, _limit(), request.args.get("before")
    player = request.args.get("player")

    def page() -> dict[str, Any]:
        found = history.games(limit, before, player)
        if found is None:
            raise Problem(422, "shape", "game_before", value=quote(before))
        return found

    return respond_unless_known(history.revision(), page)


@history.view(
    "GET",
    "/games/<game>",
    answers={200: ResponseDoc("A game with its score sheet and statistics", PlayedSchema, A_GAME, headers=ETAG)},
    refuses=(*JOURNAL_REFUSALS, "no_game"),
    path={"game": THE_GAME},
)
def one_game(game: str) -> Response:
    """A game with its score sheet, its pegs over time and its statistics."""
    history, epoch = parts().scoreboard.history, parts().scoreboard.view.epoch
    revision = history.revision()

    def details() -> dict[str, Any]:
        found = history.game(game)
        if found is None:
            raise no_game(game)
        values, sheet = found
        values |= {"epoch": epoch, "revision": revision}
        return values | {
            "entries": view_as_json.entries_since(sheet, 0),
            "renamings": view_as_json.renamings(sheet),
        }

    return respond_unless_known(revision, details)


def no_game(game: str) -> Problem:
    """The error for an unknown game."""
    return Problem(404, "no_game", "no_such_game", game=quote(game))


def _limit() -> int:
    limit = request.args.get("limit", str(PAGE))
    if not re.fullmatch(r"[1-9][0-9]{0,2}", limit, re.ASCII) or int(limit) > LONGEST_PAGE:
        raise Problem(422, "shape", "page_limit", most=LONGEST_PAGE, value=quote(limit))
    return int(limit)


# --- API of statistics: all finished games, for each player and each pair of players ---


statistics = DocumentedBlueprint("statistics", tag="history")


STATISTICS = "/api/v1/stats"
"""The slowest path."""


LATEST = 4_102_444_800
"""Latest accepted time in seconds since 1970: the start of 2100."""


class SkunksSchema(Schema):
    """Skunks, double skunks and triple skunks."""

    given = integers("skunks given to losers: single, double, triple")
    taken = integers("skunks taken as the loser: single, double, triple")


class MatchesSchema(Schema):
    """Matches that were decided."""

    played = integer("number of decided matches")
    won = integer("number won")


class FirstDealerSchema(Schema):
    """Games in which they dealt first."""

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
    """All games of one player, or of two partners."""

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
    """Two players or partnerships who met."""

    names = fields.List(
        fields.List(fields.String()), required=True, metadata={"description": "the names of both sides"}
    )
    games = integer("number of games")
    won = integers("games won by each side; in a three-player game the third player can win instead")
    spread = integer("holes the first side is ahead over all games")


class NotCountedSchema(Schema):
    """Games that do not count."""

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
    """The parameter `since` in nanoseconds since 1970."""
    since = request.args.get("since")
    if since is None:
        return None
    seconds: Decimal | None = None
    if re.fullmatch(r"[0-9]{1,10}(\.[0-9]{1,9})?", since, re.ASCII):
        seconds = Decimal(since)  # a float cannot hold nanoseconds
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
