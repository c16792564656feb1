"""Table numbers: at which table each game is, so that who needs one table has it and few people move.

A game of somebody who stays is at his table. A game that was drawn before is where it was to be; another goes to a
table at which one of its players was in the round before, if it is free, and what is left to the lowest free tables.
Rounds of a ring have an order of their own.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import count

from pegboard.tournament.ids import PlayerId
from pegboard.tournament.pairings import GameKey, Pairing


def number_tables(
    rounds: Iterable[Sequence[Pairing]],
    stay: Mapping[PlayerId, int],
    occupied: Mapping[int, Collection[int]],
    former: Mapping[GameKey, int],
) -> list[list[int]]:
    """The table of each game of each round, near those of the round before.

    Args:
        rounds: the games.
        stay: at which table a player has to stay.
        occupied: for a round the tables at which games of it go on already.
        former: at which table a game would have been.
    """
    at: dict[PlayerId, int] = {}
    numbered = []
    for pairings in rounds:
        busy = set(occupied.get(pairings[0].round, ())) if pairings else set[int]()
        tables = _number_near(pairings, _fixed_tables(pairings, stay, busy), [former, at], busy)
        at = {player: table for one, table in zip(pairings, tables, strict=True) for player in one.players}
        numbered.append(tables)
    return numbered


def number_ring(rounds: Iterable[Sequence[Pairing]], stay: Mapping[PlayerId, int]) -> list[list[int]]:
    """The table of each game of rounds whose games come by the tables of a ring.

    A game with somebody who stays changes tables with the one that would be at his.
    """
    return [_exchange(len(pairings), _fixed_tables(pairings, stay, ())) for pairings in rounds]


def _exchange(games: int, fixed: Mapping[int, int]) -> list[int]:
    tables = list(range(1, games + 1))
    for game, table in fixed.items():
        if table in tables:
            tables[tables.index(table)] = tables[game]
        tables[game] = table
    return tables


def _fixed_tables(pairings: Sequence[Pairing], stay: Mapping[PlayerId, int], busy: Collection[int]) -> dict[int, int]:
    """The table of each game with somebody who stays; where both do, of who is first in `stay`."""
    game_of = {player: game for game, one in enumerate(pairings) for player in one.players if player in stay}
    fixed: dict[int, int] = {}
    for player, table in stay.items():
        if player in game_of and table not in busy:
            fixed.setdefault(game_of[player], table)
    return fixed


def _number_near(
    pairings: Sequence[Pairing], fixed: Mapping[int, int], wishes: Sequence[Mapping[str, int]], busy: Collection[int]
) -> list[int]:
    """The tables of a round: where a game was to be, then where one of its players was, then the lowest free."""
    tables, full = dict(fixed), {*fixed.values(), *busy}
    for wish in wishes:
        for game, one in enumerate(pairings):
            near = [wish[name] for name in (one.key, *one.players) if name in wish and wish[name] not in full]
            if game not in tables and near:
                tables[game] = near[0]
                full.add(near[0])
    free = (table for table in count(1) if table not in full)
    return [tables[game] if game in tables else next(free) for game in range(len(pairings))]
