"""First deals: who deals first in each game, so that nobody does much oftener than he does not.

Each player's games stand in pairs, in their order: the first and the second, the third and the fourth. In one game of
each pair he deals first, and in the other his opponent does. That can always be had: games that share such a pair form
chains and circles, and along each of them whoever comes into a game deals. So at any time of the night nobody has dealt
first more than once oftener, or more rarely, than not. Only games that were dealt otherwise before can ask for more
than a chain can give; then games are turned round along the shortest way from who deals too often to who does too
rarely.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count

from pegboard.tournament.ids import PlayerId
from pegboard.tournament.pairings import GameKey, Pairing

# --- balance of first deals: turning games round until nobody deals first too often for what somebody else lacks ---


TOLERABLE = 1
"""By how much somebody may deal first oftener, or more rarely, than not: an odd number of games leaves it."""


def even_out(
    pairings: Sequence[Pairing], dealers: Sequence[PlayerId], before: Mapping[PlayerId, int]
) -> list[PlayerId]:
    """Who deals first in each game once no more turning helps.

    Args:
        pairings: the games.
        dealers: who deals first in each.
        before: how much oftener each has dealt first before them than not.
    """
    turned = list(dealers)
    while (way := _way_to_turn(pairings, turned, before)) is not None:
        for number in way:
            one, other = pairings[number].players
            turned[number] = other if turned[number] == one else one
    return turned


def _way_to_turn(
    pairings: Sequence[Pairing], dealers: Sequence[PlayerId], before: Mapping[PlayerId, int]
) -> list[int] | None:
    """Games from one who deals too often to one who deals much more rarely; each non-dealer deals in the next."""
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
    """The games on the shortest way to somebody whom turning them helps more than it hurts the first."""
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
    """Whether one deal from the one to the other, which changes both by two, makes the worse of them better."""
    return max(abs(often), abs(rarely)) > max(TOLERABLE, abs(often - 2), abs(rarely + 2))


# --- table numbers: at which table each game is, so that who needs one table has it and few people move ---
#
# A game of somebody who stays is at his table. A game that was drawn before is where it was to be; another goes to a
# table at which one of its players was in the round before, if it is free, and what is left to the lowest free tables.
# Rounds of a ring have an order of their own.


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


def share_first_deals(
    pairings: Sequence[Pairing], played: Iterable[Pairing] = (), dealers: Mapping[GameKey, PlayerId] | None = None
) -> list[PlayerId]:
    """Who deals first in each of these games.

    Args:
        pairings: the games, in the order of their rounds.
        played: those before them.
        dealers: who dealt first in those of which that is known.
    """
    surplus = surplus_of_deals(played, dealers or {})
    return even_out(pairings, _Chains(pairings, surplus).dealers(), surplus)


def surplus_of_deals(pairings: Iterable[Pairing], dealers: Mapping[GameKey, PlayerId]) -> Counter[PlayerId]:
    """How much oftener each has dealt first than not, in games of which that is known."""
    surplus: Counter[PlayerId] = Counter()
    for pairing in pairings:
        dealer = dealers.get(pairing.key)
        if dealer in pairing.players:
            surplus.update({player: 1 if player == dealer else -1 for player in pairing.players})
    return surplus


@dataclass(slots=True)
class _Chains:
    """Games joined by the players who deal first in exactly one of two.

    Attributes:
        pairings: the games, by their number.
        surplus: how much oftener each has dealt before.
        joined: for a game and one of its players his other game of the pair.
        wishes: for a game and one of its players, who has games without such a pair before it, whether he should deal.
        chosen: for each game who deals.
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
        """Who deals in each game of a chain, if that player does in one of them."""
        yield number, dealer
        yield from self._onwards(number, self._other(number, dealer), deals=True)
        yield from self._onwards(number, dealer, deals=False)

    def _onwards(self, number: int, player: PlayerId, *, deals: bool) -> Iterator[tuple[int, PlayerId]]:
        """From game to game, by the player who stands at the end of the last one; he deals in the next, or does not."""
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
