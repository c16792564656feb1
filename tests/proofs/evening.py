"""What a table does of an evening, drawn by a seed: scores by phone and keys, corrections, retried posts, new games."""

import http.client
import time

FINGER_S = 0.03
"""Between two strokes of a key, which is deaf for 25 ms after each."""

LINES = 4
"""Of the sheet that every state has room for, whatever stands in it besides."""

GONE = (OSError, http.client.HTTPException)
"""What a client meets at a table that has died."""


class Evening:
    """One client of a table, and what it was told: `revision` is the newest event that an answer has shown it."""

    def __init__(self, dice, keys=0.15):
        self.dice, self.share_of_keys = dice, keys
        self.revision, self.told, self.answers, self.last = 0, {}, 0, None
        self.strokes = 0

    def begin_again(self):
        """The table has been started anew."""
        self.last = None

    def on_their_way(self):
        """How many events may be stored that no answer has shown: one was posted, and each stroke may peg an amount."""
        return 1 + self.strokes + 2  # and what was dialled on both lanes pegs by itself

    def look(self, client):
        """The state of the table, which acknowledges what it shows."""
        state = client.state()
        self.hear(state)
        return state

    def hear(self, state):
        self.revision, self.strokes = max(self.revision, state["revision"]), 0
        self.told[state["revision"]] = shown(state)

    def go_on(self, client):
        """One thing more, whichever comes; the status of its answer."""
        state = self.look(client)
        if state["game"]["over"]:
            return self.post(client, begin(state))
        if self.dice.random() < self.share_of_keys:
            return self.press(client)
        if self.last and self.dice.random() < 0.05:
            return self.post(client, self.last)
        return self.post(client, self.choose(state))

    def choose(self, state):
        """A score, mostly."""
        values, die = {"game": state["game"]["id"]}, self.dice.random()
        standing = [entry for entry in state["entries"] if entry["stands"] and entry["do"] == "score"]
        if die < 0.08 and state["undo"]:
            return values | {"do": "undo", "entry": state["undo"]}
        if die < 0.14 and state["redo"]:
            return values | {"do": "redo", "entry": state["redo"]}
        if die < 0.20 and standing:
            line = self.dice.choice(standing)
            new = self.dice.choice([n for n in range(1, 13) if n != line["points"]])
            return values | {"do": "amend", "entry": line["id"], "points": new, "was": line["points"]}
        if die < 0.26:
            return values | {"do": "deal", "base": state["revision"]}
        seat = self.dice.randrange(2)
        base = state["lanes"][state["seats"][seat]["lane"]]["revision"]
        return values | {"do": "score", "seat": seat, "points": self.dice.randint(1, 12), "base": base}

    def post(self, client, values):
        """Ask for it, under an id that stays with it when it is asked for again."""
        self.last = values if "id" in values else values | {"id": f"evening-{self.dice.getrandbits(64):020}"}
        status, answer = client.command(**self.last)
        assert status in (200, 201, 400, 403, 409, 422, 503, 507), (status, answer)
        if status in (200, 201):
            self.answers += 1
            self.hear(answer["state"])
        return status

    def press(self, client):
        """A key of each lane: the second pegs what the first has dialled."""
        for lane in "ab" if self.dice.random() < 0.5 else "ba":
            self.strokes += 1
            client.press(f"{lane}{self.dice.choice('125')}")
            time.sleep(FINGER_S)
        return 204


def begin(state):
    """The command for the next game."""
    start = {"do": "start", "variant": "standard", "players": ["Ann", "Bob"]}
    return start | {"base": state["revision"], "game": state["game"]["id"]}


def shown(state):
    """What must be on the board again: game, pegs and newest lines; not what is dialled or guessed."""
    lanes = [(lane["front"], lane["rear"], lane["revision"]) for lane in state["lanes"]]
    lines = [(line["id"], line["do"], line.get("points"), line["stands"]) for line in state["entries"][:LINES]]
    return [state["game"]["id"], lanes, lines]
