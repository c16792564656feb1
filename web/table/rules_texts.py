"""The rules page as data: sections, rules and house rules; text keys and values under the rules of a game."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeAlias

from pegboard.core.board_shape import LAP, STREETS
from pegboard.core.cards.pack import SUITS, VALUES
from pegboard.core.cards.show import ALL_FIVE
from pegboard.core.faults import FAULT_RULES, FaultName
from pegboard.core.game_statistics import pars
from pegboard.core.house_rules import HOUSE_RULES, difference
from pegboard.core.names import LONGEST_NAME, LONGEST_NOTE
from pegboard.core.presets import PRESETS, plain_rules
from pegboard.core.rules import (
    FALSE_CLAIM_HOLES,
    HEAD_START,
    HEELS_LIMITS,
    IN_GAMES,
    MOST_AT_ONCE,
    MOST_FOR_A_CARD,
    TRIPLE,
    WORTH,
    FirstDeal,
    OverpegAward,
    Rules,
)

PREFIX = "rules."
"""The prefix of the texts' keys in the catalogs."""

THREE, FOUR = 3, 4

HAND_CARDS = 4
HAND_CARDS_OF_FIVE = 3
"""Cards in a hand after the discard; in five-card cribbage three."""

SIX = 6
"""Players at a table of three partnerships."""

TWO_PLAYER, GUIDE, BOX, LAWS, ACC = "Two-player sheet", "Complete guide", "Box sheet", "1922 laws", "ACC tournament"
"""Presets whose sheets need a sentence of their own on the page."""

SILENT_ON_FAULTS = (TWO_PLAYER, BOX, GUIDE)
"""Presets whose sheets do not describe faults of the deal or false claims."""

TEN = 10
"""The value of a ten and of the face cards."""

VARIANTS_IN_NOTES = {LAWS: ("six-partners", "cut-throat-four", "five-card")}
"""Variants that a preset's sheet mentions in its notes, without describing them as its own game."""

Endings: TypeAlias = Callable[[Rules], Iterator[str]]


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule that refusals and parts of a count can link to.

    Attributes:
        anchor: the rule's anchor on the page, and the end of the key of its heading in the catalogs.
        endings: returns the endings of the paragraphs' keys under the rules of a game; None for only `text`. A rule
            without paragraphs is not on the page.
        shows_board: whether there is another text for each board that displays can draw; `endings` then follow that of
            the streets.
    """

    anchor: str
    endings: Endings | None = None
    shows_board: bool = False

    def texts(self, rules: Rules, board: str = STREETS) -> list[str]:
        """The text keys of the rule's paragraphs, on pages of a table whose displays draw this board."""
        found = ["text"] if self.endings is None else list(self.endings(rules))
        if self.shows_board:
            found = [board, *(found if board == STREETS else [])]
        return [f"{PREFIX}{self.anchor}_{ending}" for ending in found]


@dataclass(frozen=True, slots=True)
class Section:
    """A section of the page: its heading and its rules."""

    anchor: str
    rules: tuple[Rule, ...]


def _alone(rules: Rules) -> bool:
    return rules.seats == 1


def _first_deal(rules: Rules) -> Iterator[str]:
    if _alone(rules):
        yield "alone"
    else:
        several = "-side" if _has_partners(rules) else "-last" if _has_several_opponents(rules) else ""
        yield from ("text", f"{rules.first_deal}{several if rules.first_deal == FirstDeal.LOSER else ''}")
    if rules.preset == TWO_PLAYER:
        yield "sheet"


def _deal(rules: Rules) -> Iterator[str]:
    if not _alone(rules):
        yield "cut"
    if rules.pegging_only:
        yield "five"
    elif dealer_takes_six(rules):
        yield "six"
    else:
        yield "cut-throat" if rules.lanes == FOUR else f"{rules.seats}"


def dealer_takes_six(rules: Rules) -> bool:
    """Whether the dealer of three takes six cards and discards two."""
    return rules.seats == THREE and rules.dealer_six


def _has_partners(rules: Rules) -> bool:
    return rules.lanes < rules.seats


def _crib(rules: Rules) -> Iterator[str]:
    yield from ("alone",) if _alone(rules) else ("text", "side" if _has_partners(rules) else "own")


def _alone_or_text(rules: Rules) -> Iterator[str]:
    yield "alone" if _alone(rules) else "text"


def _then_strict(rules: Rules) -> Iterator[str]:
    yield from _alone_or_text(rules)
    if rules.strict and not _alone(rules):
        yield "strict"


def _text_then_strict(rules: Rules) -> Iterator[str]:
    yield "text"
    if rules.strict:
        yield "strict"


def _heels(rules: Rules) -> Iterator[str]:
    yield from ("alone" if _alone(rules) else "text", "limited" if HEELS_LIMITS[rules.heels_limit] else "free")


def _head_start(rules: Rules) -> Iterator[str]:
    holes = {"dealer": rules.dealer_start, "pone": rules.pone_start}
    ahead = [who for who, start in holes.items() if start]
    yield from ahead or ["none"]
    if rules.dealer_start:
        yield "last"


def _flush_in_the_crib(rules: Rules) -> Iterator[str]:
    yield "text" if rules.crib_flush == ALL_FIVE else "four"


def _lanes(rules: Rules) -> Iterator[str]:
    yield "partners" if _has_partners(rules) else "own"


def _either(attribute: str, when_on: str, when_off: str) -> Endings:
    def endings(rules: Rules) -> Iterator[str]:
        yield when_on if getattr(rules, attribute) else when_off

    return endings


_five_or_text = _either("pegging_only", "five", "text")
_strict_or_free = _either("strict", "strict", "free")


def _game_hole(rules: Rules) -> Iterator[str]:
    yield from ("solo", "alone") if rules.enough else ("text",)


def _skunk(rules: Rules) -> Iterator[str]:
    if not rules.skunk_lines:
        yield "alone" if _alone(rules) else "none"
        return
    double = "double-sheet" if rules.preset == BOX else "double"
    yield from ("lurch",) if rules.lurch else ("line", double, "triple")[: len(rules.skunk_lines)]
    if rules.preset == GUIDE and rules.game_hole == plain_rules(rules).game_hole and len(rules.skunk_lines) > 1:
        yield "sheet"
    if _has_several_opponents(rules):
        yield "each-sheet" if rules.preset in PRESETS else "each"


def _worth(rules: Rules) -> Iterator[str]:
    if rules.enough:
        yield "alone"
        if rules.preset == GUIDE:
            yield "alone-sheet"
        return
    if rules.preset in (TWO_PLAYER, BOX) and rules.skunk_lines:
        yield "sheet"
    counted = "games" if rules.worth in IN_GAMES else "points"
    skunks = "_lurch" if rules.lurch else ("_none", "_one", "")[min(len(rules.skunk_lines), 2)]
    yield f"{counted}{skunks}"
    if rules.preset == LAWS and len(rules.skunk_lines) > 1 and rules.worth != WORTH["games 1-2-4"]:
        yield "readers"
    if rules.triple_wins_match and len(rules.skunk_lines) >= TRIPLE:
        yield "triple"


def _play_run(rules: Rules) -> Iterator[str]:
    yield from _five_or_text(rules)
    if rules.preset == BOX:
        yield "slip"


def _play_double_pair_royal(rules: Rules) -> Iterator[str]:
    yield "text"
    if rules.preset == LAWS:
        yield "slip"


def _double_run(rules: Rules) -> Iterator[str]:
    yield "text"
    if rules.preset == LAWS:
        yield "sheet"


def _best_hand(rules: Rules) -> Iterator[str]:
    yield from _five_or_text(rules)
    if rules.preset == LAWS:
        yield "sheet"


def _board_of_sheet(rules: Rules) -> Iterator[str]:
    if rules.preset == LAWS:
        yield "sheet"


def _muggins(rules: Rules) -> Iterator[str]:
    yield "alone" if rules.lanes == 1 else "on" if rules.muggins else "off"
    if rules.preset in (TWO_PLAYER, BOX) and not rules.muggins:
        yield "sheet"


def _misdeal(rules: Rules) -> Iterator[str]:
    is_silent = rules.preset in SILENT_ON_FAULTS
    if is_silent:
        yield "sheet"
    if _alone(rules):
        yield "alone"
        return
    if rules.redeals_by_acc:
        yield from ("kinds", "acc", "deck", "turn-acc")
        return
    yield "kinds"
    if is_silent and not (rules.misdeal or rules.pone_chooses):
        yield "as-acc"
    else:
        yield from ("points" if rules.misdeal else "none", "choice" if rules.pone_chooses else "redeal")
    yield from ("decide", "stands") if rules.pone_chooses else ("until",)
    yield from ("deck", "turn")
    if is_silent or rules.preset == ACC:
        yield "as-1922"
    if rules.seats > 2:  # noqa: PLR2004 - of two players, one is the pone
        yield "sides" if _has_partners(rules) else "each"


def _penalty(rules: Rules) -> Iterator[str]:
    if _alone(rules):
        yield "alone"
    else:
        yield "sides" if _has_several_opponents(rules) else "text"
        yield "usual" if rules.seats > 2 else "usual-two"  # noqa: PLR2004 - of two players, only the dealer is not the pone
    if rules.preset == LAWS:
        yield "left-out"


def _has_several_opponents(rules: Rules) -> bool:
    return rules.lanes > 2  # noqa: PLR2004 - of two lanes, one is the opponent's


def _false_claim(rules: Rules) -> Iterator[str]:
    yield from _alone_or_text(rules)
    if _has_several_opponents(rules):
        yield "three"
    if rules.preset == LAWS:
        yield "sheet"


def _over_peg(rules: Rules) -> Iterator[str]:
    yield "alone" if _alone(rules) else rules.overpeg_award
    if rules.overpeg_award == OverpegAward.EXCESS and _has_several_opponents(rules):
        yield "three"
    if rules.overpeg_award == OverpegAward.NONE and rules.preset == LAWS:
        yield "sheet"


def _under_peg(rules: Rules) -> Iterator[str]:
    yield "strict" if rules.strict else "sheet" if rules.preset == LAWS else "free"


def _discards_one(rules: Rules) -> bool:
    return rules.seats > 2  # noqa: PLR2004 - each of two players discards two cards


def feeds_own_crib(rules: Rules) -> bool:
    """Whether players discard to a crib of their own side; of six, the dealer and partner are dealt no discard."""
    return rules.seats < SIX


def _own_crib(rules: Rules) -> Iterator[str]:
    if feeds_own_crib(rules):
        one = "side" if _has_partners(rules) else "one"
        yield "alone" if _alone(rules) else one if _discards_one(rules) and not dealer_takes_six(rules) else "text"


def _their_crib(rules: Rules) -> Iterator[str]:
    if _alone(rules):
        return
    yield "one" if _discards_one(rules) else "text"
    if rules.preset == GUIDE:
        yield "slip"


def _against_opponents(rules: Rules) -> Iterator[str]:
    if not _alone(rules):
        yield "text"


def _keys(rules: Rules) -> Iterator[str]:
    yield from ("text", "four") if rules.lanes == FOUR else ("text",)


def _par(rules: Rules) -> Iterator[str]:
    is_known = pars(rules) != (None, None)
    yield "alone" if _alone(rules) else "text" if is_known else "unknown"
    if is_known and rules.dealer_start:
        yield "ahead"


SECTIONS = (
    Section(
        "the-cards",
        (
            Rule("the-pack"),
            Rule("first-deal", _first_deal),
            Rule("the-deal", _deal),
            Rule("the-crib", _crib),
            Rule("the-starter", _alone_or_text),
            Rule("heels", _heels),
            Rule("head-start", _head_start),
        ),
    ),
    Section(
        "the-play",
        (
            Rule("turns"),
            Rule("play-fifteen"),
            Rule("play-pair"),
            Rule("play-pair-royal"),
            Rule("play-double-pair-royal", _play_double_pair_royal),
            Rule("play-run", _play_run),
            Rule("thirty-one"),
            Rule("go"),
            Rule("last-card"),
            Rule("anew"),
            Rule("play-most"),
            Rule("play-held"),
        ),
    ),
    Section(
        "the-show",
        (
            Rule("order-of-the-show", _alone_or_text),
            Rule("counted-cards", _five_or_text),
            Rule("fifteen"),
            Rule("pair"),
            Rule("pair-royal"),
            Rule("double-pair-royal"),
            Rule("run"),
            Rule("double-run", _double_run),
            Rule("flush", _five_or_text),
            Rule("flush-in-the-crib", _flush_in_the_crib),
            Rule("nobs"),
            Rule("zero"),
            Rule("impossible", _five_or_text),
            Rule("best-hand", _best_hand),
        ),
    ),
    Section(
        "pegging",
        (
            Rule("the-board", _board_of_sheet, shows_board=True),
            Rule("lanes", _lanes),
            Rule("leapfrog"),
            Rule("who-scores"),
            Rule("peg-out", _either("peg_out", "on", "off")),
        ),
    ),
    Section(
        "winning",
        (
            Rule("game-hole", _game_hole),
            Rule("skunk", _skunk),
            Rule("worth", _worth),
            Rule("match"),
            Rule("confirm", _either("confirm", "on", "off")),
        ),
    ),
    Section(
        "strategy",
        (
            Rule("keep-most"),
            Rule("own-crib", _own_crib),
            Rule("their-crib", _their_crib),
            Rule("many-starters"),
            Rule("low-cards", _against_opponents),
        ),
    ),
    Section(
        "strategy-play",
        (
            Rule("lead-low", _against_opponents),
            Rule("lead-no-five", _against_opponents),
            Rule("lead-a-pair", _against_opponents),
            Rule("lead-to-five", _against_opponents),
            Rule("not-twenty-one", _against_opponents),
            Rule("answer-runs", _against_opponents),
            Rule("save-low", _against_opponents),
        ),
    ),
    Section(
        "position",
        (
            Rule("par", _par),
            Rule("ahead-or-behind", _against_opponents),
            Rule("last-deals", _against_opponents),
        ),
    ),
    Section(
        "faults",
        (
            Rule("muggins", _muggins),
            Rule("misdeal", _misdeal),
            Rule("penalty", _penalty),
            Rule("over-peg", _over_peg),
            Rule("under-peg", _under_peg),
            Rule("backward-penalty"),
            Rule("renege", _alone_or_text),
            Rule("false-claim", _false_claim),
            Rule("judge"),
            Rule("corrections", _strict_or_free),
        ),
    ),
    Section(
        "this-board",
        (
            Rule("one-tap"),
            Rule("keys", _keys),
            Rule("undo", _either("strict", "strict", "text")),
            Rule("asked-again"),
            Rule("the-sheet", _text_then_strict),
            Rule("counters", _five_or_text),
            Rule("names"),
            Rule("substitute", _text_then_strict),
            Rule("handicap", _then_strict),
            Rule("variants"),
            Rule("who-may"),
        ),
    ),
)
"""All sections except the beginning and the glossary."""


@cache
def sections(rules: Rules) -> tuple[Section, ...]:
    """The sections with the rules that apply to a game; the strategy against opponents is left out of solitaire."""
    applying = (Section(each.anchor, tuple(rule for rule in each.rules if rule.texts(rules))) for each in SECTIONS)
    return tuple(section for section in applying if section.rules)


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
"""The anchor of each house rule's explanation."""

IN_SHORT = ("deal", "cut", "play", "show", "peg", "win")
IN_SHORT_ALONE = ("alone_deal", "alone_cut", "alone_show", "peg", "alone_win")


@cache
def anchors() -> frozenset[str]:
    """All anchors of the page."""
    rules = {rule.anchor for section in SECTIONS for rule in section.rules}
    return frozenset(rules | {section.anchor for section in SECTIONS} | {"in-short", "glossary"})


def in_short(rules: Rules) -> list[str]:
    """The text keys of the summary."""
    return [f"{PREFIX}short_{step}" for step in (IN_SHORT_ALONE if _alone(rules) else IN_SHORT)]


def house_rules(rules: Rules, words: Iterable[str] | None = None) -> list[tuple[str, str, str]]:
    """House rules of these rules: the key of the text, the value, and the anchor of each.

    `words` are the house rules, such as muggins=on; None for all that change the variant.
    """
    settled = (word.partition("=") for word in (difference(rules) if words is None else words))
    return [
        (_worth_key(rules, value) if name == "worth" else _key_of(name, value), value, HOUSE[name])
        for name, _, value in settled
    ]


def preset_key(name: str) -> str:
    """The end of the keys of a preset's texts."""
    return name.lower().replace(" ", "_").replace("-", "_")


def _worth_key(rules: Rules, value: str) -> str:
    """The text key of what a game is worth, which names only the skunks that this game has."""
    skunks = "lurch" if rules.lurch else ("none", "one", "")[min(len(rules.skunk_lines), 2)]
    skunks = "alone" if rules.enough else skunks
    return f"{PREFIX}worth_short_{skunks}" if skunks and len(set(rules.worth)) > 1 else _key_of("worth", value)


def _key_of(name: str, value: str) -> str:
    """The text key of a house rule; the same for all values if they are numbers."""
    key = f"settings.house_{name.replace(' ', '_').replace('-', '_')}"
    return key if HOUSE_RULES[name].values is None else f"{key}_{value.replace(' ', '_')}"


def values(rules: Rules) -> dict[str, Any]:
    """The values of the texts' placeholders under these rules."""
    lines = dict(zip(("line", "double_line", "triple_line"), rules.skunk_lines, strict=False))
    worth = [rules.worth[min(skunks, len(rules.worth) - 1)] for skunks in range(3)]
    return {
        "home": rules.game_hole,
        "around": LAP,
        "enough": rules.enough,
        "kept": HAND_CARDS_OF_FIVE if rules.pegging_only else HAND_CARDS,
        "last": rules.game_hole - 1,
        "ahead": max(rules.dealer_start, rules.pone_start, HEAD_START),
        "heels_from": rules.game_hole - HEELS_LIMITS[rules.heels_limit],
        "most": MOST_AT_ONCE,
        "most_card": MOST_FOR_A_CARD,
        "false_claim": FALSE_CLAIM_HOLES,
        "tens": sum(value == TEN for value in VALUES) * len(SUITS),
        "each_deal": -(-rules.enough // rules.last_deal) if rules.last_deal else 0,
        "deals": rules.last_deal,
        "misdeal": rules.misdeal,
        "out_of_turn": FAULT_RULES[FaultName.OUT_OF_TURN].points,
        "cut_pack": FAULT_RULES[FaultName.CUT_PACK].points,
        "longest_name": LONGEST_NAME,
        "longest_note": LONGEST_NOTE,
        **lines,
        "safe": lines.get("line", 0) + 1,
        "win": worth[0],
        "skunk_worth": worth[1],
        "double_worth": worth[2],
    }
