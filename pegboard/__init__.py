"""pegboard: a cribbage board with buttons, phones, an OLED and an LED strip.

Law of this package: there is one truth, the score sheet, and every score takes the same way through
`scoreboard.Scoreboard`: judged by the referee, then durable in the journal, then seen in every window. `core` is the
game and touches nothing; `web` and `hardware` are doors and windows that never know each other; only `cli` knows
every room.
"""

from pegboard.core.board import Game, Lane, Outcome
from pegboard.core.house import with_house_rules
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
    Start,
    TakeBack,
)
from pegboard.core.pegging import Play, begin_play
from pegboard.core.play import count_play
from pegboard.core.referee import apply, decide, new_game, play
from pegboard.core.rules import Rules
from pegboard.core.show import count_ranks, count_show
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
    "Start",
    "TakeBack",
    "apply",
    "begin_play",
    "count_play",
    "count_ranks",
    "count_show",
    "decide",
    "new_game",
    "play",
    "with_house_rules",
]
