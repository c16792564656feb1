"""Point tables: game points of a win by the skunk lines that the loser missed; margins, checked or from two holes."""

from collections.abc import Mapping
from dataclasses import dataclass

from pegboard.errors import RuleError

GAME_HOLE = 121
"""The hole that wins a game twice around the board, and the widest margin: a loser still at the start."""


@dataclass(frozen=True, slots=True)
class PointTable:
    """The game points of a win; a loss is worth nothing.

    A table is stored with its event, with name and version; a later version does not change earlier events.

    Attributes:
        name: the name by which a director chooses the table.
        version: the version of the table.
        worth: game points of a win by the number of skunk lines the loser missed; the last covers all higher numbers.
        lines: skunk lines from the highest down; a loser who has not passed a line has missed it.
        game_hole: the hole that wins.
        by_round: game points of a plain win by round, if they differ; the last covers all later rounds.
        lurch: whether the only line is the lurch of older rules.
    """

    name: str
    version: int = 1
    worth: tuple[int, ...] = (2, 3)
    lines: tuple[int, ...] = (90, 60, 30)
    game_hole: int = GAME_HOLE
    by_round: tuple[int, ...] = ()
    lurch: bool = False

    def skunks(self, margin: int) -> int:
        """How many skunk lines the loser missed, for a margin in holes."""
        return sum(self.game_hole - margin <= line for line in self.lines)

    def points(self, margin: int, in_round: int = 1) -> int:
        """Game points of a win by a margin, in a round counted from 1."""
        return self.plain_points(in_round) + self.extra_points(margin)

    def plain_points(self, in_round: int = 1) -> int:
        """Game points of a win without a skunk, in a round counted from 1."""
        if not self.by_round:
            return self.worth[0]
        return self.by_round[min(in_round, len(self.by_round)) - 1]

    def extra_points(self, margin: int) -> int:
        """Extra game points of a win by this margin over a plain win."""
        return self.worth[min(self.skunks(margin), len(self.worth) - 1)] - self.worth[0]


ACC = PointTable("acc")
"""American Cribbage Congress, rule 12.1: 2 for a win, 3 for a skunk, 0 for a loss; a double skunk is worth no more."""

POINT_TABLES: Mapping[str, PointTable] = {
    table.name: table
    for table in (
        ACC,
        PointTable("games-1-2-3", worth=(1, 2, 3), lines=(90, 60)),
        PointTable("games-1-2-4", worth=(1, 2, 4), lines=(90, 60)),
        PointTable("lurch", worth=(1, 2), lines=(60,), lurch=True),
        PointTable("lurch-61", worth=(1, 2), lines=(30,), game_hole=61, lurch=True),
        PointTable("flat", worth=(1,), lines=()),
        PointTable("rounds-6-to-10", worth=(6,), lines=(), by_round=(6, 7, 8, 9, 10)),
    )
}
"""The tables a director can choose."""


def point_table(name: str) -> PointTable:
    """The table with this name.

    Raises:
        RuleError: there is no such table.
    """
    if name not in POINT_TABLES:
        raise RuleError("results_no_point_table", name=repr(name), known=", ".join(POINT_TABLES))
    return POINT_TABLES[name]


def check_margin(margin: int, table: PointTable) -> int:
    """Check that a game can be won by this margin, and return it.

    Raises:
        RuleError: no game can be won by this margin.
    """
    if not 1 <= margin <= table.game_hole:
        raise RuleError("results_margin", most=table.game_hole, margin=margin)
    return margin


def margin_of_holes(holes: tuple[int, int], game_hole: int = GAME_HOLE) -> tuple[int, int]:
    """The winner of two front pegs (0 or 1), and the margin in holes.

    Raises:
        RuleError: not exactly one of the pegs is in the game hole.
    """
    one, other = holes
    if not 0 <= min(holes) < game_hole == max(holes):
        raise RuleError("results_holes", hole=game_hole, one=one, other=other)
    return (0, one - other) if one > other else (1, other - one)
