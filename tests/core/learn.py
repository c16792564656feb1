"""`make course`: learn the table of the course from dealt games, and write `pegboard/core/learned_tables.py`."""

import math
import random
import sys
from collections import Counter, defaultdict
from itertools import groupby
from pathlib import Path

from pegboard.core.course_model import BEGUN, after_entry
from pegboard.core.rules import Rules
from tests.support.dealing import TAUGHT, deal, table_of

DEALS = 40_000
"""Of each way to deal."""

SEED = 121

LEARNED = {
    "two": "standard",
    "three": "three-handed",
    "partners": "partners",
    "five-card": "five-card",
    "four": "cut-throat-four",
    "six": "six-partners",
}
"""A table's name, and a variant that is dealt so."""

AT_ONCE = 0.04
"""How often one for the last card is pegged together with what it scores."""

RAREST = 20
"""How often an entry of the play must have been seen in a place to be told there."""

UNIT = 100
"""Parts of a natural logarithm that a cost is told in."""

MOST = 999
"""The highest cost that is told."""

DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"

TARGET = Path("pegboard/core/learned_tables.py")

HEAD = '''"""The table of the course, made by `make course` from dealt games of several kinds of players; not edited.

For each way to deal: one line for each place in the play, "counts ended, lane that pegged last, entries since a count
ended, points of the last entry" and then for each entry that can come next the lane counted from the dealer's, its
points (a digit, a to t for 10 to 29), whether it ends a count (1) and is the last (2), and its cost; lines of hands in
the order of counting, the crib the last, with a cost for each number of points from 0 to 29. A cost is -100 times the
natural logarithm of a probability in two digits to the base of 36, rr for what is rarer than e to the -9.99.
"""

TABLES: dict[str, str] = {
'''


def cost(many, of):
    """The cost of what happened so many times of all."""
    return min(MOST, round(-UNIT * math.log(many / of))) if many else MOST


def learn(variant, deals=DEALS, seed=SEED, kinds=TAUGHT):
    """What follows what in the play, and what hands and cribs count to, in so many deals."""
    dice, table = random.Random(seed), table_of(Rules.named(variant))
    plays, shows = defaultdict(Counter), defaultdict(Counter)
    for _ in range(deals):
        place, order = BEGUN, 0
        for entry in deal(dice, table, 0, [dice.choice(kinds) for _ in range(table.seats)], at_once=AT_ONCE):
            lane = entry.seat % table.lanes
            if entry.why in ("hand", "crib"):
                shows[order][entry.points] += 1
                order += 1
            elif entry.why != "heels":
                plays[place][lane, entry.points, entry.ends + 2 * entry.last] += 1
                place = after_entry(place, lane, entry.points, ends=entry.ends)
    return plays, shows


def lines(plays, shows):
    """The table as text, a line for each place and each hand."""
    for place, following in sorted(plays.items()):
        told = [(entry, many) for entry, many in sorted(following.items()) if many >= RAREST]
        of = sum(many for _, many in told)
        if told:
            yield "".join(map(str, place)) + " " + "".join(_entry(entry, cost(many, of)) for entry, many in told)
    for _, counts in sorted(shows.items()):
        of = sum(counts.values())
        yield "show " + "".join(_digits(cost(counts[points], of)) for points in range(30))


def _entry(entry, at_cost):
    lane, points, flags = entry
    return f"{lane}{DIGITS[points]}{flags}{_digits(at_cost)}"


def _digits(at_cost):
    return DIGITS[at_cost // len(DIGITS)] + DIGITS[at_cost % len(DIGITS)]


def write(path=TARGET, deals=DEALS):
    """Learn all tables and write them."""
    with path.open("w", encoding="utf-8") as file:
        file.write(HEAD)
        for name, variant in LEARNED.items():
            text = list(lines(*learn(variant, deals)))
            print(f"{name}: {sum(len(line) - 4 for line in text if line[0] != 's') // 5} rows", file=sys.stderr)
            file.write(f'    "{name}": (\n')
            for line in text:
                *parts, last = _wrapped(line)
                file.writelines([*(f'        "{part}"\n' for part in parts), f'        "{last}\\n"\n'])
            file.write("    ),\n")
        file.write("}\n")


def _wrapped(line, width=106):
    return ["".join(part for _, part in group) for _, group in groupby(enumerate(line), key=lambda at: at[0] // width)]


if __name__ == "__main__":
    write()
