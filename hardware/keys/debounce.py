"""Debounce of one key: edge events and polled levels go in, and out comes whether the key counts as up or down.

A leading edge counts at once. Then edges are ignored until the lock-out ends, and the level that the key has by then is
sampled, so that contact bounce costs neither a press nor a delay.
"""

from dataclasses import dataclass
from typing import TypeAlias

from pegboard.config import KeySettings
from pegboard.errors import DeviceError

# --- the times of the key machine: lock-out, hold, long press, silence and the others, from the settings ---


Nanoseconds: TypeAlias = int


SECOND: Nanoseconds = 1_000_000_000


@dataclass(frozen=True, slots=True)
class Timing:
    """The times of the key machine, each in nanoseconds.

    Attributes:
        lockout: after each change that counted, the edges of a key are ignored for so long.
        late: an edge event may be delivered so long after the edge.
        silence: a dialled amount pegs after so long without a change on its lane's keys.
        hold: a player's key held so long pegs at once.
        long: a player's only key held so long is a long press, and each time so long again another one.
        typed: an amount typed without an ENTER is dropped after so long.
        undo_hold: UNDO held so long asks for a new game, and so long again starts it.
        question: the question stands so long.
        stuck: a key down for so long is stuck.
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
        """The timing that is set.

        Raises:
            DeviceError: a key would be stuck before it is held.
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
        level: the level that was seen last.
        down: the level that counts.
        locked_until: when the lock-out ends.
        sampled_at: when a sample counted for the last time, and no edge.
        sprang_back: whether the pin was polled at the level that counts, though no edge back to it has been delivered.
    """

    lockout: Nanoseconds
    level: bool = False
    down: bool = False
    locked_until: Nanoseconds = 0
    sampled_at: Nanoseconds = 0
    sprang_back: bool = False

    def is_too_late(self, t_ns: Nanoseconds) -> bool:
        """Whether an edge is delivered so late that the level after it has been sampled already."""
        return t_ns < self.sampled_at

    def expect_edge(self, t_ns: Nanoseconds, down: bool) -> None:
        """An edge was delivered, and other keys act before it."""
        self.sprang_back = False
        if down == self.level == self.down:  # the level was polled before its edge was delivered
            self.locked_until = min(self.locked_until, t_ns + self.lockout)

    def edge(self, t_ns: Nanoseconds, down: bool) -> bool:
        """The pin changed at `t_ns`. Returns whether that counts."""
        self.level = down
        return t_ns >= self.locked_until and self._accept(t_ns)

    def poll(self, t_ns: Nanoseconds, down: bool) -> bool:
        """The pin was read at `t_ns`; earlier edges may still be delivered. Returns whether the level counts.

        A level that an edge has brought is no news: the time of the edge counts, or the key would be locked out anew.
        And a key whose release has been delivered and which is down now may just have been pressed again: its next edge
        decides, or that none comes.
        """
        if self.level != self.down and t_ns >= self.locked_until:
            self.sprang_back = down == self.down
            return False
        return down != self.level and self.edge(t_ns, down)

    def sample(self) -> bool:
        """The level at the end of the lock-out is known now. Returns whether it counts."""
        if self.sprang_back:
            self.level, self.sprang_back = self.down, False
        if self.level != self.down:
            self.sampled_at = self.locked_until
        return self._accept(self.locked_until)

    def reset(self, *, down: bool) -> None:
        """The key is up or down, whatever was seen before."""
        self.level = self.down = down
        self.sprang_back = False

    def _accept(self, t_ns: Nanoseconds) -> bool:
        """Have the level count since `t_ns`. Returns whether it did not before."""
        if self.level == self.down:
            return False
        self.down = self.level
        self.locked_until = t_ns + self.lockout
        return True
