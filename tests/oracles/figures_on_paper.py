"""The figures of a game with pencil and paper: each line is laid twice, with its points and without."""

import copy

from tests.oracles.score_keeper import Board

PARTS = {"play": "play", "go": "play", "thirty-one": "play", "heels": "play", "hand": "hand", "crib": "crib"}

KNOWN = 0.98


def lines_that_count(sheet):
    """What survives, without what came after the end; a way back moves nothing that is not gone already."""
    return [n for n in sheet.surviving(len(sheet.lines)) if sheet.counts(n)]


class Paper:
    """Deal by deal: who dealt, what each lane got, where the pegs stood.

    What each line was for, in which deal and whose that was, is taken from the course, which is tried elsewhere.
    """

    def __init__(self, sheet, followed):
        self.sheet, self.board = sheet, Board(sheet.rules, sheet.dealer)
        self.readings = followed.readings
        self.sure = {} if followed.is_certain else followed.certainties(len(sheet.lines))
        self.deals, self.hands = {}, []
        self.way = [(0, 1, self.fronts(self.board))]
        self.book(1, [0] * sheet.rules["lanes"], self.board)
        self.first = sheet.dealer
        true = sheet.true_points()
        for n in lines_that_count(sheet):
            line = sheet.lines[n - 1]
            if line["kind"] != "retracted":
                self.lay(n, line, true.get(n, line.get("points")))
        self.last = max(followed.progress.deal, *self.deals)
        for number in range(1, self.last + 1):
            self.deal(number)
        self.deal(self.last)["dealer"] = followed.progress.dealer
        if self.deals[1]["dealer"] is None:  # nothing of it is on the sheet
            self.deals[1]["dealer"] = self.first
        for number in range(2, self.last + 1):
            self.deals[number].setdefault("fronts", self.deals[number - 1]["fronts"])

    def fronts(self, board):
        return [front for front, _ in board.pegs]

    def deal(self, number):
        nothing = [dict.fromkeys(("play", "hand", "crib", "other", "unknown"), 0) for _ in self.board.pegs]
        return self.deals.setdefault(number, {"lanes": nothing, "dealer": None, "known": True, "counted": False})

    def book(self, number, expected, board):
        """Where pegs are not where the points would have put them, something else has."""
        deal = self.deal(number)
        for lane, front in enumerate(self.fronts(board)):
            deal["lanes"][lane]["other"] += front - expected[lane]
        deal["fronts"] = self.fronts(board)

    def lay(self, n, line, points):
        before, reading = copy.deepcopy(self.board), self.readings[n - 1]
        expected, number = self.fronts(before), reading.deal
        self.board.lay(line, points)
        self.deal(number)["dealer"] = reading.dealer
        if line["kind"] == "dealt" and self.board.deal == 1 and not line.get("midway"):
            self.first = self.board.dealer
        if line["kind"] in ("scored", "muggins_called"):
            self.pegged(n, line, points, before, expected)
        if expected != self.fronts(self.board):  # a head start with the crib is the next deal's
            later = reading.why == "crib" and self.board.deal > before.deal
            self.book(number + later, expected, self.board)
        if line["kind"] not in ("dealt", "staged", "substituted") or self.fronts(before) != self.fronts(self.board):
            self.way.append((n, number, self.fronts(self.board)))

    def pegged(self, n, line, points, before, expected):
        reading, said = self.readings[n - 1], "muggins" if line["kind"] == "muggins_called" else line["why"]
        deal, holes = self.deal(reading.deal), self.holes(copy.deepcopy(before), line, said, points)
        unknown = reading.why is None and said is None
        deal["lanes"][line["lane"]][PARTS.get(reading.why, "unknown" if unknown else "other")] += holes
        deal["known"] &= not unknown and (n not in self.sure or self.sure[n].part >= KNOWN)
        expected[line["lane"]] += holes
        deal["fronts"] = list(expected)
        if reading.why in ("hand", "crib"):
            deal["counted"] = True
            if line["kind"] == "scored":
                self.hands.append((points, reading.why, reading.deal, line["lane"], line["seat"], n))

    def holes(self, before, line, why, points):
        """How much further the peg is than with no points; a crib's come before anything else is dealt."""
        lane = line["lane"]
        if why == "crib":
            return min(points, self.sheet.rules["game_hole"] - before.pegs[lane][0])
        before.lay(line, 0)
        return self.board.pegs[lane][0] - before.pegs[lane][0]
