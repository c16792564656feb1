"""Schedules: `draw`, which draws rounds of new and running events; remarks on them; sides and matches of teams.

A new event without special requests uses the circle method; all other rounds are found by a search. If a request cannot
be fully met, the schedule is the closest possible and says so in a remark.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pegboard.errors import RuleError
from pegboard.messages import Message
from pegboard.tournament.ids import PlayerId
from pegboard.tournament.pairings import GameKey, Pairing
from pegboard.tournament.schedule.draw_request import (
    DrawRequest,
    EventSoFar,
    check_players,
    games_of_each,
    tables_to_stay_at,
)
from pegboard.tournament.schedule.first_deals import number_ring, number_tables, share_first_deals
from pegboard.tournament.schedule.rest_of_rounds import PairingInput, pair_rest
from pegboard.tournament.schedule.ring import ONE_MORE, OffByOne, Pair, odd_rounds, ring_rounds
from pegboard.tournament.schedule.sit_outs import GamesToPlan, RoundsToShare, fewest_rounds, games_to_plan

# --- remarks of a schedule about itself, above all about requests that the numbers make impossible ---


@dataclass(frozen=True, slots=True)
class Remark:
    """A sentence as a message key with player ids instead of names, so that it follows corrected names.

    Attributes:
        key: the key in the message table.
        players: the players in the sentence, in order.
        values: the numbers in the sentence, by name.
    """

    key: str
    players: tuple[PlayerId, ...] = ()
    values: Mapping[str, int] = field(default_factory=dict)

    def say(self, names: Mapping[PlayerId, str] | None = None) -> Message:
        """The sentence; a player without a name is shown by id.

        Its values `name` and `other` are the first and second player, `names` is all players.
        """
        called = [(names or {}).get(player, player) for player in self.players]
        who = dict(zip(("name", "other"), called, strict=False)) | ({"names": ", ".join(called)} if called else {})
        return Message(self.key, **who, **self.values)

    def as_json(self) -> dict[str, Any]:
        """The remark, JSON-ready: `key`, `players`, `values`."""
        return {"key": self.key, "players": list(self.players), "values": dict(self.values)}

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> "Remark":
        """Parse the values from `as_json`."""
        return cls(values["key"], tuple(values["players"]), dict(values["values"]))


# --- drawn rounds: games with table and first dealer, and sit-outs ---


@dataclass(frozen=True, slots=True)
class DrawnGame:
    """A pairing with its table.

    Attributes:
        pairing: round and players, in seat order.
        table: the number of the table, from 1.
        dealer: the player who deals first.
    """

    pairing: Pairing
    table: int
    dealer: PlayerId


@dataclass(frozen=True, slots=True)
class DrawnRound:
    """A drawn round.

    Attributes:
        number: the number of the round, from 1.
        games: the games, by table.
        sitting: players who sit out although they have games left, or because there are too many players.
        finished: players who have had all their games and may go home.
    """

    number: int
    games: tuple[DrawnGame, ...]
    sitting: tuple[PlayerId, ...] = ()
    finished: tuple[PlayerId, ...] = ()


@dataclass(frozen=True, slots=True)
class Schedule:
    """The drawn rounds, and remarks on them."""

    rounds: tuple[DrawnRound, ...] = ()
    remarks: tuple[Remark, ...] = ()

    @property
    def pairings(self) -> tuple[Pairing, ...]:
        """The pairings of all rounds, in order."""
        return tuple(game.pairing for drawn in self.rounds for game in drawn.games)

    @property
    def sit_outs(self) -> Mapping[PlayerId, int]:
        """How often each player sits out in these rounds; players who never do are missing."""
        return Counter(player for drawn in self.rounds for player in drawn.sitting)


# --- drawing the rest of an event: from ids to numbers and back, with details about the result ---


@dataclass(frozen=True, slots=True)
class RestDrawn:
    """Rounds with ids, and the facts needed to make remarks on them.

    Attributes:
        rounds: the pairs of each round.
        owed: how many games each player has, or should have, in these rounds.
        off_by_one: the player with one game more or fewer, if the games of all players add up to an odd number.
        is_least: whether no schedule has fewer rematches.
    """

    rounds: Sequence[Sequence[Pair[PlayerId]]]
    owed: Mapping[PlayerId, int] = field(default_factory=dict)
    off_by_one: PlayerId | None = None
    is_least: bool = True

    @classmethod
    def of_ring(cls, request: DrawRequest, rounds: Sequence[Sequence[Pair[PlayerId]]]) -> "RestDrawn":
        """The rounds of a ring, which are optimal."""
        owed = Counter(player for pairs in rounds for pair in pairs for player in pair)
        off = next((player for player in request.players if owed[player] != request.games[player]), None)
        return cls(rounds, owed, off)


def draw_rest(request: DrawRequest) -> RestDrawn:
    """Draw the remaining rounds of an event, after the games that are fixed."""
    to_share = _rounds_to_share(request)
    plan, most = _plan(request, to_share), _most_rounds(request)
    paired = pair_rest(
        PairingInput(
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
    """The games that can be paired; if there is no time for them, the games as requested: the rounds just end."""
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
    """Games by round, from the first round to be drawn."""
    games = [one for one in pairings if one.round >= request.night.first_round]
    rounds = range(request.night.first_round, max((one.round for one in games), default=0) + 1)
    return [[one for one in games if one.round == number] for number in rounds]


def _numbers(request: DrawRequest, pairings: Iterable[Pairing]) -> list[tuple[int, int]]:
    """These games as pairs of player numbers, if both players are in the draw."""
    number = {player: at for at, player in enumerate(request.players)}
    both = (one.players for one in pairings if all(player in number for player in one.players))
    return [(number[one], number[other]) for one, other in both]


def _teams(request: DrawRequest) -> list[list[int]]:
    teams: dict[str, list[int]] = {}
    for at, player in enumerate(request.players):
        if player in request.teams:
            teams.setdefault(request.teams[player], []).append(at)
    return list(teams.values())


# --- remarks on a schedule: one sentence for each compromise or consequence ---


def remarks_of(request: DrawRequest, rounds: Sequence[DrawnRound], rest: RestDrawn) -> tuple[Remark, ...]:
    """All remarks on these rounds."""
    return tuple(_Findings(request, rounds, rest).all())


@dataclass(frozen=True, slots=True)
class _Findings:
    request: DrawRequest
    rounds: Sequence[DrawnRound]
    rest: RestDrawn

    def all(self) -> Iterator[Remark]:
        yield from self._odd_games()
        yield from self._sit_outs()
        yield from self._rematches()
        yield from self._fewer_games()
        yield from self._more_games()
        yield from self._tables()
        yield from self._team_mates()

    @property
    def _games(self) -> list[DrawnGame]:
        return [game for drawn in self.rounds for game in drawn.games]

    def _games_in_all(self) -> Mapping[PlayerId, int]:
        pairings = (*self.request.night.played, *(game.pairing for game in self._games))
        return Counter(player for one in pairings for player in one.players)

    def _odd_games(self) -> Iterator[Remark]:
        player = self.rest.off_by_one
        if player is not None:
            key = "movement_one_more" if self.request.odd == ONE_MORE else "movement_one_fewer"
            yield Remark(key, (player,), {"games": self._games_in_all()[player]})

    def _sit_outs(self) -> Iterator[Remark]:
        """How often players sit out, if any do in these rounds."""
        now = Counter(player for drawn in self.rounds for player in drawn.sitting)
        players = self.request.players
        before = dict(zip(players, self.request.night.sit_outs(players, self.request.games), strict=True))
        in_all = {player: before[player] + now[player] for player in players}
        if now:
            most, fewest = max(in_all.values()), min(in_all.values())
            last = self.rounds[-1].number
            key = "movement_sit_outs_alike" if fewest == most else "movement_sit_outs"
            yield Remark(key, (), {"last": last, "players": len(players), "fewest": fewest, "most": most})
            if most - fewest > 1:
                often = tuple(player for player in players if in_all[player] == most)
                yield Remark("movement_sitting_uneven", often, {"most": most, "fewest": fewest})

    def _rematches(self) -> Iterator[Remark]:
        met = Counter(frozenset(one.players) for one in self.request.night.played)
        rematches = most = 0
        for game in self._games:
            pair = frozenset(game.pairing.players)
            met[pair] += 1
            rematches += met[pair] > 1
            most = max(most, met[pair])
        if rematches:
            key = "movement_rematches" if self.rest.is_least else "movement_rematches_found"
            yield Remark(key, (), {"number": rematches, "most": most})

    def _fewer_games(self) -> Iterator[Remark]:
        """Players with fewer games than requested: the event ends, they missed rounds, or no opponent is left."""
        in_all = self._games_in_all()
        drawn = Counter(player for game in self._games for player in game.pairing.players)
        too_late: dict[tuple[int, int], list[PlayerId]] = {}
        for player in self.request.players:
            games, wanted = in_all[player], self.request.games[player]
            if games >= wanted or player == self.rest.off_by_one:
                continue
            if drawn[player] < self.rest.owed[player] and self.request.last_round is not None:
                too_late.setdefault((games, wanted), []).append(player)
            else:
                key = "movement_late" if player in self._players_with_missed_rounds else "movement_nobody_left"
                yield Remark(key, (player,), {"games": games, "wanted": wanted})
        for (games, wanted), players in too_late.items():
            values = {"games": games, "wanted": wanted, "last": self.request.last_round or 0}
            yield Remark("movement_rounds_end", tuple(players), values)

    def _more_games(self) -> Iterator[Remark]:
        """Players with more games than requested: they have fixed games, such as the extra game of an earlier draw."""
        more: dict[tuple[int, int], list[PlayerId]] = {}
        in_all = self._games_in_all()
        for player in self.request.players:
            games, wanted = in_all[player], self.request.games[player]
            if games > wanted and player != self.rest.off_by_one:
                more.setdefault((games, wanted), []).append(player)
        for (games, wanted), players in more.items():
            yield Remark("movement_more", tuple(players), {"games": games, "wanted": wanted})

    @property
    def _players_with_missed_rounds(self) -> set[PlayerId]:
        night = self.request.night
        return {player for player, missed in night.missed.items() if any(one < night.first_round for one in missed)}

    def _tables(self) -> Iterator[Remark]:
        for game in self._games:
            for player in game.pairing.players:
                table = self.request.stay.get(player, game.table)
                if table != game.table:
                    values = {"table": table, "away": game.table, "round": game.pairing.round}
                    yield Remark("movement_table_away", (player,), values)

    def _team_mates(self) -> Iterator[Remark]:
        teams = self.request.teams
        for game in self._games:
            one, other = game.pairing.players
            if one in teams and teams[one] == teams.get(other):
                yield Remark("movement_team_mates", (one, other), {"round": game.pairing.round})


# --- teams and sides: one side stays and the other moves; and matches table by table ---
#
# Teams whose players all meet individually are drawn by `schedule.draw` with `teams`.


def one_side_stays(staying: Sequence[PlayerId], moving: Sequence[PlayerId], games: int) -> Schedule:
    """Rounds in which one side stays at its tables, and the other moves up one table after each round.

    Players never meet their own side. After as many rounds as there are tables, everyone has met the entire other side;
    then it repeats. If one side has one player more, one player of that side sits out in each round.

    Args:
        staying: ids of players or pairs; the first stays at table 1.
        moving: ids of the other side; the first begins at table 1.
        games: the number of rounds.

    Raises:
        RuleError: the sides differ by more than one player, or a side is empty.
    """
    if not staying or not moving or abs(len(staying) - len(moving)) > 1:
        raise RuleError("movement_sides", staying=len(staying), moving=len(moving))
    tables = max(len(staying), len(moving))
    rounds = [list(_round_of_sides(staying, moving, number, tables)) for number in range(games)]
    pairings = [Pairing(number + 1, pair) for number, pairs in enumerate(rounds) for _, pair in pairs]
    dealers = iter(share_first_deals(pairings))
    drawn = []
    for number, pairs in enumerate(rounds, 1):
        placed = tuple(DrawnGame(Pairing(number, pair), table, next(dealers)) for table, pair in pairs)
        playing = {player for _, pair in pairs for player in pair}
        sitting = tuple(player for player in (*staying, *moving) if player not in playing)
        drawn.append(DrawnRound(number, placed, sitting))
    schedule = Schedule(tuple(drawn))
    return Schedule(schedule.rounds, tuple(_remarks(schedule, len(staying) + len(moving))))


def _round_of_sides(
    staying: Sequence[PlayerId], moving: Sequence[PlayerId], number: int, tables: int
) -> Iterator[tuple[int, tuple[PlayerId, PlayerId]]]:
    """Each table with two players, and the players."""
    for place, one in enumerate(staying):
        comes = (place - number) % tables
        if comes < len(moving):
            yield place + 1, (one, moving[comes])


def table_by_table(pairs: Mapping[int, tuple[PlayerId, PlayerId]], games_at: Callable[[int], int]) -> list[DrawnRound]:
    """A match of two teams in which nobody moves: the same two meet at a table in each round.

    First deals alternate between the teams from round to round, and from table to table in order, even when a table
    has no more games.

    Args:
        pairs: a player of the home team and a player of the other team, by table number.
        games_at: the number of games at a table, by its number.
    """
    rounds: dict[int, list[DrawnGame]] = {}
    for table, pair in sorted(pairs.items()):
        turn = sum(map(games_at, range(1, table)))
        for number in range(1, games_at(table) + 1):
            dealer = pair[(turn + number - 1) % len(pair)]
            rounds.setdefault(number, []).append(DrawnGame(Pairing(number, pair), table, dealer))
    return [DrawnRound(number, tuple(drawn)) for number, drawn in sorted(rounds.items())]


def _remarks(schedule: Schedule, players: int) -> Iterator[Remark]:
    met = Counter(one.players for one in schedule.pairings)
    rematches, last = sum(met.values()) - len(met), len(schedule.rounds)
    if rematches:
        yield Remark("movement_rematches_of_sides", (), {"number": rematches, "most": max(met.values())})
    if schedule.sit_outs:
        most = max(schedule.sit_outs.values())
        yield Remark("movement_sit_outs", (), {"last": last, "players": players, "fewest": 0, "most": most})


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
    """Draw the rounds of an event, or the remaining rounds.

    Args:
        players: the players of these rounds, in their drawn order: the only randomness in a schedule.
        games: how many games each player should have in the whole event; a mapping if they differ.
        played: games that are fixed: played, begun or awarded, including those of players who have left.
        dealers: the first dealers of these games.
        tables: the tables of games that have begun, which no other game may use, and of `planned` games, which keep
            their tables if possible.
        missed: for each player, the rounds for which they were absent, such as rounds before a latecomer arrived;
            `EventSoFar.games_to_come` says how these count.
        seats: the table number at which a player must stay.
        planned: games that were drawn before and have not begun: kept if that costs nothing.
        teams: the team of each player; teammates do not meet as long as it can be avoided.
        first_round: the first round to draw; by default the one after all of `played`. A player with a game of
            `played` in this round gets no other game in it.
        last_round: the round after which the event ends; by default when all games are played.
        odd: whether one player has one game more or one fewer if the games cannot be paired.
        names: players' names for refusals.

    Raises:
        RuleError: games are not 1 to 99, a player is listed twice, or two players must stay at one table.
    """
    fixed = tuple(played)
    check_players(players, names or {})
    first = max((one.round for one in fixed), default=0) + 1 if first_round is None else first_round
    request = DrawRequest(
        tuple(players),
        games_of_each(players, games),
        EventSoFar(fixed, first, missed or {}),
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
    """Draw a ring; a player who must stay at a table is its anchor."""
    order = [*request.stay, *(player for player in request.players if player not in request.stay)]
    games = request.games[order[0]]
    rounds = list(odd_rounds(order, games, request.odd) if len(order) % 2 else ring_rounds(order, games))
    pairings = list(_pairings(rounds, 1))
    return _assemble(request, pairings, number_ring(pairings, request.stay), RestDrawn.of_ring(request, rounds))


def _draw_rest(request: DrawRequest) -> Schedule:
    """Draw rounds that fit the earlier games."""
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
    """Make a round; reduces the players' remaining games in `left`."""
    playing = {player for game in games for player in game.pairing.players}
    engaged = playing | request.night.busy(number)
    idle = [player for player in request.players if player not in engaged]
    for player in playing:
        left[player] -= 1
    sitting = tuple(player for player in idle if left[player] > 0)
    finished = tuple(player for player in idle if left[player] <= 0)
    return DrawnRound(number, tuple(sorted(games, key=lambda game: game.table)), sitting, finished)
