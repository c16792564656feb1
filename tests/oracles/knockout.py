"""A knockout on paper: who meets whom and who wins, read from the final down; it shares no code with the program.

A bracket is a list of names from the top, None for a bye. Results are a list of `(match, pair, winner, games)`; a match
is `(round, number)`, both from 1.
"""


class Knockout:
    def __init__(self, slots, lengths, results, gone):
        self.slots, self.lengths = slots, lengths
        self.results, self.gone = results, list(gone)
        self.rounds = len(slots).bit_length() - 1

    def side(self, round_number, slot):
        """Who comes to a slot of a round: a name, "nobody", or "later"."""
        if round_number == 1:
            return self.slots[slot] or "nobody"
        return self.winner((round_number - 1, slot + 1))

    def winner(self, match):
        return self.judge(match)[0]

    def counted(self):
        """Which of the results count, by their number."""
        matches = [(r, n) for r in range(1, self.rounds + 1) for n in range(1, len(self.slots) // 2**r + 1)]
        return {row for match in matches for row in self.judge(match)[1]}

    def judge(self, match):
        """Who wins a match, and which results count for it."""
        round_number, number = match
        one, other = (self.side(round_number, 2 * number - 2 + n) for n in (0, 1))
        if "later" in (one, other):
            return "later", []
        if "nobody" in (one, other):
            return (other if one == "nobody" else one), []
        needed = (self.lengths[round_number - 1 : round_number] or self.lengths[-1:])[0] // 2 + 1
        tally, rows = {one: 0, other: 0}, []
        for row, (of, pair, winner, games) in enumerate(self.results):
            if of == match and sorted(pair) == sorted((one, other)) and max(tally.values()) < needed:
                tally[winner] += games
                rows.append(row)
        for name, won in tally.items():
            if won >= needed:
                return name, rows
        here = [name for name in tally if name not in self.gone]
        if len(here) == 2:
            return "later", rows
        return (here or sorted(tally, key=self.gone.index, reverse=True))[0], rows

    def champion(self):
        name = self.winner((self.rounds, 1)) if self.rounds else self.slots[0]
        return None if name in ("later", "nobody") else name
