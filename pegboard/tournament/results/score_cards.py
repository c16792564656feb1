"""Score cards: each player's games in order of rounds with what they count, and totals that are added up anew."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pegboard.tournament.ids import PlayerId
from pegboard.tournament.pairings import GameKey
from pegboard.tournament.results.claims import Claim, DecidedBy, GameRecord, Value
from pegboard.tournament.results.scoring import PointTable


@dataclass(frozen=True, slots=True)
class ScoreCardRow:
    """One game on a player's card.

    Attributes:
        round: counted from 1.
        game: its key.
        opponent: who sits opposite.
        claim: what this player's card says of it; None where nothing was written yet.
        value: what it counts for this player; None as long as it is not settled.
        decided_by: what the value comes from.
        rule: the letter of ACC 12.2, or the name of an award; "" where neither was needed.
    """

    round: int
    game: GameKey
    opponent: PlayerId
    claim: Claim | None
    value: Value | None
    decided_by: DecidedBy
    rule: str


@dataclass(frozen=True, slots=True)
class ScoreCardTotals:
    """The totals of a card, of its settled games.

    Attributes:
        games: how many are settled.
        points: game points.
        won: games won.
        skunks: games won by a skunk.
        plus: holes won by.
        minus: holes lost by.
    """

    games: int = 0
    points: int = 0
    won: int = 0
    skunks: int = 0
    plus: int = 0
    minus: int = 0

    @property
    def losses(self) -> int:
        """Games lost."""
        return self.games - self.won

    @property
    def net(self) -> int:
        """The net spread: plus less minus."""
        return self.plus - self.minus


@dataclass(frozen=True, slots=True)
class ScoreCard:
    """A player's card.

    Attributes:
        player: whose it is.
        rows: his games, in order of rounds.
        totals: of the settled ones.
    """

    player: PlayerId
    rows: tuple[ScoreCardRow, ...] = ()
    totals: ScoreCardTotals = ScoreCardTotals()


def score_cards(
    records: Iterable[GameRecord], table: PointTable, players: Iterable[PlayerId] = ()
) -> Mapping[PlayerId, ScoreCard]:
    """The card of everybody in the records, and of the players named, who may have no game yet.

    Args:
        records: the games of a night, in any order.
        table: what a win is worth, and from where on it is a skunk.
        players: the field.
    """
    rows: dict[PlayerId, list[ScoreCardRow]] = {player: [] for player in players}
    for record in records:
        key = record.key
        for place, player in enumerate(record.pairing.players):
            rows.setdefault(player, []).append(_row(record, key, place))
    return {player: make_card(player, games, table) for player, games in rows.items()}


def _row(record: GameRecord, key: GameKey, place: int) -> ScoreCardRow:
    return ScoreCardRow(
        record.pairing.round,
        key,
        record.pairing.players[1 - place],
        record.claims[place],
        record.values[place],
        record.decided_by,
        record.rule,
    )


def make_card(player: PlayerId, rows: Iterable[ScoreCardRow], table: PointTable) -> ScoreCard:
    """A card of these games, put in order of rounds and added up."""
    in_order = tuple(sorted(rows, key=lambda row: (row.round, row.game)))
    return ScoreCard(player, in_order, add_up((row.value for row in in_order if row.value is not None), table))


def add_up(values: Iterable[Value], table: PointTable) -> ScoreCardTotals:
    """The totals of what games count for one player."""
    games = points = won = skunks = plus = minus = 0
    for value in values:
        games += 1
        points += value.points
        if value.won:
            won += 1
            skunks += table.skunks(value.net) > 0
        plus += value.plus
        minus += value.minus
    return ScoreCardTotals(games, points, won, skunks, plus, minus)
