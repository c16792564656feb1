"""Key timing from the settings, and debounce of one key from edge events and polled levels.

The first edge counts at once. Edges are then ignored until the lock-out ends, and the key's level at that time is
sampled, so contact bounce causes neither lost presses nor a delay.
"""

from dataclasses import dataclass
from typing import TypeAlias

from pegboard.config import KeySettings
from pegboard.errors import DeviceError

# --- times of the key machine, from the settings ---


Nanoseconds: TypeAlias = int

SECOND: Nanoseconds = 1_000_000_000


@dataclass(frozen=True, slots=True)
class Timing:
    """The times of the key machine, each in nanoseconds.

    Attributes:
        lockout: how long the edges of a key are ignored after each change of its debounced level.
        late: how late an edge event may be delivered.
        silence: how long the keys of a lane must be unchanged before a keyed-in amount pegs.
        hold: how long a player's key must be held to peg at once.
        long: how long a player's only key is held for a long press, and for each further long press.
        typed: how long an amount typed without an ENTER is kept.
        undo_hold: how long UNDO is held to ask about a new game, and held again to start it.
        question: how long a question asked by a hold stays open.
        stuck: how long a key must be down to count as stuck.
    """

    lockout: Nanoseconds = 25_000_000
    late: Nanoseconds = 60_000_000
    silence: Nanoseconds = 1_200_000_000
    hold: Nanoseconds = 800_000_000
    long: Nanoseconds = 500_000_000
    typed: Nanoseconds = 10 * SECOND
    undo_hold: Nanoseconds = 3 * SECOND
    question: Nanoseconds = 10 * SECOND
    stuck: Nanoseconds = 30 * SECOND

    @staticmethod
    def from_settings(keys: KeySettings) -> "Timing":
        """The timing from the settings.

        Raises:
            DeviceError: a key would count as stuck before it counts as held.
        """
        longest = max(keys.hold_s, keys.long_s, keys.undo_hold_s)
        if keys.stuck_s <= longest:
            raise DeviceError(
                "device_keys_stuck",
                "keys.stuck_s",
                "keys.undo_hold_s",
                "keys.hold_s",
                "keys.long_s",
                seconds=f"{keys.stuck_s:g}",
                longest=f"{longest:g}",
            )
        return Timing(
            lockout=round(keys.lockout_s * SECOND),
            silence=round(keys.silence_s * SECOND),
            hold=round(keys.hold_s * SECOND),
            long=round(keys.long_s * SECOND),
            undo_hold=round(keys.undo_hold_s * SECOND),
            question=round(keys.question_s * SECOND),
            stuck=round(keys.stuck_s * SECOND),
        )


@dataclass(slots=True)
class Contact:
    """The contact of one key. Levels are True while the key is down.

    A press whose contact bounces, from left to right (`#` is down):

        pin      ___#_#_##############_#________
        down     ___##################__________
        lock-out    |------|          |------|

    Attributes:
        lockout: how long edges are ignored after each change of the debounced level.
        level: the last seen level of the pin.
        down: the debounced level.
        locked_until: when the lock-out ends.
        sampled_at: when a sample, not an edge, last changed the debounced level.
        returned_early: whether a poll found the pin back at the debounced level before its edge was delivered.
    """

    lockout: Nanoseconds
    level: bool = False
    down: bool = False
    locked_until: Nanoseconds = 0
    sampled_at: Nanoseconds = 0
    returned_early: bool = False

    def is_stale(self, t_ns: Nanoseconds) -> bool:
        """Whether an edge at `t_ns` is delivered so late that the level after it has already been sampled."""
        return t_ns < self.sampled_at

    def expect_edge(self, t_ns: Nanoseconds, down: bool) -> None:
        """Note an edge that was delivered and is processed after other keys."""
        self.returned_early = False
        if down == self.level == self.down:  # the level was polled before its edge was delivered
            self.locked_until = min(self.locked_until, t_ns + self.lockout)

    def edge(self, t_ns: Nanoseconds, down: bool) -> bool:
        """Take an edge of the pin at `t_ns`. Returns whether the debounced level changes."""
        self.level = down
        return t_ns >= self.locked_until and self._accept(t_ns)

    def poll(self, t_ns: Nanoseconds, down: bool) -> bool:
        """Process a polled level; edges before `t_ns` may still arrive. Returns whether the debounced level changes.

        A level that an edge has already reported is ignored: the edge's time counts, else the lock-out would restart.
        If an edge is waiting to be sampled, a pin that is already back at the debounced level must have had another
        edge: that edge decides, or if it is never delivered, `sample`.
        """
        if self.level != self.down and t_ns >= self.locked_until:
            self.returned_early = down == self.down
            return False
        return down != self.level and self.edge(t_ns, down)

    def sample(self) -> bool:
        """Sample the level at the end of the lock-out. Returns whether the debounced level changes."""
        if self.returned_early:
            self.level, self.returned_early = self.down, False
        if self.level != self.down:
            self.sampled_at = self.locked_until
        return self._accept(self.locked_until)

    def reset(self, *, down: bool) -> None:
        """Set both levels to up or down, regardless of what was seen before."""
        self.level = self.down = down
        self.returned_early = False

    def _accept(self, t_ns: Nanoseconds) -> bool:
        """Make the last seen level the debounced level from `t_ns` on. Returns whether that is a change."""
        if self.level == self.down:
            return False
        self.down = self.level
        self.locked_until = t_ns + self.lockout
        return True
