"""Score cards: each player's games by round, with totals; consistency checks (invariants) of an event's totals."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from pegboard.messages import Message
from pegboard.tournament.ids import PlayerId
from pegboard.tournament.pairings import GameKey, player_number
from pegboard.tournament.results.claims import NOBODY, Claim, DecidedBy, GameRecord, Names, Value, Values, name_of
from pegboard.tournament.results.scoring import PointTable

# --- consistency checks of an event's totals: which invariants hold, which games break them, what a ruling explains ---


class Invariant(StrEnum):
    """Invariants of the totals of settled games; only a ruling can break one on purpose."""

    PLUS_IS_MINUS = "plus_is_minus"
    NET_IS_ZERO = "net_is_zero"
    WINS_ARE_GAMES = "wins_are_games"
    POINTS_FIT_WINS = "points_fit_wins"
    CARDS_FIT = "cards_fit"


class CheckState(StrEnum):
    """Whether an invariant holds; "explained": only games decided by a ruling or an award break it."""

    HOLDS = "holds"
    EXPLAINED = "explained"
    BROKEN = "broken"


@dataclass(frozen=True, slots=True)
class InvariantCheck:
    """The result of checking one invariant.

    Attributes:
        check: the invariant.
        state: whether the invariant holds.
        difference: by how much the sums differ; games with opposite errors can cancel out in it.
        games: the games that break the invariant, however they were decided.
        explained: the games among them that were decided by a ruling or an award.
        said: a sentence with the sums.
    """

    check: Invariant
    state: CheckState
    difference: int
    games: tuple[GameKey, ...]
    explained: tuple[GameKey, ...]
    said: Message


@dataclass(frozen=True, slots=True)
class TotalsPanel:
    """The totals of all settled games of an event.

    Attributes:
        games: number of settled games.
        wins: number of wins, counted over both players of each game.
        points: game points.
        plus: sum of the holes that games were won by.
        minus: sum of the holes that games were lost by.
        skunks: number of games won by a skunk.
        checks: the invariants, in their order.
    """

    games: int
    wins: int
    points: int
    plus: int
    minus: int
    skunks: int
    checks: tuple[InvariantCheck, ...]

    @property
    def net(self) -> int:
        """The sum of all net spreads; 0 unless a ruling makes two values differ."""
        return self.plus - self.minus


@dataclass(frozen=True, slots=True)
class _Settled:
    """A settled game with what it adds to the totals."""

    record: GameRecord
    values: Values
    table: PointTable

    @property
    def net(self) -> int:
        return sum(value.net for value in self.values)

    @property
    def wins(self) -> int:
        return sum(value.won for value in self.values)

    @property
    def points(self) -> int:
        return sum(value.points for value in self.values)

    @property
    def base(self) -> int:
        return self.table.plain_points(self.record.pairing.round)

    @property
    def extra(self) -> int:
        return sum(self.table.extra_points(value.net) for value in self.values if value.won)

    @property
    def skunks(self) -> int:
        return sum(value.won and self.table.skunks(value.net) > 0 for value in self.values)

    @property
    def wrong_places(self) -> list[int]:
        """Indexes of players whose game points do not match the net spread: the points of a win, or 0 for a loss."""
        return [
            place
            for place, value in enumerate(self.values)
            if value.points != (self.table.points(value.net, self.record.pairing.round) if value.net > 0 else 0)
        ]


DIFFERENCES: Mapping[Invariant, Callable[[_Settled], int]] = {
    Invariant.PLUS_IS_MINUS: lambda game: game.net,
    Invariant.NET_IS_ZERO: lambda game: game.net,
    Invariant.WINS_ARE_GAMES: lambda game: game.wins - 1,
    Invariant.POINTS_FIT_WINS: lambda game: game.points - game.base - game.extra,
    Invariant.CARDS_FIT: lambda game: len(game.wrong_places),
}
"""The amount by which a game breaks each invariant; 0 if it does not. Checked game by game, so a wrong sum is traced to
its games, and two opposite errors are found although the sum is right."""


def totals_panel(records: Iterable[GameRecord], table: PointTable, names: Names = NOBODY) -> TotalsPanel:
    """The totals of an event, and its invariant checks.

    Args:
        records: the games; unsettled games add nothing.
        table: the event's point table.
        names: players' names.
    """
    games = [_Settled(record, both, table) for record in records if (both := record.both_values)]
    values = [value for game in games for value in game.values]
    panel = TotalsPanel(
        games=len(games),
        wins=sum(game.wins for game in games),
        points=sum(game.points for game in games),
        plus=sum(value.plus for value in values),
        minus=sum(value.minus for value in values),
        skunks=sum(game.skunks for game in games),
        checks=(),
    )
    checks = tuple(_check(which, games, panel, names) for which in Invariant)
    return replace(panel, checks=checks)


def _check(which: Invariant, games: Sequence[_Settled], panel: TotalsPanel, names: Names) -> InvariantCheck:
    differences = [DIFFERENCES[which](game) for game in games]
    breaking = [game for game, difference in zip(games, differences, strict=True) if difference]
    explained = tuple(game.record.key for game in breaking if is_explained(game.record))
    state = CheckState.HOLDS if not breaking else CheckState.EXPLAINED
    if len(explained) < len(breaking):
        state = CheckState.BROKEN
    said = _SAY[which](games, panel, breaking, names)
    return InvariantCheck(which, state, sum(differences), tuple(game.record.key for game in breaking), explained, said)


def is_explained(record: GameRecord) -> bool:
    """Whether a game was decided by a ruling or an award, so that its values may differ on purpose."""
    return record.decided_by in (DecidedBy.RULING, DecidedBy.AWARD)


# --- the sums in words ---


def _say_plus(_games: Sequence[_Settled], panel: TotalsPanel, _breaking: Sequence[_Settled], _names: Names) -> Message:
    if panel.net == 0:
        return Message("results_total_plus", plus=panel.plus, minus=panel.minus)
    return Message("results_total_plus_broken", plus=panel.plus, minus=panel.minus, difference=abs(panel.net))


def _say_net(_games: Sequence[_Settled], panel: TotalsPanel, _breaking: Sequence[_Settled], _names: Names) -> Message:
    if panel.net == 0:
        return Message("results_total_net")
    return Message("results_total_net_broken", difference=f"{panel.net:+d}")


def _say_wins(_games: Sequence[_Settled], panel: TotalsPanel, _breaking: Sequence[_Settled], _names: Names) -> Message:
    key = "results_total_wins" if panel.wins == panel.games else "results_total_wins_broken"
    return Message(key, wins=panel.wins, games=panel.games)


def _say_points(games: Sequence[_Settled], panel: TotalsPanel, _breaking: Sequence[_Settled], _names: Names) -> Message:
    base, extra = sum(game.base for game in games), sum(game.extra for game in games)
    key = "results_total_points" if panel.points == base + extra else "results_total_points_broken"
    return Message(key, points=panel.points, base=base, extra=extra)


def _say_cards(_games: Sequence[_Settled], _panel: TotalsPanel, breaking: Sequence[_Settled], names: Names) -> Message:
    if not breaking:
        return Message("results_total_cards")
    players = {game.record.pairing.players[place] for game in breaking for place in game.wrong_places}
    called = sorted(players, key=player_number)
    return Message("results_total_cards_broken", names=", ".join(name_of(player, names) for player in called))


_SAY: Mapping[Invariant, Callable[[Sequence[_Settled], TotalsPanel, Sequence[_Settled], Names], Message]] = {
    Invariant.PLUS_IS_MINUS: _say_plus,
    Invariant.NET_IS_ZERO: _say_net,
    Invariant.WINS_ARE_GAMES: _say_wins,
    Invariant.POINTS_FIT_WINS: _say_points,
    Invariant.CARDS_FIT: _say_cards,
}


@dataclass(frozen=True, slots=True)
class ScoreCardRow:
    """One game on a player's card.

    Attributes:
        round: the number of the round, from 1.
        game: the game's key.
        opponent: the other player.
        claim: what this player's card says; None if nothing was written yet.
        value: the game's value for this player; None until it is settled.
        decided_by: the source of the value.
        rule: the letter of ACC 12.2, or the name of an award; "" if neither was needed.
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
    """The totals of a card, over its settled games.

    Attributes:
        games: number of settled games.
        points: game points.
        won: number of games won.
        skunks: number of games won by a skunk.
        plus: sum of the holes that games were won by.
        minus: sum of the holes that games were lost by.
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
    """A player's score card.

    Attributes:
        player: the owner of the card.
        rows: the player's games by round.
        totals: the totals of the settled games.
    """

    player: PlayerId
    rows: tuple[ScoreCardRow, ...] = ()
    totals: ScoreCardTotals = ScoreCardTotals()


def score_cards(
    records: Iterable[GameRecord], table: PointTable, players: Iterable[PlayerId] = ()
) -> Mapping[PlayerId, ScoreCard]:
    """The card of every player in the records, and of the given players, who may have no game yet.

    Args:
        records: the games of an event, in any order.
        table: the event's point table.
        players: the players of the event.
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
    """A card of these games, sorted by round and added up."""
    in_order = tuple(sorted(rows, key=lambda row: (row.round, row.game)))
    return ScoreCard(player, in_order, add_up((row.value for row in in_order if row.value is not None), table))


def add_up(values: Iterable[Value], table: PointTable) -> ScoreCardTotals:
    """The totals of game values for one player."""
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
