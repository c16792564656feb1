"""The request for a draw: its arguments, looked through before anything is drawn."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from pegboard.errors import RuleError
from pegboard.tournament.ids import PlayerId
from pegboard.tournament.pairings import GameKey, Pairing
from pegboard.tournament.schedule.ring import OffByOne

# --- the night so far, as a schedule sees it: games that stand, rounds missed, and what each player has still to come
# ---


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


MOST_GAMES = 99
"""More games than a player can have in a night; a real one has 22 at most."""


@dataclass(frozen=True, slots=True)
class DrawRequest:
    """What is to be drawn.

    Attributes:
        players: of the rounds to be drawn, in the order of the shuffle.
        games: how many each of them is to have in the whole night.
        night: what has happened already.
        dealers: who dealt first in games that were played.
        tables: at which table such a game is, or one that is planned was to be.
        stay: at which table a player has to stay.
        planned: games that were drawn before and have not begun.
        teams: the team of each player who has one.
        last_round: after which round the night ends; None where it goes on until all games are played.
        odd: which way one player is off where the games cannot be paired.
    """

    players: tuple[PlayerId, ...]
    games: Mapping[PlayerId, int]
    night: NightSoFar
    dealers: Mapping[GameKey, PlayerId]
    tables: Mapping[GameKey, int]
    stay: Mapping[PlayerId, int]
    planned: tuple[Pairing, ...]
    teams: Mapping[PlayerId, str]
    last_round: int | None
    odd: OffByOne

    @property
    def is_plain(self) -> bool:
        """Whether a ring from the first round on is all that is wanted."""
        equal = len(set(self.games.values())) == 1
        choices = self.planned or self.teams or len(self.stay) > 1 or self.last_round is not None
        return self.night.is_new and equal and not choices and len(self.players) > 1

    def occupied_tables(self) -> dict[int, set[int]]:
        """For each round to be drawn the tables at which games of it are played already."""
        occupied: dict[int, set[int]] = {}
        for one in self.night.played:
            if one.round >= self.night.first_round and one.key in self.tables:
                occupied.setdefault(one.round, set()).add(self.tables[one.key])
        return occupied


def games_of_each(players: Sequence[PlayerId], games: int | Mapping[PlayerId, int]) -> dict[PlayerId, int]:
    """How many games each player is to have; who is not named has as many as anybody.

    Raises:
        RuleError: not 1 to `MOST_GAMES`.
    """
    named = {} if isinstance(games, int) else games
    most = games if isinstance(games, int) else max(games.values(), default=0)
    each = {player: named.get(player, most) for player in players}
    for number in (most, *each.values()):
        if not 1 <= number <= MOST_GAMES:
            raise RuleError("movement_games", most=MOST_GAMES, games=number)
    return each


def check_players(players: Sequence[PlayerId], names: Mapping[PlayerId, str]) -> None:
    """See that nobody stands there twice.

    Raises:
        RuleError: somebody does.
    """
    seen: set[PlayerId] = set()
    for player in players:
        if player in seen:
            raise RuleError("movement_twice", name=names.get(player, player))
        seen.add(player)


def tables_to_stay_at(
    seats: Mapping[PlayerId, int], players: Collection[PlayerId], names: Mapping[PlayerId, str]
) -> dict[PlayerId, int]:
    """At which table a player of these has to stay.

    Raises:
        RuleError: a table has no number from 1, or two are to stay at one.
    """
    stay: dict[PlayerId, int] = {}
    whose: dict[int, PlayerId] = {}
    for player, table in seats.items():
        if player not in players:
            continue
        if table < 1:
            raise RuleError("movement_table", table=table)
        if table in whose:
            both = {"name": names.get(whose[table], whose[table]), "other": names.get(player, player)}
            raise RuleError("movement_table_twice", table=table, **both)
        stay[player], whose[table] = table, player
    return stay
