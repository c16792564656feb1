"""Schedules: the one door to all drawing of rounds, for a night that begins and for one that is under way.

A night that begins, of equal players, is laid out by the ring; everything else is searched for. Where something that
is wanted cannot be had, the schedule is the nearest to it and says so in a remark.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from pegboard.tournament.ids import PlayerId
from pegboard.tournament.movement.draw_request import DrawRequest, check_players, games_of_each, tables_to_stay_at
from pegboard.tournament.movement.drawn_rounds import DrawnGame, DrawnRound, Schedule
from pegboard.tournament.movement.first_deals import share_first_deals
from pegboard.tournament.movement.night_so_far import NightSoFar
from pegboard.tournament.movement.odd_fields import ONE_MORE, OffByOne, odd_rounds
from pegboard.tournament.movement.rest_draw import RestDrawn, draw_rest
from pegboard.tournament.movement.ring import Pair, ring_rounds
from pegboard.tournament.movement.schedule_remarks import remarks_of
from pegboard.tournament.movement.table_numbers import number_ring, number_tables
from pegboard.tournament.pairings import GameKey, Pairing


def draw(
    players: Sequence[PlayerId],
    games: int | Mapping[PlayerId, int],
    *,
    played: Iterable[Pairing] = (),
    dealers: Mapping[GameKey, PlayerId] | None = None,
    tables: Mapping[GameKey, int] | None = None,
    missed: Mapping[PlayerId, Collection[int]] | None = None,
    seats: Mapping[PlayerId, int] | None = None,
    planned: Iterable[Pairing] = (),
    teams: Mapping[PlayerId, str] | None = None,
    first_round: int | None = None,
    last_round: int | None = None,
    odd: OffByOne = ONE_MORE,
    names: Mapping[PlayerId, str] | None = None,
) -> Schedule:
    """Draw the rounds of a night, or those that are still to come.

    Args:
        players: who plays in these rounds, in the order that was drawn for them: the only chance in a schedule.
        games: how many each is to have in the whole night; by players where they differ.
        played: games that are not touched, played or begun or awarded, also those of players who have left.
        dealers: who dealt first in those.
        tables: at which table games are that have begun, so that no other comes there, and those of `planned`, which
            stay there where they can.
        missed: for a player the rounds in which he was not there, as those before a latecomer came; what they count
            for says `NightSoFar.games_to_come`.
        seats: the number of the table at which a player has to stay.
        planned: games that were drawn before and have not begun: they stay as they are where nothing is lost by it.
        teams: the team of each player; nobody meets one of his own as long as it can be avoided.
        first_round: the first round to be drawn; the one after all of `played` where it is not given. Who has a game
            of `played` in it has no other there.
        last_round: after which round the night ends; without it, when all games are played.
        odd: whether one player has one game more or one fewer where the games cannot be paired.
        names: what the players are called in refusals.

    Raises:
        RuleError: games are not 1 to 99, a player stands there twice, two are to stay at one table.
    """
    fixed = tuple(played)
    check_players(players, names or {})
    first = max((one.round for one in fixed), default=0) + 1 if first_round is None else first_round
    request = DrawRequest(
        tuple(players),
        games_of_each(players, games),
        NightSoFar(fixed, first, missed or {}),
        dealers or {},
        tables or {},
        tables_to_stay_at(seats or {}, set(players), names or {}),
        tuple(planned),
        teams or {},
        last_round,
        odd,
    )
    return _draw_ring(request) if request.is_plain else _draw_rest(request)


def _draw_ring(request: DrawRequest) -> Schedule:
    """The ring, with who has to stay as its anchor."""
    order = [*request.stay, *(player for player in request.players if player not in request.stay)]
    games = request.games[order[0]]
    rounds = list(odd_rounds(order, games, request.odd) if len(order) % 2 else ring_rounds(order, games))
    pairings = list(_pairings(rounds, 1))
    return _assemble(request, pairings, number_ring(pairings, request.stay), RestDrawn.of_ring(request, rounds))


def _draw_rest(request: DrawRequest) -> Schedule:
    """What fits the games before."""
    rest = draw_rest(request)
    pairings = list(_pairings(rest.rounds, request.night.first_round))
    return _assemble(
        request, pairings, number_tables(pairings, request.stay, request.occupied_tables(), request.tables), rest
    )


def _pairings(rounds: Iterable[Sequence[Pair[PlayerId]]], first: int) -> Iterator[list[Pairing]]:
    return ([Pairing(number, pair) for pair in pairs] for number, pairs in enumerate(rounds, first))


def _assemble(
    request: DrawRequest, pairings: Sequence[Sequence[Pairing]], tables: Sequence[Sequence[int]], rest: RestDrawn
) -> Schedule:
    every = [one for games in pairings for one in games]
    deals = iter(share_first_deals(every, request.night.played, request.dealers))
    left = dict(rest.owed)
    rounds = []
    for number, (games, places) in enumerate(zip(pairings, tables, strict=True), request.night.first_round):
        drawn = [DrawnGame(one, table, next(deals)) for one, table in zip(games, places, strict=True)]
        rounds.append(_round(number, drawn, request, left))
    return Schedule(tuple(rounds), remarks_of(request, rounds, rest))


def _round(number: int, games: Sequence[DrawnGame], request: DrawRequest, left: dict[PlayerId, int]) -> DrawnRound:
    """A round, with what its players have left after it in `left`."""
    playing = {player for game in games for player in game.pairing.players}
    engaged = playing | request.night.busy(number)
    idle = [player for player in request.players if player not in engaged]
    for player in playing:
        left[player] -= 1
    sitting = tuple(player for player in idle if left[player] > 0)
    finished = tuple(player for player in idle if left[player] <= 0)
    return DrawnRound(number, tuple(sorted(games, key=lambda game: game.table)), sitting, finished)
