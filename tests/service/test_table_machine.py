"""Keys, phones, a director, repeats, a pulled plug in any order: raw rows, added up plainly, are the board."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from hypothesis import Phase, event, settings
from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, precondition, rule

from pegboard import Restore, Rules, Start, TakeBack
from pegboard.core.moves import Abandon, Amend, Confirm, PegBack, Penalize, Score, SetPegs
from pegboard.errors import PegboardError
from pegboard.feed import Feed
from pegboard.journal import FILE, Journal, fold
from pegboard.scoreboard import Scoreboard, Setup
from tests.core import plain_sheet
from tests.core.asking import Asking, few, house_words, picks, rules_as_played, told, variants

NAMES = ("Ann", "Bob", "Cy", "Dee")
FORMATS = ("open", "single", "best of 3", "first to 2", "first to 4")
ON_A_LANE = Score | Penalize | PegBack | SetPegs

lanes = st.integers(0, 2)
tables = variants | st.just("three-handed")


class TableMachine(Asking):
    """Whatever is done, what is shown is what the rows on disk say, and every accepted tap stands there once."""

    def __init__(self):
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name) / FILE
        self.taps, self.clock, self.director, self.seen = {}, 1_000, True, set()
        self.evening, self.read = plain_sheet.Evening(), 0
        self.journal = None

    @initialize(
        variant=tables,
        words=house_words,
        form=st.sampled_from(FORMATS),
        won=st.integers(1, 3),
        seat=picks,
        behind=few,
        front=few,
    )
    def begin(self, *, variant, words, form, won, seat, behind, front):
        self.words = words
        rules = rules_as_played(variant, words)
        self.setup = Setup(rules, NAMES[: rules.seats], form)
        self.open()
        self.games_in_a_row(won, seat, behind)
        if self.earlier():
            self.put_an_earlier_game_right(seat, front, "set")

    def open(self):
        self.journal = Journal(Path(self.folder.name))
        more = {"house": self.as_the_house_plays, "clock": lambda: self.clock}
        self.board = Scoreboard(self.journal, Feed(), self.setup, **more)

    def as_the_house_plays(self, rules):
        return rules_as_played(rules.variant, self.words)

    def teardown(self):
        if self.journal is not None:
            self.a_second_process_agrees()
            self.journal.close()
        self.folder.cleanup()
        for what in self.seen:
            event(what)

    # --- through the one door ---

    @property
    def view(self):
        return self.board.view

    @property
    def sheet(self):
        """The plain sheet of the running game."""
        self.read_new_rows()
        return self.evening.sheets[self.evening.running()]

    def read_new_rows(self):
        for number, game, kind, body in plain_sheet.rows(self.path, self.read):
            self.evening.read(game, kind, body)
            self.read = number

    def base(self, command, game):
        if isinstance(command, ON_A_LANE):
            lane = command.lane if getattr(command, "seat", None) is None else command.seat % len(game.lanes)
            return game.revisions[lane] if lane in range(len(game.lanes)) else 0
        return self.view.revision

    def ask(self, command, **how):
        """One tap, by somebody who looks first; what is refused leaves the sheet as it was."""
        before, game = self.view, how.pop("sheet", self.view.game)
        name = f"tap-{len(self.taps):016}"
        asked = {"source": "phone", "id": name, "game": before.id, "base": self.base(command, game)}
        asked |= {"director": self.director} | how
        try:
            receipt = self.board.handle(command, **asked)
        except PegboardError as refusal:
            refused = refusal.code
        else:
            refused = None
            assert not receipt.replayed
            self.taps[name] = (command, asked, receipt.entry)
        self.seen.add(f"refused: {refused}" if refused else type(command).__name__)
        if refused:
            assert self.view.game.entries[: len(before.game.entries)] == before.game.entries
            assert self.view.id == before.id
            assert not (refused == "role" and asked["director"])
        return not refused

    @rule(sits=st.booleans())
    def a_director_comes_or_goes(self, sits):
        self.director = sits

    @precondition(lambda self: self.taps)
    @rule(pick=picks)
    def the_same_tap_again(self, pick):
        command, asked, entry = self.taps[sorted(self.taps)[pick % len(self.taps)]]
        before = self.view
        receipt = self.board.handle(command, **asked)
        assert (receipt.replayed, receipt.entry) == (True, entry)
        assert self.view == before

    @rule(seat=picks, points=few)
    def a_tap_that_looked_too_early(self, seat, points):
        before, seat = self.view, self.seat(seat)
        revision = before.game.revisions[seat % len(before.game.lanes)]
        assert not self.ask(Score(min(points, 29), seat), base=revision + 1)
        assert self.view == before

    # --- keys ---

    @rule(lane=lanes, amount=st.sampled_from([1, 2, 5, 20]))
    def key(self, lane, amount):
        self.board.dial(lane % len(self.view.game.lanes), amount)

    @rule(lane=lanes)
    def silence(self, lane):
        self.board.peg(lane)

    @rule(which=st.sampled_from(["undo", "deal", "new_game"]))
    def shared_key(self, which):
        getattr(self.board, which)()

    # --- games of a match ---

    def begin_with(self, command):
        self.ask(command, replaces=None if self.view.game.outcome else self.view.id)

    @rule(again=st.integers(1, 3), seat=picks, behind=st.sampled_from([5, 20, 40, 100]))
    def games_in_a_row(self, again, seat, behind):
        """Won quickly, one after another, by the same table; somebody is so far behind."""
        for n in range(again):
            self.ask(SetPegs(self.seat(seat + n + 1), max(1, self.hole - behind), 0))
            self.come_home(seat + n // 2, 29, "score")
            if self.view.game.outcome:
                for each in range(self.played["seats"]):
                    self.confirm(each)
                self.begin_with(Start(Rules.named(self.view.game.rules.variant), self.view.game.players))

    @rule(variant=variants, dealer=st.none() | st.integers(0, 1), form=st.none() | st.sampled_from(FORMATS))
    def another_match(self, variant, dealer, form):
        rules = Rules.named(variant)
        self.begin_with(Start(rules, NAMES[: rules.seats], dealer if rules.seats > 1 else None, form))

    @rule(pick=picks)
    def abandon(self, pick):
        if pick % 4 == 0:
            self.ask(Abandon("the dinner is ready"))

    @precondition(lambda self: self.view.game.outcome)
    @rule()
    def a_finished_game_is_given_up_and_another_begun(self):
        if self.ask(Abandon("it was not played fairly")):
            self.begin_with(Start(Rules.named(self.view.game.rules.variant), self.view.game.players))
            self.the_plug_is_pulled()

    def earlier(self):
        """The games of the match that can be put right behind the running one."""
        self.read_new_rows()
        evening, running = self.evening, self.evening.running()
        games = [game for game in evening.sheets if game not in {running, *evening.given_up}]
        return [game for game in games if evening.matches[game] == evening.matches[running]]

    @precondition(lambda self: self.earlier())
    @rule(pick=picks, holes=few, what=st.sampled_from(["set", "back", "set", "undo", "redo", "amend", "confirm"]))
    def put_an_earlier_game_right(self, pick, holes, what):
        game = self.earlier()[pick % len(self.earlier())]
        sheet, live = self.evening.sheets[game], fold(self.journal.rows(game))
        line = 1 + pick % max(1, len(sheet.lines))
        was = sheet.lines[line - 1].get("points") if sheet.lines else 0
        seat = (pick % 4 + 1 + (sheet.now.winner or 0)) % sheet.rules["seats"]
        front = 9 * holes % sheet.now.hole
        command = {
            "back": PegBack(seat, holes),
            "set": SetPegs(seat, front, max(0, front - 1)),
            "undo": TakeBack(line),
            "redo": Restore(line),
            "amend": Amend(line, holes, was),
            "confirm": Confirm(seat, sheet.now.winner, tuple(front for front, _ in sheet.now.pegs)),
        }[what]
        if self.ask(command, game=game, sheet=live, director=self.director or pick % 3 > 0):
            self.seen.add(f"earlier game: {what}")
            self.read_new_rows()
            assert sheet.now.over
            self.the_plug_is_pulled()

    # --- the world ---

    @rule()
    def the_plug_is_pulled(self):
        before = self.view
        self.journal.close()
        self.open()
        after = self.view
        assert after.game.positions == before.game.positions
        assert (after.game, after.match, after.match_id, after.id) == (
            before.game,
            before.match,
            before.match_id,
            before.id,
        )

    @rule(back=st.integers(-(10**9), 10**9))
    def the_clock_jumps(self, back):
        self.clock += back

    # --- what must hold ---

    @invariant()
    def raw_rows_added_up_are_the_board(self):
        if self.journal is not None:
            assert self.sheet.told() == told(self.view.game)
            assert self.evening.running() == self.view.id
            assert self.evening.standing().told() == as_told(self.view.match)

    @invariant()
    def every_accepted_tap_is_one_row(self):
        if self.journal is not None:
            kept = [row.command_id for row in self.journal.rows() if row.command_id is not None]
            assert sorted(kept) == sorted(self.taps)

    def a_second_process_agrees(self):
        program = [sys.executable, plain_sheet.__file__, str(self.path)]
        found = json.loads(subprocess.run(program, capture_output=True, text=True, check=True).stdout)
        assert (found["running"], found["match"]) == (self.view.id, as_told(self.view.match))
        for game, said in found["games"].items():
            assert said == told(fold(self.journal.rows(game)))
        self.seen.add(f"{min(3, sum(self.view.match.games_won))} games won in {len(self.view.game.lanes)} lanes")
        if self.view.match.winner is not None:
            self.seen.add("a match decided")


def as_told(match):
    return {
        "format": match.format,
        "games_won": list(match.games_won),
        "points": list(match.points),
        "counted": list(match.counted),
        "spread": list(match.spread),
        "winner": match.winner,
    }


TestTable = TableMachine.TestCase
TestTable.settings = settings(
    max_examples=50, stateful_step_count=40, deadline=None, phases=set(settings().phases) - {Phase.explain}
)
