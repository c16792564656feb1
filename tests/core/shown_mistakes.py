"""What displays show wrong of dealt games, and what they should show: a phone, a tablet, keys with a panel."""

import math
from collections import Counter
from dataclasses import dataclass, field

from tests.core.course_accuracy import Tally, group


@dataclass
class Wrong(Tally):
    """What a display has shown wrong besides; `astray` is the number of the last game that showed a wrong dealer."""

    hints: int = 0
    unsure: int = 0
    refused: int = 0
    astray: int = -1
    besides: Counter = field(default_factory=Counter)

    def __str__(self):
        live, final, under, ever = self.rates()
        of = 100 / self.entries
        besides = "".join(f"; {what} {often * of:.2f} %" for what, often in self.besides.items())
        return (
            f"{self.games} games, {self.entries} entries: reason wrong live {live:.2f} %, finally {final:.2f} %; "
            f"under a wrong dealer {under:.2f} %, in {ever:.1f} % of games; hint wrong {self.hints * of:.2f} %, "
            f"both ways shown {self.unsure * of:.2f} %{besides}; honest scores refused {self.refused}"
        )

    def under_the_dealer(self, dealers, truth, seats=2):
        """Count the dealers that are shown after an entry; after a crib it can be the next one already."""
        if not {truth.dealer, (truth.dealer + (truth.why == "crib")) % seats}.issuperset(dealers):
            self.under += 1
            self.ever += self.astray != self.games
            self.astray = self.games

    def assert_within(self, bars, hints, unsure):
        """See that it is no more than the bars and parts of a hundred allow, of so few games."""
        live, finally_, games = bars
        assert self.refused == 0, self
        assert self.live <= at_most(live, self.entries), self
        assert self.finally_ <= at_most(finally_, self.entries), self
        assert self.ever <= at_most(games, self.games), self
        assert self.hints <= at_most(hints, self.entries), self
        assert self.unsure <= at_most(unsure, self.entries), self


def at_most(part, of):
    """So many of a hundred, and three standard deviations of mistakes that come in twos."""
    expected = part / 100 * of
    return expected + 3 * math.sqrt(2 * expected)


def true_hints(truths, at, entered, hints_of):
    """Every hint that is right after entry `at`: of what comes next, and of zeros that nobody enters.

    `hints_of(truth, begun)` are the hints that are right when this is next; `begun` tells whether its deal has.
    """
    for n in range(at + 1, len(truths)):
        begun = any(other.deal == truths[n].deal and k in entered for k, other in enumerate(truths[:n]))
        yield from hints_of(truths[n], begun)
        if n in entered:
            return


def wrong_reasons(told, truths):
    """How many of the reasons that are told are not the true ones; those of the play are one."""
    return sum(group(why) != group(truth.why) for why, truth in zip(told, truths, strict=True))
