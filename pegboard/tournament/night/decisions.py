"""All decisions of an event: the list of their classes, their storage as JSON, their topics and log sentences."""

from collections.abc import Mapping
from typing import Any, TypeAlias

from pegboard.messages import Message
from pegboard.tournament.night import evening, people, play_offs, pots, results_decided, rounds
from pegboard.tournament.night.deciding import UNDONE, Request, kind_of
from pegboard.tournament.night.facts import Decision, UnknownDecision
from pegboard.tournament.night.night_state import Author, Night, Role, StoredDecision
from pegboard.values import STORED, read, write

DECISIONS: tuple[type[Request], ...] = (
    evening.OpenNight,
    evening.SetRules,
    people.EnterPlayer,
    people.CorrectEntry,
    people.CheckIn,
    people.Leave,
    people.ComeBack,
    people.CloseRegistration,
    people.OpenRegistration,
    people.PayFee,
    rounds.AddTable,
    rounds.RemoveTable,
    rounds.Draw,
    rounds.MoveGame,
    rounds.StartRound,
    results_decided.ClaimResult,
    results_decided.ConfirmResult,
    results_decided.EnterPaperResult,
    results_decided.ReceiveTableResult,
    results_decided.WithdrawTableResult,
    results_decided.RuleOnGame,
    results_decided.AwardGame,
    results_decided.ForfeitGame,
    play_offs.BreakTie,
    play_offs.CloseCut,
    play_offs.OpenCut,
    play_offs.DrawBracket,
    play_offs.PlaceInBracket,
    play_offs.PlayBracketGame,
    play_offs.ForfeitBracketGames,
    pots.OpenPot,
    pots.EnterPot,
    pots.LeavePot,
    pots.NoteHit,
    pots.PayPot,
    evening.Announce,
    evening.UndoDecision,
    evening.EndNight,
    evening.OpenAgain,
)
"""All classes of decisions, in the order in which people see them listed."""

BY_WORD = {kind.do: kind for kind in DECISIONS}
"""Classes of decisions by their word."""


# --- JSON serialization of decisions, for the ledger, packages and other hubs ---
#
# A value is parsed by the declared type of its field. Missing fields get their defaults and extra ones are ignored; a
# decision that cannot be read becomes an `UnknownDecision`, so that every old event stays readable.


StoredJson: TypeAlias = dict[str, Any]

VERSION = 1
"""Version of the bodies of stored decisions."""

UNREADABLE = (TypeError, ValueError, KeyError, AttributeError, IndexError, RecursionError, OverflowError)
"""Exceptions that reading a malformed body can raise."""


def word_of(decision: Decision) -> str:
    """The word of a decision."""
    if isinstance(decision, UnknownDecision):
        return decision.do
    kind = kind_of(type(decision))
    assert kind is not None
    return kind.do


def as_row(stored: StoredDecision) -> StoredJson:
    """JSON-ready values of a stored decision; `from_row` reads them back."""
    decision = stored.decision
    body = dict(decision.body) if isinstance(decision, UnknownDecision) else write(decision)
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
        decision: Decision = read(BY_WORD[do].fact, body, STORED)
    except UNREADABLE:
        return UnknownDecision(do, dict(body) if isinstance(body, Mapping) else {})
    return decision


# --- conflicts and log sentences ---


def topics_of_request(request: Request) -> frozenset[str]:
    """Topics that must not have changed since the director looked; an undo may have changed anything."""
    return frozenset({UNDONE, *request.topics()})


def topics_of(decision: Decision) -> frozenset[str]:
    """Topics that a decision changes."""
    kind = kind_of(type(decision))
    return frozenset(() if kind is None else kind.changes(decision))


def say_decision(night: Night, decision: Decision) -> Message:
    """A decision in one sentence."""
    kind = kind_of(type(decision))
    if kind is None:
        return Message("night_did_unknown", do=getattr(decision, "do", type(decision).__name__))
    return kind.say(night, decision)
