"""What holds for the picture in every layout, on every panel and in every variant."""

import itertools
import random
from dataclasses import replace
from functools import cache, partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

import pegboard
from hardware.oled.drawing.draw import Style, draw, draw_board
from hardware.oled.drawing.score_block import last_points
from pegboard.core.match import Match
from pegboard.core.moves import OverPeg
from pegboard.core.rules import KEY_LANES, VARIANTS, Rules, skunk_lines
from pegboard.core.view import Alarm, Device, Invitation, View
from pegboard.errors import DeviceError
from pegboard.messages import Message
from tests.support.lit_pixels import LOOKS, figures_alone, lit, look_called, pegs_alone, plan_of, touch
from tests.support.long_runs import some_in, some_of
from tests.support.player_names import SIX
from tests.support.views import table

MOST_AT_ONCE = 29

every_look = pytest.mark.parametrize("own", LOOKS, ids=look_called)
BOARDS = {
    (rules.seats, rules.lanes, rules.game_hole, rules.skunk_lines): rules
    for rules in VARIANTS.values()
    if rules.lanes <= KEY_LANES
}
"""A variant for each board: those that are played on the same one make the same pictures; four lanes have no board."""

every_variant = pytest.mark.parametrize("rules", BOARDS.values(), ids=lambda rules: rules.variant)


def pairs(game_hole):
    """Every place of two pegs that one score can make."""
    starts = [(0, 0)] + [(front, 0) for front in range(1, MOST_AT_ONCE + 1)]
    return starts + [
        (front, rear) for rear in range(1, game_hole) for front in range(rear + 1, min(rear + 29, game_hole) + 1)
    ]


def stands(game_hole):
    """Any place of two pegs."""
    return st.sampled_from(pairs(game_hole))


def views_of(number, variant):
    """Every view of a game of random scores."""
    dice, rules = random.Random(number), VARIANTS[variant]
    game = pegboard.new_game(rules, players=SIX[: rules.seats])
    while game.outcome is None:
        yield View(game, Match.empty(rules.lanes), (0,) * rules.lanes)
        game = pegboard.play(game, pegboard.Score(dice.randint(1, 24), lane=dice.randrange(rules.lanes)))
    yield View(game, Match.empty(rules.lanes), (0,) * rules.lanes)


# --- the panel ------------------------------------------------------------------------------------------------------


@every_look
@every_variant
def test_picture_is_one_bit_a_pixel_and_as_large_as_the_panel(own, rules):
    picture = draw(table(*[(0, 0)] * rules.lanes, rules=rules), own)
    assert picture.mode == "1"
    assert picture.size == own.size


@pytest.mark.parametrize("asked", [{"size": (96, 16)}, {"layout": "round"}])
def test_look_that_nobody_draws_is_refused_by_name(asked):
    with pytest.raises(DeviceError, match=r"96x16|round"):
        Style(**asked)


@every_look
@every_variant
@given(data=st.data())
@settings(max_examples=some_of(25, 8))
def test_picture_of_a_running_game_leaves_an_empty_column_at_one_side(own, rules, data):
    """So it can be moved aside to spare the panel."""
    pegs = [data.draw(stands(rules.game_hole - 1)) for _ in range(rules.lanes)]
    dealer, dialled = data.draw(st.integers(0, rules.seats - 1)), data.draw(st.integers(0, 29))
    picture = draw(table(*pegs, rules=rules, dealer=dealer, dialled=(dialled,) * rules.lanes, won=(9,) * 3), own)
    left, _, right, _ = picture.getbbox()
    assert left > 0 or right < own.size[0]


@every_look
@every_variant
def test_notice_leaves_the_edges_free_that_were_free(own, rules):
    """A picture that has been moved to spare the panel stays where it is."""
    view = table(*[(30, 22)] * rules.lanes, rules=rules)
    quiet = draw(view, own).getbbox()
    for said in ("Ann has 5", "word " * 60, Message("not_saved", fault="word " * 60)):
        left, top, right, bottom = draw(replace(view, notice=said), own).getbbox()
        assert left >= quiet[0] or left > 0
        assert right <= quiet[2] or right < own.size[0]
        assert top >= quiet[1] or top > 0
        assert bottom <= quiet[3] or bottom < own.size[1]


@every_look
@every_variant
def test_drawing_again_draws_the_same_and_nothing_is_left_behind(own, rules):
    """Empty tracks and letters are kept and used again; a picture of another view between must not stain them."""
    start, late = table(*[(0, 0)] * rules.lanes, rules=rules), table(*[(40, 30)] * rules.lanes, rules=rules)
    first = draw(start, own).tobytes()
    draw(replace(late, notice=Message("not_saved", fault="full"), dialled=(7,) * rules.lanes), own)
    assert draw(start, own).tobytes() == first


# --- holes ----------------------------------------------------------------------------------------------------------


@every_look
@every_variant
def test_every_hole_has_a_pixel_of_its_own_on_the_panel(own, rules):
    """On a classic board each lap has the same holes again."""
    track, lap = plan_of(own, rules).track, 60 if own.layout == "classic" else rules.game_hole
    for first in range(0, rules.game_hole, lap):
        numbers = range(max(first + 1, 0) if first else 0, min(first + lap + 1, rules.game_hole))
        holes = {(lane, hole): track.hole_at(lane, hole) for lane in range(rules.lanes) for hole in numbers}
        assert len(set(holes.values())) == len(holes)
        assert all(0 <= x < own.size[0] and 0 <= y < own.size[1] for x, y in holes.values())
        assert track.hole_at(0, rules.game_hole) not in holes.values()


@every_look
@pytest.mark.parametrize("lanes", [1, 2, 3])
@given(game_hole=st.integers(31, 361))
@settings(max_examples=some_of(20, 8))
def test_tracks_of_any_length_stay_on_the_panel_with_their_holes_in_order(own, lanes, game_hole):
    rules = Rules("any", seats=lanes, lanes=lanes, game_hole=game_hole, skunk_lines=skunk_lines(game_hole))
    track = plan_of(own, rules).track
    for lane in range(lanes):
        spots = [track.hole_at(lane, hole) for hole in range(1, game_hole)]
        assert all(0 <= x < own.size[0] and 0 <= y < own.size[1] for x, y in spots)
        if own.layout == "classic":
            assert all(here == there for here, there in zip(spots, spots[60:], strict=False)), "lap after lap"
            spots = spots[:60]
        streets = {y: [x for x, row in spots if row == y] for _, y in spots}
        for number, columns in enumerate(streets.values()):
            assert columns == sorted(columns, reverse=number % 2 == 1), "every second street runs back"


# --- pegs -----------------------------------------------------------------------------------------------------------


@every_look
@pytest.mark.parametrize(
    "rules", [rules for rules in BOARDS.values() if rules.lanes > 1], ids=lambda rules: rules.variant
)
@given(data=st.data())
@settings(max_examples=some_of(25, 8))
def test_pegs_and_trails_of_different_lanes_never_touch(own, rules, data):
    plan = plan_of(own, rules)
    pegs = stands(rules.game_hole if own.layout == "far" else rules.game_hole - 1)
    inks = [lit(pegs_alone(own, plan, lane, *data.draw(pegs))) for lane in range(rules.lanes)]
    for one, other in itertools.combinations(inks, 2):
        assert not touch(one, other)


@pytest.mark.sampled(least=4)
@every_look
@pytest.mark.parametrize("variant", ["standard", "short", "three-handed", "solitaire"])
def test_every_place_of_two_pegs_looks_different(own, variant):
    rules = VARIANTS[variant]
    plan = plan_of(own, rules)
    for lane in range(rules.lanes):
        every = pairs(rules.game_hole)
        assert len({pegs_alone(own, plan, lane, *pegs).tobytes() for pegs in every}) == len(every)


@pytest.mark.sampled(least=4)
@every_look
@pytest.mark.parametrize("variant", ["standard", "short", "three-handed", "solitaire"])
def test_both_pegs_show_in_full_at_every_distance(own, variant):
    """A peg is as it is when the other one is far away: no hole apart, and they still are two."""
    rules = VARIANTS[variant]
    plan, most = plan_of(own, rules), rules.game_hole - 1
    for lane in range(rules.lanes):
        alone = cache(partial(pegs_alone, own, plan, lane))
        for front, rear in some_in(pairs(most)):
            if rear:
                both = alone(front, rear)
                for hole in (front, rear):
                    other = most if hole == rear else max(1, front - 29)
                    far = alone(*((other, rear) if hole == rear else (front, other)))
                    assert alike(plan, both, far, plan.track.hole_at(lane, hole), front=hole == front)


def alike(plan, one, other, at, *, front):
    """Whether two pictures show the same peg at a hole: the rows of its lane in which only that peg can be."""
    x, y = at
    if hasattr(plan.style, "up"):
        box = (x - 1, y - plan.style.up, x + 2, y + plan.style.down + 1)
    elif front:
        box = (x - 2, y - plan.style.front, x + 3, y)
    else:
        box = (x - 2, y + plan.style.line, x + 3, y + plan.style.line + plan.style.rear)
    return one.crop(box).tobytes() == other.crop(box).tobytes()


@every_look
@pytest.mark.parametrize("number", range(3))
@every_variant
def test_every_score_of_a_game_changes_the_picture(own, rules, number):
    for before, after in itertools.pairwise(views_of(number, rules.variant)):
        if before.game.lanes != after.game.lanes:
            assert draw(before, own).tobytes() != draw(after, own).tobytes()


# --- figures --------------------------------------------------------------------------------------------------------


@every_look
@every_variant
@given(data=st.data())
@settings(max_examples=some_of(20, 8))
def test_figures_touch_neither_the_track_nor_the_pegs_nor_each_other(own, rules, data):
    lanes = range(rules.lanes)
    pegs = [data.draw(stands(rules.game_hole)) for _ in lanes]
    dialled, won = ([data.draw(st.integers(0, most)) for _ in lanes] for most in (29, 120))
    over = data.draw(st.booleans())
    view = table(
        *pegs,
        rules=rules,
        dealer=data.draw(st.integers(0, rules.seats - 1)),
        dialled=tuple(dialled),
        won=tuple(won),
        winner=0 if over else None,
        skunks=tuple(data.draw(st.integers(0, 3)) for _ in lanes) if over else (),
    )
    plan = plan_of(own, rules)
    track = lit(plan.empty).union(*(lit(pegs_alone(own, plan, lane, *pegs[lane])) for lane in lanes))
    inks = [lit(figures_alone(own, plan, view, lane)) for lane in lanes]
    assert not touch(set().union(*inks), track)
    for one, other in itertools.combinations(inks, 2):
        assert not touch(one, other)


@pytest.mark.sampled(least=5)
@every_look
@every_variant
@given(front=st.integers(0, 121), dialled=st.integers(1, 29), won=st.integers(0, 120))
@settings(max_examples=some_of(20, 8))
def test_score_d_and_points_of_a_lane_stand_apart(own, rules, front, dialled, won):
    """Drawn one by one on a panel of their own, they share no pixel and no edge."""
    front = min(front, rules.game_hole)
    plan, bare = plan_of(own, rules), table(*[(front, front and front - 1)] * rules.lanes, rules=rules)
    for lane in range(rules.lanes):
        elsewhere = replace(bare, game=other_dealer(bare.game, lane)) if rules.lanes > 1 else bare
        score = lit(figures_alone(own, plan, pointless(elsewhere), lane))
        points = lit(figures_alone(own, plan, dial(pointless(elsewhere), lane, dialled), lane)) - score
        squares = lit(figures_alone(own, plan, wins(pointless(elsewhere), lane, won), lane)) - score
        parts = [score, points, squares]
        if rules.lanes > 1:
            parts.append(lit(figures_alone(own, plan, replace(pointless(bare), game=dealer(bare.game, lane)), lane)))
            parts[-1] -= score
        for one, other in itertools.combinations(parts, 2):
            assert not touch(one, other)


def dealer(game, seat):
    position = game.position._replace(dealer=seat, lanes=pointless_lanes(game))
    return replace(game, first_dealer=seat, positions=(position,))


def other_dealer(game, lane):
    return dealer(game, (lane + 1) % game.rules.lanes)


def pointless(view):
    position = view.game.position._replace(lanes=pointless_lanes(view.game))
    return replace(view, game=replace(view.game, positions=(position,)))


def pointless_lanes(game):
    return tuple(lane._replace(rear=lane.front) for lane in game.lanes)


def dial(view, lane, points):
    return replace(view, dialled=tuple(points * (n == lane) for n in range(view.game.rules.lanes)))


def wins(view, lane, games):
    won = tuple(games * (n == lane) for n in range(view.game.rules.lanes))
    return replace(view, match=replace(view.match, games_won=won))


@every_look
@pytest.mark.parametrize("lanes", [1, 2, 3])
def test_every_number_of_games_won_looks_different_up_to_22_and_none_looks_like_fewer_beyond(own, lanes):
    """Where a number has no room, a bar from end to end stands for more: an evening of three players has fewer."""
    rules = {1: VARIANTS["solitaire"], 2: VARIANTS["standard"], 3: VARIANTS["three-handed"]}[lanes]
    plan, bare = plan_of(own, rules), table(*[(40, 30)] * lanes, rules=rules)
    pictures = [figures_alone(own, plan, wins(bare, 0, won), 0).tobytes() for won in range(100)]
    told = [pictures.index(picture) for picture in pictures]
    assert told == [*range(23), *(won if told[23:] == [*range(23, 100)] else 23 for won in range(23, 100))]


@every_look
def test_last_points_are_what_was_claimed_even_where_the_game_hole_cuts_them_short(own):
    """Ann stands on 106 of 121 and pegs 16."""
    game = pegboard.new_game(Rules.named("standard"), players=("Ann", "Bob"))
    for points in (29, 29, 29, 19):
        game = pegboard.play(game, pegboard.Score(points, lane=0))
    before, game = game, pegboard.play(game, pegboard.Score(16, lane=0))
    assert (before.lanes[0].front, game.lanes[0].front) == (106, 121)
    assert last_points(game, 0) == 16
    said, plan = View(game), plan_of(own, game.rules)
    told = table((121, 105), (0, 0), winner=0, skunks=(0, 2), dealer=game.dealer)
    assert lit(figures_alone(own, plan, said, 0)) == lit(figures_alone(own, plan, told, 0))


def test_claim_that_was_ruled_on_shows_its_true_points():
    """Ann stands on 113 of 121 and pegs 12; truly she had 9."""
    game = pegboard.new_game(Rules.named("standard"), players=("Ann", "Bob"))
    for points in (29, 29, 29, 26, 12):
        game = pegboard.play(game, pegboard.Score(points, lane=0))
    assert last_points(game, 0) == 12
    assert last_points(pegboard.play(game, OverPeg(5, points=9, was=12)), 0) == 9


@every_look
def test_only_a_device_in_trouble_is_marked(own):
    fine = table((87, 75), (64, 58))
    for device, marked in (
        (Device("LED strip", "no answer"), True),
        (Device("LED strip"), False),
    ):
        picture = draw(replace(fine, devices=(Device("keys"), device)), own)
        assert (picture.tobytes() != draw(fine, own).tobytes()) is marked


@every_look
@every_variant
def test_mark_of_trouble_covers_nothing(own, rules):
    fine = table(*[(121 if rules.game_hole == 121 else 61, 40)] * rules.lanes, rules=rules, won=(3,) * rules.lanes)
    marked = replace(fine, devices=(Device("LED strip", "no answer"),))
    assert lit(draw(fine, own)) <= lit(draw(marked, own))


@every_look
@every_variant
def test_mark_of_trouble_stands_apart_from_every_figure(own, rules):
    plan = plan_of(own, rules)
    for front in {min(front, rules.game_hole - 1) for front in (1, 60, 108, 120)}:
        for seat in range(rules.seats):
            more = {"dealer": seat, "won": (3,) * rules.lanes, "dialled": (12,) * rules.lanes}
            view = table(*[(front, 0)] * rules.lanes, rules=rules, **more)
            inks = [lit(figures_alone(own, plan, view, lane)) for lane in range(rules.lanes)]
            x, y, _ = plan.mark
            mark = {(x + dx, y + dy) for dx in range(3) for dy in range(7)}
            assert not touch(mark, set().union(*inks))


# --- notices --------------------------------------------------------------------------------------------------------


@pytest.mark.sampled(least=5)
@every_look
@every_variant
@given(sentence=st.text(min_size=1, max_size=200))
@settings(max_examples=some_of(15, 8))
def test_notice_leaves_every_figure_in_sight(own, rules, sentence):
    front = min(108, rules.game_hole - 1)
    view = table(*[(front, front - 12)] * rules.lanes, rules=rules, dialled=(12,) * rules.lanes)
    plan = plan_of(own, rules)
    ink = set().union(*(lit(figures_alone(own, plan, view, lane)) for lane in range(rules.lanes)))
    for said in (sentence, "word " * 60, Message("not_saved", fault="word " * 60)):
        assert ink <= lit(draw(replace(view, notice=said), own))


@every_look
def test_not_saved_stands_out_from_other_notices(own):
    """Its letters are twice as large: strokes two pixels wide where those of others are one."""
    view = table((87, 75), (64, 58))
    loud = draw(replace(view, notice=Message("not_saved", fault="database or disk is full")), own)
    quiet = draw(replace(view, notice="nothing is saved, so not scored: database or disk is full"), own)
    assert fat(loud) > 4 * fat(quiet)


def fat(picture):
    """Dark squares of 2 by 2 pixels with light around them to the left and right."""
    width, height = picture.size
    bits = [[bool(picture.getpixel((x, y))) for x in range(width)] for y in range(height)]
    return sum(
        bits[y][x : x + 4] == bits[y + 1][x : x + 4] == [True, False, False, True]
        for y in range(height - 1)
        for x in range(width - 3)
    )


@every_look
@every_variant
def test_nothing_of_the_track_is_left_at_the_edges_of_a_notice(own, rules):
    """Pegs and gates reach the last row, pegs before the first score the first column."""
    room = plan_of(own, rules).banner
    for pegs in ((0, 0), (62, 59), (119, 110)):
        if pegs[0] < rules.game_hole:
            picture = draw(table(*[pegs] * rules.lanes, rules=rules, notice="word " * 60), own)
            below = picture.crop((0, own.size[1] - 1, room.left + room.columns, own.size[1]))
            aside = picture.crop((0, own.size[1] - 10, room.left, own.size[1]))
            assert below.getbbox() is aside.getbbox() is None


def test_board_is_drawn_over_the_kept_empty_track():
    view = table((20, 8), (0, 0))
    plan = plan_of(Style(), view.game.rules)
    kept = plan.empty.tobytes()
    assert isinstance(draw_board(view, plan), Image.Image)
    assert plan.empty.tobytes() == kept


# --- alarms ---------------------------------------------------------------------------------------------------------

LOST = Alarm("a1", Message("journal_lost_tail", count=12))
MEMORY = Alarm("scores_in_memory", Message("scores_in_memory"), lasts=True)


@every_look
@every_variant
@pytest.mark.parametrize("alarms", [(LOST,), (MEMORY, LOST)], ids=["one", "two"])
def test_alarms_stand_over_the_track_and_leave_every_figure_in_sight(own, rules, alarms):
    view, plan = table(*[(20, 8)] * rules.lanes, rules=rules, dialled=(12,) * rules.lanes), plan_of(own, rules)
    quiet, loud = draw(view, own), draw(replace(view, alarms=alarms), own)
    ink = set().union(*(lit(figures_alone(own, plan, view, lane)) for lane in range(rules.lanes)))
    assert ink <= lit(loud)
    room = plan.banner
    above = (0, 0, own.size[0], room.top)
    assert quiet.crop(above).tobytes() == loud.crop(above).tobytes()
    assert quiet.tobytes() != loud.tobytes()


@every_look
def test_two_alarms_say_both(own):
    """Each on a line of its own, so that what lasts does not hide what was lost."""
    view = table((20, 8), (20, 8))
    pictures = {draw(replace(view, alarms=alarms), own).tobytes() for alarms in ((LOST,), (MEMORY,), (MEMORY, LOST))}
    assert len(pictures) == 3


@every_look
def test_notice_goes_before_an_alarm_and_an_alarm_before_how_one_joins(own):
    view = replace(table((20, 8), (20, 8)), alarms=(LOST,))
    refused, joining = (
        replace(view, notice=Message("not_saved", fault="full")),
        replace(view, invitation=Invitation("http://a.b/")),
    )
    assert draw(refused, own).tobytes() == draw(replace(refused, alarms=()), own).tobytes()
    assert draw(joining, own).tobytes() == draw(view, own).tobytes()
