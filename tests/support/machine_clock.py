"""The clocks of a machine that a test turns: time that passes, a wall clock that steps, a restart."""

from dataclasses import dataclass, field

from pegboard.devices.power_and_clock import SystemClock


@dataclass
class MachineClock(SystemClock):
    """Clocks in seconds; `now` is the wall clock."""

    now: float = 1_795_000_000.0
    since_start: float = 1_000.0
    boot: str = "first"  # type: ignore[assignment]
    right: bool = True
    _boots: int = field(default=1)

    def wall(self) -> float:  # type: ignore[override]
        return self.now

    def ticks(self) -> float:  # type: ignore[override]
        return self.since_start

    def is_set(self) -> bool:
        return self.right

    def wait(self, seconds: float) -> None:
        """Time passes."""
        self.now += seconds
        self.since_start += seconds

    def step(self, seconds: float) -> None:
        """The wall clock is set."""
        self.now += seconds

    def restart(self, off_s: float, *, wall: float | None = None, right: bool = True) -> None:
        """The machine was off for so long; its clock then says `wall`, or the truth."""
        self._boots += 1
        self.boot, self.since_start = f"start {self._boots}", 5.0
        self.now = self.now + off_s if wall is None else wall
        self.right = right
