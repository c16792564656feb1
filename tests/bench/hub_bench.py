"""The tournament's budgets; each part of the hub adds its rows here."""

import time

from pegboard.interpreter_tuning import tune_interpreter
from pegboard.tournament.results.score_cards import score_cards, totals_panel
from pegboard.tournament.results.scoring import ACC
from pegboard.tournament.results.standings import rank
from tests.bench.hub_ledger import ledgers
from tests.bench.hub_screens import screens
from tests.bench.movement import movement
from tests.bench.night_views import night_views
from tests.support.tournament_field import NAMES, chance_records, ids

PLAYERS, GAMES = 100, 22


def hub(budgets, folder):
    """Every row of the group, part after part, in an interpreter that is tuned as a running hub's is."""
    tune_interpreter()
    for part in (standings, movement, ledgers, night_views, screens):
        part(budgets, folder)


def standings(budgets, _folder):
    """Milliseconds from the records of a night to its places in words, and to its panel of totals."""
    records, players = list(chance_records(PLAYERS, GAMES)), ids(PLAYERS)
    assert len(records) == PLAYERS * GAMES // 2
    rounds = budgets.samples(100, quick=10)
    whole = [spent(lambda: rank(score_cards(records, ACC, players), names=NAMES)) for _ in range(rounds)]
    panel = [spent(lambda: totals_panel(records, ACC, NAMES)) for _ in range(rounds)]
    budgets.add(f"standings of {PLAYERS} players x {GAMES} games", whole, 50, "ms")
    budgets.add("  and the panel of totals", panel, None, "ms")


def spent(act):
    """Milliseconds of one call."""
    begun = time.perf_counter_ns()
    act()
    return (time.perf_counter_ns() - begun) / 1e6
