"""Key input of a table: pending points, UNDO, DEAL, new game, shutdown, alarms, calls, event codes, and questions.

Keys act on the state that the panel shows, so they need no base revision; a refusal becomes a notice.
"""

import logging
from collections.abc import Callable
from functools import partial
from typing import Protocol

from pegboard.core.moves import Command, Confirm, Deal, Score, TakeBack, row_of
from pegboard.core.referee import apply, loses_win
from pegboard.core.sentences import how_it_ended, join_names, lane_without_keys
from pegboard.core.view import Alarm, CallFor
from pegboard.devices.power_and_clock import PowerSwitch
from pegboard.errors import GameOver, NotStored, PegboardError, RuleError
from pegboard.messages import Message
from pegboard.table.dialled import KeyQuestion
from pegboard.table.joining import TypedCode
from pegboard.table.table import Projection, Table

KEYS = "button"
"""The source of scores pegged by keys."""

EVENT_KEYS = "keys"
"""The `by` value for joining by keys."""

CALLED: tuple[CallFor, ...] = ("judge", "director")
"""The officials called by two and by three taps of DEAL; four taps call nobody, and further taps start over."""

CALL_KEYS = {
    ("judge", False): "event_key_judge",
    ("judge", True): "event_key_judge_end",
    ("director", False): "event_key_director",
    ("director", True): "event_key_director_end",
}
"""The notice for a call, by whether it is already open."""


class EventControls(Protocol):
    """The table's event as keys see it; no method blocks or raises."""

    @property
    def is_by_keys(self) -> bool:
        """Whether the event was joined by keys, so that keys may make the table leave it."""

    def join(self, text: str, by: str = "") -> None:
        """Start joining the event of a code; the outcome becomes a notice."""

    def answer_question(self, address: str, *, yes: bool) -> None:
        """Answer whether to join that address."""

    def leave(self) -> None:
        """Leave the event."""

    def toggle_call(self, kind: CallFor) -> None:
        """Make a call, or cancel it."""


log = logging.getLogger(__name__)


class KeyEntry:
    """The keys of a table: points are keyed in lane by lane, and the points of each lane are pegged as one score.

    Attributes:
        power: the power switch of this machine.
        event_controls: the table's event; None without events.
    """

    def __init__(self, table: Table, power: PowerSwitch) -> None:
        self._table, self.power = table, power
        self.event_controls: EventControls | None = None
        self._code = TypedCode()

    def dial(self, lane: int, points: int) -> None:
        """Add `points` to a lane's pending amount; other lanes' pending points are pegged first."""
        self._press(lambda: self._dial(lane, points), in_code=lambda: self._count_code_up(points))

    def peg(self, lane: int) -> None:
        """Peg a lane's pending points, if any."""
        with self._table.lock:
            if lane in self._table.dialled and not self._table.dialled.is_asking(lane):
                self._try(lambda: self._peg(lane))

    def enter(self, lane: int, points: int | None) -> None:
        """Peg typed `points` and the lane's pending points as one score.

        None means ENTER alone: it pegs the pending points, answers the keys' question, or confirms the result.
        """
        enter = self._answer if points is None else partial(self._enter, points=points)
        self._press(lambda: enter(lane), in_code=self._go_on_in_code)

    def show_typed(self, points: int | None) -> None:
        """Show an amount that was typed but not assigned to a lane.

        None removes the amount and any notice, except the question about a new game, because the key that answers it
        removes the amount first.
        """
        self._press(lambda: self._show_typed(points), answers=points is None)

    def drop(self, lane: int) -> None:
        """Drop a lane's pending points."""
        with self._table.changing():
            if lane in self._table.dialled:
                del self._table.dialled[lane]

    def undo(self) -> None:
        """Drop pending points, else undo the newest line; if that undoes a win, ask first."""
        self._press(self._undo, answers=True, in_code=self._go_back_in_code)

    def deal(self) -> None:
        """Pass the deal; after a finished game, start the next one."""
        self._press(self._deal, in_code=self._go_on_in_code)

    def new_game(self) -> None:
        """Abandon an unfinished game and start the next one; if the question about that is not shown yet, only ask."""
        self._press(self._new_game, answers=True)

    def ask_new_game(self) -> None:
        """Ask whether to start a new game, after UNDO was held."""
        self._press(self._ask_new_game)

    def is_asking_new_game(self) -> bool:
        """Whether the question about a new game is still shown: no command and no other notice has replaced it."""
        with self._table.lock:
            return self._table.question is KeyQuestion.NEW_GAME

    def cancel_new_game(self) -> None:
        """Remove the question about a new game; any other notice stays."""
        with self._table.changing():
            if self._table.question is KeyQuestion.NEW_GAME:
                self._table.set_notice(None)

    def show_notice(self, notice: Message | None) -> None:
        """Show `notice` on every display until the next command is accepted; None removes it."""
        with self._table.changing():
            self._table.set_notice(notice)

    def peg_dialled(self, but: int | None = None) -> None:
        """Peg the pending points of all lanes except `but`, because they were keyed in earlier.

        Raises:
            PegboardError: the rules do not allow it, or it could not be stored; the points stay pending.
        """
        for lane in self._table.dialled.due(but):
            self._peg(lane)

    # --- one press ---

    def _press(
        self, act: Callable[[], None], *, answers: bool = False, in_code: Callable[[], None] | None = None
    ) -> None:
        """Handle a key press: hide the invitation, drop an open question unless the key `answers` it, and `act`.

        While an event's code is typed, call `in_code` instead.
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
        """Run a key's action; a refusal becomes the notice."""
        try:
            act()
        except PegboardError as refusal:
            log.info("refused: %s", refusal)
            self._table.set_notice(refusal.message)
        self._table.publish()

    def _ask_new_game(self) -> None:
        self._table.set_notice(Message("key_question"), KeyQuestion.NEW_GAME)

    def _new_game(self) -> None:
        """Check the question again: another input may have replaced it, with a score that must not be lost."""
        if self._table.question is KeyQuestion.NEW_GAME:
            self._start_next()
        else:
            self._ask_new_game()

    def _show_typed(self, points: int | None) -> None:
        self._table.typed = points
        if self._table.question is not KeyQuestion.NEW_GAME:
            self._table.set_notice(None)

    def _undo(self) -> None:
        question = self._table.question
        if question is KeyQuestion.EVENT_HUB:
            self._answer_hub(yes=False)
            return
        self._drop_questions()
        if question is KeyQuestion.DISMISS_ALARM:  # UNDO answers no, and undoes nothing
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
        """Whether UNDO would undo a win.

        Raises:
            RuleError: there is nothing to undo now, or keys may not undo it.
        """
        if self._table.game.outcome is None:
            return False
        event = self._table.judge(TakeBack(self._table.game.newest_standing()), self._table.running)
        return loses_win(self._table.game, apply(self._table.game, event)) is not None

    def _enter(self, lane: int, points: int) -> None:
        """Answer the lane's question first, so that it is not confused with the typed points."""
        self._table.typed = None
        if self._table.dialled.is_asking(lane):
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
        """Peg a lane's pending points on its player's request; ask only if the lane has moved unseen."""
        if self._table.dialled[lane].has_moved(lane, self._table.game) and not self._table.dialled.is_asking(lane):
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
        except NotStored as error:  # the points stay pending, and this press still counts
            unsaved = error
        if self._table.dialled.is_asking(lane):
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
        """The confirmation of the result that the panel shows, by any key of a lane."""
        game = self._table.game
        winner = None if game.outcome is None else game.outcome.winner
        seat = next(seat for seat in range(game.rules.seats) if game.rules.lane_of(seat) == lane)
        return Confirm(seat, winner, tuple(pegs.front for pegs in game.lanes))

    def _peg(self, lane: int) -> None:
        """Peg a lane's pending points; ask if another input has moved the lane, or the winner must peg out."""
        if self._table.dialled[lane].must_ask(lane, self._table.game):
            self._table.dialled.ask(lane)
        else:
            self._commit_dialled(lane)

    def _commit_dialled(self, lane: int) -> None:
        self._key(Score(self._table.dialled[lane].points, lane=lane))
        self._table.dialled.pop(lane, None)

    def _deal(self) -> None:
        """Pass the deal or start the next game; DEAL does not clear a game that pending points have only just won."""
        was_over = self._table.game.outcome is not None
        self.peg_dialled()
        if was_over:
            self._start_next()
        else:
            self._key(Deal())

    def _key(self, command: Command) -> None:
        self._table.carry_out(command, self._table.running, KEYS)
        if len(self._table.game.entries) == 1:
            self._say_who_has_no_keys()

    def _start_next(self) -> None:
        self._table.start_next(KEYS)
        self._say_who_has_no_keys()

    def _say_who_has_no_keys(self) -> None:
        """At the start of a game with more lanes than keys, say where the last lane is scored."""
        sentence = lane_without_keys(self._table.game)
        if sentence is not None:
            self._table.set_notice(sentence)

    # --- UNDO and DEAL held together: ask whether to shut down, then do so ---

    def ask_power_off(self) -> None:
        """Show the question whether to shut down, or a notice that pegboard cannot do it here."""
        with self._table.changing():
            self._ask_power_off()

    def is_asking_power_off(self) -> bool:
        """Whether the question about shutdown is still shown: no command and no other notice has replaced it."""
        with self._table.lock:
            return self._table.question is KeyQuestion.POWER_OFF

    def cancel_power_off(self) -> None:
        """Remove the question about shutdown; any other notice stays."""
        with self._table.changing():
            if self._table.question is KeyQuestion.POWER_OFF:
                self._table.set_notice(None)

    def power_off(self) -> None:
        """Shut down if the question about shutdown is shown, else ask it. A failure becomes the notice."""
        with self._table.lock:
            if self._table.question is not KeyQuestion.POWER_OFF:
                self._ask_power_off()
                self._table.publish()
                return
            try:
                self._power_off()
            except PegboardError as error:
                self._table.set_notice(error.message)
                self._table.publish()

    def power_off_now(self) -> None:
        """Shut down, and say so on every display.

        Raises:
            NotStored: there is no power switch, or the request could not be written.
        """
        with self._table.lock:
            self._power_off()

    def _ask_power_off(self) -> None:
        self._table.inviting = False
        if self.power.is_there:
            self._table.set_notice(Message("key_power_question"), KeyQuestion.POWER_OFF)
        else:
            self._table.set_notice(Message("power_elsewhere"))

    def _power_off(self) -> None:
        """Show the shutdown before requesting it, because it may come at once."""
        before, question = self._table.notice, self._table.question
        self._table.inviting = False
        self._table.set_notice(Message("power_switching"))
        if self.power.is_there:
            self._table.publish()
        try:
            self.power.request()
        except PegboardError:
            self._table.set_notice(before, question)
            self._table.publish()
            raise

    # --- DEAL pressed while UNDO is down: shows how to join, or asks whether an alarm was seen ---

    def invite(self) -> None:
        """Show or hide how to join; if an alarm can be dismissed, ask whether it was seen."""
        with self._table.changing():
            self._answer_chord()

    def _answer_chord(self) -> None:
        """Answer yes to the question about the hub, if shown; else ask about or dismiss an alarm, or invite."""
        if self._table.question is KeyQuestion.EVENT_HUB:
            self._answer_hub(yes=True)
            return
        standing = [one for one in self._table.alarms if not one.lasts]
        if standing:
            self._dismiss(next((one for one in standing if one.by_keys), standing[0]))
        else:
            self._invite()

    def _invite(self) -> None:
        self._table.inviting = not self._table.inviting and self._table.invitation is not None
        self._drop_questions()
        if self._table.invitation is None:
            self._table.set_notice(Message("key_no_pages"))

    def _dismiss(self, alarm: Alarm) -> None:
        """Ask whether the alarm was seen, or dismiss it if the question is shown; some need a director to dismiss."""
        asks, asked = Message("key_alarm", alarm=alarm.message), self._table.question
        self._table.inviting = False
        if not alarm.by_keys:
            self._table.set_notice(Message("alarm_director"))
        elif asked is KeyQuestion.DISMISS_ALARM and self._table.notice == asks:
            self._table.dismiss_alarm(alarm.id)
            self._table.set_notice(None)
        else:
            self._table.set_notice(asks, KeyQuestion.DISMISS_ALARM)

    def _drop_questions(self) -> None:
        if self._table.question is not None:
            self._table.set_notice(None)

    # --- DEAL tapped twice or more while UNDO is down: calls a judge or the director, or types an event's code ---

    def show_choice(self, taps: int) -> None:
        """Show what releasing UNDO will do after this many taps of DEAL, two or more."""
        with self._table.changing():
            self._table.inviting = False
            notice = self._describe(taps)
            self._table.set_notice(notice, None if notice is None else KeyQuestion.CALL)

    def choose(self, taps: int) -> None:
        """Handle the release of UNDO: carry out the choice that was shown, unless another notice has replaced it."""
        with self._table.changing():
            if self._table.question is KeyQuestion.CALL and self.event_controls is not None:
                self._table.set_notice(None)
                self._choose(taps, self.event_controls)

    def ask_hub(self, question: Message, *, by_keys: bool) -> None:
        """Ask whether to join; with `by_keys` the keys may answer: UNDO with DEAL for yes, UNDO for no."""
        with self._table.changing():
            self._table.set_notice(question, KeyQuestion.EVENT_HUB if by_keys else None)

    def is_typing_code(self) -> bool:
        """Whether the keys are typing an event's code: no command and no other notice has ended that."""
        return self._table.question is KeyQuestion.EVENT_CODE

    def type_code_digit(self, digit: int) -> None:
        """Add a digit to the code."""
        with self._table.lock:
            if self.is_typing_code():
                self._go_on_typing(self._code.type_digit(digit))

    def _answer_hub(self, *, yes: bool) -> None:
        """Pass on the keys' answer whether to join."""
        question = self._table.notice
        self._table.set_notice(Message("event_joining") if yes else None)
        if self.event_controls is not None and question is not None:
            self.event_controls.answer_question(str(question.values["address"]), yes=yes)

    def _count_code_up(self, points: int) -> None:
        """Handle a player's key while a code is typed."""
        self._go_on_typing(self._code.count_up(points))

    def _go_on_in_code(self) -> None:
        """Handle DEAL or ENTER while a code is typed."""
        self._go_on_typing(self._code.go_on())

    def _go_back_in_code(self) -> None:
        """Handle UNDO while a code is typed."""
        before = self._code.go_back()
        if before is None:
            self._table.set_notice(None)
            self._table.publish()
        else:
            self._go_on_typing(before)

    def _describe(self, taps: int) -> Message | None:
        """The notice that says what this many taps will do; None if they do nothing."""
        if self.event_controls is None:
            return None
        if self._table.event is None:
            return Message("event_key_code") if taps % 2 == 0 else None
        if _is_leave(taps, self.event_controls):
            return Message("event_key_leave")
        kind = _kind_of(taps)
        stands = any(call.kind == kind for call in self._table.event.calls)
        return None if kind is None else Message(CALL_KEYS[kind, stands])

    def _choose(self, taps: int, controls: EventControls) -> None:
        if self._table.event is None:
            self._code = TypedCode()
            self._go_on_typing(self._code)
        elif _is_leave(taps, controls):
            controls.leave()
        elif (kind := _kind_of(taps)) is not None:
            controls.toggle_call(kind)

    def _go_on_typing(self, code: TypedCode) -> None:
        self._code = code
        if code.is_complete and self.event_controls is not None:
            self._table.set_notice(Message("event_joining"))
            self.event_controls.join(code.digits, EVENT_KEYS)
        else:
            self._table.set_notice(Message("event_typing", code=code.as_text), KeyQuestion.EVENT_CODE)
        self._table.publish()


def _is_leave(taps: int, controls: EventControls) -> bool:
    """Whether this many taps of DEAL make the table leave the event: they call nobody, and keys joined it."""
    return controls.is_by_keys and _kind_of(taps) is None


def _kind_of(taps: int) -> CallFor | None:
    """The official called by this many taps of DEAL, or None."""
    place = (taps - 2) % (len(CALLED) + 1)
    return CALLED[place] if place < len(CALLED) else None


def project_dialled(table: Table, but: int | None) -> Projection:
    """The table as it would be with the points of other lanes than `but` pegged; some lanes ask instead.

    `table` is a copy, whose pending points are removed.

    Raises:
        RuleError: the rules do not allow it.
        NotStored: the journal does not respond.
    """
    dialled, ahead = table.dialled, table.now
    for lane in dialled.due(but):
        amount, now = dialled[lane], ahead.running
        if amount.must_ask(lane, now.game):
            dialled.ask(lane)
            continue
        event = table.judge(Score(amount.points, lane=lane), now)
        ahead = table.project(event, ahead, now)
        del dialled[lane]
        if ahead.running.game.outcome is not None:
            dialled.clear()
    return ahead


def pegs_dialled(command: Command) -> bool:
    """Whether other lanes' pending points are pegged before `command`, which must be resolved.

    A resolved `TakeBack()` is UNDO without a line to undo; a line pegged before it would be undone by mistake.
    """
    return row_of(command).pegs_dialled and command != TakeBack()
