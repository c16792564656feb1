"""The scoreboard, a table's interface for pages and programs: commands, receipts, previews, seating, alarms, imports.

Every command is judged, stored and shown under one lock.
"""

import contextlib
import copy
import json
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, cast

from pegboard.core import wire
from pegboard.core.board import Game
from pegboard.core.command_fields import line_id
from pegboard.core.decisions import whose
from pegboard.core.match import GameInMatch, Match, Result, Setup
from pegboard.core.moves import Abandoned, Base, Command, Score, Start, Started, row_of
from pegboard.core.referee import apply, loses_win
from pegboard.core.rules import Rules
from pegboard.core.view import Brightness, Device, EventNews, Invitation, Preview, Receipt, View
from pegboard.core.view_as_json import line_made, lines_since, remainder_note, with_entries
from pegboard.devices.power_and_clock import NO_SWITCH, PowerSwitch
from pegboard.errors import BaseMissing, IdReused, Moved, OtherGame, RuleError
from pegboard.feed import Feed
from pegboard.json_parser import canonical_json
from pegboard.messages import Message
from pegboard.storage.event_row import EventRow
from pegboard.storage.games import History
from pegboard.storage.journal.journal import Journal
from pegboard.storage.transfer.import_transaction import ImportedEvent, ImportReport, SkippedGame
from pegboard.table.key_entry import KeyEntry, pegs_dialled, project_dialled
from pegboard.table.table import EVENT, TABLE, Table, new_id
from pegboard.watchdog import Activity, TimedLock


class Scoreboard:
    """The table as pages, keys and programs use it.

    Attributes:
        history: the games in the table's journal.
        keys: the keys of the table.
        began: wall time of the first event of the journal, in nanoseconds since 1970.
    """

    def __init__(
        self,
        journal: Journal,
        feed: Feed,
        setup: Setup,
        *,
        house: Callable[[Rules], Rules] = lambda rules: rules,
        clock: Callable[[], int] = time.time_ns,
        new_id: Callable[[], str] = new_id,
        power: PowerSwitch = NO_SWITCH,
    ) -> None:
        """Load the running game of `journal`; if it has none, start one for `setup` as soon as that can be stored.

        `house` adds the house rules to a variant's rules, `clock` returns wall time in nanoseconds, `new_id` a new game
        id, `power` is the power switch of this machine.

        Raises:
            RuleError: the players do not fit the rules.
        """
        self.history = History(journal.folder)
        self._table = Table(journal, feed, setup, house=house, clock=clock, new_id=new_id)
        self.keys = KeyEntry(self._table, power)
        self._feed = feed
        self.began = journal.first_event_at()
        self._table.publish()

    @property
    def view(self) -> View:
        """The newest state of the table."""
        return self._feed.view

    @property
    def add_house_rules(self) -> Callable[[Rules], Rules]:
        """Adds the house rules to a variant's rules."""
        return self._table.add_house_rules

    @property
    def judging(self) -> TimedLock:
        """The table's lock; while it is held, no other command is judged."""
        return self._table.lock

    @property
    def committing(self) -> Activity:
        """The storing of events, for the watchdog; it also finishes if the journal cannot store and reports why."""
        return self._table.committing

    def look_after(self) -> None:
        """Maintain the journal; call it about once a second. Faults become alarms on every display."""
        self._table.look_after()

    # --- displays in addition to the game: how to join, devices, brightness, the event, alarms ---

    def set_join_address(self, invitation: Invitation | None) -> None:
        """Set how to join; once phones can reach the table, displays show it until a key is pressed or a score comes.

        If phones cannot reach it, displays show the board, and how to join only on request. A later invitation replaces
        the earlier one, and is shown only if the earlier one is shown.
        """
        with self._table.changing():
            before = self._table.invitation
            is_new = not self._table.game.entries and (before is None or before.reach != "network")
            shows = self._table.inviting or (is_new and invitation is not None and invitation.reach == "network")
            self._table.inviting = invitation is not None and shows
            self._table.invitation = invitation

    def set_devices(self, devices: tuple[Device, ...]) -> None:
        """Show whether displays and inputs work."""
        with self._table.changing():
            self._table.devices = devices

    def set_brightness(self, brightness: Brightness) -> None:
        """Set the brightness of the displays."""
        with self._table.changing():
            self._table.brightness = brightness

    def show_event(self, event: EventNews | None) -> None:
        """Show the event that the table plays in, or None."""
        with self._table.changing():
            self._table.event = event

    def raise_alarm(self, message: Message) -> None:
        """Show `message` on every display until a person dismisses it."""
        with self._table.changing():
            self._table.raise_alarm(message)

    def dismiss_alarm(self, id: str) -> bool:  # noqa: A002 - the contract's own word
        """Remove an alarm from every display; False if no alarm with that id can be dismissed."""
        with self._table.changing():
            return self._table.dismiss_alarm(id)

    def play_in_memory(self) -> bool:
        """If scores cannot be stored, play on in memory; returns whether scores are now only in memory."""
        with self._table.lock:
            journal = self._table.journal
            if journal.fault is not None and not journal.is_in_memory:
                journal.play_in_memory()
                self._table.set_notice(None)
                self._table.publish()
            return journal.is_in_memory

    # --- the next players ---

    def with_corrected_names(self, setup: Setup) -> Setup:
        """The setup; if it names the players who began the current game, with corrected names and those who took over.

        Raises:
            NotStored: the journal does not respond.
        """
        with self._table.lock:
            named, game = Game(setup.rules, setup.players), self._table.game
            for row in self._table.journal.corrections(self._table.running.id):
                named = apply(named, row.event)
            return replace(setup, players=game.players) if named.players == game.first_players else setup

    def seat_players(self, setup: Setup) -> bool:
        """Seat `setup`: now if the game is over and confirmed or its sheet is empty, else next.

        Returns whether they play now; if their game cannot be stored, they play next.

        Raises:
            RuleError: the players do not fit the rules.
        """
        with self._table.changing():
            return self._table.seat(setup, TABLE)

    def seat_pairing(self, setup: Setup | None) -> bool:
        """Seat a game of an event: now if the current sheet is empty, else next; None removes a waiting event game.

        Returns whether it has started. A finished game stays until someone starts the next game.

        Raises:
            RuleError: the players do not fit the rules.
        """
        with self._table.changing():
            if setup is not None:
                return self._table.seat(setup, EVENT)
            if self._table.waiting is not None and self._table.waiting.pairing:
                self._table.waiting = None
            return False

    # --- sheets, receipts and imports ---

    def sheet(self, game: str) -> Game | None:
        """The running game as last published, or an earlier game of its match; None for any other game.

        Never waits for events being stored.

        Raises:
            JournalError: the journal cannot be read.
        """
        view = self.view
        return view.game if game == view.id else self.history.sheet_in_match(game, view.match_id)

    def receipt_of(self, id: str) -> Receipt | None:  # noqa: A002 - the contract's own word
        """The receipt of a command with that id that was accepted before, else None; waits for events being stored.

        Raises:
            NotStored: the journal does not respond.
        """
        with self._table.lock:
            row = self._table.journal.find(id)
            return None if row is None else self._repeated_receipt(row)

    def _repeated_receipt(self, row: EventRow) -> Receipt:
        line = self._table.journal.line_of(row)
        return Receipt(replayed=True, entry=None if line is None else line_id(line), view=self.view)

    def import_games(self, arrivals: Iterable[ImportedEvent | SkippedGame]) -> ImportReport:
        """Store games that were played at another table, all or none; the running game is unchanged.

        Raises:
            BadImport: the games do not fit; nothing was stored.
            NotStored: the games could not be stored.
        """
        with self._table.lock, self._table.committing as storing:
            imported = self._table.journal.import_games(storing.follow(arrivals))
            self._table.publish()
            return imported

    # --- commands from the web, the terminal and programs ---

    def handle(
        self,
        command: Command,
        *,
        source: str,
        id: str,  # noqa: A002 - the contract's own word
        game: str | None = None,
        base: int | None = None,
        replaces: str | None = None,
        epoch: str | None = None,
        director: bool = False,
    ) -> Receipt:
        """Judge `command`, store and show it; a repeat with the same `id` gets the same answer and is not done twice.

        `base` is the revision that was seen: of the lane for a lane's command, none if the command names a line, else
        of the board. `game` is the game that the command is for: the running game, or for a correction also an earlier
        game of its match. `replaces` is the unfinished game that a start abandons; `epoch` the id of the journal that
        was seen; `director` whether a director sent the command.

        Raises:
            IdReused: `id` was used before with other content.
            OtherGame: `game` or `replaces` is not the running game.
            BaseMissing: `base` is missing.
            Moved: the state has changed since it was seen.
            RuleError: the rules forbid the command.
            NotAllowed: only a director may send the command.
            NotStored: the journal could not store the event.
        """
        request = _request(wire.command_values(command) | {"game": game, "replaces": replaces})
        table = self._table
        with table.lock:
            known = table.journal.find(id)
            if known is not None:
                if known.request is None or _request(json.loads(known.request)) != request:
                    raise IdReused("id_reused")
                return self._repeated_receipt(known)
            target = _game_for(table, command, game, replaces)
            _check_base(table, command, target.game, base, epoch)
            command = table.resolve(command, target, director=director)
            try:
                if pegs_dialled(command):
                    self.keys.peg_dialled(but=_lane_of(table, command))
                    target = table.running if target.id == table.running.id else target
                event = table.carry_out(command, target, source, replaces or "", id, request, director=director)
            finally:
                table.publish()
            return Receipt(False, line_made(event, target.game), self.view, remainder_note(event, target.game))

    def preview(
        self,
        command: Command,
        *,
        game: str | None = None,
        base: int | None = None,
        replaces: str | None = None,
        epoch: str | None = None,
        director: bool = False,
    ) -> Preview:
        """The effect that `handle` would have: judged in the same order, but neither stored nor shown.

        Pending points stay pending; in the preview they are pegged if the command would peg them.

        Raises:
            PegboardError: the error that `handle` would raise.
        """
        with self._table.lock:
            table = _copy_of(self._table)  # judging a long game is slow, and scores must not wait for it
        target = _game_for(table, command, game, replaces)
        _check_base(table, command, target.game, base, epoch)
        command, ahead = table.resolve(command, target, director=director), table.now
        if pegs_dialled(command):
            ahead = project_dialled(table, but=_lane_of(table, command))
            target = ahead.running if target.id == table.running.id else target
        event = table.judge(command, target, replaces or "", director=director)
        after = table.project(event, ahead, target)
        if after.running.id != table.running.id or after.running.game.outcome is not None:
            table.dialled.clear()
        view = table.view_of(after, table.dialled, None)
        line, note = line_made(event, target.game), remainder_note(event, target.game)
        lost = None if isinstance(event, Started | Abandoned) else loses_win(target.game, apply(target.game, event))
        return Preview(line, view, note, target.id, target.game, after.sheet or after.running.game, lost)


# --- the game and the base revision of a request ---


def _game_for(table: Table, command: Command, game: str | None, replaces: str | None) -> GameInMatch:
    """The game that a command is for: the running game, or for a correction also an earlier game of its match.

    Raises:
        OtherGame: `game` or `replaces` is not the running game, or for a correction not a game of its match.
        RuleError: no game is named.
        NotStored: the journal does not respond.
    """
    running = table.running.id
    is_other = game not in (None, running)
    if isinstance(command, Start):
        unfinished = running if table.game.outcome is None else None
        if is_other:
            raise OtherGame("other_game", game=game, running=running)
        if replaces != unfinished:
            raise OtherGame("not_finished", game=unfinished) if unfinished else OtherGame("running_over")
        return table.running
    if game is None:
        raise RuleError("name_the_game")
    if is_other and not row_of(command).earlier_games:
        raise OtherGame("other_game", game=game, running=running)
    if (target := table.find_game(game)) is None:
        raise OtherGame("other_match", game=game)
    return target


def _check_base(table: Table, command: Command, sheet: Game, base: int | None, epoch: str | None) -> None:
    """Check that a command is based on the current state.

    Raises:
        BaseMissing: the command needs a base revision and has none.
        Moved: the state has changed since, or was seen in another journal.
    """
    if epoch not in (None, table.journal.epoch):
        raise with_entries(Moved("moved_journal"), sheet)
    if not row_of(command).needs_base(getattr(command, "line", None)):
        return
    lane = _lane_of(table, command)
    now = table.journal.last_id if lane is None else sheet.revisions[lane]
    if base is None:
        raise BaseMissing("base_missing", seen="of the board" if lane is None else f"of lane {lane}", now=now)
    if base != now:
        raise _moved_error(sheet, lane, base)


def _lane_of(table: Table, command: Command) -> int | None:
    """The lane whose revision a command is based on; None for the revision of the board.

    Raises:
        RuleError: there is no such seat or lane.
    """
    if row_of(command).base is not Base.LANE:
        return None
    by_seat = Score(0, getattr(command, "seat", None))
    return whose(table.game.rules, command if isinstance(command, Score) else by_seat)[1]


def _moved_error(sheet: Game, lane: int | None, base: int) -> Moved:
    message = Message("moved_board")
    if lane is not None:
        message = sheet.message_on(lane, "moved_lane", "moved_lanes", hole=sheet.lanes[lane].front)
    return with_entries(Moved(message, lines_since(sheet, lane, base)), sheet)


def _request(values: dict[str, Any]) -> str:
    """A request in its stored form, to compare with a repeat under the same id."""
    return canonical_json(wire.without_defaults(values))


# --- a copy of the table, on which previews are judged while commands go on; journal queries take the lock ---


def _copy_of(table: Table) -> Table:
    """A read-only copy of the table, to be used without its lock; the caller holds the lock now."""
    seen = copy.copy(table)
    seen.dialled = table.dialled.copy()
    seen.journal = cast("Journal", _JournalQueries(table.journal, table.lock))
    return seen


class _JournalQueries:
    """The journal queries that judging needs, each under the lock; the journal's status is copied at the start."""

    def __init__(self, journal: Journal, lock: contextlib.AbstractContextManager[object]) -> None:
        self._journal, self._lock = journal, lock
        self.last_id, self.epoch = journal.last_id, journal.epoch
        self.is_in_memory, self.fault = journal.is_in_memory, journal.fault

    def rows(self, game: str) -> list[EventRow]:
        with self._lock:
            return self._journal.rows(game)

    def previous_game(self, game: str) -> str | None:
        with self._lock:
            return self._journal.previous_game(game)

    def match_of(self, game: str) -> str | None:
        with self._lock:
            return self._journal.match_of(game)

    def match_before(
        self, game: str, lanes: int, new_results: Mapping[str, Result | None] | None = None
    ) -> tuple[str, Match]:
        with self._lock:
            return self._journal.match_before(game, lanes, new_results)
