"""The course of a game, followed by another process from the raw rows of the journal: the same as live."""

import json
import random
import subprocess
import sys

import pytest

from pegboard.core.moves import Amend, Restore, Stage, TakeBack
from tests.core.course_accuracy import WAYS, entered
from tests.support import dealing
from tests.support.scoreboard_on_a_folder import Table

ANOTHER = """
import json, sqlite3, sys
from pegboard.core.board import Game
from pegboard.core.referee import apply
from pegboard.core.wire import read_event
game = Game()
rows = sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True).execute("SELECT kind, body, v FROM event ORDER BY id")
for kind, body, version in rows:
    game = apply(game, read_event(kind, json.loads(body), version))
print(json.dumps([game.standing, game.followed.readings, game.followed.certainties(10)]))
"""


def seen_by_another(folder):
    command = [sys.executable, "-c", ANOTHER, str(folder / "journal.db")]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def seen_live(game):
    return json.loads(json.dumps([game.standing, game.followed.readings, game.followed.certainties(10)]))


@pytest.mark.parametrize("way", WAYS)
def test_another_process_follows_the_same_course_from_the_raw_rows(tmp_path, way):
    table, dice = Table(tmp_path / "here"), random.Random(way)
    rules = table.view.game.rules
    truths = dealing.game(dice, dealing.table_of(rules), 0, [dealing.CAREFUL] * 2)
    for truth, points, why in [*entered(dice, truths, WAYS[way])][:30]:
        table.score(truth.seat, points, why)
        if dice.random() < 0.1:
            line = dice.randint(1, len(table.view.game.entries))
            for command in (TakeBack(line), Restore(line), Stage("show")):
                table.rule(command)
    table.rule(Amend(3, 4, table.view.game.entries[2].event.points, why=None))
    live = seen_live(table.view.game)
    table.journal.close()
    assert seen_by_another(table.folder) == live
