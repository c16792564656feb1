"""The rest of the rounds: pairs for all games to come, with as few rematches as the games before allow.

First who plays in which round, so that sit-outs are fair; then pairs, as little changed from the former plan as can be;
then a search for rematches that can be spared, until a bound says that no schedule has fewer.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from pegboard.tournament.movement.rematch_search.fewest_rematches import least_cost
from pegboard.tournament.movement.rematch_search.first_pairing import Pairs, pair_first
from pegboard.tournament.movement.rematch_search.idle_rounds import IdleRounds
from pegboard.tournament.movement.rematch_search.meetings import BOTH_STAY, TEAM_MATES, Meetings
from pegboard.tournament.movement.rematch_search.round_order import put_rematches_late
from pegboard.tournament.movement.rematch_search.round_search import EFFORT, RoundSearch
from pegboard.tournament.movement.rematch_search.sit_outs import (
    Lineup,
    RoundsToShare,
    share_all,
    share_narrowly,
    share_some,
)

FIRST_EFFORT = 12_000
"""How long the search goes on before a bound is worked out: mostly no rematch is left by then."""


@dataclass(frozen=True, slots=True)
class RestOfNight:
    """What is to be paired; players are numbers, in the order of the draw.

    Attributes:
        to_share: the games of each, and who can have them when.
        met: the pairs that have met, once for each meeting.
        planned: for each round the pairs of the former plan.
        teams: groups of players who should not meet.
        stay: players who are to stay at a table each.
        most_rounds: how many rounds there are time for; None where that is as many as it takes.
    """

    to_share: RoundsToShare
    met: Sequence[tuple[int, int]] = ()
    planned: Sequence[Pairs] = ()
    teams: Sequence[Sequence[int]] = ()
    stay: Sequence[int] = ()
    most_rounds: int | None = None

    def meetings(self) -> Meetings:
        """Those so far."""
        meetings = Meetings(len(self.to_share.owed), self.met)
        meetings.charge(self.teams, TEAM_MATES)
        meetings.charge([self.stay], BOTH_STAY)
        return meetings


@dataclass(frozen=True, slots=True)
class PairedRounds:
    """Pairs of all rounds.

    Attributes:
        rounds: the pairs of each.
        cost: of their meetings.
        is_least: whether no schedule with these games costs less.
    """

    rounds: list[Pairs] = field(default_factory=list)
    cost: int = 0
    is_least: bool = True


def pair_rest(rest: RestOfNight) -> PairedRounds:
    """Pair the rest of a night; where rounds or opponents are too few some have fewer games than they should."""
    searches = []
    for lineup in _lineups(rest):
        search = _begin_search(rest, lineup)
        if not search.cost:
            return PairedRounds(search.rounds)
        searches.append((lineup, search))
    return _search_on(rest, searches) if searches else PairedRounds()


def _begin_search(rest: RestOfNight, lineup: Lineup) -> RoundSearch:
    meetings = rest.meetings()
    first = pair_first(lineup, meetings, rest.planned)
    return RoundSearch(first, meetings, IdleRounds(rest.to_share.sat, rest.to_share.busy, len(lineup)))


def _search_on(rest: RestOfNight, searches: Sequence[tuple[Lineup, RoundSearch]]) -> PairedRounds:
    """The best that searches come to, a little each at first: mostly one of them needs no rematch."""
    for _, search in searches:
        rounds = search.improve(0, FIRST_EFFORT)
        if not search.cost:
            return PairedRounds(rounds)
    bound = least_cost(rest.meetings(), _games_of(searches[0][0], len(rest.to_share.owed)))
    best = min((search for _, search in searches), key=lambda search: search.cost)
    for _, search in searches:
        if best.cost > bound:
            search.improve(bound, EFFORT // len(searches))
            best = min(best, search, key=lambda search: search.cost)
    if best.cost > bound and rest.most_rounds is None:
        best = _search_narrowly(rest, len(searches[0][0]), best, bound)
    return PairedRounds(put_rematches_late(best.rounds, rest.met), best.cost, best.cost <= bound)


def _search_narrowly(rest: RestOfNight, rounds: int, best: RoundSearch, bound: int) -> RoundSearch:
    """What is better than `best` with more who sit out in one round; else `best`."""
    lineup = share_narrowly(rest.to_share, rounds)
    if lineup is None:
        return best
    search = _begin_search(rest, lineup)
    search.improve(bound, EFFORT)
    return min(best, search, key=lambda search: search.cost)


def _lineups(rest: RestOfNight) -> list[Lineup]:
    """Ways to share out the rounds: all games if there is time for them, else as many as there is time for."""
    ways = share_all(rest.to_share)
    most = rest.most_rounds
    if most is not None and (not ways or len(ways[0]) > most):
        return [share_some(rest.to_share, most)]
    return ways


def _games_of(lineup: Lineup, players: int) -> list[int]:
    games = [0] * players
    for playing in lineup:
        for player in playing:
            games[player] += 1
    return games
