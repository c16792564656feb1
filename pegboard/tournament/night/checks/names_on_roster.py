"""Names of a roster compared as people see them: capitals, blanks and forms of a letter make no other name."""

import unicodedata
from collections.abc import Iterable
from functools import lru_cache

APOSTROPHES = dict.fromkeys(map(ord, "\u2018\u2019\u02bc\u00b4`"), "'")
"""Letters that a phone or a spreadsheet writes for an apostrophe."""


@lru_cache(maxsize=4096)
def look(name: str) -> str:
    """A name as it is compared: without what nobody sees, in one case, and in the plain form of each letter."""
    seen = "".join(letter for letter in name if unicodedata.category(letter) not in {"Cc", "Cf", "Zl", "Zp"})
    plain = unicodedata.normalize("NFKC", seen.translate(APOSTROPHES))
    return " ".join(plain.casefold().split())


def find_alike(name: str, others: Iterable[str]) -> str | None:
    """The first of these names that looks like that one; None where none does."""
    mine = look(name)
    return next((other for other in others if look(other) == mine), None)
