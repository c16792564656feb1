"""The state of the table, a snapshot as JSON-ready values, as every display and page gets it."""

from collections.abc import Iterator

from pegboard.core.board import Game
from pegboard.core.command_fields import line_id
from pegboard.core.match_formats import read_format
from pegboard.core.moves import FAULTS, PointsRuling, Reason, Ruling
from pegboard.core.phase_sentence import phase_sentence
from pegboard.core.position import Phase
from pegboard.core.rules import Rules
from pegboard.core.sheet_lines_as_json import entries_since, round_probability
from pegboard.core.view import Alarm, EventNews, View
from pegboard.core.wire import Json
from pegboard.messages import message_json

NEWEST_SHOWN = 10
"""Lines of the sheet in a snapshot, newest first; fewer where long names and notes leave no room for them."""

MOST_BYTES = 4096
"""Bytes of a snapshot as JSON; every viewer gets it with every event."""

MOST_MESSAGE_BYTES = 300
"""Bytes of a notice with its key and values, and of all device errors; a longer one is sent as its sentence alone."""

MOST_DEVICE_BYTES = 420
"""Bytes of the devices in a snapshot: no more than a long line of the sheet takes."""

MOST_ALARM_BYTES = 700
"""Bytes of the alarms in a snapshot; the first is there in any case, the others as they fit."""

LONGEST_TROUBLE = 120
"""Bytes in UTF-8 of a device's trouble in a snapshot; the whole sentence stands on the page of the devices."""

LONGEST_ALARM = 300
"""The same of an alarm."""

LONGEST_EVENT_TEXT, LONGEST_ANNOUNCEMENT = 48, 120
"""The same of names of tables, players and the event, and of what a director says to all."""

LIKELY = {Reason.PLAY: (1, 2, 3), Reason.HAND: (2, 4, 6, 8, 10, 12), Reason.CRIB: (2, 4, 6, 8)}
"""Usual amounts: 92 % of the points pegged in the play, 70 % of hands and 72 % of cribs that score at all."""

RULES_IN_SNAPSHOT = (
    *("worth", "first_deal", "heels_limit", "muggins", "misdeal", "overpeg_award", "strict", "peg_out", "pegging_only"),
    *("lurch", "crib_flush", "penalties"),
    "enough",  # alone, the hole that wins
)
"""Rules that change what a page offers, besides those that a snapshot has elsewhere."""


def snapshot(view: View) -> Json:
    """The state of the table as every display and page gets it, under 4 kB as JSON."""
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
        "lanes": [_lane_state(view, lane) for lane in range(game.rules.lanes)],
        "needs": [_needs(game, lane) for lane in range(game.rules.lanes)],
        "undo": _id_or_none(game.newest_standing()),
        "redo": line_id(game.undone[-1]) if game.undone else None,
        "notice": view.notice,
        "notice_message": _short(message_json(view.notice)),
        "devices": list(_devices(view)),
        "alarms": list(_alarms(view)),
    }
    if view.event is not None:
        values["event"] = _event_state(view.event)
    counted = {name: value for name, value in values.items() if value is not None or name != "notice_message"}
    return values | {"entries": list(_newest(game, MOST_BYTES - _bytes(counted | {"entries": []})))}


def _short(message: Json | None) -> Json | None:
    """A message that is short enough to be sent with its key too, else None."""
    return message if message and _bytes(message) <= MOST_MESSAGE_BYTES else None


def _newest(game: Game, room: int) -> Iterator[Json]:
    """The newest lines of the sheet, as many as fit into so many bytes."""
    for values in entries_since(game, max(0, len(game.entries) - NEWEST_SHOWN)):
        room -= _bytes(values)
        if room < 0:
            return
        yield values


def _devices(view: View) -> Iterator[Json]:
    """The displays and inputs, as many as fit; those with an error come first."""
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


def _alarms(view: View) -> Iterator[Json]:
    """The alarms, as many as fit."""
    room = MOST_ALARM_BYTES
    for values in map(alarm_json, view.alarms):
        whole = {**values, "text": _cut(values["text"], LONGEST_ALARM), "message": _short(values["message"])}
        room -= _bytes(whole)
        if room < 0 and room + _bytes(whole) < MOST_ALARM_BYTES:
            return
        yield whole


def _event_state(event: EventNews) -> Json:
    """What the event says at this table; a table without one has nothing of it."""
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
    """A sentence cut to its first whole letters where it is too long."""
    whole = text.encode()
    if len(whole) <= most:
        return text
    return whole[: most - len("…".encode())].decode(errors="ignore") + "…"


def _bytes(values: Json) -> int:
    """An upper bound of the bytes that values have as JSON: Python's `repr` is longer but for escaped quotes."""
    text = str(values)
    return len(text.encode()) + text.count('"')


def _id_or_none(line: int | None) -> str | None:
    return None if line is None else line_id(line)


def _game_state(view: View) -> Json:
    game, at, rules = view.game, view.game.standing, view.game.rules
    pairing = {"pairing": game.pairing} if game.pairing else {}
    return pairing | {
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


def rules_state(rules: Rules) -> Json:
    """The rules that change what a page offers."""
    return {name: getattr(rules, name) for name in RULES_IN_SNAPSHOT}


def asks_for_deal(game: Game) -> bool:
    """Whether somebody has to say that a new deal has begun, because its dealer's pegs start ahead.

    That is said once: if it comes late, after the first points of the deal, it is not wanted again.
    """
    if not game.rules.dealer_start or game.outcome is not None:
        return False
    return game.standing.deal > _deal_of_the_pegs(game)


def _deal_of_the_pegs(game: Game) -> int:
    """The number of the deal, by the course, that began when the pegs last moved to a new deal."""
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


def _lane_state(view: View, lane: int) -> Json:
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
        "awarded": _award_points(game, lane),
        "corrections": _corrections(game, lane),
        "pinned_by": _id_or_none(pinned),
        "likely": _likely(game, lane),
    }


def _likely(game: Game, lane: int) -> Json | None:
    """What a lane most likely pegs next, and for what; None where it is not its turn, or nothing can be known.

    In a game of an event nobody is told what is likely.
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


def _award_points(game: Game, lane: int) -> int:
    """Points that a lane has got for opponents' faults, before the game hole cuts them short."""
    truth = game.true_points
    total = 0
    for line, entry in enumerate(game.entries, 1):
        event = entry.event
        if isinstance(event, PointsRuling) and event.to == lane and game.counts(line):
            total += event.award
        elif getattr(event, "why", None) in FAULTS and getattr(event, "lane", None) == lane and game.counts(line):
            total += truth.get(line, getattr(event, "points", 0))
    return total


def _corrections(game: Game, lane: int) -> int:
    """How often lines of a lane were changed in their place, and 1 more for each ruling on it."""
    own = (entry for entry in game.entries if getattr(entry.event, "lane", None) == lane)
    return sum(len(entry.history) + isinstance(entry.event, Ruling) for entry in own)


def _needs(game: Game, lane: int) -> Json:
    """How many holes a lane needs to be out, and to save which skunk; null where it is safe."""
    front, rules = game.lanes[lane].front, game.rules
    save, skunks = to_save(rules, front)
    return {"out": rules.game_hole - front, "save": save or None, "skunks": skunks or None}


def to_save(rules: Rules, front: int) -> tuple[int, int]:
    """Holes that a front peg needs to pass the next skunk line, and how many lines it misses now; 0 and 0 when safe."""
    missed = rules.skunks_of(front)
    return (rules.skunk_lines[missed - 1] + 1 - front, missed) if missed else (0, 0)
