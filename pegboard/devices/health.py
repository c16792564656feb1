"""Health of a device: what its thread reports and the pages show: working or not, last error, retries."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, NamedTuple

from pegboard.errors import PegboardError
from pegboard.messages import Message, message_json

HANG_S = 3.0
"""Seconds after which a call of a device hangs unless it says otherwise: most pictures take a tenth of a second."""

LONGEST = 500
"""Characters of an error, or of any other text of a device, that are shown at most."""


@dataclass(frozen=True, slots=True)
class Health:
    """The health of a display or an input.

    Attributes:
        name: the name of the device.
        about: its bus or pins, in words.
        ok: whether it works: a display has shown the last view, an input can be pressed.
        failing_since: wall time of the first error in a row, in seconds since 1970, or None.
        trouble: the last error in words; it stays after the device has come back.
        retries: retries since the first error in a row.
        frames: views shown in all.
        errors: errors in all.
        acknowledges: whether it acknowledges what it is sent; nothing on SPI does, and `ok` then says of a display only
            that the bus has sent the last view, not that anything is wired to it.
    """

    name: str
    about: str
    ok: bool = True
    failing_since: float | None = None
    trouble: str | None = None
    retries: int = 0
    frames: int = 0
    errors: int = 0
    acknowledges: bool = True

    def as_json(self) -> dict[str, Any]:
        """All of it, ready for JSON; `about` and `trouble` also by their keys, where they are messages of ours."""
        values = {each.name: getattr(self, each.name) for each in fields(self)}
        return values | {f"{name}_message": message_json(values[name]) for name in ("about", "trouble")}

    def mark_ok(self, about: str) -> "Health":
        """The device works, on the bus or pins `about`; the last error stays readable."""
        return replace(self, about=about, ok=True, failing_since=None, retries=0)

    def mark_failed(self, words: str, wall_s: float) -> "Health":
        """A try failed for the reason in `words`, at `wall_s` seconds since 1970."""
        return replace(
            self,
            ok=False,
            failing_since=wall_s if self.failing_since is None else self.failing_since,
            trouble=printable(words),
            retries=self.retries + (not self.ok),
            errors=self.errors + 1,
        )

    def during(self, attempt: "Attempt | None", now_s: float, hangs: Message, patience_s: float = HANG_S) -> "Health":
        """The health while an attempt may be under way, at `now_s` of the steady clock.

        One that takes longer than `patience_s` is a failure for the reason in `hangs`, and does not count as a retry.
        """
        if attempt is None or now_s - attempt.begun_s < patience_s:
            return self
        return replace(self.mark_failed(hangs, attempt.wall_s), retries=self.retries)

    def check_types(self) -> "Health":
        """The same health with its types checked: another package may have put anything into it.

        Raises:
            TypeError: a field is of another type than it is to be.
        """
        for each in fields(self):
            value, kinds = getattr(self, each.name), _KINDS[each.name]
            kind = str if isinstance(value, Message) else type(value)
            if kind not in kinds or (isinstance(value, float) and not math.isfinite(value)):
                taken = " or ".join(_WORDS[kind] for kind in kinds)
                raise TypeError(f"{each.name} in its health must be {taken}, not {value!r}")
        trouble = None if self.trouble is None else printable(self.trouble)
        return replace(self, name=printable(self.name), about=printable(self.about), trouble=trouble)


class Attempt(NamedTuple):
    """A call of a device that is under way: when it began, on the steady clock and on the wall, in seconds."""

    begun_s: float
    wall_s: float


_KINDS: dict[str, tuple[type, ...]] = {
    "name": (str,),
    "about": (str,),
    "ok": (bool,),
    "failing_since": (float, int, type(None)),
    "trouble": (str, type(None)),
    "retries": (int,),
    "frames": (int,),
    "errors": (int,),
    "acknowledges": (bool,),
}
_WORDS: dict[type, str] = {
    str: "a text",
    bool: "True or False",
    float: "a number",
    int: "a whole number",
    type(None): "None",
}


def printable(words: str) -> str:
    """The text as every page and terminal can show it: one row, not too long, without control characters.

    A `Message` that needs no change stays a `Message`.
    """
    known = words.encode("utf-8", "replace").decode("utf-8")
    text = " ".join("".join(letter if letter.isprintable() else " " for letter in known).split())
    shown = text if len(text) <= LONGEST else text[: LONGEST - 4] + " ..."
    return words if words == shown else shown


def join_faults(faults: Sequence[str]) -> str:
    """Several faults joined into one text; a single one is returned unchanged."""
    return faults[0] if len(faults) == 1 else "; ".join(faults)


def error_text(error: BaseException) -> str:
    """The text of an error: its class where it has none, and its class first where it is no `Exception`."""
    if isinstance(error, PegboardError):
        return printable(error.message)
    kind = type(error).__name__
    try:
        text = printable(str(error))
    except Exception:  # noqa: BLE001 - another package's error may fail to print
        text = ""
    if not text or not isinstance(error, Exception):
        return f"{kind}: {text}" if text else kind
    return text


def require_text(what: str, value: Any) -> str:
    """The text that a device gives for its name or the like, printable.

    Raises:
        TypeError: it is no text.
    """
    if not isinstance(value, str):
        raise TypeError(f"its {what} must be text, not {value!r}")
    return printable(value)
