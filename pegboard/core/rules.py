"""Game rules as data: variants, match formats, skunk lines and scoring limits; validation of rules."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from pegboard.core.faults import FAULT_RULES, FaultName, Until
from pegboard.core.names import TextEnum, find, likely, suggestion
from pegboard.errors import RuleError
from pegboard.messages import Message

# --- match formats ---


OPEN = "open"
"""The format of an open-ended match: games are tallied as long as the players like."""

FORMATS = {OPEN: 0, "single": 1, "best of 3": 2, "best of 5": 3, "best of 7": 4}
"""The number of games that win a match of each format; 0 if it is open-ended."""

FIRST_TO = "first to "
"""Prefix of a format that names the number of games to win."""

LONGEST_MATCH = 99
"""Maximum number of games to win a match."""

LENGTH_PATTERN = "[1-9][0-9]?"
"""Regular expression for 1 to `LONGEST_MATCH`."""

_LENGTHS = {str(games): games for games in range(1, LONGEST_MATCH + 1)}

_ALL_FORMATS = (*FORMATS, *(FIRST_TO + games for games in _LENGTHS))


def read_format(name: str) -> int:
    """Parse a match format: the number of games that win the match, 0 if it is open-ended.

    Raises:
        RuleError: there is no such format.
    """
    if name in FORMATS:
        return FORMATS[name]
    games = name.removeprefix(FIRST_TO) if name.startswith(FIRST_TO) else ""
    if games in _LENGTHS:
        return _LENGTHS[games]
    meant = find(name, _ALL_FORMATS) or likely(name, _ALL_FORMATS)
    if meant is not None and _number_in(name) not in {"", _number_in(meant)}:  # a different number is not a typo
        meant = None
    most = f"{LONGEST_MATCH}{suggestion(meant)}"
    raise RuleError("rules_no_format", format=repr(name), known=", ".join(FORMATS), most=most)


def _number_in(name: str) -> str:
    return "".join(letter for letter in name if letter.isdigit())


def format_named(text: str) -> str:
    """The match format with this name, ignoring case and spaces: `Best of 3` and `bestof3` are the same.

    Raises:
        RuleError: there is no such format.
    """
    name = find(text, _ALL_FORMATS) or text
    read_format(name)
    return name


Hole: TypeAlias = int
"""A hole of a lane; 0 is the start."""

Seat: TypeAlias = int
"""A player's place at the table, counted from 0; the deal passes to the next higher seat."""

MOST_SEATS, MOST_LANES = 6, 4
"""Maximum players at a table, and rows of holes; six play in three lanes."""

KEY_LANES = 3
"""Lanes that have keys, and room on a panel and a strip."""

STREET = 30
"""Holes in a street of the board; both skunk lines are at the end of a street."""

MOST_AT_ONCE = 29
"""Points of the best possible hand; nothing scores more at one time."""

IMPOSSIBLE_SHOWS = frozenset({19, 25, 26, 27})
"""Totals that no hand of four cards and a starter can have."""

IMPOSSIBLE_HANDS_OF_THREE = frozenset({*range(16, 20), *range(21, 30)})
"""Totals that no hand of three cards and a starter can have, as in five-card cribbage."""

MOST_FOR_A_CARD = 15
"""Maximum points accepted for one card in the play."""

GAME_HOLES = range(31, 362)
"""Accepted game holes."""

MISDEALS = range(30)
"""Points that can be awarded for a misdeal."""

LAST_DEALS = range(100)
"""Accepted numbers of the last deal; 0 if no deal is the last."""

WORTHS = range(1, 100)
"""Accepted match points for a game."""

FALSE_CLAIM_HOLES = 15
"""Holes that a false claim of game costs (ACC 8.4)."""

HEAD_START = 3
"""Holes of a head start: "three for last" in traditional five-card rules, and each dealer's in `box-sheet`."""

WORTH = {"games 1-2-3": (1, 2, 3), "games 1-2-4": (1, 2, 4), "ACC 2-3-3": (2, 3, 3), "flat": (1, 1, 1)}
"""Match points for a win, a skunk and a double skunk, by scheme; the last also applies to higher skunks."""

IN_GAMES = tuple(values for name, values in WORTH.items() if name.startswith("games"))
"""Schemes in which a skunk counts as several games won; other schemes give match points in addition to games won."""


class FirstDeal(TextEnum):
    """Rules by which a player deals first in the next game."""

    LOSER = "loser"
    ALTERNATE = "alternate"
    CUT = "cut"
    WINNER = "winner"


class HeelsLimit(TextEnum):
    """Rules for how close to the game hole heels score nothing."""

    NO_LIMIT = "no limit"
    LAST_HOLE = "120"
    LAST_FIVE = "last five"


class OverpegAward(TextEnum):
    """The opponent's award if a player over-pegged."""

    NONE = "none"
    EXCESS = "excess"


HEELS_LIMITS = {HeelsLimit.NO_LIMIT: 0, HeelsLimit.LAST_HOLE: 1, HeelsLimit.LAST_FIVE: 5}
"""Heels score nothing within this many holes of the game hole."""

CRIB_FLUSHES = {"five": 5, "four": 4}
"""How many cards of one suit make a flush in the crib: all five (the usual rule), or only its four."""

SKUNK, DOUBLE_SKUNK, TRIPLE_SKUNK = 31, 61, 91
"""Holes from the game hole back to the highest hole at which the loser is skunked."""


def lurch_line(game_hole: Hole) -> tuple[Hole, ...]:
    """The only skunk line with lurch: the last hole of the first half, 60 of 121 holes or 30 of 61."""
    return (game_hole // 2,)


TRIPLE = 3
"""The skunk line, counted from the highest, that makes a triple skunk."""


def skunk_lines(game_hole: Hole, *, triple: bool = False) -> tuple[Hole, ...]:
    """The highest holes at which a loser is skunked, in descending order: 90, 60 and, with `triple`, 30 of 121."""
    back = (SKUNK, DOUBLE_SKUNK, TRIPLE_SKUNK) if triple else (SKUNK, DOUBLE_SKUNK)
    return tuple(game_hole - holes for holes in back if game_hole > holes)


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of one game.

    Attributes:
        variant: the name of the variant they are based on.
        seats: number of players at the table, 1 to 6.
        lanes: number of rows of holes, 1 to 4; partners share a lane: seat s pegs in lane s modulo lanes.
        game_hole: the hole that wins, 31 to 361.
        skunk_lines: the highest holes at which a loser is skunked, in descending order: 90 for a skunk, 60 for a
            double skunk; empty if there are no skunks.
        worth: match points for a win, a skunk, a double skunk; the last also applies to higher skunks.
        lurch: whether the only skunk line is at the halfway point, and a skunk is called a lurch.
        triple_wins_match: whether a triple skunk wins the whole match.
        first_deal: the rule by which a player deals first in the next game.
        dealer_start: holes that each dealer starts ahead with every deal.
        pone_start: holes that the first pone starts ahead, once (three for last).
        heels_limit: how close to the game hole heels score nothing.
        muggins: whether missed points go to the caller.
        misdeal: points usually awarded to the opponent for a misdeal, 0 if the cards are only redealt.
        pone_chooses: whether pone may let the deal stand after a misdeal.
        dealer_six: whether, in three-handed games, the dealer takes six cards and discards two.
        overpeg_award: the opponent's award if a player over-pegged.
        strict: whether only a director can make corrections (an under-pegged score stands).
        peg_out: whether the winner must place the last peg.
        confirm: whether the players confirm the result.
        crib_flush: cards of one suit that make a flush in the crib: all five, or four by a house rule.
        pegging_only: whether hands have three cards, as in five-card cribbage.
        last_deal: the deal whose hand ends the game (solitaire), or 0 if only the game hole ends it.
        enough: the lowest hole that wins when the last deal ends the game.
        preset: the printed rule sheet that was chosen (`presets`), or empty; house rules can have changed it.
    """

    variant: str = "standard"
    seats: int = 2
    lanes: int = 2
    game_hole: Hole = 121
    skunk_lines: tuple[Hole, ...] = (90, 60)
    worth: tuple[int, ...] = WORTH["games 1-2-3"]
    lurch: bool = False
    triple_wins_match: bool = False
    first_deal: FirstDeal = FirstDeal.LOSER
    dealer_start: Hole = 0
    pone_start: Hole = 0
    heels_limit: HeelsLimit = HeelsLimit.NO_LIMIT
    muggins: bool = False
    misdeal: int = 0
    pone_chooses: bool = False
    dealer_six: bool = False
    overpeg_award: OverpegAward = OverpegAward.NONE
    strict: bool = False
    peg_out: bool = False
    confirm: bool = False
    crib_flush: int = 5
    pegging_only: bool = False
    last_deal: int = 0
    enough: Hole = 0
    preset: str = ""

    @staticmethod
    def named(variant: str) -> "Rules":
        """The rules of a named variant.

        Raises:
            RuleError: no variant has that name.
        """
        try:
            return VARIANTS[variant]
        except KeyError:
            meant = find(variant, VARIANTS) or likely(variant, VARIANTS, OTHER_NAMES)
            known = ", ".join(VARIANTS)
            raise RuleError("rules_no_variant", variant=repr(variant), known=f"{known}{suggestion(meant)}") from None

    @property
    def penalties(self) -> list[dict[str, str | int]]:
        """Each fault that costs points, with those usually awarded to each opposing side."""
        return [{"fault": fault, "points": self.award(fault)} for fault in FAULT_RULES if self.award(fault)]

    def award(self, fault: FaultName) -> int:
        """The points usually awarded to each opposing side for a fault; 0 if it costs none, or nobody opposes."""
        usual = FAULT_RULES[fault].points
        return 0 if self.lanes == 1 else self.misdeal if usual is None else usual

    @property
    def redeals_by_acc(self) -> bool:
        """Whether a misdeal is redealt without points, as by the ACC's rules."""
        return self.variant == "acc" and not (self.misdeal or self.pone_chooses)

    def deadline(self, fault: FaultName) -> Until | None:
        """When it is too late to claim a fault of the deal; None if the fault leaves the deal as it is."""
        rule = FAULT_RULES[fault]
        return rule.by_acc if rule.by_acc and self.redeals_by_acc else rule.until

    def lane_of(self, seat: Seat) -> int:
        """The lane of the player at `seat`."""
        return seat % self.lanes

    def after(self, seat: Seat) -> Seat:
        """The seat to the left of `seat`."""
        return (seat + 1) % self.seats

    def skunks_of(self, front: Hole) -> int:
        """The number of skunk lines missed by a loser whose front peg is at `front`."""
        return sum(front <= line for line in self.skunk_lines)


VARIANTS = {
    rules.variant: rules
    for rules in (
        Rules("standard"),
        Rules("acc", worth=WORTH["ACC 2-3-3"], first_deal=FirstDeal.ALTERNATE, confirm=True, strict=True),
        Rules("short", game_hole=61, skunk_lines=skunk_lines(61)),
        Rules("three-handed", seats=3, lanes=3),
        Rules("partners", seats=4),
        Rules("solitaire", seats=1, lanes=1, skunk_lines=(), last_deal=7, enough=91),
        Rules("five-card", game_hole=61, skunk_lines=skunk_lines(61), pone_start=HEAD_START, pegging_only=True),
        Rules("box-sheet", dealer_start=HEAD_START),
        Rules("cut-throat-four", seats=4, lanes=4),
        Rules("six-partners", seats=6, lanes=3),
    )
}
"""The named variants (docs/rules.md, Variants)."""

OTHER_NAMES = {
    **dict.fromkeys(("two", "two-handed", "2-handed", "two players", "normal", "classic", "121"), "standard"),
    **dict.fromkeys(("tournament", "congress"), "acc"),
    **dict.fromkeys(("once around", "61"), "short"),
    **dict.fromkeys(("three", "3-handed", "three players"), "three-handed"),
    "cutthroat": "three-handed or cut-throat-four",
    **dict.fromkeys(("four alone", "four singles", "4 lanes", "four lanes"), "cut-throat-four"),
    **dict.fromkeys(("six", "six-handed", "6-handed", "six players", "three pairs", "three teams"), "six-partners"),
    **dict.fromkeys(("four", "four-handed", "4-handed", "four players", "pairs", "teams", "doubles"), "partners"),
    **dict.fromkeys(("one", "alone", "solo", "patience"), "solitaire"),
    **dict.fromkeys(("five", "old"), "five-card"),
}
"""Other names of variants; suggested, but not accepted."""


def variant_named(text: str) -> str:
    """The variant with this name, ignoring case, spaces and dashes.

    Raises:
        RuleError: no variant has that name.
    """
    return Rules.named(find(text, VARIANTS) or text).variant


def variant_for(players: int) -> str:
    """The default variant for this number of players, the first in `VARIANTS`.

    Raises:
        RuleError: no variant has that many players.
    """
    for rules in VARIANTS.values():
        if rules.seats == players:
            return rules.variant
    *few, most = sorted({rules.seats for rules in VARIANTS.values()})
    raise RuleError("rules_players", players=players, few=", ".join(map(str, few)), most=most)


# --- validation: seats, game hole, skunk lines, worth, head starts, choices ---


def check(rules: Rules) -> Rules:
    """Validate the rules and return them.

    Rules read from the journal are not checked again: a game has already been played by them.

    Raises:
        RuleError: the rules contradict each other; the message names the problem.
    """
    for fault in _faults(rules):
        raise RuleError("rules_cannot_be_played", variant=rules.variant, fault=fault)
    return rules


def _faults(rules: Rules) -> Iterator[Message]:
    """The reasons why no game can be played by these rules."""
    yield from _out_of_reach(rules)
    in_reach = 1 <= rules.lanes <= MOST_LANES and rules.seats <= MOST_SEATS
    if not in_reach or rules.seats not in (rules.lanes, 2 * rules.lanes):
        yield Message("rules_seats", seats=rules.seats, lanes=rules.lanes)
    beyond = [line for line in rules.skunk_lines if not 0 < line < rules.game_hole]
    if beyond:
        yield Message("rules_skunk_line", hole=rules.game_hole, line=beyond[0])
    if list(rules.skunk_lines) != sorted(set(rules.skunk_lines), reverse=True):
        yield Message("rules_skunk_order")
    if not rules.worth or list(rules.worth) != sorted(rules.worth) or rules.worth[0] < 1:
        yield Message("rules_worth")
    yield from _unknown_choices(rules)
    yield from _false_starts(rules)
    if rules.lurch and rules.skunk_lines != lurch_line(rules.game_hole):
        yield Message("rules_lurch", line=lurch_line(rules.game_hole)[0], hole=rules.game_hole)
    if rules.triple_wins_match and len(rules.skunk_lines) < TRIPLE:
        yield Message("rules_triple")
    if rules.enough > rules.game_hole:
        yield Message("rules_enough", enough=rules.enough, hole=rules.game_hole)


def _out_of_reach(rules: Rules) -> Iterator[Message]:
    numbers = (
        ("the game hole", rules.game_hole, GAME_HOLES),
        ("the worth of a game", max(rules.worth, default=1), WORTHS),
        ("the award for a misdeal", rules.misdeal, MISDEALS),
        ("the last deal", rules.last_deal, LAST_DEALS),
        ("the hole that is enough", rules.enough, range(max(rules.game_hole, rules.enough) + 1)),
    )
    for name, value, taken in numbers:
        if value not in taken:
            yield Message("rules_game_hole", name=name, least=taken[0], most=taken[-1], hole=value)


def _false_starts(rules: Rules) -> Iterator[Message]:
    if any(not 0 <= ahead < rules.game_hole for ahead in (rules.dealer_start, rules.pone_start)):
        yield Message("rules_head_start")
    if rules.dealer_start and rules.pone_start not in (0, rules.dealer_start):
        yield Message("rules_head_starts")
    if rules.seats == 1 and (rules.dealer_start or rules.pone_start):
        yield Message("rules_head_alone")


def _unknown_choices(rules: Rules) -> Iterator[Message]:
    choices: tuple[tuple[str, object, tuple[object, ...]], ...] = (
        ("first deal", rules.first_deal, tuple(FirstDeal)),
        ("the heels limit", rules.heels_limit, tuple(HeelsLimit)),
        ("the flush of the crib", rules.crib_flush, tuple(CRIB_FLUSHES.values())),
        ("the over-peg award", rules.overpeg_award, tuple(OverpegAward)),
    )
    for name, value, taken in choices:
        if value not in taken:
            yield Message("rules_choice", name=name, taken=", ".join(map(str, taken)), value=repr(value))
