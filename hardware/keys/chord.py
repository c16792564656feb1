"""The chord of UNDO and DEAL: DEAL pressed while UNDO is down, once or more often, and both of them held."""

from collections.abc import Iterable

from hardware.key_roles_and_actions import DealKey, UndoKey
from hardware.keys.key_state import KeyState
from hardware.keys.timing import Nanoseconds


class Chord:
    """The UNDO and DEAL keys of an input.

    Attributes:
        undo_keys: its UNDO keys.
        deal_keys: its DEAL keys, which are held only in a chord.
        taps: how often DEAL has been pressed since UNDO is down; 0 where it is up, or both have been held.
    """

    def __init__(self, keys: Iterable[KeyState]) -> None:
        keys = list(keys)
        self.undo_keys = [key for key in keys if isinstance(key.role, UndoKey)]
        self.deal_keys = [key for key in keys if isinstance(key.role, DealKey)]
        self.taps = 0

    def held_undo(self) -> list[KeyState]:
        """The UNDO keys that are down and may yet become a hold."""
        return [undo for undo in self.undo_keys if undo.hold_at is not None]

    def is_under_way(self) -> bool:
        """Whether DEAL is down with UNDO and both may yet become a hold."""
        return any(deal.hold_at is not None for deal in self.deal_keys)

    def takes_deal(self) -> bool:
        """Whether DEAL, pressed now, is part of a chord: UNDO may yet become a hold, or is down in one."""
        return bool(self.held_undo()) or self._goes_on()

    def begin(self, deal: KeyState, hold_at: Nanoseconds) -> int:
        """DEAL was pressed while UNDO is down; together they become a hold at `hold_at`. Returns which tap it is."""
        self.taps = self.taps + 1 if self._goes_on() else 1
        self.spend_undo()
        deal.hold_at = hold_at
        return self.taps

    def end(self, key: KeyState) -> int:
        """A key is released. Returns how often DEAL was tapped, where that is UNDO and ends the chord."""
        if key not in self.undo_keys or not key.spent or key.stuck:
            return 0
        taps, self.taps = self.taps, 0
        return taps

    def _goes_on(self) -> bool:
        """Whether UNDO is down in a chord; one that is stuck is not."""
        held = [undo for undo in self.undo_keys if undo.contact.down and undo.spent and not undo.stuck]
        return self.taps > 0 and bool(held)

    def spend_undo(self) -> None:
        """UNDO does nothing more until it is released."""
        for undo in self.undo_keys:
            undo.hold_at, undo.spent = None, undo.contact.down

    def release(self, key: KeyState) -> bool:
        """A key is released. Returns whether that breaks the chord before it has become a hold."""
        if not self.is_under_way() or key not in (*self.undo_keys, *self.deal_keys):
            return False
        for deal in self.deal_keys:
            deal.hold_at = None
        return True
