"""Who deals and who counts next, read back from the panel; a view that is not sure of it shows nothing."""

from dataclasses import replace

import pytest

from hardware.oled.drawing import font
from hardware.oled.drawing.draw import Style, draw
from pegboard.core import course_of_sheet
from pegboard.core.course_of_sheet import Where
from tests.hardware.oled.test_layout_streets import BLOCKS, shows
from tests.support.lit_pixels import LOOKS, figures_alone, look_called, plan_of
from tests.support.views import dealt

PLAYED = ((1, 2), (0, 1), (1, 5), (0, 1))
"""A play of a deal of Ann's, entered by numbers alone."""

HAND, CRIB = (*PLAYED, (1, 8)), (*PLAYED, (1, 8), (0, 10))
"""Until Ann's hand is next, and until her crib is."""

WORDS = {"HAND": HAND, "CRIB": CRIB}

every_look = pytest.mark.parametrize("look", LOOKS, ids=look_called)


def lanes_showing(view, look, *words):
    """The lanes beside which one of the words stands, or one of the letters."""
    plan = plan_of(look, view.game.rules)
    lanes = range(view.game.rules.lanes)
    return [lane for lane in lanes if any(shows(figures_alone(look, plan, view, lane), each) for each in words)]


@pytest.mark.parametrize("word", WORDS)
def test_word_stands_under_the_score_of_the_lane_that_counts_next(word):
    picture = draw(dealt(*WORDS[word]))
    for lane, (top, bottom) in enumerate(BLOCKS[2]):
        part = (107, top, 128, bottom)
        assert shows(picture, font.render(word), part) is (lane == 0)
        assert shows(picture, font.badge("D"), part) is (lane == 0)


@every_look
@pytest.mark.parametrize("word", WORDS)
def test_hand_or_crib_is_told_beside_its_lane_in_every_look(look, word):
    view = dealt(*WORDS[word])
    assert lanes_showing(view, look, font.render(word), font.render(word[0])) == [0]


def test_pones_hand_is_told_on_its_lane():
    view = dealt(*PLAYED, (1, 1, "go"), (1, 8, "hand"), dealer=0)
    assert lanes_showing(view, Style(), font.render("HAND")) == [0]
    back = dealt(*PLAYED, (1, 1, "go"), (0, 2, "crib"), (0, 2), (1, 1), (0, 2), (0, 2), (0, 1), (0, 12))
    assert (back.game.dealer, back.game.standing.to_count) == (1, 1)
    assert lanes_showing(back, Style(), font.render("HAND")) == [1]
    assert lanes_showing(back, Style(), font.badge("D")) == [1]


@pytest.mark.parametrize(("won", "seen"), [(0, "HAND"), (1, "H"), (4, "H"), (8, None), (9, "H")])
def test_word_makes_way_for_games_won(won, seen):
    """A letter where the word has no room; nothing where a bar and squares leave none; nine are a number."""
    picture = draw(dealt(*HAND, won=(won, 0)))
    part = (107, 24, 128, 32)
    assert shows(picture, font.render("HAND"), part) is (seen == "HAND")
    assert shows(picture, font.render("H"), part) is (seen is not None)


def test_nothing_is_told_during_the_play():
    assert not any(shows(draw(dealt(*PLAYED[:1])), font.render(word)) for word in WORDS)


def unsure(view, **more):
    """The same view, of which two ways are as likely."""
    game = replace(view.game)
    game.followed.__dict__["standing"] = view.game.standing._replace(**more)
    return replace(view, game=game)


@every_look
def test_what_is_counted_next_is_not_told_where_another_way_is_as_likely(look):
    view = unsure(dealt(*HAND), sure=0.5, other=Where(0, "play", None, 0.45))
    for lane in range(2):
        figures = figures_alone(look, plan_of(look, view.game.rules), view, lane)
        assert not shows(figures, font.render("H"))
    assert lanes_showing(view, look, font.badge("D")) == [0], "who deals is sure all the same"


@every_look
@pytest.mark.parametrize(("sure", "marked"), [(course_of_sheet.BOTH_WAYS_BELOW, [0]), (0.59, [])])
def test_no_d_stands_where_the_dealer_is_not_sure(look, sure, marked):
    assert lanes_showing(unsure(dealt(*HAND), dealer_sure=sure), look, font.badge("D")) == marked
