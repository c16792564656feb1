"""The keys of an input at a table, from the edges of a key to what the table does; times are in ms."""

from hardware.key_roles_and_actions import AddKey, DealKey, UndoKey
from hardware.keys.debounce import Timing
from hardware.keys.keypad import keypad_roles
from hardware.keys.machine import KeyMachine
from hardware.keys.thread import dispatch
from pegboard.config import KeypadSettings

MS = 1_000_000
"""Nanoseconds in a millisecond."""

KEYS = {"several": {"a5": AddKey(0, 5), "undo": UndoKey(), "deal": DealKey()}, "keypad": keypad_roles(KeypadSettings())}
NAMES = {"several": ("undo", "deal", "a5"), "keypad": ("KEY_KPDOT", "KEY_KPSLASH", "KEY_KP5")}


class Input:
    """The keys of one input at the table, several or a keypad."""

    def __init__(self, table, scheme):
        self.keys = table.board.keys
        self.undo, self.deal, self.five = NAMES[scheme]
        asks = self.keys.is_asking_new_game, self.keys.is_asking_power_off
        self.machine = KeyMachine(KEYS[scheme], Timing(), *asks, types_code=self.keys.is_typing_code)

    def edge(self, ms, key, down):
        self.wait(ms)
        self._do(self.machine.edge(ms * MS, key, down))

    def press(self, ms, key, for_ms=100):
        self.edge(ms, key, True)
        self.edge(ms + for_ms, key, False)

    def hold_both(self, ms):
        self.edge(ms, self.undo, True)
        self.edge(ms + 100, self.deal, True)
        self.edge(ms + 3500, self.deal, False)
        self.edge(ms + 3600, self.undo, False)

    def chord(self, ms):
        """DEAL pressed while UNDO is held."""
        self.edge(ms, self.undo, True)
        self.edge(ms + 200, self.deal, True)
        self.edge(ms + 400, self.deal, False)
        self.edge(ms + 600, self.undo, False)

    def hold_undo_and_tap(self, ms, taps):
        """DEAL tapped so often while UNDO is held, which is then let go; returns when that is over."""
        self.edge(ms, self.undo, True)
        for tap in range(taps):
            self.press(ms + 200 + 300 * tap, self.deal)
        end = ms + 200 + 300 * taps
        self.edge(end, self.undo, False)
        self.wait(end + 100)
        return end + 200

    def wait(self, ms):
        while (at := self.machine.deadline()) is not None and at <= ms * MS:
            self._do(self.machine.tick(at))

    def _do(self, actions):
        for action in actions:
            dispatch(self.keys, action)
