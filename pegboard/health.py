"""How a device is, as whoever drives it tells it and the pages show it; and how that changes."""

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Health:
    """How a display or an input is.

    Attributes:
        name: what it is.
        about: where it hangs.
        ok: whether it works: a display has shown the last view, an input can be pressed.
        failing_since: wall time of the first error in a row, in seconds since 1970, or None.
        trouble: the last error in words; it stays after the device has come back.
        retries: tries since the first error in a row.
        frames: views shown in all.
        errors: errors in all.
    """

    name: str
    about: str
    ok: bool = True
    failing_since: float | None = None
    trouble: str | None = None
    retries: int = 0
    frames: int = 0
    errors: int = 0

    def works(self, about: str) -> "Health":
        """It works, and hangs at `about`; the last trouble stays to be read."""
        return replace(self, about=about, ok=True, failing_since=None, retries=0)

    def fails(self, words: str, wall_s: float) -> "Health":
        """A try has failed for the reason in `words`, at `wall_s` seconds since 1970."""
        return replace(
            self,
            ok=False,
            failing_since=wall_s if self.failing_since is None else self.failing_since,
            trouble=words,
            retries=self.retries + (not self.ok),
            errors=self.errors + 1,
        )

    def hangs(self, words: str, wall_s: float) -> "Health":
        """A try that began at `wall_s` seconds since 1970 has not ended; it is none of those that have."""
        return replace(self.fails(words, wall_s), retries=self.retries)
