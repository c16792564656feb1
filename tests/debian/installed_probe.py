"""Plays a game over HTTP on an installed pegboard, and draws the panel: run in a root by the Python of its Debian.

Prints one line of JSON: the seconds until the table was ready and until the first score was answered, the pegs, and a
hash of each picture of the panel.
"""

import hashlib
import http.client
import json
import subprocess
import sys
import tempfile
import time

TREE, PORT = "/var/lib/pegboard-trees/current", 8123
SCORES = [(0, 2), (1, 12), (0, 8), (1, 1), (0, 5), (1, 24), (0, 16), (1, 9), (0, 29), (1, 7)]
"""Seat and points of each entry."""

ACCOUNT = {"user": "pegboard", "group": "pegboard", "extra_groups": []}


def ask(method, path, body=None):
    """The JSON that the table answers with."""
    connection = http.client.HTTPConnection("127.0.0.1", PORT, timeout=120)
    connection.request(method, path, None if body is None else json.dumps(body), {"Content-Type": "application/json"})
    answer = connection.getresponse()
    values = json.loads(answer.read())
    assert answer.status < 300, values
    return values


def play():
    """Score, and return how long it took and where the pegs are."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["chown", "pegboard", folder], check=True)
        words = ["pegboard", "run", "--mock", "--open", "--host", "127.0.0.1", "--port", str(PORT), "--state", folder]
        begun = time.monotonic()
        table = subprocess.Popen(words, stdout=subprocess.DEVNULL, **ACCOUNT)
        try:
            while True:
                try:
                    state = ask("GET", "/api/v1/state")
                    break
                except OSError:
                    assert table.poll() is None, "the table has ended"
                    time.sleep(0.02)
            ready_s = time.monotonic() - begun
            scored_s = None
            for number, (seat, points) in enumerate(SCORES):
                command = {
                    "id": f"probe-{number:020}",
                    "game": state["game"]["id"],
                    "base": state["lanes"][seat]["revision"],
                }
                command |= {"do": "score", "seat": seat, "points": points}
                state = ask("POST", "/api/v1/commands", command)["state"]
                scored_s = scored_s or time.monotonic() - begun
            return {
                "ready_s": ready_s,
                "scored_s": scored_s,
                "pegs": [(one["front"], one["rear"]) for one in state["lanes"]],
            }
        finally:
            table.terminate()
            assert table.wait(60) == 0


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
    print(json.dumps(play() | {"panel": draw_panel()}))
