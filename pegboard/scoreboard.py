"""The one door: every score is judged, then kept, then shown, under one lock."""

import logging
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from pegboard.core import wire
from pegboard.core.board import Game, Mark
from pegboard.core.match import Match, next_dealer, result
from pegboard.core.moves import (
    Abandoned,
    Command,
    Deal,
    Event,
    Restore,
    Score,
    Start,
    Started,
    TakeBack,
)
from pegboard.core.referee import apply, decide, how_it_ended, whose
from pegboard.core.rules import Rules
from pegboard.core.view import View
from pegboard.dialled import Dialled
from pegboard.errors import BaseMissing, GameOver, IdReused, Moved, NotStored, OtherGame, PegboardError, RuleError
from pegboard.feed import Feed
from pegboard.journal import Journal, Row, canonical, fold

KEYS = "button"
"""The source of what is pegged by keys."""

TABLE = "table"
"""The source of what the table does by itself: its first game, or one for players named at its start."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Setup:
    """Who plays what in the next game."""

    rules: Rules
    players: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Receipt:
    """What became of a command.

    Attributes:
        replayed: whether it had been accepted before, and nothing was done now.
        entry: the id of the line it made or changed, or None.
        view: the table now.
    """

    replayed: bool
    entry: str | None
    view: View


@dataclass(frozen=True, slots=True)
class Running:
    """The game on the table: its id, its match, and how that match stood before it."""

    id: str
    game: Game
    match: str
    before: Match


class Scoreboard:
    """The table: the running game, its match, and what is being dialled."""

    def __init__(
        self,
        journal: Journal,
        feed: Feed,
        setup: Setup,
        *,
        clock: Callable[[], int] = time.time_ns,
        new_id: Callable[[], str] = lambda: secrets.token_hex(6),
    ) -> None:
        """Lay out the running game of `journal`; where there is none, begin one for `setup`.

        `clock` gives wall time in nanoseconds, `new_id` a fresh game id.

        Raises:
            RuleError: the players do not fit the rules.
            NotStored: the first game could not be kept.
        """
        self._journal, self._feed, self._clock, self._new_id = journal, feed, clock, new_id
        self._lock = threading.Lock()
        self._waiting: Setup | None = None
        self._notice: str | None = None
        self._dialled = Dialled()
        known = journal.running()
        self._running = Running("", Game(), "", Match()) if known is None else self._from_journal(known)
        if known is None:
            self._start(setup, TABLE)
        self._publish()

    @property
    def view(self) -> View:
        """The newest state of the table."""
        return self._feed.view

    def seat(self, setup: Setup) -> bool:
        """Let `setup` play: now, where the game is over or nothing is on its sheet, else next; whether it is now.

        Raises:
            RuleError: the players do not fit the rules.
            NotStored: the game could not be kept.
        """
        with self._lock:
            decide(self._game, Start(setup.rules, setup.players))
            if setup == self._setup:
                return True
            if self._game.outcome is None and self._game.entries:
                self._waiting = setup
                return False
            self._start(setup, TABLE)
            self._publish()
            return True

    @property
    def _game(self) -> Game:
        return self._running.game

    @property
    def _setup(self) -> Setup:
        return Setup(self._game.rules, self._game.players)

    def alive(self, patience_s: float) -> bool:
        """Whether a command would be judged within `patience_s` seconds.

        A disk that is full is no reason to start again: every window says so.
        """
        if not self._lock.acquire(timeout=patience_s):
            return False
        self._lock.release()
        return True

    # --- commands of the web, the terminal and programs ---

    def handle(
        self,
        command: Command,
        *,
        source: str,
        id: str,  # noqa: A002 - the contract's own word
        game: str | None = None,
        base: int | None = None,
        replaces: str | None = None,
    ) -> Receipt:
        """Judge `command`, keep it and show it; `id` names the human's tap, so a repeat is answered and not done again.

        `base` is the revision of the lane (of the board for start, deal and an undo or redo that names no line) that
        was seen; `game` the game it is for; `replaces` the unfinished game that a start gives up.

        Raises:
            IdReused: `id` came before with other content.
            OtherGame: `game`, or `replaces`, is not the running game.
            BaseMissing: `base` is missing.
            Moved: the lane, or the board, is no longer at `base`.
            RuleError: the rules forbid it.
            NotStored: the journal could not keep it.
        """
        request = canonical(wire.command_values(command) | {"game": game, "replaces": replaces})
        with self._lock:
            known = self._journal.find(id)
            if known is not None:
                return self._repeated(known, request)
            self._is_for_this_game(command, game, replaces)
            self._is_up_to_date(command, base)
            command = self._with_its_line(command)
            try:
                if not isinstance(command, Start) and command != TakeBack():
                    self._peg_dialled(but=self._lane_of(command))
                event = self._judge(command, replaces or "")
                self._keep(event, source, id, request)
            finally:
                self._publish()
            return Receipt(replayed=False, entry=self._entry_of(event), view=self.view)

    def _repeated(self, row: Row, request: str) -> Receipt:
        if row.request != request:
            raise IdReused("this id came with other content before; a new tap takes a new id")
        line = self._journal.line_of(row)
        return Receipt(replayed=True, entry=None if line is None else wire.line_id(line), view=self.view)

    def _is_for_this_game(self, command: Command, game: str | None, replaces: str | None) -> None:
        if isinstance(command, Start):
            self._may_start(game, replaces)
        elif game is None:
            raise RuleError("a command names the `game` it is for; the state tells its id")
        elif game != self._running.id:
            raise OtherGame(f"game {game} is not the running one; that is {self._running.id}")

    def _may_start(self, game: str | None, replaces: str | None) -> None:
        if game not in (None, self._running.id):
            raise OtherGame(f"game {game} is not the running one; that is {self._running.id}")
        unfinished = self._running.id if self._game.outcome is None else None
        if replaces != unfinished:
            wanted = f"name it in `replaces` to give it up: {unfinished}" if unfinished else "`replaces` stays empty"
            state = "is not finished" if unfinished else "is over"
            raise OtherGame(f"the running game {state}; {wanted}")

    def _is_up_to_date(self, command: Command, base: int | None) -> None:
        if isinstance(command, TakeBack | Restore) and command.line is not None:
            return
        lane = self._lane_of(command)
        now = self._journal.last_id if lane is None else self._game.revisions[lane]
        if base is None:
            seen = "of the board" if lane is None else f"of lane {lane}"
            raise BaseMissing(f"`base` is missing: the revision {seen} that was seen (it is {now})")
        if base != now:
            raise Moved(self._how_it_moved(lane), self._entries_since(lane, base))

    def _how_it_moved(self, lane: int | None) -> str:
        if lane is None:
            return "the board has moved since; look again"
        return f"{self._game.called(lane)} is already at {self._game.lanes[lane].front}; look again before adding more"

    def _entries_since(self, lane: int | None, base: int) -> list[wire.Json]:
        """The lines made or changed since `base`, which counts a lane's events or is the number of the board's last."""
        made = [
            (mark.event, line)
            for line, entry in enumerate(self._game.entries, 1)
            for mark in (entry.mark, *entry.history)
            if lane is None or getattr(entry.event, "lane", None) == lane
        ]
        if lane is None:
            lines = {line for event, line in made if event > base}
        else:
            missed = max(0, self._game.revisions[lane] - base)
            lines = {line for _, line in sorted(made, reverse=True)[:missed]}
        return [wire.entry_state(self._game, line) for line in sorted(lines, reverse=True)[: wire.NEWEST_SHOWN]]

    def _with_its_line(self, command: Command) -> Command:
        """An undo or redo that names no line, with the line it means now, before anything dialled pegs."""
        match command:
            case TakeBack(None):
                return TakeBack(self._game.newest_standing())
            case Restore(None) if self._game.undone:
                return Restore(self._game.undone[-1])
        return command

    def _lane_of(self, command: Command) -> int | None:
        return whose(self._game.rules, command)[1] if isinstance(command, Score) else None

    # --- keys: they act on what the panel shows, so they need no base, and a refusal is a notice ---

    def dial(self, lane: int, points: int) -> None:
        """Add `points` to what the lane's keys show; another lane's dialled points peg first."""
        with self._lock:
            self._noticing(lambda: self._dial(lane, points))

    def peg(self, lane: int) -> None:
        """Peg what the lane's keys show, if anything."""
        with self._lock:
            if lane in self._dialled and not self._dialled[lane].asking:
                self._noticing(lambda: self._peg(lane))

    def undo(self) -> None:
        """Drop what is dialled, else take back the newest line."""
        with self._lock:
            if self._dialled:
                self._dialled.clear()
                self._notice = None
                self._publish()
            else:
                self._noticing(lambda: self._key(TakeBack(self._game.newest_standing())))

    def deal(self) -> None:
        """Pass the deal; after a finished game, start the next one."""
        with self._lock:
            self._noticing(self._deal)

    def new_game(self) -> None:
        """Give the running game up, if it is unfinished, and start the next one."""
        with self._lock:
            self._noticing(lambda: self._start(self._waiting or self._setup, KEYS))

    def ask_new_game(self) -> None:
        """Show the question of the UNDO key."""
        self.trouble("New game? Hold UNDO again; any other key keeps this one")

    def cancel_new_game(self) -> None:
        """Take the question of the UNDO key away."""
        self.trouble(None)

    def trouble(self, sentence: str | None) -> None:
        """Show `sentence` in every window until the next command is accepted; None takes it away."""
        with self._lock:
            self._notice = sentence
            self._publish()

    def _dial(self, lane: int, points: int) -> None:
        if lane >= self._game.rules.lanes:
            raise RuleError(f"there is no lane {lane} on this board")
        unsaved = self._unsaved(lambda: self._peg_dialled(but=lane))
        if lane in self._dialled and self._dialled[lane].asking:
            self._commit_dialled(lane)
            return
        if self._game.outcome is not None:
            raise GameOver(f"{how_it_ended(self._game)}: DEAL starts the next game, UNDO takes back")
        self._dialled.add(lane, points, self._game.revisions[lane])
        if unsaved:
            raise unsaved

    @staticmethod
    def _unsaved(act: Callable[[], None]) -> NotStored | None:
        """Do `act`; what could not be stored stays dialled, and the press that came with it still counts."""
        try:
            act()
        except NotStored as error:
            return error
        return None

    def _peg_dialled(self, but: int | None = None) -> None:
        """Peg what other lanes have dialled: their presses came earlier."""
        for lane in self._dialled.due(but):
            self._peg(lane)

    def _peg(self, lane: int) -> None:
        """Peg a lane's dialled points, or ask where the lane was moved by another door meanwhile."""
        if self._dialled[lane].base == self._game.revisions[lane]:
            self._commit_dialled(lane)
        else:
            self._dialled.ask(lane)

    def _commit_dialled(self, lane: int) -> None:
        event = decide(self._game, Score(self._dialled[lane].points, lane=lane))
        self._keep(event, KEYS)
        if lane in self._dialled:
            self._dialled.drop(lane)

    def _deal(self) -> None:
        """A DEAL pressed before a dialled amount won does not clear the finished game off the table."""
        was_over = self._game.outcome is not None
        self._peg_dialled()
        if was_over:
            self._start(self._waiting or self._setup, KEYS)
        else:
            self._key(Deal())

    def _key(self, command: Command) -> None:
        self._keep(self._judge(command, ""), KEYS)

    def _noticing(self, act: Callable[[], None]) -> None:
        """Do what a key asks; a refusal becomes the notice."""
        try:
            act()
        except PegboardError as refusal:
            log.info("refused: %s", refusal)
            self._notice = str(refusal)
        self._publish()

    # --- judged, then durable, then seen ---

    def _judge(self, command: Command, replaces: str) -> Event:
        if command == TakeBack() and not self._game.entries and self._journal.before(self._running.id) is not None:
            return Abandoned()
        event = decide(self._game, command)
        if isinstance(event, Started):
            return self._as_next(event, self._dealer_for(command), replaces)
        return event

    def _dealer_for(self, command: Command) -> int:
        """The dealer that a start names, else the policy's, else the first seat."""
        if isinstance(command, Start) and command.dealer is not None:
            return command.dealer
        same_table = isinstance(command, Start) and command.rules.seats == self._game.rules.seats
        return next_dealer(self._game) if self._running.id and same_table else 0

    def _as_next(self, event: Started, dealer: int, replaces: str) -> Started:
        goes_on = self._running.id and (event.players, event.rules) == (self._game.players, self._game.rules)
        return replace(event, dealer=dealer, match=self._running.match if goes_on else "", replaces=replaces)

    def _start(self, setup: Setup, source: str) -> None:
        unfinished = self._running.id if self._game.outcome is None else ""
        self._keep(self._judge(Start(setup.rules, setup.players), unfinished), source)

    def _keep(self, event: Event, source: str, command_id: str | None = None, request: str | None = None) -> None:
        """Store the event, then put on the table what it makes; a failure leaves everything as it was."""
        at, game = self._clock(), self._running.id
        if isinstance(event, Started):
            game = self._new_id()
            event = replace(event, match=event.match or game)
        try:
            after = self._after(event, game, Mark(self._journal.last_id + 1, source, at))
            won = None if isinstance(event, Abandoned) else result(after.game)
            self._journal.append(
                event, game=game, at=at, source=source, result=won, command_id=command_id, request=request
            )
        except NotStored as error:
            self._notice = str(error)
            raise
        self._put(after)
        self._notice = None
        if isinstance(event, Started):
            self._waiting = None

    def _after(self, event: Event, id: str, mark: Mark) -> Running:  # noqa: A002 - as everywhere here
        """What the table shows after the event; all that must be read is read before anything is kept."""
        now = self._running
        match event:
            case Started():
                standing = now.before.plus(result(now.game))
                before = standing if event.match == now.match else Match.empty(event.rules.lanes)
                return Running(id, apply(Game(), event, mark), event.match, before)
            case Abandoned():
                return self._from_journal(self._journal.before(id) or id)
        return replace(now, game=apply(now.game, event, mark))

    def _from_journal(self, game: str) -> Running:
        sheet = fold(self._journal.rows(game))
        match, before = self._journal.match_before(game, sheet.rules.lanes)
        return Running(game, sheet, match, before)

    def _put(self, running: Running) -> None:
        """Put a game on the table; dialled amounts die with the one before, or with its end."""
        if running.id != self._running.id or running.game.outcome is not None:
            self._dialled.clear()
        self._running = running

    def _publish(self) -> None:
        """Show the table, where anything about it has changed."""
        game = self._game
        view = View(
            game,
            self._running.before.plus(result(game)),
            self._dialled.shown(game.rules.lanes),
            self._notice or self._dialled.question(game),
            self._running.id,
            self._journal.epoch,
            self._journal.last_id,
            None if game.outcome is None else next_dealer(game),
        )
        if view != self.view:
            self._feed.publish(view)

    def _entry_of(self, event: Event) -> str | None:
        if isinstance(event, Started | Abandoned):
            return None
        return wire.line_id(getattr(event, "line", len(self._game.entries)))
