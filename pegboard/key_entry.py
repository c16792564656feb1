"""What the keys do: they act on what the panel shows, so they need no base, and a refusal is a notice."""

import logging
from collections.abc import Callable
from functools import partial

from pegboard.core.moves import Command, Confirm, Deal, Score, TakeBack, row_of
from pegboard.core.referee import apply, loses_win
from pegboard.core.sentences import how_it_ended, join_names
from pegboard.dialled_amounts import Dialled
from pegboard.errors import GameOver, NotStored, PegboardError, RuleError
from pegboard.game_session import GameSession, Projection
from pegboard.held_keys.event_keys import EventKeys
from pegboard.live_table import KeyQuestion
from pegboard.messages import Message

KEYS = "button"
"""The source of what is pegged by keys."""

log = logging.getLogger(__name__)


class KeyEntry(EventKeys):
    """The keys of a table: its points are dialled lane by lane, and pegged together."""

    def dial(self, lane: int, points: int) -> None:
        """Add `points` to what the lane's keys show; another lane's dialled points peg first."""
        self._press(lambda: self._dial(lane, points), in_code=lambda: self.count_code_up(points))

    def peg(self, lane: int) -> None:
        """Peg what the lane's keys show, if anything."""
        with self._table.lock:
            if lane in self._table.dialled and not self._table.dialled[lane].asking:
                self._try(lambda: self._peg(lane))

    def enter(self, lane: int, points: int | None) -> None:
        """Peg `points` that were typed and what the lane's keys show, as one score.

        None is ENTER alone: it pegs what the keys show, answers what they ask, or confirms the result.
        """
        enter = self._answer if points is None else partial(self._enter, points=points)
        self._press(lambda: enter(lane), in_code=self.go_on_in_code)

    def show_typed(self, points: int | None) -> None:
        """Show an amount that was typed and is no lane's yet.

        None takes it away, and a refusal with it, but answers no question: a new game takes it away first.
        """
        self._press(lambda: self._show_typed(points), answers=points is None)

    def drop(self, lane: int) -> None:
        """Drop what the lane's keys show."""
        with self._table.lock:
            if lane in self._table.dialled:
                del self._table.dialled[lane]
                self._table.publish()

    def undo(self) -> None:
        """Drop what is dialled, else take back the newest line; where that takes a win back, ask first."""
        self._press(self._undo, answers=True, in_code=self.go_back_in_code)

    def deal(self) -> None:
        """Pass the deal; after a finished game, start the next one."""
        self._press(self._deal, in_code=self.go_on_in_code)

    def new_game(self) -> None:
        """Give the running game up, if it is unfinished, and start the next one; only ask, where no display asks."""
        self._press(self._new_game, answers=True)

    def ask_new_game(self) -> None:
        """Show the question of the UNDO key."""
        self._press(self._ask_new_game)

    def is_asking_new_game(self) -> bool:
        """Whether the question of the UNDO key still stands: no command and no other notice has replaced it."""
        with self._table.lock:
            return self._table.question is KeyQuestion.NEW_GAME

    def cancel_new_game(self) -> None:
        """Take the question of the UNDO key away; any other notice stays."""
        with self._table.lock:
            if self._table.question is KeyQuestion.NEW_GAME:
                self._table.set_notice(None)
                self._table.publish()

    def show_notice(self, notice: Message | None) -> None:
        """Show `notice` on every display until the next command is accepted; None takes it away."""
        with self._table.lock:
            self._table.set_notice(notice)
            self._table.publish()

    # --- for whoever holds the lock of the table ---

    def peg_dialled(self, but: int | None = None) -> None:
        """Peg what other lanes have dialled: their presses came earlier.

        Raises:
            PegboardError: the rules do not allow it, or it could not be stored; it stays dialled.
        """
        for lane in self._table.dialled.due(but):
            self._peg(lane)

    @staticmethod
    def project_dialled(session: GameSession, ahead: Projection, dialled: Dialled, but: int | None) -> Projection:
        """The table when other lanes' dialled points are pegged, which leave `dialled`; some lanes ask instead.

        Raises:
            RuleError: the rules do not allow it.
            NotStored: the journal does not answer.
        """
        for lane in dialled.due(but):
            amount, now = dialled[lane], ahead.running
            if amount.has_moved(lane, now.game) or amount.wins_by_itself(lane, now.game):
                dialled.ask(lane)
                continue
            event = session.judge(Score(amount.points, lane=lane), now)
            ahead = session.project(event, now, ahead.revision, now)
            del dialled[lane]
            if ahead.running.game.outcome is not None:
                dialled.clear()
        return ahead

    # --- one press ---

    def _press(
        self, act: Callable[[], None], *, answers: bool = False, in_code: Callable[[], None] | None = None
    ) -> None:
        """Somebody has pressed a key: they have seen the invitation, and one that `answers` no question says no.

        While the code of an event is typed, the key does what `in_code` says.
        """
        with self._table.lock:
            self._table.inviting = False
            if in_code is not None and self.is_typing_code():
                in_code()
                return
            if not answers:
                self._drop_questions()
            self._try(act)

    def _try(self, act: Callable[[], None]) -> None:
        """Do what a key asks; a refusal becomes the notice."""
        try:
            act()
        except PegboardError as refusal:
            log.info("refused: %s", refusal)
            self._table.set_notice(refusal.message)
        self._table.publish()

    def _ask_new_game(self) -> None:
        self._table.set_notice(Message("key_question"), KeyQuestion.NEW_GAME)

    def _new_game(self) -> None:
        """What was asked may have been answered since by another input, with a score that must not be lost."""
        if self._table.question is KeyQuestion.NEW_GAME:
            self._table.start_next(KEYS)
        else:
            self._ask_new_game()

    def _show_typed(self, points: int | None) -> None:
        self._table.typed = points
        if self._table.question is not KeyQuestion.NEW_GAME:
            self._table.set_notice(None)

    def _undo(self) -> None:
        question = self._table.question
        if question is KeyQuestion.EVENT_HUB:
            self.answer_hub(yes=False)
            return
        self._drop_questions()
        if question is KeyQuestion.DISMISS_ALARM:  # UNDO says no to it, and takes back nothing else
            return
        if self._table.dialled:
            self._table.dialled.clear()
            self._table.set_notice(None)
        elif self._would_lose_win() and question is not KeyQuestion.TAKE_WIN_BACK:
            asks = Message("key_win", ended=how_it_ended(self._table.game))
            self._table.set_notice(asks, KeyQuestion.TAKE_WIN_BACK)
        else:
            self._key(TakeBack(self._table.game.newest_standing()))

    def _would_lose_win(self) -> bool:
        """Whether UNDO takes a win back.

        Raises:
            RuleError: UNDO takes nothing back now, or not by a key.
        """
        if self._table.game.outcome is None:
            return False
        event = self._table.session.judge(TakeBack(self._table.game.newest_standing()), self._table.session.running)
        return loses_win(self._table.game, apply(self._table.game, event)) is not None

    def _enter(self, lane: int, points: int) -> None:
        """What the lane's keys ask is answered first, so that it is not confused with what was typed."""
        self._table.typed = None
        if lane in self._table.dialled and self._table.dialled[lane].asking:
            self._answer(lane)
        self._dial(lane, points)
        if lane in self._table.dialled:
            self._peg_by_hand(lane)

    def _answer(self, lane: int) -> None:
        seen_over = self._table.game.outcome is not None
        self.peg_dialled(but=lane)
        if lane in self._table.dialled:
            self._peg_by_hand(lane)
        elif seen_over and lane in self._table.lanes_to_confirm:
            self._key(self._confirmation(lane))

    def _peg_by_hand(self, lane: int) -> None:
        """Peg a lane's dialled points because its player says so: only a lane that has moved unseen is asked about."""
        if self._table.dialled[lane].has_moved(lane, self._table.game) and not self._table.dialled[lane].asking:
            self._table.dialled.ask(lane)
        else:
            self._commit_dialled(lane)

    def _dial(self, lane: int, points: int) -> None:
        if lane >= self._table.game.rules.lanes:
            raise RuleError("key_no_lane", lane=lane)
        seen_over = self._table.game.outcome is not None
        unsaved: NotStored | None = None
        try:
            self.peg_dialled(but=lane)
        except NotStored as error:  # that stays dialled, and this press still counts
            unsaved = error
        if lane in self._table.dialled and self._table.dialled[lane].asking:
            self._commit_dialled(lane)
            return
        if seen_over and lane in self._table.lanes_to_confirm:
            self._key(self._confirmation(lane))
            return
        if self._table.lanes_to_confirm:
            names = join_names([self._table.game.lane_name(other) for other in self._table.lanes_to_confirm])
            raise GameOver("key_confirm", ended=how_it_ended(self._table.game), names=names)
        if self._table.game.outcome is not None:
            raise GameOver("key_next", ended=how_it_ended(self._table.game))
        self._table.dialled.add(lane, points, self._table.game.revisions[lane])
        if unsaved:
            raise unsaved

    def _confirmation(self, lane: int) -> Confirm:
        """Any key of a lane confirms the result that the panel shows."""
        game = self._table.game
        winner = None if game.outcome is None else game.outcome.winner
        seat = next(seat for seat in range(game.rules.seats) if game.rules.lane_of(seat) == lane)
        return Confirm(seat, winner, tuple(pegs.front for pegs in game.lanes))

    def _peg(self, lane: int) -> None:
        """Peg a lane's dialled points; ask where another input has moved the lane, or the winner must peg out."""
        amount = self._table.dialled[lane]
        if amount.has_moved(lane, self._table.game) or amount.wins_by_itself(lane, self._table.game):
            self._table.dialled.ask(lane)
        else:
            self._commit_dialled(lane)

    def _commit_dialled(self, lane: int) -> None:
        self._key(Score(self._table.dialled[lane].points, lane=lane))
        self._table.dialled.pop(lane, None)

    def _deal(self) -> None:
        """A DEAL pressed before a dialled amount won does not clear the finished game off the table."""
        was_over = self._table.game.outcome is not None
        self.peg_dialled()
        if was_over:
            self._table.start_next(KEYS)
        else:
            self._key(Deal())

    def _key(self, command: Command) -> None:
        now = self._table.session.running
        self._table.commit(self._table.session.judge(command, now), KEYS, now)


def pegs_dialled(command: Command) -> bool:
    """Whether what other lanes' keys show pegs before `command`, which is resolved.

    `TakeBack()` is then UNDO with no line standing: what pegs before it would be a line that nobody meant to take back.
    """
    return row_of(command).pegs_dialled and command != TakeBack()
