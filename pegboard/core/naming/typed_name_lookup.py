"""Lookup of names as people type them: exact but for capitals, blanks and dashes, and suggestions for near misses."""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches

LONGEST = 64
"""Letters of a name that are compared at most."""

LIKE = 0.6
"""How alike a name must be to be suggested, 0 to 1."""


def plain(text: str) -> str:
    """The letters and digits alone, small: `three-handed`, `Three handed` and `THREE_HANDED` are one word."""
    return "".join(letter for letter in text.casefold() if letter.isalnum())


def find(text: str, known: Iterable[str]) -> str | None:
    """The known name that differs from `text` in capitals, blanks and dashes at most; None where there is none."""
    return {plain(name): name for name in known}.get(plain(text))


def likely(text: str, known: Iterable[str], also: Mapping[str, str] | None = None) -> str | None:
    """The known name that was probably meant; None where none is like it.

    `also` holds other words for known names; where `text` is one of them, nothing else is meant.
    """
    names = {plain(name): name for name in known}
    others = {plain(word): name for word, name in (also or {}).items()}
    word = plain(text)[:LONGEST]
    if word in others:
        return others[word]
    near = get_close_matches(word, names, 1, LIKE)
    return names[near[0]] if near else None


def suggestion(name: str | None) -> str:
    """The end of a sentence that refuses a name: what was probably meant, or nothing."""
    return f"; did you mean {name}?" if name else ""
