"""Lines of the score sheet (`Entry`): event, origin, change history, whether undone; also corrected names."""

from collections.abc import Iterable
from dataclasses import dataclass

from pegboard.core.moves import UNCHANGED, InPlaceChange, Line, PointsRuling, Reason, Renamed, Retracted, Unchanged
from pegboard.core.rules import Seat


@dataclass(frozen=True, slots=True)
class Origin:
    """The origin of a line, which the rules ignore.

    Attributes:
        event: the number of the line's event in the journal.
        source: the input device: "button", "phone" ...
        at: wall time in nanoseconds since 1970.
    """

    event: int = 0
    source: str = ""
    at: int = 0


UNKNOWN_ORIGIN = Origin()


@dataclass(frozen=True, slots=True)
class EntryChange:
    """A change to a line in place: its origin, its kind, and the former values of the line.

    Attributes:
        origin: where the change came from.
        did: the kind of change: "undo", "redo" or "amend".
        was: the former points; None if unchanged.
        why: the former reason; UNCHANGED if unchanged.
        lane: the former lane; None if unchanged.
        seat: the former seat; None if unchanged, or if only the lane was known.
    """

    origin: Origin
    did: str
    was: int | None = None
    why: Reason | Unchanged | None = UNCHANGED
    lane: int | None = None
    seat: Seat | None = None


@dataclass(frozen=True, slots=True)
class Renaming:
    """A corrected name, and the origin of the correction."""

    event: Renamed
    origin: Origin = UNKNOWN_ORIGIN


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the score sheet: its event, its origin, whether it stands (is not undone), and its change history."""

    event: Line
    origin: Origin = UNKNOWN_ORIGIN
    stands: bool = True
    history: tuple[EntryChange, ...] = ()

    def stood_before(self, event: int) -> bool:
        """Whether the line was not undone just before the journal entry with this number."""
        turns = [change.did for change in self.history if change.origin.event < event]
        return next((did == InPlaceChange.REDO for did in reversed(turns) if did != InPlaceChange.AMEND), True)

    def rules_on(self, line: int) -> bool:
        """Whether this later line is a ruling (not undone) that changes what `line` counts."""
        if isinstance(self.event, Retracted):
            return self.stands and self.event.to < line
        return self.stands and isinstance(self.event, PointsRuling) and self.event.line == line


def true_points(entries: Iterable[Entry]) -> dict[int, int]:
    """The correct points of the lines that rulings (not undone) found wrong, by line number."""
    return {
        entry.event.line: entry.event.points
        for entry in entries
        if isinstance(entry.event, PointsRuling) and entry.stands
    }
