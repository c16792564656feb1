"""The state of the table as every window gets it, JSON-ready, and where the game stands in words."""

from collections.abc import Iterator
from enum import StrEnum
from typing import Any, NamedTuple

from pegboard.core.board import Entry, EntryChange, Game
from pegboard.core.course.follow import BOTH_WAYS_BELOW, Standing
from pegboard.core.course.odds import Where
from pegboard.core.match import read_format
from pegboard.core.moves import (
    FAULTS,
    UNCHANGED,
    Dealt,
    FalselyClaimed,
    Line,
    MugginsCalled,
    OverPegged,
    PeggedBack,
    PegsSet,
    Retracted,
    Ruling,
    Scored,
    Staged,
)
from pegboard.core.position import Phase
from pegboard.core.referee.decisions import how_it_ended
from pegboard.core.referee.replay import true_points
from pegboard.core.rules import FALSE_CLAIM_HOLES, Rules, Seat
from pegboard.core.view import View
from pegboard.core.wire import Json, event_values, line_id
from pegboard.messages import message_json

NEWEST_SHOWN = 10
"""Lines of the sheet in a snapshot, newest first; fewer where long names and notes leave no room for them."""

MOST_BYTES = 4096
"""Of a snapshot as JSON; every viewer gets it with every event."""

MOST_MESSAGE_BYTES = 300
"""Of a notice by its key, and of all troubles; what is longer is told in English alone."""

MOST_DEVICE_BYTES = 420
"""Of the devices in a snapshot: no more than a long line of the sheet takes."""

LONGEST_TROUBLE = 120
"""Bytes in UTF-8 of a device's trouble in a snapshot; the whole sentence stands on the page of the devices."""

CERTAIN = 0.999
"""From here on something is told as certain."""

LIKELY = {"play": (1, 2, 3), "hand": (2, 4, 6, 8, 10, 12), "crib": (2, 4, 6, 8)}
"""What is mostly pegged at one time: 92 % of what the play pegs, 70 % of hands, 72 % of cribs that count at all."""

SHOW = "Show: now "
"""Before what is counted next."""

NANOSECONDS = 1_000_000_000

SKUNKS = {1: "skunk", 2: "double skunk", 3: "triple skunk"}
"""What missing so many skunk lines is called."""

RULES_IN_SNAPSHOT = (
    *("worth", "first_deal", "heels_limit", "muggins", "misdeal", "overpeg_award", "strict", "peg_out", "pegging_only"),
    *("lurch", "crib_flush", "penalties"),
    "enough",  # alone, the hole that wins
)
"""Rules that change what a page offers, besides those that the state tells elsewhere."""

DOES: dict[type[Line], str] = {
    Scored: "score",
    Dealt: "deal",
    Staged: "stage",
    MugginsCalled: "muggins",
    OverPegged: "over_peg",
    FalselyClaimed: "false_claim",
    PeggedBack: "peg_back",
    PegsSet: "set_pegs",
    Retracted: "retract",
}
"""The command that makes each line; a penalty is told by its why."""


def snapshot(view: View) -> Json:
    """The state of the table as every window gets it, under 4 kB as JSON."""
    game = view.game
    values: Json = {
        "epoch": view.epoch,
        "revision": view.revision,
        "game": _game_state(view),
        "match": _match_state(view),
        "seats": [
            {"name": name, "lane": game.rules.lane_of(seat), "confirmed": seat in game.confirmed}
            for seat, name in enumerate(game.players)
        ],
        "dealer": game.dealer,
        "lanes": [_lane_state(view, lane) for lane in range(game.rules.lanes)],
        "needs": [_needs(game, lane) for lane in range(game.rules.lanes)],
        "undo": _id_or_none(game.newest_standing()),
        "redo": line_id(game.undone[-1]) if game.undone else None,
        "notice": view.notice,
        "notice_message": _short(message_json(view.notice)),
        "devices": list(_devices(view)),
    }
    return values | {"entries": list(_newest(game, MOST_BYTES - _bytes(values | {"entries": []})))}


def _short(message: Json | None) -> Json | None:
    """A message that is not too long to be told twice, else None."""
    return message if message and _bytes(message) <= MOST_MESSAGE_BYTES else None


def _newest(game: Game, room: int) -> Iterator[Json]:
    """The newest lines of the sheet, as many as fit so many bytes."""
    for values in entries_since(game, max(0, len(game.entries) - NEWEST_SHOWN)):
        room -= _bytes(values)
        if room < 0:
            return
        yield values


def _devices(view: View) -> Iterator[Json]:
    """Every display and input, as many as fit; where they do not all, one that works is missed least."""
    room, message_room = MOST_DEVICE_BYTES, MOST_MESSAGE_BYTES
    for name, trouble in sorted(view.devices, key=lambda device: device.trouble is None):
        values: Json = {"name": _cut(name), "trouble": None if trouble is None else _cut(trouble)}
        room -= _bytes(values)
        if room < 0:
            return
        message = message_json(trouble)
        if message and _bytes(message) <= message_room:
            message_room -= _bytes(message)
            values["trouble_message"] = message
        yield values


def _cut(text: str) -> str:
    """The beginning of a sentence that is too long, as whole letters."""
    whole = text.encode()
    if len(whole) <= LONGEST_TROUBLE:
        return text
    return whole[: LONGEST_TROUBLE - len("…".encode())].decode(errors="ignore") + "…"


def _bytes(values: Json) -> int:
    """At least as many bytes as the values have as JSON: Python's own way of writing them is wider but for quotes."""
    text = str(values)
    return len(text.encode()) + text.count('"')


def _id_or_none(line: int | None) -> str | None:
    return None if line is None else line_id(line)


def entries_since(game: Game, line: int) -> list[Json]:
    """The lines of the sheet after `line`, newest first, in the snapshot's form."""
    sure = game.followed.certainties(len(game.entries) - line)
    return [entry_state(game, n, sure[n].why if n in sure else None) for n in range(len(game.entries), line, -1)]


def renamings(game: Game) -> list[Json]:
    """The corrected names of a game, oldest first; each after the newest line that had been made by then."""
    return [
        {
            "seat": each.event.seat,
            "from": each.event.former,
            "to": each.event.to,
            "source": each.origin.source,
            "at": each.origin.at / NANOSECONDS,
            "after": line_id(sum(entry.origin.event < each.origin.event for entry in game.entries)),
        }
        for each in game.renamings
    ]


def entry_state(game: Game, line: int, sure: float | None = None) -> Json:
    """One line of the sheet in the snapshot's form.

    `likely` is what points were most likely for whose reason nobody has said, with how `sure` that is.

    `from` and `to` are the holes its lane's front peg stood in, `entry` the line that a ruling names, `ruled_by` the
    standing line that rules on this one, `truth` the points it counts then, `retracted` whether the game has gone back
    over it, `history` what has changed it in its place.
    """
    entry = game.entries[line - 1]
    before, after = game.positions[line - 1], game.positions[line]
    values: Json = {
        "id": line_id(line),
        "do": "penalty" if getattr(entry.event, "why", None) == "penalty" else DOES[type(entry.event)],
        "source": entry.origin.source,
        "at": entry.origin.at / NANOSECONDS,
        "stands": entry.stands,
        "counts": game.counts(line),
        "seat": None,
        "lane": None,
        "points": None,
        "why": getattr(entry.event, "why", None),
    } | dict(_told(entry.event))
    if getattr(entry.event, "guessed", False):
        values["guessed"] = True
    if sure is not None and (values["why"] is None or "guessed" in values) and values["counts"]:
        reading = game.followed.readings[line - 1]
        values["likely"] = {"why": None if reading is None else reading.why, "sure": hundredths(sure)}
    if isinstance(entry.event, FalselyClaimed):
        values["holes"] = FALSE_CLAIM_HOLES
    if isinstance(entry.event, Dealt):
        reading = game.followed.readings[line - 1]
        values["dealer"] = after.dealer if reading is None else reading.dealer
    if values["lane"] is not None:
        lane = values["lane"]
        values |= {"from": before.lanes[lane].front, "to": after.lanes[lane].front}
    return values | dict(_fate(game, line))


def _fate(game: Game, line: int) -> Iterator[tuple[str, Any]]:
    """What later lines have made of this one."""
    ruling = game.ruled_by(line)
    if ruling is not None:
        yield "ruled_by", line_id(ruling)
        event = game.entries[ruling - 1].event
        if game.withdrawn(line):
            yield "retracted", True
        else:
            assert isinstance(event, OverPegged | FalselyClaimed)
            yield "truth", event.points
    if game.entries[line - 1].history:
        yield "history", _history(game.entries[line - 1])


def says(game: Game) -> str:
    """Where the game stands, as said at the table: "Show: now count Ann's crib"; where that is not sure, both ways."""
    at = game.standing
    if at.phase == Phase.OVER:
        ended = how_it_ended(game)
        return ", ".join((ended[:1].upper() + ended[1:], *_skunked(game)))
    likeliest = _says_of(game, at, begun=at.begun)
    return likeliest if at.other is None else f"{likeliest}, or {_otherwise(game, at, at.other)}"


def _otherwise(game: Game, at: Standing, other: Where) -> str:
    """The second of two ways: "Ann's crib" after another hand or crib, "count Ann's crib" after the play."""
    said = _says_of(game, other, begun=at.begun and other.dealer == at.dealer)
    return said.removeprefix(SHOW if at.phase == Phase.PLAY else f"{SHOW}count ").replace("Play", "play", 1)


def _says_of(game: Game, at: Standing | Where, *, begun: bool) -> str:
    dealer, counts = game.players[at.dealer], _to_count(at)
    if counts is not None:
        return f"{SHOW}count {game.players[counts.seat]}'s {counts.what}"
    match at.phase:
        case Phase.CUT:
            return f"{dealer} deals first"
        case Phase.PLAY:
            return "Play" if begun else f"{dealer} deals"
    return "Play or show"


class ToCount(NamedTuple):
    """What is counted next in the show: the hand of a seat, or its crib.

    Attributes:
        seat: whose it is.
        what: the hand or the crib.
    """

    seat: Seat
    what: Phase


def to_count(game: Game) -> ToCount | None:
    """What is counted next; None outside the show, and where another way is as likely."""
    return None if game.standing.other is not None else _to_count(game.standing)


def _to_count(at: Standing | Where) -> ToCount | None:
    if at.phase == Phase.HAND and at.to_count is not None:
        return ToCount(at.to_count, Phase.HAND)
    return ToCount(at.dealer, Phase.CRIB) if at.phase == Phase.CRIB else None


def is_dealer_known(game: Game) -> bool:
    """Whether a window may mark the dealer; below `BOTH_WAYS_BELOW` it marks none."""
    return game.standing.dealer_sure >= BOTH_WAYS_BELOW


def _skunked(game: Game) -> Iterator[str]:
    assert game.outcome is not None
    for lane, skunks in enumerate(game.outcome.skunks):
        if skunks:
            yield f"{called_skunk(game.rules, skunks)} for {game.lane_name(lane)}"


def called_skunk(rules: Rules, skunks: int) -> str:
    """What missing so many skunk lines is called at this table."""
    return "lurch" if rules.lurch else SKUNKS.get(skunks, SKUNKS[3])


def _told(line: Line) -> Iterator[tuple[str, Any]]:
    """What a line says, under the names of the commands."""
    for name, value in event_values(line)[1].items():
        match name:
            case "line":
                yield "entry", line_id(value)
            case "to" if isinstance(line, Retracted):
                yield "entry", line_id(value)
            case "to":
                yield "awarded", value
            case "new" | "dealer" | "midway":
                pass
            case _:
                yield name, value


def _history(entry: Entry) -> list[Json]:
    return [_change(change) for change in entry.history]


def _change(change: EntryChange) -> Json:
    """What has changed a line in its place, with what it said until then of each value that was amended."""
    values = {
        "did": change.did,
        "source": change.origin.source,
        "at": change.origin.at / NANOSECONDS,
        "was": change.was,
    }
    if change.why is not UNCHANGED:
        values["was_why"] = change.why
    if change.lane is not None:
        values |= {"was_seat": change.seat, "was_lane": change.lane}
    return values


def _game_state(view: View) -> Json:
    game, at, rules = view.game, view.game.standing, view.game.rules
    return {
        "id": view.id,
        "variant": rules.variant,
        "game_hole": rules.game_hole,
        "skunk_lines": list(rules.skunk_lines),
        "rules": rules_state(rules),
        "deal": at.deal,
        "phase": at.phase.value,
        "to_count": at.to_count,
        "scored": at.begun,
        "sure": hundredths(at.sure),
        "dealer_sure": hundredths(at.dealer_sure),
        "otherwise": None if at.other is None else _otherwise_state(at.other),
        "ask_deal": asks_for_deal(game),
        "says": says(game),
        "over": game.outcome is not None,
        "winner": None if game.outcome is None else game.outcome.winner,
        "unconfirmed": list(game.unconfirmed()),
        "dealer_next": view.dealer_next,
    }


def rules_state(rules: Rules) -> Json:
    """The rules that change what a page offers."""
    values = {name: getattr(rules, name) for name in RULES_IN_SNAPSHOT}
    return {name: value.value if isinstance(value, StrEnum) else value for name, value in values.items()}


def _otherwise_state(other: Where) -> Json:
    return other._asdict() | {"phase": other.phase.value, "sure": hundredths(other.sure)}


def asks_for_deal(game: Game) -> bool:
    """Whether the pegs wait for it to be said that a new deal has begun, because its dealer starts ahead.

    It is said once: what is said late, after the first points of the deal, is not asked for again.
    """
    if not game.rules.dealer_start or game.outcome is not None:
        return False
    return game.standing.deal > _deal_of_the_pegs(game)


def _deal_of_the_pegs(game: Game) -> int:
    """The deal, as the course counts, that began when the pegs last went on to another."""
    for line in range(len(game.entries), 0, -1):
        before, after, reading = game.positions[line - 1], game.positions[line], game.followed.readings[line - 1]
        if after.deal > before.deal and reading is not None:
            return reading.deal + (reading.why == "crib")
    return 1


def hundredths(odds: float) -> float:
    """How likely something is, in hundredths; what is not certain is told as less than 1."""
    return 1.0 if odds >= CERTAIN else min(0.99, round(odds, 2))


def _match_state(view: View) -> Json:
    match = view.match
    return {
        "id": view.match_id,
        "format": match.format,
        "to_win": read_format(match.format) or None,
        "counted": list(match.counted),
        "winner": match.winner,
    }


def _lane_state(view: View, lane: int) -> Json:
    game, outcome, pinned = view.game, view.game.outcome, view.game.pinned_by(lane)
    return {
        "front": game.lanes[lane].front,
        "rear": game.lanes[lane].rear,
        "revision": game.revisions[lane],
        "dialled": view.dialled[lane],
        "skunks": 0 if outcome is None else outcome.skunks[lane],
        "games_won": view.match.games_won[lane],
        "match_points": view.match.points[lane],
        "spread": view.match.spread[lane],
        "awarded": _awarded(game, lane),
        "corrections": sum(_corrections(game, lane)),
        "pinned_by": _id_or_none(pinned),
        "likely": _likely(game, lane),
    }


def _likely(game: Game, lane: int) -> Json | None:
    """What a lane most likely pegs next, and for what; None where it is not its turn, or nothing can be known."""
    at, rules = game.standing, game.rules
    match at.phase:
        case Phase.PLAY | Phase.CUT:
            why, turns = "play" if rules.seats > 1 else "hand", {lane}
        case Phase.HAND if at.to_count is not None:
            why, turns = "hand", {rules.lane_of(at.to_count)}
        case Phase.CRIB:
            why, turns = "crib", {rules.lane_of(at.dealer)}
        case _:
            return None
    small = rules.pegging_only and why == "hand"  # hands of three cards
    return {"why": why, "points": [] if small else list(LIKELY[why])} if lane in turns else None


def _awarded(game: Game, lane: int) -> int:
    """Points that opponents' faults have given a lane, before the game hole cuts them short."""
    truth = true_points(game.entries)
    total = 0
    for line, entry in enumerate(game.entries, 1):
        event = entry.event
        if isinstance(event, OverPegged | FalselyClaimed) and event.to == lane and game.counts(line):
            total += event.award
        elif getattr(event, "why", None) in FAULTS and getattr(event, "lane", None) == lane and game.counts(line):
            total += truth.get(line, getattr(event, "points", 0))
    return total


def _corrections(game: Game, lane: int) -> Iterator[int]:
    """How often each line of a lane has put something right, or has been put right in its place."""
    for entry in game.entries:
        if getattr(entry.event, "lane", None) == lane:
            yield len(entry.history) + isinstance(entry.event, Ruling)


def _needs(game: Game, lane: int) -> Json:
    """How many holes a lane needs to be out, and to save which skunk; null where it is safe."""
    front, rules = game.lanes[lane].front, game.rules
    save, skunks = to_save(rules, front)
    return {"out": rules.game_hole - front, "save": save or None, "skunks": skunks or None}


def to_save(rules: Rules, front: int) -> tuple[int, int]:
    """Holes that a front peg needs to pass the next skunk line, and how many lines it misses now; 0 and 0 when safe."""
    missed = rules.skunks_of(front)
    return (rules.skunk_lines[missed - 1] + 1 - front, missed) if missed else (0, 0)
