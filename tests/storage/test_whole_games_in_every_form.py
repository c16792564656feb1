"""Whole games of presets and variants, with all that can happen in one, against a tally that the test keeps itself.

Each has a head start, a fault with a redeal, muggins, an undone line, two substitutes and corrected names. Scores,
names, rules and result are the same at the table, after a restart, in lists, statistics and CSV and at another table.
"""

import csv
import io
from itertools import count, cycle, pairwise
from typing import NamedTuple

import pytest

from pegboard import Rename, Rules, TakeBack
from pegboard.core.house_rules import with_house_rules
from pegboard.core.match import Setup
from pegboard.core.moves import CallMuggins, Confirm, GiveHeadStart, Penalize, Substitute
from pegboard.core.presets import preset_rules
from pegboard.storage.event_row import replay_rows
from pegboard.storage.games import History
from pegboard.storage.journal.journal import Journal
from pegboard.storage.rescue.restoring import rebuild
from pegboard.storage.statistics import StatisticsQuery
from pegboard.storage.transfer.exporting import game_parts, sheet_text
from tests.storage.test_name_corrections import export_lines, import_lines, rebuild_summary, summary_rows
from tests.support.scoreboard_on_a_folder import Table

PLAYERS = ("Ann", "Bbo", "Cy", "Dee", "Eve", "Flo")
HOLE, HEAD_START = 121, 10


class Case(NamedTuple):
    """What is played, and what the test knows of its rules: points, holes and match points."""

    preset: str
    variant: str
    house: tuple[str, ...] = ()
    misdeal: int = 0
    dealer_start: int = 0
    skunk_lines: tuple[int, ...] = (90, 60)
    worth: tuple[int, ...] = (1, 2, 3)


CASES = [
    Case("1922 laws", "standard", misdeal=2, skunk_lines=(60,), worth=(1, 2)),
    Case("ACC tournament", "acc", ("muggins=on",), worth=(2, 3, 3)),
    Case("Box sheet", "box-sheet", dealer_start=3),
    Case("Complete guide", "three-handed", skunk_lines=(90, 60, 30), worth=(1, 2, 3, 3)),
    Case("", "six-partners", ("misdeal=2", "muggins=on"), misdeal=2),
    Case("", "cut-throat-four", ("misdeal=3", "dealer start=on"), misdeal=3, dealer_start=3),
]


class Tally:
    """A game with pencil and paper: where the front pegs stand, who sits where, and a row for each line.

    A person is a list with the name, so that the name can be corrected wherever the person is written down.
    """

    def __init__(self, case, seats, lanes):
        self.case = case
        self.began = [[name] for name in PLAYERS[:seats]]
        self.sits = list(self.began)
        self.fronts, self.rows, self.changes = [0] * lanes, [], []
        self.begin_deal(0)

    def lane(self, seat):
        return seat % len(self.fronts)

    def begin_deal(self, dealer):
        front = self.fronts[self.lane(dealer)]
        self.fronts[self.lane(dealer)] = max(front, min(front + self.case.dealer_start, HOLE - 1))

    def line(self, do, seat, holes):
        before = self.fronts[self.lane(seat)]
        self.fronts[self.lane(seat)] = min(HOLE, before + holes)
        points = "" if do == "head_start" else f"{holes}"
        self.rows.append([do, self.sits[seat], points, f"{before}", f"{self.fronts[self.lane(seat)]}", "yes"])

    def undo(self, seat):
        before = self.rows[-1][3]
        self.fronts[self.lane(seat)] = int(before)
        self.rows[-1][4:] = [before, "no"]

    def replace(self, name):
        """Somebody else sits at seat 0."""
        self.rows.append(["substitute", self.sits[0], "", "", "", "yes"])
        self.sits[0] = [name]
        self.changes.append((self.fronts[0], self.sits[0]))

    @property
    def is_over(self):
        return HOLE in self.fronts

    def side(self, lane, people):
        return tuple(sorted(person[0] for seat, person in enumerate(people) if self.lane(seat) == lane))

    def told(self):
        """What every form must say of the game."""
        winner, lanes = self.fronts.index(HOLE), range(len(self.fronts))
        lines = self.case.skunk_lines
        skunks = [sum(self.fronts[lane] <= line for line in lines) * (lane != winner) for lane in lanes]
        points, names = self.case.worth[max(skunks)], [person[0] for person in self.began]
        later = [person[0] for _, person in self.changes]
        seats = [(name, self.lane(seat)) for seat, name in enumerate(names)]
        each_seat = [cell for name, lane in seats for cell in (name, f"{self.fronts[lane]}", f"{skunks[lane]}")]
        parts = {self.side(0, [person, *self.began[1:]]): (0, 0, 1) for _, person in self.changes}
        return {
            "fronts": self.fronts,
            "winner": winner,
            "skunks": skunks,
            "points": points,
            "players": names,
            "substitutes": [{"seat": 0, "name": name} for name in later],
            "now": tuple(person[0] for person in self.sits),
            "rows": [[do, person[0], *rest] for do, person, *rest in self.rows],
            "statistics": {self.side(lane, self.began): (1, int(lane == winner), 0) for lane in lanes} | parts,
            "holes": [after - front for front, after in pairwise([0, *(at for at, _ in self.changes), self.fronts[0]])],
            "spreadsheet": [
                *(" and ".join(name for name, lane in seats if lane == winner), f"{points}", *each_seat),
                ", ".join(f"{name} for {names[0]}" for name in later),
            ],
        }


def told(folder, game):
    """The same, as the folder of a table tells it, and the rules of the game."""
    past = History(folder)
    item, sheet = past.game(game)
    rows = list(csv.reader(io.StringIO(sheet_text(sheet))))[1:]
    _, own = csv.reader(io.StringIO("".join(game_parts(folder))))
    statistics = past.statistics(StatisticsQuery())
    assert statistics["games"] == 1
    values = {name: item[name] for name in ("fronts", "winner", "skunks", "points", "players", "substitutes")} | {
        "now": sheet.players,
        "rows": [[row[2], row[3], row[4], row[6], row[7], row[9]] for row in rows],
        "statistics": {
            tuple(row["names"]): (row["games"], row["won"], row["took_over"]) for row in statistics["players"]
        },
        "holes": [part["holes"] for part in item["figures"]["parts"] if part["lane"] == 0],
        "spreadsheet": [*own[9:11], *own[12 : 12 + 3 * len(sheet.players)], own[-1]],
    }
    return values, sheet.rules


class Game:
    """A table and the tally beside it; a director does everything, who may in each of the games."""

    def __init__(self, folder, case, rules):
        self.table = Table(folder, Setup(rules, PLAYERS[: rules.seats], dealer=0))
        self.tally = Tally(case, rules.seats, rules.lanes)
        self.rules, self.misdeal = rules, case.misdeal
        self.hands = [cycle(points) for points in ([24, 20, 28, 21], [4, 8, 2], [2, 0], [0, 6])]

    def play(self):
        self.begin()
        for number in count():
            dealer = number % self.rules.seats
            if not self.tally.is_over:
                self.deal(dealer)
            if self.tally.is_over:
                return
            self.tally.begin_deal(dealer + 1)
            if number == 0:
                self.change_people()
            if number == 1:
                self.table.rule(Substitute(0, "Zoe", "Ann"))  # not the Ann whose name was corrected
                self.tally.replace("Ann")

    def end(self):
        """A wrong name is noticed only now; the players confirm the result, if they must."""
        self.correct_name(1, self.tally.began[1], "Bob")
        for seat in range(self.rules.seats if self.rules.confirm else 0):
            self.table.rule(Confirm(seat, self.tally.fronts.index(HOLE), tuple(self.tally.fronts)))

    def begin(self):
        """Seat 1 starts ahead; the dealer exposes a card and redeals."""
        self.table.rule(GiveHeadStart(1, HEAD_START), base=self.table.view.game.revisions[1])
        self.tally.line("head_start", 1, HEAD_START)
        for seat in range(1, self.rules.lanes if self.misdeal else 2):
            self.table.rule(Penalize(self.misdeal, seat, fault="faced-card", redeal=0 if seat == 1 else None))
            self.tally.line("penalty", seat, self.misdeal)

    def deal(self, dealer):
        self.score(dealer + 1, 2, "play")
        if self.rules.muggins:
            caller = (dealer + 2) % self.rules.seats
            self.table.rule(CallMuggins(caller, 3, 2, (dealer + 1) % self.rules.seats))
            self.tally.line("muggins", caller, 2)
        for turn in range(1, self.rules.seats + 1):
            self.score(dealer + turn, next(self.hands[(dealer + turn) % self.rules.lanes]), "hand")
        self.score(dealer, 5, "crib")

    def score(self, seat, points, why):
        if not self.tally.is_over:
            self.table.score(seat % self.rules.seats, points, why, director=True)
            self.tally.line("score", seat % self.rules.seats, points)

    def change_people(self):
        """A line is undone, Ann leaves, and two names turn out to be wrong."""
        self.score(2, 7, "play")
        self.table.rule(TakeBack())
        self.tally.undo(2)
        self.table.rule(Substitute(0, "Ann", "Zeo"))
        self.tally.replace("Zeo")
        self.correct_name(0, self.tally.began[0], "Anna")
        self.correct_name(0, self.tally.sits[0], "Zoe")

    def correct_name(self, seat, person, name):
        self.table.rule(Rename(seat, person[0], name))
        person[0] = name


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.preset} {case.variant}".strip())
def test_a_whole_game_is_the_same_in_every_form(tmp_path, case):
    rules = with_house_rules(
        preset_rules(case.preset, case.variant) if case.preset else Rules.named(case.variant), case.house
    )
    game = Game(tmp_path / "here", case, rules)
    game.play()
    game.end()
    table, there, wanted = game.table, tmp_path / "there", (game.tally.told(), rules)
    played, summaries = table.view, summary_rows(table.folder)
    assert told(table.folder, played.id) == wanted
    assert len(game.tally.changes) == 2

    assert replay_rows(table.journal.rows(played.id)) == played.game
    assert (rebuild_summary(table), table.view.game) == (summaries, played.game)
    assert told(table.folder, played.id) == wanted, "restarted"

    with Journal(there) as journal:
        assert import_lines(journal, export_lines(table.folder)).games == 1
    assert told(there, played.id) == wanted, "imported"
    summaries = summary_rows(there)
    rebuild(there, lambda: None)
    assert (summary_rows(there), told(there, played.id)) == (summaries, wanted), "imported and rebuilt"
