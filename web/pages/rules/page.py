"""The rules page: written by the rules of the running game, or by those of a variant that the address names."""

import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from flask import request
from markupsafe import Markup

from pegboard.core.rules import VARIANTS, Rules
from pegboard.table.scoreboard import Scoreboard
from web.api.contract.schema_fields import quote
from web.http.problems import Problem
from web.pages.i18n import current_language, translate
from web.pages.rules import sections_and_texts, worked_examples

MOST_CACHED = 24
"""Pages in memory, some 60 kB each: every variant in two languages, and a few house rules."""


@dataclass(frozen=True, slots=True)
class RulesPage:
    """What the template of the page needs.

    Attributes:
        rules: that the page explains.
        variant: the variant that the address names; None for the running game.
        cache: what the template has written before.
    """

    rules: Rules
    variant: str | None
    cache: dict[Any, Markup] = field(repr=False)
    outline = sections_and_texts
    examples = worked_examples

    def cache_book(self, language: str, *, caller: Callable[[], Markup]) -> Markup:
        """What the template writes for all who read these rules in a language."""
        key = (language, self.rules, self.variant)
        if key not in self.cache:
            if len(self.cache) >= MOST_CACHED:
                self.cache.clear()
            self.cache[key] = caller()
        return self.cache[key]

    @property
    def glossary(self) -> list[tuple[str, str]]:
        """The terms of the game with their anchors, sorted in the reader's language."""
        language = current_language()
        return sorted(
            sections_and_texts.GLOSSARY.items(),
            key=lambda term: _sort_key(translate(language, f"rules.term_{term[0]}")),
        )


def rules_page(scoreboard: Scoreboard, cache: dict[Any, Markup]) -> RulesPage:
    """The page for this request; `cache` holds what is written once for all readers.

    Raises:
        Problem: 404, there is no such variant.
    """
    variant = request.args.get("variant")
    if variant is None:
        return RulesPage(scoreboard.view.game.rules, None, cache)
    if variant not in VARIANTS:
        raise Problem(404, "not_found", "no_such_variant", variant=quote(variant), known=", ".join(VARIANTS))
    return RulesPage(VARIANTS[variant], variant, cache)


def _sort_key(word: str) -> str:
    """Letters without their accents."""
    return "".join(letter for letter in unicodedata.normalize("NFD", word.lower()) if not unicodedata.combining(letter))
