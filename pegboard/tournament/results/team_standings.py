"""Standings of teams: the cards of their players added up, by game points, games won, net spread and plus points."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pegboard.tournament.ids import PlayerId
from pegboard.tournament.results.score_cards import ScoreCard, ScoreCardTotals


@dataclass(frozen=True, slots=True)
class TeamPlacing:
    """A team's place; teams that nothing parts share one.

    Attributes:
        place: from 1.
        team: its name.
        players: who is in it.
        totals: what their cards add up to.
    """

    place: int
    team: str
    players: tuple[PlayerId, ...]
    totals: ScoreCardTotals


def rank_teams(teams: Mapping[PlayerId, str], cards: Mapping[PlayerId, ScoreCard]) -> list[TeamPlacing]:
    """The teams, best first.

    Args:
        teams: the team of each player who has one.
        cards: the score cards; a player without one adds nothing.
    """
    members: dict[str, list[PlayerId]] = {}
    for player, team in teams.items():
        members.setdefault(team, []).append(player)
    sums = {team: _add(cards[one].totals for one in players if one in cards) for team, players in members.items()}
    order = sorted(members, key=lambda team: _rank(sums[team]), reverse=True)
    places = {team: 1 + sum(_rank(other) > _rank(sums[team]) for other in sums.values()) for team in order}
    return [TeamPlacing(places[team], team, tuple(members[team]), sums[team]) for team in order]


def _rank(totals: ScoreCardTotals) -> tuple[int, int, int, int]:
    return totals.points, totals.won, totals.net, totals.plus


def _add(cards: Iterable[ScoreCardTotals]) -> ScoreCardTotals:
    rows = [(one.games, one.points, one.won, one.skunks, one.plus, one.minus) for one in cards]
    return ScoreCardTotals(*map(sum, zip(*rows, strict=True))) if rows else ScoreCardTotals()
