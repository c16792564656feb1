"""The table of decisions: the word of each, its fact, who may make it, and what its request says.

Limits, wire, pages and audit trail read it. A new decision has its fact in `facts`, its row here, its step in
`derivation`, and, where its request is not its fact, its choice in `choices`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from pegboard.tournament.movement.draw_request import MOST_GAMES
from pegboard.tournament.movement.odd_fields import ONE_FEWER, ONE_MORE
from pegboard.tournament.night import facts
from pegboard.tournament.night import request_fields as wanted
from pegboard.tournament.night.request_fields import WantedFields, WantedList, WantedObject, WantedText
from pegboard.tournament.playoffs.play_off import BEST_OF
from pegboard.tournament.playoffs.qualifying import CUT_RULES
from pegboard.tournament.pots.pot_rules import POT_RULES
from pegboard.tournament.results.scoring import GAME_HOLE, POINT_TABLES
from pegboard.tournament.results.tie_breaks import TIE_BREAK_ORDERS


class Role(StrEnum):
    """Who makes a decision."""

    DIRECTOR = "director"
    PLAYER = "player"
    TABLE = "table"


DIRECTOR = frozenset({Role.DIRECTOR})
ALSO_PLAYERS = frozenset({Role.DIRECTOR, Role.PLAYER})
TABLES = frozenset({Role.TABLE})

LETTERS = ("a", "b", "c", "d", "e", "f", "h", "sheet", "stand", "judge")
"""Rulings: by ACC 12.2, by the table's score sheet, that both cards stand, or by a judge's own values."""

ENVELOPE = ("id", "night", "base")
"""Fields round a request, which the rules do not see."""


@dataclass(frozen=True, slots=True)
class DecisionRow:
    """A row of the table.

    Attributes:
        do: the word for the decision.
        decision: the class of its fact.
        who: whose roles may make it; a player only for himself.
        own_fields: the fields of its request, in their order.
        example: values of such fields.
        needs_base: whether it would be wrong if something else was decided since the director looked.
        about: the field of the request that names what it is about; a page has its button there.
    """

    do: str
    decision: type[facts.Decision]
    who: frozenset[Role] = DIRECTOR
    own_fields: WantedFields = field(default_factory=dict)
    example: Mapping[str, Any] = field(default_factory=dict)
    needs_base: bool = False
    about: str = ""


ODD = (ONE_MORE, ONE_FEWER)

MOST_MATCH_TABLES = 60
"""At which two teams meet."""

_RULES = WantedObject(
    takes="the event's rules",
    required=False,
    own={
        "games": wanted.number("games per player", 1, MOST_GAMES, required=False),
        "points": wanted.word("the game points", tuple(POINT_TABLES), required=False),
        "order": wanted.word("the tie-break order", tuple(TIE_BREAK_ORDERS), required=False),
        "cut": wanted.text(
            f"the number of qualifiers, such as {', '.join(CUT_RULES)}, 1/4 or 8", least=1, required=False
        ),
        "fee": wanted.cents("the fee", required=False),
        "currency": WantedText(takes="three capital letters, such as USD", least=3, most=3, required=False),
        "format": wanted.word("the format", facts.FORMATS, required=False),
        "movement": wanted.word("the movement", facts.MOVEMENTS, required=False),
        "odd": wanted.word("the rule for odd numbers", ODD, required=False),
        "table_games": WantedList(
            takes="games per table of a match, starting with the first table",
            item=wanted.number("games", 1, MOST_GAMES),
            most=MOST_MATCH_TABLES,
            required=False,
        ),
        "best_of": WantedList(
            takes="maximum games of a match by bracket round: 1, 3, 5 or 7",
            item=wanted.number("games", BEST_OF[0], BEST_OF[-1]),
            least=1,
            most=12,
            required=False,
        ),
    },
)
_NAME = wanted.text("the name", least=1)
_TEAM = wanted.text("the team's name, empty for none", most=40, required=False)
_PARTNER = wanted.text("the partner's name, empty for none", required=False)
_STAYS = wanted.flag("the player must stay at one table")
_NUMBER = wanted.text("the association number", required=False)
_NOTE = wanted.text("a note", most=wanted.MOST_WORDS, required=False)
_SHEET = WantedObject(
    takes="a reference to a score sheet",
    own={
        "table": wanted.table(),
        "epoch": wanted.text("the epoch of the table's journal", least=1),
        "game": wanted.text("the game's id at the table", least=1),
        "first": wanted.number("the first event", 0, 2**53),
        "last": wanted.number("the last event", 0, 2**53),
        "digest": wanted.text("the digest of the sheet", most=128),
    },
)
_VALUE = WantedObject(
    takes="game points and signed spread",
    own={
        "points": wanted.number("game points", 0, 20),
        "net": wanted.number("the spread, minus for a loss", -GAME_HOLE, GAME_HOLE),
    },
)
_MATCH = wanted.text("the id of a match, such as main:1:2", least=5)
_PLAYERS = WantedList(takes="a list of players", item=wanted.player(), least=1)
_BRACKET = wanted.text("the name of the bracket: main, or another for a consolation", least=1, most=24)
_POT = wanted.text("the id of a pot", least=1, most=24)
_BEST_OF = _RULES.own["best_of"]

DECISIONS = (
    DecisionRow(
        "open_night",
        facts.NightOpened,
        own_fields={
            "name": _NAME,
            "date": WantedText(takes="a day such as 2026-11-26", least=10, most=10),
            "rules": _RULES,
        },
        example={"name": "Thursday club", "date": "2026-11-26", "rules": {"games": 9, "fee": 1000}},
    ),
    DecisionRow(
        "set_rules",
        facts.NightRulesSet,
        own_fields={"rules": _RULES},
        example={"rules": {"games": 7}},
        needs_base=True,
    ),
    DecisionRow(
        "enter",
        facts.PlayerEntered,
        ALSO_PLAYERS,
        own_fields={
            "name": _NAME,
            "number": _NUMBER,
            "walk_up": wanted.flag("the player is a walk-up and checks in now"),
            "free": wanted.flag("the player owes no fee"),
            "team": _TEAM,
            "partner": _PARTNER,
            "stays": _STAYS,
        },
        example={"name": "Ann", "number": "MI101"},
    ),
    DecisionRow(
        "correct_entry",
        facts.EntryCorrected,
        own_fields={
            "player": wanted.player(),
            "name": wanted.text("the correct name", least=1, required=False),
            "number": _NUMBER,
            "free": wanted.flag("the player owes no fee"),
            "team": _TEAM,
            "partner": _PARTNER,
            "stays": _STAYS,
        },
        example={"player": "p2", "name": "Bob"},
        about="player",
    ),
    DecisionRow(
        "check_in",
        facts.CheckedIn,
        ALSO_PLAYERS,
        own_fields={
            "player": wanted.player(required=False),
            "players": WantedList(takes="a list of players", item=wanted.player(), least=1, required=False),
        },
        example={"player": "p2"},
        about="player",
    ),
    DecisionRow(
        "leave",
        facts.PlayerLeft,
        own_fields={"player": wanted.player()},
        example={"player": "p2"},
        about="player",
    ),
    DecisionRow(
        "come_back",
        facts.PlayerReturned,
        own_fields={"player": wanted.player()},
        example={"player": "p2"},
        about="player",
    ),
    DecisionRow("close_registration", facts.RegistrationClosed),
    DecisionRow("open_registration", facts.RegistrationOpened),
    DecisionRow(
        "fee_paid",
        facts.FeePaid,
        own_fields={
            "player": wanted.player(),
            "cents": wanted.cents("the payment, negative for a refund,", least=-wanted.MOST_CENTS),
        },
        example={"player": "p2", "cents": 1000},
        about="player",
        needs_base=True,
    ),
    DecisionRow(
        "add_table",
        facts.TableAdded,
        own_fields={
            "table": wanted.table(),
            "label": wanted.text("the table's name", most=12, required=False),
            "kind": wanted.word("how the table is scored", ("board", "paper"), required=False),
        },
        example={"table": "t4", "label": "4", "kind": "board"},
    ),
    DecisionRow(
        "remove_table",
        facts.TableRemoved,
        own_fields={"table": wanted.table()},
        example={"table": "t4"},
        about="table",
    ),
    DecisionRow(
        "draw",
        facts.ScheduleDrawn,
        needs_base=True,
    ),
    DecisionRow(
        "move_game",
        facts.GameMoved,
        own_fields={"game": wanted.game(), "table": wanted.table()},
        example={"game": "r3:p1-p7", "table": "t2"},
        about="game",
    ),
    DecisionRow(
        "start_round",
        facts.RoundStarted,
        own_fields={"round": wanted.number("the round", 1, wanted.MOST_ROUNDS)},
        example={"round": 1},
        about="round",
    ),
    DecisionRow(
        "claim",
        facts.ResultClaimed,
        ALSO_PLAYERS,
        own_fields={
            "game": wanted.game(),
            "player": wanted.player("the card's player"),
            "won": wanted.WantedFlag(takes="true for a win, false for a loss"),
            "margin": wanted.margin(nullable=True),
            "column": wanted.word("the spread's column on the card", ("plus", "minus"), required=False),
            "points": wanted.number("the game points on the card", 0, 20, required=False),
        },
        example={"game": "r3:p1-p7", "player": "p1", "won": True, "margin": 12},
        about="game",
    ),
    DecisionRow(
        "confirm",
        facts.ResultConfirmed,
        ALSO_PLAYERS,
        own_fields={"game": wanted.game(), "player": wanted.player("the confirming player")},
        example={"game": "r3:p1-p7", "player": "p7"},
        about="game",
    ),
    DecisionRow(
        "paper_result",
        facts.PaperResultEntered,
        own_fields={"game": wanted.game(), "winner": wanted.player("the winner"), "margin": wanted.margin()},
        example={"game": "r3:p1-p7", "winner": "p1", "margin": 12},
        needs_base=True,
        about="game",
    ),
    DecisionRow(
        "table_result",
        facts.TableResultReceived,
        TABLES,
        own_fields={
            "game": wanted.game(),
            "table": wanted.table(),
            "winner": wanted.player("the winner"),
            "margin": wanted.margin(),
            "confirmed": WantedList(
                takes="a list of the players who confirmed", item=wanted.player(), most=2, required=False
            ),
            "sheet": replace(_SHEET, required=False),
        },
        example={"game": "r3:p1-p7", "table": "t1", "winner": "p1", "margin": 12, "confirmed": ["p1", "p7"]},
        about="game",
    ),
    DecisionRow(
        "table_withdrawal",
        facts.TableResultWithdrawn,
        TABLES,
        own_fields={"game": wanted.game(), "table": wanted.table(), "sheet": _SHEET},
        example={
            "game": "r3:p1-p7",
            "table": "t1",
            "sheet": {"table": "t1", "epoch": "e1", "game": "g1", "first": 1, "last": 60, "digest": "5d1f"},
        },
        about="game",
    ),
    DecisionRow(
        "rule",
        facts.ResultRuled,
        own_fields={
            "game": wanted.game(),
            "letter": wanted.word("the ruling", LETTERS),
            "values": WantedList(
                takes="points and spread of both players, for a judge's own ruling",
                item=_VALUE,
                least=2,
                most=2,
                required=False,
            ),
            "note": _NOTE,
        },
        example={"game": "r3:p1-p7", "letter": "a", "note": "both cards seen"},
        needs_base=True,
        about="game",
    ),
    DecisionRow(
        "award",
        facts.GameAwarded,
        own_fields={
            "game": wanted.game(),
            "against": wanted.player("the player who loses the game"),
            "kind": wanted.word("the reason", ("late", "refused_judges")),
        },
        example={"game": "r3:p1-p7", "against": "p7", "kind": "late"},
        needs_base=True,
        about="game",
    ),
    DecisionRow(
        "forfeit",
        facts.GameForfeited,
        own_fields={"game": wanted.game(), "player": wanted.player("the player who forfeits")},
        example={"game": "r3:p1-p7", "player": "p7"},
        needs_base=True,
        about="game",
    ),
    DecisionRow(
        "break_tie",
        facts.TieBroken,
        own_fields={
            "players": WantedList(takes="the tied players, best first", item=wanted.player(), least=2),
            "how": wanted.word("how it was decided", ("game", "draw", "director"), required=False),
        },
        example={"players": ["p3", "p5"], "how": "game"},
        needs_base=True,
    ),
    DecisionRow("close_cut", facts.CutClosed, needs_base=True),
    DecisionRow("open_cut", facts.CutOpened),
    DecisionRow(
        "draw_bracket",
        facts.BracketDrawn,
        own_fields={
            "bracket": _BRACKET,
            "players": WantedList(takes="the players of a consolation", item=wanted.player(), least=2, required=False),
            "best_of": _BEST_OF,
        },
        example={"bracket": "main"},
        needs_base=True,
    ),
    DecisionRow(
        "place",
        facts.BracketPlaced,
        own_fields={
            "bracket": _BRACKET,
            "place": wanted.number("the first-round place, counted from the top", 1, 4096),
            "player": wanted.text("the player's id, or empty for a bye", most=8),
        },
        example={"bracket": "main", "place": 2, "player": "p7"},
        needs_base=True,
        about="bracket",
    ),
    DecisionRow(
        "bracket_game",
        facts.BracketGamePlayed,
        own_fields={
            "match": _MATCH,
            "winner": wanted.player("the winner of the game"),
            "margin": wanted.WantedNumber(
                takes=f"a whole number of holes from 1 to {GAME_HOLE}",
                least=1,
                most=GAME_HOLE,
                required=False,
            ),
        },
        example={"match": "main:1:2", "winner": "p1", "margin": 12},
        needs_base=True,
        about="match",
    ),
    DecisionRow(
        "bracket_forfeit",
        facts.BracketGamePlayed,
        own_fields={
            "match": _MATCH,
            "player": wanted.player("the absent player"),
            "games": wanted.number("games lost by the no-show", 1, BEST_OF[-1], required=False),
        },
        example={"match": "main:1:2", "player": "p7", "games": 1},
        needs_base=True,
        about="match",
    ),
    DecisionRow(
        "open_pot",
        facts.PotOpened,
        own_fields={
            "kind": wanted.word("the kind of the pot", tuple(POT_RULES)),
            "name": wanted.text("the pot's name", required=False),
            "fee": wanted.cents("the price of a share", required=False),
            "carried": wanted.cents("the amount carried over", required=False),
            "house_percent": wanted.number("the house's percentage", 0, 100, required=False),
            "scale": wanted.text("prizes by place in percent, such as 50-30-20", required=False),
        },
        example={"kind": "q_pool", "fee": 500},
    ),
    DecisionRow(
        "enter_pot",
        facts.PotEntered,
        own_fields={"pot": _POT, "player": wanted.player(), "half": wanted.flag("the player has half a share")},
        example={"pot": "q_pool", "player": "p3"},
        about="pot",
    ),
    DecisionRow(
        "leave_pot",
        facts.PotLeft,
        own_fields={"pot": _POT, "player": wanted.player()},
        example={"pot": "q_pool", "player": "p3"},
        about="pot",
    ),
    DecisionRow(
        "pot_hit",
        facts.PotHitNoted,
        own_fields={
            "pot": _POT,
            "player": wanted.player(),
            "kind": wanted.text("the kind of hit", most=24, required=False),
            "count": wanted.number("the number of hits", 1, 100, required=False),
        },
        example={"pot": "hand_24", "player": "p3"},
        needs_base=True,
        about="pot",
    ),
    DecisionRow(
        "pay_pot",
        facts.PotPaid,
        own_fields={"pot": _POT},
        example={"pot": "q_pool"},
        needs_base=True,
        about="pot",
    ),
    DecisionRow(
        "announce",
        facts.Announced,
        own_fields={"text": wanted.text("the announcement", least=1, most=wanted.MOST_WORDS)},
        example={"text": "Round 3 begins at nine"},
    ),
    DecisionRow(
        "undo",
        facts.DecisionUndone,
        own_fields={"number": wanted.number("the number of a log entry", 1, 2**53)},
        example={"number": 12},
        about="number",
    ),
    DecisionRow("end_night", facts.NightEnded, needs_base=True),
    DecisionRow("open_again", facts.NightOpenedAgain),
)
"""Every decision that is stored."""

ROWS = {row.do: row for row in DECISIONS}
"""The rows by the word for their decision."""

_BY_FACT = {row.decision: row for row in reversed(DECISIONS)}


def row_of_decision(decision: facts.Decision) -> DecisionRow | None:
    """The first row of which a fact comes; None for one that this version does not know."""
    return _BY_FACT.get(type(decision))
