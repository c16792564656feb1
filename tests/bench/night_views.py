"""The budgets of a night's views: what a director's page, a big screen and phones are sent after each decision."""

import time

from pegboard.tournament.night.decide import fold
from pegboard.tournament.night.decisions import from_row
from pegboard.tournament.night.views.night_views import director_view, player_view, shared_view
from tests.support.night_at_work import NightAtWork, lower_number_wins

PLAYERS, GAMES = 80, 9


def night_views(budgets, _folder):
    """Milliseconds from the stored decisions of a large night to everything that is shown of it."""
    work = NightAtWork().open([f"Player {n}" for n in range(1, PLAYERS + 1)], games=GAMES)
    work.do("draw")
    work.play_all(lower_number_wins, ("paper", "cards", "table"))
    rows = [from_row(row) for row in work.rows]
    rounds = budgets.samples(50, quick=5)
    phones = budgets.samples(1000, quick=100)  # of fifty the one worst would be the 99th percentile
    shared = shared_view(work.night)
    player_view(work.night, "p6", shared)  # what all phones share is derived once for each decision
    name = f"of {PLAYERS} players x {GAMES} games"
    budgets.add(f"a night {name} from its decisions", [spent(lambda: fold(rows)) for _ in range(rounds)], None, "ms")
    budgets.add(
        f"a director's view {name}", [spent(lambda: director_view(fold(rows))) for _ in range(rounds)], 100, "ms"
    )
    view = [spent(lambda: player_view(work.night, "p7", shared)) for _ in range(phones)]
    budgets.add(f"a player's view {name}", view, 1, "ms")


def spent(act):
    """Milliseconds of one call."""
    begun = time.perf_counter_ns()
    act()
    return (time.perf_counter_ns() - begun) / 1e6
