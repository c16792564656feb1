"""The panel in a game of four lanes: it draws three, says where the fourth is, and reports its scores in words."""

import itertools
import random
from dataclasses import replace

import pytest
from PIL import ImageChops

import pegboard
from hardware.oled.drawing import banner, font
from hardware.oled.drawing.draw import SIZES, draw
from hardware.oled.drawing.game_over_screen import LARGE, SMALL
from hardware.oled.drawing.score_block import draw_number
from pegboard.core.match import Match
from pegboard.core.rules import VARIANTS
from pegboard.core.view import Alarm, View
from pegboard.messages import Message
from tests.support.lit_pixels import LOOKS, look_called, plan_of, stands_in
from tests.support.player_names import SIX
from tests.support.views import dealt, table

FOUR = "cut-throat-four"
PEGS = ((37, 30), (62, 59), (91, 80))
WHERE = "Dee: see phone, tablet or TV; here are lanes 1 to 3"

every_look = pytest.mark.parametrize("own", LOOKS, ids=look_called)


def after_ann(view):
    """The same view, with a newest line that moved Ann's pegs."""
    now = view.game.position
    before = now._replace(lanes=(now.lanes[0]._replace(front=now.lanes[0].rear), *now.lanes[1:]))
    start = before._replace(lanes=tuple(lane._replace(front=0, rear=0) for lane in before.lanes))
    return replace(view, game=replace(view.game, positions=(start, before, now)))


def says(view, own, text):
    room = plan_of(own, view.game.rules).banner
    return stands_in(draw(view, own), banner.render(text, (room.columns, room.rows)))


@every_look
@pytest.mark.parametrize("dealer", range(3))
def test_three_lanes_are_drawn_as_with_three_players(own, dealer):
    four = after_ann(table(*PEGS, (104, 100), variant=FOUR, dealer=dealer))
    assert draw(four, own).tobytes() == draw(table(*PEGS, variant="three-handed", dealer=dealer), own).tobytes()


@every_look
def test_no_drawn_lane_has_the_d_while_the_fourth_player_deals(own):
    assert not stands_in(draw(after_ann(table(*PEGS, (104, 100), variant=FOUR, dealer=3)), own), font.badge("D"))


@every_look
def test_before_the_first_score_the_panel_says_where_the_fourth_lane_is(own):
    assert says(dealt(variant=FOUR), own, WHERE)
    assert not says(dealt((0, 2), variant=FOUR), own, WHERE)


@every_look
def test_a_score_of_the_fourth_lane_is_told_in_words_until_another_line_comes(own):
    scores = [(0, 24), (1, 12), (3, 20), (3, 8)]
    assert says(dealt(*scores[:3], variant=FOUR), own, "Dee +20, now 20")
    assert says(dealt(*scores, variant=FOUR), own, "Dee +8, now 28")
    assert not says(dealt(*scores, (2, 3), variant=FOUR), own, "Dee +8, now 28")


@every_look
def test_notices_and_alarms_come_before_the_fourth_lane(own):
    view, lost = dealt((3, 20), variant=FOUR), Alarm("1", Message("not_saved", fault="full"))
    refused, alarmed = replace(view, notice="Bob has 5"), replace(view, alarms=(lost,))
    assert says(refused, own, "Bob has 5")
    assert not any(says(one, own, "Dee +20, now 20") for one in (refused, alarmed))


@every_look
@pytest.mark.parametrize("number", range(2))
def test_every_score_of_a_game_changes_the_picture(own, number):
    dice, rules = random.Random(number), VARIANTS[FOUR]
    game = pegboard.new_game(rules, players=SIX[:4])
    pictures = []
    while game.outcome is None:
        pictures.append(draw(View(game, Match.empty(4), (0,) * 4), own).tobytes())
        game = pegboard.play(game, pegboard.Score(dice.randint(1, 24), lane=dice.randrange(4)))
    assert all(before != after for before, after in itertools.pairwise(pictures))


@every_look
def test_fourth_lane_that_wins_is_named_with_all_four_scores(own):
    pegs = ((109, 99), (118, 110), (120, 108), (121, 100))
    over = table(*pegs, variant=FOUR, winner=3, won=(1, 2, 0, 1))
    picture = draw(over, own, ending=True)
    assert stands_in(picture, ImageChops.invert(font.render_large("DEE WINS")))
    digits = LARGE if own.size == SIZES["128x64"] else SMALL
    assert all(stands_in(picture, draw_number(front, digits, close=True)) for front, _ in pegs)
    draw(over, own)  # the board, which alternates with it
