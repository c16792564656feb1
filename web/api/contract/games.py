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
    """Holes that a lane pegged in a deal; together, of all deals, they are where its front peg stands."""

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
    """Points a deal."""

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
    """A hand or a crib that was counted; its cards are not known."""

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
    """A game in figures."""

    first_dealer = integer("the seat that dealt first")
    lead_changes = integer("number of times another lane took the lead")
    greatest_lead = integers("by lane: its greatest lead over the next lane, in holes")
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

        include: ClassVar[dict[str, fields.String]] = {"from": string("the name before")}

    seat = integer("the player's seat")
    to = string("the name after")
    source = string("how it was entered, such as phone or button")
    at = decimal("seconds since 1970")
    after = string('the newest line at that time, "0" if there was none')


class PlayedSchema(CardSchema):
    """A game with its sheet and its figures."""

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
