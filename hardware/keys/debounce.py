"""Debounce of one key: takes edge events and polled levels, decides whether the key counts as up or down.

A leading edge counts at once. Edges are then ignored until the lock-out ends, and the key's level at that time is
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
        lockout: how long the edges of a key are ignored after each change that counted.
        late: how late an edge event may be delivered.
        silence: how long the keys of a lane must be unchanged before a dialed amount pegs.
        hold: how long a player's key must be held to peg at once.
        long: how long a player's only key is held for a long press, and for each further one.
        typed: how long an amount typed without an ENTER is kept.
        undo_hold: how long UNDO is held to ask for a new game, and held again to start it.
        question: how long the question stays open.
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
            DeviceError: a key would count as stuck before it is held.
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

    Attributes:
        lockout: how long edges are ignored after each change that counted.
        level: the level seen last.
        down: the level that counts.
        locked_until: when the lock-out ends.
        sampled_at: when a sample, not an edge, last counted.
        returned_early: whether the pin was polled at the level that counts before an edge back to it was delivered.
    """

    lockout: Nanoseconds
    level: bool = False
    down: bool = False
    locked_until: Nanoseconds = 0
    sampled_at: Nanoseconds = 0
    returned_early: bool = False

    def is_stale(self, t_ns: Nanoseconds) -> bool:
        """Whether an edge is delivered so late that the level after it has already been sampled."""
        return t_ns < self.sampled_at

    def expect_edge(self, t_ns: Nanoseconds, down: bool) -> None:
        """An edge was delivered, and other keys are processed before it."""
        self.returned_early = False
        if down == self.level == self.down:  # the level was polled before its edge was delivered
            self.locked_until = min(self.locked_until, t_ns + self.lockout)

    def edge(self, t_ns: Nanoseconds, down: bool) -> bool:
        """The pin changed at `t_ns`. Returns whether that counts."""
        self.level = down
        return t_ns >= self.locked_until and self._accept(t_ns)

    def poll(self, t_ns: Nanoseconds, down: bool) -> bool:
        """The pin was read at `t_ns`; earlier edges may still be delivered. Returns whether the level counts.

        A level that an edge has already reported is ignored: the edge's time counts, else the lock-out would restart. A
        key that is down after its release was delivered may have just been pressed again: its next edge decides, or the
        absence of one.
        """
        if self.level != self.down and t_ns >= self.locked_until:
            self.returned_early = down == self.down
            return False
        return down != self.level and self.edge(t_ns, down)

    def sample(self) -> bool:
        """The level at the end of the lock-out is now known. Returns whether it counts."""
        if self.returned_early:
            self.level, self.returned_early = self.down, False
        if self.level != self.down:
            self.sampled_at = self.locked_until
        return self._accept(self.locked_until)

    def reset(self, *, down: bool) -> None:
        """Set the key up or down, regardless of what was seen before."""
        self.level = self.down = down
        self.returned_early = False

    def _accept(self, t_ns: Nanoseconds) -> bool:
        """Count the level from `t_ns` on. Returns whether it is a change."""
        if self.level == self.down:
            return False
        self.down = self.level
        self.locked_until = t_ns + self.lockout
        return True
