"""The night so far, as a schedule sees it: games that stand, rounds missed, and what each player has still to come."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from pegboard.tournament.ids import PlayerId
from pegboard.tournament.pairings import Pairing


@dataclass(frozen=True, slots=True)
class NightSoFar:
    """What is not to be touched.

    Attributes:
        played: games that were played, are being played or were awarded; also those of players who have left.
        first_round: the first one that is drawn now. Who has a game of `played` in it, or later, is busy there.
        missed: for each player the rounds before it in which he was not there.
    """

    played: tuple[Pairing, ...] = ()
    first_round: int = 1
    missed: Mapping[PlayerId, Collection[int]] = field(default_factory=dict)

    @property
    def is_new(self) -> bool:
        """Whether nothing has happened that a schedule has to heed."""
        return not self.played and self.first_round == 1

    def busy(self, number: int) -> frozenset[PlayerId]:
        """Who plays in a round already."""
        return frozenset(player for one in self.played if one.round == number for player in one.players)

    def games_to_come(self, players: Sequence[PlayerId], games: Mapping[PlayerId, int]) -> list[int]:
        """How many each player has to play, of so many in the whole night.

        For rounds that he missed a player counts as if he had had as many games in them as that player of the field who
        had the fewest: he will have no more to come than anybody else, and as many as somebody.
        """
        done, there = Counter(player for one in self.played for player in one.players), self._there(players)
        to_come = []
        for player in players:
            missed = self._missed_rounds(player)
            in_them = self._games_in(there, missed)
            counted = min((in_them[other] for other in there), default=len(missed)) if missed else 0
            to_come.append(max(0, games[player] - done[player] - counted))
        return to_come

    def sit_outs(self, players: Sequence[PlayerId], games: Mapping[PlayerId, int]) -> list[int]:
        """How often each has sat out while games were to come, of so many in the whole night.

        In rounds that he missed a player counts as having sat out as often as who did most in them.
        """
        idle, there = self._idle_rounds(players, games), self._there(players)
        sat = []
        for player in players:
            missed = self._missed_rounds(player)
            most = max((len(idle[other] & missed) for other in there), default=0)
            sat.append(len(idle[player] - missed) + most)
        return sat

    def _idle_rounds(self, players: Sequence[PlayerId], games: Mapping[PlayerId, int]) -> dict[PlayerId, set[int]]:
        """The rounds before the first to be drawn in which a player had no game, until he had had all."""
        rounds: dict[PlayerId, set[int]] = {player: set() for player in players}
        for one in self.played:
            for player in one.players:
                rounds.get(player, set()).add(one.round)
        last = {player: max(of_player, default=0) for player, of_player in rounds.items()}
        ends = {
            player: last[player] if len(rounds[player]) >= games[player] else self.first_round - 1 for player in players
        }
        return {player: set(range(1, ends[player] + 1)) - rounds[player] for player in players}

    def _there(self, players: Sequence[PlayerId]) -> list[PlayerId]:
        """Who has missed no round."""
        return [player for player in players if not self._missed_rounds(player)]

    def _missed_rounds(self, player: PlayerId) -> frozenset[int]:
        return frozenset(number for number in self.missed.get(player, ()) if 0 < number < self.first_round)

    def _games_in(self, players: Iterable[PlayerId], rounds: Collection[int]) -> Counter[PlayerId]:
        whom = set(players)
        return Counter(player for one in self.played if one.round in rounds for player in one.players if player in whom)
