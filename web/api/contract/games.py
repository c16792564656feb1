"""Schemas of the list of games and of one game with its sheet and its figures, and an example of each."""

from typing import Any, ClassVar

from marshmallow import Schema, fields

from web.api.contract.entries import EntrySchema
from web.api.contract.examples import STATE
from web.api.contract.schema_fields import boolean, decimal, integer, integers, list_of, string, strings
from web.api.contract.state import RulesSchema


class CardSchema(Schema):
    """A game in a line of the list."""

    id = string("the game's id")
    match = string("the id of its match, which is that of the match's first game")
    format = string("the match's format")
    variant = string("what was played")
    players = strings("by seat")
    lanes = integers("by seat: the lane that it pegs in")
    started = decimal("seconds since 1970")
    ended = decimal(
        "seconds since 1970; null while it is not over, or if the clock was set back meanwhile", allow_none=True
    )
    over = boolean("whether it is over")
    abandoned = boolean("whether it was given up: it counts for nothing")
    running = boolean("whether it is the game on the table, over or not")
    imported = boolean("whether it came from another table")
    incomplete = boolean("whether it lacks scores, or may, since a damaged journal was salvaged")
    winner = integer("the lane that has won; null where none has", allow_none=True)
    fronts = integers("by lane: the hole of the front peg")
    skunks = integers("by lane: how many skunk lines it missed")
    lurch = boolean("whether a skunk is called a lurch, at the half of the board")
    points = integer("match points of the win, 0 without one")
    corrected = boolean("whether a ruling stands, a line was amended, or anything was changed after the end")
    deals = integer("how many deals were begun")


class GamesSchema(Schema):
    """A page of the list of games."""

    games = list_of(CardSchema, "newest first")
    before = string("what `before` is for the next page; null where there is none", allow_none=True)


class DealLaneSchema(Schema):
    """Holes that a lane pegged in a deal; together, of all deals, they are where its front peg stands."""

    play = integer("cards laid, go and heels")
    hand = integer("the hand, or the hands of partners")
    crib = integer("the crib")
    other = integer("penalties, muggins, awards, rulings and head starts; can be negative")
    unknown = integer("scores without a reason")  # type: ignore[assignment] # a field of that name
    score = integer("the hole of the front peg when the deal ended")


class PlayedDealSchema(Schema):
    """A deal."""

    deal = integer("its number, from 1")
    dealer = integer("the seat that dealt it, as far as the sheet tells")
    whole = boolean("whether it was played out; the one that the end cut short is left out of averages")
    known = boolean("whether `sure` is at least 0.98; other deals are left out of averages")
    sure = decimal("how likely the least likely of its reasons is, 0 to 1; 1 where all were said")
    lanes = list_of(DealLaneSchema, "by lane")


class PegStepSchema(Schema):
    """The pegs after a line that counts."""

    entry = string("the line; null for the start", allow_none=True)
    deal = integer("the deal it belongs to")
    fronts = integers("by lane: the hole of the front peg")


class AverageSchema(Schema):
    """Points a deal."""

    deals = integer("deals that were played out and are known")
    average = decimal("their points, null without a deal", allow_none=True)
    par = decimal("what two good players peg with six cards, else null", allow_none=True)


class LaneFiguresSchema(Schema):
    """Averages of a lane."""

    dealer = fields.Nested(AverageSchema, required=True)
    pone = fields.Nested(AverageSchema, required=True)
    play = decimal("points a deal in the play, null without a deal", allow_none=True)
    hand = decimal("points a deal of the hand, null without a deal", allow_none=True)
    crib = decimal("points of a crib, null without one", allow_none=True)


class CountedHandSchema(Schema):
    """A hand or a crib that was counted; its cards are not known."""

    why = string("hand or crib")
    deal = integer("the deal it was counted in")
    sure = decimal("how likely it is that the points were for this, 0 to 1; 1 where it was said")


class BestHandSchema(CountedHandSchema):
    """One of the best hands of a game."""

    points = integer("its points, more perhaps than were needed")
    lane = integer("whose it was")
    seat = integer("whose it was, null where only the lane is known", allow_none=True)
    entry = string("its line")


class LeftOutSchema(Schema):
    """What averages leave out."""

    unfinished = integer("deals that were not played out")
    unknown = integer("others of which it is not sure enough what the points are for")  # type: ignore[assignment]
    points = integer("those points")


class FiguresSchema(Schema):
    """A game in figures."""

    first_dealer = integer("the seat that dealt first")
    lead_changes = integer("how often another lane took the lead")
    greatest_lead = integers("by lane: by how many holes it was ahead of the next one at most")
    lanes = list_of(LaneFiguresSchema, "by lane")
    best_hands = list_of(BestHandSchema, "at most 5, best first")
    left_out = fields.Nested(LeftOutSchema, required=True)


class PlayedRulesSchema(RulesSchema):
    """The rules of a game, with what its printed sheet asks."""

    confirm = boolean("whether the players confirm the result")


class RenamingSchema(Schema):
    """A name that was corrected, in this game or another one of its match."""

    class Meta:
        """`from` is a word of Python."""

        include: ClassVar[dict[str, fields.String]] = {"from": string("the name until then")}

    seat = integer("whose name it is")
    to = string("the name since then")
    source = string("what it was entered with")
    at = decimal("seconds since 1970")
    after = string('the newest line of this game by then, "0" before its first')


class PlayedSchema(CardSchema):
    """A game with its sheet and its figures."""

    correctable = boolean("whether corrections can name it: it belongs to the match on the table")
    epoch = string("the journal's own mark")
    revision = integer("the board's: the number of the newest event")
    revisions = integers("by lane, for the `base` of a correction")
    pairing = string("what an event calls it, after the event's id and a slash, or null", allow_none=True)
    game_hole = integer("the hole that wins")
    skunk_lines = integers("the last holes of a skunked loser, highest first")
    rules = fields.Nested(PlayedRulesSchema, required=True)
    deals_played = list_of(PlayedDealSchema, "deal by deal")
    steps = list_of(PegStepSchema, "the way of the pegs, for a graph")
    entries = list_of(EntrySchema, "every line, newest first, as in the sheet")
    renamings = list_of(
        RenamingSchema, "the names that were corrected, oldest first; the players are told as they are now"
    )
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
