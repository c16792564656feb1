"""A finished game of the match is put right while the next one is played, but not opened again."""

import pytest

from pegboard import Rules, Start, TakeBack
from pegboard.core.moves import Amend, ClaimFalsely, OverPeg, PegBack, Retract, SetPegs
from pegboard.errors import OtherGame
from pegboard.storage.event_row import replay_rows
from tests.support.scoreboard_on_a_folder import Table

OPENING = [
    TakeBack(5),
    Amend(5, 4, 29),
    OverPeg(5, 4, 29),
    ClaimFalsely(5, 4, 29),
    PegBack(0, 1),
    SetPegs(0, 120, 116),
    Retract(4),
]
"""Each of them takes the winner, who came from hole 116 with 29, out of the game hole."""


@pytest.fixture
def table(tmp_path):
    table = Table(tmp_path)
    table.win(seat=0)
    table.ask(Start(Rules(), ("Ann", "Bob")))
    return table


@pytest.mark.parametrize("command", OPENING, ids=lambda command: type(command).__name__)
def test_no_correction_opens_a_finished_game_while_a_later_one_is_on_the_table(table, command):
    first = table.journal.rows()[0].game
    sheet = replay_rows(table.journal.rows(first))
    before = table.state()
    with pytest.raises(OtherGame, match="abandon the later game"):
        table.rule(command, game=first, base=sheet.revisions[0] if hasattr(command, "seat") else table.view.revision)
    assert table.state() == before
