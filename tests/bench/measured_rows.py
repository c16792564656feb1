"""What a benchmark has measured: a row for each figure, with its samples, its budget and whether that is kept."""

import math
import statistics
from collections import Counter
from dataclasses import dataclass

from tests.bench.service_probe import percentile

QUICK, USUAL, LONG = SIZES = ("quick", "usual", "long")
"""How many samples are taken: enough to see every budget once, enough to judge, or all that there are."""

SHARES = {"median": 0.5, "p99": 0.99}
"""The figures that a budget can be for."""

SURE = 1.96
"""Standard deviations on either side within which 95 of 100 samples of a figure are."""


@dataclass(frozen=True)
class Row:
    """The samples of one figure; `of` names the one its budget is for, and a row that `fails` must break it.

    A figure that is counted, as mistakes in a hundred, is one value of so many `trials`.
    """

    group: str
    name: str
    label: str
    values: tuple[float, ...]
    unit: str
    budget: float | None = None
    of: str = "p99"
    fails: bool = False
    trials: int = 0
    note: str = ""
    skipped: str = ""

    @property
    def n(self):
        """How many samples or trials the figure is from."""
        return self.trials or len(self.values)

    @property
    def median(self):
        return statistics.median(self.values)

    @property
    def p99(self):
        return percentile(self.values, SHARES["p99"])

    @property
    def figure(self):
        """The one that its budget is for; the median if there is no budget."""
        return self.median if self.budget is None or self.of == "median" else self.p99

    @property
    def spread(self):
        """Between which two values the figure is, in 95 of 100 measurements: the noise."""
        return self._spread_of_share() if self.trials and self.unit == "%" else self._spread_of_samples()

    def _spread_of_share(self):
        """That of a share in percent (the normal distribution)."""
        share = self.values[0] / 100
        wide = SURE * math.sqrt(max(0, share * (1 - share)) / self.trials)
        return 100 * (share - wide), 100 * (share + wide)

    def _spread_of_samples(self):
        """That of a median or percentile (order statistics)."""
        n, share = len(self.values), 0.5 if self.budget is None else SHARES[self.of]
        wide = SURE * math.sqrt(n * share * (1 - share))
        low, high = math.floor(n * share - wide), math.ceil(n * share + wide)
        return self.values[min(max(low, 0), n - 1)], self.values[min(high, n - 1)]

    @property
    def verdict(self):
        """`ok`, `MISSED`, `not measured`, or nothing where nothing is allowed or forbidden."""
        if self.skipped:
            return "not measured"
        if self.budget is None:
            return ""
        return "ok" if (self.figure <= self.budget) != self.fails else "MISSED"

    @property
    def allowed(self):
        return "" if self.budget is None else f"{self.of} {'>' if self.fails else '<='} {self.budget:.4g} {self.unit}"

    def __str__(self):
        if self.skipped:
            return f"{self.label:<{WIDE}} {self.verdict}: {self.skipped}; budget {self.allowed}"
        figures = [f"{figure:.4g} {self.unit}" for figure in (self.median, self.p99)]
        what = f"{self.label} (n={self.n:,})"
        judged = f"{self.verdict} {self.note}"
        return f"{what:<{WIDE}} {figures[0]:>13} {figures[1]:>13}   {self.allowed:<20} {judged}".rstrip()


WIDE = 88
"""Letters of the longest label, with its number of samples."""

HEAD = f"{'':<{WIDE}} {'median':>13} {'p99':>13}   budget"


class Budgets:
    """The rows of one group, each told to `tell` as soon as it is measured."""

    def __init__(self, group, size, tell):
        self.group, self.size, self._tell = group, size, tell
        self._head, self._names = "", Counter()

    def samples(self, usual, *, quick, long=None):
        """How many samples, or which, are right for the size of this run."""
        return {QUICK: quick, USUAL: usual, LONG: usual if long is None else long}[self.size]

    def add(self, what, values, budget, unit, **more):
        """`more` is what else a row knows: `of` names the figure that the budget is for, as long as it is not p99."""
        self._tell(Row(self.group, self._named(what), what, tuple(sorted(values)), unit, budget, **more))

    def skip(self, what, budget, unit, why, *, of="p99"):
        """Tell why a budget is not measured in this run."""
        self._tell(Row(self.group, self._named(what), what, (), unit, budget, of, skipped=why))

    def _named(self, what):
        """A name that no other row of the group has: one that goes on from a row above is named after that."""
        if what.startswith((" ", ".")):
            what = f"{self._head}: {what.strip(' .')}"
        else:
            self._head = what
        self._names[what] += 1
        return what if self._names[what] == 1 else f"{what} ({self._names[what]})"
