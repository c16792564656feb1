"""Bracket seeding: order and size of a bracket, byes; scores of best-of matches; games lost by a no-show (ACC 13)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pegboard.errors import RuleError
from pegboard.tournament.ids import PlayerId

# --- playoff matches: best of 1, 3, 5 or 7 games, and games lost by a no-show (ACC 13.1) ---


BEST_OF = (1, 3, 5, 7)
"""Lengths of a playoff match, in games."""


@dataclass(frozen=True, slots=True)
class PlayOff:
    """The score of a playoff match.

    Attributes:
        players: the two players.
        best_of: the length of the match in games, odd.
        won: games that each player has won.
    """

    players: tuple[PlayerId, PlayerId]
    best_of: int = 3
    won: tuple[int, int] = (0, 0)

    @property
    def games_needed(self) -> int:
        """How many games win the match."""
        return self.best_of // 2 + 1

    @property
    def winner(self) -> PlayerId | None:
        """The winner; None while the match goes on."""
        return next(
            (one for one, games in zip(self.players, self.won, strict=True) if games >= self.games_needed), None
        )

    def plus(self, winner: PlayerId, games: int = 1) -> "PlayOff":
        """The match after more games; ignores games after its end and games won by other players."""
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
    """Check the length of a playoff match, and return it.

    Raises:
        RuleError: a playoff match cannot have this length.
    """
    if best_of not in BEST_OF:
        raise RuleError("playoffs_length", best_of=best_of, known=", ".join(map(str, BEST_OF)))
    return best_of


# --- no-shows ---


@dataclass(frozen=True, slots=True)
class NoShowRule:
    """The times after which a no-show loses games of a playoff match.

    Attributes:
        first: minutes after the call until the first game is lost.
        then: minutes until each further game is lost.
    """

    first: int
    then: int

    def minutes(self, games: int) -> tuple[int, ...]:
        """Minutes after the call at which each of the games is lost."""
        return tuple(self.first + self.then * lost for lost in range(games))


ACC_NO_SHOW = NoShowRule(5, 15)
"""ACC 13.1: the first game after 5 minutes, one more every 15."""


@dataclass(frozen=True, slots=True)
class Placement:
    """A player's starting place in a bracket: a stored row.

    Attributes:
        place: the place, from 1 at the top; places 1 and 2 meet, 3 and 4, and so on.
        seed: the seed, 1 for the best; the opponent of a seed beyond the number of qualifiers has a bye.
        player: the player; None if the seed is beyond the number of qualifiers.
    """

    place: int
    seed: int
    player: PlayerId | None


def bracket_order(size: int) -> tuple[int, ...]:
    """The seeds from the top of a bracket of 1, 2, 4, 8 ... places: 1 8 5 4 3 6 7 2 for eight.

    Built by doubling: seed s at an even place, counted from 0, becomes s and its opponent; at an odd place, in reverse
    order.
    """
    order: tuple[int, ...] = (1,)
    while len(order) < size:
        both = 2 * len(order) + 1
        pairs = ((seed, both - seed) if at % 2 == 0 else (both - seed, seed) for at, seed in enumerate(order))
        order = tuple(seed for pair in pairs for seed in pair)
    return order


def bracket_size(qualifiers: int) -> int:
    """The places of the bracket: the next power of two; 1 if there is a single qualifier, who has won."""
    return 1 << max(qualifiers - 1, 0).bit_length()


def count_byes(qualifiers: int) -> int:
    """How many top seeds have a bye in the first round; the second round is full."""
    return bracket_size(qualifiers) - qualifiers


def place_seeds(players: Sequence[PlayerId]) -> tuple[Placement, ...]:
    """Place players, given by seed, best first, in a bracket.

    Raises:
        RuleError: there are no players, or one is listed twice.
    """
    if not players:
        raise RuleError("playoffs_bracket_nobody")
    if len(set(players)) < len(players):
        raise RuleError("playoffs_bracket_twice")
    order = bracket_order(bracket_size(len(players)))
    by_seed = dict(enumerate(players, 1))
    return tuple(Placement(place, seed, by_seed.get(seed)) for place, seed in enumerate(order, 1))
