"""Draw of the rest of a night: from ids to numbers and back, with what came of it."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from pegboard.tournament.ids import PlayerId
from pegboard.tournament.movement.draw_request import DrawRequest
from pegboard.tournament.movement.rematch_search.games_to_plan import GamesToPlan, games_to_plan
from pegboard.tournament.movement.rematch_search.rest_of_rounds import RestOfNight, pair_rest
from pegboard.tournament.movement.rematch_search.sit_outs import RoundsToShare, fewest_rounds
from pegboard.tournament.movement.ring import Pair
from pegboard.tournament.pairings import Pairing


@dataclass(frozen=True, slots=True)
class RestDrawn:
    """Rounds with ids, and what has to be known of them to say what they lack.

    Attributes:
        rounds: the pairs of each.
        owed: how many games each has in them, or should have.
        off_by_one: who has one game more or fewer, where the games fill an odd number of places.
        is_least: whether no schedule has fewer rematches.
    """

    rounds: Sequence[Sequence[Pair[PlayerId]]]
    owed: Mapping[PlayerId, int] = field(default_factory=dict)
    off_by_one: PlayerId | None = None
    is_least: bool = True

    @classmethod
    def of_ring(cls, request: DrawRequest, rounds: Sequence[Sequence[Pair[PlayerId]]]) -> "RestDrawn":
        """The rounds of a ring, which no others excel."""
        owed = Counter(player for pairs in rounds for pair in pairs for player in pair)
        off = next((player for player in request.players if owed[player] != request.games[player]), None)
        return cls(rounds, owed, off)


def draw_rest(request: DrawRequest) -> RestDrawn:
    """Draw what is to come of a night after the games that stand."""
    to_share = _rounds_to_share(request)
    plan, most = _plan(request, to_share), _most_rounds(request)
    paired = pair_rest(
        RestOfNight(
            RoundsToShare(plan.owed, to_share.sat, to_share.busy, to_share.unpaired),
            _numbers(request, request.night.played),
            [_numbers(request, games) for games in _by_round(request, request.planned)],
            _teams(request),
            [request.players.index(player) for player in request.stay],
            most,
        )
    )
    rounds = [[(request.players[one], request.players[other]) for one, other in pairs] for pairs in paired.rounds]
    off = None if plan.off_by_one is None else request.players[plan.off_by_one]
    owed = dict(zip(request.players, plan.owed, strict=True))
    return RestDrawn(rounds, owed, off, paired.is_least)


def _plan(request: DrawRequest, to_share: RoundsToShare) -> GamesToPlan:
    """The games that can be paired; where there is no time for them the rounds end somewhere anyway."""
    done = Counter(player for one in request.night.played for player in one.players)
    in_all = [done[player] + owed for player, owed in zip(request.players, to_share.owed, strict=True)]
    planned = Counter(player for one in request.planned for player in one.players)
    off = [at for at, player in enumerate(request.players) if done[player] + planned[player] != in_all[at]]
    plan, most = games_to_plan(to_share, in_all, request.odd, off), _most_rounds(request)
    needed = fewest_rounds(RoundsToShare(plan.owed, to_share.sat, to_share.busy))
    return plan if most is None or needed <= most else GamesToPlan(tuple(to_share.owed))


def _most_rounds(request: DrawRequest) -> int | None:
    last = request.last_round
    return None if last is None else max(0, last - request.night.first_round + 1)


def _rounds_to_share(request: DrawRequest) -> RoundsToShare:
    players, night = request.players, request.night
    last = max((one.round for one in night.played), default=0)
    rounds = range(night.first_round, last + 1)
    busy = [{players.index(player) for player in night.busy(number) if player in players} for number in rounds]
    planned = _by_round(request, request.planned)
    paired = [{player for pair in _numbers(request, games) for player in pair} for games in planned]
    unpaired = [set(range(len(players))) - pairs for pairs in paired]
    return RoundsToShare(
        night.games_to_come(players, request.games), night.sit_outs(players, request.games), busy, unpaired
    )


def _by_round(request: DrawRequest, pairings: Iterable[Pairing]) -> list[list[Pairing]]:
    """Games by the rounds from the first that is drawn."""
    games = [one for one in pairings if one.round >= request.night.first_round]
    rounds = range(request.night.first_round, max((one.round for one in games), default=0) + 1)
    return [[one for one in games if one.round == number] for number in rounds]


def _numbers(request: DrawRequest, pairings: Iterable[Pairing]) -> list[tuple[int, int]]:
    """The pairs of these games of which both players are there."""
    number = {player: at for at, player in enumerate(request.players)}
    both = (one.players for one in pairings if all(player in number for player in one.players))
    return [(number[one], number[other]) for one, other in both]


def _teams(request: DrawRequest) -> list[list[int]]:
    teams: dict[str, list[int]] = {}
    for at, player in enumerate(request.players):
        if player in request.teams:
            teams.setdefault(request.teams[player], []).append(at)
    return list(teams.values())
