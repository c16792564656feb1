"""Plays on an installed pegboard over HTTP, and draws the panel: run in a root by the Python of its Debian.

Without a word it prints one line of JSON: the seconds until the table was ready and until the first score was answered,
the pegs, and a hash of each picture of the panel. With the word `evening` it plays on the table's own scores: first a
whole game and the beginning of another; later runs, of any version, must find every line of them and score one more.
The word `newer` marks those scores as ones that only a newer version reads.
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


def go_on():
    """Find the games as they were left, and score in the last one; a sentence that says what is there then."""
    with running_table(STATE):
        state = ask("GET", "/api/v1/state")
        if SEEN.exists():
            found, left = seen(), json.loads(SEEN.read_text())
            assert found == left, f"{found}, not {left}"
        else:
            while not state["game"]["over"]:
                for seat, points in SCORES:
                    state = state if state["game"]["over"] else score(state, seat, points)
            state = command(state, state["revision"], do="start", variant="standard", players=["Ann", "Bob"])
        score(state, *SCORES[0])
        games = seen()
        SEEN.write_text(json.dumps(games))
    lines = " and ".join(str(len(game["lines"])) for game in games)
    return f"{len(games)} games, one over and one running, with {lines} lines"


def seen():
    """Every game that the table has, oldest first, with each line of it."""
    games = []
    for listed in reversed(ask("GET", "/api/v1/games")["games"]):
        game = ask("GET", f"/api/v1/games/{listed['id']}")
        lines = [[line["id"], line["do"], line["seat"], line["points"], line["at"]] for line in game["entries"]]
        games.append({name: game[name] for name in ("id", "players", "over", "winner", "fronts")} | {"lines": lines})
    assert [game["over"] for game in games] == [True, False], games
    return games


def need_newer():
    """Mark the scores as a version does that stores what no earlier one reads; no copy of before is left."""
    for copy in Path(STATE).glob("journal-v*.db"):
        copy.unlink()
    with contextlib.closing(sqlite3.connect(f"{STATE}/journal.db", isolation_level=None)) as db:
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
        case ["evening"]:
            print(go_on())
        case ["newer"]:
            need_newer()
        case _:
            print(json.dumps(play() | {"panel": draw_panel()}))
