"""Keys, phones, a director, repeats, a pulled plug in any order: raw rows, added up plainly, are the board."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, precondition, rule

from hardware.key_roles_and_actions import AddKey, Dial
from hardware.keys.debounce import Timing
from hardware.keys.machine import KeyMachine
from pegboard import Restore, Rules, Start, TakeBack
from pegboard.core.match import Setup
from pegboard.core.moves import Abandon, Amend, Confirm, GiveHeadStart, OverPeg, PegBack, Penalize, Score, SetPegs
from pegboard.errors import NotStored, PegboardError
from pegboard.feed import Feed
from pegboard.storage.event_row import replay_rows
from pegboard.storage.journal.journal import Journal
from pegboard.storage.reader import read_events
from pegboard.storage.schema import FILE
from pegboard.storage.transfer.exporting import event_lines
from pegboard.storage.transfer.import_check import check_import
from pegboard.storage.transfer.import_parser import last_lines
from pegboard.table.scoreboard import Scoreboard
from tests.oracles import score_keeper
from tests.oracles.refusals import is_the_directors, refusals, row
from tests.support.contact_bounce import MS
from tests.support.failing_commit import FailingCommit, patched
from tests.support.long_runs import is_long, some_of
from tests.support.player_names import SIX as NAMES
from tests.support.sheet_strategies import (
    Asking,
    amounts,
    few,
    house_words,
    never_come_about,
    picks,
    rules_as_played,
    told,
    variants,
)

FORMATS = ("open", "best of 3", "first to 4", "first to 2", "best of 5", "single")
EARLIER = ("set", "back", "undo", "redo", "undo the newest", "redo the newest", "amend", "over_peg", "confirm")
ON_A_LANE = GiveHeadStart | Score | Penalize | PegBack | SetPegs

lanes = st.integers(0, 2)
bounces = st.lists(st.integers(1, 11), max_size=4, unique=True).map(sorted)
tables = variants | st.just("three-handed")


def stroke(at_ms, bounces, *, is_down):
    """The edges of contacts that open and close again within the lock-out: each a time in ms and a level."""
    yield at_ms, is_down
    for ms in bounces:
        yield at_ms + 2 * ms, not is_down
        yield at_ms + 2 * ms + 1, is_down


class TableMachine(Asking):
    """Whatever is done, what is shown is what the rows on disk say, and every accepted tap stands there once."""

    def __init__(self):
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name) / FILE
        self.taps, self.clock, self.director = {}, 10**18, True
        self.evening, self.read = score_keeper.Evening(), 0
        self.journal = None
        self.connections = patched()
        self.connections.start()

    @initialize(
        variant=tables,
        words=house_words,
        form=st.sampled_from(FORMATS),
        won=st.integers(1, 3),
        seat=picks,
        behind=few,
        front=few,
        what=st.permutations(EARLIER),
    )
    def begin(self, *, variant, words, form, won, seat, behind, front, what):
        self.words = words
        rules = rules_as_played(variant, words)
        self.setup = Setup(rules, NAMES[: rules.seats], form)
        self.open()
        self.read_new_rows()
        self.games_in_a_row(won, seat, behind)
        for command in (Score(3, self.seat(seat)), Score(2, self.seat(seat)), TakeBack()):
            self.ask(command)
        if self.earlier():
            self.put_an_earlier_game_right(seat, front, what, again=True)

    def open(self):
        self.journal = Journal(Path(self.folder.name))
        more = {"house": self.as_the_house_plays, "clock": lambda: self.clock}
        self.board = Scoreboard(self.journal, Feed(), self.setup, **more)

    def as_the_house_plays(self, rules):
        return rules_as_played(rules.variant, self.words)

    def teardown(self):
        if self.journal is not None:
            self.a_second_process_agrees()
            self.another_table_takes_it()
            self.journal.close()
        self.connections.stop()
        FailingCommit.is_due = False
        self.folder.cleanup()
        super().teardown()

    # --- through the scoreboard ---

    @property
    def view(self):
        return self.board.view

    @property
    def sheet(self):
        """The plain sheet of the running game."""
        return self.evening.sheets[self.evening.running()]

    def read_new_rows(self, but=0):
        """Lay what has been kept on the plain sheets, but for so many newest rows; these are returned."""
        found = list(score_keeper.rows(self.path, self.read))
        for number, game, kind, body in found[: len(found) - but]:
            self.read = number
            sheet = self.evening.sheets.get(game)
            old = sheet and sheet.now
            self.evening.read(game, kind, body)
            if kind in ("started", "abandoned"):
                self.seen.add(kind)
            elif game == self.evening.running():
                self.note(kind, body, old)
        newest = found[len(found) - but :]
        return [(game, kind, {name: body[name] for name in body if name != "v"}) for _, game, kind, body in newest]

    def note(self, kind, body, old):
        super().note(kind, body, old)
        if self.evening.standing().winner is not None:
            self.seen.add("a match decided")

    def base(self, command, sheet):
        if isinstance(command, ON_A_LANE):
            lanes = len(sheet.revisions)
            lane = command.lane if getattr(command, "seat", None) is None else command.seat % lanes
            return sheet.revisions[lane] if lane in range(lanes) else 0
        return self.view.revision

    def ask(self, command, game=None, base=None, **how):
        """One tap, by somebody who looks first; what keys had dialled pegs before it, then it is judged."""
        before, game, name = self.view, game or self.view.id, f"tap-{len(self.taps):016}"
        self.read_new_rows()
        sheet = self.evening.sheets[game]
        seen, meant = self.base(command, sheet), as_meant(command, sheet)
        asked = {"source": "phone", "id": name, "game": game, "director": self.director} | how
        asked["base"] = seen if base is None else base
        try:
            receipt, refused = self.board.handle(command, **asked), None
        except PegboardError as refusal:
            receipt, refused = None, refusal.code
        made = self.read_new_rows(but=0 if refused else 1)
        expected = {"moved"} if base not in (None, seen) else self.refusals(meant, game, asked["director"])
        assert (refused in expected) if expected else (refused is None), (command, asked, refused, expected)
        if refused:
            self.seen.add(f"refused: {refused}")
            assert self.view.game.entries[: len(before.game.entries)] == before.game.entries
            assert self.view.id == before.id
            return False
        assert not receipt.replayed
        self.taps[name] = (command, asked, receipt.entry)
        if not isinstance(meant, Start | Abandon) and not self.puts_away(meant, game):
            assert made == [(game, *row(sheet, meant))]
        elif self.puts_away(meant, game):
            assert made[0][1] == "abandoned"
            self.seen.add("the game before is in progress again")
        self.read_new_rows()
        assert self.evening.standing().told() == as_told(self.view.match)
        return True

    def puts_away(self, meant, game):
        """Whether this undo finds nothing on the running sheet, and a game before it."""
        there = [each for each in self.evening.sheets if each not in self.evening.given_up]
        return meant == TakeBack() and there[1:] and game == there[-1] and not self.evening.sheets[game].lines

    def refusals(self, meant, game, director):
        """The codes with which the scoreboard may refuse what is meant; where there are none it takes it."""
        sheet, earlier = self.evening.sheets[game], game != self.evening.running()
        if isinstance(meant, Start):
            return set() if director or not (meant.format or sheet.waits_to_be_confirmed()) else {"role"}
        if isinstance(meant, Abandon):
            guarded = sheet.rules["strict"] or (sheet.now.over and sheet.rules["confirm"])
            return {"role"} if guarded and not director else set()
        if self.puts_away(meant, game):
            return {"role"} if sheet.rules["strict"] and not director else set()
        if codes := refusals(sheet, meant):
            return codes
        kind, body = row(sheet, meant)
        if earlier and not sheet.after(kind, body).now.over:
            return {"other_game"}
        putting_right = earlier and kind != "confirmed"
        return {"role"} if not director and (putting_right or is_the_directors(sheet, kind, body)) else set()

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
        self.board.keys.dial(lane % len(self.view.game.lanes), amount)

    @rule(lane=lanes, amount=st.sampled_from([1, 2, 5]), down=bounces, up=bounces)
    def key_whose_contacts_bounce(self, *, lane, amount, down, up):
        """However often its edges are doubled, a stroke dials once."""
        lane %= len(self.view.game.lanes)
        machine = KeyMachine({"key": AddKey(lane, amount)}, Timing())
        edges = [*stroke(0, down, is_down=True), *stroke(100, up, is_down=False)]
        actions = [action for ms, is_down in edges for action in machine.edge(ms * MS, "key", is_down)]
        actions += machine.tick(400 * MS)
        assert actions == [Dial(lane, amount)]
        self.board.keys.dial(lane, amount)
        self.seen.update({"doubled edges"} if down else ())

    @rule(lane=lanes)
    def silence(self, lane):
        self.board.keys.peg(lane)

    @rule(which=st.sampled_from(["undo", "deal", "ask_new_game", "new_game"]))
    def shared_key(self, which):
        getattr(self.board.keys, which)()

    # --- games of a match ---

    def begin_with(self, command):
        return self.ask(command, replaces=None if self.view.game.outcome else self.view.id)

    @rule(again=st.integers(1, 3), seat=picks, behind=st.sampled_from([5, 20, 40, 100]))
    def games_in_a_row(self, again, seat, behind):
        """Won quickly, one after another, by the same table; somebody is so far behind."""
        for n in range(again):
            self.ask(Score(1 + behind % 29, self.seat(seat + n)))
            self.ask(Score(12, self.seat(seat + n + 1), why="hand"))
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
    def the_next_game_is_begun_and_put_away(self):
        if self.begin_with(Start(Rules.named(self.view.game.rules.variant), self.view.game.players)):
            self.ask(TakeBack())

    @precondition(lambda self: self.view.game.outcome)
    @rule()
    def a_finished_game_is_given_up_and_another_begun(self):
        if self.ask(Abandon("it was not played fairly")):
            self.begin_with(Start(Rules.named(self.view.game.rules.variant), self.view.game.players))
            self.the_plug_is_pulled()

    def earlier(self):
        """The games of the match that can be put right behind the running one."""
        evening, running = self.evening, self.evening.running()
        games = [game for game in evening.sheets if game not in {running, *evening.given_up}]
        return [game for game in games if evening.matches[game] == evening.matches[running]]

    @precondition(lambda self: self.earlier())
    @rule(pick=picks, points=amounts | few, what=st.lists(st.sampled_from(EARLIER), max_size=3), again=st.booleans())
    def put_an_earlier_game_right(self, pick, points, what, again):
        """Mostly a line that may be put right so; perhaps what was done is undone and put back at once."""
        game = self.earlier()[pick % len(self.earlier())]
        director = self.director or pick % 3 > 0
        for n, how in enumerate(what):
            asked = self.for_an_earlier_game(how, pick + n, points, game)
            if self.ask_of_earlier(game, asked, director) and again and not isinstance(asked, Confirm):
                self.think_twice_of_earlier(game, asked, director)
        self.the_plug_is_pulled()

    def think_twice_of_earlier(self, game, asked, director):
        """The line that was undone is put back; any other newest one is undone and put back."""
        if isinstance(asked, TakeBack) and asked.line is not None:
            self.ask_of_earlier(game, Restore(asked.line), director)
        elif isinstance(asked, TakeBack) or self.ask_of_earlier(game, TakeBack(), director):
            self.ask_of_earlier(game, Restore(), director)

    def ask_of_earlier(self, game, command, director):
        if not self.ask(command, game, director=director):
            return False
        left_out = ", line left out" if command in (TakeBack(), Restore()) else ""
        self.seen.add(f"earlier game: {type(command).__name__}{left_out}")
        assert self.evening.sheets[game].now.over
        return True

    def for_an_earlier_game(self, what, pick, points, game):
        sheet = self.evening.sheets[game]
        lines = list(enumerate(sheet.lines, 1))
        scores = [(n, line["points"]) for n, line in lines if line["kind"] == "scored"]
        seat = (pick % 4 + 1 + (sheet.now.winner or 0)) % sheet.rules["seats"]
        front = 9 * points % sheet.now.hole
        every = {
            "undo": [TakeBack(n) for n, _ in lines],
            "redo": [Restore(n) for n, _ in lines],
            "amend": [Amend(n, new, was) for n, was in scores for new in (points, was + 1, was - 1)],
            "over_peg": [OverPeg(n, was // 2, was, self.opponent(0, pick)) for n, was in scores],
            "undo the newest": [TakeBack()],
            "redo the newest": [Restore()],
            "back": [PegBack(seat, max(1, points))],
            "set": [SetPegs(seat, front, max(0, front - 1))],
            "confirm": [Confirm(seat, sheet.now.winner, tuple(front for front, _ in sheet.now.pegs))],
        }[what]
        fitting = [each for each in every if not self.refusals(as_meant(each, sheet), game, director=True)]
        among = (pick % 7 > 0 and fitting) or every or [TakeBack()]
        return among[pick % len(among)]

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

    @rule(seat=picks, points=few, plug=st.booleans())
    def a_commit_fails(self, *, seat, points, plug):
        """A score is refused that cannot be stored; it is not back, and its id may be used once it can."""
        for lane in range(len(self.view.game.lanes)):
            self.board.keys.peg(lane)
        before, seat = self.view, self.seat(seat)
        base = before.game.revisions[seat % len(before.game.lanes)]
        FailingCommit.is_due = True
        try:
            self.board.handle(
                Score(min(points, 29), seat), source="phone", id="refused-00000001", game=before.id, base=base
            )
        except NotStored:
            self.seen.add("refused commit")
        except PegboardError:
            assert FailingCommit.is_due, "it was refused before anything was to be stored"
        else:
            raise AssertionError("a score was accepted whose commit has failed")
        FailingCommit.is_due = False
        assert (self.view.game, self.view.match) == (before.game, before.match)
        if plug:
            self.the_plug_is_pulled()

    @rule(back=st.integers(-(10**9), 10**9))
    def the_clock_jumps(self, back):
        self.clock += back

    # --- what must hold ---

    @invariant()
    def raw_rows_added_up_are_the_board(self):
        if self.journal is not None:
            self.read_new_rows()
            assert self.sheet.told() == told(self.view.game)
            assert self.evening.running() == self.view.id
            assert self.evening.standing().told() == as_told(self.view.match)

    @invariant()
    def every_accepted_tap_is_one_row(self):
        if self.journal is not None:
            kept = [row.command_id for row in self.journal.rows() if row.command_id is not None]
            assert sorted(kept) == sorted(self.taps)

    def a_second_process_agrees(self):
        program = [sys.executable, score_keeper.__file__, str(self.path)]
        found = json.loads(subprocess.run(program, capture_output=True, text=True, check=True).stdout)
        assert (found["running"], found["match"]) == (self.view.id, as_told(self.view.match))
        for game, said in found["games"].items():
            assert said == told(replay_rows(self.journal.rows(game)))
        self.seen.add(f"{min(3, sum(self.view.match.games_won))} games won in {len(self.view.game.lanes)} lanes")

    def another_table_takes_it(self):
        """Whatever a table keeps, and is exported, is possible at another one."""
        folder = Path(self.folder.name)
        with read_events(folder) as rows:
            lines = [line.encode() for line in event_lines(rows)]
        with Journal(folder / "there") as there:
            assert there.import_games(check_import(lines, last_lines(lines), there.rows)).events == len(lines)


def as_meant(command, sheet):
    """An undo or redo that names no line means one on the sheet as it is when it is asked."""
    standing = [n for n, line in enumerate(sheet.lines, 1) if line["stands"]]
    if command == TakeBack() and standing:
        return TakeBack(standing[-1])
    return Restore(sheet.undone[-1]) if command == Restore() and sheet.undone else command


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
    max_examples=some_of(50, 12), stateful_step_count=40, phases=set(settings().phases) - {Phase.explain}
)


@pytest.mark.long
def test_earlier_games_put_right_and_matches_decided_all_come_about():
    """A machine that never gets so far would stay green whatever the program did there."""
    rulings = ("over_pegged", "falsely_claimed", "pegged_back", "pegs_set")
    corrected = {f"{how}: {kind}" for kind in rulings[:2] for how in ("taken_back", "restored")}
    wanted = {
        *rulings,
        *("retracted", "scored", "dealt", "amended", "confirmed", "started", "abandoned", "renamed"),
        *({"muggins_called"} | corrected if is_long() else ()),  # rare; the sheet's own machine waits for them
        *("opened again", "the second to come wins", "a match decided", "the game before is in progress again"),
        *(f"earlier game: {each}" for each in ("TakeBack", "Restore", "Amend", "OverPeg", "SetPegs", "PegBack")),
        *(f"earlier game: {each}, line left out" for each in ("TakeBack", "Restore")),
        *("doubled edges", "refused commit"),
        *("earlier game: Confirm", "refused: role", "refused: over", "refused: other_game", "refused: moved"),
    }
    assert not never_come_about(TableMachine, wanted, runs=12, steps=50)
