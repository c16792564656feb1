"""Games into a match: games won, match points, and who deals the next game."""

from dataclasses import dataclass

from pegboard.core.board import Game
from pegboard.core.rules import Seat


@dataclass(frozen=True, slots=True)
class Result:
    """A game that somebody has won: the lane, and what it is worth in match points."""

    winner: int
    points: int


@dataclass(frozen=True, slots=True)
class Match:
    """Games won and match points of each lane."""

    games_won: tuple[int, ...] = (0, 0)
    points: tuple[int, ...] = (0, 0)

    @staticmethod
    def empty(lanes: int) -> "Match":
        """A match of which no game has been won yet."""
        return Match((0,) * lanes, (0,) * lanes)

    def plus(self, result: Result | None) -> "Match":
        """The match after one more game, which counts only when somebody has won it."""
        if result is None:
            return self
        return Match(_raised(self.games_won, result.winner, 1), _raised(self.points, result.winner, result.points))


def result(game: Game) -> Result | None:
    """Who has won the game and for how many match points (the worst-off loser decides); None where nobody has."""
    if game.outcome is None or game.outcome.winner is None:
        return None
    table = game.rules.worth
    return Result(game.outcome.winner, table[min(max(game.outcome.skunks), len(table) - 1)])


def next_dealer(game: Game) -> Seat:
    """Who deals first in the game after this one; an unfinished game leaves the deal as it was.

    "loser": the first seat of the hindmost lane, going round from the last first dealer's left; "winner" likewise;
    "alternate", and where nobody has won: the seat after the last first dealer.
    """
    rules, outcome = game.rules, game.outcome
    first = next(at.dealer for at in reversed(game.positions) if at.deal == 1)
    if outcome is None:
        return first
    if outcome.winner is None or rules.first_deal == "alternate":
        return rules.after(first)
    fronts = [lane.front for lane in game.lanes]
    lane = outcome.winner if rules.first_deal == "winner" else fronts.index(min(fronts))
    seats = [(first + 1 + n) % rules.seats for n in range(rules.seats)]
    return next(seat for seat in seats if rules.lane_of(seat) == lane)


def _raised(values: tuple[int, ...], place: int, by: int) -> tuple[int, ...]:
    return tuple(value + by if at == place else value for at, value in enumerate(values))
