"""A table to test at: a scoreboard on a folder, with a clock that one can set and ids that count."""

import itertools

import pytest

from pegboard import Rules, Score
from pegboard.core.match import Setup
from pegboard.core.moves import PegBack, Penalize, SetPegs
from pegboard.devices.alarms import Alarms
from pegboard.feed import Feed
from pegboard.storage.event_row import replay_rows
from pegboard.storage.journal.journal import Journal
from pegboard.table.scoreboard import Scoreboard

PLAYERS = ("Ann", "Bob")

STANDARD = Setup(Rules(), PLAYERS)


class Table:
    """A scoreboard on a folder, with a clock that one can set and ids that count."""

    def __init__(self, folder, setup=STANDARD, **more):
        self.now = 1_795_000_000_000_000_000
        self.ids = (f"game-{n}" for n in itertools.count(1))
        self.taps = (f"tap-{n:016}" for n in itertools.count(1))
        self.folder, self.setup, self.more = folder, setup, more
        self.open()

    def open(self):
        self.journal, self.feed = Journal(self.folder), Feed()
        known = len(list(self.journal.rows()))
        self._stood = {alarm.id for alarm in Alarms(self.folder).standing}
        ids = (f"game-{known}-{n}" for n in itertools.count(1))
        given = self.more | {"clock": lambda: self.now, "new_id": lambda: next(ids)}
        self.board = Scoreboard(self.journal, self.feed, self.setup, **given)
        return self

    def reopen(self):
        self.journal.close()
        return self.open()

    @property
    def view(self):
        return self.board.view

    @property
    def alarms(self):
        """What it has found since it was opened, oldest first, and what lasts."""
        new = [alarm for alarm in self.view.alarms if alarm.lasts or alarm.id not in self._stood]
        return [alarm.message for alarm in reversed(new)]

    def fronts(self):
        return [lane.front for lane in self.view.game.lanes]

    def ask(self, command, **more):
        """As a phone that looks before it taps."""
        if isinstance(command, Score | Penalize | PegBack | SetPegs):
            base = self.view.game.revisions[self.view.game.rules.lane_of(command.seat)]
        else:
            base = self.view.revision
        given = {"source": "phone", "id": next(self.taps), "game": self.view.id, "base": base} | more
        return self.board.handle(command, **given)

    def score(self, seat, points, why=None, **more):
        return self.ask(Score(points, seat, why=why), **more)

    def win(self, seat=0):
        while self.view.game.outcome is None:
            self.score(seat, 29)

    def rule(self, command, **more):
        """As a director."""
        return self.ask(command, **{"director": True} | more)

    def state(self):
        return self.view, [(row.id, row.body) for row in self.journal.rows()]


def refused(table, error, act):
    """The sentence of a refusal; the board and the record are as they were."""
    before = table.state()
    with pytest.raises(error) as refusal:
        act()
    assert table.state() == before
    return str(refusal.value)


def survives(table):
    """What is shown is shown again after a restart, and folds from the rows."""
    before = table.view
    assert replay_rows(table.journal.rows(before.id)) == before.game
    after = table.reopen().view
    assert (after.game, after.game.positions, after.match, after.match_id, after.id) == (
        before.game,
        before.game.positions,
        before.match,
        before.match_id,
        before.id,
    )


def finish(table, winner=0, loser=95):
    """The running game ends: the loser at `loser`, the winner out."""
    table.rule(SetPegs(1 - winner, loser, loser - 1))
    table.rule(SetPegs(winner, 110, 100))
    table.score(winner, 11)
