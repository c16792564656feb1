"""Drawing of rounds: milliseconds of a large field that begins, and of one that changes under way."""

import time

from pegboard.tournament.schedule.schedule import draw
from tests.support.replanning import replan, rounds_before

PLAYERS, GAMES = 200, 22
CHANGING, OVER = 60, 5


def movement(budgets, _folder):
    """A fresh night; then one in which two leave and one comes, from the games that stand to the rest of the rounds."""
    order = [f"p{number}" for number in range(1, PLAYERS + 1)]
    rounds = budgets.samples(20, quick=3)
    assert len(draw(order, GAMES).pairings) == PLAYERS * GAMES // 2
    fresh = [spent(lambda: draw(order, GAMES)) for _ in range(rounds)]
    odd = [spent(lambda: draw(order[1:], GAMES)) for _ in range(rounds)]
    changes = [spent(change_under_way) for _ in range(rounds)]
    budgets.add(f"schedule for {PLAYERS} players x {GAMES} rounds", fresh, 1000, "ms")
    budgets.add("  one player fewer", odd, 1000, "ms")
    budgets.add(f"rest of a night of {CHANGING} players after a change", changes, 200, "ms")


def change_under_way():
    """Two leave after five of 22 rounds and one comes; nobody may meet anybody twice."""
    return replan(DRAWN, BEGUN, PLAYERS_NOW, GAMES, missed=rounds_before({"p61": OVER + 1}))


DRAWN = draw([f"p{number}" for number in range(1, CHANGING + 1)], GAMES).pairings
BEGUN = {one.key for one in DRAWN if one.round <= OVER}
PLAYERS_NOW = [f"p{number}" for number in range(3, CHANGING + 2)]


def spent(act):
    """Milliseconds of one call."""
    begun = time.perf_counter_ns()
    act()
    return (time.perf_counter_ns() - begun) / 1e6
