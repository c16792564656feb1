"""Names of players and notes: how long they can be, and that every display can write them."""

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from enum import StrEnum

from pegboard.errors import RuleError

# --- names of a journal's epochs: a journal that has lost events goes on under another one, and stays the same journal
# ---


RENEWED = "--"
"""Stands in an epoch between the id of the journal, made with it, and what is new since it has lost events."""


def original_journal(epoch: str) -> str:
    """The id of the journal that an epoch is of, whichever of its epochs that is."""
    return epoch.split(RENEWED, maxsplit=1)[0]


def is_earlier(one: tuple[str, int], other: tuple[str, int]) -> bool:
    """Whether a journal had come to `one` before `other`: each an epoch, and the number of an event in it.

    The first epoch comes before all others, whatever their numbers: what it had beyond them is lost.
    """
    (epoch, number), (other_epoch, other_number) = one, other
    if epoch == other_epoch:
        return number < other_number
    return epoch == original_journal(other_epoch)


def is_unclear(epoch: str, other: str) -> bool:
    """Whether two epochs are of one journal that has lost events twice: their names do not say which came first."""
    journal = original_journal(epoch)
    return epoch != other and journal == original_journal(other) and journal not in (epoch, other)


# --- base class of enums whose members are plain texts, in Python's own writing too ---


class TextEnum(StrEnum):
    """A `StrEnum` that is a plain text in everything that is written of it, in Python's own writing too."""

    __repr__ = str.__repr__


# --- lookup of names as people type them: exact but for capitals, blanks and dashes, and suggestions for near misses
# ---


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


LONGEST_NAME = 64
"""Letters of a player's name; the snapshot of four such names still fits one live event."""


MOST_NAME_BYTES = 160
"""Of a name in UTF-8: 80 Arabic letters, 53 Japanese ones, 40 emoji."""


LONGEST_CITED = 24
"""Letters of an endless name that are said back."""


LONGEST_NOTE = 80
"""Letters of the reason of a penalty or ruling; ten of them still fit one live event."""


JOINERS = {0x200C: None, 0x200D: None}
"""Zero-width letters that join or part their neighbours."""


INVISIBLE: dict[int, None] = dict.fromkeys(
    [
        *(0x00AD, 0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFEFF, 0xFFA0),
        *(*range(0x180B, 0x1810), *range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2070)),
        *(*range(0xFE00, 0xFE10), *range(0x1D173, 0x1D17B), *range(0xE0000, 0xE1000)),
    ]
)
"""Letters that show nothing: those of Unicode's Default_Ignorable_Code_Point, and the empty Braille cell."""


def clean_name(name: str) -> str:
    """A player's name without needless blanks, and with composed letters (Unicode's NFC).

    Raises:
        RuleError: it is empty, too long, or cannot be written on every display.
    """
    words = compose(" ".join(name.split()))
    said = cite(name)
    if not 1 <= len(words) <= LONGEST_NAME:
        raise RuleError("name_length", most=LONGEST_NAME, name=said, letters=len(words))
    if not is_legible(words) or not look_of(words).strip():
        raise RuleError("name_unseen", name=said)
    if len(words.encode()) > MOST_NAME_BYTES:
        raise RuleError("name_wide", name=said)
    return words


def compose(name: str) -> str:
    """A name in Unicode's composed form (NFC), as it is stored."""
    return unicodedata.normalize("NFC", name)


def cite(name: str) -> str:
    """A name in quotes, of an endless one its beginning."""
    return repr(name) if len(name) <= LONGEST_NAME else f"{name[:LONGEST_CITED]!r}..."


def check_distinct(names: Sequence[str]) -> None:
    """See that no name looks like another.

    Raises:
        RuleError: two do; the sentence says the first of them.
    """
    looks = [look_of(name) for name in names]
    for name, look in zip(names, looks, strict=True):
        if looks.count(look) > 1:
            raise RuleError("called_twice", name=name)


def look_of(name: str) -> str:
    """A name as it is compared: without what nobody can see, in one case, and in the plain form of each letter."""
    return unicodedata.normalize("NFKC", name.translate(INVISIBLE)).casefold().translate(INVISIBLE)


def is_legible(name: str) -> bool:
    """Whether a name can be written on every display; the joiners of Persian, Hindi and emoji belong to the letters."""
    return name.translate(JOINERS).isprintable()


def clean_note(note: str) -> str:
    """The reason of a penalty or ruling, without needless blanks.

    Raises:
        RuleError: it is too long, or cannot be written on every display.
    """
    words = " ".join(note.split())
    if len(words) > LONGEST_NOTE:
        raise RuleError("note_length", most=LONGEST_NOTE, letters=len(words))
    if not is_legible(words):
        raise RuleError("note_unseen", note=repr(words))
    return words
