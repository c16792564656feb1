"""The sheet against pencil and paper: whatever is asked in whatever order, under whichever rules, both say the same."""

import json
from dataclasses import asdict

import pytest
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, precondition, rule

from pegboard import Restore, TakeBack, new_game, play
from pegboard.core import wire
from pegboard.core.moves import Amend, OverPeg
from pegboard.core.referee import apply, decide, director_only
from pegboard.errors import PegboardError
from tests.oracles.refusals import is_the_directors, refusals, row
from tests.oracles.score_keeper import Sheet
from tests.support.player_names import SIX
from tests.support.sheet_strategies import (
    Asking,
    house_words,
    laid_out_anew,
    never_come_about,
    picks,
    rules_as_played,
    told,
    variants,
)


class SheetMachine(Asking):
    """The program's game beside a plain sheet."""

    @initialize(variant=variants, words=house_words, dealer=st.none() | picks)
    def start(self, variant, words, dealer):
        rules = rules_as_played(variant, words)
        names = SIX[: rules.seats]
        first, said = (0, False) if dealer is None else (dealer % rules.seats, True)
        self.game = new_game(rules, names, first if said else None)
        self.sheet = Sheet(json.loads(json.dumps(asdict(rules))), first, names, dealer_said=said)
        self.compare()

    # --- one command ---

    def ask(self, command):
        """Let both judge; what is accepted goes on both sheets, what is refused leaves both as they were."""
        before, positions = self.game, self.game.positions
        expected = refusals(self.sheet, command)
        try:
            happened, refused = decide(before, command), None
        except PegboardError as refusal:
            happened, refused = None, refusal.code
        assert (refused in expected) if expected else (refused is None), (command, happened, refused, expected)
        if happened is None:
            assert before.positions is positions
            self.seen.add(f"{type(command).__name__} refused: {refused}")
            return False
        kind, body = row(self.sheet, command)
        assert wire.event_values(happened) == (kind, body)
        why = director_only(before, happened)
        self.game = apply(before, happened)
        self.lay(kind, body, why)
        self.compare()
        if len(self.game.entries) > len(before.entries):
            self.undo_is_as_if_it_had_not_been(before)
        return True

    def lay(self, kind, body, why):
        assert (why is not None) == is_the_directors(self.sheet, kind, body), (kind, body, why)
        old = self.sheet.now
        self.sheet.add(kind, body)
        self.note(kind, body, old)

    def undo_is_as_if_it_had_not_been(self, before):
        """The newest line undone leaves the board as it was before it; put back, as it is."""
        back = play(self.game, TakeBack(len(self.game.entries)))
        assert back.position == before.position
        assert play(back, Restore()).positions == self.game.positions

    # --- what must hold ---

    def compare(self):
        assert told(self.game) == self.sheet.told()
        assert list(self.game.undone) == self.sheet.undone
        for front, rear in self.sheet.now.pegs:
            assert 0 <= rear < front <= self.hole or front == rear == 0

    @invariant()
    def each_line_says_what_it_says_on_paper(self):
        if self.sheet is None:
            return
        for n, line in enumerate(self.sheet.lines, 1):
            assert self.game.entries[n - 1].stands == line["stands"]
            assert self.game.ruling_on(n) == self.sheet.ruled_by(n)
        newest = len(self.sheet.lines)
        for n in range(max(1, newest - 3), newest + 1):
            assert self.game.counts(n) == self.sheet.counts(n)

    @invariant()
    def reading_the_sheet_again_gives_the_same_positions(self):
        if self.sheet is not None:
            assert laid_out_anew(self.game) == self.game.positions

    @precondition(lambda self: self.lines())
    @rule(pick=picks)
    def any_line_taken_back_and_put_back_is_as_before(self, pick):
        lines = self.lines()
        line = lines[pick % len(lines)]
        if not refusals(self.sheet, TakeBack(line)):
            there = play(self.game, TakeBack(line))
            assert play(there, Restore(line)).positions == self.game.positions

    @precondition(lambda self: self.lines("scored"))
    @rule(pick=picks, points=st.integers(1, 12))
    def any_amount_amended_there_and_back_is_as_before(self, pick, points):
        line = self.lines("scored")[pick % len(self.lines("scored"))]
        was = self.sheet.lines[line - 1]["points"]
        if not refusals(self.sheet, Amend(line, points, was)):
            there = play(self.game, Amend(line, points, was))
            if not refusals(self.sheet, Amend(line, was, was)) - {"already"}:
                assert play(there, Amend(line, was, points)).positions == self.game.positions

    @precondition(lambda self: any(self.sheet.ruled_by(line) for line in self.lines()))
    @rule(pick=picks)
    def a_line_under_a_ruling_stays_as_it_is(self, pick):
        lines = [line for line in range(1, len(self.sheet.lines) + 1) if self.sheet.ruled_by(line)]
        line = lines[pick % len(lines)]
        was = self.sheet.lines[line - 1].get("points")
        for command in (TakeBack(line), Restore(line), Amend(line, 7, was), OverPeg(line, 0, was)):
            assert not self.ask(command)


TestSheet = SheetMachine.TestCase
TestSheet.settings = settings(
    max_examples=5 * settings().max_examples // 2,
    stateful_step_count=50,
    phases=set(settings().phases) - {Phase.explain},
)


@pytest.mark.long
@pytest.mark.skipif(settings.get_current_profile_name() == "mutation", reason="it is about the tests, not the program")
def test_rulings_second_thoughts_and_ends_undone_all_come_about():
    """A machine that never gets so far would stay green whatever the program did there."""
    rulings = ("over_pegged", "falsely_claimed", "muggins_called", "pegged_back", "pegs_set", "retracted")
    wanted = {
        *rulings,
        *(f"taken_back: {kind}" for kind in rulings),
        *(f"restored: {kind}" for kind in rulings),
        *("Rename refused: already", "Rename refused: moved", "Rename refused: rule"),
        *("Substitute refused: already", "Substitute refused: moved", "Substitute refused: rule"),
        "substituted",
        *("head_start_given", "GiveHeadStart refused: already"),
        *(
            "scored",
            "dealt",
            "staged",
            "an entry is another player's",
            "Stage refused: already",
            "Deal refused: already",
        ),
        *("amended", "confirmed", "renamed", "taken_back: scored", "restored: scored"),
        *("ended by scored", "ended by pegs_set", "ended by taken_back"),
        *(f"opened again by {kind}" for kind in ("taken_back", "falsely_claimed", "retracted", "over_pegged")),
        *("the second to come wins", "1 skunk lines missed", "2 skunk lines missed", "OverPeg refused: already"),
    }
    assert not never_come_about(SheetMachine, wanted, runs=30, steps=50)
