"""Tie-breaks: orders of criteria as data, and how players who are level on all before a criterion come apart by it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from pegboard.errors import RuleError
from pegboard.tournament.ids import PlayerId
from pegboard.tournament.results.claims import DecidedBy
from pegboard.tournament.results.score_cards import ScoreCard, ScoreCardTotals


class Criterion(StrEnum):
    """What decides between two players, where all before it is alike."""

    GAME_POINTS = "game_points"
    GAMES_WON = "games_won"
    NET_SPREAD = "net_spread"
    PLUS_POINTS = "plus_points"
    SKUNKS = "skunks"
    LOSING_POINTS = "losing_points"
    HEAD_TO_HEAD = "head_to_head"
    PLAY_OFF = "play_off"


class LastResort(StrEnum):
    """What happens to players who are level on every criterion."""

    PLAY_OFF = "play_off"
    SHARED = "shared"


@dataclass(frozen=True, slots=True)
class TieBreakOrder:
    """In which order criteria decide; a fact of its night, stored with name and version.

    Attributes:
        name: as a director chooses it.
        criteria: the first decides, the second where the first is alike, and so on.
        last_resort: what happens where all are alike; nothing is ever decided by the order of entry.
        version: of the order.
    """

    name: str
    criteria: tuple[Criterion, ...]
    last_resort: LastResort = LastResort.PLAY_OFF
    version: int = 1


ACC_ORDER = TieBreakOrder(
    "acc",
    (
        Criterion.GAME_POINTS,
        Criterion.GAMES_WON,
        Criterion.NET_SPREAD,
        Criterion.PLUS_POINTS,
        Criterion.HEAD_TO_HEAD,
    ),
)
"""American Cribbage Congress (2025), cross-checking guideline 20. Minus points are none of it, and could part nobody:
who is level on net and plus is level on minus."""

TIE_BREAK_ORDERS: Mapping[str, TieBreakOrder] = {
    order.name: order
    for order in (
        ACC_ORDER,
        TieBreakOrder(
            "brewery-2017",
            (Criterion.GAME_POINTS, Criterion.GAMES_WON, Criterion.SKUNKS, Criterion.NET_SPREAD),
        ),
        TieBreakOrder(
            "pairs-wins-only",
            (Criterion.GAMES_WON, Criterion.HEAD_TO_HEAD, Criterion.LOSING_POINTS),
            LastResort.SHARED,
        ),
    )
}
"""The orders that a director can choose: the congress's, and those of two houses that publish theirs. The last one
knows no spread; it looks at the holes that games were lost by, as that house's own rule does."""


def tie_break_order(name: str) -> TieBreakOrder:
    """The order of that name.

    Raises:
        RuleError: there is no such order.
    """
    if name not in TIE_BREAK_ORDERS:
        raise RuleError("results_no_tie_breaks", name=repr(name), known=", ".join(TIE_BREAK_ORDERS))
    return TIE_BREAK_ORDERS[name]


# --- scores by a criterion: the higher stands above ---

NUMBERS: Mapping[Criterion, Callable[[ScoreCardTotals], int]] = {
    Criterion.GAME_POINTS: lambda totals: totals.points,
    Criterion.GAMES_WON: lambda totals: totals.won,
    Criterion.NET_SPREAD: lambda totals: totals.net,
    Criterion.PLUS_POINTS: lambda totals: totals.plus,
    Criterion.SKUNKS: lambda totals: totals.skunks,
    Criterion.LOSING_POINTS: lambda totals: -totals.minus,
}
"""The criteria that are a number of one card alone."""


def head_to_head(cards: Sequence[ScoreCard]) -> Mapping[PlayerId, int] | None:
    """For each of these players, how many of the others he has beaten less those who have beaten him.

    Who has won more of the games between two of them has beaten the other. None where any two have not met: a game
    that was awarded without play is no meeting.
    """
    players = {card.player for card in cards}
    won = {card.player: _games_won_against(card, players - {card.player}) for card in cards}
    if any(len(others) < len(players) - 1 for others in won.values()):
        return None
    return {
        player: sum(_sign(games - won[other][player]) for other, games in others.items())
        for player, others in won.items()
    }


def _games_won_against(card: ScoreCard, others: set[PlayerId]) -> dict[PlayerId, int]:
    met: dict[PlayerId, int] = {}
    for row in card.rows:
        if row.value is not None and row.opponent in others and row.decided_by != DecidedBy.AWARD:
            met[row.opponent] = met.get(row.opponent, 0) + row.value.won
    return met


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def play_off(
    cards: Sequence[ScoreCard], decisions: Iterable[Sequence[Sequence[PlayerId]]]
) -> Mapping[PlayerId, int] | None:
    """For each of these players, how he has come out of their play-off; None where there was none among just them.

    `decisions` are those of play-offs, each as groups of players with the better group first.
    """
    players = {card.player for card in cards}
    for groups in decisions:
        if {player for group in groups for player in group} == players and len(groups) > 1:
            return {player: -number for number, group in enumerate(groups) for player in group}
    return None
