"""What two score cards say of a game, and what it counts for each player: claims, values, the record of a game."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, TypeAlias

from pegboard.messages import Message
from pegboard.tournament.ids import PlayerId
from pegboard.tournament.pairings import GameKey, Pairing
from pegboard.tournament.results.scoring import PointTable

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


# --- reciprocal check: two cards that do not fit each other, or the table's score sheet; each names the game at fault
# ---


class MismatchKind(StrEnum):
    """In what two cards, or a card and a score sheet, do not fit."""

    RESULT = "result"
    MARGIN = "margin"
    COLUMN = "column"
    BLANK = "blank"
    SHEET_WINNER = "sheet_winner"
    SHEET_MARGIN = "sheet_margin"


@dataclass(frozen=True, slots=True)
class Mismatch:
    """A game whose cards do not fit.

    Attributes:
        game: its key.
        kind: in what.
        said: the sentence for the director, which names round and players.
    """

    game: GameKey
    kind: MismatchKind
    said: Message


def find_mismatch(record: GameRecord, names: Names = NOBODY) -> Mismatch | None:
    """In what the two claims of a game do not fit each other; None where they do, or one is not there yet."""
    one, other = record.claims
    if one is None or other is None:
        return None
    game = say_game(record.pairing, names)
    if one.won == other.won:
        both = Message("results_both_won" if one.won else "results_both_lost", game=game)
        return Mismatch(record.key, MismatchKind.RESULT, both)
    if one.margin is None or other.margin is None:
        return Mismatch(record.key, MismatchKind.BLANK, _say_blank(record, game, names))
    alike = one.spread_column == other.spread_column
    if alike or one.spread_column != one.own_column:
        said = Message("results_same_column" if alike else "results_wrong_columns", game=game)
        return Mismatch(record.key, MismatchKind.COLUMN, said)
    if one.margin != other.margin:
        return Mismatch(record.key, MismatchKind.MARGIN, _say_margins(record, (one, other), game, names))
    return None


def _say_blank(record: GameRecord, game: Message, names: Names) -> Message:
    blank = [
        player
        for player, claim in zip(record.pairing.players, record.claims, strict=True)
        if claim is not None and claim.margin is None
    ]
    if len(blank) > 1:
        return Message("results_both_blank", game=game)
    return Message("results_blank", game=game, name=name_of(blank[0], names))


def _say_margins(record: GameRecord, claims: tuple[Claim, Claim], game: Message, names: Names) -> Message:
    winner = 0 if claims[0].won else 1
    called = [name_of(player, names) for player in record.pairing.players]
    return Message(
        "results_margins_differ",
        game=game,
        winner=called[winner],
        plus=claims[winner].margin,
        loser=called[1 - winner],
        minus=claims[1 - winner].margin,
    )


def find_wrong_margin(record: GameRecord, names: Names = NOBODY) -> Mismatch | None:
    """In what a card differs from the result that follows from the table's score sheet; None where none does.

    Both players can write the same wrong margin: their cards fit each other then, and all sums are right. Only the
    score sheet, which knows the hole that the loser has reached, finds it.
    """
    if record.sheet is None:
        return None
    for player, claim in zip(record.pairing.players, record.claims, strict=True):
        if claim is not None and (wrong := _compare(player, claim, record, record.sheet, names)):
            return wrong
    return None


def _compare(player: str, claim: Claim, record: GameRecord, sheet: SheetResult, names: Names) -> Mismatch | None:
    game = say_game(record.pairing, names)
    if claim.won != (player == sheet.winner):
        one, other = record.pairing.players
        claimed = player if claim.won else other if player == one else one
        said = Message(
            "results_sheet_winner", game=game, claimed=name_of(claimed, names), derived=name_of(sheet.winner, names)
        )
        return Mismatch(record.key, MismatchKind.SHEET_WINNER, said)
    if claim.margin not in (None, sheet.margin):
        said = Message("results_sheet_margin", game=game, claimed=claim.margin, derived=sheet.margin)
        return Mismatch(record.key, MismatchKind.SHEET_MARGIN, said)
    return None


# --- settle a game: two claims that fit each other, or a table's score sheet, become what it counts for each player ---


def settle(pairing: Pairing, claims: Claims, table: PointTable, sheet: SheetResult | None = None) -> GameRecord:
    """The record of a game: settled where what is there fits together, else open.

    Both players have to have said what it came to, by a card or by confirming what the table shows; where there is a
    score sheet, it says by how much. Where a claim fits neither the other one nor the sheet, the game stays open: the
    director rules.

    Args:
        pairing: who plays whom.
        claims: of the two cards, in the order of the pairing's players.
        table: what a win is worth.
        sheet: what the table's score sheet says; None where no table has sent one.
    """
    record = GameRecord(pairing, claims, sheet=sheet)
    if find_mismatch(record) or find_wrong_margin(record):
        return record
    one, other = claims
    if one is None or other is None:
        return record
    if sheet is not None:
        return replace(record, values=values_of_sheet(record, sheet, table), decided_by=DecidedBy.SHEET)
    return replace(record, values=values_of_claims((one, other), record, table), decided_by=DecidedBy.CLAIMS)


def values_of_sheet(record: GameRecord, sheet: SheetResult, table: PointTable) -> Values:
    """What a game counts by its score sheet, in the order of the pairing's players."""
    one, other = (
        value_of_game(sheet.margin if player == sheet.winner else -sheet.margin, record, table)
        for player in record.pairing.players
    )
    return one, other


def values_of_claims(claims: tuple[Claim, Claim], record: GameRecord, table: PointTable) -> Values:
    """What a game counts by two claims that both have a spread, each player by his own card."""
    one, other = (
        value_of_game((claim.margin or 0) if claim.won else -(claim.margin or 0), record, table) for claim in claims
    )
    return one, other


def value_of_game(net: int, record: GameRecord, table: PointTable) -> Value:
    """What a game counts for a player who has won it by so many holes, or lost it (a negative number)."""
    return Value(table.points(net, record.pairing.round) if net > 0 else 0, net)
