"""A score keeper with pencil and paper: it folds a sheet's lines from the start, and knows nothing of the program.

`python tests/oracles/score_keeper.py JOURNAL` prints what the raw rows of a journal add up to, by game and match.
"""

import contextlib
import copy
import json
import sqlite3
import sys

RULINGS = ("over_pegged", "falsely_claimed", "pegged_back", "pegs_set", "retracted")
COURSE = ("scored", "muggins_called", "dealt", "staged", "substituted", "head_start_given")
CARDS = ("play", "go", "thirty-one")
FAULTS = ("muggins", "penalty")
HEELS_FROM = {"no limit": 0, "120": 1, "last five": 5}


class Board:
    """The pegs and the deal while lines are laid one after another."""

    def __init__(self, rules, dealer):
        self.rules, self.hole = rules, rules["game_hole"]
        self.pegs, self.movements = [[0, 0] for _ in range(rules["lanes"])], []
        self.arrived = []  # the lanes that stand in the game hole, in the order in which they came
        self.last_hand = False  # whether the last hand of a solitaire has been counted
        self.seated = {}  # by seat, the line with which somebody took over
        self.deal = 0
        self.begin_deal(dealer, "cut")

    @property
    def over(self):
        return bool(self.arrived) or self.last_hand

    @property
    def phase(self):
        return "over" if self.over else self.reads

    @property
    def winner(self):
        if self.arrived:
            return self.arrived[0]
        return 0 if self.last_hand and self.pegs[0][0] >= self.rules["enough"] else None

    def skunks(self):
        """How many lines each loser has missed; nobody has missed one before the end."""
        return [
            0 if self.winner in (None, lane) else sum(front <= line for line in self.rules["skunk_lines"])
            for lane, (front, _) in enumerate(self.pegs)
        ]

    def told(self):
        """All that anybody can see, JSON-ready."""
        return {
            "pegs": self.pegs,
            "dealer": self.dealer,
            "deal": self.deal,
            "phase": self.phase,
            "to_count": self.due if self.phase == "hand" else None,
            "over": self.over,
            "winner": self.winner,
            "skunks": self.skunks(),
        }

    # --- pegs ---

    def jump(self, lane, points, end):
        self.movements.append(("jump", lane, points, end))
        front = self.pegs[lane][0]
        if points and front < end:
            self.pegs[lane] = [min(front + points, end), front]

    def back(self, lane, holes):
        self.movements.append(("back", lane, holes))
        front, rear = self.pegs[lane]
        front = max(0, front - holes)
        self.pegs[lane] = [front, rear if rear < front else max(0, front - 1)]

    def put(self, lane, front, rear):
        self.movements.append(("put", lane, front, rear))
        self.pegs[lane] = [front, rear]

    def look_who_is_home(self):
        home = [lane for lane, (front, _) in enumerate(self.pegs) if front == self.hole]
        self.arrived = [lane for lane in self.arrived if lane in home]
        self.arrived += [lane for lane in home if lane not in self.arrived]

    # --- the deal ---

    def lane_of(self, seat):
        return seat % self.rules["lanes"]

    def left_of(self, seat):
        return (seat + 1) % self.rules["seats"]

    def begin_deal(self, dealer, reads="play"):
        self.deal += 1
        self.dealer, self.reads, self.due = dealer, reads, None
        self.scored = self.carded = self.heels = self.by_a_crib = False
        self.give_head_starts()

    def give_head_starts(self):
        self.given = {}
        if self.rules.get("dealer_start"):
            self.given[self.lane_of(self.dealer)] = self.rules["dealer_start"]
        if self.rules.get("pone_start") and self.deal == 1:
            self.given[self.lane_of(self.left_of(self.dealer))] = self.rules["pone_start"]
        self.before = [list(pegs) for pegs in self.pegs]
        for lane, holes in self.given.items():
            self.jump(lane, holes, self.hole - 1)
        self.movements = []

    def put_dealer_right(self, dealer):
        """Lay this deal's movements anew, as if `dealer` had dealt it."""
        movements = list(self.movements)
        self.pegs, self.dealer = [list(pegs) for pegs in self.before], dealer
        self.give_head_starts()
        for name, *what in movements:
            getattr(self, name)(*what)

    def pass_deal(self, dealer):
        if self.deal == self.rules["last_deal"]:
            self.last_hand = True
        else:
            self.begin_deal(dealer)

    # --- lines ---

    def lay(self, line, points):
        """One more line that stands; `points` is what it truly counts."""
        if line["kind"] not in COURSE:
            self.put_right(line)
        elif self.over or line["kind"] == "staged":
            return
        elif line["kind"] == "dealt":
            self.deal_on(line)
        elif line["kind"] == "substituted":
            self.seated[line["seat"]] = line
        elif line["kind"] == "head_start_given":
            self.jump(line["lane"], line["holes"], self.hole - 1)
        else:
            self.score(line, points)

    def deal_on(self, line):
        last = self.deal == self.rules["last_deal"]
        begun = line["new"] and self.by_a_crib and line.get("v", 3) > 2 and not last
        usual = self.dealer if begun else self.left_of(self.dealer)
        dealer = usual if line["dealer"] is None else line["dealer"]
        if line.get("midway"):
            self.dealer, self.due = dealer, None
            return
        self.by_a_crib = False
        if line["new"] and not begun:
            self.pass_deal(dealer)
        else:
            self.put_dealer_right(dealer)
            self.reads, self.due = "play", None
            self.look_who_is_home()

    def score(self, line, points):
        why, lane = "muggins" if line["kind"] == "muggins_called" else line["why"], line["lane"]
        if self.reads == "crib" and why in ("heels", *CARDS):
            self.pass_deal(self.left_of(self.dealer))
        self.jump(lane, points, self.hole)
        self.look_who_is_home()
        self.last_hand = self.deal == self.rules["last_deal"] and why in (None, "hand")
        if self.over or why in ("muggins", "penalty"):
            return
        self.scored, self.by_a_crib = True, False
        getattr(self, f"read_{'play' if why in CARDS else why}")(line)

    def read_None(self, _line):  # noqa: N802 - after the why of the line
        self.reads = "unknown"
        self.carded = self.heels = False

    def read_play(self, _line):
        if self.reads != "unknown":
            self.carded = True
            self.reads = "hand" if self.reads == "hand" else "play"

    def read_heels(self, line):
        if self.reads == "unknown":
            self.dealer, self.reads = self.owner(line), "play"
            self.carded = False
        self.reads = "hand" if self.reads == "hand" else "play"
        self.heels = True

    def read_crib(self, line):
        self.pass_deal(self.left_of(self.owner(line) if self.reads == "unknown" else self.dealer))
        self.by_a_crib = True

    def owner(self, line):
        """Whose heels or crib a line tells of that is believed."""
        if line["seat"] is not None:
            return line["seat"]
        return self.dealer if self.lane_of(self.dealer) == line["lane"] else self.left_of(self.dealer)

    def read_hand(self, line):
        self.carded = True
        if self.reads in ("unknown", "crib"):
            return
        order = [(self.dealer + 1 + n) % self.rules["seats"] for n in range(self.rules["seats"])]
        due = self.due if self.reads == "hand" and self.due is not None else order[0]
        counted = due if line["seat"] is None else line["seat"]
        if line["seat"] is None and self.lane_of(due) != line["lane"]:
            self.reads = "unknown"
        elif order.index(counted) >= order.index(due):
            left = order[order.index(counted) + 1 :]
            self.reads, self.due = ("hand", left[0]) if left else ("crib", None)

    def put_right(self, line):
        before = list(self.arrived)
        match line["kind"]:
            case "pegged_back":
                self.back(line["lane"], line["holes"])
            case "pegs_set":
                self.put(line["lane"], line["front"], line["rear"])
            case "over_pegged" | "falsely_claimed" if line["to"] is not None:
                self.jump(line["to"], line["award"], self.hole)
        if line["kind"] == "falsely_claimed":
            self.back(line["lane"], 15)
        self.look_who_is_home()
        if before and not self.arrived:  # open again: nobody knows where the deal stands
            self.reads, self.due, self.scored, self.by_a_crib = "unknown", None, True, False
            self.carded = self.heels = False


class Sheet:
    """The lines of one game, and what its events have done to them."""

    def __init__(self, rules, dealer=0, players=(), *, dealer_said=False):
        self.rules, self.dealer, self.dealer_said = rules, dealer, dealer_said
        self.began = list(players)
        self.lines = []
        self.undone, self.confirmed = [], []
        self.revisions = [0] * rules["lanes"]
        self.now = self.at(0)

    def add(self, kind, body):
        """What one more event makes of the sheet."""
        before, left = self.now, None
        if kind == "renamed":
            self.correct_name(body)
            return
        if kind == "confirmed":
            self.confirmed.append(body["seat"])
            self.undone = []
            return
        if kind in ("taken_back", "restored", "amended"):
            line = self.lines[body["line"] - 1]
            left = line.get("lane")
            self.change(kind, body, line)
        else:
            line = {"why": None, "seat": None, "stands": True, "kind": kind} | body
            self.lines.append(line)
            self.undone = []
        self.now = self.at(len(self.lines))
        self.touch({left, line.get("lane")}, before)

    @property
    def players(self):
        return [self.now.seated.get(seat, {"name": name})["name"] for seat, name in enumerate(self.began)]

    def took_over(self, seat):
        return [line for line in self.lines if line["kind"] == "substituted" and line["seat"] == seat]

    def names_at(self, seat):
        """Who began there, and everyone who was ever said to have taken over."""
        return [self.began[seat], *(line["name"] for line in self.took_over(seat))]

    def correct_name(self, body):
        """A name that is not the one put right stays as it is."""
        seat = body["seat"]
        if body["from"] not in self.names_at(seat):
            return
        if self.began[seat] == body["from"]:
            self.began[seat] = body["to"]
        for line in self.took_over(seat):
            if line["name"] == body["from"]:
                line["name"] = body["to"]
        self.undone = []

    def after(self, kind, body):
        """The sheet as one more event would make it; this one stays as it is."""
        then = copy.deepcopy(self)
        then.add(kind, body)
        return then

    def change(self, kind, body, line):
        if kind == "amended":
            line |= {name: body[name] for name in ("points", "why", "seat") if name in body}
            if "seat" in body:
                line["lane"] = body["seat"] % self.rules["lanes"]
            if "why" in body:
                line["v"] = 3
            self.undone = []
            return
        line["stands"] = kind == "restored"
        self.undone = [n for n in self.undone if n != body["line"]]
        if kind == "taken_back":
            self.undone.append(body["line"])

    def touch(self, own, before):
        for lane, pegs in enumerate(self.now.pegs):
            self.revisions[lane] += lane in own or pegs != before.pegs[lane]
        was, now = ([board.winner, board.over, [front for front, _ in board.pegs]] for board in (before, self.now))
        if was != now:
            self.confirmed = []

    def at(self, line):
        """The board after so many lines, by what all rulings say now."""
        true = self.true_points()
        board = Board(self.rules, self.dealer)
        for n in self.surviving(line):
            told = self.lines[n - 1]
            board.lay(told, true.get(n, told.get("points")))
        return board

    def true_points(self):
        """What standing rulings say that lines count."""
        rulings = [line for line in self.lines if line["kind"] in ("over_pegged", "falsely_claimed")]
        return {line["line"]: line["points"] for line in rulings if line["stands"]}

    def surviving(self, upto):
        """The lines that say something, without what standing ones among them have rolled back."""
        kept = []
        for n, line in enumerate(self.lines[:upto], 1):
            if line["stands"] and line["kind"] == "retracted":
                kept = [number for number in kept if number <= line["to"]]
            elif line["stands"]:
                kept.append(n)
        return kept

    def withdrawn(self, n):
        later = self.lines[n:]
        return any(line["kind"] == "retracted" and line["stands"] and line["to"] < n for line in later)

    def ruled_by(self, n):
        """The standing line that says anew what line `n` counts, or None."""
        for m, line in enumerate(self.lines[n:], n + 1):
            named = line["kind"] in ("over_pegged", "falsely_claimed") and line["line"] == n
            if line["stands"] and (named or (line["kind"] == "retracted" and line["to"] < n)):
                return m
        return None

    def counts(self, n):
        line = self.lines[n - 1]
        if not line["stands"] or self.withdrawn(n):
            return False
        return line["kind"] in RULINGS or not self.at(n - 1).over

    def counting(self):
        """The lines that count, newest first."""
        return [line for n, line in reversed([*enumerate(self.lines, 1)]) if self.counts(n)]

    def scored_in_this_deal(self):
        """Whether a score of the cards counts since the start or the last new deal that somebody has said."""
        for line in self.counting():
            if line["kind"] == "dealt" and line["new"]:
                return self.now.scored
            if line["kind"] == "scored" and line["why"] not in FAULTS:
                return True
        return self.now.scored

    def newest_of_the_deal(self):
        """The newest line that counts and is a score of the cards or names a deal; None if there is none."""
        for line in self.counting():
            if line["kind"] == "dealt" or (line["kind"] == "scored" and line["why"] not in FAULTS):
                return line
        return None

    def said_to_deal(self):
        """Who was said to deal with no score since; None if nobody was."""
        line = self.newest_of_the_deal()
        if line is None:
            return self.dealer if self.dealer_said else None
        return line["dealer"] if line["kind"] == "dealt" else None

    def scores_that_count(self):
        lines = enumerate(self.lines, 1)
        return {n for n, line in lines if line["kind"] in ("scored", "muggins_called") and self.counts(n)}

    def waits_to_be_confirmed(self):
        """Whether the rules ask for a word of each lane on the result, and one has said nothing yet."""
        said = {seat % self.rules["lanes"] for seat in self.confirmed}
        return self.rules["confirm"] and self.now.over and len(said) < self.rules["lanes"]

    def told(self):
        """All that a display can show of it, JSON-ready."""
        told = {"players": self.players, "revisions": self.revisions, "confirmed": self.confirmed}
        return self.now.told() | told


class Match:
    """Games of a match added up: what was won, for how much, by how many holes."""

    def __init__(self, form, lanes):
        self.format = form
        self.games_won, self.points, self.counted, self.spread = ([0] * lanes for _ in range(4))
        self.winner = None

    def add(self, sheet):
        board, worth = sheet.now, sheet.rules["worth"]
        winner = board.winner
        if winner is None or self.winner is not None:
            return
        missed = max(board.skunks())
        points = worth[min(missed, len(worth) - 1)]
        if sheet.rules["enough"] and board.arrived:
            points = worth[1]
        self.games_won[winner] += 1
        self.points[winner] += points
        self.counted[winner] += points if worth in ([1, 2, 3], [1, 2, 4]) else 1
        for lane, (front, _) in enumerate(board.pegs):
            self.spread[lane] -= board.pegs[winner][0] - front
            self.spread[winner] += board.pegs[winner][0] - front
        to_win = {"open": 0, "single": 1, "best of 3": 2, "best of 5": 3, "best of 7": 4}.get(self.format)
        to_win = int(self.format.removeprefix("first to ")) if to_win is None else to_win
        if (to_win and self.counted[winner] >= to_win) or (sheet.rules.get("triple_wins_match") and missed == 3):
            self.winner = winner

    def told(self):
        return vars(self)


class Evening:
    """All rows of a journal, read in their order."""

    def __init__(self):
        self.sheets, self.matches, self.formats = {}, {}, {}  # by game: its sheet, its match, that match's format
        self.given_up = set()

    def read(self, game, kind, body):
        if kind == "started":
            said = body.get("dealer_said", False)
            self.sheets[game] = Sheet(body["rules"], body["dealer"], body["players"], dealer_said=said)
            self.matches[game], self.formats[game] = body["match"], body.get("format", "open")
            self.given_up.add(body["replaces"])
        elif kind == "abandoned":
            self.given_up.add(game)
        elif kind == "renamed":
            for other, sheet in self.sheets.items():
                if self.matches[other] == self.matches[game]:
                    sheet.add(kind, body)
        else:
            self.sheets[game].add(kind, body)

    def running(self):
        return [game for game in self.sheets if game not in self.given_up][-1]

    def standing(self):
        """The match of the running game."""
        running = self.running()
        match = Match(self.formats[running], len(self.sheets[running].now.pegs))
        for game, sheet in self.sheets.items():
            if game not in self.given_up and self.matches[game] == self.matches[running]:
                match.add(sheet)
        return match

    def told(self):
        return {
            "running": self.running(),
            "match": self.standing().told(),
            "games": {game: sheet.told() for game, sheet in self.sheets.items()},
        }


def rows(path, after=0):
    """The raw rows of a journal after that number: number, game, kind, body."""
    with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as db:
        query = "SELECT id, game, kind, body, v FROM event WHERE id > ? ORDER BY id"
        for number, game, kind, body, version in db.execute(query, (after,)):
            yield number, game, kind, json.loads(body) | {"v": version}


def added_up(path):
    evening = Evening()
    for _, game, kind, body in rows(path):
        evening.read(game, kind, body)
    return evening.told()


if __name__ == "__main__":
    print(json.dumps(added_up(sys.argv[1])))
