"""The track is a cribbage board: four streets of thirty, fives apart, lanes side by side, pegs that leap."""

import itertools
import math
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.laid_games import near_the_end
from tests.support.long_runs import some_combinations

SIZES = [(358, 156), (328, 66), (1148, 234), (1380, 543), (1240, 204)]

LAY = """async ({width, height, lanes, gameHole, skunkLines, straight}) => {
    const {layTrack: track, spot} = await import('/static/board/shapes.js');
    const ground = track({width, height, lanes, gameHole, skunkLines, straight});
    const holes = ground.ways.map((_, lane) => Array.from({length: gameHole + 1},
        (_, hole) => { const {x, y} = spot(ground, lane, hole); return [x, y] }));
    const back = ground.ways.map((_, lane) => { const {x, y} = spot(ground, lane, 0, true); return [x, y] });
    const {pegR, holeR, pitch, gates} = ground;
    return {holes, back, pegR, holeR, pitch, gates};
}"""


@pytest.fixture(scope="module")
def lay(program, browser):
    """Lay a track in a page; answers where each hole of each lane is."""
    page = browser.new_page()
    page.goto(f"{program.url}/board")

    def lay(width=1380, height=543, **more):
        asked = {"width": width, "height": height, "lanes": 2, "gameHole": 121, "skunkLines": [90, 60]}
        return page.evaluate(LAY, asked | {"straight": False} | more)

    yield lay
    page.close()


def test_streets_run_to_and_fro_in_thirties(lay):
    for lane in lay()["holes"]:
        for street in range(4):
            holes = lane[30 * street + 1 : 30 * street + 31]
            assert len({round(y, 3) for _, y in holes}) == 1
            steps = [b[0] - a[0] for a, b in itertools.pairwise(holes)]
            assert all(step > 0 for step in steps) if street % 2 == 0 else all(step < 0 for step in steps)
        rows = [lane[30 * street + 1][1] for street in range(4)]
        assert rows == sorted(rows)


def test_fives_stand_apart_by_half_a_pitch(lay):
    laid = lay()
    street = [x for x, _ in laid["holes"][0][1:31]]
    steps = [b - a for a, b in itertools.pairwise(street)]
    assert all(math.isclose(step, laid["pitch"]) for i, step in enumerate(steps, 1) if i % 5)
    gaps = [step / laid["pitch"] - 1 for i, step in enumerate(steps, 1) if i % 5 == 0]
    assert len(gaps) == 5
    assert all(0.4 <= gap <= 0.5 for gap in gaps)


def test_a_trail_is_drawn_in_fives_up_to_its_last_hole(look, program):
    fives = "async (hole) => (await import('/static/board/shapes.js')).fives(hole)"
    assert look(f"{program.url}/board", "tv").evaluate(fives, 12) == [[1, 5], [6, 10], [11, 12]]


def test_start_is_at_the_top_left_and_the_game_hole_at_the_bottom_left(lay):
    laid = lay()
    for lane, back in zip(laid["holes"], laid["back"], strict=True):
        assert back[0] < lane[0][0] < lane[1][0]
        assert back[1] == lane[0][1] == lane[1][1]
        assert lane[121][0] < lane[120][0]
    assert laid["holes"][0][121] == pytest.approx(laid["holes"][1][121])
    assert laid["holes"][1][120][1] < laid["holes"][0][121][1] < laid["holes"][0][120][1]


def test_lanes_keep_their_curve_so_their_order_turns_in_every_street(lay):
    one, two = lay()["holes"]
    assert [one[30 * s + 1][1] < two[30 * s + 1][1] for s in range(4)] == [True, False, True, False]


def test_gates_stand_in_the_turns_after_sixty_and_ninety(lay):
    laid = lay()
    skunk, double = laid["gates"]
    assert (skunk["word"], double["word"]) == ("skunk", "double skunk")
    for gate, hole in ((skunk, 90), (double, 60)):
        for lane in laid["holes"]:
            assert lane[hole][1] < gate["y1"] == gate["y2"] < lane[hole + 1][1]
    assert double["x2"] < laid["holes"][0][60][0]
    assert skunk["x1"] > laid["holes"][0][90][0]


def test_a_short_game_has_two_streets_and_its_gate_at_thirty(lay):
    laid = lay(358, 156, gameHole=61, skunkLines=[30])
    assert len({round(y) for _, y in laid["holes"][0][1:61]}) == 2
    assert laid["holes"][0][61][0] < laid["holes"][0][60][0]
    assert laid["gates"][0]["x1"] > laid["holes"][0][30][0]


@pytest.mark.parametrize(("size", "lanes", "straight"), some_combinations(SIZES, [1, 2, 3], [False, True]))
def test_pegs_of_any_board_stay_on_the_wood_and_off_each_other(lay, size, lanes, straight):
    width, height = size
    for game_hole in (31, 61, 100, 121):
        laid = lay(width, height, lanes=lanes, gameHole=game_hole, skunkLines=[], straight=straight)
        r = laid["pegR"]
        places = [place for lane in laid["holes"] for place in lane[:-1]] + [laid["holes"][0][-1]] + laid["back"]
        assert all(r <= x <= width - r and r <= y <= height - r for x, y in places)
        if not straight:
            apart = min(math.dist(a, b) for a, b in itertools.combinations(places, 2))
            assert apart > 2 * laid["holeR"]


PEGS = Path(__file__).with_name("holes_of_pegs.js").read_text("utf-8")
FLIGHT = Path(__file__).with_name("rear_peg_flight.js").read_text("utf-8")


def pegs(page):
    return page.evaluate(PEGS)


def test_pegs_stand_where_the_table_has_them(table, look):
    table.lay(*near_the_end(), dealer=1)
    board = look(f"{table.url}/board", "tv")
    assert pegs(board) == [[100, 112], [79, 87]]
    table.score(0, 9, "crib")
    expect(board.locator(".pill text")).to_have_text("+9")  # the peg has landed
    assert pegs(board) == [[112, 121], [79, 87]]
    assert board.locator(".rears .rear .bore").count() == 2
    assert board.locator(".fronts .rear").count() == 0


def test_the_rear_peg_leaps_over_the_front_peg(table, look):
    table.lay((0, 10, "play"), (0, 5, "play"))
    phone = look(table.url, holder=(0, "Ann"), motion="no-preference")
    phone.evaluate(FLIGHT)
    phone.get_by_role("button", name="8", exact=True).tap()
    expect(phone.locator(".mine .hero")).to_have_text("23")
    xs, ys, scales = zip(*phone.evaluate("() => window.flight"), strict=True)
    street = phone.evaluate("() => document.querySelector('.fronts .l0').transform.baseVal[0].matrix.f")
    assert all(b >= a - 0.01 for a, b in itertools.pairwise(xs))
    assert xs[0] < xs[len(xs) // 2] < xs[-1]
    assert max(scales) == pytest.approx(1.2)
    assert max(street - y for y in ys) > 8  # off its street, over the other peg
    assert pegs(phone)[0] == [15, 23]


def test_a_flight_lasts_by_its_length_and_never_longer_than_a_second(lay, program, browser):
    page = browser.new_page()
    page.goto(f"{program.url}/board")
    flight = "async ([ms, holes]) => (await import('/static/board/board_view.js')).flight(ms, holes)"
    lift, land = 90, 120
    for holes, travel in ((1, 394), (12, 548), (29, 786), (60, 900)):
        assert page.evaluate(flight, [lift + travel + land - 1, holes]) is not None
        assert page.evaluate(flight, [lift + travel + land + 1, holes]) is None
        assert page.evaluate(flight, [lift + travel / 2, holes])["scale"] == pytest.approx(1.2)
    page.close()


def test_without_motion_the_peg_is_simply_there(table, look):
    table.lay((0, 10, "play"))
    phone = look(table.url, holder=(0, "Ann"))
    phone.evaluate(FLIGHT)
    phone.get_by_role("button", name="5", exact=True).tap()
    expect(phone.locator(".hop.fading .hopline")).to_have_count(1)
    assert pegs(phone)[0] == [10, 15]
    assert phone.evaluate("() => window.flight") == []


def test_only_the_last_move_has_a_ghost_and_its_points(table, look):
    table.lay(*near_the_end(), dealer=1)
    board = look(f"{table.url}/board", "tv")
    expect(board.locator(".ghost.left")).to_have_count(1)
    expect(board.locator(".pill text")).to_have_text("+12")
    table.score(1, 2, "play")
    expect(board.locator(".pill text")).to_have_text("+2")
    expect(board.locator(".ghost.left")).to_have_count(1)
