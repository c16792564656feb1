"""Draw request: validated arguments of a draw; the event so far: fixed games, missed rounds, games left, sit-outs."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from pegboard.errors import RuleError
from pegboard.tournament.ids import PlayerId
from pegboard.tournament.pairings import GameKey, Pairing
from pegboard.tournament.schedule.ring import OffByOne

# --- the event so far, as a schedule sees it: fixed games, missed rounds, and games left for each player ---


@dataclass(frozen=True, slots=True)
class EventSoFar:
    """The part of an event that a draw must not change.

    Attributes:
        played: games that were played, are being played or were awarded, including those of players who have left.
        first_round: the first round to draw. A player with a game of `played` in this or a later round is busy then.
        missed: for each player, the earlier rounds for which they were absent.
    """

    played: tuple[Pairing, ...] = ()
    first_round: int = 1
    missed: Mapping[PlayerId, Collection[int]] = field(default_factory=dict)

    @property
    def is_new(self) -> bool:
        """Whether there is nothing yet that a schedule must consider."""
        return not self.played and self.first_round == 1

    def busy(self, number: int) -> frozenset[PlayerId]:
        """Players who already have a game in a round."""
        return frozenset(player for one in self.played if one.round == number for player in one.players)

    def games_to_come(self, players: Sequence[PlayerId], games: Mapping[PlayerId, int]) -> list[int]:
        """How many games each player has left, of `games` in the whole event.

        For missed rounds a player is credited with as many games as the player who had the fewest in these rounds.
        So a latecomer has no more games left than others, and as many as at least one of them.
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
        """How often each player has sat out while games were left, of `games` in the whole event.

        In missed rounds a player counts as having sat out as often as the player who sat out most in them.
        """
        idle, there = self._idle_rounds(players, games), self._there(players)
        sat = []
        for player in players:
            missed = self._missed_rounds(player)
            most = max((len(idle[other] & missed) for other in there), default=0)
            sat.append(len(idle[player] - missed) + most)
        return sat

    def _idle_rounds(self, players: Sequence[PlayerId], games: Mapping[PlayerId, int]) -> dict[PlayerId, set[int]]:
        """The rounds before the first to draw in which a player had no game, until they had all their games."""
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
        """Players who have missed no round."""
        return [player for player in players if not self._missed_rounds(player)]

    def _missed_rounds(self, player: PlayerId) -> frozenset[int]:
        return frozenset(number for number in self.missed.get(player, ()) if 0 < number < self.first_round)

    def _games_in(self, players: Iterable[PlayerId], rounds: Collection[int]) -> Counter[PlayerId]:
        whom = set(players)
        return Counter(player for one in self.played if one.round in rounds for player in one.players if player in whom)


MOST_GAMES = 99
"""Maximum games of a player in an event; a real one has at most 22."""


@dataclass(frozen=True, slots=True)
class DrawRequest:
    """The validated arguments of a draw.

    Attributes:
        players: the players of the rounds to draw, in shuffled order.
        games: how many games each player should have in the whole event.
        night: the event so far.
        dealers: the first dealers of games that were played.
        tables: the table of a played game, or the one intended for a planned game.
        stay: the table at which a player must stay.
        planned: games that were drawn before and have not begun.
        teams: the team of each player who has one.
        last_round: the round after which the event ends; None if it goes on until all games are played.
        odd: whether one player has one more or one fewer if the games cannot be paired.
    """

    players: tuple[PlayerId, ...]
    games: Mapping[PlayerId, int]
    night: EventSoFar
    dealers: Mapping[GameKey, PlayerId]
    tables: Mapping[GameKey, int]
    stay: Mapping[PlayerId, int]
    planned: tuple[Pairing, ...]
    teams: Mapping[PlayerId, str]
    last_round: int | None
    odd: OffByOne

    @property
    def is_plain(self) -> bool:
        """Whether a plain ring from the first round is enough."""
        equal = len(set(self.games.values())) == 1
        choices = self.planned or self.teams or len(self.stay) > 1 or self.last_round is not None
        return self.night.is_new and equal and not choices and len(self.players) > 1

    def occupied_tables(self) -> dict[int, set[int]]:
        """For each round to draw, the tables already taken by its games."""
        occupied: dict[int, set[int]] = {}
        for one in self.night.played:
            if one.round >= self.night.first_round and one.key in self.tables:
                occupied.setdefault(one.round, set()).add(self.tables[one.key])
        return occupied


def games_of_each(players: Sequence[PlayerId], games: int | Mapping[PlayerId, int]) -> dict[PlayerId, int]:
    """How many games each player should have; players missing from a mapping get the highest number in it.

    Raises:
        RuleError: a number of games is not from 1 to `MOST_GAMES`.
    """
    named = {} if isinstance(games, int) else games
    most = games if isinstance(games, int) else max(games.values(), default=0)
    each = {player: named.get(player, most) for player in players}
    for number in (most, *each.values()):
        if not 1 <= number <= MOST_GAMES:
            raise RuleError("movement_games", most=MOST_GAMES, games=number)
    return each


def check_players(players: Sequence[PlayerId], names: Mapping[PlayerId, str]) -> None:
    """Check that no player is listed twice.

    Raises:
        RuleError: a player is listed twice.
    """
    seen: set[PlayerId] = set()
    for player in players:
        if player in seen:
            raise RuleError("movement_twice", name=names.get(player, player))
        seen.add(player)


def tables_to_stay_at(
    seats: Mapping[PlayerId, int], players: Collection[PlayerId], names: Mapping[PlayerId, str]
) -> dict[PlayerId, int]:
    """The table at which each of these players must stay.

    Raises:
        RuleError: a table number is less than 1, or two players must stay at the same table.
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
