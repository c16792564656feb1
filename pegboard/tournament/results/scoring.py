"""Point tables: what a win is worth, by how many skunk lines the loser has missed; and a margin read from two holes."""

from collections.abc import Mapping
from dataclasses import dataclass

from pegboard.errors import RuleError

GAME_HOLE = 121
"""The hole that wins a game twice round the board, and the widest margin: the loser has not left the start."""


@dataclass(frozen=True, slots=True)
class PointTable:
    """What a win is worth; a loss is worth nothing.

    A table is a fact of its night: it is stored with name and version, and a later version changes no older night.

    Attributes:
        name: as a director chooses it.
        version: of the table.
        worth: game points of a win, by how many skunk lines the loser has missed; the last holds for all that follow.
        lines: skunk lines from the highest down: a loser who has not passed one has missed it.
        game_hole: the hole that wins.
        by_round: game points of a plain win in the first round, the second ..., where they differ; the last holds on.
        lurch: whether its one line is the lurch of older rules.
    """

    name: str
    version: int = 1
    worth: tuple[int, ...] = (2, 3)
    lines: tuple[int, ...] = (90, 60, 30)
    game_hole: int = GAME_HOLE
    by_round: tuple[int, ...] = ()
    lurch: bool = False

    def skunks(self, margin: int) -> int:
        """How many skunk lines the loser has missed, for a margin in holes."""
        return sum(self.game_hole - margin <= line for line in self.lines)

    def points(self, margin: int, in_round: int = 1) -> int:
        """Game points of a win by so many holes, in a round counted from 1."""
        return self.plain_points(in_round) + self.extra_points(margin)

    def plain_points(self, in_round: int = 1) -> int:
        """Game points of a win that is no skunk, in a round counted from 1."""
        if not self.by_round:
            return self.worth[0]
        return self.by_round[min(in_round, len(self.by_round)) - 1]

    def extra_points(self, margin: int) -> int:
        """Game points that a skunk by so many holes is worth more than a plain win."""
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
"""The tables that a director can choose."""


def point_table(name: str) -> PointTable:
    """The table of that name.

    Raises:
        RuleError: there is no such table.
    """
    if name not in POINT_TABLES:
        raise RuleError("results_no_point_table", name=repr(name), known=", ".join(POINT_TABLES))
    return POINT_TABLES[name]


def check_margin(margin: int, table: PointTable) -> int:
    """A margin in holes, if a game can be won by it.

    Raises:
        RuleError: it cannot.
    """
    if not 1 <= margin <= table.game_hole:
        raise RuleError("results_margin", most=table.game_hole, margin=margin)
    return margin


def margin_of_holes(holes: tuple[int, int], game_hole: int = GAME_HOLE) -> tuple[int, int]:
    """Which of two front pegs has won (0 or 1), and by how many holes.

    Raises:
        RuleError: not just one of them stands in the game hole.
    """
    one, other = holes
    if not 0 <= min(holes) < game_hole == max(holes):
        raise RuleError("results_holes", hole=game_hole, one=one, other=other)
    return (0, one - other) if one > other else (1, other - one)
