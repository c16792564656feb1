"""The track is a cribbage board: four streets of thirty, or rows gone around twice; fives apart; pegs that fly."""

import itertools
import math

import pytest

SIZES = [(358, 156), (328, 66), (1148, 234), (1380, 543), (1240, 204)]

LAY = """async ({width, height, lanes, gameHole, skunkLines, straight, classic}) => {
    const {layTrack, spot} = await import('/static/board/shapes.js');
    const track = classic ? (await import('/static/board/classic_track.js')).layClassic : layTrack;
    const ground = track({width, height, lanes, gameHole, skunkLines, straight});
    if (!ground) return null;
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


# --- a classic board ---

ROOMS = [(328, 98), (358, 156), (992, 162), (1380, 543), (1380, 650), (1240, 204)]
"""The slab of a phone, a tablet, a TV and the bench."""


def laps(game_hole):
    return [range(first, min(first + 60, game_hole)) for first in range(1, game_hole, 60)]


@pytest.mark.parametrize("lanes", [1, 2, 3, 4])
def test_classic_lanes_go_down_the_outside_and_up_the_inside(lay, lanes):
    """The outer row of the upper lanes lies above the inner one, that of the lower lanes below it."""
    laid = lay(1380, 650, lanes=lanes, classic=True)
    for number, lane in enumerate(laid["holes"]):
        outer, inner = lane[1:31], lane[31:61]
        assert [x for x, _ in outer] == sorted(x for x, _ in outer)
        assert [x for x, _ in inner] == sorted((x for x, _ in inner), reverse=True)
        assert [x for x, _ in inner] == pytest.approx([x for x, _ in outer[::-1]])
        (above,), (below,) = ({round(y, 3) for _, y in row} for row in (outer, inner))
        assert (above < below) is (number < (lanes + 1) // 2)


@pytest.mark.parametrize("game_hole", [31, 61, 100, 121, 181, 361])
def test_each_lap_has_the_same_holes_and_all_games_end_in_the_same_game_hole(lay, game_hole):
    laid = lay(1380, 650, gameHole=game_hole, skunkLines=[], classic=True)
    for lane in laid["holes"]:
        first, *others = laps(game_hole)
        for lap in others:
            for hole, same in zip(lap, first, strict=False):
                assert lane[hole] == pytest.approx(lane[same])
        assert lane[game_hole] == pytest.approx(lay(1380, 650, classic=True)["holes"][0][121])


@pytest.mark.parametrize(("size", "lanes"), list(itertools.product(ROOMS, [1, 2, 3, 4])))
def test_pegs_of_a_classic_board_stay_on_the_wood_and_off_each_other(lay, size, lanes):
    width, height = size
    for game_hole in (31, 61, 100, 121):
        laid = lay(width, height, lanes=lanes, gameHole=game_hole, skunkLines=[90, 60], classic=True)
        if laid is None:
            assert height / lanes < 30, "only where nothing could be written between rows"
            continue
        r = laid["pegR"]
        places = [lane[hole] for lane in laid["holes"] for hole in range(min(61, game_hole))]
        places += [laid["holes"][0][-1], *laid["back"]]
        assert all(r <= x <= width - r and r <= y <= height - r for x, y in places)
        assert min(math.dist(a, b) for a, b in itertools.combinations(places, 2)) > 2 * laid["holeR"]
        assert all(0 < gate[x] < width for gate in laid["gates"] for x in ("x1", "x2"))


def test_skunk_gates_of_a_classic_board_lie_across_the_ends_of_every_lane(lay):
    laid = lay(1380, 650, classic=True)
    skunk, double = laid["gates"][:2], laid["gates"][2:]
    assert [gate["word"] for gate in laid["gates"]] == ["skunk"] * 2 + ["double skunk"] * 2
    for number, lane in enumerate(laid["holes"]):
        assert skunk[number]["x1"] > lane[90][0]
        assert double[number]["x1"] < lane[60][0]
        for gate in (skunk[number], double[number]):
            low, high = sorted((lane[1][1], lane[60][1]))
            assert low < gate["y1"] == gate["y2"] < high


def test_trail_of_a_later_lap_is_drawn_in_its_own_fives(scripts):
    fives = "async (hole) => (await import('/static/board/shapes.js')).fives(hole, 60)"
    assert scripts.evaluate(fives, 67) == [[61, 65], [66, 67]]
    assert scripts.evaluate(fives, 60) == []
