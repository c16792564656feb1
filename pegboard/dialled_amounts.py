"""Dialled amounts: points shown by the keys and not yet pegged, who pressed first, and which lane has to ask."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from pegboard.core.board import Game
from pegboard.core.rules import MOST_AT_ONCE
from pegboard.errors import RuleError
from pegboard.messages import Message


@dataclass(frozen=True, slots=True)
class Amount:
    """What one lane's keys show.

    Attributes:
        points: how many.
        base: the lane's revision when dialling began.
        asking: whether the keys ask, because the lane has moved since or its winner must peg out.
    """

    points: int
    base: int
    asking: bool = False

    def has_moved(self, lane: int, game: Game) -> bool:
        """Whether another input has moved the lane since its dialling began."""
        return self.base != game.revisions[lane]

    def wins_by_itself(self, lane: int, game: Game) -> bool:
        """Whether the points would peg out without a press of the winner, where the rules ask for it."""
        return game.rules.peg_out and game.lanes[lane].front + self.points >= game.rules.game_hole


class Dialled(dict[int, Amount]):
    """The amounts of all lanes, in the order in which their dialling began."""

    def copy(self) -> "Dialled":
        """The same amounts, to try something with."""
        return Dialled(self)

    def add(self, lane: int, points: int, revision: int) -> None:
        """Show `points` more for a lane that is at `revision`.

        Raises:
            RuleError: nothing scores so much at once; what was shown stays.
        """
        old = self.get(lane, Amount(0, revision))
        if old.points + points > MOST_AT_ONCE:
            raise RuleError("key_too_many", points=old.points + points, most=MOST_AT_ONCE, still=old.points)
        self[lane] = replace(old, points=old.points + points)

    def ask(self, lane: int) -> None:
        """From now on the lane's keys ask."""
        self[lane] = replace(self[lane], asking=True)

    def due(self, but: int | None = None) -> Iterator[int]:
        """The lanes whose amounts may peg now, except `but`, those who pressed first before others."""
        for lane in list(self):
            if lane != but and lane in self and not self[lane].asking:
                yield lane

    def points_by_lane(self, lanes: int) -> tuple[int, ...]:
        """The points of each of so many lanes."""
        return tuple(self[lane].points if lane in self else 0 for lane in range(lanes))

    def question(self, game: Game) -> Message | None:
        """What the keys ask, or None."""
        for lane, amount in self.items():
            if amount.asking:
                if amount.base == game.revisions[lane]:
                    return Message("key_peg_out", name=game.lane_name(lane), points=amount.points)
                values = {"hole": game.lanes[lane].front, "points": amount.points}
                return game.message_on(lane, "key_press_more", "key_press_more_two", **values)
        return None
