"""One key of the key machine: its role, its debounced contact, and what is still to come of the press in hand."""

from dataclasses import dataclass

from hardware.key_roles_and_actions import KeyRole, lane_of
from hardware.keys.debounce import Contact
from hardware.keys.timing import Nanoseconds


@dataclass(slots=True)
class KeyState:
    """One key, and the press of it that goes on.

    Attributes:
        hold_at: when the press becomes a hold, or None.
        stuck_at: when the key counts as stuck, or None.
        added: points that the long presses of this press have added so far.
        spent: whether this press does nothing more until the key is released.
        stuck: whether the key is ignored until it is released.
    """

    name: str
    role: KeyRole
    contact: Contact
    hold_at: Nanoseconds | None = None
    stuck_at: Nanoseconds | None = None
    added: int = 0
    spent: bool = False
    stuck: bool = False

    @property
    def lane(self) -> int | None:
        """The lane it scores for, from 0; None where it is everybody's."""
        return lane_of(self.role)

    def release(self) -> None:
        """The key is up, and nothing of the press is still to come."""
        self.contact.reset(down=False)
        self.stuck = False
        self.hold_at = self.stuck_at = None
