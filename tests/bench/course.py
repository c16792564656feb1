"""The course of the deal: how often it is wrong, on dealt games that its table has not learned, and what it costs."""

import random
import time

from pegboard.core import best_path
from pegboard.core.course_model import Model
from pegboard.core.learned_tables import TABLES
from pegboard.core.match import Match
from pegboard.core.moves import Amend, Score
from pegboard.core.referee import new_game, play
from pegboard.core.rules import Rules
from pegboard.core.view import View
from pegboard.core.view_as_json import snapshot
from pegboard.errors import RuleError
from tests.browser.page_accuracy import page_rates
from tests.core.course_accuracy import (
    BARS,
    FAULTY,
    OTHER_BARS,
    PLAYERS,
    WAYS,
    entered,
    shuffled,
    tried,
    tried_players,
)
from tests.core.learn import LEARNED
from tests.core.shown_mistakes import at_most
from tests.support.dealing import CARELESS, MIX, OTHERS, game, table_of
from tests.support.player_names import SIX

GAMES = 300
"""Of each row; one game is some 60 entries."""

MANY = 1200
"""Of the rows of how the course is meant to be used, where 3 games more or less of 300 would be chance."""

FEW = 20
"""Of each row of a quick run, with a bar that leaves room for chance."""

ON_THE_PAGE = 4
"""Of each row that is tapped through a page: a game takes seconds there."""

LONGEST = 12
"""Entries under a wrong dealer in a row, at most."""

WARM = 20


def following(budgets, _folder):
    """Reasons, dealers, refusals and microseconds."""
    many, games = budgets.samples(MANY, quick=FEW), budgets.samples(GAMES, quick=FEW)
    for way, bars in BARS.items():
        rates(budgets, f"{way}", tried(way, many), bars)
    for way, bars in OTHER_BARS.items():
        rates(budgets, f"{way}, players the table does not know", tried(way, many, kinds=OTHERS), bars)
    for players, (_, ways) in PLAYERS.items():
        for way, bars in ways.items():
            rates(budgets, f"{way}, {players}", tried_players(players, way, many), bars)
    rates(budgets, "buttons, careless players", tried("buttons", games, kinds=CARELESS), (None, None, None))
    for way, bar in FAULTY.items():
        faulty = tried(way, games, forgotten=0.03, miscounted=0.02)
        what = f"{way}, 3 % forgotten and 2 % wrong: entries under a wrong dealer"
        share(budgets, what, faulty.under, faulty, bar)
        budgets.add("  the longest time with a wrong dealer", [faulty.longest], LONGEST, "entries")
    for variant in ("short", "three-handed", "partners", "five-card"):
        tally = tried("buttons", budgets.samples(100, quick=5), variant=variant)
        rates(budgets, f"{variant}, buttons", tally, (None, None, None))
    spoilt = tried("numbers", budgets.samples(50, quick=10), model=Model(shuffled(TABLES["two"]), 2, 2))
    live, bar = spoilt.rates()[0], BARS["numbers"][0]
    budgets.add("a shuffled table, numbers: reasons wrong live", [live], bar, "%", fails=True, trials=spoilt.entries)
    budgets.add("honest scores refused in so many games", [refused(games)], 0, "", trials=games)
    budgets.add("size of the tables", [sum(map(len, TABLES.values())) / 1000], 20, "kB")
    costs(budgets)


def through_the_page(budgets, _folder):
    """The same through the real page in a browser, tap by tap: in a long run a quarter of an hour and more a row."""
    games = budgets.samples(ON_THE_PAGE, quick=1, long=GAMES)
    for way, shown in page_rates(games, *BARS):
        bars = BARS[way]
        rates(budgets, f"{way}, on the page", shown, bars)
        budgets.add("  honest scores refused", [shown.refused], 0, "")
        share(budgets, "  entries after which the hint is wrong", shown.hints, shown, None)
        share(budgets, "  entries after which both ways are shown", shown.unsure, shown, None)


def rates(budgets, what, tally, bars):
    """The three figures that the bars are for, and how many entries were under a wrong dealer."""
    share(budgets, f"{what}: reasons wrong live", tally.live, tally, bars[0])
    share(budgets, f"{what}: reasons wrong finally", tally.finally_, tally, bars[1])
    share(budgets, f"{what}: games that ever show a wrong dealer", tally.ever, tally, bars[2], of=tally.games)
    share(budgets, f"{what}: entries under a wrong dealer", tally.under, tally, None)


def share(budgets, what, wrong, tally, bar, *, of=None):
    """How many of a hundred entries are wrong; of few games, the bar leaves room for chance as a test's does."""
    of, note = of or tally.entries, ""
    if bar is not None and tally.games < GAMES:
        note, bar = f"({bar:g} % of many)", 100 * at_most(bar, of) / of
    budgets.add(what, [100 * wrong / of], bar, "%", trials=of, note=note)


def refused(games):
    """How many honest scores the rules refuse, said and unsaid mixed, the dealer not named."""
    dice, refusals = random.Random(11), 0
    for _ in range(games):
        rules = Rules.named(dice.choice(("standard", "short", *LEARNED.values())))
        table, first = table_of(rules), dice.randrange(rules.seats)
        kinds = [dice.choice(MIX + OTHERS) for _ in range(rules.seats)]
        sheet = new_game(rules, SIX[: rules.seats], None)
        said = dice.choice([*WAYS.values(), {"go", "thirty-one", "heels", "hand", "crib", "play"}])
        for truth, points, why in entered(dice, game(dice, table, first, kinds), said, zeros=dice.random()):
            if sheet.outcome is not None:  # three for last
                break
            try:
                sheet = play(sheet, Score(points, truth.seat, why=why))
            except RuleError:
                refusals += 1
    return refusals


def costs(budgets):
    """Microseconds of an entry and of a change to an earlier amount, after the first games of an evening."""
    dice, one, change, where = random.Random(12), [], [], []
    for number in range(WARM + budgets.samples(60, quick=8)):
        truths = game(dice, table_of(Rules()), 0, [dice.choice(MIX) for _ in range(2)])
        sheet = new_game(Rules(), ("Ann", "Bob"), 0)
        for truth, points, why in entered(dice, truths, WAYS["numbers"]):
            sheet = play(sheet, Score(points, truth.seat, why=why))
            took(lambda sheet=sheet: sheet.followed.course, one if number >= WARM else [])
            took(lambda sheet=sheet: snapshot(View(sheet, Match())), where if number >= WARM else [])
        for _ in range(5):
            sheet = amended(dice, sheet)
            took(lambda sheet=sheet: sheet.followed.course, change if number >= WARM else [])
    budgets.add("one entry", one, 50, "us", of="median")
    budgets.add("  and how sure it is, with the whole state that is told", where, None, "us", of="median")
    budgets.add("a change to an earlier amount", change, 500, "us", of="median")
    budgets.add("  at worst", [max(change)], 8000, "us")
    whole, first = [], best_path.begin(sheet.rules, 0, said=True)
    for _ in range(budgets.samples(200, quick=20)):
        took(lambda: best_path.follow(sheet.rules, first, sheet.followed.course.lines), whole)
    budgets.add(f"a whole sheet of {len(sheet.entries)} lines at once", whole, None, "us")


def amended(dice, sheet):
    """The sheet with some amount put right."""
    line = dice.randint(1, len(sheet.entries))
    event = sheet.entries[line - 1].event
    return play(sheet, Amend(line, 4 if event.points != 4 else 6, event.points)) if event.why is None else sheet


def took(work, into):
    begun = time.perf_counter()
    work()
    into.append(1e6 * (time.perf_counter() - begun))
