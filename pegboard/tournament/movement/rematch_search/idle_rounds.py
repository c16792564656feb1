"""Idle rounds: in which of the rounds to come each player has no game, and who could exchange such a round with whom.

Two exchange only sit-outs of the same number, counted over the night: so whatever is exchanged, everybody has sat out
once before anybody does twice, if it was so before.
"""

from collections.abc import Collection, Iterator, Sequence


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
