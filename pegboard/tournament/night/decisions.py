"""Decision table of an event: each decision's word, fact class, allowed roles and request fields; and their limits.

Also JSON storage, topics for conflict checks, and the sentences of the log. A new decision needs a fact in `facts`, a
row and a limit here, a step in `decide.STEPS`, and a choice in `decide.CHOICES` if its request is not already its fact.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, TypeAlias

from pegboard.errors import Already, PegboardError, RuleError
from pegboard.messages import Message
from pegboard.tournament.night import deciding as wanted
from pegboard.tournament.night import facts
from pegboard.tournament.night.deciding import DecisionRow, _of_player, _plain, _say_names
from pegboard.tournament.night.evening import (
    _check_end,
    _check_open,
    _check_reopening,
    _check_rules,
    _check_words,
    _say_rules,
    _say_undone,
)
from pegboard.tournament.night.facts import Decision, UnknownDecision
from pegboard.tournament.night.night_state import DIRECTOR_AND_PLAYERS, TABLES, Author, Night, Role, StoredDecision
from pegboard.tournament.night.people import (
    _check_check_in,
    _check_closing,
    _check_correction,
    _check_entry,
    _check_fee,
    _check_leave,
    _check_opening,
    _check_return,
    _say_payment,
)
from pegboard.tournament.night.play_offs import (
    PLAY_OFF_LIMITS,
    _break_tie,
    _close_cut,
    _draw_bracket,
    _open_cut,
    _place,
    _play_bracket_game,
    _say_bracket,
    _say_bracket_game,
)
from pegboard.tournament.night.pots import (
    POT_LIMITS,
    _enter_pot,
    _leave_pot,
    _note_hit,
    _open_pot,
    _pay_pot,
    _pot_called,
    _say_pot,
)
from pegboard.tournament.night.request_shapes import (
    UNREADABLE,
    WantedFlag,
    WantedList,
    WantedNumber,
    WantedObject,
    WantedText,
    plain,
    read_value,
)
from pegboard.tournament.night.results_decided import (
    RESULT_LIMITS,
    _say_award,
    _say_card,
    _say_forfeit,
    _say_result,
    _say_ruling,
    _say_table_result,
    say_game_key,
)
from pegboard.tournament.night.rounds import (
    _check_draw,
    _check_move,
    _check_removal,
    _check_start,
    _check_table,
    _say_draw,
)
from pegboard.tournament.pairings import join_pair
from pegboard.tournament.playoffs.qualifying import CUT_RULES
from pegboard.tournament.playoffs.seeding import BEST_OF
from pegboard.tournament.pots.pot_rules import POT_RULES
from pegboard.tournament.results.scoring import GAME_HOLE, POINT_TABLES
from pegboard.tournament.results.standings import TIE_BREAK_ORDERS
from pegboard.tournament.schedule.draw_request import MOST_GAMES
from pegboard.tournament.schedule.ring import ONE_FEWER, ONE_MORE

Limit: TypeAlias = Callable[[Night, Any], None]
"""Checks a fact of one class.

Raises:
    RuleError: it is refused; `Already` if there is nothing to do.
"""


BEFORE_THE_OPENING = (facts.NightOpened, facts.DecisionUndone)
"""Decisions possible while no event is open: a canceled event is reopened by undoing its cancellation."""


AFTER_THE_END = (
    *(facts.NightOpened, facts.NightOpenedAgain, facts.NightEnded, facts.FeePaid, facts.PotPaid),
    *(facts.Announced, facts.DecisionUndone, facts.UnknownDecision),
)
"""Decisions possible after the end: money is often counted then."""


BEFORE_THE_CUT = (*RESULT_LIMITS, facts.ScheduleDrawn, facts.TieBroken, facts.NightRulesSet)
"""Decisions on which the standings, and so the cutoff, depend."""


def refusal(night: Night, decision: facts.Decision) -> PegboardError | None:
    """Why a decision is refused; None if it is not."""
    try:
        check(night, decision)
    except PegboardError as error:
        return error
    return None


def check(night: Night, decision: facts.Decision) -> None:
    """Check a decision against today's limits.

    Raises:
        RuleError: it is refused; `Already` if there is nothing to do.
    """
    if isinstance(decision, facts.UnknownDecision):
        raise RuleError("night_unknown_decision", do=repr(decision.do))
    check_phase(night, type(decision))
    LIMITS[type(decision)](night, decision)


def check_phase(night: Night, kind: type) -> None:
    """Check that this kind of decision is possible in the event's phase: before the opening, open, or ended.

    Raises:
        RuleError: it is not.
    """
    if kind not in BEFORE_THE_OPENING and night.opened is None:
        raise RuleError("night_not_open")
    if night.ended is not None and kind not in AFTER_THE_END:
        raise RuleError("night_ended")


def _check_undo(night: Night, fact: facts.DecisionUndone) -> None:
    row = next((row for row in night.rows if row.number == fact.number), None)
    if row is None:
        raise RuleError("night_no_decision", number=fact.number)
    if fact.number in night.undone:
        raise Already("night_undone_already", number=night.undone[fact.number])
    check_phase(night, type(row.decision))
    if night.cut is not None and isinstance(row.decision, BEFORE_THE_CUT):
        raise RuleError("night_cut_closed")


LIMITS: Mapping[type, Limit] = {
    facts.NightOpened: _check_open,
    facts.NightRulesSet: _check_rules,
    facts.PlayerEntered: _check_entry,
    facts.EntryCorrected: _check_correction,
    facts.CheckedIn: _check_check_in,
    facts.PlayerLeft: _check_leave,
    facts.PlayerReturned: _check_return,
    facts.RegistrationClosed: _check_closing,
    facts.RegistrationOpened: _check_opening,
    facts.FeePaid: _check_fee,
    facts.TableAdded: _check_table,
    facts.TableRemoved: _check_removal,
    facts.ScheduleDrawn: _check_draw,
    facts.GameMoved: _check_move,
    facts.RoundStarted: _check_start,
    **RESULT_LIMITS,
    **PLAY_OFF_LIMITS,
    **POT_LIMITS,
    facts.Announced: _check_words,
    facts.DecisionUndone: _check_undo,
    facts.NightEnded: _check_end,
    facts.NightOpenedAgain: _check_reopening,
}
"""By fact class."""


PLAY_OFF_STEPS: Mapping[type, Callable[[Night, Any, int], Night]] = {
    facts.TieBroken: _break_tie,
    facts.CutClosed: _close_cut,
    facts.CutOpened: _open_cut,
    facts.BracketDrawn: _draw_bracket,
    facts.BracketPlaced: _place,
    facts.BracketGamePlayed: _play_bracket_game,
    facts.PotOpened: _open_pot,
    facts.PotEntered: _enter_pot,
    facts.PotLeft: _leave_pot,
    facts.PotHitNoted: _note_hit,
    facts.PotPaid: _pay_pot,
}
"""By fact class."""


# --- JSON serialization of decisions, for the ledger, packages and other hubs ---
#
# A value is parsed by the declared type of its field. Missing fields get their defaults and extra ones are ignored; a
# decision that cannot be read becomes an `UnknownDecision`, so that every old event stays readable.


StoredJson: TypeAlias = dict[str, Any]


VERSION = 1
"""Version of the bodies."""


def word_of(decision: Decision) -> str:
    """The word of a decision."""
    if isinstance(decision, UnknownDecision):
        return decision.do
    row = row_of_decision(decision)
    assert row is not None
    return row.do


def as_row(stored: StoredDecision) -> StoredJson:
    """JSON-ready values of a stored decision; `from_row` reads them back."""
    decision = stored.decision
    body = dict(decision.body) if isinstance(decision, UnknownDecision) else plain(decision)
    return {
        "number": stored.number,
        "at": stored.at,
        "by": {"role": str(stored.by.role), "name": stored.by.name},
        "do": word_of(stored.decision),
        "version": VERSION,
        "body": body,
    }


def from_row(row: Mapping[str, Any]) -> StoredDecision:
    """Read a stored decision from a row of the ledger or a package; an unreadable one is an `UnknownDecision`."""
    by = row.get("by") or {}
    role = Role(by["role"]) if by.get("role") in set(Role) else Role.DIRECTOR
    decision = read_decision(str(row.get("do")), row.get("body") or {})
    return StoredDecision(int(row["number"]), int(row.get("at") or 0), Author(role, str(by.get("name", ""))), decision)


def read_decision(do: str, body: Any) -> Decision:
    """Read the fact for this word and body."""
    try:
        kind: Any = ROWS[do].decision
        decision: Decision = read_value(kind, body)
    except UNREADABLE:
        return UnknownDecision(do, dict(body) if isinstance(body, Mapping) else {})
    return decision


# --- topics: what a decision is about, so that one based on an older state is refused only on a conflict ---


RESULTS, SCHEDULE, CUT, FIELD, RULES, END = "results", "schedule", "cut", "field", "rules", "end"


UNDONE = "undone"


def topics_of_request(do: str, values: Mapping[str, Any]) -> frozenset[str]:
    """Topics that must not have changed since the director looked; an undo may have changed anything."""
    find = OF_REQUESTS.get(do)
    return frozenset({UNDONE, *(find(values) if find else ())})


def topics_of(decision: facts.Decision) -> frozenset[str]:
    """Topics that a decision changes."""
    find = OF_FACTS.get(type(decision))
    if find is not None:
        return frozenset(find(decision))
    game = getattr(decision, "game", "")
    return frozenset({RESULTS, f"game {game}"} if game else ())


def _bracket_of(match: str) -> str:
    return match.partition(":")[0]


def _of_game(values: Mapping[str, Any]) -> Iterable[str]:
    return (f"game {values['game']}",)


def _of_cut(_: Mapping[str, Any]) -> Iterable[str]:
    return (RESULTS, CUT, SCHEDULE, FIELD, RULES)


def _of_bracket(values: Mapping[str, Any]) -> Iterable[str]:
    return (CUT, f"bracket {values['bracket']}")


def _of_match(values: Mapping[str, Any]) -> Iterable[str]:
    return (f"match {values['match']}", f"places {_bracket_of(values['match'])}")


def _hits_of(pot: str, player: str) -> Iterable[str]:
    return (f"hits {pot} {player}",)


def _of_fee(values: Mapping[str, Any]) -> Iterable[str]:
    return (f"fee {values['player']}",)


OF_REQUESTS: Mapping[str, Callable[[Mapping[str, Any]], Iterable[str]]] = {
    "draw": lambda _: (SCHEDULE,),
    "set_rules": lambda _: (RULES,),
    "paper_result": _of_game,
    "rule": _of_game,
    "award": _of_game,
    "forfeit": _of_game,
    "close_cut": _of_cut,
    "break_tie": _of_cut,
    "draw_bracket": _of_bracket,
    "place": _of_bracket,
    "bracket_game": _of_match,
    "bracket_forfeit": _of_match,
    "pot_hit": lambda values: _hits_of(values["pot"], values["player"]),
    "pay_pot": lambda values: (RESULTS, CUT, f"pot {values['pot']}"),
    "end_night": lambda _: (END,),
    "fee_paid": _of_fee,
}
"""Topics by the word of a request, for all that need a base."""


def _changes_schedule(_: Any) -> Iterable[str]:
    return (SCHEDULE,)


def _changes_cut(_: Any) -> Iterable[str]:
    return (CUT,)


def _changes_places(fact: Any) -> Iterable[str]:
    return (f"bracket {fact.bracket}", f"places {fact.bracket}")


def _changes_match(fact: facts.BracketGamePlayed) -> Iterable[str]:
    return (f"match {fact.match}", f"bracket {_bracket_of(fact.match)}")


def _changes_pot(fact: Any) -> Iterable[str]:
    return (f"pot {fact.pot}",)


def _changes_hits(fact: facts.PotHitNoted) -> Iterable[str]:
    return (*_changes_pot(fact), *_hits_of(fact.pot, fact.player))


def _changes_field(_: Any) -> Iterable[str]:
    return (FIELD,)


def _changes_end(_: Any) -> Iterable[str]:
    return (END,)


OF_FACTS: Mapping[type, Callable[[Any], Iterable[str]]] = {
    facts.PlayerEntered: _changes_field,
    facts.CheckedIn: _changes_field,
    facts.PlayerLeft: _changes_field,
    facts.PlayerReturned: _changes_field,
    facts.ScheduleDrawn: _changes_schedule,
    facts.GameMoved: _changes_schedule,
    facts.NightRulesSet: lambda _: (RULES,),
    facts.TieBroken: _changes_cut,
    facts.CutClosed: _changes_cut,
    facts.CutOpened: _changes_cut,
    facts.BracketDrawn: _changes_places,
    facts.BracketPlaced: _changes_places,
    facts.BracketGamePlayed: _changes_match,
    facts.PotEntered: _changes_pot,
    facts.PotLeft: _changes_pot,
    facts.PotHitNoted: _changes_hits,
    facts.PotPaid: _changes_pot,
    facts.FeePaid: lambda fact: (f"fee {fact.player}",),
    facts.NightEnded: _changes_end,
    facts.NightOpenedAgain: _changes_end,
    facts.DecisionUndone: lambda _: (UNDONE,),
}
"""Topics by fact class; facts about a game change its result."""


# --- log sentences ---


def say_decision(night: Night, decision: facts.Decision) -> Message:
    """A decision in one sentence."""
    sayer = SAYERS.get(type(decision))
    if sayer is None:
        return Message("night_did_unknown", do=getattr(decision, "do", type(decision).__name__))
    return sayer(night, decision)


SAYERS: Mapping[type, Callable[[Night, Any], Message]] = {
    facts.NightOpened: lambda _, fact: Message("night_did_open", name=fact.name),
    facts.NightRulesSet: _say_rules,
    facts.NightEnded: _plain("night_did_end"),
    facts.NightOpenedAgain: _plain("night_did_open_again"),
    facts.PlayerEntered: lambda _, fact: Message("night_did_enter", name=join_pair(fact.name, fact.partner)),
    facts.EntryCorrected: lambda _, fact: Message("night_did_correct", name=join_pair(fact.name, fact.partner)),
    facts.CheckedIn: _say_names("night_did_check_in", lambda fact: fact.players),
    facts.PlayerLeft: _of_player("night_did_leave"),
    facts.PlayerReturned: _of_player("night_did_come_back"),
    facts.RegistrationClosed: _plain("night_did_close_registration"),
    facts.RegistrationOpened: _plain("night_did_open_registration"),
    facts.FeePaid: _say_payment,
    facts.TableAdded: lambda _, fact: Message("night_did_add_table", label=fact.label),
    facts.TableRemoved: lambda night, fact: Message("night_did_remove_table", label=night.label(fact.table)),
    facts.ScheduleDrawn: _say_draw,
    facts.GameMoved: lambda night, fact: Message(
        "night_did_move", game=say_game_key(night, fact.game), label=night.label(fact.table)
    ),
    facts.RoundStarted: lambda _, fact: Message("night_did_start_round", round=fact.round),
    facts.ResultClaimed: _say_card,
    facts.ResultConfirmed: _say_card,
    facts.PaperResultEntered: _say_result("night_did_paper"),
    facts.TableResultReceived: _say_table_result,
    facts.TableResultWithdrawn: lambda night, fact: Message(
        "night_did_table_withdrawal", game=say_game_key(night, fact.game)
    ),
    facts.ResultRuled: _say_ruling,
    facts.GameAwarded: _say_award,
    facts.GameForfeited: _say_forfeit,
    facts.TieBroken: _say_names(
        "night_did_break_tie", lambda fact: (player for group in fact.decision.groups for player in group)
    ),
    facts.CutClosed: _say_names("night_did_close_cut", lambda fact: fact.qualifiers),
    facts.CutOpened: _plain("night_did_open_cut"),
    facts.BracketDrawn: _say_bracket("night_did_draw_bracket", "night_did_draw_main"),
    facts.BracketPlaced: _say_bracket("night_did_place_bracket", "night_did_place_main"),
    facts.BracketGamePlayed: _say_bracket_game,
    facts.PotOpened: lambda _, fact: Message("night_did_open_pot", pot=fact.name or fact.pot),
    facts.PotEntered: _say_pot("night_did_enter_pot"),
    facts.PotLeft: _say_pot("night_did_leave_pot"),
    facts.PotHitNoted: _say_pot("night_did_pot_hit"),
    facts.PotPaid: lambda night, fact: Message("night_did_pay_pot", pot=_pot_called(night, fact.pot)),
    facts.Announced: lambda _, fact: Message("night_did_announce", words=fact.text),
    facts.DecisionUndone: lambda _, fact: _say_undone(fact),
}
"""By fact class."""


LETTERS = ("a", "b", "c", "d", "e", "f", "h", "sheet", "stand", "judge")
"""Rulings: by ACC 12.2, by the table's score sheet, letting both cards stand, or a judge's own values."""


ODD = (ONE_MORE, ONE_FEWER)


MOST_MATCH_TABLES = 60
"""Maximum tables of a match between two teams."""


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


_NOTE = wanted.text("a note", most=wanted.MAX_TEXT_LENGTH, required=False)


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
        DIRECTOR_AND_PLAYERS,
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
        DIRECTOR_AND_PLAYERS,
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
            "cents": wanted.cents("the payment, negative for a refund,", least=-wanted.MAX_CENTS),
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
        own_fields={"round": wanted.number("the round", 1, wanted.MAX_ROUNDS)},
        example={"round": 1},
        about="round",
    ),
    DecisionRow(
        "claim",
        facts.ResultClaimed,
        DIRECTOR_AND_PLAYERS,
        own_fields={
            "game": wanted.game(),
            "player": wanted.player("the card's player"),
            "won": WantedFlag(takes="true for a win, false for a loss"),
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
        DIRECTOR_AND_PLAYERS,
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
            "margin": WantedNumber(
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
        own_fields={"text": wanted.text("the announcement", least=1, most=wanted.MAX_TEXT_LENGTH)},
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
"""Every stored decision."""


ROWS = {row.do: row for row in DECISIONS}
"""Rows by the word of their decision."""


_BY_FACT = {row.decision: row for row in reversed(DECISIONS)}


def row_of_decision(decision: facts.Decision) -> DecisionRow | None:
    """The first row for a fact; None if this version does not know it."""
    return _BY_FACT.get(type(decision))
