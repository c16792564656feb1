"""Registry of decisions: the decorator `decides` names the command that a function decides about."""

from collections.abc import Callable
from typing import Any, TypeAlias, TypeVar

from pegboard.core.board import Game
from pegboard.core.moves import Command, Event

Decision: TypeAlias = Callable[[Game, Any], Event]
"""It judges a command that is asked of a game, and raises a `RuleError` where the rules do not allow it."""

DECISIONS: dict[type[Command], Decision] = {}

_Function = TypeVar("_Function", bound=Decision)


def decides(command: type[Command]) -> Callable[[_Function], _Function]:
    """Let the decorated function decide about every command of that class."""

    def register(decision: _Function) -> _Function:
        DECISIONS[command] = decision
        return decision

    return register
