"""How a device is, as whoever drives it tells it and the pages show it; and how that changes."""

import math
from dataclasses import dataclass, fields, replace
from typing import Any

LONGEST = 500
"""Characters of a trouble, and of any other words of a device, that are shown."""


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
            trouble=plain(words),
            retries=self.retries + (not self.ok),
            errors=self.errors + 1,
        )

    def hangs(self, words: str, wall_s: float) -> "Health":
        """A try that began at `wall_s` seconds since 1970 has not ended; it is none of those that have."""
        return replace(self.fails(words, wall_s), retries=self.retries)

    def checked(self) -> "Health":
        """The same in plain values, as a device of another package may have put anything into it.

        Raises:
            TypeError: a field is of another type than it is to be.
        """
        for each in fields(self):
            value, kinds = getattr(self, each.name), _KINDS[each.name]
            if type(value) not in kinds or (isinstance(value, float) and not math.isfinite(value)):
                taken = " or ".join(_WORDS[kind] for kind in kinds)
                raise TypeError(f"it says of its health {each.name}={value!r}; {taken} is taken")
        trouble = None if self.trouble is None else plain(self.trouble)
        return replace(self, name=plain(self.name), about=plain(self.about), trouble=trouble)


_KINDS: dict[str, tuple[type, ...]] = {
    "name": (str,),
    "about": (str,),
    "ok": (bool,),
    "failing_since": (float, int, type(None)),
    "trouble": (str, type(None)),
    "retries": (int,),
    "frames": (int,),
    "errors": (int,),
}
_WORDS: dict[type, str] = {str: "a text", bool: "True or False", float: "a number", int: "a whole number"}
_WORDS[type(None)] = "None"


def plain(words: str) -> str:
    """Words that every page and terminal can show: one line, not too long, without control characters."""
    known = words.encode("utf-8", "replace").decode("utf-8")
    line = " ".join("".join(letter if letter.isprintable() else " " for letter in known).split())
    return line if len(line) <= LONGEST else line[: LONGEST - 4] + " ..."


def error_text(error: BaseException) -> str:
    """What an error says, and what it is where it says nothing, or is none of the usual kind."""
    kind = type(error).__name__
    try:
        said = plain(str(error))
    except Exception:  # noqa: BLE001 - the words of another package's error may be broken, too
        said = ""
    if not said or not isinstance(error, Exception):
        return f"{kind}: {said}" if said else kind
    return said


def require_text(what: str, value: Any) -> str:
    """A device's words for what it is, or where it hangs.

    Raises:
        TypeError: it is no text.
    """
    if not isinstance(value, str):
        raise TypeError(f"its {what} is {value!r}; a text is taken")
    return plain(value)
