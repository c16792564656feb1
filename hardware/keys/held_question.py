"""The question that a hold puts to the players: a new game, or switching off; another hold answers it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum, auto

from hardware.key_roles_and_actions import (
    Action,
    AskNewGame,
    AskPowerOff,
    CancelNewGame,
    CancelPowerOff,
    NewGame,
    PowerOff,
)
from hardware.keys.timing import Nanoseconds


class Topic(Enum):
    """What is asked: a hold of UNDO asks for a new game, one of UNDO and DEAL together whether to switch off."""

    NEW_GAME = auto()
    POWER_OFF = auto()


ASK: dict[Topic, Action] = {Topic.NEW_GAME: AskNewGame(), Topic.POWER_OFF: AskPowerOff()}
DO: dict[Topic, Action] = {Topic.NEW_GAME: NewGame(), Topic.POWER_OFF: PowerOff()}
CANCEL: dict[Topic, Action] = {Topic.NEW_GAME: CancelNewGame(), Topic.POWER_OFF: CancelPowerOff()}


@dataclass(slots=True)
class HeldQuestion:
    """At most one stands at a time.

    Attributes:
        at_table: whether the table still shows the question, which another input may have closed there.
        topic: what was asked here last and has not been answered here, or None.
        until: when it goes away by itself.
    """

    at_table: Mapping[Topic, Callable[[], bool]]
    topic: Topic | None = None
    until: Nanoseconds = 0

    def is_open(self) -> bool:
        """Whether a press answers it."""
        return self.topic is not None and self.at_table[self.topic]()

    def hold(self, topic: Topic, until: Nanoseconds) -> Action:
        """The keys of a topic have been held: that does what they asked before, or asks until then."""
        if self.topic is topic and self.is_open():
            self.topic = None
            return DO[topic]
        self.topic, self.until = topic, until
        return ASK[topic]

    def cancel(self) -> list[Action]:
        """The answer is no."""
        topic, self.topic = self.topic, None
        return [] if topic is None else [CANCEL[topic]]
