"""Formats of a match: how many games win it, and the names that people type for them."""

from pegboard.core.naming.typed_name_lookup import find, likely, suggestion
from pegboard.errors import RuleError

OPEN = "open"
"""The format of a match that has no end: games are tallied as long as the players like."""

FORMATS = {OPEN: 0, "single": 1, "best of 3": 2, "best of 5": 3, "best of 7": 4}
"""How many games win a match of that name; 0 where it goes on as long as the players like."""

FIRST_TO = "first to "
"""Before the number of games that win a match of any other length."""

LONGEST_MATCH = 99
"""Games that a match can ask for at most."""

LENGTH_PATTERN = "[1-9][0-9]?"
"""What 1 to `LONGEST_MATCH` look like, as a regular expression."""


_LENGTHS = {str(games): games for games in range(1, LONGEST_MATCH + 1)}
_ALL_FORMATS = (*FORMATS, *(FIRST_TO + games for games in _LENGTHS))


def read_format(name: str) -> int:
    """How many games win a match of a format, 0 for one that has no end.

    Raises:
        RuleError: there is no such format.
    """
    if name in FORMATS:
        return FORMATS[name]
    games = name.removeprefix(FIRST_TO) if name.startswith(FIRST_TO) else ""
    if games in _LENGTHS:
        return _LENGTHS[games]
    meant = find(name, _ALL_FORMATS) or likely(name, _ALL_FORMATS)
    if meant is not None and _number_in(name) not in {"", _number_in(meant)}:  # another number is another match
        meant = None
    most = f"{LONGEST_MATCH}{suggestion(meant)}"
    raise RuleError("rules_no_format", format=repr(name), known=", ".join(FORMATS), most=most)


def _number_in(name: str) -> str:
    return "".join(letter for letter in name if letter.isdigit())


def format_named(text: str) -> str:
    """The match format of that name, whatever its capitals and blanks: `Best of 3` and `bestof3` are one.

    Raises:
        RuleError: there is no such format.
    """
    name = find(text, _ALL_FORMATS) or text
    read_format(name)
    return name
