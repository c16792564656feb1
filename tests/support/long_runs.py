"""How much of a long loop is tried: a part in every run, the whole in `make test-long`."""

import itertools
import os
import random

from hypothesis import settings

SHARE = 5
"""Of so many examples every run tries one."""

SEED = os.environ.get("PEGBOARD_SAMPLE") or os.environ.get("SEED") or str(random.SystemRandom().randrange(10**6))
"""Chooses the samples of a run: SEED, or a new one."""

os.environ["PEGBOARD_SAMPLE"] = SEED  # every worker collects the same tests


def is_long():
    """Whether this is `make test-long`, or a run that counts on all examples."""
    return os.environ.get("PEGBOARD_TESTS") in ("long", "looks") or settings.get_current_profile_name() == "mutation"


def is_quick():
    """Whether this is `make test-quick`."""
    return os.environ.get("PEGBOARD_TESTS") == "quick"


def sees_all_looks():
    """Whether this is `make test-looks`."""
    return os.environ.get("PEGBOARD_TESTS") == "looks"


def some_of(examples, share=SHARE):
    """How many examples are tried of so many."""
    return examples if is_long() else max(1, examples // share)


def some_in_turn(things, turn, share=2):
    """Which of these are tried at this turn: `share` turns try all; `make test-long` and `test-looks` do each time."""
    things = list(things)
    return things if is_long() or sees_all_looks() else things[turn % share :: share]


def some_combinations(*axes):
    """Combinations in which every value of every axis stands; all of them in `make test-long` and `make test-looks`."""
    longest = max(map(len, axes))
    paired = [tuple(axis[n % len(axis)] for axis in axes) for n in range(longest)]
    return list(itertools.product(*axes)) if is_long() or sees_all_looks() else paired


def some_in(things, share=SHARE):
    """Which of these are tried: the first, the last, and some all the way between them."""
    things = list(things)
    return things if is_long() else [*things[:-1:share], *things[-1:]]


def a_sample(things, share=10, least=1):
    """One in so many, at random as SEED says, in their order; all of them in `make test-long`."""
    things = list(things)
    if is_long():
        return things
    number = min(len(things), max(least, len(things) // share))
    return [things[n] for n in sorted(random.Random(SEED).sample(range(len(things)), number))]
