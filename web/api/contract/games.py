"""Schemas of the list of games and of one game with its sheet and its figures, and an example of each."""

from typing import Any, ClassVar

from marshmallow import Schema, fields

from web.api.contract.answer_fields import decimal, each, number, numbers, text, texts, whether
from web.api.contract.entries import EntrySchema
from web.api.contract.examples import STATE
from web.api.contract.state import RulesSchema


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
