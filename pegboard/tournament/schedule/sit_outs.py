"""Sit-outs: who plays in which of the rounds to come, before anybody knows against whom.

Mostly one player at most sits out in a round: who has sat out least, counted over the whole night, so nobody does twice
before everybody has once. Where somebody has many games to come, others sit out more, so that he can have them all.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from pegboard.tournament.schedule.ring import ONE_MORE, OffByOne

OPPONENTS = 2
"""Players of a game: who is free alone has none."""


Lineup: TypeAlias = list[list[int]]
"""For each round the numbers of the players who have a game in it: an even number of them."""


@dataclass(frozen=True, slots=True)
class RoundsToShare:
    """What has to be shared out; players are numbers, in the order of the draw.

    Attributes:
        owed: how many games each has to come; their sum is even.
        sat: how often each has sat out.
        busy: for each of the first rounds who is not free in it.
        unpaired: for each of the first rounds who has nobody to play in it as it was drawn before: of equals, they sit.
    """

    owed: Sequence[int]
    sat: Sequence[int]
    busy: Sequence[Collection[int]] = ()
    unpaired: Sequence[Collection[int]] = ()

    def busy_in(self, number: int) -> Collection[int]:
        """Who plays a game in a round, from 0, that stands already."""
        return self.busy[number] if number < len(self.busy) else ()

    def blocked_players(self) -> list[Collection[int]]:
        """For each of the first rounds who can have no game in it: he has one that stands, or everybody else has."""
        to_come = [player for player, games in enumerate(self.owed) if games]
        return [
            busy if sum(player not in busy for player in to_come) >= OPPONENTS else range(len(self.owed))
            for busy in self.busy
        ]

    def unpaired_players(self, number: int) -> Collection[int]:
        """Whom nobody would miss in a round, from 0."""
        return self.unpaired[number] if number < len(self.unpaired) else ()


@dataclass(slots=True)
class _Sharing:
    """Rounds shared out one after the other."""

    to_share: RoundsToShare
    rounds: int
    owed: list[int] = field(init=False)
    sat: list[int] = field(init=False)
    blocked: list[Collection[int]] = field(init=False)

    def __post_init__(self) -> None:
        self.owed, self.sat = list(self.to_share.owed), list(self.to_share.sat)
        self.blocked = self.to_share.blocked_players()

    def share(self, games_in: "GamesIn", sits_first: "SitsFirst", *, must: bool = True) -> Lineup | None:
        """Share out all rounds; None where somebody would not have all games, though everybody `must`."""
        lineup = []
        for number in range(self.rounds):
            free = [player for player in range(len(self.owed)) if self._is_free(player, number)]
            spare = {player: self._rounds_left(player, number) - self.owed[player] for player in free}
            by_need = sorted(free, key=lambda player: sits_first(self, player, number, spare[player]))
            idle = len(free) - 2 * games_in(self, number, free)
            if must and any(spare[player] < 1 for player in by_need[:idle]):
                return None
            self._note(by_need[:idle], by_need[idle:])
            lineup.append(sorted(by_need[idle:]))
        return None if must and any(self.owed) else lineup

    def _is_free(self, player: int, number: int) -> bool:
        return self.owed[player] > 0 and player not in self.to_share.busy_in(number)

    def _note(self, sitting: Sequence[int], playing: Sequence[int]) -> None:
        for player in sitting:
            self.sat[player] += 1
        for player in playing:
            self.owed[player] -= 1

    def fairest(self, player: int, number: int, spare: int) -> tuple[int, ...]:
        """Who has sat out least sits first, if he can spare it at all."""
        paired = player not in self.to_share.unpaired_players(number)
        return spare < 1, self.sat[player], paired, -spare, player

    def likeliest(self, player: int, number: int, spare: int) -> tuple[int, ...]:
        """Who can best spare it sits first."""
        paired = player not in self.to_share.unpaired_players(number)
        return -spare, self.sat[player], paired, player

    def anybody(self, player: int, number: int, _spare: int) -> tuple[int, ...]:
        """Who has sat out least sits first, whether he can spare it or not."""
        return self.sat[player], player not in self.to_share.unpaired_players(number), player

    def _rounds_left(self, player: int, number: int) -> int:
        left = self.rounds - number
        return left - sum(player in blocked for blocked in self.blocked[number:])

    def games_left(self) -> int:
        return sum(self.owed) // 2

    def widest(self, _number: int, free: list[int]) -> int:
        """As many games as there are players for, but so that who has most to come still finds opponents."""
        most = max((self.owed[player] for player in free), default=0)
        beyond = max(0, sum(self.owed) - 2 * most) // 2
        return min(len(free) // 2, 1 + beyond)

    def widest_of_all(self, _number: int, free: list[int]) -> int:
        """As many games as there are players for."""
        return len(free) // 2

    def narrow_first(self, number: int, free: list[int]) -> int:
        """As few games as the later rounds leave room for: who sits out then can still exchange it fairly."""
        later = self.rounds - number - 1
        return min(len(free) // 2, max(1, self.games_left() - later * (len(free) // 2)))

    def level(self, number: int, free: list[int]) -> int:
        """About as many games in each round as in the others."""
        return min(len(free) // 2, -(-self.games_left() // (self.rounds - number)))


GamesIn: TypeAlias = Callable[[_Sharing, int, list[int]], int]
"""How many games a round has, with so many free."""


SitsFirst: TypeAlias = Callable[[_Sharing, int, int, int], tuple[int, ...]]
"""By what players are sorted who may sit out: player, round, and how many rounds he can spare."""


WAYS: tuple[tuple[GamesIn, SitsFirst], ...] = (
    (_Sharing.widest, _Sharing.fairest),
    (_Sharing.widest, _Sharing.likeliest),
    (_Sharing.level, _Sharing.likeliest),
)
"""Ways to share out rounds: the fairest that there is comes first."""


SMALL_FIELD = 8
"""Players at most of a field in which a rematch less can hang on when the round with few games comes."""


def fewest_rounds(to_share: RoundsToShare) -> int:
    """How many rounds all these games take at least, by counting."""
    owed, blocked = to_share.owed, to_share.blocked_players()
    rounds = (games + sum(player in ones for ones in blocked) for player, games in enumerate(owed) if games)
    return max(max(rounds, default=0), _rounds_for(to_share, sum(owed) // 2))


def _rounds_for(to_share: RoundsToShare, games: int) -> int:
    """In how many rounds so many games find room."""
    players = sum(owed > 0 for owed in to_share.owed)
    rounds = 0
    while games > 0 and players > 1:
        busy = sum(to_share.owed[player] > 0 for player in to_share.busy_in(rounds))
        games -= (players - busy) // 2
        rounds += 1
    return rounds


def share_all(to_share: RoundsToShare) -> list[Lineup]:
    """Ways to share out all games in as few rounds as can be: full rounds first, or about as many games in each.

    Nothing comes back where no rounds are enough: somebody has more games to come than all others together.
    """
    least = fewest_rounds(to_share)
    for rounds in range(least, least + len(to_share.owed) + 1):
        found: list[Lineup] = []
        for games_in, sits_first in WAYS:
            lineup = _Sharing(to_share, rounds).share(games_in, sits_first)
            if lineup is not None and lineup not in found:
                found.append(lineup)
        if found:
            return found
    return []


def share_narrowly(to_share: RoundsToShare, rounds: int) -> Lineup | None:
    """So many rounds of a small field, the first of them with few games: more sit out at once, to save a rematch.

    None in a larger field, where nothing hangs on it, or where that is no way.
    """
    if len(to_share.owed) > SMALL_FIELD:
        return None
    return _Sharing(to_share, rounds).share(_Sharing.narrow_first, _Sharing.fairest)


def share_some(to_share: RoundsToShare, rounds: int) -> Lineup:
    """So many rounds, with as many games as find room in them: nobody has more than he is owed, but some have less."""
    lineup = _Sharing(to_share, rounds).share(_Sharing.widest_of_all, _Sharing.anybody, must=False)
    assert lineup is not None
    return lineup


# --- games to plan: how many each player gets of those that he has to come, so that they can be paired at all ---
#
# A game takes two, so all of them together fill an even number of places, and nobody can play more games than all
# others
# together. What that changes is said.


@dataclass(frozen=True, slots=True)
class GamesToPlan:
    """Games that can be paired; players are numbers.

    Attributes:
        owed: how many each plays.
        off_by_one: who plays one more or one fewer, where the games fill an odd number of places.
    """

    owed: tuple[int, ...]
    off_by_one: int | None = None


def games_to_plan(
    to_share: RoundsToShare, in_all: Sequence[int], odd: OffByOne, off_before: Collection[int] = ()
) -> GamesToPlan:
    """What can be paired of these games.

    Args:
        to_share: the games that everybody has to come, of whatever sum.
        in_all: how many each will have had in the end.
        odd: which way one player is off where their sum is odd.
        off_before: who was off in the former plan.
    """
    ways = _ways_to_be_even(to_share.owed, odd)
    if sum(to_share.owed) % 2 == 0 or not ways:
        return GamesToPlan(_without_excess(to_share.owed))
    change = 1 if odd == ONE_MORE else -1

    def disadvantage(player: int) -> tuple[int, bool, int, bool, int, int]:
        """More rounds are worst; then somebody who is done already; then who has more games, or fewer, than others."""
        rounds = fewest_rounds(replace(to_share, owed=ways[player]))
        changes = player not in off_before
        is_done = changes and not to_share.owed[player]
        return rounds, is_done, change * in_all[player], changes, -change * to_share.sat[player], -player

    off = min(ways, key=disadvantage)
    return GamesToPlan(_without_excess(ways[off]), off)


def _ways_to_be_even(owed: Sequence[int], odd: OffByOne) -> dict[int, tuple[int, ...]]:
    """The games of all if one player has one more, or if one who has some to come has one fewer."""
    change = 1 if odd == ONE_MORE else -1
    players = [player for player, games in enumerate(owed) if games + change >= 0 and len(owed) > 1]
    return {player: (*owed[:player], owed[player] + change, *owed[player + 1 :]) for player in players}


def _without_excess(owed: Sequence[int]) -> tuple[int, ...]:
    """No more for anybody than all others have together, of an even sum."""
    most = max(range(len(owed)), key=lambda player: owed[player], default=0)
    others = sum(owed) - owed[most] if owed else 0
    return tuple(min(games, others) if player == most else games for player, games in enumerate(owed))


# --- idle rounds: in which of the rounds to come each player has no game, and who could exchange such a round with whom
# ---
#
# Two exchange only sit-outs of the same number, counted over the night: so whatever is exchanged, everybody has sat out
# once before anybody does twice, if it was so before.


class IdleRounds:
    """The idle rounds of a field, at first all rounds of everybody; players and rounds are numbers from 0."""

    __slots__ = ("_of_player", "_of_round", "_sat")

    def __init__(self, sat: Sequence[int], busy: Sequence[Collection[int]], rounds: int) -> None:
        """Take how often each has sat out, and for each of the first rounds who is busy elsewhere."""
        self._sat = sat
        self._of_player: list[list[int]] = [[] for _ in sat]
        self._of_round: list[dict[int, None]] = [{} for _ in range(rounds)]
        for number in range(rounds):
            for player in range(len(sat)):
                if number >= len(busy) or player not in busy[number]:
                    self.rest(player, number)

    def rest(self, player: int, number: int) -> None:
        """The player has no game in a round any more."""
        self._of_player[player].append(number)
        self._of_player[player].sort()
        self._of_round[number][player] = None

    def play(self, player: int, number: int) -> None:
        """The player has a game in a round now."""
        self._of_player[player].remove(number)
        del self._of_round[number][player]

    def exchanges(self, player: int, number: int) -> Iterator[tuple[int, int]]:
        """With whom a player of a round could exchange it, and for which idle round of his own."""
        own = self._of_player[player]
        for other in self._of_round[number]:
            others = self._of_player[other]
            at = others.index(number)
            own_at = at + self._sat[other] - self._sat[player]
            if 0 <= own_at < len(own):
                later = own[own_at]
                if _stays_sorted(own, own_at, number) and _stays_sorted(others, at, later):
                    yield other, later


def _stays_sorted(rounds: Sequence[int], at: int, number: int) -> bool:
    """Whether a round can stand in a place of these; one that stands there already cannot."""
    before = at == 0 or rounds[at - 1] < number
    return before and (at + 1 == len(rounds) or number < rounds[at + 1])
