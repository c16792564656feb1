"""Plays on an installed pegboard over HTTP, and draws the panel: run in a root by the Python of its Debian.

Without a word it prints one line of JSON: the seconds until the table was ready and until the first score was answered,
the pegs, and a hash of each picture of the panel. With the word `evening` it plays on the table's own scores: first a
whole game and the beginning of another; later runs, of any version, must find every line of them and every byte of the
journal's rows, and score one more. A further word, one of `KINDS`, ends the running game and plays two games of that
kind, the second one unfinished. The word `newer` marks those scores as ones that only a newer version reads.
"""

import contextlib
import hashlib
import http.client
import json
import secrets
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

TREE, STATE, PORT = "/var/lib/pegboard-trees/current", "/var/lib/pegboard", 8123
SCORES = [(0, 2), (1, 12), (0, 8), (1, 1), (0, 5), (1, 24), (0, 16), (1, 9), (0, 29), (1, 7)]
"""Seat and points of each entry."""

SEEN = Path("evening.json")
"""What the last run for the evening has left in the games."""

ACCOUNT = {"user": "pegboard", "group": "pegboard", "extra_groups": []}


def ask(method, path, body=None):
    """The JSON that the table answers with."""
    connection = http.client.HTTPConnection("127.0.0.1", PORT, timeout=120)
    connection.request(method, path, None if body is None else json.dumps(body), {"Content-Type": "application/json"})
    answer = connection.getresponse()
    values = json.loads(answer.read())
    assert answer.status < 300, values
    return values


@contextlib.contextmanager
def running_table(folder):
    """Run the table on the scores in a folder, ready when this begins."""
    words = ["pegboard", "run", "--mock", "--open", "--host", "127.0.0.1", "--port", str(PORT), "--state", folder]
    table = subprocess.Popen(words, stdout=subprocess.DEVNULL, **ACCOUNT)
    try:
        while True:
            try:
                ask("GET", "/api/v1/state")
                break
            except OSError:
                assert table.poll() is None, "the table has ended"
                time.sleep(0.02)
        yield
    finally:
        table.terminate()
        assert table.wait(60) == 0


def command(state, base, **words):
    """Send a command about the game of a state; the state after it."""
    sent = {"id": secrets.token_hex(12), "game": state["game"]["id"], "base": base} | words
    return ask("POST", "/api/v1/commands", sent)["state"]


def score(state, seat, points):
    """Score, and return the state after it."""
    return command(state, state["lanes"][seat]["revision"], do="score", seat=seat, points=points)


def play():
    """Score, and return how long it took and where the pegs are."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["chown", "pegboard", folder], check=True)
        begun = time.monotonic()
        with running_table(folder):
            ready_s = time.monotonic() - begun
            state, scored_s = ask("GET", "/api/v1/state"), None
            for seat, points in SCORES:
                state = score(state, seat, points)
                scored_s = scored_s or time.monotonic() - begun
            return {
                "ready_s": ready_s,
                "scored_s": scored_s,
                "pegs": [(one["front"], one["rear"]) for one in state["lanes"]],
            }


def go_on(kind=None):
    """Find the games as they were left, and score in the last one; a sentence that says what is there then."""
    left = json.loads(SEEN.read_text()) if SEEN.exists() else {"games": None, "rows": []}
    assert rows()[: len(left["rows"])] == left["rows"], "rows of the journal have changed"
    with running_table(STATE):
        state = ask("GET", "/api/v1/state")
        if left["games"] is None:
            state = begin(state)
        else:
            found = seen()
            assert found == left["games"], f"{found}, not {left['games']}"
        for _ in range(2 if kind else 0):
            state = KINDS[kind](state)
        score(state, *SCORES[0])
        games = seen()
    SEEN.write_text(json.dumps({"games": games, "rows": rows()}))
    lines = " and ".join(str(len(game["lines"])) for game in games)
    return f"{len(games)} games, only the last one running, with {lines} lines"


def begin(state, variant="standard", players=("Ann", "Bob"), **words):
    """Play the running game to its end, and start one; Bob deals first."""
    while not state["game"]["over"]:
        for seat, points in SCORES:
            state = state if state["game"]["over"] else score(state, seat, points)
    return command(state, state["revision"], do="start", variant=variant, players=players, dealer=1, **words)


def by_a_sheet_with_faults(state):
    """Start a game by a printed rule sheet: two points for Ann and a redeal, then a deal that she lets stand."""
    state = begin(state, preset="1922 laws", house=[])
    for words in (
        {"points": 2, "fault": "faced-card", "redeal": 1},
        {"points": 0, "fault": "not-cut", "accepted": True},
    ):
        state = command(state, state["lanes"][0]["revision"], do="penalty", seat=0, **words)
    return state


def with_a_substitute(state):
    """Start a game in which Cy takes over from Ann."""
    return command(score(begin(state), 0, 4), None, do="substitute", seat=0, former="Ann", name="Cy")


def with_a_head_start(state):
    """Start a game in which Bob starts 20 holes ahead."""
    state = begin(state)
    return command(state, state["lanes"][1]["revision"], do="head_start", seat=1, holes=20)


def of_six_partners(state):
    """Start a game of six players in three lanes."""
    return begin(state, "six-partners", ("Ann", "Bob", "Cy", "Dee", "Eve", "Flo"))


def of_four_alone(state):
    """Start a game of four players, each in a lane."""
    return begin(state, "cut-throat-four", ("Ann", "Bob", "Cy", "Dee"))


KINDS = {
    "faults": by_a_sheet_with_faults,
    "substitute": with_a_substitute,
    "head_start": with_a_head_start,
    "six-partners": of_six_partners,
    "cut-throat-four": of_four_alone,
}
"""Games of kinds that the last release does not play."""


def seen():
    """Every game that the table has, oldest first, with each line of it as every version tells it."""
    games = []
    for listed in reversed(ask("GET", "/api/v1/games")["games"]):
        game = ask("GET", f"/api/v1/games/{listed['id']}")
        lines = [[line.get(name) for name in ("id", "do", "seat", "points", "at")] for line in game["entries"]]
        games.append({name: game[name] for name in ("id", "players", "over", "winner", "fronts")} | {"lines": lines})
    assert [game["over"] for game in games] == [True] * (len(games) - 1) + [False], games
    return games


def rows():
    """The rows of the journal's events, as they are stored; none before the first run."""
    if not Path(STATE, "journal.db").exists():
        return []
    with journal() as db:
        return [list(row) for row in db.execute("SELECT * FROM event ORDER BY id")]


def journal():
    """A connection to the journal of the table, which does not run."""
    return contextlib.closing(sqlite3.connect(f"{STATE}/journal.db", isolation_level=None))


def need_newer():
    """Mark the scores as a version does that stores what no earlier one reads; no copy of before is left."""
    for copy in Path(STATE).glob("journal-v*.db"):
        copy.unlink()
    with journal() as db:
        db.execute("UPDATE about SET min_reader = 999")
        db.execute("PRAGMA user_version = 999")


def draw_panel():
    """A hash of the panel's picture after each entry, in both layouts."""
    sys.path.insert(0, TREE)
    from hardware.oled.drawing.draw import Style, draw  # noqa: PLC0415 - it lies in the tree
    from pegboard import Rules, Score, new_game, play  # noqa: PLC0415 - it lies in the tree
    from pegboard.core.view import View  # noqa: PLC0415 - it lies in the tree

    game, hashes = new_game(Rules.named("standard"), players=("Ann", "Bob")), []
    for seat, points in SCORES:
        game = play(game, Score(seat=seat, points=points))
        for layout in ("streets", "far"):
            picture = draw(View(game), Style(layout=layout))
            hashes.append(hashlib.sha256(picture.tobytes()).hexdigest()[:16])
    return hashes


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["evening", *kinds]:
            print(go_on(*kinds))
        case ["newer"]:
            need_newer()
        case _:
            print(json.dumps(play() | {"panel": draw_panel()}))
