"""The sheet against a plain list: after any lines, take-backs and put-backs the pegs are what adding up says."""

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from pegboard import Deal, Restore, RuleError, Rules, Score, TakeBack, new_game, play
from pegboard.core import wire
from pegboard.core.rules import VARIANTS


class Sheet(RuleBasedStateMachine):
    """The model is a list of [lane, points, stands]; it knows nothing of phases or positions."""

    @initialize(variant=st.sampled_from([name for name in VARIANTS if name != "solitaire"]))
    def start(self, variant):
        rules = Rules.named(variant)
        self.game = new_game(rules, ("Ann", "Bob", "Cy", "Dee")[: rules.seats])
        self.model = []
        self.hole = rules.game_hole

    def attempt(self, command):
        before = self.game
        positions = before.positions
        try:
            self.game = play(before, command)
        except RuleError:
            assert before.positions is positions
            return False
        return True

    @rule(seat=st.integers(0, 3), points=st.integers(0, 29), why=st.sampled_from([None, "play", "hand", "crib", "go"]))
    def score(self, seat, points, why):
        over = self.winner_by_adding() is not None
        if self.attempt(Score(points, seat, why=why)):
            assert not over
            self.model.append([seat % self.game.rules.lanes, points, True])

    @rule(seats=st.lists(st.integers(0, 3), min_size=4, max_size=8))
    def climb(self, seats):
        """Far enough in one step that games end within a run."""
        for seat in seats:
            self.score(seat, 29, None)

    @rule(dealer=st.none() | st.integers(0, 1))
    def deal(self, dealer):
        if self.attempt(Deal(dealer)):
            self.model.append([None, 0, True])

    @precondition(lambda self: self.model)
    @rule(data=st.data())
    def take_back(self, data):
        line = data.draw(st.integers(1, len(self.model)))
        if self.attempt(TakeBack(line)):
            self.model[line - 1][2] = False

    @precondition(lambda self: self.model)
    @rule(data=st.data())
    def put_back(self, data):
        line = data.draw(st.integers(1, len(self.model)))
        if self.attempt(Restore(line)):
            self.model[line - 1][2] = True

    @rule()
    def undo_then_redo_is_as_before(self):
        before = self.game
        if self.attempt(TakeBack()):
            assert self.attempt(Restore())
            assert self.game.position == before.position

    def by_adding(self):
        pegs = [[0, 0] for _ in range(self.game.rules.lanes)]
        for lane, points, stands in self.model:
            if stands and points and not any(front >= self.hole for front, _ in pegs):
                pegs[lane] = [min(self.hole, pegs[lane][0] + points), pegs[lane][0]]
        return pegs

    def winner_by_adding(self):
        return next((lane for lane, (front, _) in enumerate(self.by_adding()) if front >= self.hole), None)

    @invariant()
    def pegs_are_what_adding_says(self):
        if hasattr(self, "game"):
            assert [[lane.front, lane.rear] for lane in self.game.lanes] == self.by_adding()

    @invariant()
    def winner_and_skunks_are_what_adding_says(self):
        if not hasattr(self, "game"):
            return
        winner = self.winner_by_adding()
        if winner is None:
            assert self.game.outcome is None
            return
        assert self.game.outcome.winner == winner
        for lane, (front, _) in enumerate(self.by_adding()):
            missed = sum(front <= line for line in (self.hole - 31, self.hole - 61) if line > 0)
            assert self.game.outcome.skunks[lane] == (0 if lane == winner else missed)

    @invariant()
    def pegs_keep_their_order_on_the_board(self):
        if hasattr(self, "game"):
            for lane in self.game.lanes:
                assert 0 <= lane.rear <= lane.front <= self.hole

    @invariant()
    def replaying_the_sheet_gives_the_same_positions(self):
        if hasattr(self, "game"):
            assert wire.read_game(wire.game_values(self.game)).positions == self.game.positions


TestSheet = Sheet.TestCase
TestSheet.settings = settings(max_examples=60, stateful_step_count=60, deadline=None)
