"""COM scan: the row of memory that a controller shows on each common pin, by the datasheets' offset and remap."""

from dataclasses import dataclass
from functools import lru_cache


@dataclass(frozen=True, slots=True)
class Scan:
    """The registers that decide which row of the memory a common pin shows.

    Attributes:
        commons: how many common pins the chip has.
        rows: how many rows it scans (the multiplex ratio).
        offset: by how many commons the rows are moved (the display offset).
        start: the line of the memory in the first row.
        up: whether the last common is scanned first.
        split: whether even and odd rows leave the chip at its two sides (alternative pins).
        swapped: whether the two sides are exchanged.
    """

    commons: int
    rows: int
    offset: int = 0
    start: int = 0
    up: bool = False
    split: bool = True
    swapped: bool = False

    def line_at(self, pin: int) -> int | None:
        """The line of the memory that is seen on the row of glass at `pin`; None where no row is scanned."""
        common = self._common_at(pin)
        row = (self.rows - 1 + self.offset - common if self.up else common + self.offset) % self.commons
        return (row + self.start) % self.commons if row < self.rows else None

    def _common_at(self, pin: int) -> int:
        half = self.commons // 2
        pin = (pin + half) % self.commons if self.swapped else pin
        return 2 * (pin % half) + pin // half if self.split else pin


@lru_cache(maxsize=64)
def lines_at(scan: Scan, pins: tuple[int, ...]) -> tuple[int | None, ...]:
    """The lines of the memory that are seen on a glass, from the top."""
    return tuple(map(scan.line_at, pins))


def alternating(commons: range, of: int = 64) -> tuple[int, ...]:
    """The pins of a glass whose rows, from the top, hang on these commons of a chip whose `of` commons are split."""
    return tuple(common // 2 + of // 2 * (common % 2) for common in commons)
