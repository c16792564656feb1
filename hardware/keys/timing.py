"""The times of the key machine: lock-out, hold, long press, silence and the others, from the settings."""

from dataclasses import dataclass
from typing import TypeAlias

from pegboard.config import KeySettings
from pegboard.errors import DeviceError

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
