"""Sit-outs: choice of players for each remaining round, before opponents are chosen; how many games can be paired.

Usually at most one player sits out a round: the player who has sat out least over the whole event, so that nobody sits
out twice before everyone has once. If a player has many games left, others sit out more, so that all of them fit.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from pegboard.tournament.schedule.ring import ONE_MORE, OffByOne

OPPONENTS = 2
"""Number of players in a game; a player left alone has no opponent."""

Lineup: TypeAlias = list[list[int]]
"""For each round, the numbers of the players who have a game in it: an even count."""


@dataclass(frozen=True, slots=True)
class RoundsToShare:
    """The input for sharing out rounds; players are numbers, in the order of the draw.

    Attributes:
        owed: how many games each player has left; their sum is even.
        sat: how often each player has sat out.
        busy: for each of the first rounds, the players who are not free in it.
        unpaired: for each of the first rounds, players unpaired in the former plan: if otherwise equal, they sit out.
    """

    owed: Sequence[int]
    sat: Sequence[int]
    busy: Sequence[Collection[int]] = ()
    unpaired: Sequence[Collection[int]] = ()

    def busy_in(self, number: int) -> Collection[int]:
        """Players who already have a fixed game in a round, counted from 0."""
        return self.busy[number] if number < len(self.busy) else ()

    def blocked_players(self) -> list[Collection[int]]:
        """For each of the first rounds, players who can get no game in it: they have a game, or no opponent is free."""
        to_come = [player for player, games in enumerate(self.owed) if games]
        return [
            busy if sum(player not in busy for player in to_come) >= OPPONENTS else range(len(self.owed))
            for busy in self.busy
        ]

    def unpaired_players(self, number: int) -> Collection[int]:
        """Players without an opponent in the former plan of a round, counted from 0."""
        return self.unpaired[number] if number < len(self.unpaired) else ()


@dataclass(slots=True)
class _Sharing:
    """Assigns players to rounds, one round after the other."""

    to_share: RoundsToShare
    rounds: int
    owed: list[int] = field(init=False)
    sat: list[int] = field(init=False)
    blocked: list[Collection[int]] = field(init=False)

    def __post_init__(self) -> None:
        self.owed, self.sat = list(self.to_share.owed), list(self.to_share.sat)
        self.blocked = self.to_share.blocked_players()

    def share(self, games_in: "GamesIn", sits_first: "SitsFirst", *, must: bool = True) -> Lineup | None:
        """Share out all rounds; None if `must` is set and a player would not get all games."""
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
        """Sort key: players who have sat out least sit first, if they can spare the round."""
        paired = player not in self.to_share.unpaired_players(number)
        return spare < 1, self.sat[player], paired, -spare, player

    def likeliest(self, player: int, number: int, spare: int) -> tuple[int, ...]:
        """Sort key: players with the most rounds to spare sit first."""
        paired = player not in self.to_share.unpaired_players(number)
        return -spare, self.sat[player], paired, player

    def fewest_sit_outs(self, player: int, number: int, _spare: int) -> tuple[int, ...]:
        """Sort key: players who have sat out least sit first, whether or not they can spare the round."""
        return self.sat[player], player not in self.to_share.unpaired_players(number), player

    def _rounds_left(self, player: int, number: int) -> int:
        left = self.rounds - number
        return left - sum(player in blocked for blocked in self.blocked[number:])

    def games_left(self) -> int:
        return sum(self.owed) // 2

    def widest(self, _number: int, free: list[int]) -> int:
        """As many games as possible while the player with the most games left still finds opponents."""
        most = max((self.owed[player] for player in free), default=0)
        beyond = max(0, sum(self.owed) - 2 * most) // 2
        return min(len(free) // 2, 1 + beyond)

    def widest_of_all(self, _number: int, free: list[int]) -> int:
        """As many games as there are players for."""
        return len(free) // 2

    def narrow_first(self, number: int, free: list[int]) -> int:
        """As few games as later rounds leave room for: sit-outs in early rounds can still be exchanged fairly."""
        later = self.rounds - number - 1
        return min(len(free) // 2, max(1, self.games_left() - later * (len(free) // 2)))

    def level(self, number: int, free: list[int]) -> int:
        """About the same number of games in each round."""
        return min(len(free) // 2, -(-self.games_left() // (self.rounds - number)))


GamesIn: TypeAlias = Callable[[_Sharing, int, list[int]], int]
"""How many games a round has, given the free players."""

SitsFirst: TypeAlias = Callable[[_Sharing, int, int, int], tuple[int, ...]]
"""Sort key of players who may sit out: takes player, round, and how many rounds the player can spare."""

WAYS: tuple[tuple[GamesIn, SitsFirst], ...] = (
    (_Sharing.widest, _Sharing.fairest),
    (_Sharing.widest, _Sharing.likeliest),
    (_Sharing.level, _Sharing.likeliest),
)
"""Strategies for sharing out rounds, the fairest first."""

SMALL_FIELD = 8
"""Maximum players of a field in which the position of the round with few games can save a rematch."""


def fewest_rounds(to_share: RoundsToShare) -> int:
    """Lower bound on the rounds needed for all games, by counting."""
    owed, blocked = to_share.owed, to_share.blocked_players()
    rounds = (games + sum(player in ones for ones in blocked) for player, games in enumerate(owed) if games)
    return max(max(rounds, default=0), _rounds_for(to_share, sum(owed) // 2))


def _rounds_for(to_share: RoundsToShare, games: int) -> int:
    """How many rounds it takes to fit this many games."""
    players = sum(owed > 0 for owed in to_share.owed)
    rounds = 0
    while games > 0 and players > 1:
        busy = sum(to_share.owed[player] > 0 for player in to_share.busy_in(rounds))
        games -= (players - busy) // 2
        rounds += 1
    return rounds


def share_all(to_share: RoundsToShare) -> list[Lineup]:
    """Ways to share out all games in the fewest rounds: full rounds first, or about the same number of games in each.

    Empty if no number of rounds is enough: a player has more games left than all others together.
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
    """Share out the rounds of a small field with few games in early rounds: more sit out at once, to save a rematch.

    None in a larger field, where it makes no difference, or if it is not possible.
    """
    if len(to_share.owed) > SMALL_FIELD:
        return None
    return _Sharing(to_share, rounds).share(_Sharing.narrow_first, _Sharing.fairest)


def share_some(to_share: RoundsToShare, rounds: int) -> Lineup:
    """Share out a fixed number of rounds with as many games as fit: some players may get fewer games than owed."""
    lineup = _Sharing(to_share, rounds).share(_Sharing.widest_of_all, _Sharing.fewest_sit_outs, must=False)
    assert lineup is not None
    return lineup


# --- games to plan: how many of their remaining games players get, so that all can be paired ---
#
# A game takes two players, so the games of all players add up to an even number, and nobody can play more games than
# all others together. Remarks report what that changes.


@dataclass(frozen=True, slots=True)
class GamesToPlan:
    """Games that can be paired; players are numbers.

    Attributes:
        owed: how many games each player plays.
        off_by_one: the player with one game more or fewer, if the sum of games is odd.
    """

    owed: tuple[int, ...]
    off_by_one: int | None = None


def games_to_plan(
    to_share: RoundsToShare, in_all: Sequence[int], odd: OffByOne, off_before: Collection[int] = ()
) -> GamesToPlan:
    """Choose the games that can be paired.

    Args:
        to_share: the games everyone has left, with any sum.
        in_all: how many games each player will have had in the end.
        odd: whether one player has one game more or fewer if the sum of games is odd.
        off_before: players who were off by one in the former plan.
    """
    ways = _ways_to_be_even(to_share.owed, odd)
    if sum(to_share.owed) % 2 == 0 or not ways:
        return GamesToPlan(_cap_excess(to_share.owed))
    change = 1 if odd == ONE_MORE else -1

    def disadvantage(player: int) -> tuple[int, bool, int, bool, int, int]:
        """Sort key: more rounds are worst; then a player who is already done; then having more (or fewer) games."""
        rounds = fewest_rounds(replace(to_share, owed=ways[player]))
        changes = player not in off_before
        is_done = changes and not to_share.owed[player]
        return rounds, is_done, change * in_all[player], changes, -change * to_share.sat[player], -player

    off = min(ways, key=disadvantage)
    return GamesToPlan(_cap_excess(ways[off]), off)


def _ways_to_be_even(owed: Sequence[int], odd: OffByOne) -> dict[int, tuple[int, ...]]:
    """For each player who can have one game more, or one game fewer, the games of all players after that change."""
    change = 1 if odd == ONE_MORE else -1
    players = [player for player, games in enumerate(owed) if games + change >= 0 and len(owed) > 1]
    return {player: (*owed[:player], owed[player] + change, *owed[player + 1 :]) for player in players}


def _cap_excess(owed: Sequence[int]) -> tuple[int, ...]:
    """Limit every player to as many games as all others have together; the sum of `owed` is even."""
    most = max(range(len(owed)), key=lambda player: owed[player], default=0)
    others = sum(owed) - owed[most] if owed else 0
    return tuple(min(games, others) if player == most else games for player, games in enumerate(owed))


# --- idle rounds: the remaining rounds in which a player has no game, and possible exchanges of such rounds ---
#
# Two players only exchange sit-outs of the same rank, counted over the event. So whatever is exchanged, everyone still
# sits out once before anybody does twice, if that was so before.


class IdleRounds:
    """The idle rounds of a field, initially all rounds for everyone; players and rounds are numbers from 0."""

    __slots__ = ("_of_player", "_of_round", "_sat")

    def __init__(self, sat: Sequence[int], busy: Sequence[Collection[int]], rounds: int) -> None:
        """Start with how often each player has sat out, and for each of the first rounds the players busy elsewhere."""
        self._sat = sat
        self._of_player: list[list[int]] = [[] for _ in sat]
        self._of_round: list[dict[int, None]] = [{} for _ in range(rounds)]
        for number in range(rounds):
            for player in range(len(sat)):
                if number >= len(busy) or player not in busy[number]:
                    self.rest(player, number)

    def rest(self, player: int, number: int) -> None:
        """Mark a round as idle for the player."""
        self._of_player[player].append(number)
        self._of_player[player].sort()
        self._of_round[number][player] = None

    def play(self, player: int, number: int) -> None:
        """Mark a round as played by the player."""
        self._of_player[player].remove(number)
        del self._of_round[number][player]

    def exchanges(self, player: int, number: int) -> Iterator[tuple[int, int]]:
        """Players with whom a player could exchange a round, and the player's own idle round given in return."""
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
    """Whether a round fits at an index of a sorted list in place of the one there; duplicates do not fit."""
    before = at == 0 or rounds[at - 1] < number
    return before and (at + 1 == len(rounds) or number < rounds[at + 1])
