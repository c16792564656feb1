"""Games that were played, as the API tells them: the shape of each answer, and an example of it."""

from typing import Any, ClassVar

from marshmallow import Schema, fields

from web.api.contract.answer_fields import decimal, each, number, numbers, text, texts, whether
from web.api.contract.examples import COMMANDS as COMMAND_EXAMPLES
from web.api.contract.examples import STATE
from web.api.contract.state import EntrySchema, RulesSchema, StateSchema


class CardSchema(Schema):
    """A game in a line of the list."""

    id = text("the game's id")
    match = text("the id of its match, which is that of the match's first game")
    format = text("the match's format")
    variant = text("what was played")
    players = texts("by seat")
    lanes = numbers("by seat: the lane that it pegs in")
    started = decimal("seconds since 1970")
    ended = decimal("seconds since 1970; null while it is not over", allow_none=True)
    over = whether("whether it is over")
    abandoned = whether("whether it was given up: it counts for nothing")
    running = whether("whether it is the game on the table, over or not")
    imported = whether("whether it came from another table")
    winner = number("the lane that has won; null where none has", allow_none=True)
    fronts = numbers("by lane: the hole of the front peg")
    skunks = numbers("by lane: how many skunk lines it missed")
    lurch = whether("whether a skunk is called a lurch, at the half of the board")
    points = number("match points of the win, 0 without one")
    corrected = whether("whether a ruling stands, a line was amended, or anything was changed after the end")
    deals = number("how many deals were begun")


class GamesSchema(Schema):
    """A page of the list of games."""

    games = each(CardSchema, "newest first")
    before = text("what `before` is for the next page; null where there is none", allow_none=True)


class DealLaneSchema(Schema):
    """Holes that a lane pegged in a deal; together, of all deals, they are where its front peg stands."""

    play = number("cards laid, go and heels")
    hand = number("the hand, or the hands of partners")
    crib = number("the crib")
    other = number("penalties, muggins, awards, rulings and head starts; can be negative")
    unknown = number("scores without a reason")  # type: ignore[assignment] # a field of that name
    score = number("the hole of the front peg when the deal ended")


class PlayedDealSchema(Schema):
    """A deal."""

    deal = number("its number, from 1")
    dealer = number("the seat that dealt it, as far as the sheet tells")
    whole = whether("whether it was played out; the one that the end cut short is left out of averages")
    known = whether("whether `sure` is at least 0.98; other deals are left out of averages")
    sure = decimal("how likely the least likely of its reasons is, 0 to 1; 1 where all were said")
    lanes = each(DealLaneSchema, "by lane")


class PegStepSchema(Schema):
    """The pegs after a line that counts."""

    entry = text("the line; null for the start", allow_none=True)
    deal = number("the deal it belongs to")
    fronts = numbers("by lane: the hole of the front peg")


class AverageSchema(Schema):
    """Points a deal."""

    deals = number("deals that were played out and are known")
    average = decimal("their points, null without a deal", allow_none=True)
    par = decimal("what two good players peg with six cards, else null", allow_none=True)


class LaneFiguresSchema(Schema):
    """Averages of a lane."""

    dealer = fields.Nested(AverageSchema, required=True)
    pone = fields.Nested(AverageSchema, required=True)
    play = decimal("points a deal in the play, null without a deal", allow_none=True)
    hand = decimal("points a deal of the hand, null without a deal", allow_none=True)
    crib = decimal("points of a crib, null without one", allow_none=True)


class BestHandSchema(Schema):
    """A hand or a crib that was counted; its cards are not known."""

    points = number("its points, more perhaps than were needed")
    why = text("hand or crib")
    deal = number("the deal it was counted in")
    lane = number("whose it was")
    seat = number("whose it was, null where only the lane is known", allow_none=True)
    entry = text("its line")
    sure = decimal("how likely it is that the points were for this, 0 to 1; 1 where it was said")


class LeftOutSchema(Schema):
    """What averages leave out."""

    unfinished = number("deals that were not played out")
    unknown = number("others of which it is not sure enough what the points are for")  # type: ignore[assignment]
    points = number("those points")


class FiguresSchema(Schema):
    """A game in figures."""

    first_dealer = number("the seat that dealt first")
    lead_changes = number("how often another lane took the lead")
    greatest_lead = numbers("by lane: by how many holes it was ahead of the next one at most")
    lanes = each(LaneFiguresSchema, "by lane")
    best_hands = each(BestHandSchema, "at most 5, best first")
    left_out = fields.Nested(LeftOutSchema, required=True)


class PlayedRulesSchema(RulesSchema):
    """The rules of a game, with what its printed sheet asks."""

    confirm = whether("whether the players confirm the result")


class RenamingSchema(Schema):
    """A name that was corrected, in this game or another one of its match."""

    class Meta:
        """`from` is a word of Python."""

        include: ClassVar[dict[str, fields.String]] = {"from": text("the name until then")}

    seat = number("whose name it is")
    to = text("the name since then")
    source = text("the door it came through")
    at = decimal("seconds since 1970")
    after = text('the newest line of this game by then, "0" before its first')


class PlayedSchema(CardSchema):
    """A game with its sheet and its figures."""

    correctable = whether("whether corrections can name it: it belongs to the match on the table")
    epoch = text("the journal's own mark")
    revision = number("the board's: the number of the newest event")
    revisions = numbers("by lane, for the `base` of a correction")
    game_hole = number("the hole that wins")
    skunk_lines = numbers("the last holes of a skunked loser, highest first")
    rules = fields.Nested(PlayedRulesSchema, required=True)
    deals_played = each(PlayedDealSchema, "deal by deal")
    steps = each(PegStepSchema, "the way of the pegs, for a graph")
    entries = each(EntrySchema, "every line, newest first, as in the sheet")
    renamings = each(
        RenamingSchema, "the names that were corrected, oldest first; the players are told as they are now"
    )
    figures = fields.Nested(FiguresSchema, required=True)


class SkunksSchema(Schema):
    """Skunks, double skunks and triple skunks."""

    given = numbers("to losers: single, double, triple")
    taken = numbers("as the loser: single, double, triple")


class MatchesSchema(Schema):
    """Matches that were decided."""

    played = number("how many")
    won = number("how many of them were won")


class FirstDealerSchema(Schema):
    """Games that began with their deal."""

    games = number("how many")
    won = number("how many of them were won")


class HungHandSchema(Schema):
    """A hand or crib of some game."""

    points = number("its points")
    why = text("hand or crib")
    game = text("the game's id")
    deal = number("the deal it was counted in")
    at = decimal("when that game began, in seconds since 1970")
    sure = decimal("how likely it is that the points were for this, 0 to 1; 1 where it was said")


class OnTheWallSchema(HungHandSchema):
    """A hand of 24, 28 or 29."""

    names = texts("whose it was")


class SolitaireSchema(Schema):
    """Games played alone."""

    games = number("how many")
    won = number("how many reached hole 91")
    greater = number("how many reached the game hole")
    best = number("the farthest hole")
    average = decimal("the hole on the average")


class PlayerSchema(Schema):
    """One player, or two who were partners, in all games together."""

    names = texts("one name, or those of two partners")
    games = number("games that were finished, solitaire apart")
    won = number("of these")
    lost = number("of these")
    skunks = fields.Nested(SkunksSchema, required=True)
    streak = number("games won in a row up to now, or games lost with a minus")
    longest = number("the most games won in a row")
    points = number("match points")
    spread = number("holes won less holes lost")
    matches = fields.Nested(MatchesSchema, required=True)
    dealer = fields.Nested(AverageSchema, required=True)
    pone = fields.Nested(AverageSchema, required=True)
    play = decimal("points a deal in the play, null without a deal", allow_none=True)
    hand = decimal("points a deal of the hand, null without a deal", allow_none=True)
    crib = decimal("points of a crib, null without one", allow_none=True)
    first_dealer = fields.Nested(FirstDealerSchema, required=True)
    best_hands = each(HungHandSchema, "at most 5, best first")
    wall = fields.Dict(
        keys=fields.String(), values=fields.Integer(), required=True, metadata={"description": "how many of 24, 28, 29"}
    )
    left_out = fields.Nested(LeftOutSchema, required=True)
    solitaire = fields.Nested(SolitaireSchema, required=True, allow_none=True)


class MeetingSchema(Schema):
    """Two who met."""

    names = fields.List(fields.List(fields.String()), required=True, metadata={"description": "both sides"})
    games = number("how often")
    won = numbers("by side; with three at the table the third can have won")
    spread = number("holes that the first was ahead, all games together")


class NotCountedSchema(Schema):
    """Games that count for nothing."""

    games_given_up = number("given up")
    games_unfinished = number("not over")


class StatisticsSchema(Schema):
    """Finished games, added up."""

    games = number("how many")
    players = each(PlayerSchema, "most games first, at most 100")
    more = number("how many players are left out of that list")
    head_to_head = each(MeetingSchema, "most games first, at most 200")
    wall = each(OnTheWallSchema, "the latest 28 and 29, then 24, at most 50")
    left_out = fields.Nested(NotCountedSchema, required=True)


class BroughtSchema(Schema):
    """What was imported."""

    games = number("games that are new here")
    events = number("their events")
    skipped = number("games that were here already and stayed as they were")
    continued = number("games that were imported before, unfinished, and have gone on")
    differing = number("of the skipped: games that are told otherwise than they are kept here")


class BoardSchema(Schema):
    """A game's board."""

    fronts = numbers("by lane: the hole of the front peg")
    rears = numbers("by lane: the hole of the rear peg")
    over = whether("whether the game is over")
    winner = number("the lane that has won; null where none has", allow_none=True)
    skunks = numbers("by lane: how many skunk lines it missed")


class PreviewSchema(Schema):
    """What would become of a command."""

    state = fields.Nested(StateSchema, required=True)
    entry = text("the line it would make or change, or null", allow_none=True)
    note = text("what a correction would leave as it is, in words, or null", allow_none=True)
    game = text("the game that it is for")
    before = fields.Nested(BoardSchema, required=True)
    after = fields.Nested(BoardSchema, required=True)
    loses_win = number(
        "the lane whose win it takes away, or null: to be asked about before it is sent", allow_none=True
    )


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
    "winner": 0,
    "fronts": [121, 88],
    "skunks": [0, 1],
    "lurch": False,
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

A_GAME = A_CARD | {
    "correctable": True,
    "epoch": STATE["epoch"],
    "revision": STATE["revision"],
    "revisions": [31, 28],
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
        "lanes": [_AVERAGES, _AVERAGES],
        "best_hands": [{"points": 24, "why": "hand", "deal": 5, "lane": 0, "seat": 0, "entry": "31", "sure": 1.0}],
        "left_out": {"unfinished": 1, "unknown": 0, "points": 0},
    },
}

_HAND = {"points": 24, "why": "hand", "game": "5b0e7c1f92aa", "deal": 5, "at": 1795000000.0, "sure": 1.0}

SOME_STATISTICS = {
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

A_LINE = (
    '{"id": 25, "epoch": "9f2c61d0a47be835", "game": "5b0e7c1f92aa", "seq": 8, "at": 1795000000000000000, "source":'
    ' "phone", "kind": "scored", "v": 3, "body": {"lane": 0, "points": 6, "seat": 0, "why": "hand"}}\n'
)

AN_IMPORT = {"games": 12, "events": 704, "skipped": 3, "continued": 1, "differing": 0}

_BOARD = {"fronts": [121, 88], "rears": [115, 80], "over": True, "winner": 0, "skunks": [0, 1]}
_OPEN_AGAIN = {"fronts": [115, 88], "rears": [109, 80], "over": False, "winner": None, "skunks": [0, 0]}

A_PREVIEW: dict[str, Any] = {
    "state": STATE,
    "entry": "7",
    "note": None,
    "game": "5b0e7c1f92aa",
    "before": _BOARD,
    "after": _OPEN_AGAIN,
    "loses_win": 0,
}

_ASKED: dict[str, dict[str, Any]] = dict(COMMAND_EXAMPLES)
TRIAL = {
    "type": "object",
    "description": "a command as `/commands` takes it; its `id` can be left out",
    "properties": {"do": {"type": "string", "enum": list(_ASKED)}},
    "required": ["do"],
}
TRIALS = {do: {key: value for key, value in asked.items() if key != "id"} for do, asked in _ASKED.items()}
