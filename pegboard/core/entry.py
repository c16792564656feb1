"""A line of the score sheet: what was entered, where it came from, how it was changed, and whether it counts."""

from collections.abc import Iterable
from dataclasses import dataclass

from pegboard.core.moves import UNCHANGED, Line, PointsRuling, Reason, Renamed, Retracted, Unchanged
from pegboard.core.rules import Seat


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a line came from; opaque to the rules.

    Attributes:
        event: the number of the journal's event.
        source: what it was entered with: "button", "phone" ...
        at: wall time in nanoseconds since 1970.
    """

    event: int = 0
    source: str = ""
    at: int = 0


UNKNOWN_ORIGIN = Origin()


@dataclass(frozen=True, slots=True)
class EntryChange:
    """A change to a line in its place: where it came from, what was done, and what the line said before.

    Attributes:
        origin: where it came from.
        did: "undo", "redo" or "amend".
        was: the points until then; None where they stayed.
        why: the reason until then; UNCHANGED where it stayed.
        lane: the lane until then; None where it stayed.
        seat: the seat until then; None where it stayed, or only the lane was known.
    """

    origin: Origin
    did: str
    was: int | None = None
    why: Reason | Unchanged | None = UNCHANGED
    lane: int | None = None
    seat: Seat | None = None


@dataclass(frozen=True, slots=True)
class Renaming:
    """A corrected name, and where the correction came from."""

    event: Renamed
    origin: Origin = UNKNOWN_ORIGIN


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the score sheet: what it says, where it came from, whether it stands, and what changed that."""

    event: Line
    origin: Origin = UNKNOWN_ORIGIN
    stands: bool = True
    history: tuple[EntryChange, ...] = ()

    def rules_on(self, line: int) -> bool:
        """Whether this line, made after `line`, is a standing ruling that changes what `line` counts."""
        if isinstance(self.event, Retracted):
            return self.stands and self.event.to < line
        return self.stands and isinstance(self.event, PointsRuling) and self.event.line == line


def true_points(entries: Iterable[Entry]) -> dict[int, int]:
    """The true points of the lines that standing rulings found wrong, by the number of the line."""
    return {
        entry.event.line: entry.event.points
        for entry in entries
        if isinstance(entry.event, PointsRuling) and entry.stands
    }
