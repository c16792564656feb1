"""Game records: claims of two score cards (or a table's sheet), mismatches between them, and settled values."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TypeAlias

from pegboard.messages import Message
from pegboard.tournament.ids import PlayerId
from pegboard.tournament.pairings import GameKey, Pairing
from pegboard.tournament.results.scoring import PointTable

Names: TypeAlias = Mapping[PlayerId, str]
"""Names of players, for sentences; a player without a name is shown by id."""

NOBODY: Names = {}
"""No names: players are shown by id."""


class Column(StrEnum):
    """The two columns of a score card for a spread."""

    PLUS = "plus"
    MINUS = "minus"


class DecidedBy(StrEnum):
    """The source of a game's values."""

    OPEN = "open"
    CLAIMS = "claims"
    SHEET = "sheet"
    RULING = "ruling"
    AWARD = "award"


@dataclass(frozen=True, slots=True)
class Claim:
    """What one player's score card says about a game.

    Attributes:
        won: whether its game points are those of a win.
        margin: the spread in holes, unsigned; None if left blank.
        column: the column the spread was written in; None if it is the column that belongs to the result.
        points: the game points as written; None if nobody wrote any.
    """

    won: bool
    margin: int | None
    column: Column | None = None
    points: int | None = None

    @property
    def own_column(self) -> Column:
        """The column that belongs to the result: plus for a win."""
        return Column.PLUS if self.won else Column.MINUS

    @property
    def spread_column(self) -> Column | None:
        """The column the spread was written in; None if there is no spread."""
        return None if self.margin is None else self.column or self.own_column


@dataclass(frozen=True, slots=True)
class Value:
    """The value of a settled game for one player.

    Attributes:
        points: game points; 0 for a loss.
        net: the spread in holes, signed.
    """

    points: int
    net: int

    @property
    def won(self) -> bool:
        """Whether the game is a win for the player."""
        return self.points > 0

    @property
    def plus(self) -> int:
        """The holes in the plus column."""
        return max(self.net, 0)

    @property
    def minus(self) -> int:
        """The holes in the minus column."""
        return max(-self.net, 0)


@dataclass(frozen=True, slots=True)
class SheetResult:
    """The result computed from a table's score sheet, which the hub replays.

    Attributes:
        winner: the player in the game hole.
        margin: the margin in holes.
    """

    winner: PlayerId
    margin: int


Claims: TypeAlias = tuple[Claim | None, Claim | None]
"""The claims of the two cards, in the order of the pairing's players; None if there is no card yet."""

Values: TypeAlias = tuple[Value, Value]
"""A game's values for its two players, in the order of the pairing's players."""


@dataclass(frozen=True, slots=True)
class GameRecord:
    """A game of a round with both claims and both values; a ruling may make the values differ on purpose.

    Attributes:
        pairing: round and players.
        claims: the claims of the two cards.
        values: the game's value for each player; both None until it is settled.
        decided_by: the source of the values.
        rule: the letter of ACC 12.2, or the name of an award; "" if neither was needed.
        sheet: the result from a table's score sheet; None if none was sent.
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
        """The game's values for its two players; None until it is settled."""
        one, other = self.values
        return None if one is None or other is None else (one, other)

    @property
    def settled(self) -> bool:
        """Whether the game has a value for both players."""
        return self.both_values is not None

    @property
    def winner(self) -> PlayerId | None:
        """The winner; None until it is settled, or if a ruling made it a loss for both."""
        won = [player for player, value in zip(self.pairing.players, self.values, strict=True) if value and value.won]
        return won[0] if len(won) == 1 else None

    def value_of(self, player: PlayerId) -> Value | None:
        """The game's value for one of its players; None until it is settled.

        Raises:
            ValueError: the player is not in this game.
        """
        return self.values[self.pairing.players.index(player)]


def name_of(player: PlayerId, names: Names) -> str:
    """A player's name in a sentence."""
    return names.get(player, player)


def say_game(pairing: Pairing, names: Names) -> Message:
    """A game in words: "round 3, Ann against Bob"."""
    one, other = (name_of(player, names) for player in pairing.players)
    return Message("results_game", round=pairing.round, one=one, other=other)


# --- reciprocal check: find games whose two cards contradict each other or the table's score sheet ---


class MismatchKind(StrEnum):
    """How two cards, or a card and a score sheet, contradict each other."""

    RESULT = "result"
    MARGIN = "margin"
    COLUMN = "column"
    BLANK = "blank"
    SHEET_WINNER = "sheet_winner"
    SHEET_MARGIN = "sheet_margin"


@dataclass(frozen=True, slots=True)
class Mismatch:
    """A game whose cards do not match.

    Attributes:
        game: the game's key.
        kind: how the cards contradict each other or the sheet.
        said: the sentence for the director, which names round and players.
    """

    game: GameKey
    kind: MismatchKind
    said: Message


def find_mismatch(record: GameRecord, names: Names = NOBODY) -> Mismatch | None:
    """How the two claims of a game contradict each other; None if they match, or one is missing."""
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
    """How a card contradicts the result from the table's score sheet; None if no card does.

    Both players can write the same wrong margin: their cards match, and all sums are right. Only the score sheet, which
    knows the hole that the loser reached, reveals it.
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


# --- settling games: matching claims, or a table's score sheet, become values for each player ---


def settle(pairing: Pairing, claims: Claims, table: PointTable, sheet: SheetResult | None = None) -> GameRecord:
    """Make the record of a game: settled if everything reported matches, else open.

    Both players must report the result, by a card or by confirming it at the table; if there is a score sheet, it
    decides the margin. If a claim contradicts the other claim or the sheet, the game stays open for the director to
    rule.

    Args:
        pairing: the players and the round.
        claims: the claims of the two cards, in the order of the pairing's players.
        table: the event's point table.
        sheet: the result from the table's score sheet; None if no table has sent one.
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
    """The values of a game according to its score sheet, in the order of the pairing's players."""
    one, other = (
        value_of_game(sheet.margin if player == sheet.winner else -sheet.margin, record, table)
        for player in record.pairing.players
    )
    return one, other


def values_of_claims(claims: tuple[Claim, Claim], record: GameRecord, table: PointTable) -> Values:
    """The values of a game according to two claims that both have a spread, each player's by their own card."""
    one, other = (
        value_of_game((claim.margin or 0) if claim.won else -(claim.margin or 0), record, table) for claim in claims
    )
    return one, other


def value_of_game(net: int, record: GameRecord, table: PointTable) -> Value:
    """The value of a game for a player who won it by `net` holes, or lost it (negative)."""
    return Value(table.points(net, record.pairing.round) if net > 0 else 0, net)
