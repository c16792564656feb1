"""The rules page as data: its sections and lines, and which texts of the catalog say each by the rules in force."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeAlias

from pegboard.core.cards.show import ALL_FIVE
from pegboard.core.house_rules import HOUSE_RULES, difference
from pegboard.core.naming.player_names import LONGEST_NAME, LONGEST_NOTE
from pegboard.core.rules import (
    FALSE_CLAIM_HOLES,
    HEAD_START,
    HEELS_LIMITS,
    IN_GAMES,
    MOST_AT_ONCE,
    MOST_FOR_A_CARD,
    PENALTIES,
    TRIPLE,
    VARIANTS,
    OverpegAward,
    Rules,
)

SECTION = "rules."
"""Where the catalog keeps the texts."""

THREE = 3
PARTNERS = 4
"""Players at a table of two partnerships."""

KEPT = 4
KEPT_OF_FIVE = 3
"""Cards of a hand when the others are laid away; the old game of five cards keeps three."""

Says: TypeAlias = Callable[[Rules], Iterator[str]]


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the rules that a refusal or a part of a count can name.

    Attributes:
        anchor: its name in the page's address; the catalog has its heading under the same word.
        says: the endings of the keys of what it says by some rules.
    """

    anchor: str
    says: Says | None = None

    def texts(self, rules: Rules) -> list[str]:
        """The keys of its paragraphs."""
        endings = ["text"] if self.says is None else list(self.says(rules))
        return [f"{SECTION}{self.anchor}_{ending}" for ending in endings]


@dataclass(frozen=True, slots=True)
class Chapter:
    """A part of the page with a heading and its lines."""

    anchor: str
    lines: tuple[Line, ...]


def _alone(rules: Rules) -> bool:
    return rules.seats == 1


def _first_deal(rules: Rules) -> Iterator[str]:
    if _alone(rules):
        yield "alone"
    else:
        yield from ("text", rules.first_deal)


def _deal(rules: Rules) -> Iterator[str]:
    yield "five" if rules.pegging_only else "six" if rules.seats == THREE and rules.dealer_six else f"{rules.seats}"


def _alone_or_text(rules: Rules) -> Iterator[str]:
    yield "alone" if _alone(rules) else "text"


def _heels(rules: Rules) -> Iterator[str]:
    yield from ("alone" if _alone(rules) else "text", "limited" if HEELS_LIMITS[rules.heels_limit] else "free")


def _head_start(rules: Rules) -> Iterator[str]:
    if rules.dealer_start:
        yield "dealer"
    if rules.pone_start:
        yield "pone"
    if not rules.dealer_start and not rules.pone_start:
        yield "none"


def _five_or_text(rules: Rules) -> Iterator[str]:
    yield "five" if rules.pegging_only else "text"


def _flush_in_the_crib(rules: Rules) -> Iterator[str]:
    yield "text" if rules.crib_flush == ALL_FIVE else "four"


def _lanes(rules: Rules) -> Iterator[str]:
    yield "partners" if rules.seats == PARTNERS else "own"


def _off_or_on(attribute: str) -> Says:
    def says(rules: Rules) -> Iterator[str]:
        yield "on" if getattr(rules, attribute) else "off"

    return says


def _game_hole(rules: Rules) -> Iterator[str]:
    yield "text"
    if rules.enough:
        yield "alone"


def _skunk(rules: Rules) -> Iterator[str]:
    if not rules.skunk_lines:
        yield "alone" if _alone(rules) else "none"
        return
    yield from ("lurch",) if rules.lurch else ("line", "double", "triple")[: len(rules.skunk_lines)]
    if rules.lanes > 2:  # noqa: PLR2004 - with two lanes there is one loser
        yield "each"


def _worth(rules: Rules) -> Iterator[str]:
    if rules.enough:
        yield "alone"
        return
    counted = "games" if rules.worth in IN_GAMES else "points"
    skunks = "_lurch" if rules.lurch else ("_none", "_one", "")[min(len(rules.skunk_lines), 2)]
    yield f"{counted}{skunks}"
    if rules.triple_wins_match and len(rules.skunk_lines) >= TRIPLE:
        yield "triple"


def _muggins(rules: Rules) -> Iterator[str]:
    if rules.lanes == 1:
        yield "alone"
    else:
        yield from _off_or_on("muggins")(rules)


def _misdeal(rules: Rules) -> Iterator[str]:
    if _alone(rules):
        yield "alone"
        return
    yield from ("kinds", "points" if rules.misdeal else "none")
    if rules.pone_chooses:
        yield "choice"


def _over_peg(rules: Rules) -> Iterator[str]:
    yield "alone" if _alone(rules) else rules.overpeg_award
    if rules.overpeg_award == OverpegAward.EXCESS and rules.lanes > 2:  # noqa: PLR2004 - of two lanes one is the opponent's
        yield "three"


def _strict_or_free(rules: Rules) -> Iterator[str]:
    yield "strict" if rules.strict else "free"


def _undo(rules: Rules) -> Iterator[str]:
    yield "strict" if rules.strict else "text"


CHAPTERS = (
    Chapter(
        "the-cards",
        (
            Line("the-pack"),
            Line("first-deal", _first_deal),
            Line("the-deal", _deal),
            Line("the-crib", _alone_or_text),
            Line("the-starter", _alone_or_text),
            Line("heels", _heels),
            Line("head-start", _head_start),
        ),
    ),
    Chapter(
        "the-play",
        (
            Line("turns"),
            Line("play-fifteen"),
            Line("play-pair"),
            Line("play-pair-royal"),
            Line("play-double-pair-royal"),
            Line("play-run", _five_or_text),
            Line("thirty-one"),
            Line("go"),
            Line("last-card"),
            Line("anew"),
            Line("play-most"),
            Line("play-held"),
        ),
    ),
    Chapter(
        "the-show",
        (
            Line("order-of-the-show", _alone_or_text),
            Line("counted-cards", _five_or_text),
            Line("fifteen"),
            Line("pair"),
            Line("pair-royal"),
            Line("double-pair-royal"),
            Line("run"),
            Line("double-run"),
            Line("flush", _five_or_text),
            Line("flush-in-the-crib", _flush_in_the_crib),
            Line("nobs"),
            Line("zero"),
            Line("impossible"),
            Line("best-hand", _five_or_text),
        ),
    ),
    Chapter(
        "pegging",
        (
            Line("the-board"),
            Line("lanes", _lanes),
            Line("leapfrog"),
            Line("who-scores"),
            Line("peg-out", _off_or_on("peg_out")),
        ),
    ),
    Chapter(
        "winning",
        (
            Line("game-hole", _game_hole),
            Line("skunk", _skunk),
            Line("worth", _worth),
            Line("match"),
            Line("confirm", _off_or_on("confirm")),
        ),
    ),
    Chapter(
        "faults",
        (
            Line("muggins", _muggins),
            Line("misdeal", _misdeal),
            Line("penalty", _alone_or_text),
            Line("over-peg", _over_peg),
            Line("under-peg", _strict_or_free),
            Line("backward-penalty"),
            Line("renege", _alone_or_text),
            Line("false-claim", _alone_or_text),
            Line("judge"),
            Line("corrections", _strict_or_free),
        ),
    ),
    Chapter(
        "this-board",
        (
            Line("one-tap"),
            Line("keys"),
            Line("undo", _undo),
            Line("asked-again"),
            Line("the-sheet"),
            Line("counters", _five_or_text),
            Line("names"),
            Line("variants"),
            Line("who-may"),
        ),
    ),
)
"""The page after its beginning and before its glossary."""

GLOSSARY: Mapping[str, str] = {
    "crib": "the-crib",
    "dealer": "first-deal",
    "double-pair-royal": "double-pair-royal",
    "double-run": "double-run",
    "flush": "flush",
    "front-peg": "the-board",
    "game-hole": "game-hole",
    "go": "go",
    "heels": "heels",
    "lane": "lanes",
    "leapfrog": "leapfrog",
    "misdeal": "misdeal",
    "muggins": "muggins",
    "nineteen": "zero",
    "nobs": "nobs",
    "pair-royal": "pair-royal",
    "peg-out": "game-hole",
    "play": "the-play",
    "pone": "the-starter",
    "rear-peg": "the-board",
    "renege": "renege",
    "show": "the-show",
    "skunk": "skunk",
    "spread": "match",
    "starter": "the-starter",
    "street": "the-board",
}
"""Words of the game, and the anchor under which each is explained."""

HOUSE: Mapping[str, str] = {
    "game hole": "game-hole",
    "skunks": "skunk",
    "worth": "worth",
    "first deal": "first-deal",
    "dealer start": "head-start",
    "three for last": "head-start",
    "heels limit": "heels",
    "muggins": "muggins",
    "crib flush": "flush-in-the-crib",
    "misdeal": "misdeal",
    "pone chooses": "misdeal",
    "dealer six": "the-deal",
    "over-peg": "over-peg",
    "strict": "corrections",
    "peg out": "peg-out",
    "confirm": "confirm",
}
"""Where each house rule is explained."""

IN_SHORT = ("deal", "cut", "play", "show", "peg", "win")
IN_SHORT_ALONE = ("alone_deal", "alone_cut", "alone_show", "peg", "alone_win")


@cache
def anchors() -> frozenset[str]:
    """Everything that a link into the page can name."""
    lines = {line.anchor for chapter in CHAPTERS for line in chapter.lines}
    return frozenset(lines | {chapter.anchor for chapter in CHAPTERS} | {"in-short", "glossary"})


def in_short(rules: Rules) -> list[str]:
    """The keys of the game in a few sentences."""
    return [f"{SECTION}short_{step}" for step in (IN_SHORT_ALONE if _alone(rules) else IN_SHORT)]


def house_rules(rules: Rules) -> list[tuple[str, str, str]]:
    """What these rules play otherwise than the variant of their name: the key of its words, its value, its anchor."""
    told = (word.partition("=") for word in difference(rules))
    return [(_words_of(name, value), value, HOUSE[name]) for name, _, value in told]


def _words_of(name: str, value: str) -> str:
    """The key of what a house rule says; one that takes a number has the same for all of them."""
    key = f"settings.house_{name.replace(' ', '_').replace('-', '_')}"
    return key if HOUSE_RULES[name].values is None else f"{key}_{value.replace(' ', '_')}"


def values(rules: Rules) -> dict[str, Any]:
    """What the texts name in braces, by these rules."""
    lines = dict(zip(("line", "double_line", "triple_line"), rules.skunk_lines, strict=False))
    worth = [rules.worth[min(skunks, len(rules.worth) - 1)] for skunks in range(3)]
    return {
        "home": rules.game_hole,
        "enough": rules.enough,
        "kept": KEPT_OF_FIVE if rules.pegging_only else KEPT,
        "ahead": max(rules.dealer_start, rules.pone_start, HEAD_START),
        "heels_from": rules.game_hole - HEELS_LIMITS[rules.heels_limit],
        "most": MOST_AT_ONCE,
        "most_card": MOST_FOR_A_CARD,
        "false_claim": FALSE_CLAIM_HOLES,
        "misdeal": rules.misdeal,
        "out_of_turn": PENALTIES["out-of-turn"],
        "cut_pack": PENALTIES["cut-pack"],
        "longest_name": LONGEST_NAME,
        "longest_note": LONGEST_NOTE,
        **lines,
        "safe": lines.get("line", 0) + 1,
        "win": worth[0],
        "skunk_worth": worth[1],
        "double_worth": worth[2],
    }


def variants() -> list[str]:
    """The names of all variants, in the order of their table."""
    return list(VARIANTS)
