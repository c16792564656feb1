"""Referee: decides commands, applies events to the score sheet, re-validates imports; director-only commands."""

from collections.abc import Container, Iterable, Sequence
from dataclasses import fields, replace
from functools import reduce

from pegboard.core import corrections, decisions  # noqa: F401 - each registers its decisions
from pegboard.core.board import Game, players_at
from pegboard.core.decisions import DECISIONS
from pegboard.core.entry import UNKNOWN_ORIGIN, Entry, EntryChange, Origin, Renaming
from pegboard.core.moves import (
    UNCHANGED,
    Abandoned,
    Amend,
    Amended,
    Award,
    CallMuggins,
    ClaimFalsely,
    Command,
    Confirmed,
    Deal,
    Dealt,
    Event,
    FalselyClaimed,
    InPlace,
    InPlaceChange,
    Line,
    MugginsCalled,
    OverPeg,
    OverPegged,
    Penalize,
    PointsRuling,
    Reason,
    Renamed,
    Restored,
    Score,
    Scored,
    Start,
    Started,
    Substitute,
    Substituted,
    TakenBack,
    Who,
    row_of_event,
)
from pegboard.core.names import compose
from pegboard.core.position import Position
from pegboard.core.replay import replay, step
from pegboard.core.rules import Rules, Seat
from pegboard.core.sentences import join_names
from pegboard.errors import RuleError
from pegboard.messages import Message

# --- re-validating events: imports from other tables ---


def redecide(game: Game, event: Event) -> Event:
    """Decide again on the command behind `event`; returns the same event if it is valid in `game`.

    A muggins award stays as decided at its table: the player who missed the points is not stored, and older tables
    awarded points that the game hole would have cut off. For a start, the match, the replaced game and the note are
    left out, because the referee does not decide them. Copied from `event`: whether the dealer was stated, the fields
    that an old body version implies (`guessed`, `twice`), and names that older tables stored decomposed (not NFC).

    Raises:
        PegboardError: the event is not possible in `game`.
    """
    judged = decide(game, command_behind(game, event))
    match judged, event:
        case Started(), Started():
            players = event.players if tuple(map(compose, event.players)) == judged.players else judged.players
            return replace(judged, players=players, dealer_said=event.dealer_said)
        case Renamed(), Renamed() if compose(event.to) == judged.to:
            return event
        case Scored(), Scored():
            return replace(judged, guessed=event.guessed)
        case Dealt(), Dealt():
            return replace(judged, twice=event.twice)
        case MugginsCalled(), MugginsCalled() if event.points in range(1, min(event.claimed, event.missed) + 1):
            return replace(judged, points=event.points)
    return judged


def command_behind(game: Game, event: Event) -> Command:  # noqa: PLR0911 - a table of events
    """The command that led to `event`."""
    match event:
        case Started(rules, players, dealer):
            return Start(rules, players, dealer, event.format, pairing=event.pairing)
        case Scored(why=Reason.PENALTY, seat=int(seat)):
            return Penalize(event.points, seat, event.note)
        case Scored(lane, points, seat, why):
            return Score(points, seat, lane, why)
        case MugginsCalled(caller=caller, claimed=claimed, missed=missed):
            return CallMuggins(caller, claimed, missed, _opponent(game.rules, event) if missed else event.seat)
        case Dealt(dealer, new):
            return Deal(dealer, None if dealer is None and not new else new)
        case Amended(line, points, why, seat):
            return Amend(line, points, _points_of_line(game, line), why, seat)
        case Substituted(seat, name):
            return Substitute(seat, game.players[seat] if 0 <= seat < len(game.players) else "", name)
        case OverPegged(line=line, points=points, was=was, to=to):
            return OverPeg(line, points, was, _somebody(game.rules, to))
        case FalselyClaimed(line=line, points=points, was=was, to=to):
            return ClaimFalsely(line, points, was, _somebody(game.rules, to))
    return _with_same_values(game.rules, event)


def _with_same_values(rules: Rules, event: Event) -> Command:
    """The command for this kind of event (`row_of_event`), with its values; a required seat is taken from the lane."""
    row = row_of_event(event)
    values = {each.name: getattr(event, each.name) for each in fields(row.command) if hasattr(event, each.name)}
    if values.get("seat", 0) is None and row.fields["seat"].required:
        values["seat"] = _somebody(rules, getattr(event, "lane", None)) or 0
    return row.command(**values)


def _opponent(rules: Rules, event: MugginsCalled) -> Seat | None:
    """Any opponent of the awarded lane."""
    return next((seat for seat in range(rules.seats) if rules.lane_of(seat) != event.lane), None)


def _somebody(rules: Rules, lane: int | None) -> Seat | None:
    """Any seat that pegs in the lane, or None."""
    return next((seat for seat in range(rules.seats) if rules.lane_of(seat) == lane), None)


def _points_of_line(game: Game, line: int) -> int:
    """The points of a line; 0 if it has none."""
    event = game.entries[line - 1].event if 1 <= line <= len(game.entries) else None
    return event.points if isinstance(event, Scored) else 0


# --- limits on the length of a sheet ---
#
# More lines than any real game has would slow down every page that shows them.


MOST_LINES = 2_000
"""Maximum lines of a game; a real one has fewer than three hundred."""

MOST_CHANGES = 2_000
"""Maximum undos, redos and corrections in a game; each replays the sheet from that line on."""


def check_room(game: Game, event: Event) -> None:
    """Check that the sheet has room for an event.

    Raises:
        RuleError: the sheet is full.
    """
    if isinstance(event, Line) and len(game.entries) >= MOST_LINES:
        raise RuleError("sheet_full", most=MOST_LINES)
    if isinstance(event, InPlace) and sum(len(entry.history) for entry in game.entries) >= MOST_CHANGES:
        raise RuleError("sheet_changed_out", most=MOST_CHANGES)


SHORT_RUN = 3
"""Runs shorter than this are appended line by line: building lists is not worth it."""


def new_game(rules: Rules, players: tuple[str, ...], dealer: Seat | None = None) -> Game:
    """A new game: an empty sheet for `players` in seat order; `dealer` deals first (default: the first player).

    Raises:
        RuleError: the number of players or the dealer does not fit the rules, or a name is empty or too long.
    """
    return apply(Game(), decisions.start(Game(), Start(rules, tuple(players), dealer)))


def play(game: Game, command: Command) -> Game:
    """The game after `command`.

    Raises:
        RuleError: the rules do not allow it.
    """
    return apply(game, decide(game, command))


def decide(game: Game, command: Command) -> Event:
    """The event that results from `command` in `game`.

    Raises:
        RuleError: the rules do not allow it; `GameOver` after the end, `Already` if there is nothing to do.
        Moved: the client saw an outdated state.
    """
    event = DECISIONS[type(command)](game, command)
    check_room(game, event)
    return event


def apply(game: Game, event: Event, origin: Origin = UNKNOWN_ORIGIN) -> Game:
    """The game after `event`; `origin` says where it came from. Never refuses."""
    if isinstance(event, InPlace):
        return _change(game, event, origin)
    match event:
        case Confirmed(seat):
            return replace(game, confirmed=(*game.confirmed, seat), undone=())
        case Started():
            touches = ((),) * event.rules.lanes
            said, pairing = event.dealer_said, event.pairing
            return Game(event.rules, event.players, event.dealer, touches=touches, dealer_said=said, pairing=pairing)
        case Abandoned():
            return game
        case Renamed():
            return _rename(game, event, origin)
    return _append(game, event, origin)


def apply_all(game: Game, events: Iterable[tuple[Event, Origin]]) -> Game:
    """Apply events in order; faster than calling `apply` for each: a run of lines makes only one new game."""
    run: list[tuple[Line, Origin]] = []
    for event, origin in events:
        if isinstance(event, Line) and not isinstance(event, PointsRuling):
            run.append((event, origin))
            continue
        game = apply(_append_run(game, run), event, origin)
        run = []
    return _append_run(game, run)


def director_only(game: Game, event: Event) -> Message | None:
    """Why `event` is reserved for a director; None if it is open to any scorer."""
    if row_of_event(event).who is Who.DIRECTOR:
        return Message("reserved_ruling")
    if isinstance(event, Started) and game.lanes_to_confirm():
        names = join_names([game.lane_name(lane) for lane in game.lanes_to_confirm()])
        return Message("reserved_unconfirmed", names=names)
    if isinstance(event, Abandoned) and game.outcome is not None and (game.rules.strict or game.rules.confirm):
        return Message("reserved_giving_up")
    if row_of_event(event).who is Who.DIRECTOR_WHEN_STRICT and game.rules.strict:
        return Message("reserved_corrections")
    return _reserved_change(game, event) if isinstance(event, InPlace) else None


def loses_win(before: Game, after: Game) -> int | None:
    """The lane that loses its win between `before` and `after` a correction, or None."""
    winner = None if before.outcome is None else before.outcome.winner
    still = None if after.outcome is None else after.outcome.winner
    return None if winner == still else winner


def _reserved_change(game: Game, event: InPlace) -> Message | None:
    if row_of_event(game.entries[event.line - 1].event).who is Who.DIRECTOR:
        return Message("reserved_ruling_change", line=event.line)
    if _ends_before_scores(game, event):
        return Message("reserved_early_end")
    return None


def _ends_before_scores(game: Game, event: InPlace) -> bool:
    """Whether later scores that count now would then come after the end."""
    now, then = game.positions, apply(game, event).positions
    ended_by_it = (
        n for n in range(event.line + 1, len(now)) if now[n - 1].outcome is None and then[n - 1].outcome is not None
    )
    return any(isinstance(game.entries[n - 1].event, Award) and game.counts(n) for n in ended_by_it)


def _rename(game: Game, event: Renamed, origin: Origin) -> Game:
    """The game with a corrected name; unchanged if nobody at that seat has the former name."""
    if event.former not in game.names_at(event.seat):
        return game
    named, wrong, right = (
        list(game.first_players),
        *(Substituted(event.seat, name) for name in (event.former, event.to)),
    )
    if named[event.seat] == event.former:
        named[event.seat] = event.to
    first = tuple(named)
    entries = tuple(replace(entry, event=right) if entry.event == wrong else entry for entry in game.entries)
    return replace(
        game,
        players=players_at(first, entries, game.position),
        first_players=first,
        entries=entries,
        renamings=(*game.renamings, Renaming(event, origin)),
        undone=(),
    )


def _append(game: Game, line: Line, origin: Origin) -> Game:
    entries = (*game.entries, Entry(line, origin))
    if type(line) is OverPegged or type(line) is FalselyClaimed:
        positions = replay(game.rules, game.positions[: line.line], entries)
    else:
        positions = (*game.positions, step(game.rules, game.positions, line))
    return _with_line(game, len(entries), entries, positions)


def _append_run(game: Game, run: Sequence[tuple[Line, Origin]]) -> Game:
    """The game with all these lines appended; none of them changes what an earlier line counts."""
    if len(run) < SHORT_RUN:
        return reduce(lambda before, made: _append(before, *made), run, game)
    entries, positions = list(game.entries), list(game.positions)
    touches, confirmed = [list(lines) for lines in game.touches], game.confirmed
    for line, origin in run:
        entries.append(Entry(line, origin))
        before, after = positions[-1], step(game.rules, positions, line)
        positions.append(after)
        own = getattr(line, "lane", None)
        for lane, lines in enumerate(touches):
            if lane == own or before.lanes[lane] != after.lanes[lane]:
                lines.append(len(entries))
        confirmed = confirmed if confirmed and _same_result(before, after) else ()
    return replace(
        game,
        players=players_at(game.first_players, entries, positions[-1]),
        entries=tuple(entries),
        touches=tuple(map(tuple, touches)),
        undone=(),
        confirmed=confirmed,
        positions=tuple(positions),
        former_course=game.known_course,
    )


def _change(game: Game, event: InPlace, origin: Origin) -> Game:
    line, undone = event.line, tuple(n for n in game.undone if n != event.line)
    old = game.entries[line - 1]
    match event:
        case TakenBack():
            undone, entry = (*undone, line), _change_entry(old, EntryChange(origin, InPlaceChange.UNDO), stands=False)
        case Restored():
            entry = _change_entry(old, EntryChange(origin, InPlaceChange.REDO), stands=True)
        case _:
            undone, entry = (), _amend(game.rules, old, event, origin)
    entries = (*game.entries[: line - 1], entry, *game.entries[line:])
    named = entry.event.line if isinstance(entry.event, PointsRuling) else line
    return _with_line(game, line, entries, replay(game.rules, game.positions[:named], entries), undone)


def _change_entry(old: Entry, change: EntryChange, *, stands: bool) -> Entry:
    return Entry(old.event, old.origin, stands, (*old.history, change))


def _amend(rules: Rules, old: Entry, event: Amended, origin: Origin) -> Entry:
    """The corrected line, with its former values in the history; a corrected reason is no longer a guess."""
    assert isinstance(old.event, Scored)
    now, change = old.event, EntryChange(origin, InPlaceChange.AMEND)
    if event.points is not None:
        now, change = replace(now, points=event.points), replace(change, was=now.points)
    if event.why is not UNCHANGED:
        now, change = replace(now, why=event.why, guessed=False), replace(change, why=now.why)
    if event.seat is not None:
        lane, change = rules.lane_of(event.seat), replace(change, lane=now.lane, seat=now.seat)
        now = replace(now, lane=lane, seat=event.seat)
    return Entry(now, old.origin, old.stands, (*old.history, change))


def _with_line(
    game: Game, line: int, entries: tuple[Entry, ...], positions: tuple[Position, ...], undone: tuple[int, ...] = ()
) -> Game:
    """The game with this line added or changed."""
    before, after = game.positions[-1], positions[-1]
    own = {getattr(entry.event, "lane", None) for entry in (*game.entries[line - 1 : line], entries[line - 1])}
    return Game(
        rules=game.rules,
        players=players_at(game.first_players, entries, after),
        first_dealer=game.first_dealer,
        entries=entries,
        touches=_add_touch(game.touches, line, own, before, after),
        undone=undone,
        confirmed=game.confirmed if game.confirmed and _same_result(before, after) else (),
        renamings=game.renamings,
        dealer_said=game.dealer_said,
        pairing=game.pairing,
        first_players=game.first_players,
        positions=positions,
        former_course=game.known_course,
    )


def _same_result(before: Position, after: Position) -> bool:
    fronts = [[lane.front for lane in position.lanes] for position in (before, after)]
    return before.outcome == after.outcome and fronts[0] == fronts[1]


def _add_touch(
    touches: tuple[tuple[int, ...], ...], line: int, own: Container[int | None], before: Position, after: Position
) -> tuple[tuple[int, ...], ...]:
    """Add a touch to the line's own lane (old and new, if it moves) and to each lane whose pegs moved."""
    pegs = zip(before.lanes, after.lanes, strict=True)
    return tuple(
        [
            (*lines, line) if lane in own or old != new else lines
            for lane, (lines, (old, new)) in enumerate(zip(touches, pegs, strict=True))
        ]
    )
