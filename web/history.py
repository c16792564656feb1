"""Games that were played, over the network: the list, one with its figures, statistics, and what a command would do."""

import json
import re
from collections.abc import Callable, Iterable
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any, cast

from flask import Response, current_app, request
from marshmallow import Schema, fields

from pegboard.brought import arrivals, ends
from pegboard.core import shown, wire
from pegboard.core.board import Game
from pegboard.core.judge import LONGEST_NAME
from pegboard.core.rules import VARIANTS
from pegboard.errors import BadImport
from pegboard.exported import GAMES_HEAD, LINES_HEAD, event_parts, game_parts, sheet_text
from pegboard.history import Asked, History
from pegboard.scoreboard import Preview, Scoreboard
from web import access
from web.answered import EntrySchema, RulesSchema, StateSchema
from web.api import ASKING, ENVELOPE, KEPT_AS, LOOKING, RULING
from web.asked import read_command
from web.described import TEXT, Answer, Described, Named
from web.described import Asked as Takes
from web.documents import document
from web.examples import COMMANDS as COMMAND_EXAMPLES
from web.examples import STATE
from web.exports import CONTENT_TYPES, CSV, JSON_LINES
from web.problems import Problem
from web.shapes import GAME, said

history = Described("history", __name__, url_prefix="/api/v1", description="Games that were played.")

PAGE, LONGEST_PAGE = 20, 100
"""Games of a page of the list: where nothing is said, and at most."""

READING = (*LOOKING, "journal")
"""Refusals that whoever reads in the journal can meet."""

BRINGING = (*(code for code in ASKING if code not in {"not_json", "shape"}), "import", "role", "not_stored", "journal")
"""Refusals that an import can meet."""

STATISTICS = "/api/v1/stats"
"""What takes longest to be answered."""

IMPORT = "/api/v1/import"
"""Where games of another table are brought: the one path that takes large bodies."""

MOST_IMPORTED = 2 * 1024 * 1024
"""Bytes of an import: two hundred games, which are judged and added up before the table waits for them."""

IMPORT_PATIENCE_S = 30.0
"""Seconds in which an import must have arrived."""

MORE_TO_IMPORT = " here; stop the table, and `pegboard import FILE` on its own machine takes any size"

LATEST = 4_102_444_800
"""Seconds since 1970 of the last moment that is taken: the beginning of 2100."""

A_TAP = "preview-of-a-tap"
"""Stands for the id that a preview has not, where the shape of a command asks for one."""


# --- what is answered ---


def _number(sentence: str, **more: Any) -> fields.Integer:
    return fields.Integer(required=True, metadata={"description": sentence}, **more)


def _decimal(sentence: str, **more: Any) -> fields.Float:
    return fields.Float(required=True, metadata={"description": sentence}, **more)


def _text(sentence: str, **more: Any) -> fields.String:
    return fields.String(required=True, metadata={"description": sentence}, **more)


def _whether(sentence: str) -> fields.Boolean:
    return fields.Boolean(required=True, metadata={"description": sentence})


def _numbers(sentence: str) -> fields.Field[Any]:
    return fields.List(fields.Integer(), required=True, metadata={"description": sentence})


def _names(sentence: str) -> fields.Field[Any]:
    return fields.List(fields.String(), required=True, metadata={"description": sentence})


def _each(schema: type[Schema], sentence: str) -> fields.Field[Any]:
    return fields.List(fields.Nested(schema), required=True, metadata={"description": sentence})


class CardSchema(Schema):
    """A game in a line of the list."""

    id = _text("the game's id")
    match = _text("the id of its match, which is that of the match's first game")
    format = _text("the match's format")
    variant = _text("what was played")
    players = _names("by seat")
    lanes = _numbers("by seat: the lane that it pegs in")
    started = _decimal("seconds since 1970")
    ended = _decimal("seconds since 1970; null while it is not over", allow_none=True)
    over = _whether("whether it is over")
    abandoned = _whether("whether it was given up: it counts for nothing")
    running = _whether("whether it is the game on the table, over or not")
    imported = _whether("whether it came from another table")
    winner = _number("the lane that has won; null where none has", allow_none=True)
    fronts = _numbers("by lane: the hole of the front peg")
    skunks = _numbers("by lane: how many skunk lines it missed")
    points = _number("match points of the win, 0 without one")
    corrected = _whether("whether a ruling stands, a line was amended, or anything was changed after the end")
    deals = _number("how many deals were begun")


class GamesSchema(Schema):
    """A page of the list of games."""

    games = _each(CardSchema, "newest first")
    before = _text("what `before` is for the next page; null where there is none", allow_none=True)


class DealLaneSchema(Schema):
    """Holes that a lane pegged in a deal; together, of all deals, they are where its front peg stands."""

    play = _number("cards laid, go and heels")
    hand = _number("the hand, or the hands of partners")
    crib = _number("the crib")
    other = _number("penalties, muggins, awards, rulings and head starts; can be negative")
    unknown = _number("scores without a reason")  # type: ignore[assignment] # a field of that name
    score = _number("the hole of the front peg when the deal ended")


class PlayedDealSchema(Schema):
    """A deal."""

    deal = _number("its number, from 1")
    dealer = _number("the seat that dealt it, as far as the sheet tells")
    whole = _whether("whether it was played out; the one that the end cut short is left out of averages")
    known = _whether("whether all of its points say what they are for; others are left out of averages")
    lanes = _each(DealLaneSchema, "by lane")


class PegStepSchema(Schema):
    """The pegs after a line that counts."""

    entry = _text("the line; null for the start", allow_none=True)
    deal = _number("the deal it belongs to")
    fronts = _numbers("by lane: the hole of the front peg")


class AverageSchema(Schema):
    """Points a deal."""

    deals = _number("deals that were played out and are known")
    average = _decimal("their points, null without a deal", allow_none=True)
    par = _decimal("what two good players peg with six cards, else null", allow_none=True)


class LaneFiguresSchema(Schema):
    """Averages of a lane."""

    dealer = fields.Nested(AverageSchema, required=True)
    pone = fields.Nested(AverageSchema, required=True)
    play = _decimal("points a deal in the play, null without a deal", allow_none=True)
    hand = _decimal("points a deal of the hand, null without a deal", allow_none=True)
    crib = _decimal("points of a crib, null without one", allow_none=True)


class BestHandSchema(Schema):
    """A hand or a crib that was counted; its cards are not known."""

    points = _number("its points, more perhaps than were needed")
    why = _text("hand or crib")
    deal = _number("the deal it was counted in")
    lane = _number("whose it was")
    seat = _number("whose it was, null where only the lane is known", allow_none=True)
    entry = _text("its line")


class LeftOutSchema(Schema):
    """What averages leave out."""

    unfinished = _number("deals that were not played out")
    unknown = _number("others with points of which nobody said what they are for")  # type: ignore[assignment]
    points = _number("those points")


class FiguresSchema(Schema):
    """A game in figures."""

    first_dealer = _number("the seat that dealt first")
    lead_changes = _number("how often another lane took the lead")
    greatest_lead = _numbers("by lane: by how many holes it was ahead of the next one at most")
    lanes = _each(LaneFiguresSchema, "by lane")
    best_hands = _each(BestHandSchema, "at most 5, best first")
    left_out = fields.Nested(LeftOutSchema, required=True)


class PlayedRulesSchema(RulesSchema):
    """The rules of a game, with what its printed sheet asks."""

    confirm = _whether("whether the players confirm the result")


class PlayedSchema(CardSchema):
    """A game with its sheet and its figures."""

    correctable = _whether("whether corrections can name it: it belongs to the match on the table")
    epoch = _text("the journal's own mark")
    revision = _number("the board's: the number of the newest event")
    revisions = _numbers("by lane, for the `base` of a correction")
    game_hole = _number("the hole that wins")
    skunk_lines = _numbers("the last holes of a skunked loser, highest first")
    rules = fields.Nested(PlayedRulesSchema, required=True)
    deals_played = _each(PlayedDealSchema, "deal by deal")
    steps = _each(PegStepSchema, "the way of the pegs, for a graph")
    entries = _each(EntrySchema, "every line, newest first, as in the sheet")
    figures = fields.Nested(FiguresSchema, required=True)


class SkunksSchema(Schema):
    """Skunks, double skunks and triple skunks."""

    given = _numbers("to losers: single, double, triple")
    taken = _numbers("as the loser: single, double, triple")


class MatchesSchema(Schema):
    """Matches that were decided."""

    played = _number("how many")
    won = _number("how many of them were won")


class FirstDealerSchema(Schema):
    """Games that began with their deal."""

    games = _number("how many")
    won = _number("how many of them were won")


class HungHandSchema(Schema):
    """A hand or crib of some game."""

    points = _number("its points")
    why = _text("hand or crib")
    game = _text("the game's id")
    deal = _number("the deal it was counted in")
    at = _decimal("when that game began, in seconds since 1970")


class OnTheWallSchema(HungHandSchema):
    """A hand of 24, 28 or 29."""

    names = _names("whose it was")


class SolitaireSchema(Schema):
    """Games played alone."""

    games = _number("how many")
    won = _number("how many reached hole 91")
    greater = _number("how many reached the game hole")
    best = _number("the farthest hole")
    average = _decimal("the hole on the average")


class PlayerSchema(Schema):
    """One player, or two who were partners, in all games together."""

    names = _names("one name, or those of two partners")
    games = _number("games that were finished, solitaire apart")
    won = _number("of these")
    lost = _number("of these")
    skunks = fields.Nested(SkunksSchema, required=True)
    streak = _number("games won in a row up to now, or games lost with a minus")
    longest = _number("the most games won in a row")
    points = _number("match points")
    spread = _number("holes won less holes lost")
    matches = fields.Nested(MatchesSchema, required=True)
    dealer = fields.Nested(AverageSchema, required=True)
    pone = fields.Nested(AverageSchema, required=True)
    play = _decimal("points a deal in the play, null without a deal", allow_none=True)
    hand = _decimal("points a deal of the hand, null without a deal", allow_none=True)
    crib = _decimal("points of a crib, null without one", allow_none=True)
    first_dealer = fields.Nested(FirstDealerSchema, required=True)
    best_hands = _each(HungHandSchema, "at most 5, best first")
    wall = fields.Dict(
        keys=fields.String(), values=fields.Integer(), required=True, metadata={"description": "how many of 24, 28, 29"}
    )
    left_out = fields.Nested(LeftOutSchema, required=True)
    solitaire = fields.Nested(SolitaireSchema, required=True, allow_none=True)


class MeetingSchema(Schema):
    """Two who met."""

    names = fields.List(fields.List(fields.String()), required=True, metadata={"description": "both sides"})
    games = _number("how often")
    won = _numbers("by side; with three at the table the third can have won")
    spread = _number("holes that the first was ahead, all games together")


class NotCountedSchema(Schema):
    """Games that count for nothing."""

    games_given_up = _number("given up")
    games_unfinished = _number("not over")


class StatisticsSchema(Schema):
    """Finished games, added up."""

    games = _number("how many")
    players = _each(PlayerSchema, "most games first, at most 100")
    more = _number("how many players are left out of that list")
    head_to_head = _each(MeetingSchema, "most games first, at most 200")
    wall = _each(OnTheWallSchema, "the latest 28 and 29, then 24, at most 50")
    left_out = fields.Nested(NotCountedSchema, required=True)


class BroughtSchema(Schema):
    """What was imported."""

    games = _number("games that are new here")
    events = _number("their events")
    skipped = _number("games that were here already and stayed as they were")
    continued = _number("games that were imported before, unfinished, and have gone on")
    differing = _number("of the skipped: games that are told otherwise than they are kept here")


class BoardSchema(Schema):
    """A game's board."""

    fronts = _numbers("by lane: the hole of the front peg")
    rears = _numbers("by lane: the hole of the rear peg")
    over = _whether("whether the game is over")
    winner = _number("the lane that has won; null where none has", allow_none=True)
    skunks = _numbers("by lane: how many skunk lines it missed")


class PreviewSchema(Schema):
    """What would become of a command."""

    state = fields.Nested(StateSchema, required=True)
    entry = _text("the line it would make or change, or null", allow_none=True)
    note = _text("what a correction would leave as it is, in words, or null", allow_none=True)
    game = _text("the game that it is for")
    before = fields.Nested(BoardSchema, required=True)
    after = fields.Nested(BoardSchema, required=True)


# --- examples ---

_CARD: dict[str, Any] = {
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
    "winner": 0,
    "fronts": [121, 88],
    "skunks": [0, 1],
    "points": 2,
    "corrected": False,
    "deals": 1,
}

_AVERAGES = {
    "dealer": {"deals": 1, "average": 16.0, "par": 16.2},
    "pone": {"deals": 0, "average": None, "par": 10.2},
    "play": 3.0,
    "hand": 9.0,
    "crib": 4.0,
}

_PLAYED = _CARD | {
    "correctable": True,
    "epoch": STATE["epoch"],
    "revision": STATE["revision"],
    "revisions": [31, 28],
    "game_hole": 121,
    "skunk_lines": [90, 60],
    "rules": STATE["game"]["rules"] | {"confirm": False},
    "deals_played": [
        {"deal": 1, "dealer": 0, "whole": True, "known": True}
        | {
            "lanes": [
                {"play": 3, "hand": 9, "crib": 4, "other": 0, "unknown": 0, "score": 16},
                {"play": 2, "hand": 6, "crib": 0, "other": 2, "unknown": 0, "score": 10},
            ]
        }
    ],
    "steps": [{"entry": None, "deal": 1, "fronts": [0, 0]}, {"entry": "1", "deal": 1, "fronts": [0, 2]}],
    "entries": STATE["entries"],
    "figures": {
        "first_dealer": 0,
        "lead_changes": 6,
        "greatest_lead": [33, 12],
        "lanes": [_AVERAGES, _AVERAGES],
        "best_hands": [{"points": 24, "why": "hand", "deal": 5, "lane": 0, "seat": 0, "entry": "31"}],
        "left_out": {"unfinished": 1, "unknown": 0, "points": 0},
    },
}

_HAND = {"points": 24, "why": "hand", "game": "5b0e7c1f92aa", "deal": 5, "at": 1795000000.0}

_STATISTICS = {
    "games": 200,
    "players": [
        {"names": ["Ann"], "games": 200, "won": 104, "lost": 96, "streak": 3, "longest": 9, "points": 118}
        | {"skunks": {"given": [12, 1, 0], "taken": [9, 0, 0]}, "spread": 340, "matches": {"played": 12, "won": 7}}
        | _AVERAGES
        | {"first_dealer": {"games": 98, "won": 55}, "best_hands": [_HAND], "wall": {"24": 1, "28": 0, "29": 0}}
        | {"left_out": {"unfinished": 200, "unknown": 14, "points": 122}, "solitaire": None}
    ],
    "more": 0,
    "head_to_head": [{"names": [["Ann"], ["Bob"]], "games": 200, "won": [104, 96], "spread": 340}],
    "wall": [_HAND | {"names": ["Ann"]}],
    "left_out": {"games_given_up": 3, "games_unfinished": 1},
}

_LINE = (
    '{"id": 25, "epoch": "9f2c61d0a47be835", "game": "5b0e7c1f92aa", "seq": 8, "at": 1795000000000000000, "source":'
    ' "phone", "kind": "scored", "body": {"lane": 0, "points": 6, "seat": 0, "why": "hand"}}\n'
)

_BROUGHT = {"games": 12, "events": 704, "skipped": 3, "continued": 1, "differing": 0}

_BOARD = {"fronts": [121, 88], "rears": [115, 80], "over": True, "winner": 0, "skunks": [0, 1]}
_OPEN_AGAIN = {"fronts": [115, 88], "rears": [109, 80], "over": False, "winner": None, "skunks": [0, 0]}

_PREVIEW = {"state": STATE, "entry": "7", "note": None, "game": "5b0e7c1f92aa", "before": _BOARD, "after": _OPEN_AGAIN}

_ASKED: dict[str, dict[str, Any]] = dict(COMMAND_EXAMPLES)  # type: ignore[arg-type]
_TRIAL = {
    "type": "object",
    "description": "a command as `/commands` takes it; its `id` can be left out",
    "properties": {"do": {"type": "string", "enum": list(_ASKED)}},
    "required": ["do"],
}
_TRIED = {do: {key: value for key, value in asked.items() if key != "id"} for do, asked in _ASKED.items()}


# --- the views ---

PLAYER = Named(
    "the name of somebody at the table, as it is written there",
    {"type": "string", "minLength": 1, "maxLength": LONGEST_NAME},
    example="Ann",
)

THE_GAME = Named("the id of a game", {"type": "string", "pattern": f"^{GAME}$"}, example="5b0e7c1f92aa")


@history.view(
    "GET",
    "/games",
    answers={200: Answer("A page of the list of games", GamesSchema, {"games": [_CARD], "before": None}, etag=True)},
    refuses=(*READING, "shape"),
    named={
        "limit": Named(
            f"games of the page; {PAGE} where it is left out",
            {"type": "integer", "minimum": 1, "maximum": LONGEST_PAGE},
        ),
        "before": Named("the id of a game: the page begins with the one played before it", THE_GAME.schema),
        "player": PLAYER,
    },
)
def games() -> Response:
    """The list of games, newest first, that on the table too."""
    past, revision = _past(), _past().revision()
    limit, before = _limit(), request.args.get("before")
    player = request.args.get("player")

    def page() -> dict[str, Any]:
        found = past.games(limit, before, player)
        if found is None:
            raise Problem(422, "shape", f"`before` is the id of a game in the list, not {said(before)}")
        return found

    return _unless_known(revision, page)


@history.view(
    "GET",
    "/games/<game>",
    answers={200: Answer("A game with its sheet and its figures", PlayedSchema, _PLAYED, etag=True)},
    refuses=(*READING, "no_game"),
    path={"game": THE_GAME},
)
def one_game(game: str) -> Response:
    """A game with its sheet, the way of its pegs and its figures."""
    revision, epoch = _past().revision(), _scoreboard().view.epoch

    def told() -> dict[str, Any]:
        found = _past().game(game)
        if found is None:
            raise no_game(game)
        values, sheet = found
        now = {"epoch": epoch, "revision": revision}
        return values | now | {"entries": shown.entries_since(sheet, 0)}

    return _unless_known(revision, told)


@history.view(
    "GET",
    "/stats",
    answers={200: Answer("Finished games, added up", StatisticsSchema, _STATISTICS, etag=True)},
    refuses=(*READING, "shape"),
    named={
        "player": PLAYER,
        "since": Named("seconds since 1970, or a day such as 2026-01-31 (UTC): games begun from then on"),
        "variant": Named("the name of a variant", {"type": "string", "enum": list(VARIANTS)}),
    },
)
def statistics() -> Response:
    """Finished games, added up."""
    asked = Asked(request.args.get("player"), _since(), _variant())
    return _unless_known(_past().changed(), lambda: _past().statistics(asked))


@history.view(
    "POST",
    "/preview",
    takes=Takes(_TRIAL, _TRIED),
    answers={200: Answer("What would become of it", PreviewSchema, _PREVIEW)},
    refuses=(*ASKING, *(code for code in RULING if code != "id_reused")),
)
def preview() -> Response:
    """What a command would do.

    It is judged as the command would be, and nothing is stored. The `id` can be left out.
    """
    access.must_score(request)
    values = read_command({"id": A_TAP} | document(request))
    envelope = {name: values.pop(name, None) for name in ENVELOPE if name != "id"}
    values.pop("id", None)
    director = access.role(request) == "director"
    return _answered(_preview_values(_scoreboard().preview(wire.command(values), director=director, **envelope)))


@history.view(
    "GET",
    "/export.jsonl",
    answers={200: Answer("Every event of the journal, a line of JSON each", TEXT, _LINE, content_type=JSON_LINES)},
    refuses=READING,
)
def export_events() -> Response:
    """The whole journal as JSON lines, oldest first; another table can import it."""
    return _file(event_parts(_past().folder), JSON_LINES, "pegboard.jsonl")


@history.view(
    "GET",
    "/export.csv",
    answers={200: Answer("A row for each game", TEXT, ",".join(GAMES_HEAD), content_type=CSV)},
    refuses=READING,
)
def export_games() -> Response:
    """The games as CSV for a spreadsheet, oldest first."""
    return _file(game_parts(_past().folder), CSV, "pegboard-games.csv")


@history.view(
    "GET",
    "/games/<game>.csv",
    answers={200: Answer("A row for each line of the game", TEXT, ",".join(LINES_HEAD), content_type=CSV)},
    refuses=(*READING, "no_game"),
    path={"game": THE_GAME},
)
def export_sheet(game: str) -> Response:
    """The score sheet of a game as CSV for a spreadsheet, oldest first."""
    found = _past().sheet(game)
    if found is None:
        raise no_game(game)
    return _file([sheet_text(found)], CSV, f"pegboard-{game}.csv")


@history.view(
    "POST",
    "/import",
    takes=Takes(TEXT, {"an export": _LINE}, content_type=JSON_LINES),
    answers={200: Answer("They are here now", BroughtSchema, _BROUGHT)},
    refuses=(
        *(code for code in ASKING if code not in {"not_json", "shape"}),
        "import",
        "role",
        "not_stored",
        "journal",
    ),
)
def bring() -> Response:
    """Bring games that were played at another table, as its export tells them: all of them or none.

    Games that are here already are skipped; one that was imported unfinished goes on where it ended, if the export
    tells its beginning as it is kept. The game on the table goes on as it was.
    """
    access.must_score(request)
    if access.role(request) != "director":
        raise Problem(403, "role", "games of another table are brought by the director")
    if request.mimetype != JSON_LINES:
        raise Problem(415, "media_type", f"the content type is {JSON_LINES}, not {request.mimetype or 'none'}")
    try:
        lines = request.get_data().splitlines()
        read = list(arrivals(lines, ends(lines), _past().rows))  # judged before anybody waits for it
        told = _scoreboard().bring(read)
    except BadImport as error:
        raise Problem(422, "import", str(error)) from None
    return _answered(asdict(told))


def _file(parts: Iterable[str], kind: str, name: str) -> Response:
    headers = {"Cache-Control": "no-store", "Content-Disposition": f'attachment; filename="{name}"'}
    return Response((part.encode() for part in parts), 200, headers, content_type=CONTENT_TYPES[kind])


def no_game(game: str) -> Problem:
    """The refusal of a game that is not known."""
    return Problem(404, "no_game", f"there is no game {said(game)} in the journal of this table")


def _preview_values(told: Preview) -> dict[str, Any]:
    values = {"state": shown.snapshot(told.view), "entry": told.entry, "note": told.note, "game": told.game}
    return values | {"before": _board(told.before), "after": _board(told.after)}


def _board(game: Game) -> dict[str, Any]:
    outcome = game.outcome
    return {
        "fronts": [lane.front for lane in game.lanes],
        "rears": [lane.rear for lane in game.lanes],
        "over": outcome is not None,
        "winner": None if outcome is None else outcome.winner,
        "skunks": [0] * game.rules.lanes if outcome is None else list(outcome.skunks),
    }


# --- what is asked ---


def _limit() -> int:
    told = request.args.get("limit", str(PAGE))
    if not re.fullmatch(r"[1-9][0-9]{0,2}", told, re.ASCII) or int(told) > LONGEST_PAGE:
        raise Problem(422, "shape", f"`limit` is a whole number from 1 to {LONGEST_PAGE}, not {said(told)}")
    return int(told)


def _variant() -> str | None:
    told = request.args.get("variant")
    if told is not None and told not in VARIANTS:
        raise Problem(422, "shape", f"`variant` is one of {', '.join(VARIANTS)}, not {said(told)}")
    return told


def _since() -> int | None:
    """In nanoseconds since 1970."""
    told = request.args.get("since")
    if told is None:
        return None
    seconds: float | None = None
    if re.fullmatch(r"[0-9]{1,10}(\.[0-9]{1,9})?", told, re.ASCII):
        seconds = float(told)
    elif re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", told, re.ASCII):
        seconds = _day(told)
    if seconds is None or not 0 <= seconds <= LATEST:
        sentence = f"`since` is seconds since 1970, or a day such as 2026-01-31, not {said(told)}"
        raise Problem(422, "shape", sentence)
    return int(seconds * shown.NANOSECONDS)


def _day(told: str) -> float | None:
    try:
        return datetime.strptime(told, "%Y-%m-%d").replace(tzinfo=UTC).timestamp()
    except ValueError:
        return None


# --- answered ---


def _unless_known(revision: int, values: Callable[[], dict[str, Any]]) -> Response:
    """The values, or only that they are those that the asker has already."""
    mark = f"{_scoreboard().view.epoch}-{revision}"
    known = request.if_none_match.contains_weak(mark)  # one that came packed is weak
    response = Response(status=304) if known else _answered(values())
    response.set_etag(mark)
    response.headers["Cache-Control"] = "private, no-cache"
    return response


def _answered(values: dict[str, Any]) -> Response:
    body = json.dumps(values, separators=(",", ":"), ensure_ascii=False)
    return Response(body, 200, {"Cache-Control": "no-store"}, mimetype="application/json")


def _scoreboard() -> Scoreboard:
    return cast("Scoreboard", current_app.extensions[KEPT_AS]["scoreboard"])


def _past() -> History:
    return _scoreboard().history
