"""How a device is, as its window tells it and the pages show it."""

from dataclasses import dataclass


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
