"""The request for a draw: its arguments, looked through before anything is drawn."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from pegboard.errors import RuleError
from pegboard.tournament.ids import PlayerId
from pegboard.tournament.movement.night_so_far import NightSoFar
from pegboard.tournament.movement.odd_fields import OffByOne
from pegboard.tournament.pairings import GameKey, Pairing

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
