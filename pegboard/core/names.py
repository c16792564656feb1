"""Names: checks and normalization of player names and notes, fuzzy lookup, id patterns, epochs, and `TextEnum`."""

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from enum import StrEnum

from pegboard.errors import RuleError

# --- patterns of ids ---


REQUEST_ID = r"[A-Za-z0-9_-]{16,64}"
"""Pattern of a command's id: 128 random bits, generated for each tap."""

GAME_ID = JOURNAL_ID = r"[A-Za-z0-9_-]{1,64}"
"""Pattern of the id of a game, and of a journal: its epoch."""

PLACE_ID = r"[a-z0-9_-]{1,32}"
"""Pattern of the id of an event or a table. A table's id is its user name at the broker."""

PAIRING_ID = r"[A-Za-z0-9_.:-]{1,64}"
"""Pattern of the id of a pairing in its event, or of a call; all other ids fit it as well."""

PAIRING = f"{PLACE_ID}/{PAIRING_ID}"
"""Pattern of a game's id at an event: the event's id, a slash, and the id of the pairing in it."""

# --- journal epochs ---
#
# A journal that has lost events continues under a new epoch, and is still the same journal.


RENEWED = "--"
"""Separator in an epoch between the journal's original id and the suffix added after it lost events."""


def original_journal(epoch: str) -> str:
    """The id of the journal that an epoch belongs to."""
    return epoch.split(RENEWED, maxsplit=1)[0]


def is_earlier(one: tuple[str, int], other: tuple[str, int]) -> bool:
    """Whether a journal reached `one` before `other`: each is an epoch and the number of an event in it.

    The first epoch comes before all others, regardless of event numbers: its later events are lost.
    """
    (epoch, number), (other_epoch, other_number) = one, other
    if epoch == other_epoch:
        return number < other_number
    return epoch == original_journal(other_epoch)


def is_unclear(epoch: str, other: str) -> bool:
    """Whether the order of two epochs is unknown: both belong to one journal that lost events twice."""
    journal = original_journal(epoch)
    return epoch != other and journal == original_journal(other) and journal not in (epoch, other)


# --- base class for string enums ---


class TextEnum(StrEnum):
    """A `StrEnum` whose members look like plain strings everywhere, even in `repr`."""

    __repr__ = str.__repr__


# --- lookup of typed names, and suggestions for typos ---


LONGEST = 64
"""Maximum number of characters of a name that are compared."""

LIKE = 0.6
"""Minimum similarity for a suggestion, 0 to 1."""


def plain(text: str) -> str:
    """Only the letters and digits, in lower case: `three-handed`, `Three handed` and `THREE_HANDED` are the same."""
    return "".join(letter for letter in text.casefold() if letter.isalnum())


def find(text: str, known: Iterable[str]) -> str | None:
    """The known name that equals `text`, ignoring case, spaces and punctuation, or None."""
    return {plain(name): name for name in known}.get(plain(text))


def likely(text: str, known: Iterable[str], also: Mapping[str, str] | None = None) -> str | None:
    """The known name that was probably meant (the closest match), or None.

    `also` maps synonyms to known names; a synonym always wins over similar names.
    """
    names = {plain(name): name for name in known}
    others = {plain(word): name for word, name in (also or {}).items()}
    word = plain(text)[:LONGEST]
    if word in others:
        return others[word]
    near = get_close_matches(word, names, 1, LIKE)
    return names[near[0]] if near else None


def suggestion(name: str | None) -> str:
    """The end of a refusal, with the name that was probably meant; empty without such a name."""
    return f"; did you mean {name}?" if name else ""


LONGEST_NAME = 64
"""Maximum characters of a player's name; a snapshot with six such names still fits one live event."""

MOST_NAME_BYTES = 160
"""Maximum bytes of a name in UTF-8: 80 Arabic letters, 53 Japanese characters, 40 emoji."""

LONGEST_CITED = 24
"""Number of characters of an overlong name that a message quotes."""

LONGEST_NOTE = 80
"""Maximum characters of the note of a penalty or ruling; ten of them still fit one live event."""

JOINERS = {0x200C: None, 0x200D: None}
"""Zero-width joiner and non-joiner."""

INVISIBLE: dict[int, None] = dict.fromkeys(
    [
        *(0x00AD, 0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFEFF, 0xFFA0),
        *(*range(0x180B, 0x1810), *range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2070)),
        *(*range(0xFE00, 0xFE10), *range(0x1D173, 0x1D17B), *range(0xE0000, 0xE1000)),
    ]
)
"""Invisible characters: Unicode's Default_Ignorable_Code_Point, and the empty Braille cell."""


def clean_name(name: str) -> str:
    """Normalize a player's name: collapse spaces, compose letters (Unicode NFC).

    Raises:
        RuleError: the name is empty, too long, or has characters that displays cannot show.
    """
    words = compose(" ".join(name.split()))
    said = cite(name)
    if not 1 <= len(words) <= LONGEST_NAME:
        raise RuleError("name_length", most=LONGEST_NAME, name=said, letters=len(words))
    if not is_printable(words) or not comparison_key(words).strip():
        raise RuleError("name_unseen", name=said)
    if len(words.encode()) > MOST_NAME_BYTES:
        raise RuleError("name_wide", name=said)
    return words


def compose(name: str) -> str:
    """A name in Unicode's composed form (NFC), as stored."""
    return unicodedata.normalize("NFC", name)


def cite(name: str) -> str:
    """Quote a name, truncated if it is too long."""
    return repr(name) if len(name) <= LONGEST_NAME else f"{name[:LONGEST_CITED]!r}..."


def check_distinct(names: Sequence[str]) -> None:
    """Check that no two names look alike.

    Raises:
        RuleError: two names look alike; the message names the first of them.
    """
    looks = [comparison_key(name) for name in names]
    for name, look in zip(names, looks, strict=True):
        if looks.count(look) > 1:
            raise RuleError("called_twice", name=name)


def comparison_key(name: str) -> str:
    """A name's comparison key: without invisible characters, case-folded, and in compatibility form (NFKC)."""
    return unicodedata.normalize("NFKC", name.translate(INVISIBLE)).casefold().translate(INVISIBLE)


def is_printable(name: str) -> bool:
    """Whether every display can show a name; the joiners of Persian, Hindi and emoji are allowed."""
    return name.translate(JOINERS).isprintable()


def clean_note(note: str) -> str:
    """Normalize the note of a penalty or ruling: collapse spaces.

    Raises:
        RuleError: the note is too long, or has characters that displays cannot show.
    """
    words = " ".join(note.split())
    if len(words) > LONGEST_NOTE:
        raise RuleError("note_length", most=LONGEST_NOTE, letters=len(words))
    if not is_printable(words):
        raise RuleError("note_unseen", note=repr(words))
    return words
