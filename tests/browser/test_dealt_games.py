"""Whole games of dealt cards, tapped on a phone and on a tablet: what the pages tell of the deal, against the truth.

The bars are those of the course. Of so few games three times their spread is allowed, as mistakes come in groups.
"""

import math
import random

import pytest

from tests.browser.dealt import DEVICES, Wrong, play_through
from tests.course.trial import BARS
from tests.long import is_long

GAMES = 20 if is_long() else 1
HINTS, UNSURE = 5, 8  # parts of a hundred of the entries


def at_most(part, of):
    """So many of a hundred, and three standard deviations of groups of two."""
    expected = part / 100 * of
    return expected + 3 * math.sqrt(2 * expected)


@pytest.mark.parametrize("way", ["said", "numbers", "buttons"] if is_long() else ["said"])
@pytest.mark.parametrize("device", DEVICES)
def test_a_page_tells_who_deals_who_counts_and_what_for(table, look, device, way):
    wrong, dice = Wrong(), random.Random(f"{device} {way}")
    page = look(table.lay().url + DEVICES[device].path, DEVICES[device].size)
    for _ in range(GAMES):
        play_through(page, table, device, way, dice=dice, wrong=wrong)
    print(wrong.told())  # the figures, with `pytest -s`
    live, finally_, games = BARS[way]
    assert wrong.refused == 0, wrong.told()
    assert wrong.live <= at_most(live, wrong.entries), wrong.told()
    assert wrong.finally_ <= at_most(finally_, wrong.entries), wrong.told()
    assert len(wrong.ever) <= at_most(games, GAMES), wrong.told()
    assert wrong.hints <= at_most(HINTS, wrong.entries), wrong.told()
    assert wrong.unsure <= at_most(UNSURE, wrong.entries), wrong.told()
