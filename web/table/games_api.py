"""The API of past games and statistics: list of games, one game with its score sheet, statistics of all players."""

import re
from datetime import UTC, datetime
from decimal import Decimal
from typing import Annotated, Any, NotRequired, TypedDict

from flask import Response, request

from pegboard.core import view_as_json
from pegboard.core.names import GAME_ID, LONGEST_NAME
from pegboard.core.rules import VARIANTS
from pegboard.storage.statistics import StatisticsQuery
from pegboard.values import Takes, strict
from web.http.problems import Problem
from web.kit.documented_endpoints import (
    ANY_REFUSALS,
    DocumentedBlueprint,
    Parameter,
    ResponseDoc,
    quote,
)
from web.table.openapi_document import STATE
from web.table.program_parts import ETAG, parts, respond_unless_known
from web.table.schemas import EntryJson, PresetJson, RulesJson

# --- schemas of the list of games and of one game, with examples ---


@strict
class ReplacementJson(TypedDict):
    """A player who took over a seat during the game."""

    seat: Annotated[int, "the seat"]
    name: Annotated[str, "the name of the player"]


@strict
class CardJson(TypedDict):
    """A line of the list of games."""

    id: Annotated[str, "the game's id"]
    match: Annotated[str, "the match's id, which is the id of its first game"]
    format: Annotated[str, "the match's format"]
    variant: Annotated[str, "the variant played"]
    preset: Annotated[PresetJson | None, "the preset that was chosen, or null"]
    players: Annotated[list[str], "by seat: who began the game, and has its result"]
    substitutes: NotRequired[Annotated[list[ReplacementJson], "who took over a seat, in order, if anyone did"]]
    lanes: Annotated[list[int], "by seat: the lane"]
    started: Annotated[float, "seconds since 1970"]
    ended: Annotated[
        float | None, "seconds since 1970; null until the game is over, or if the clock was set back during it"
    ]
    over: Annotated[bool, "whether the game is over"]
    abandoned: Annotated[bool, "whether it was abandoned; it then counts for nothing"]
    running: Annotated[bool, "whether it is the current game, over or not"]
    imported: Annotated[bool, "whether it came from another table"]
    incomplete: Annotated[bool, "whether scores may be missing because a damaged journal was repaired"]
    winner: Annotated[int | None, "the lane that won, or null"]
    fronts: Annotated[list[int], "by lane: the hole of the front peg"]
    skunks: Annotated[list[int], "by lane: how many skunk lines it did not pass"]
    lurch: Annotated[bool, "whether the only skunk line is the lurch line at halfway"]
    points: Annotated[int, "match points for the win, 0 if there is none"]
    corrected: Annotated[bool, "whether the game has a ruling, a corrected line, or a change after its end"]
    deals: Annotated[int, "number of deals started"]


@strict
class GamesJson(TypedDict):
    """A page of the list of games."""

    games: Annotated[list[CardJson], "newest first"]
    before: Annotated[str | None, "`before` for the next page; null on the last page"]


@strict
class DealLaneJson(TypedDict):
    """Holes that a lane pegged in a deal; all deals add up to its front peg's hole."""

    play: Annotated[int, "cards played, go and heels"]
    hand: Annotated[int, "the hand, or both partners' hands"]
    crib: Annotated[int, "the crib"]
    other: Annotated[int, "penalties, muggins, awards, rulings and head starts; may be negative"]
    unknown: Annotated[int, "scores without a reason"]
    score: Annotated[int, "the front peg's hole at the end of the deal"]


@strict
class PlayedDealJson(TypedDict):
    """A deal."""

    deal: Annotated[int, "its number, from 1"]
    dealer: Annotated[int, "the seat that dealt, as the sheet shows it"]
    whole: Annotated[
        bool, "whether it was played to its end; averages leave out a deal cut short by the end of the game"
    ]
    known: Annotated[bool, "whether `sure` is at least 0.98; averages leave out other deals"]
    sure: Annotated[float, "how likely its least certain reason is, 0 to 1; 1 if all were given"]
    lanes: Annotated[list[DealLaneJson], "by lane"]


@strict
class PegStepJson(TypedDict):
    """The pegs after a line that counts."""

    entry: Annotated[str | None, "the line's id; null for the start"]
    deal: Annotated[int, "the deal it belongs to"]
    fronts: Annotated[list[int], "by lane: the hole of the front peg"]


@strict
class AverageJson(TypedDict):
    """Points per deal."""

    deals: Annotated[int, "number of deals played to their end with known reasons"]
    average: Annotated[float | None, "their average points; null if there are none"]
    par: Annotated[float | None, "what two good players average in six-card cribbage; null for other games"]


@strict
class LaneFiguresJson(TypedDict):
    """Averages of a lane."""

    dealer: AverageJson
    pone: AverageJson
    play: Annotated[float | None, "points per deal in the play; null if there are no deals"]
    hand: Annotated[float | None, "points per deal for the hand; null if there are no deals"]
    crib: Annotated[float | None, "points per crib; null if there are no cribs"]


@strict
class CountedHandJson(TypedDict):
    """A hand or crib that was counted; its cards are unknown."""

    why: Annotated[str, "hand or crib"]
    deal: Annotated[int, "the deal it was counted in"]
    sure: Annotated[float, "how likely this reason is, 0 to 1; 1 if it was given"]


@strict
class BestHandJson(CountedHandJson):
    """One of the best hands of a game."""

    points: Annotated[int, "its points, including any beyond the game hole"]
    lane: Annotated[int, "the player's lane"]
    seat: Annotated[int | None, "the player's seat; null if only the lane is known"]
    by: NotRequired[Annotated[str, "if someone took over a seat: who counted it"]]
    entry: Annotated[str, "its line"]


@strict
class LeftOutJson(TypedDict):
    """The deals and points that averages leave out."""

    unfinished: Annotated[int, "number of deals cut short"]
    unknown: Annotated[int, "number of other deals whose reasons are not certain enough"]
    points: Annotated[int, "number of points whose reasons are uncertain"]


@strict
class StintJson(TypedDict):
    """The part of a game that the same players of a lane played."""

    names: Annotated[list[str], "the players of the lane, in seat order"]
    lane: Annotated[int, "their lane"]
    holes: Annotated[int, "holes that their front peg moved"]
    deals: Annotated[int, "number of deals in which they played"]


@strict
class FiguresJson(TypedDict):
    """Statistics of a game."""

    first_dealer: Annotated[int, "the seat that dealt first"]
    lead_changes: Annotated[int, "number of times another lane took the lead"]
    greatest_lead: Annotated[list[int], "by lane: its greatest lead over the next lane, in holes"]
    lanes: Annotated[list[LaneFiguresJson], "by lane"]
    parts: Annotated[list[StintJson], "by lane, then in the order of play; one for a lane that nobody took over"]
    best_hands: Annotated[list[BestHandJson], "at most 5, best first"]
    left_out: LeftOutJson


class PlayedRulesJson(RulesJson):
    """The rules of a game, and whether its players confirm the result."""

    confirm: Annotated[bool, "whether the players confirm the result"]


@strict
class RenamingJson(TypedDict):
    """A corrected name, in this game or another game of its match."""

    seat: Annotated[int, "the player's seat"]
    to: Annotated[str, "the name after"]
    source: Annotated[str, "how it was entered, such as phone or button"]
    at: Annotated[float, "seconds since 1970"]
    after: Annotated[str, 'the newest line at that time, "0" if there was none']
    former: Annotated[str, Takes(words="the name before", key="from")]


@strict
class PlayedJson(CardJson):
    """A game with its score sheet and statistics."""

    correctable: Annotated[bool, "whether it can be corrected, because it belongs to the current match"]
    epoch: Annotated[str, "the journal's id"]
    revision: Annotated[int, "the board's revision: the number of the newest event"]
    revisions: Annotated[list[int], "by lane, for the `base` of a correction"]
    pairing: Annotated[str | None, "the event's id, a slash and the pairing's id; null outside an event"]
    game_hole: Annotated[int, "the game hole"]
    skunk_lines: Annotated[list[int], "the skunk lines, highest first; a loser at or below a line is skunked"]
    rules: PlayedRulesJson
    deals_played: Annotated[list[PlayedDealJson], "every deal, in order"]
    steps: Annotated[list[PegStepJson], "the pegs after each line, for a graph"]
    entries: Annotated[list[EntryJson], "every line, newest first, as in the sheet"]
    renamings: Annotated[list[RenamingJson], "name corrections, oldest first; `players` has the current names"]
    figures: FiguresJson


# --- examples ---

A_CARD: dict[str, Any] = {
    "id": "5b0e7c1f92aa",
    "match": "77d03a9e10c4",
    "format": "best of 3",
    "variant": "standard",
    "preset": None,
    "players": ["Ann", "Bob"],
    "substitutes": [{"seat": 0, "name": "Cy"}],
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
        "parts": [
            {"names": ["Ann"], "lane": 0, "holes": 61, "deals": 4},
            {"names": ["Cy"], "lane": 0, "holes": 60, "deals": 3},
            {"names": ["Bob"], "lane": 1, "holes": 88, "deals": 6},
        ],
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
        200: ResponseDoc("A page of the list of games", GamesJson, {"games": [A_CARD], "before": None}, headers=ETAG)
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
    answers={200: ResponseDoc("A game with its score sheet and statistics", PlayedJson, A_GAME, headers=ETAG)},
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
"""The path of the statistics, which are the slowest response."""

LATEST = 4_102_444_800
"""Latest accepted time in seconds since 1970: the start of 2100."""


@strict
class SkunksJson(TypedDict):
    """Skunks, double skunks and triple skunks."""

    given: Annotated[list[int], "skunks given to losers: single, double, triple"]
    taken: Annotated[list[int], "skunks taken as the loser: single, double, triple"]


@strict
class MatchesJson(TypedDict):
    """Matches that were decided."""

    played: Annotated[int, "number of decided matches"]
    won: Annotated[int, "number won"]


@strict
class FirstDealerJson(TypedDict):
    """Games in which the player dealt first."""

    games: Annotated[int, "number of games dealt first"]
    won: Annotated[int, "number won"]


@strict
class HungHandJson(CountedHandJson):
    """A counted hand or crib, with the game it was counted in."""

    points: Annotated[int, "its points"]
    game: Annotated[str, "the game's id"]
    at: Annotated[float, "start of the game, in seconds since 1970"]


@strict
class OnTheWallJson(HungHandJson):
    """A hand of 24, 28 or 29."""

    names: Annotated[list[str], "the player, or both partners"]


@strict
class SolitaireJson(TypedDict):
    """Games played alone."""

    games: Annotated[int, "number of games"]
    won: Annotated[int, "games that reached hole 91"]
    greater: Annotated[int, "games that reached the game hole"]
    best: Annotated[int, "the farthest hole"]
    average: Annotated[float, "the average hole"]


@strict
class PlayerJson(LaneFiguresJson):
    """All games of one player, or of two partners."""

    names: Annotated[list[str], "one name, or two partners' names"]
    games: Annotated[int, "finished games begun by these players, without solitaire"]
    took_over: Annotated[int, "finished games in which they took over; their averages and hands count too"]
    won: Annotated[int, "games won"]
    lost: Annotated[int, "games lost"]
    skunks: SkunksJson
    streak: Annotated[int, "length of the current winning streak; negative for a losing streak"]
    longest: Annotated[int, "longest winning streak"]
    points: Annotated[int, "match points"]
    spread: Annotated[int, "holes won minus holes lost"]
    matches: MatchesJson
    first_dealer: FirstDealerJson
    best_hands: Annotated[list[HungHandJson], "at most 5, best first"]
    wall: Annotated[dict[str, int], "number of hands of 24, 28 and 29"]
    left_out: LeftOutJson
    solitaire: SolitaireJson | None


@strict
class MeetingJson(TypedDict):
    """The games between two players or partnerships."""

    names: Annotated[list[list[str]], "the names of both sides"]
    games: Annotated[int, "number of games"]
    won: Annotated[list[int], "games won by each side; in a three-player game the third player can win instead"]
    spread: Annotated[int, "holes the first side is ahead over all games"]


@strict
class NotCountedJson(TypedDict):
    """Games that do not count."""

    games_given_up: Annotated[int, "abandoned games"]
    games_unfinished: Annotated[int, "unfinished games"]


@strict
class StatisticsJson(TypedDict):
    """Statistics of finished games."""

    games: Annotated[int, "number of games"]
    players: Annotated[list[PlayerJson], "most games first, at most 100"]
    more: Annotated[int, "number of players not in that list"]
    head_to_head: Annotated[list[MeetingJson], "most games first, at most 200"]
    wall: Annotated[list[OnTheWallJson], "hands of 28 and 29, then of 24, newest first, at most 50"]
    left_out: NotCountedJson


_HAND = {"points": 24, "why": "hand", "game": "5b0e7c1f92aa", "deal": 5, "at": 1795000000.0, "sure": 1.0}

SOME_STATISTICS = {
    "games": 200,
    "players": [
        {"names": ["Ann"], "games": 200, "won": 104, "lost": 96, "streak": 3, "longest": 9, "points": 118}
        | {"skunks": {"given": [12, 1, 0], "taken": [9, 0, 0]}, "spread": 340, "matches": {"played": 12, "won": 7}}
        | {"took_over": 1}
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
    answers={200: ResponseDoc("Statistics of finished games", StatisticsJson, SOME_STATISTICS, headers=ETAG)},
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
