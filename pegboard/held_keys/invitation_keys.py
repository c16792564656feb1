"""What DEAL pressed while UNDO is down does: it shows how to join, or asks whether an alarm was seen."""

from pegboard.core.view import Alarm
from pegboard.held_keys.power_keys import PowerKeys
from pegboard.live_table import KeyQuestion
from pegboard.messages import Message


class InvitationKeys(PowerKeys):
    """The chord of UNDO and DEAL."""

    def invite(self) -> None:
        """Show how to join, or hide it when it is shown; where an alarm can be dismissed, ask whether it was seen."""
        with self._table.lock:
            self._answer_chord()
            self._table.publish()

    def _answer_chord(self) -> None:
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
        """Ask whether it was seen, or take it away where that stands asked; one that the keys may not stays."""
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
