"""Pending points by lane: keyed in but not pegged yet, in the order of the presses; and the questions that keys ask."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum, auto

from pegboard.core.board import Game
from pegboard.core.rules import MOST_AT_ONCE
from pegboard.errors import RuleError
from pegboard.messages import Message


class KeyQuestion(Enum):
    """A question that the keys ask with the notice, until it is answered or another notice replaces it."""

    NEW_GAME = auto()
    TAKE_WIN_BACK = auto()
    POWER_OFF = auto()
    DISMISS_ALARM = auto()
    EVENT_CODE = auto()
    EVENT_HUB = auto()
    CALL = auto()


@dataclass(frozen=True, slots=True)
class Amount:
    """The pending points of one lane.

    Attributes:
        points: the number of points.
        base: the lane's revision when the first of these points was keyed in.
        asking: whether the keys ask for confirmation, because the lane has moved since or its winner must peg out.
    """

    points: int
    base: int
    asking: bool = False

    def has_moved(self, lane: int, game: Game) -> bool:
        """Whether another input has moved the lane since the first press."""
        return self.base != game.revisions[lane]

    def must_ask(self, lane: int, game: Game) -> bool:
        """Whether the keys ask before pegging: the lane has moved, or these points win and the winner must peg out."""
        wins = game.rules.peg_out and game.lanes[lane].front + self.points >= game.rules.game_hole
        return wins or self.has_moved(lane, game)


class Dialled(dict[int, Amount]):
    """The pending points of all lanes, in the order of their first presses."""

    def copy(self) -> "Dialled":
        """A copy, for a preview."""
        return Dialled(self)

    def add(self, lane: int, points: int, revision: int) -> None:
        """Add `points` for a lane that is at `revision`.

        Raises:
            RuleError: the points would be more than any hand or play scores at once; the amount is unchanged.
        """
        old = self.get(lane, Amount(0, revision))
        if old.points + points > MOST_AT_ONCE:
            raise RuleError("key_too_many", points=old.points + points, most=MOST_AT_ONCE, still=old.points)
        self[lane] = replace(old, points=old.points + points)

    def ask(self, lane: int) -> None:
        """Make the lane's keys ask for confirmation."""
        self[lane] = replace(self[lane], asking=True)

    def is_asking(self, lane: int) -> bool:
        """Whether the lane's keys ask for confirmation."""
        return lane in self and self[lane].asking

    def due(self, but: int | None = None) -> Iterator[int]:
        """The lanes whose points may be pegged now, except `but`, in the order of their first presses."""
        for lane in list(self):
            if lane != but and lane in self and not self[lane].asking:
                yield lane

    def points_by_lane(self, lanes: int) -> tuple[int, ...]:
        """The pending points of each lane."""
        return tuple(self[lane].points if lane in self else 0 for lane in range(lanes))

    def question(self, game: Game) -> Message | None:
        """The question that the keys ask, or None."""
        for lane, amount in self.items():
            if amount.asking:
                if amount.base == game.revisions[lane]:
                    return Message("key_peg_out", name=game.lane_name(lane), points=amount.points)
                values = {"hole": game.lanes[lane].front, "points": amount.points}
                return game.message_on(lane, "key_press_more", "key_press_more_two", **values)
        return None
