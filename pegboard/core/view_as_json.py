"""JSON snapshot of the table's state, at most 4 KiB, for displays, pages and the API; lines of the sheet as JSON."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from pegboard.core.board import Game
from pegboard.core.command_fields import line_id
from pegboard.core.entry import EntryChange
from pegboard.core.moves import (
    FAULTS,
    UNCHANGED,
    Dealt,
    Event,
    FalselyClaimed,
    InPlace,
    Line,
    MugginsCalled,
    PointsRuling,
    Reason,
    Retracted,
    Ruling,
    Substituted,
    row_of_event,
)
from pegboard.core.position import Phase
from pegboard.core.presets import is_by_preset, players_changes
from pegboard.core.rules import FALSE_CLAIM_HOLES, Rules, read_format
from pegboard.core.sentences import phase_sentence
from pegboard.core.view import Alarm, EventNews, View
from pegboard.core.wire import Json, event_values
from pegboard.errors import Moved
from pegboard.messages import Message, message_json

# --- effects of an event: its line, lines since a revision, and parts that could not be applied ---


def line_made(event: Event, sheet: Game) -> str | None:
    """The id of the line that an event adds or changes, or None; `sheet` is the sheet before the event."""
    if isinstance(event, InPlace):
        return line_id(event.line)
    return line_id(len(sheet.entries) + 1) if isinstance(event, Line) else None


def remainder_note(event: Event, sheet: Game) -> str | None:
    """A note on what an event could only do in part, or None.

    A change to an earlier line does not move pegs that a later ruling set, and the game hole can cut a muggins award
    short.
    """
    if isinstance(event, MugginsCalled):
        return _award_cut_note(event)
    ruling = sheet.entries[event.line - 1].event if isinstance(event, InPlace) else event
    if isinstance(ruling, PointsRuling):
        line, lanes = ruling.line, {ruling.lane, ruling.to}
    elif isinstance(event, InPlace):
        line, lanes = event.line, {getattr(ruling, "lane", None)}
    else:
        return None
    pins = {lane: sheet.pin_of(lane, after=line) for lane in range(sheet.rules.lanes) if lane in lanes}
    stay = [Message("pegs_stay", name=sheet.lane_name(lane), pin=pin) for lane, pin in pins.items() if pin]
    return "; ".join(stay) or None


def _award_cut_note(event: MugginsCalled) -> Message | None:
    """A note if the game hole cut a muggins award short."""
    if event.missed == 0 or event.points >= min(event.claimed, event.missed):
        return None
    return Message("muggins_cut", points=event.points)


def lines_since(sheet: Game, lane: int | None, base: int) -> tuple[int, ...]:
    """The lines added or changed since `base`: a lane's revision, or the event number of the board at that time."""
    if lane is not None:
        lines = set(sheet.touches[lane][base:])
    else:
        lines = {
            line
            for line, entry in enumerate(sheet.entries, 1)
            if entry.origin.event > base or any(change.origin.event > base for change in entry.history)
        }
    return tuple(sorted(lines, reverse=True)[:NEWEST_SHOWN])


def with_entries(moved: Moved, sheet: Game) -> Moved:
    """Add the changed lines to a refusal, as in a snapshot."""
    moved.entries = [entry_state(sheet, line) for line in moved.lines]
    return moved


# --- lines of the score sheet as JSON ---


NANOSECONDS = 1_000_000_000

CERTAIN = 0.999
"""Probability that counts as certain."""


def round_probability(odds: float) -> float:
    """Round a probability to hundredths; below 1 unless certain."""
    return 1.0 if odds >= CERTAIN else min(0.99, round(odds, 2))


def entries_since(game: Game, line: int) -> list[Json]:
    """The lines of the sheet after `line` as in a snapshot, newest first."""
    sure = game.followed.certainties(len(game.entries) - line)
    return [entry_state(game, n, sure[n].why if n in sure else None) for n in range(len(game.entries), line, -1)]


def renamings(game: Game) -> list[Json]:
    """The corrected names of a game, oldest first; `after` is the newest line at that time."""
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
    """One line of the sheet as in a snapshot.

    `likely` is the most likely reason for points without a stated reason, with its probability `sure`.

    `former` is the player who left when `name` took over; if the line is undone, the one who left when it was made. If
    anyone took over, `by` is the player of each line then.

    `from` and `to` are the holes of its lane's front peg before and after it, `entry` the line that a ruling names,
    `ruled_by` the ruling on this line (if not undone), `truth` the points it then counts, `retracted` whether the game
    was rolled back past it, `history` its changes in place.
    """
    entry = game.entries[line - 1]
    before, after = game.positions[line - 1], game.positions[line]
    values: Json = {
        "id": line_id(line),
        "do": "penalty" if getattr(entry.event, "why", None) == Reason.PENALTY else row_of_event(entry.event).do,
        "source": entry.origin.source,
        "at": entry.origin.at / NANOSECONDS,
        "stands": entry.stands,
        "counts": game.counts(line),
        "seat": None,
        "lane": None,
        "points": None,
        "why": getattr(entry.event, "why", None),
    } | _entry_fields(entry.event)
    if getattr(entry.event, "guessed", False):
        values["guessed"] = True
    if sure is not None and (values["why"] is None or "guessed" in values) and values["counts"]:
        reading = game.followed.readings[line - 1]
        values["likely"] = {"why": None if reading is None else reading.why, "sure": round_probability(sure)}
    if isinstance(entry.event, FalselyClaimed):
        values["holes"] = FALSE_CLAIM_HOLES
    if isinstance(entry.event, Dealt):
        reading = game.followed.readings[line - 1]
        values["dealer"] = after.dealer if reading is None else reading.dealer
    if isinstance(entry.event, Substituted):
        values["former"] = game.player_replaced(line, entry.event.seat)
    elif game.has_substitutes:
        values |= dict(_player_then(game, line, values))
    if (lane := values["lane"]) is not None:
        values |= {"from": before.lanes[lane].front, "to": after.lanes[lane].front}
    return values | dict(_correction_fields(game, line))


def _player_then(game: Game, line: int, values: Json) -> Iterator[tuple[str, str]]:
    """`by`: the player or the partners of a line when it was made, who may have left since; a deal line's dealer."""
    seat, lane = values.get("dealer", values["seat"]), values["lane"]
    if seat is not None or lane is not None:
        yield "by", game.player_of(lane, seat, line)


def _correction_fields(game: Game, line: int) -> Iterator[tuple[str, Any]]:
    """The fields that describe how later lines changed this one."""
    ruling = game.ruling_on(line)
    if ruling is not None:
        yield "ruled_by", line_id(ruling)
        event = game.entries[ruling - 1].event
        if game.withdrawn(line):
            yield "retracted", True
        else:
            assert isinstance(event, PointsRuling)
            yield "truth", event.points
    if game.entries[line - 1].history:
        yield "history", [_change(change) for change in game.entries[line - 1].history]


@lru_cache(maxsize=256)
def _entry_fields(line: Line) -> Json:
    """The values of a line, by the field names of commands; cached, as a snapshot repeats nine of ten lines."""
    return dict(_named_values(line))


def _named_values(line: Line) -> Iterator[tuple[str, Any]]:
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


def _change(change: EntryChange) -> Json:
    """A change to a line in place, with the former values of corrected fields."""
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


NEWEST_SHOWN = 10
"""Maximum lines of the sheet in a snapshot, newest first; fewer if long names and notes leave no room for them."""

MOST_BYTES = 4096
"""Maximum bytes of a snapshot as JSON; every viewer gets it with every event."""

MOST_MESSAGE_BYTES = 300
"""Maximum bytes of a notice with key and values, and of all device errors; a longer message is sent as text only."""

MOST_DEVICE_BYTES = 420
"""Maximum bytes of the devices in a snapshot: about as much as a long line of the sheet."""

MOST_ALARM_BYTES = 700
"""Maximum bytes of the alarms in a snapshot; the first is always included, the others if they fit."""

LONGEST_TROUBLE = 120
"""Maximum UTF-8 bytes of a device's trouble in a snapshot; the devices page shows the whole sentence."""

LONGEST_ALARM = 300
"""Maximum UTF-8 bytes of an alarm."""

LONGEST_EVENT_TEXT, LONGEST_ANNOUNCEMENT = 48, 120
"""Maximum UTF-8 bytes of the names of tables, players and the event, and of a director's announcement."""

LIKELY = {Reason.PLAY: (1, 2, 3), Reason.HAND: (2, 4, 6, 8, 10, 12), Reason.CRIB: (2, 4, 6, 8)}
"""Common amounts: they cover 92% of points pegged in the play, 70% of hands and 72% of cribs that score at all."""

RULES_IN_SNAPSHOT = (
    *("worth", "first_deal", "heels_limit", "muggins", "misdeal", "overpeg_award", "strict", "peg_out", "pegging_only"),
    *("lurch", "crib_flush", "penalties", "pone_chooses"),
    "enough",  # in solitaire, the lowest hole that wins
)
"""Rules that change what a page offers, except those found elsewhere in a snapshot."""


def snapshot(view: View) -> Json:
    """The state of the table for displays and pages, at most 4 KiB as JSON."""
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
        "dealer": None if view.awaits_cut else game.dealer,
        "lanes": [_lane_state(view, lane, *changes) for lane, changes in enumerate(_awards_and_corrections(game))],
        "needs": [_needs(game, lane) for lane in range(game.rules.lanes)],
        "undo": _id_or_none(game.newest_standing()),
        "redo": line_id(game.undone[-1]) if game.undone else None,
        "notice": view.notice,
        "notice_message": _short(message_json(view.notice)),
        "devices": [],
        "alarms": [],
    }
    if view.event is not None:
        values["event"] = _event_state(view.event)
    room = _room_beside(values)
    if room < MOST_ALARM_BYTES + MOST_DEVICE_BYTES:  # long names of many players
        values["game"]["says"] = _cut(values["game"]["says"])
        values["notice"] = view.notice and _cut(view.notice)
        room = _room_beside(values)
    values["alarms"] = list(_alarms(view, min(room, MOST_ALARM_BYTES)))
    values["devices"] = list(_devices(view, min(_room_beside(values), MOST_DEVICE_BYTES)))
    return values | {"entries": list(_newest(game, _room_beside(values)))}


def _room_beside(values: Json) -> int:
    """The bytes that a snapshot has left beside these values."""
    counted = {name: value for name, value in values.items() if value is not None or name != "notice_message"}
    return MOST_BYTES - _bytes(counted | {"entries": []})


def _short(message: Json | None) -> Json | None:
    """The message if it is short enough for a snapshot, else None."""
    return message if message and _bytes(message) <= MOST_MESSAGE_BYTES else None


def _newest(game: Game, room: int) -> Iterator[Json]:
    """The newest lines of the sheet, as many as fit into `room` bytes."""
    for values in entries_since(game, max(0, len(game.entries) - NEWEST_SHOWN)):
        room -= _bytes(values)
        if room < 0:
            return
        yield values


def _devices(view: View, room: int) -> Iterator[Json]:
    """The displays and inputs, as many as fit into `room` bytes; devices with an error first."""
    message_room = MOST_MESSAGE_BYTES
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


def _alarms(view: View, room: int) -> Iterator[Json]:
    """The alarms, as many as fit into `room` bytes; the first in any case, if need be without its key."""
    for number, values in enumerate(map(alarm_json, view.alarms)):
        whole = {**values, "text": _cut(values["text"], LONGEST_ALARM), "message": _short(values["message"])}
        if room < _bytes(whole) and number == 0:
            whole["message"] = None
        elif room < _bytes(whole):
            return
        room -= _bytes(whole)
        yield whole


def _event_state(event: EventNews) -> Json:
    """The event's information for this table."""
    return {
        "name": _cut(event.name, LONGEST_EVENT_TEXT),
        "table": _cut(event.table, LONGEST_EVENT_TEXT),
        "round": event.round or None,
        "rounds": event.rounds or None,
        "next": [
            {"table": _cut(seat.table, LONGEST_EVENT_TEXT) or None, "against": _cut(seat.against, LONGEST_EVENT_TEXT)}
            | {"deals": seat.deals, "stays": seat.stays}
            for seat in event.next
        ],
        "here": [_cut(name, LONGEST_EVENT_TEXT) for name in event.here],
        "calls": [
            {"for": call.kind, "needed": call.needed}
            | {"accepted": [_cut(name, LONGEST_EVENT_TEXT) for name in call.accepted[: call.needed]]}
            for call in event.calls
        ],
        "settled": None if event.settled is None else _cut(event.settled),
        "settled_message": _short(message_json(event.settled)),
        "linked": event.is_linked,
        "unsent": bool(event.result_url),
        "announcement": _cut(event.announcement, LONGEST_ANNOUNCEMENT),
    }


def alarm_json(alarm: Alarm) -> Json:
    """An alarm in full."""
    told = {"id": alarm.id, "text": str(alarm.message), "message": message_json(alarm.message)}
    return told | {"lasts": alarm.lasts, "director": alarm.director}


def _cut(text: str, most: int = LONGEST_TROUBLE) -> str:
    """Truncate a text to `most` UTF-8 bytes, at whole characters."""
    whole = text.encode()
    if len(whole) <= most:
        return text
    return whole[: most - len("…".encode())].decode(errors="ignore") + "…"


def _bytes(values: Json) -> int:
    """Upper bound of the size of values as JSON, in bytes: Python's `repr` is longer except for escaped quotes."""
    text = str(values)
    return len(text.encode()) + text.count('"')


def _id_or_none(line: int | None) -> str | None:
    return None if line is None else line_id(line)


def _game_state(view: View) -> Json:
    game, at, rules = view.game, view.game.standing, view.game.rules
    pairing = {"pairing": game.pairing} if game.pairing else {}
    return (
        pairing
        | preset_state(rules)
        | {
            "id": view.id,
            "variant": rules.variant,
            "game_hole": rules.game_hole,
            "skunk_lines": list(rules.skunk_lines),
            "rules": rules_state(rules),
            "deal": at.deal,
            "phase": at.phase,
            "to_count": at.to_count,
            "scored": at.begun,
            "sure": round_probability(at.sure),
            "dealer_sure": round_probability(at.dealer_sure),
            "otherwise": None
            if at.other is None or view.awaits_cut
            else at.other._asdict() | {"sure": round_probability(at.other.sure)},
            "ask_deal": asks_for_deal(game),
            "says": phase_sentence(game, awaits_cut=view.awaits_cut),
            "over": game.outcome is not None,
            "winner": None if game.outcome is None else game.outcome.winner,
            "unconfirmed": list(view.lanes_to_confirm),
            "dealer_next": view.dealer_next,
        }
    )


def preset_state(rules: Rules) -> Json:
    """The preset of the rules and what players changed in it, as `preset`; empty without a preset."""
    if not is_by_preset(rules):
        return {}
    chosen, changed = players_changes(rules)
    return {"preset": {"name": rules.preset, "chosen": list(chosen), "changed": list(changed)}}


def rules_state(rules: Rules) -> Json:
    """The rules that change what a page offers."""
    return {name: getattr(rules, name) for name in RULES_IN_SNAPSHOT}


def asks_for_deal(game: Game) -> bool:
    """Whether players must announce the new deal, because the dealer's pegs start ahead.

    One announcement is enough: if it comes late, after the first points of the deal, it is not asked for again.
    """
    if not game.rules.dealer_start or game.outcome is not None:
        return False
    return game.standing.deal > _deal_of_the_pegs(game)


def _deal_of_the_pegs(game: Game) -> int:
    """The number, in the inferred course, of the deal that began when the pegs last moved to a new deal."""
    for line in range(len(game.entries), 0, -1):
        before, after, reading = game.positions[line - 1], game.positions[line], game.followed.readings[line - 1]
        if after.deal > before.deal and reading is not None:
            return reading.deal + (reading.why == Reason.CRIB)
    return 1


def _match_state(view: View) -> Json:
    match = view.match
    return {
        "id": view.match_id,
        "format": match.format,
        "to_win": read_format(match.format) or None,
        "counted": list(match.counted),
        "winner": match.winner,
    }


def _lane_state(view: View, lane: int, awarded: int, corrections: int) -> Json:
    game, outcome, pinned = view.game, view.game.outcome, view.game.pin_of(lane)
    return {
        "front": game.lanes[lane].front,
        "rear": game.lanes[lane].rear,
        "revision": game.revisions[lane],
        "dialled": view.dialled[lane],
        "skunks": 0 if outcome is None else outcome.skunks[lane],
        "games_won": view.match.games_won[lane],
        "match_points": view.match.points[lane],
        "spread": view.match.spread[lane],
        "awarded": awarded,
        "corrections": corrections,
        "pinned_by": _id_or_none(pinned),
        "likely": _likely(game, lane),
    }


def _likely(game: Game, lane: int) -> Json | None:
    """A lane's most likely next points and reason; None if it is not the lane's turn, or its turn is unknown.

    Always None in a game of an event.
    """
    at, rules = game.standing, game.rules
    if game.pairing:
        return None
    match at.phase:
        case Phase.PLAY | Phase.CUT:
            why, turns = Reason.PLAY if rules.seats > 1 else Reason.HAND, {lane}
        case Phase.HAND if at.to_count is not None:
            why, turns = Reason.HAND, {rules.lane_of(at.to_count)}
        case Phase.CRIB:
            why, turns = Reason.CRIB, {rules.lane_of(at.dealer)}
        case _:
            return None
    small = rules.pegging_only and why == Reason.HAND  # hands of three cards
    return {"why": why, "points": [] if small else list(LIKELY[why])} if lane in turns else None


def _awards_and_corrections(game: Game) -> list[list[int]]:
    """For each lane, points awarded for opponents' faults, and the number of changes in place to its lines and rulings.

    Points are counted before the game hole cuts them short.
    """
    truth, lanes = game.true_points, [[0, 0] for _ in range(game.rules.lanes)]
    for line, entry in enumerate(game.entries, 1):
        event = entry.event
        lane = getattr(event, "lane", None)
        if lane is not None:
            lanes[lane][1] += len(entry.history) + isinstance(event, Ruling)
        if isinstance(event, PointsRuling):
            if event.to is not None and game.counts(line):
                lanes[event.to][0] += event.award
        elif lane is not None and getattr(event, "why", None) in FAULTS and game.counts(line):
            lanes[lane][0] += truth.get(line, getattr(event, "points", 0))
    return lanes


def _needs(game: Game, lane: int) -> Json:
    """The holes that a lane needs to peg out, and to avoid a skunk of the degree `skunks`; null if it is safe."""
    front, rules = game.lanes[lane].front, game.rules
    save, skunks = to_save(rules, front)
    return {"out": rules.game_hole - front, "save": save or None, "skunks": skunks or None}


def to_save(rules: Rules, front: int) -> tuple[int, int]:
    """Holes that a front peg needs to pass the next skunk line, and the number of lines it misses; 0 and 0 if safe."""
    missed = rules.skunks_of(front)
    return (rules.skunk_lines[missed - 1] + 1 - front, missed) if missed else (0, 0)
