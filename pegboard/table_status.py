"""What a table shows beside its game: how one joins, devices, brightness, alarms."""

from pegboard.core.match import Setup
from pegboard.core.moves import Start
from pegboard.core.referee import decide
from pegboard.core.view import Brightness, Device, EventNews, Invitation
from pegboard.errors import NotStored
from pegboard.live_table import LiveTable
from pegboard.messages import Message
from pegboard.storage.journal.journal import Journal

EVENT = "event"
"""The source of games that a hub has seated."""


class TableStatus:
    """The part of a scoreboard through which the program tells what is so beside the game."""

    _table: LiveTable
    _journal: Journal

    def set_join_address(self, invitation: Invitation | None) -> None:
        """Set how one joins; once phones reach the table, displays show it until a key is pressed or a score comes.

        Where no phone reaches it, they show the board, and how phones join only on request. A later invitation replaces
        the one before, and is shown only where that one is.
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
        """Show the event that the table plays in; None where it plays in none."""
        with self._table.lock:
            self._table.event = event
            self._table.publish()

    def seat_pairing(self, setup: Setup | None) -> bool:
        """Let a game of an event begin: now, where nothing is on the sheet, else next; None lets nobody wait for one.

        Returns whether it is now. A game that is over stays until somebody begins the next one.

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
        """Begin it; where that cannot be stored, it waits."""
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
        """Take an alarm off every display; False where there is none of that id that can be dismissed."""
        with self._table.lock:
            found = self._table.dismiss_alarm(id)
            self._table.publish()
            return found

    def play_in_memory(self) -> bool:
        """Keep scores in memory only, where they cannot be stored; returns whether they are kept so now."""
        with self._table.lock:
            if self._journal.fault is not None and not self._journal.is_in_memory:
                self._journal.play_in_memory()
                self._table.set_notice(None)
                self._table.publish()
            return self._journal.is_in_memory
