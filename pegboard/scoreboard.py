"""The one door: every score is judged, then kept, then shown, under one lock."""

import json
import logging
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from pegboard.core import wire
from pegboard.core.board import Game
from pegboard.core.match import GameInMatch, Setup, next_dealer
from pegboard.core.moves import (
    Abandoned,
    Base,
    Command,
    Confirm,
    Deal,
    Event,
    Score,
    Start,
    Started,
    TakeBack,
    Who,
    row_of,
)
from pegboard.core.referee.decide import apply, decide, loses_win
from pegboard.core.referee.decisions import how_it_ended, join_names, whose
from pegboard.core.referee.effects import line_made, lines_since, remainder_note, with_entries
from pegboard.core.rules import VARIANTS, FirstDeal, Rules
from pegboard.core.view import Brightness, Device, Invitation, View
from pegboard.errors import BaseMissing, GameOver, IdReused, Moved, NotAllowed, NotStored, PegboardError, RuleError
from pegboard.feed import Feed
from pegboard.game_session import (
    GameSession,
    Projection,
    new_id,
)
from pegboard.key_entry import Amount, Dialled
from pegboard.messages import Message
from pegboard.storage.event_row import EventRow, canonical_json
from pegboard.storage.games import History
from pegboard.storage.importing import ImportedEvent, ImportReport, SkippedGame
from pegboard.storage.journal import Journal

__all__ = ["KEYS", "TABLE", "Preview", "Receipt", "Scoreboard"]

KEYS = "button"
"""The source of what is pegged by keys."""

TABLE = "table"
"""The source of what the table does by itself: its first game, or one for players named at its start."""

QUESTION = Message("key_question")
"""Of UNDO that is held."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Receipt:
    """What became of a command.

    Attributes:
        replayed: whether it had been accepted before, and nothing was done now.
        entry: the id of the line it made or changed, or None.
        view: the table now.
        note: what a correction has left as it was, in words, or None.
    """

    replayed: bool
    entry: str | None
    view: View
    note: str | None = None


@dataclass(frozen=True, slots=True)
class Preview:
    """What would become of a command.

    Attributes:
        entry: the id of the line it would make or change, or None.
        view: the table as it would be.
        note: what a correction would leave as it is, in words, or None.
        game: the id of the game it is for.
        before: that game as it is now.
        after: the same as it would be; for a start the new one.
        loses_win: the lane whose win a correction would take away, or None.
    """

    entry: str | None
    view: View
    note: str | None
    game: str
    before: Game
    after: Game
    loses_win: int | None


class Scoreboard:
    """The table: the running game, its match, and what is being dialled.

    Attributes:
        add_house_rules: a variant's rules as this house plays them.
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
    ) -> None:
        """Lay out the running game of `journal`; where there is none, begin one for `setup`.

        `house` gives a variant's rules as this house plays them, `clock` wall time in nanoseconds, `new_id` a fresh
        game id.

        Raises:
            RuleError: the players do not fit the rules.
            NotStored: the first game could not be kept.
        """
        self.add_house_rules = house
        self._table = GameSession(journal, house, clock, new_id)
        self.history = History(journal.folder)
        self._journal = journal
        self._feed = feed
        self._lock = threading.Lock()
        self._waiting: Setup | None = None
        self._notice: Message | None = None
        self._dialled = Dialled()
        self._typed: int | None = None
        self._devices: tuple[Device, ...] = ()
        self._invitation: Invitation | None = None
        self._inviting = False
        self._brightness = Brightness()
        if not self._table.running.id:
            self._start(setup, TABLE)
        self.began = journal.first_event_at()
        self._publish()

    @property
    def view(self) -> View:
        """The newest state of the table."""
        return self._feed.view

    def with_corrected_names(self, setup: Setup) -> Setup:
        """The same, where it names those who play now by a name that was corrected in their match.

        Raises:
            NotStored: the journal does not answer.
        """
        with self._lock:
            return self._table.with_corrected_names(setup)

    def seat(self, setup: Setup) -> bool:
        """Let `setup` play: now, where the game is over and confirmed or nothing is on its sheet, else next.

        Returns whether it is now.

        Raises:
            RuleError: the players do not fit the rules.
            NotStored: the game could not be kept.
        """
        with self._lock:
            decide(self._game, Start(setup.rules, setup.players, format=setup.format))
            if setup == self._table.setup:
                return True
            if self._game.lanes_to_confirm() or (self._game.outcome is None and self._game.entries):
                self._waiting = setup
                return False
            self._start(setup, TABLE)
            self._publish()
            return True

    @property
    def _game(self) -> Game:
        return self._table.game

    def sheet(self, game: str) -> Game | None:
        """The running game or an earlier one of its match, as it stands now; None for any other.

        Raises:
            NotStored: the journal does not answer.
        """
        with self._lock:
            found = self._table.sheet_of(game)
        return None if found is None else found.game

    def knows(self, id: str) -> bool:  # noqa: A002 - the contract's own word
        """Whether a command of that id was accepted before.

        Raises:
            NotStored: the journal does not answer.
        """
        with self._lock:
            return self._table.find_event(id) is not None

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
        director: bool = False,
    ) -> Receipt:
        """Judge `command`, keep it and show it; `id` names the human's tap, so a repeat is answered and not done again.

        `base` is the revision that was seen: of the lane for what is for a lane, none for what names a line, else of
        the board; `game` the game it is for, which is the running one, or for a correction an earlier one of its
        match; `replaces` the unfinished game that a start gives up; `director` whether a director asks.

        Raises:
            IdReused: `id` came before with other content.
            OtherGame: `game`, or `replaces`, is not the running game.
            BaseMissing: `base` is missing.
            Moved: what was seen is no longer so.
            RuleError: the rules forbid it.
            NotAllowed: only a director may.
            NotStored: the journal could not keep it.
        """
        request = _request(wire.command_values(command) | {"game": game, "replaces": replaces})
        table = self._table
        with self._lock:
            known = table.find_event(id)
            if known is not None:
                return self._repeat_receipt(known, request)
            command, sheet = self._resolve(command, game, base, replaces, director=director)
            try:
                if row_of(command).pegs_dialled and command != TakeBack():
                    self._peg_dialled(but=self._lane_of(command))
                    sheet = table.running if sheet.id == table.running.id else sheet
                event = table.judge(command, sheet, replaces or "", director=director)
                self._keep(event, source, sheet, id, request)
                self._waiting = None if isinstance(command, Start) else self._waiting_after(sheet.game)
            finally:
                self._publish()
            return Receipt(False, line_made(event, sheet.game), self.view, remainder_note(event, sheet.game))

    def preview(
        self,
        command: Command,
        *,
        game: str | None = None,
        base: int | None = None,
        replaces: str | None = None,
        director: bool = False,
    ) -> Preview:
        """What `handle` would make of `command`: judged in the same order, but nothing is kept and nothing shown.

        What is dialled stays dialled; the preview has it pegged where the command would peg it.

        Raises:
            PegboardError: whatever `handle` would raise.
        """
        table = self._table
        with self._lock:
            command, sheet = self._resolve(command, game, base, replaces, director=director)
            ahead, dialled = Projection(table.running, table.revision), self._dialled.copy()
            if row_of(command).pegs_dialled and command != TakeBack():
                ahead = self._peg_dialled_first(ahead, dialled, self._lane_of(command))
                sheet = ahead.running if sheet.id == table.running.id else sheet
            event = table.judge(command, sheet, replaces or "", director=director)
            after = table.project(event, ahead.running, ahead.revision, sheet)
            if after.running.id != table.running.id or after.running.game.outcome is not None:
                dialled.clear()
            view = self._view_of(after, dialled, None)
            line, note = line_made(event, sheet.game), remainder_note(event, sheet.game)
            lost = None if isinstance(event, Started | Abandoned) else loses_win(sheet.game, apply(sheet.game, event))
            return Preview(line, view, note, sheet.id, sheet.game, after.sheet or after.running.game, lost)

    def _peg_dialled_first(self, ahead: Projection, dialled: Dialled, but: int | None) -> Projection:
        """The table when other lanes' dialled points are pegged, which leave `dialled`; some lanes ask instead."""
        for lane in dialled.due(but):
            amount, now = dialled[lane], ahead.running
            if _has_moved(amount, lane, now.game) or _wins_by_itself(amount, lane, now.game):
                dialled.ask(lane)
                continue
            event = self._table.judge(Score(amount.points, lane=lane), now)
            ahead = self._table.project(event, now, ahead.revision, now)
            dialled.drop(lane)
            if ahead.running.game.outcome is not None:
                dialled.clear()
        return ahead

    def _resolve(
        self, command: Command, game: str | None, base: int | None, replaces: str | None, *, director: bool
    ) -> tuple[Command, GameInMatch]:
        """What is asked for, and the sheet it is for, when it may be asked now."""
        sheet = self._table.sheet_for(command, game, replaces)
        self._is_up_to_date(command, sheet.game, base)
        if isinstance(command, Start) and row_of(command).who is Who.DIRECTOR and not director:
            raise NotAllowed("director_match")
        if isinstance(command, Start) and command.house is not None and not director:
            raise NotAllowed("director_house")
        return self._table.resolve(self._with_who_waits(command), sheet), sheet

    def _waiting_after(self, before: Game) -> Setup | None:
        """Who waits for the next game; where that is who plays now, under the names that they have now."""
        waiting = self._waiting
        same = waiting is not None and waiting.players == before.players
        return replace(waiting, players=self._game.players) if waiting and same else waiting

    def _with_who_waits(self, command: Command) -> Command:
        """A next game for those who play now is one for those who were named for it, and wait.

        Where it names no other rules than those that are played now, they stay, house rules that were chosen at the
        table too; those who wait bring the house rules of their variant.
        """
        if not isinstance(command, Start) or command.house is not None:
            return command
        now, waiting = self._table.setup, self._waiting
        if command.rules not in (VARIANTS.get(now.rules.variant), now.rules):
            return command
        if waiting is not None and command.players == now.players and command.format is None:
            form = None if waiting.format == now.format else waiting.format
            return Start(waiting.rules, waiting.players, format=form, house=())
        same_variant = waiting is not None and waiting.rules.variant == now.rules.variant
        return replace(command, rules=waiting.rules if waiting and same_variant else now.rules, house=())

    def _repeat_receipt(self, row: EventRow, request: str) -> Receipt:
        if row.request is None or _request(json.loads(row.request)) != request:
            raise IdReused("id_reused")
        return Receipt(replayed=True, entry=self._table.line_of(row), view=self.view)

    def _is_up_to_date(self, command: Command, sheet: Game, base: int | None) -> None:
        if not row_of(command).needs_base(getattr(command, "line", None)):
            return
        lane = self._lane_of(command)
        now = self._table.revision if lane is None else sheet.revisions[lane]
        if base is None:
            seen = "of the board" if lane is None else f"of lane {lane}"
            raise BaseMissing("base_missing", seen=seen, now=now)
        if base != now:
            raise _moved_error(sheet, lane, base)

    def _lane_of(self, command: Command) -> int | None:
        if row_of(command).base is not Base.LANE:
            return None
        by_seat = Score(0, getattr(command, "seat", None))
        return whose(self._game.rules, command if isinstance(command, Score) else by_seat)[1]

    def import_games(self, arrivals: Iterable[ImportedEvent | SkippedGame]) -> ImportReport:
        """Keep games that were played at another table, all or none; the running game goes on as it was.

        Raises:
            BadImport: they do not fit; nothing was kept.
            NotStored: they could not be kept.
        """
        with self._lock:
            brought = self._journal.import_games(arrivals)
            self._publish()
            return brought

    # --- keys: they act on what the panel shows, so they need no base, and a refusal is a notice ---

    def dial(self, lane: int, points: int) -> None:
        """Add `points` to what the lane's keys show; another lane's dialled points peg first."""
        self._press(lambda: self._dial(lane, points))

    def peg(self, lane: int) -> None:
        """Peg what the lane's keys show, if anything."""
        with self._lock:
            if lane in self._dialled and not self._dialled[lane].asking:
                self._noticing(lambda: self._peg(lane))

    def enter(self, lane: int, points: int | None) -> None:
        """Peg `points` that were typed and what the lane's keys show, as one score.

        None is ENTER alone: it pegs what the keys show, answers what they ask, or confirms the result.
        """
        self._press(lambda: self._answer(lane) if points is None else self._enter(lane, points))

    def show_typed(self, points: int | None) -> None:
        """Show an amount that was typed and is no lane's yet.

        None takes it away, and a refusal with it, but answers no question: a new game takes it away first.
        """
        self._press(lambda: self._show_typed(points), answers=points is None)

    def drop(self, lane: int) -> None:
        """Drop what the lane's keys show."""
        with self._lock:
            if lane in self._dialled:
                self._dialled.drop(lane)
                self._publish()

    def undo(self) -> None:
        """Drop what is dialled, else take back the newest line; where that takes a win back, ask first."""
        self._press(self._undo, answers=True)

    def deal(self) -> None:
        """Pass the deal; after a finished game, start the next one."""
        self._press(self._deal)

    def new_game(self) -> None:
        """Give the running game up, if it is unfinished, and start the next one; only ask, where no window asks."""
        self._press(self._new_game, answers=True)

    def ask_new_game(self) -> None:
        """Show the question of the UNDO key."""
        self._press(lambda: self._tell(QUESTION))

    def cancel_new_game(self) -> None:
        """Take the question of the UNDO key away."""
        self.show_notice(None)

    def show_notice(self, notice: Message | None) -> None:
        """Show `notice` in every window until the next command is accepted; None takes it away."""
        with self._lock:
            self._tell(notice)
            self._publish()

    def invite(self) -> None:
        """Show how to join, or hide it when it is shown."""
        with self._lock:
            self._inviting = not self._inviting and self._invitation is not None
            self._ask_no_more()
            if self._invitation is None:
                self._tell(Message("key_no_pages"))
            self._publish()

    # --- what the program says of itself ---

    def invite_to(self, invitation: Invitation | None) -> None:
        """Windows show how one joins while nothing is on the sheet, until a key or a command.

        A later invitation takes the place of the one before, and is shown only where that is.
        """
        with self._lock:
            is_first = self._invitation is None and not self._game.entries
            self._inviting = invitation is not None and (self._inviting or is_first)
            self._invitation = invitation
            self._publish()

    def devices(self, devices: tuple[Device, ...]) -> None:
        """Show how displays and inputs are."""
        with self._lock:
            self._devices = devices
            self._publish()

    def shine(self, brightness: Brightness) -> None:
        """Have the windows shine so brightly."""
        with self._lock:
            self._brightness = brightness
            self._publish()

    def _press(self, act: Callable[[], None], *, answers: bool = False) -> None:
        """Somebody has pressed a key: they have seen the invitation, and one that `answers` no question says no."""
        with self._lock:
            self._inviting = False
            if not answers:
                self._ask_no_more()
            self._noticing(act)

    def _ask_no_more(self) -> None:
        if self._notice in (QUESTION, self._win_question()):
            self._tell(None)

    def _win_question(self) -> Message:
        return Message("key_win", ended=how_it_ended(self._game))

    def _new_game(self) -> None:
        """What was asked may have been answered since by another door, with a score that must not be lost."""
        if self._notice == QUESTION:
            self._start(self._waiting or self._table.setup, KEYS)
        else:
            self._tell(QUESTION)

    def _tell(self, notice: Message | None) -> None:
        self._notice = notice

    def _show_typed(self, points: int | None) -> None:
        self._typed = points
        if self._notice != QUESTION:
            self._tell(None)

    def _undo(self) -> None:
        asked = self._notice
        self._ask_no_more()
        if self._dialled:
            self._dialled.clear()
            self._tell(None)
        elif self._would_lose_win() and asked != self._win_question():
            self._tell(self._win_question())
        else:
            self._key(TakeBack(self._game.newest_standing()))

    def _would_lose_win(self) -> bool:
        """Whether UNDO takes a win back.

        Raises:
            RuleError: UNDO takes nothing back now, or not by a key.
        """
        if self._game.outcome is None:
            return False
        event = self._table.judge(TakeBack(self._game.newest_standing()), self._table.running)
        return loses_win(self._game, apply(self._game, event)) is not None

    def _enter(self, lane: int, points: int) -> None:
        """What the lane's keys ask is answered first, so that it is not confused with what was typed."""
        self._typed = None
        if lane in self._dialled and self._dialled[lane].asking:
            self._answer(lane)
        self._dial(lane, points)
        if lane in self._dialled:
            self._peg_by_hand(lane)

    def _answer(self, lane: int) -> None:
        seen_over = self._game.outcome is not None
        self._peg_dialled(but=lane)
        if lane in self._dialled:
            self._peg_by_hand(lane)
        elif seen_over and lane in self._game.lanes_to_confirm():
            self._key(self._confirmation(lane))

    def _peg_by_hand(self, lane: int) -> None:
        """Peg a lane's dialled points because its player says so: only a lane that has moved unseen is asked about."""
        if _has_moved(self._dialled[lane], lane, self._game) and not self._dialled[lane].asking:
            self._dialled.ask(lane)
        else:
            self._commit_dialled(lane)

    def _dial(self, lane: int, points: int) -> None:
        if lane >= self._game.rules.lanes:
            raise RuleError("key_no_lane", lane=lane)
        seen_over = self._game.outcome is not None
        unsaved = self._try_to_store(lambda: self._peg_dialled(but=lane))
        if lane in self._dialled and self._dialled[lane].asking:
            self._commit_dialled(lane)
            return
        if seen_over and lane in self._game.lanes_to_confirm():
            self._key(self._confirmation(lane))
            return
        if self._game.lanes_to_confirm():
            names = join_names([self._game.lane_name(other) for other in self._game.lanes_to_confirm()])
            raise GameOver("key_confirm", ended=how_it_ended(self._game), names=names)
        if self._game.outcome is not None:
            raise GameOver("key_next", ended=how_it_ended(self._game))
        self._dialled.add(lane, points, self._game.revisions[lane])
        if unsaved:
            raise unsaved

    @staticmethod
    def _try_to_store(act: Callable[[], None]) -> NotStored | None:
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

    def _confirmation(self, lane: int) -> Confirm:
        """Any key of a lane confirms the result that the panel shows."""
        game = self._game
        winner = None if game.outcome is None else game.outcome.winner
        seat = next(seat for seat in range(game.rules.seats) if game.rules.lane_of(seat) == lane)
        return Confirm(seat, winner, tuple(pegs.front for pegs in game.lanes))

    def _peg(self, lane: int) -> None:
        """Peg a lane's dialled points; ask where another door has moved the lane, or the winner must peg out."""
        amount = self._dialled[lane]
        if _has_moved(amount, lane, self._game) or _wins_by_itself(amount, lane, self._game):
            self._dialled.ask(lane)
        else:
            self._commit_dialled(lane)

    def _commit_dialled(self, lane: int) -> None:
        self._key(Score(self._dialled[lane].points, lane=lane))
        if lane in self._dialled:
            self._dialled.drop(lane)

    def _deal(self) -> None:
        """A DEAL pressed before a dialled amount won does not clear the finished game off the table."""
        was_over = self._game.outcome is not None
        self._peg_dialled()
        if was_over:
            self._start(self._waiting or self._table.setup, KEYS)
        else:
            self._key(Deal())

    def _key(self, command: Command) -> None:
        now = self._table.running
        self._keep(self._table.judge(command, now), KEYS, now)

    def _noticing(self, act: Callable[[], None]) -> None:
        """Do what a key asks; a refusal becomes the notice."""
        try:
            act()
        except PegboardError as refusal:
            log.info("refused: %s", refusal)
            self._notice = refusal.message
        self._publish()

    # --- judged, then durable, then seen ---

    def _start(self, setup: Setup, source: str) -> None:
        table = self._table
        unfinished = "" if self._game.outcome else table.running.id
        goes_on = table.running.id and setup.format == table.setup.format
        house = () if table.running.id and setup.rules == self._game.rules else None
        asked = Start(setup.rules, setup.players, format=None if goes_on else setup.format, house=house)
        event = table.judge(table.resolve(asked, table.running), table.running, unfinished)
        self._keep(event, source, table.running)
        self._waiting = None

    def _keep(
        self, event: Event, source: str, sheet: GameInMatch, command_id: str | None = None, request: str | None = None
    ) -> None:
        """Store the event and have on the table what it makes; dialled amounts die with their game, or its end."""
        before = self._table.running.id
        try:
            self._table.commit(event, source, sheet, command_id, request)
        except NotStored as error:
            self._notice = error.message
            raise
        if self._table.running.id != before or self._game.outcome is not None:
            self._dialled.clear()
        self._notice = None
        self._inviting = False

    def _publish(self) -> None:
        """Show the table, where anything about it has changed."""
        now = Projection(self._table.running, self._table.revision)
        view = self._view_of(now, self._dialled, self._notice, self._invitation if self._inviting else None)
        if view != self.view:
            self._feed.publish(view)

    def _view_of(
        self, now: Projection, dialled: Dialled, notice: Message | None, invitation: Invitation | None = None
    ) -> View:
        running, game = now.running, now.running.game
        return View(
            game,
            running.standing,
            dialled.points_by_lane(game.rules.lanes),
            notice or _typed_notice(self._typed) or dialled.question(game),
            running.id,
            self._table.epoch,
            now.revision,
            None if game.outcome is None or game.rules.first_deal == FirstDeal.CUT else next_dealer(game),
            running.match,
            self._devices,
            invitation,
            self._brightness,
        )


def _request(values: dict[str, Any]) -> str:
    """What was asked, as it is stored, and compared with what is asked again under the same id."""
    return canonical_json(wire.without_defaults(values))


def _has_moved(amount: Amount, lane: int, game: Game) -> bool:
    """Whether another door has moved the lane since its dialling began."""
    return amount.base != game.revisions[lane]


def _wins_by_itself(amount: Amount, lane: int, game: Game) -> bool:
    """Whether dialled points would peg out without a press of the winner, where the rules ask for it."""
    return game.rules.peg_out and game.lanes[lane].front + amount.points >= game.rules.game_hole


def _typed_notice(points: int | None) -> Message | None:
    return None if points is None else Message("key_typed", points=points)


def _moved_error(sheet: Game, lane: int | None, base: int) -> Moved:
    message = Message("moved_board")
    if lane is not None:
        message = sheet.message_on(lane, "moved_lane", "moved_lanes", hole=sheet.lanes[lane].front)
    return with_entries(Moved(message, lines_since(sheet, lane, base)), sheet)
