"""How long each test took: a run keeps it in a file, and `make durations` adds it up by folder, file and test.

Seconds are those of set-up, call and tear-down together. Each whole run replaces the file of the run before,
and `--collect-only` leaves it.
"""

import sys
from collections import defaultdict
from pathlib import Path

FILE = Path(__file__).parents[2] / ".pytest_cache" / "durations.tsv"
HEADING = "seconds\ttest"
SHOWN = 40
"""How many rows of each table are printed; the file has all."""


class Durations:
    """Adds up the phases of each test, whichever worker ran it."""

    def __init__(self, file=FILE):
        self.file = file
        self.seconds = defaultdict(float)

    def pytest_runtest_logreport(self, report):
        self.seconds[report.nodeid] += report.duration

    def pytest_sessionfinish(self):
        if not self.seconds:
            return  # only collected
        slowest_first = sorted(self.seconds.items(), key=lambda row: -row[1])
        rows = [f"{seconds:.3f}\t{as_one_line(test)}" for test, seconds in slowest_first]
        self.file.parent.mkdir(exist_ok=True)
        self.file.write_text("\n".join([HEADING, *rows, ""]), "utf-8")


def as_one_line(test):
    return test.encode("unicode_escape").decode("ascii")


def read(file=FILE):
    """Seconds by test."""
    rows = [line.split("\t") for line in file.read_text("utf-8").splitlines()[1:]]
    return {test: float(seconds) for seconds, test in rows}


def totals(seconds, part):
    """Seconds and number of tests of each part of the tree, slowest first."""
    sums, counts = defaultdict(float), defaultdict(int)
    for test, duration in seconds.items():
        sums[part(test)] += duration
        counts[part(test)] += 1
    return sorted(((total, counts[name], name) for name, total in sums.items()), reverse=True)


def folder(test):
    return "/".join(file(test).split("/")[:2])


def file(test):
    return test.split("::", maxsplit=1)[0]


def function(test):
    return test.split("[", maxsplit=1)[0]


def main():
    """Print what the last run kept."""
    if not FILE.exists():
        sys.exit("no test has run here yet: make test keeps how long each takes")
    seconds = read()
    print(f"{sum(seconds.values()):.1f} s of {len(seconds)} tests, all workers together")
    for name, part in (("folder", folder), ("file", file), ("test", function)):
        rows = totals(seconds, part)
        print(f"\n seconds  cases  {name}" + (f" (the slowest {SHOWN} of {len(rows)})" if len(rows) > SHOWN else ""))
        for total, cases, of in rows[:SHOWN]:
            print(f"{total:8.1f} {cases:6}  {of}")


if __name__ == "__main__":
    main()
