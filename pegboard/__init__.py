"""Public Python API of pegboard, a cribbage board with buttons, phones, an OLED and an LED strip.

Rule of this package: the score sheet is the single source of truth, and every score takes the same path through
`table.scoreboard.Scoreboard`: the referee decides on it, the journal stores it, then every display and page shows it.
`core` is the game logic, without side effects. `web` and `hardware` do not import each other; only the modules that
start a table import all of them.
"""

from importlib import import_module

TYPE_CHECKING = False  # true for type checkers; not imported from `typing`, which takes time to load
if TYPE_CHECKING:
    from pegboard.core.board import Game
    from pegboard.core.cards.play import Play, begin_play, count_play
    from pegboard.core.cards.show import count_ranks, count_show
    from pegboard.core.cards.written_deal import count_deal
    from pegboard.core.cards.written_play import follow_play
    from pegboard.core.house_rules import with_house_rules
    from pegboard.core.moves import (
        Abandon,
        Amend,
        CallMuggins,
        ClaimFalsely,
        Confirm,
        Deal,
        OverPeg,
        PegBack,
        Penalize,
        Rename,
        Restore,
        Retract,
        Score,
        SetPegs,
        Stage,
        Start,
        TakeBack,
    )
    from pegboard.core.position import Lane, Outcome
    from pegboard.core.referee import apply, decide, new_game, play
    from pegboard.core.rules import Rules
    from pegboard.errors import PegboardError, RuleError

__all__ = [
    "Abandon",
    "Amend",
    "CallMuggins",
    "ClaimFalsely",
    "Confirm",
    "Deal",
    "Game",
    "Lane",
    "Outcome",
    "OverPeg",
    "PegBack",
    "PegboardError",
    "Penalize",
    "Play",
    "Rename",
    "Restore",
    "Retract",
    "RuleError",
    "Rules",
    "Score",
    "SetPegs",
    "Stage",
    "Start",
    "TakeBack",
    "apply",
    "begin_play",
    "count_deal",
    "count_play",
    "count_ranks",
    "count_show",
    "decide",
    "follow_play",
    "new_game",
    "play",
    "with_house_rules",
]

_DEFINED_IN = {
    "pegboard.core.board": "Game",
    "pegboard.core.house_rules": "with_house_rules",
    "pegboard.core.moves": "Abandon Amend CallMuggins ClaimFalsely Confirm Deal OverPeg PegBack Penalize Rename "
    "Restore Retract Score SetPegs Stage Start TakeBack",
    "pegboard.core.position": "Lane Outcome",
    "pegboard.core.cards.play": "Play begin_play count_play",
    "pegboard.core.referee": "apply decide new_game play",
    "pegboard.core.rules": "Rules",
    "pegboard.core.cards.show": "count_ranks count_show",
    "pegboard.core.cards.written_deal": "count_deal",
    "pegboard.core.cards.written_play": "follow_play",
    "pegboard.errors": "PegboardError RuleError",
}
"""The module of each public name, imported lazily on first use, so that the command line starts faster."""

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        """Import a public name on first use."""
        module = next((module for module, names in _DEFINED_IN.items() if name in names.split()), None)
        if module is None:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = globals()[name] = getattr(import_module(module), name)
        return value

    def __dir__() -> list[str]:
        """The public names, including those not imported yet."""
        return sorted({*globals(), *__all__})
