"""Keys, phones, repeats, a pulled plug in any order: the journal's raw rows, added up plainly, are the board."""

import json
import sqlite3
import tempfile
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from pegboard import Deal, Restore, Rules, Score, TakeBack
from pegboard.errors import PegboardError
from pegboard.feed import Feed
from pegboard.journal import FILE, Journal
from pegboard.scoreboard import Scoreboard, Setup

lanes, points = st.integers(0, 1), st.integers(0, 29)


class Doors(RuleBasedStateMachine):
    """Whatever is done, what is shown is what the rows on disk say, and every accepted tap stands there once."""

    def __init__(self):
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.taps, self.clock = {}, 1_000
        self.open()

    def open(self):
        self.journal = Journal(Path(self.folder.name))
        self.board = Scoreboard(self.journal, Feed(), Setup(Rules(), ("Ann", "Bob")), clock=lambda: self.clock)

    def teardown(self):
        self.journal.close()
        self.folder.cleanup()

    def tap(self, command, **how):
        view = self.board.view
        lane = getattr(command, "seat", None)
        base = view.revision if lane is None else view.game.revisions[lane]
        name = f"tap-{len(self.taps):016}"
        asked = {"source": "phone", "id": name, "game": view.id, "base": base} | how
        before = view
        try:
            receipt = self.board.handle(command, **asked)
        except PegboardError:
            assert self.board.view.game.entries[: len(before.game.entries)] == before.game.entries
            return
        assert not receipt.replayed
        self.taps[name] = (command, asked, receipt.entry)

    @rule(lane=lanes, amount=points)
    def phone(self, lane, amount):
        self.tap(Score(amount, lane))

    @rule(lane=lanes, amount=points)
    def phone_that_looked_too_early(self, lane, amount):
        before = self.board.view.revision
        self.tap(Score(amount, lane), base=self.board.view.game.revisions[lane] + 1)
        assert self.board.view.revision == before

    @rule(command=st.sampled_from([TakeBack(), Restore(), Deal()]))
    def other_tap(self, command):
        self.tap(command)

    @precondition(lambda self: self.taps)
    @rule(data=st.data())
    def the_same_tap_again(self, data):
        name = data.draw(st.sampled_from(sorted(self.taps)))
        command, asked, entry = self.taps[name]
        before = self.board.view
        receipt = self.board.handle(command, **asked)
        assert (receipt.replayed, receipt.entry) == (True, entry)
        assert self.board.view == before

    @rule(lane=lanes, amount=st.sampled_from([1, 2, 5]))
    def key(self, lane, amount):
        self.board.dial(lane, amount)

    @rule(lane=lanes)
    def silence(self, lane):
        self.board.peg(lane)

    @rule(which=st.sampled_from(["undo", "deal", "new_game"]))
    def shared_key(self, which):
        getattr(self.board, which)()

    @rule()
    def the_plug_is_pulled(self):
        before = self.board.view
        self.journal.close()
        self.open()
        after = self.board.view
        assert (after.game, after.game.positions, after.match, after.id) == (
            before.game,
            before.game.positions,
            before.match,
            before.id,
        )

    @rule(back=st.integers(-(10**9), 10**9))
    def the_clock_jumps(self, back):
        self.clock += back

    @invariant()
    def raw_rows_added_up_are_the_board(self):
        with sqlite3.connect(Path(self.folder.name) / FILE) as db:
            query = "SELECT kind, body FROM event WHERE game = ? ORDER BY id"
            rows = [(kind, json.loads(body)) for kind, body in db.execute(query, (self.board.view.id,))]
        db.close()
        assert [[lane.front, lane.rear] for lane in self.board.view.game.lanes] == added_up(rows)

    @invariant()
    def every_accepted_tap_is_one_row(self):
        with sqlite3.connect(Path(self.folder.name) / FILE) as db:
            kept = [name for (name,) in db.execute("SELECT command_id FROM event WHERE command_id NOT NULL")]
        db.close()
        assert sorted(kept) == sorted(self.taps)


def added_up(rows):
    """Front and rear peg of both lanes, by adding what stands, to the first arrival at 121."""
    sheet, pegs = [], [[0, 0], [0, 0]]
    for kind, body in rows:
        if kind in {"scored", "dealt"}:
            sheet.append([body, True])
        elif kind in {"taken_back", "restored"}:
            sheet[body["line"] - 1][1] = kind == "restored"
    for body, stands in sheet:
        if stands and body.get("points") and not any(front == 121 for front, _ in pegs):
            lane = body["lane"]
            pegs[lane] = [min(121, pegs[lane][0] + body["points"]), pegs[lane][0]]
    return pegs


TestDoors = Doors.TestCase
TestDoors.settings = settings(max_examples=40, stateful_step_count=40, deadline=None)
