"""First dealers, so that everyone deals first about half the time; table numbers, so that few players move.

Each player's games are paired in order: the first with the second, the third with the fourth. The player deals first in
one game of each pair, and the opponent in the other. This is always possible: games linked by such pairs form chains
and cycles, and along each of them the player who links to the next game deals in it. So at any time, the numbers of
games that a player has dealt first and has not differ by at most one. Only earlier games dealt otherwise can require
more than a chain can give; then first dealers are swapped along the shortest path from a player who deals too often to
one who deals too rarely.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count

from pegboard.tournament.ids import PlayerId
from pegboard.tournament.pairings import GameKey, Pairing

# --- balancing first deals: swap first dealers until no swap improves the balance ---


TOLERABLE = 1
"""Tolerated difference between games with and without the first deal; an odd number of games cannot avoid it."""


def even_out(
    pairings: Sequence[Pairing], dealers: Sequence[PlayerId], before: Mapping[PlayerId, int]
) -> list[PlayerId]:
    """Swap first dealers of games until no more swaps help; returns the first dealer of each game.

    Args:
        pairings: the games.
        dealers: the first dealer of each game.
        before: each player's surplus of first deals before these games.
    """
    turned = list(dealers)
    while (way := _swap_path(pairings, turned, before)) is not None:
        for number in way:
            one, other = pairings[number].players
            turned[number] = other if turned[number] == one else one
    return turned


def _swap_path(
    pairings: Sequence[Pairing], dealers: Sequence[PlayerId], before: Mapping[PlayerId, int]
) -> list[int] | None:
    """Games on a path from a player who deals too often to one who deals less; each opponent deals in the next."""
    surplus = Counter(before)
    dealt: dict[PlayerId, list[tuple[int, PlayerId]]] = defaultdict(list)
    for number, (pairing, dealer) in enumerate(zip(pairings, dealers, strict=True)):
        one, other = pairing.players
        against = other if dealer == one else one
        surplus[dealer] += 1
        surplus[against] -= 1
        dealt[dealer].append((number, against))
    in_games = {player for pairing in pairings for player in pairing.players}
    if all(abs(surplus[player]) <= TOLERABLE for player in in_games):
        return None
    often = sorted(in_games, key=lambda player: (-surplus[player], player))
    return next(filter(None, (_shortest(player, dealt, surplus) for player in often)), None)


def _shortest(
    begin: PlayerId, dealt: Mapping[PlayerId, Sequence[tuple[int, PlayerId]]], surplus: Mapping[PlayerId, int]
) -> list[int] | None:
    """The games on the shortest path from `begin` to a player with whom a swap of deals improves the balance."""
    ways: dict[PlayerId, list[int]] = {begin: []}
    queue = [begin]
    for player in queue:
        if _helps(surplus[begin], surplus[player]):
            return ways[player]
        for number, against in dealt.get(player, ()):
            if against not in ways:
                ways[against] = [*ways[player], number]
                queue.append(against)
    return None


def _helps(often: int, rarely: int) -> bool:
    """Whether moving one deal, which changes both by two, improves the worse of the two balances."""
    return max(abs(often), abs(rarely)) > max(TOLERABLE, abs(often - 2), abs(rarely + 2))


# --- table numbers: players who must stay keep their table, and few people move ---
#
# A game of a player who must stay is at that player's table. A game drawn before keeps its table; any other goes to a
# table where one of its players was in the round before, if free. The rest get the lowest free tables. Rounds of a ring
# have their own order.


def number_tables(
    rounds: Iterable[Sequence[Pairing]],
    stay: Mapping[PlayerId, int],
    occupied: Mapping[int, Collection[int]],
    former: Mapping[GameKey, int],
) -> list[list[int]]:
    """The table of each game of each round, close to the tables of the round before.

    Args:
        rounds: the games.
        stay: the table at which a player must stay.
        occupied: for each round, the tables already in use by its games.
        former: the table for which a game was drawn before.
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
    """The table of each game of rounds whose games are in the table order of a ring.

    A game of a player who must stay swaps tables with the game at that player's table.
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
    """The table of each game with a player who must stay; if both must, that of the one listed first in `stay`."""
    game_of = {player: game for game, one in enumerate(pairings) for player in one.players if player in stay}
    fixed: dict[int, int] = {}
    for player, table in stay.items():
        if player in game_of and table not in busy:
            fixed.setdefault(game_of[player], table)
    return fixed


def _number_near(
    pairings: Sequence[Pairing], fixed: Mapping[int, int], wishes: Sequence[Mapping[str, int]], busy: Collection[int]
) -> list[int]:
    """The tables of a round: the one a game was drawn for, else where one of its players was, else the lowest free."""
    tables, full = dict(fixed), {*fixed.values(), *busy}
    for wish in wishes:
        for game, one in enumerate(pairings):
            near = [wish[name] for name in (one.key, *one.players) if name in wish and wish[name] not in full]
            if game not in tables and near:
                tables[game] = near[0]
                full.add(near[0])
    free = (table for table in count(1) if table not in full)
    return [tables[game] if game in tables else next(free) for game in range(len(pairings))]


def share_first_deals(
    pairings: Sequence[Pairing], played: Iterable[Pairing] = (), dealers: Mapping[GameKey, PlayerId] | None = None
) -> list[PlayerId]:
    """Choose the first dealer of each game.

    Args:
        pairings: the games, in round order.
        played: earlier games.
        dealers: the first dealers of earlier games, as far as known.
    """
    surplus = surplus_of_deals(played, dealers or {})
    return even_out(pairings, _Chains(pairings, surplus).dealers(), surplus)


def surplus_of_deals(pairings: Iterable[Pairing], dealers: Mapping[GameKey, PlayerId]) -> Counter[PlayerId]:
    """Each player's first deals minus other games, over games whose first dealer is known."""
    surplus: Counter[PlayerId] = Counter()
    for pairing in pairings:
        dealer = dealers.get(pairing.key)
        if dealer in pairing.players:
            surplus.update({player: 1 if player == dealer else -1 for player in pairing.players})
    return surplus


@dataclass(slots=True)
class _Chains:
    """Games linked in pairs: a player deals first in exactly one game of a pair.

    Attributes:
        pairings: the games, by number.
        surplus: each player's surplus of first deals from earlier games.
        joined: for a game and one of its players, the other game of the player's pair.
        wishes: for a game and a player who starts with a surplus or deficit: whether the player should deal in it.
        chosen: the first dealer of each game.
    """

    pairings: Sequence[Pairing]
    surplus: Mapping[PlayerId, int]
    joined: dict[tuple[int, PlayerId], int] = field(default_factory=dict)
    wishes: dict[tuple[int, PlayerId], bool] = field(default_factory=dict)
    chosen: dict[int, PlayerId] = field(default_factory=dict)

    def dealers(self) -> list[PlayerId]:
        self._join()
        for number, pairing in enumerate(self.pairings):
            if number not in self.chosen:
                ways = [dict(self._chain(number, dealer)) for dealer in pairing.players]
                better = max(ways, key=self._wishes_met)
                self.chosen |= better
        return [self.chosen[number] for number in range(len(self.pairings))]

    def _join(self) -> None:
        waiting: dict[PlayerId, int] = {}
        owing = {player: surplus for player, surplus in self.surplus.items() if surplus}
        for number, pairing in enumerate(self.pairings):
            for player in pairing.players:
                if player in owing:
                    self.wishes[number, player] = owing.pop(player) < 0
                elif player in waiting:
                    earlier = waiting.pop(player)
                    self.joined[number, player], self.joined[earlier, player] = earlier, number
                else:
                    waiting[player] = number

    def _chain(self, number: int, dealer: PlayerId) -> Iterator[tuple[int, PlayerId]]:
        """The dealer of each game of a chain, if this player deals in the given game."""
        yield number, dealer
        yield from self._onwards(number, self._other(number, dealer), deals=True)
        yield from self._onwards(number, dealer, deals=False)

    def _onwards(self, number: int, player: PlayerId, *, deals: bool) -> Iterator[tuple[int, PlayerId]]:
        """Follow the chain from a game through one of its players; `deals` tells if they deal in the next game."""
        begun = number
        while (following := self.joined.get((number, player))) is not None and following != begun:
            other = self._other(following, player)
            yield following, player if deals else other
            number, player = following, other

    def _other(self, number: int, player: PlayerId) -> PlayerId:
        one, other = self.pairings[number].players
        return other if player == one else one

    def _wishes_met(self, way: Mapping[int, PlayerId]) -> int:
        of_way = ((number, player) for number in way for player in self.pairings[number].players)
        return sum((way[game[0]] == game[1]) == self.wishes[game] for game in of_way if game in self.wishes)
