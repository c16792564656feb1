"""Play-offs of two players: best of 1, 3, 5 or 7 games, and the games that who does not come loses (ACC 13.1)."""

from dataclasses import dataclass, replace

from pegboard.errors import RuleError
from pegboard.tournament.ids import PlayerId

BEST_OF = (1, 3, 5, 7)
"""Lengths of a play-off, in games."""


@dataclass(frozen=True, slots=True)
class PlayOff:
    """Where a play-off stands.

    Attributes:
        players: the two.
        best_of: its length in games, odd.
        won: games that each of them has won.
    """

    players: tuple[PlayerId, PlayerId]
    best_of: int = 3
    won: tuple[int, int] = (0, 0)

    @property
    def games_needed(self) -> int:
        """How many games win it."""
        return self.best_of // 2 + 1

    @property
    def winner(self) -> PlayerId | None:
        """Who has won it; None while it goes on."""
        return next(
            (one for one, games in zip(self.players, self.won, strict=True) if games >= self.games_needed), None
        )

    def plus(self, winner: PlayerId, games: int = 1) -> "PlayOff":
        """The play-off after more games; what comes after its end does not count, nor a game of somebody else."""
        if self.winner is not None or winner not in self.players:
            return self
        return replace(
            self,
            won=(
                min(self.games_needed, self.won[0] + games * (winner == self.players[0])),
                min(self.games_needed, self.won[1] + games * (winner == self.players[1])),
            ),
        )


def check_best_of(best_of: int) -> int:
    """The length of a play-off.

    Raises:
        RuleError: no play-off has that length.
    """
    if best_of not in BEST_OF:
        raise RuleError("playoffs_length", best_of=best_of, known=", ".join(map(str, BEST_OF)))
    return best_of


# --- who does not come ---


@dataclass(frozen=True, slots=True)
class NoShowRule:
    """When a player who does not come loses games of a play-off.

    Attributes:
        first: minutes after its call at which the first game is lost.
        then: minutes after which each further game is lost.
    """

    first: int
    then: int

    def minutes(self, games: int) -> tuple[int, ...]:
        """How many minutes after the call each of so many games is lost."""
        return tuple(self.first + self.then * lost for lost in range(games))


ACC_NO_SHOW = NoShowRule(5, 15)
"""ACC 13.1: the first game after 5 minutes, one more every 15."""
