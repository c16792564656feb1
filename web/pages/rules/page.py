"""The rules page: the lines of the rulebook as they are told by the rules in force, or by those of another variant."""

import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from flask import request
from markupsafe import Markup

from pegboard.core.rules import VARIANTS, Rules
from pegboard.scoreboard import Scoreboard
from web.api.contract.fields import said
from web.http.problems import Problem
from web.pages.i18n import chosen, told
from web.pages.rules import outline, worked_examples

MOST_KEPT = 24
"""Written books that are kept, some 60 kB each: every variant in two languages, and a few house rules."""


@dataclass(frozen=True, slots=True)
class RulesPage:
    """What the template of the page asks.

    Attributes:
        rules: that are told.
        asked: the variant whose rules were asked for; None for those in force.
        kept: what has been written before.
    """

    rules: Rules
    asked: str | None
    kept: dict[Any, Markup] = field(repr=False)
    book = outline
    worked = worked_examples

    def once(self, language: str, *, caller: Callable[[], Markup]) -> Markup:
        """What the template writes for all who read these rules in a language."""
        key = (language, self.rules, self.asked)
        if key not in self.kept:
            if len(self.kept) >= MOST_KEPT:
                self.kept.clear()
            self.kept[key] = caller()
        return self.kept[key]

    @property
    def glossary(self) -> list[tuple[str, str]]:
        """The words of the game with their anchors, as a dictionary of the reader's language has them."""
        language = chosen()
        return sorted(outline.GLOSSARY.items(), key=lambda term: _sorted_as(told(language, f"rules.term_{term[0]}")))


def rules_page(scoreboard: Scoreboard, kept: dict[Any, Markup]) -> RulesPage:
    """The page for this request; `kept` keeps what is written once for many.

    Raises:
        Problem: 404, there is no such variant.
    """
    asked = request.args.get("variant")
    if asked is None:
        return RulesPage(scoreboard.view.game.rules, None, kept)
    if asked not in VARIANTS:
        raise Problem(404, "not_found", "no_such_variant", variant=said(asked), known=", ".join(VARIANTS))
    return RulesPage(VARIANTS[asked], asked, kept)


def _sorted_as(word: str) -> str:
    """Letters without their accents."""
    return "".join(letter for letter in unicodedata.normalize("NFD", word.lower()) if not unicodedata.combining(letter))
