"""The scoreboard: every command is judged, stored in the journal and then shown, under one lock."""

import copy
import json
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Any, cast

from pegboard.core import wire
from pegboard.core.board import Game
from pegboard.core.match import GameInMatch, Match, Result, Setup
from pegboard.core.moves import Abandoned, Command, Renamed, Start, Started, Who, row_of
from pegboard.core.referee import apply, decide, loses_win
from pegboard.core.rules import Rules
from pegboard.core.view import Brightness, Device, EventNews, Invitation, Preview, Receipt, View
from pegboard.core.view_as_json import line_made, remainder_note
from pegboard.devices.alarms import Alarms
from pegboard.devices.power_and_clock import NO_SWITCH, PowerSwitch
from pegboard.errors import IdReused, NotAllowed, NotStored
from pegboard.feed import Feed
from pegboard.messages import Message
from pegboard.storage.event_row import EventRow, canonical_json
from pegboard.storage.games import History
from pegboard.storage.journal.journal import Journal
from pegboard.storage.transfer.import_transaction import ImportedEvent, ImportReport, SkippedGame
from pegboard.table.game_session import GameSession, JournalUpkeep, Projection, new_id
from pegboard.table.key_entry import KeyEntry, pegs_dialled
from pegboard.table.live_table import LiveTable
from pegboard.watchdog import Activity, TimedLock

# --- snapshot of the table: a preview is judged on it while commands go on; journal queries take the lock ---


def snapshot_of(table: LiveTable) -> LiveTable:
    """A read-only snapshot of the table, to be used without its lock; the caller holds the lock now."""
    seen = copy.copy(table)
    seen.session, seen.dialled = _SessionSnapshot(table.session, table.lock), table.dialled.copy()
    return seen


class _SessionSnapshot(GameSession):
    """A snapshot of the game session, whose journal is read under the table's lock."""

    def __init__(self, session: GameSession, lock: AbstractContextManager[object]) -> None:
        self.__dict__ |= vars(session)
        self._journal = cast("Journal", _JournalQueries(self._journal, lock))


class _JournalQueries:
    """The journal queries that judging needs, each under the lock; the journal's status is copied at first."""

    def __init__(self, journal: Journal, lock: AbstractContextManager[object]) -> None:
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


# --- what a table shows in addition to its game: how to join, devices, brightness, alarms ---


EVENT = "event"
"""The source of games that a hub seated."""


class TableStatus:
    """The part of a scoreboard that handles everything but the game."""

    _table: LiveTable
    _journal: Journal

    def set_join_address(self, invitation: Invitation | None) -> None:
        """Set how to join; once phones can reach the table, displays show it until a key is pressed or a score comes.

        If phones cannot reach it, displays show the board, and how to join only on request. A later invitation replaces
        the earlier one, and is shown only if that one is.
        """
        with self._table.lock:
            before = self._table.invitation
            is_new = not self._table.game.entries and (before is None or before.reach != "network")
            shows = self._table.inviting or (is_new and invitation is not None and invitation.reach == "network")
            self._table.inviting = invitation is not None and shows
            self._table.invitation = invitation
            self._table.publish()

    def set_devices(self, devices: tuple[Device, ...]) -> None:
        """Show whether displays and inputs work."""
        with self._table.lock:
            self._table.devices = devices
            self._table.publish()

    def set_brightness(self, brightness: Brightness) -> None:
        """Set the brightness of the displays."""
        with self._table.lock:
            self._table.brightness = brightness
            self._table.publish()

    def show_event(self, event: EventNews | None) -> None:
        """Show the event that the table plays in, or None."""
        with self._table.lock:
            self._table.event = event
            self._table.publish()

    def seat_pairing(self, setup: Setup | None) -> bool:
        """Seat a game of an event: now if the current sheet is empty, else next; None removes a waiting event game.

        Returns whether it has started. A finished game stays until somebody starts the next one.

        Raises:
            RuleError: the players do not fit the rules.
        """
        table = self._table
        with table.lock:
            if setup is None:
                table.waiting = None if table.waiting and table.waiting.pairing else table.waiting
                return False
            decide(table.game, Start(setup.rules, setup.players, setup.dealer, setup.format))
            table.waiting = setup
            if not table.game.entries and table.game.outcome is None:
                self._start_pairing(setup)
            table.publish()
            return table.waiting is None

    def _start_pairing(self, setup: Setup) -> None:
        """Start the game; if it cannot be stored, it waits."""
        try:
            self._table.start_game(setup, EVENT)
        except NotStored:
            self._table.waiting = setup

    def raise_alarm(self, message: Message) -> None:
        """Show `message` on every display until a person dismisses it."""
        with self._table.lock:
            self._table.raise_alarm(message)
            self._table.publish()

    def dismiss_alarm(self, id: str) -> bool:  # noqa: A002 - the contract's own word
        """Remove an alarm from every display; False if no alarm has that id that can be dismissed."""
        with self._table.lock:
            found = self._table.dismiss_alarm(id)
            self._table.publish()
            return found

    def play_in_memory(self) -> bool:
        """Keep scores in memory only if they cannot be stored; returns whether they are kept so now."""
        with self._table.lock:
            if self._journal.fault is not None and not self._journal.is_in_memory:
                self._journal.play_in_memory()
                self._table.set_notice(None)
                self._table.publish()
            return self._journal.is_in_memory


TABLE = "table"
"""The source of games that the table starts itself: its first game, or one for players named at startup."""


class Scoreboard(TableStatus):
    """The table as pages, keys and programs use it.

    Attributes:
        add_house_rules: adds the house rules to a variant's rules.
        history: the games of its journal.
        keys: its keys.
        began: wall time of the first event of its journal, in nanoseconds since 1970.
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
        """Load the running game of `journal`; if there is none, start one for `setup` as soon as it can be stored.

        `house` adds the house rules to a variant's rules, `clock` returns wall time in nanoseconds, `new_id` a new game
        id, `power` is the power switch of this machine.

        Raises:
            RuleError: the players do not fit the rules.
        """
        self.add_house_rules = house
        self.history = History(journal.folder)
        self._table = LiveTable(GameSession(journal, house, clock, new_id), feed, Alarms(journal.folder))
        self.keys = KeyEntry(self._table, power)
        self._journal = journal
        self._feed = feed
        self._upkeep = JournalUpkeep(
            journal, self._table, lambda: self._table.start_game(setup, TABLE), self._table.dialled.clear
        )
        if not self._table.session.running.id:  # nothing can be stored yet
            self._table.session.running = GameInMatch("", Game(setup.rules, setup.players), "", Match())
        self.began = journal.first_event_at()
        self._table.publish()

    @property
    def view(self) -> View:
        """The newest state of the table."""
        return self._feed.view

    def with_corrected_names(self, setup: Setup) -> Setup:
        """The same setup; if it names the current players, with names as corrected in their match.

        Raises:
            NotStored: the journal does not respond.
        """
        with self._table.lock:
            return self._table.session.with_corrected_names(setup)

    def seat_players(self, setup: Setup) -> bool:
        """Seat `setup`: now if the game is over and confirmed or its sheet is empty, else next.

        Returns whether they play now; if their game cannot be stored, they play next.

        Raises:
            RuleError: the players do not fit the rules.
        """
        with self._table.lock:
            decide(self._table.game, Start(setup.rules, setup.players, format=setup.format))
            if setup == self._table.session.setup:
                return True
            if self._table.lanes_to_confirm or (self._table.game.outcome is None and self._table.game.entries):
                self._table.waiting = setup
                return False
            try:
                self._table.start_game(setup, TABLE)
            except NotStored:
                self._table.waiting = setup
            self._table.publish()
            return self._table.waiting is None

    def sheet(self, game: str) -> Game | None:
        """The running game as last published, or an earlier one of its match; None for any other.

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
            row = self._table.session.find_event(id)
            return None if row is None else self._repeated_receipt(row)

    @property
    def judging(self) -> TimedLock:
        """The table's lock; while it is held, no other command is judged."""
        return self._table.lock

    @property
    def committing(self) -> Activity:
        """The storing of events, for the watchdog; a journal that cannot store reports why, and so finishes."""
        return self._table.committing

    def look_after(self) -> None:
        """Maintain the journal; call it about once a second. Faults become alarms on every display."""
        self._upkeep.look_after()

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

        `base` is the revision that was seen: of the lane for a lane's command, none if it names a line, else of the
            board.
        `game` is the game it is for: the running one, or for a correction an earlier one of its match. `replaces` is
            the
        unfinished game that a start abandons; `epoch` the id of the journal that was seen; `director` whether a
        director asks.

        Raises:
            IdReused: `id` was used before with other content.
            OtherGame: `game` or `replaces` is not the running game.
            BaseMissing: `base` is missing.
            Moved: the state has changed since it was seen.
            RuleError: the rules forbid it.
            NotAllowed: only a director may do it.
            NotStored: the journal could not store it.
        """
        request = _request(wire.command_values(command) | {"game": game, "replaces": replaces})
        table, session = self._table, self._table.session
        with table.lock:
            known = session.find_event(id)
            if known is not None:
                return self._repeat_receipt(known, request)
            command, target = self._resolve(command, game, base, replaces, epoch, table=table, director=director)
            try:
                if pegs_dialled(command):
                    self.keys.peg_dialled(but=self._table.lane_of(command))
                    target = session.running if target.id == session.running.id else target
                event = session.judge(command, target, replaces or "", director=director or table.may_go_on(command))
                table.commit(event, source, target, id, request)
                if isinstance(command, Start):
                    table.waiting = None
                elif isinstance(event, Renamed):
                    table.rename_waiting(target.game)
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
            PegboardError: whatever `handle` would raise.
        """
        with self._table.lock:
            table = snapshot_of(self._table)  # judging a long game is slow, and scores must not wait for it
        session, dialled = table.session, table.dialled
        command, target = self._resolve(command, game, base, replaces, epoch, table=table, director=director)
        ahead = Projection(session.running, session.revision)
        if pegs_dialled(command):
            ahead = self.keys.project_dialled(session, ahead, dialled, table.lane_of(command))
            target = ahead.running if target.id == session.running.id else target
        event = session.judge(command, target, replaces or "", director=director or table.may_go_on(command))
        after = session.project(event, ahead.running, ahead.revision, target)
        if after.running.id != session.running.id or after.running.game.outcome is not None:
            dialled.clear()
        view = table.view_of(after, dialled, None)
        line, note = line_made(event, target.game), remainder_note(event, target.game)
        lost = None if isinstance(event, Started | Abandoned) else loses_win(target.game, apply(target.game, event))
        return Preview(line, view, note, target.id, target.game, after.sheet or after.running.game, lost)

    def _resolve(
        self,
        command: Command,
        game: str | None,
        base: int | None,
        replaces: str | None,
        epoch: str | None,
        *,
        table: LiveTable,
        director: bool,
    ) -> tuple[Command, GameInMatch]:
        """The resolved command and its game, if it is allowed now."""
        target = table.session.game_for(command, game, replaces)
        table.check_base(command, target.game, base, epoch)
        if isinstance(command, Start) and row_of(command).who is Who.DIRECTOR and not director:
            raise NotAllowed("director_match")
        if isinstance(command, Start) and command.house is not None and not director:
            raise NotAllowed("director_house")
        if isinstance(command, Start) and not director:
            table.require_next()
        resolved = table.session.resolve(table.for_waiting_players(command), target)
        return _still_strict(command, resolved, table.game.rules), target

    def _repeat_receipt(self, row: EventRow, request: str) -> Receipt:
        if row.request is None or _request(json.loads(row.request)) != request:
            raise IdReused("id_reused")
        return self._repeated_receipt(row)

    def _repeated_receipt(self, row: EventRow) -> Receipt:
        return Receipt(replayed=True, entry=self._table.session.line_of(row), view=self.view)

    def import_games(self, arrivals: Iterable[ImportedEvent | SkippedGame]) -> ImportReport:
        """Store games that were played at another table, all or none; the running game is unchanged.

        Raises:
            BadImport: they do not fit; nothing was stored.
            NotStored: they could not be stored.
        """
        with self._table.lock, self._table.committing as storing:
            imported = self._journal.import_games(storing.follow(arrivals))
            self._table.publish()
            return imported


def _still_strict(start: Command, resolved: Command, now: Rules) -> Command:
    """Keep a strict table strict if a start chooses no house rules, in any variant: only a director ends that."""
    if now.strict and isinstance(start, Start) and start.house is None and isinstance(resolved, Start):
        return replace(resolved, rules=replace(resolved.rules, strict=True))
    return resolved


def _request(values: dict[str, Any]) -> str:
    """A request in its stored form, to compare with a repeat under the same id."""
    return canonical_json(wire.without_defaults(values))
