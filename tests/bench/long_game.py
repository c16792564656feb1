"""A game with as many lines as one may have: how fast lists and its page answer, and whether it is scored as fast."""

from pegboard.core.referee import MOST_LINES
from tests.bench.history import get, post
from tests.support.program import Service


def long_game(budgets, folder):
    """Scores of nothing until the sheet is all but full; then the game as it is shown, after a score each."""
    times = budgets.samples(30, quick=5)
    lines = budgets.samples(MOST_LINES - times, quick=400)
    with Service(folder / "state") as service:
        client = service.client()
        took = [post(client, n) for n in range(lines)]
        game, note = client.state()["game"]["id"], f"{lines + times:,} lines"
        paths = {
            "the list of games": "/api/v1/games",
            "the game": f"/api/v1/games/{game}",
            "its page": f"/history/{game}",
            "its sheet": "/api/v1/sheet",
            "the statistics": "/api/v1/stats",
        }
        shown, more = {what: [] for what in paths}, []
        for n in range(times):
            more.append(post(client, lines + n))
            for what, path in paths.items():
                shown[what].append(get(service.port, path))
        for what, each in shown.items():
            budgets.add(f"{what}, one with {note} in progress", each, 100, "ms", of="median")
        budgets.add("POST of the first 100 scores", took[:100], 25, "ms")
        budgets.add("POST of the last scores", more, 25, "ms", of="median")
