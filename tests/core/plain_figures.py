"""The figures of a game with pencil and paper: each line is laid twice, with its points and without."""

import copy

from tests.core.plain_sheet import Board

PARTS = {
    "play": "play",
    "go": "play",
    "thirty-one": "play",
    "heels": "play",
    "hand": "hand",
    "crib": "crib",
    None: "unknown",
}


def lines_that_count(sheet):
    """What survives, without what came after the end; a way back moves nothing that is not gone already."""
    return [n for n in sheet.surviving(len(sheet.lines)) if sheet.counts(n)]


class Paper:
    """Deal by deal: who dealt, what each lane got, where the pegs stood."""

    def __init__(self, sheet):
        self.sheet, self.board = sheet, Board(sheet.rules, sheet.dealer)
        self.deals, self.hands = {}, []
        self.way = [(0, 1, self.fronts(self.board))]
        self.book([0] * sheet.rules["lanes"], self.board)
        true = sheet.true_points()
        for n in lines_that_count(sheet):
            line = sheet.lines[n - 1]
            if line["kind"] != "retracted":
                self.lay(n, line, true.get(n, line.get("points")))

    def fronts(self, board):
        return [front for front, _ in board.pegs]

    def deal(self, number):
        nothing = [dict.fromkeys(("play", "hand", "crib", "other", "unknown"), 0) for _ in self.board.pegs]
        return self.deals.setdefault(number, {"lanes": nothing, "dealer": None, "known": True, "counted": False})

    def book(self, expected, board):
        """Where pegs are not where the points would have put them, something else has."""
        deal = self.deal(board.deal)
        for lane, front in enumerate(self.fronts(board)):
            deal["lanes"][lane]["other"] += front - expected[lane]
        deal |= {"dealer": board.dealer, "fronts": self.fronts(board)}
        deal["known"] &= board.phase != "unknown"

    def lay(self, n, line, points):
        before = copy.deepcopy(self.board)
        expected = self.fronts(before)
        self.board.lay(line, points)
        if line["kind"] in ("scored", "muggins_called"):
            why = "muggins" if line["kind"] == "muggins_called" else line["why"]
            number = before.deal if why == "crib" else self.board.deal
            holes = self.holes(copy.deepcopy(before), line, why, points)
            deal = self.deal(number)
            deal["lanes"][line["lane"]][PARTS.get(why, "other")] += holes
            deal["known"] &= why is not None
            expected[line["lane"]] += holes
            if why in ("hand", "crib"):
                deal["counted"] = True
                self.hands.append((points, why, number, line["lane"], line["seat"], n))
            if self.board.deal > number:
                deal |= {"dealer": (self.board.dealer - 1) % self.sheet.rules["seats"], "fronts": list(expected)}
        self.book(expected, self.board)
        if line["kind"] != "dealt" or self.fronts(before) != self.fronts(self.board):
            self.way.append((n, self.board.deal, self.fronts(self.board)))

    def holes(self, before, line, why, points):
        """How much further the peg is than with no points; a crib's come before anything else is dealt."""
        lane = line["lane"]
        if why == "crib":
            return min(points, self.sheet.rules["game_hole"] - before.pegs[lane][0])
        before.lay(line, 0)
        return self.board.pegs[lane][0] - before.pegs[lane][0]
