"""Remarks of a schedule: what it could not do, and what it takes, one sentence each."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from pegboard.tournament.ids import PlayerId
from pegboard.tournament.movement.draw_request import DrawRequest
from pegboard.tournament.movement.drawn_rounds import DrawnGame, DrawnRound
from pegboard.tournament.movement.odd_fields import ONE_MORE
from pegboard.tournament.movement.remarks import Remark
from pegboard.tournament.movement.rest_draw import RestDrawn


def remarks_of(request: DrawRequest, rounds: Sequence[DrawnRound], rest: RestDrawn) -> tuple[Remark, ...]:
    """Everything that has to be said of these rounds."""
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
        """How often somebody sits out, where somebody does in these rounds."""
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
        """Who has fewer games than he should: the rounds end, he was not there, or nobody is left to play."""
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
                key = "movement_late" if player in self._who_missed_rounds else "movement_nobody_left"
                yield Remark(key, (player,), {"games": games, "wanted": wanted})
        for (games, wanted), players in too_late.items():
            values = {"games": games, "wanted": wanted, "last": self.request.last_round or 0}
            yield Remark("movement_rounds_end", tuple(players), values)

    def _more_games(self) -> Iterator[Remark]:
        """Who has more games than he should by those that stand: he had the one that nobody else could have, say."""
        more: dict[tuple[int, int], list[PlayerId]] = {}
        in_all = self._games_in_all()
        for player in self.request.players:
            games, wanted = in_all[player], self.request.games[player]
            if games > wanted and player != self.rest.off_by_one:
                more.setdefault((games, wanted), []).append(player)
        for (games, wanted), players in more.items():
            yield Remark("movement_more", tuple(players), {"games": games, "wanted": wanted})

    @property
    def _who_missed_rounds(self) -> set[PlayerId]:
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
