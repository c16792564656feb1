"""Plain second counters of the play, written from the rules with nothing of the first; ranks are 1 to 13."""


def value(rank):
    return min(rank, 10)


def play_points(ranks):
    """Points of the last of these ranks, laid since the count began."""
    points = 2 if sum(map(value, ranks)) in (15, 31) else 0
    ends = [ranks[start:] for start in range(len(ranks))]
    points += max({1: 0, 2: 2, 3: 6, 4: 12}[len(end)] for end in ends if len(set(end)) == 1)
    runs = [len(end) for end in ends if sorted(end) == list(range(min(end), min(end) + len(end))) and len(end) > 2]
    return points + max(runs, default=0)


class Table:
    """A whole play by hand: lists of (rank, suit) on a table, and a marker that goes round from seat to seat."""

    def __init__(self, hands, dealer, shown):
        self.dealt, self.hands = hands, [list(hand) for hand in hands]
        self.shown = shown  # by seat: whether everyone sees the hand
        self.points = [0] * len(hands)
        self.pile, self.silent, self.latest = [], set(), None
        self.turn = dealer
        self.pass_marker()

    def told(self):
        """By seat what everyone sees: the cards as text, or how many they are."""
        names = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
        return [
            " ".join(names[rank - 1] + suit for rank, suit in hand) if shown else len(hand)
            for hand, shown in zip(self.dealt, self.shown, strict=True)
        ]

    def count(self):
        return sum(value(rank) for rank, _ in self.pile)

    def fitting(self, seat):
        return [card for card in self.hands[seat] if self.count() + value(card[0]) <= 31]

    def lay(self, card):
        self.hands[self.turn].remove(card)
        self.pile.append(card)
        self.latest = self.turn
        self.points[self.turn] += play_points([rank for rank, _ in self.pile])
        if sum(map(len, self.hands)) == 0:
            self.points[self.turn] += self.count() != 31
            self.turn = None
        elif self.count() == 31:
            self.clear()
        else:
            self.pass_marker()

    def go(self):
        self.silent.add(self.turn)
        self.pass_marker()

    def pass_marker(self):
        """Hand the marker on until somebody wants it; once round without that, the latest player takes the go."""
        for _ in self.hands:
            self.turn = (self.turn + 1) % len(self.hands)
            if self.turn == self.latest and self.pile and self.shown[self.turn] and not self.fitting(self.turn):
                continue  # everyone sees that no more can be laid
            if self.hands[self.turn] and self.turn not in self.silent:
                return
        self.points[self.latest] += 1
        self.clear()

    def clear(self):
        self.pile, self.silent, self.turn = [], set(), self.latest
        self.pass_marker()
