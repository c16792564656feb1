"""First deals: who deals first in each game, so that nobody does much oftener than he does not.

Each player's games stand in pairs, in their order: the first and the second, the third and the fourth. In one game of
each pair he deals first, and in the other his opponent does. That can always be had: games that share such a pair form
chains and circles, and along each of them whoever comes into a game deals. So at any time of the night nobody has dealt
first more than once oftener, or more rarely, than not. Only games that were dealt otherwise before can ask for more
than a chain can give; then games are turned round along the shortest way from who deals too often to who does too
rarely.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from pegboard.tournament.ids import PlayerId
from pegboard.tournament.movement.deal_balance import even_out
from pegboard.tournament.pairings import GameKey, Pairing


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
