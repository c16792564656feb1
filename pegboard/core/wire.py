"""Commands, events, games and views to and from JSON-ready values: one format for journal, phones, hub and export."""

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any, TypeAlias

from pegboard.core.board import Entry, Game, Mark, start
from pegboard.core.moves import (
    Abandoned,
    Command,
    Deal,
    Dealt,
    Event,
    Line,
    Restore,
    Restored,
    Score,
    Scored,
    Start,
    Started,
    TakeBack,
    TakenBack,
)
from pegboard.core.referee import replay
from pegboard.core.rules import Rules
from pegboard.core.view import View
from pegboard.errors import RuleError

Json: TypeAlias = dict[str, Any]

VERSION = 1
"""Of the event bodies; a later reader brings older ones up to date before `read_event`."""

NEWEST_SHOWN = 10
"""Lines of the sheet in a snapshot, newest first."""

NANOSECONDS = 1_000_000_000


def line_id(line: int) -> str:
    """The id of a line of the running game's sheet, as doors and windows write it."""
    return str(line)


# --- commands ---


def command(values: Mapping[str, Any]) -> Command:
    """The command in `values`, whose key "do" tells which; other keys are its fields.

    Raises:
        RuleError: "do" is unknown, or a field is missing, unknown or of the wrong shape.
    """
    do = values.get("do")
    reader = _COMMANDS.get(do) if isinstance(do, str) else None
    if reader is None:
        raise RuleError(f"{do!r} is nothing that can be done; these are: {', '.join(_COMMANDS)}")
    given = {key: value for key, value in values.items() if key != "do"}
    try:
        return reader(**given)
    except TypeError:
        raise RuleError(f"{do} does not take just the fields {', '.join(given) or '(none)'}") from None


def command_values(asked: Command) -> Json:
    """The JSON-ready values of a command: `command` reads them back."""
    match asked:
        case Start(rules, players, dealer):
            return {"do": "start", "variant": rules.variant, "players": list(players), "dealer": dealer}
        case Score():
            return {"do": "score", "points": asked.points, "seat": asked.seat, "lane": asked.lane, "why": asked.why}
        case Deal(dealer):
            return {"do": "deal", "dealer": dealer}
        case TakeBack(line):
            return {"do": "undo", "entry": None if line is None else line_id(line)}
        case Restore(line):
            return {"do": "redo", "entry": None if line is None else line_id(line)}


def _read_start(variant: str, players: list[str], dealer: int | None = None) -> Start:
    if not isinstance(players, list) or not all(isinstance(name, str) for name in players):
        raise RuleError(f"players are a list of names, not {players!r}")
    if not isinstance(variant, str):
        raise RuleError(f"a variant is a name, not {variant!r}")
    return Start(Rules.named(variant), tuple(players), dealer)


def _read_line(entry: str | None) -> int | None:
    if entry is None:
        return None
    if not isinstance(entry, str) or not entry.isascii() or not entry.isdigit():
        raise RuleError(f"{entry!r} is no line of the sheet; lines are named by the `id` of an entry")
    return int(entry)


_COMMANDS: dict[str, Callable[..., Command]] = {
    "start": _read_start,
    "score": Score,
    "deal": Deal,
    "undo": lambda entry=None: TakeBack(_read_line(entry)),
    "redo": lambda entry=None: Restore(_read_line(entry)),
}


# --- events ---


def event_values(happened: Event) -> tuple[str, Json]:
    """The kind of an event and its JSON-ready body; `read_event` reads them back."""
    match happened:
        case Started(rules, players, dealer, match, replaces):
            body: Json = {"rules": _rules_values(rules), "players": list(players), "dealer": dealer}
            return "started", body | {"match": match, "replaces": replaces}
        case Scored(lane, points, seat, why):
            return "scored", {"lane": lane, "points": points, "seat": seat, "why": why}
        case Dealt(dealer, new):
            return "dealt", {"dealer": dealer, "new": new}
        case TakenBack(line):
            return "taken_back", {"line": line}
        case Restored(line):
            return "restored", {"line": line}
        case Abandoned():
            return "abandoned", {}


def read_event(kind: str, body: Mapping[str, Any]) -> Event:
    """The event of that kind with that body.

    Raises:
        RuleError: the kind is unknown, which only a newer pegboard can have written.
    """
    if kind not in _EVENTS:
        raise RuleError(f"there is no event {kind!r}; a newer pegboard may have written it")
    return _EVENTS[kind](body)


_EVENTS: dict[str, Callable[[Mapping[str, Any]], Event]] = {
    "started": lambda body: Started(
        _read_rules(body["rules"]), tuple(body["players"]), body["dealer"], body["match"], body["replaces"]
    ),
    "scored": lambda body: Scored(body["lane"], body["points"], body["seat"], body["why"]),
    "dealt": lambda body: Dealt(body["dealer"], body["new"]),
    "taken_back": lambda body: TakenBack(body["line"]),
    "restored": lambda body: Restored(body["line"]),
    "abandoned": lambda _body: Abandoned(),
}


def _rules_values(rules: Rules) -> Json:
    return {f.name: _plain(getattr(rules, f.name)) for f in fields(rules)}


def _read_rules(values: Mapping[str, Any]) -> Rules:
    plain: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in values.items()}
    return Rules(**plain)


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


# --- games ---


def game_values(game: Game) -> Json:
    """The whole sheet as JSON-ready values, without what is derived from it; `read_game` reads them back."""
    return {
        "rules": _rules_values(game.rules),
        "players": list(game.players),
        "first_dealer": game.first_dealer,
        "entries": [_line_values(entry) for entry in game.entries],
        "revisions": list(game.revisions),
        "undone": list(game.undone),
    }


def read_game(values: Mapping[str, Any]) -> Game:
    """The game in `values`, its positions derived anew."""
    rules = _read_rules(values["rules"])
    dealer, entries = values["first_dealer"], tuple(_read_entry(entry) for entry in values["entries"])
    return Game(
        rules,
        tuple(values["players"]),
        dealer,
        entries,
        tuple(values["revisions"]),
        tuple(values["undone"]),
        replay(rules, start(rules, dealer), entries),
    )


def _line_values(entry: Entry) -> Json:
    kind, body = event_values(entry.event)
    history = [_mark_values(mark) for mark in entry.history]
    return {"kind": kind, **body, "mark": _mark_values(entry.mark), "stands": entry.stands, "history": history}


def _read_entry(values: Mapping[str, Any]) -> Entry:
    event = read_event(values["kind"], values)
    assert isinstance(event, Line)
    return Entry(
        event, _read_mark(values["mark"]), values["stands"], tuple(_read_mark(mark) for mark in values["history"])
    )


def _mark_values(mark: Mark) -> list[Any]:
    return [mark.event, mark.source, mark.at]


def _read_mark(values: list[Any]) -> Mark:
    return Mark(*values)


# --- what windows show ---


def snapshot(view: View) -> Json:
    """The state of the table as every window gets it, under 4 kB as JSON."""
    game, at = view.game, view.game.position
    return {
        "epoch": view.epoch,
        "revision": view.revision,
        "game": _game_state(view),
        "seats": [{"name": name, "lane": game.rules.lane_of(seat)} for seat, name in enumerate(game.players)],
        "dealer": at.dealer,
        "lanes": [_lane_state(view, lane) for lane in range(game.rules.lanes)],
        "entries": entries_since(game, max(0, len(game.entries) - NEWEST_SHOWN)),
        "redo": line_id(game.undone[-1]) if game.undone else None,
        "notice": view.notice,
    }


def entries_since(game: Game, line: int) -> list[Json]:
    """The lines of the sheet after `line`, newest first, in the snapshot's form."""
    return [entry_state(game, n) for n in range(len(game.entries), line, -1)]


def entry_state(game: Game, line: int) -> Json:
    """One line of the sheet in the snapshot's form; `from` and `to` are the holes its lane's front peg stood in."""
    entry = game.entries[line - 1]
    common = {
        "id": line_id(line),
        "source": entry.mark.source,
        "at": entry.mark.at / NANOSECONDS,
        "stands": entry.stands,
        "counts": game.counts(line),
    }
    before, after = game.positions[line - 1], game.positions[line]
    if isinstance(entry.event, Dealt):
        return common | {
            "do": "deal",
            "seat": None,
            "lane": None,
            "points": None,
            "why": None,
            "dealer": after.dealer,
        }
    lane = entry.event.lane
    return common | {
        "do": "score",
        "seat": entry.event.seat,
        "lane": lane,
        "points": entry.event.points,
        "why": entry.event.why,
        "from": before.lanes[lane].front,
        "to": after.lanes[lane].front,
    }


def _game_state(view: View) -> Json:
    game, at = view.game, view.game.position
    return {
        "id": view.id,
        "variant": game.rules.variant,
        "game_hole": game.rules.game_hole,
        "skunk_lines": list(game.rules.skunk_lines),
        "deal": at.deal,
        "phase": at.phase,
        "to_count": at.to_count,
        "over": at.outcome is not None,
        "winner": None if at.outcome is None else at.outcome.winner,
        "dealer_next": view.dealer_next,
    }


def _lane_state(view: View, lane: int) -> Json:
    game, outcome = view.game, view.game.outcome
    return {
        "front": game.lanes[lane].front,
        "rear": game.lanes[lane].rear,
        "revision": game.revisions[lane],
        "dialled": view.dialled[lane],
        "skunks": 0 if outcome is None else outcome.skunks[lane],
        "games_won": view.match.games_won[lane],
        "match_points": view.match.points[lane],
    }
