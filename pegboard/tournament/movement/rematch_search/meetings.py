"""Meetings: how often each pair has met and will meet, and what one more meeting costs.

A first meeting costs nothing, a second one `REMATCH`, and each further one so much more than the one before it that a
pair meets a third time only where no other could meet a second time. Dearer than all is a meeting within a team.
"""

from collections.abc import Collection, Iterable

REMATCH = 1000
"""What the second meeting of a pair costs."""

STEEPNESS = 256
"""How many meetings of a number are cheaper than one of the next; more than a night of a small field has rounds."""

TEAM_MATES = REMATCH * STEEPNESS**12
"""What a meeting within a team costs."""

BOTH_STAY = 1
"""What a meeting of two costs who are both to stay at a table of their own."""

MOST_MEETINGS = 200
"""More than a pair can have in a night."""

COSTS: tuple[int, ...] = (0, 0, *(REMATCH * STEEPNESS ** min(number, 10) for number in range(MOST_MEETINGS)))
"""What the meeting of a number costs, from 1; there is no meeting 0."""


class Meetings:
    """The meetings of a field, whose players are numbers.

    Attributes:
        met: for each player how often he has met, or will meet, each other.
        extra: what a meeting of two costs beside; 0 where `charge` put nothing on it.
    """

    __slots__ = ("extra", "met")

    def __init__(self, players: int, pairs: Iterable[tuple[int, int]] = ()) -> None:
        self.met = [[0] * players for _ in range(players)]
        self.extra = [[0] * players for _ in range(players)]
        for one, other in pairs:
            self.add(one, other)

    def add(self, one: int, other: int, meetings: int = 1) -> None:
        """They meet once more."""
        self.met[one][other] += meetings
        self.met[other][one] += meetings

    def remove(self, one: int, other: int) -> None:
        """They meet once less."""
        self.add(one, other, -1)

    def charge(self, groups: Iterable[Collection[int]], cost: int) -> None:
        """Let each meeting within one of these groups cost so much more."""
        for group in groups:
            for one in group:
                for other in group:
                    if one != other:
                        self.extra[one][other] += cost

    def cost_of_next(self, one: int, other: int) -> int:
        """What it would cost if they met once more."""
        return COSTS[self.met[one][other] + 1] + self.extra[one][other]

    def cost_of_last(self, one: int, other: int) -> int:
        """What their latest meeting costs."""
        return COSTS[self.met[one][other]] + self.extra[one][other]
