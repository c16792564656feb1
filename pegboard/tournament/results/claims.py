"""What two score cards say of a game, and what it counts for each player: claims, values, the record of a game."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeAlias

from pegboard.messages import Message
from pegboard.tournament.ids import PlayerId
from pegboard.tournament.pairings import GameKey, Pairing

Names: TypeAlias = Mapping[PlayerId, str]
"""Names of players, for sentences; who is not in it is called by his id."""

NOBODY: Names = {}
"""No names: all are called by their ids."""


class Column(StrEnum):
    """The two columns of a score card into which a spread can be written."""

    PLUS = "plus"
    MINUS = "minus"


class DecidedBy(StrEnum):
    """What the values of a game come from."""

    OPEN = "open"
    CLAIMS = "claims"
    SHEET = "sheet"
    RULING = "ruling"
    AWARD = "award"


@dataclass(frozen=True, slots=True)
class Claim:
    """What one player's score card says of a game.

    Attributes:
        won: whether its game points are those of a win.
        margin: the spread in holes, without its sign; None where it was left blank.
        column: the column that the spread stands in; None where it is the one that belongs to the result.
        points: the game points as they were written; None where nobody wrote any.
    """

    won: bool
    margin: int | None
    column: Column | None = None
    points: int | None = None

    @property
    def own_column(self) -> Column:
        """The column that belongs to its result: plus for a win."""
        return Column.PLUS if self.won else Column.MINUS

    @property
    def spread_column(self) -> Column | None:
        """The column that its spread stands in; None where there is no spread."""
        return None if self.margin is None else self.column or self.own_column

    def as_json(self) -> dict[str, Any]:
        """The claim for files and programs; what nobody wrote is left out."""
        column = {} if self.column is None else {"column": str(self.column)}
        points = {} if self.points is None else {"points": self.points}
        return {"won": self.won, "margin": self.margin} | column | points


@dataclass(frozen=True, slots=True)
class Value:
    """What a game counts for one player, once it is settled.

    Attributes:
        points: game points; 0 for a loss.
        net: the spread in holes, with its sign.
    """

    points: int
    net: int

    @property
    def won(self) -> bool:
        """Whether it is a win."""
        return self.points > 0

    @property
    def plus(self) -> int:
        """Its holes in the plus column."""
        return max(self.net, 0)

    @property
    def minus(self) -> int:
        """Its holes in the minus column."""
        return max(-self.net, 0)


@dataclass(frozen=True, slots=True)
class SheetResult:
    """The result that follows from a table's score sheet, replayed by the hub.

    Attributes:
        winner: who stands in the game hole.
        margin: by how many holes.
    """

    winner: PlayerId
    margin: int


Claims: TypeAlias = tuple[Claim | None, Claim | None]
"""What the two cards say, in the order of the pairing's players; None where there is no card yet."""

Values: TypeAlias = tuple[Value, Value]
"""What a game counts for its two players, in the order of the pairing's players."""


@dataclass(frozen=True, slots=True)
class GameRecord:
    """A game of a round: both claims, and both values, which a ruling may make differ on purpose.

    Attributes:
        pairing: who plays whom in which round.
        claims: what the two cards say.
        values: what it counts for each; None for both as long as it is not settled.
        decided_by: what the values come from.
        rule: the letter of ACC 12.2, or the name of an award; "" where neither was needed.
        sheet: what a table's score sheet says of it; None where none was sent.
    """

    pairing: Pairing
    claims: Claims = (None, None)
    values: tuple[Value | None, Value | None] = (None, None)
    decided_by: DecidedBy = DecidedBy.OPEN
    rule: str = ""
    sheet: SheetResult | None = None

    @property
    def key(self) -> GameKey:
        """The key of its pairing, such as "r3:p1-p7"."""
        return self.pairing.key

    @property
    def both_values(self) -> Values | None:
        """What it counts for its two players; None as long as it is not settled."""
        one, other = self.values
        return None if one is None or other is None else (one, other)

    @property
    def settled(self) -> bool:
        """Whether it counts for both players."""
        return self.both_values is not None

    @property
    def winner(self) -> PlayerId | None:
        """Who has won it; None as long as it is not settled, and where a ruling made it a loss for both."""
        won = [player for player, value in zip(self.pairing.players, self.values, strict=True) if value and value.won]
        return won[0] if len(won) == 1 else None

    def value_of(self, player: PlayerId) -> Value | None:
        """What it counts for one of its players; None as long as it is not settled.

        Raises:
            ValueError: it is not a player of this game.
        """
        return self.values[self.pairing.players.index(player)]


def name_of(player: PlayerId, names: Names) -> str:
    """What a player is called in a sentence."""
    return names.get(player, player)


def say_game(pairing: Pairing, names: Names) -> Message:
    """A game in words: "round 3, Ann against Bob"."""
    one, other = (name_of(player, names) for player in pairing.players)
    return Message("results_game", round=pairing.round, one=one, other=other)
