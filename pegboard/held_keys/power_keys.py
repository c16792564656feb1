"""What UNDO and DEAL held together do: they ask whether to switch the machine off, and do so."""

from pegboard.devices.power_and_clock import PowerSwitch
from pegboard.errors import PegboardError
from pegboard.live_table import KeyQuestion, LiveTable
from pegboard.messages import Message


class PowerKeys:
    """What UNDO and DEAL held together do.

    Attributes:
        power: the switch of this machine.
    """

    def __init__(self, table: LiveTable, power: PowerSwitch) -> None:
        self._table, self.power = table, power

    def ask_power_off(self) -> None:
        """Show the question whether to switch off, or that pegboard does not do so here."""
        with self._table.lock:
            self._ask_power_off()
            self._table.publish()

    def is_asking_power_off(self) -> bool:
        """Whether that question still stands: no command and no other notice has replaced it."""
        with self._table.lock:
            return self._table.question is KeyQuestion.POWER_OFF

    def cancel_power_off(self) -> None:
        """Take that question away; any other notice stays."""
        with self._table.lock:
            if self._table.question is KeyQuestion.POWER_OFF:
                self._table.set_notice(None)
                self._table.publish()

    def power_off(self) -> None:
        """Switch the machine off, where that question stands; else ask. A failure becomes the notice."""
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
        """Switch the machine off, and say so on every display.

        Raises:
            NotStored: there is no switch, or the request could not be written.
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
        """Displays say it before it is asked for: the stop may come at once."""
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
