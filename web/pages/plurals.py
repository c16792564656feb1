"""Plural forms by the rules of Unicode's CLDR: those that a language has, and the one that it takes for a number."""

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from babel.plural import PluralRule

FORMS = ("zero", "one", "two", "few", "many", "other")
"""Those of all languages, as Unicode calls them."""

COUNTED = (*range(1000), *(n / 10 for n in range(100)))
"""Numbers that take every form that a page can need; some languages have one for a million."""


@cache
def forms_of(language: str) -> tuple[str, ...]:
    """The forms that a language needs for what pages count, such as "one", "few", "many" and "other" in Polish."""
    needed = {"other", *map(_rule(language), COUNTED)}
    return tuple(form for form in FORMS if form in needed)


def form_for(language: str, number: float) -> str:
    """The form that a language takes for a number, such as "one" for 1.5 in French."""
    return _rule(language)(number)


@cache
def _rule(language: str) -> "PluralRule":
    """The rule of a language, by the code of its catalog; that of English where Unicode does not know it."""
    from babel import Locale, UnknownLocaleError  # loaded when something is counted, not when a table begins

    try:
        return Locale.parse(language, sep="-").plural_form
    except (UnknownLocaleError, ValueError):
        return Locale("en").plural_form
