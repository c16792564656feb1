"""The glossary of the rules page: terms with the anchors of their explanations, sorted in the reader's language."""

import unicodedata
from collections.abc import Mapping

from pegboard.core.rules import Rules
from web.kit.i18n import translate

GLOSSARY: Mapping[str, str] = {
    "box": "the-crib",
    "counting": "the-show",
    "crib": "the-crib",
    "crib-flush": "flush-in-the-crib",
    "cut": "the-starter",
    "deal": "the-deal",
    "dealer": "first-deal",
    "discard": "the-deal",
    "double-pair-royal": "double-pair-royal",
    "double-run": "double-run",
    "double-skunk": "skunk",
    "fifteen": "fifteen",
    "flush": "flush",
    "front-peg": "the-board",
    "game-hole": "game-hole",
    "go": "go",
    "hand": "counted-cards",
    "heels": "heels",
    "lane": "lanes",
    "last-card": "last-card",
    "leapfrog": "leapfrog",
    "lurch": "skunk",
    "match": "match",
    "misdeal": "misdeal",
    "muggins": "muggins",
    "nibs": "heels",
    "nineteen": "zero",
    "nobs": "nobs",
    "pair": "pair",
    "pair-royal": "pair-royal",
    "par": "par",
    "peg": "the-board",
    "peg-out": "game-hole",
    "play": "the-play",
    "pone": "the-starter",
    "position": "position",
    "rear-peg": "the-board",
    "redeal": "misdeal",
    "renege": "renege",
    "royal-pair": "pair-royal",
    "run": "run",
    "sequence": "run",
    "show": "the-show",
    "skunk": "skunk",
    "spread": "match",
    "starter": "the-starter",
    "stock": "the-starter",
    "street": "the-board",
    "thirty-one": "thirty-one",
    "triple-skunk": "skunk",
    "turn-up": "the-starter",
    "zero-hand": "zero",
}
"""Terms of the game, other names of the same thing included, each with the anchor of its explanation."""


def sorted_terms(language: str) -> list[tuple[str, str]]:
    """The terms of the game with their anchors, sorted in a language as a reader looks for them.

    Upper case and accents do not count.
    """
    names = {term: translate(language, f"rules.term_{term}") for term in GLOSSARY}
    return [(term, GLOSSARY[term]) for term in sorted(names, key=lambda term: _sort_key(names[term]))]


def glossary_text(term: str, rules: Rules) -> str:
    """The text key of a term under these rules."""
    return f"rules.term_{term}_{'five' if term == 'flush' and rules.pegging_only else 'said'}"


def _sort_key(word: str) -> str:
    """A word in lower case without accents."""
    return "".join(letter for letter in unicodedata.normalize("NFD", word.lower()) if not unicodedata.combining(letter))
