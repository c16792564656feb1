"""Whole games of dealt cards, tapped on a phone and on a tablet: what the pages tell of the deal, against the truth.

The bars are those of the course; of so few games three times their spread is allowed.
"""

import random

import pytest

from tests.browser.page_accuracy import DEVICES, play_through, tally_through
from tests.core.course_accuracy import BARS
from tests.core.shown_mistakes import Wrong
from tests.support.long_runs import is_long

GAMES = 20 if is_long() else 1


@pytest.mark.long
@pytest.mark.parametrize("way", ["said", "numbers", "buttons"] if is_long() else ["said"])
@pytest.mark.parametrize("device", DEVICES)
def test_a_page_tells_who_deals_who_counts_and_what_for(table, look, device, way):
    wrong, dice = Wrong(), random.Random(f"{device} {way}")
    page = look(table.lay().url + DEVICES[device].path, DEVICES[device].size)
    for _ in range(GAMES):
        play_through(page, table, device, way, dice=dice, wrong=wrong)
    print(wrong)  # the figures, with `pytest -s`
    wrong.assert_within(BARS[way], hints=5, unsure=8)


@pytest.mark.parametrize(
    ("device", "variant"),
    [
        ("phone", "cut-throat-four"),
        ("tablet", "six-partners"),
        pytest.param("phone", "six-partners", marks=pytest.mark.long),
        pytest.param("tablet", "cut-throat-four", marks=pytest.mark.long),
    ],
)
def test_every_score_of_a_larger_table_is_that_of_a_tally(table, look, device, variant):
    page = look(table.url + DEVICES[device].path, DEVICES[device].size)
    tally_through(page, table, device, variant, random.Random(f"{device} {variant}"))
