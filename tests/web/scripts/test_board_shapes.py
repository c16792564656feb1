"""The track is a cribbage board: four streets of thirty, fives apart, lanes side by side; pegs that fly."""

import itertools
import math

import pytest

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
def lay(scripts):
    """Lay a track; answers where each hole of each lane is."""

    def lay(width=1380, height=543, **more):
        asked = {"width": width, "height": height, "lanes": 2, "gameHole": 121, "skunkLines": [90, 60]}
        return scripts.evaluate(LAY, asked | {"straight": False} | more)

    return lay


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


def test_a_trail_is_drawn_in_fives_up_to_its_last_hole(scripts):
    fives = "async (hole) => (await import('/static/board/shapes.js')).fives(hole)"
    assert scripts.evaluate(fives, 12) == [[1, 5], [6, 10], [11, 12]]


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


@pytest.mark.parametrize(("size", "lanes", "straight"), list(itertools.product(SIZES, [1, 2, 3, 4], [False, True])))
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


def test_a_flight_lasts_by_its_length_and_never_longer_than_a_second(scripts):
    flight = "async ([ms, holes]) => (await import('/static/board/board_view.js')).flight(ms, holes)"
    lift, land = 90, 120
    for holes, travel in ((1, 394), (12, 548), (29, 786), (60, 900)):
        assert scripts.evaluate(flight, [lift + travel + land - 1, holes]) is not None
        assert scripts.evaluate(flight, [lift + travel + land + 1, holes]) is None
        assert scripts.evaluate(flight, [lift + travel / 2, holes])["scale"] == pytest.approx(1.2)
