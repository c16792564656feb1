"""The streets, read back by where every hole lies: rows and columns are written out here."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.oled.drawing import font
from hardware.oled.drawing.draw import Style, draw
from hardware.oled.drawing.track_in_pixels import Track
from pegboard.core.rules import Rules
from tests.support.lit_pixels import stands_in
from tests.support.views import table

ROWS = {
    ("standard", 1): [(11,), (27,), (43,), (59,)],
    ("standard", 2): [(4, 11), (20, 27), (36, 43), (52, 59)],
    ("standard", 3): [(3, 8, 13), (19, 24, 29), (35, 40, 45), (51, 56, 61)],
    ("short", 2): [(11, 20), (43, 52)],
}
"""The row of each lane in each street; where pegs are tall they lie in as few of the panel's pages as may be."""

COLUMNS = [
    8, 11, 14, 17, 20, 24, 27, 30, 33, 36, 40, 43, 46, 49, 52,
    56, 59, 62, 65, 68, 72, 75, 78, 81, 84, 88, 91, 94, 97, 100,
]  # fmt: skip
"""The columns of a street's holes: three apart, four after every fifth."""

VARIANT = {1: "solitaire", 2: "standard", 3: "three-handed"}

HEIGHTS = {("standard", 1): (3, 4), ("standard", 2): (2, 2), ("standard", 3): (2, 1), ("short", 2): (3, 3)}
"""Rows of a peg above and below its hole: as tall as the lanes lie apart."""


def spot(rows, lane, hole):
    """Where a hole between the start and the game hole lies; every second street runs back."""
    street, place = divmod(hole - 1, 30)
    return COLUMNS[place if street % 2 == 0 else 29 - place], rows[street][lane]


def around(picture, at, height):
    """The three columns and the rows that are a peg's."""
    (x, y), (up, down) = at, height
    return [[int(bool(picture.getpixel((x + dx, y + dy)))) for dx in (-1, 0, 1)] for dy in range(-up, down + 1)]


def is_solid(pixels):
    return all(row == [1, 1, 1] for row in pixels)


def is_hollow(pixels):
    """A rim round an empty middle."""
    return pixels[0] == pixels[-1] == [1, 1, 1] and all(row == [1, 0, 1] for row in pixels[1:-1])


def peg_pairs(last):
    return st.tuples(st.integers(1, last - 1), st.integers(1, 29)).map(lambda p: (min(p[0] + p[1], last), p[0]))


@pytest.mark.parametrize("lanes", [1, 2, 3])
@given(data=st.data())
def test_pegs_are_read_back_from_the_picture(lanes, data):
    pegs = [data.draw(peg_pairs(120)) for _ in range(lanes)]
    picture, key = draw(table(*pegs, variant=VARIANT[lanes])), ("standard", lanes)
    for lane, (front, rear) in enumerate(pegs):
        assert is_solid(around(picture, spot(ROWS[key], lane, front), HEIGHTS[key]))
        assert is_hollow(around(picture, spot(ROWS[key], lane, rear), HEIGHTS[key]))


@given(st.data())
def test_pegs_of_a_short_game_are_taller_and_read_back(data):
    key, pegs = ("short", 2), [data.draw(peg_pairs(60)) for _ in range(2)]
    picture = draw(table(*pegs, variant="short"))
    for lane, (front, rear) in enumerate(pegs):
        assert is_solid(around(picture, spot(ROWS[key], lane, front), HEIGHTS[key]))
        assert is_hollow(around(picture, spot(ROWS[key], lane, rear), HEIGHTS[key]))


@pytest.mark.parametrize(("variant", "lanes"), ROWS)
def test_every_hole_of_an_empty_board_is_a_lit_pixel_of_its_own(variant, lanes):
    track = Track(lanes, 61 if variant == "short" else 121)
    picture = draw(table(*[(0, 0)] * lanes, variant=variant if variant == "short" else VARIANT[lanes]))
    rows = ROWS[variant, lanes]
    holes = [(lane, hole) for lane in range(lanes) for hole in range(1, track.game_hole)]
    assert [track.hole_at(*hole) for hole in holes] == [spot(rows, *hole) for hole in holes]
    assert all(picture.getpixel(track.hole_at(*hole)) for hole in holes)
    assert len({track.hole_at(*hole) for hole in holes}) == len(holes)


@pytest.mark.parametrize(("variant", "lanes"), [key for key in ROWS if key[1] < 3])
def test_marks_of_ten_stand_between_the_fives_and_away_from_every_peg(variant, lanes):
    """Two in each street: between its tenth hole and the next, and its twentieth and the next."""
    named = variant if variant == "short" else VARIANT[lanes]
    picture = draw(table(*[(0, 0)] * lanes, variant=named))
    for rows in ROWS[variant, lanes]:
        up, down = HEIGHTS[variant, lanes]
        between = range(rows[0] + down + 1, rows[1] - up) if lanes == 2 else range(rows[0] - 8, rows[0] - up)
        marks = [(x, y) for x in range(7, 101) for y in between if picture.getpixel((x, y))]
        assert [x for x, _ in sorted(marks)] == [38, 70]


def test_both_pegs_wait_in_the_start_holes():
    picture = draw(table((0, 0), (0, 0)))
    assert is_hollow(around(picture, (1, 4), (2, 2)))
    assert is_solid(around(picture, (4, 4), (2, 2)))


def test_after_the_first_score_the_rear_peg_stands_in_the_front_start_hole():
    picture = draw(table((6, 0), (0, 0)))
    assert is_hollow(around(picture, (4, 4), (2, 2)))
    assert picture.getpixel((1, 4)), "the hole in which it has waited is empty"
    assert is_solid(around(picture, (24, 4), (2, 2)))


def test_line_runs_behind_the_rear_peg_only():
    picture = draw(table((40, 35), (0, 0)))
    assert all(picture.getpixel((x, 4)) for x in range(8, 101)), "the first street is behind"
    assert all(picture.getpixel((x, 20)) for x in range(COLUMNS[25] + 3, 101)), "hole 35 is the fifth from the right"
    assert not picture.getpixel((COLUMNS[24] + 1, 20)), "between the pegs are only holes"


@pytest.mark.parametrize(
    ("pegs", "variant"), [(((121, 110), (89, 80)), "standard"), (((121, 110), (0, 0), (0, 0)), "three-handed")]
)
def test_game_hole_is_filled_when_somebody_has_won(pegs, variant):
    middle = 55 if len(pegs) == 2 else 56
    box = [(x, y) for x in range(3, 5) for y in range(middle - 1, middle + 2)]
    assert all(draw(table(*pegs, variant=variant, winner=0)).getpixel(at) for at in box)
    assert not any(draw(table(*[(0, 0)] * len(pegs), variant=variant)).getpixel(at) for at in box)


def gate(picture, x, top, bottom):
    """What share of the bar between two rows is lit."""
    return sum(map(bool, (picture.getpixel((x, y)) for y in range(top, bottom + 1)))) / (bottom + 1 - top)


@pytest.mark.parametrize(("variant", "lanes"), [("standard", 2), ("three-handed", 3)])
def test_skunk_lines_are_whole_gates_and_the_first_turn_is_dotted(variant, lanes):
    picture, rows = draw(table(*[(0, 0)] * lanes, variant=variant)), ROWS["standard", lanes]
    assert 0.4 < gate(picture, 102, rows[0][0], rows[1][-1]) < 0.6, "30|31"
    assert gate(picture, 6, rows[1][0], rows[2][-1]) == 1, "60|61"
    assert gate(picture, 102, rows[2][0], rows[3][-1]) == 1, "90|91"


def test_short_games_only_turn_is_its_skunk_line():
    assert gate(draw(table((0, 0), (0, 0), variant="short")), 102, 11, 52) == 1


def test_solitaire_has_no_skunk_line():
    assert gate(draw(table((0, 0), variant="solitaire")), 102, 43, 59) < 0.6


def test_skunk_line_within_a_street_is_a_dotted_gate_between_its_holes():
    """Of 100 holes, 69 is the ninth hole of the third street, 39 the ninth of the second, which runs back."""
    rules = Rules("hundred", game_hole=100, skunk_lines=(69, 39))
    picture = draw(table((0, 0), (0, 0), rules=rules))
    for line, street in ((69, 2), (39, 1)):
        rows = ROWS["standard", 2]
        here, there = spot(rows, 0, line)[0], spot(rows, 0, line + 1)[0]
        between = range(min(here, there) + 1, max(here, there))
        top, bottom = rows[street][0] + 1, rows[street][1] - 1
        assert max(gate(picture, x, top, bottom) for x in between) >= 0.5
        assert not any(gate(picture, x, top, bottom) for x in (here, there))


def shows(picture, letters, part=(0, 0, 128, 64)):
    """Whether the letters stand somewhere in a part of the panel: left, top, right, bottom."""
    return stands_in(picture.crop(part), letters)


@pytest.mark.parametrize(("variant", "lanes"), [("standard", 2), ("three-handed", 3)])
def test_gates_say_how_many_skunks_wait_before_them(variant, lanes):
    picture, s = draw(table(*[(0, 0)] * lanes, variant=variant)), font.render("S")
    third = ROWS["standard", lanes][2][0]
    middle = (ROWS["standard", lanes][1][0] + ROWS["standard", lanes][2][-1]) // 2
    assert shows(picture, s, (102, third - 8, 106, third)), "90|91"
    assert shows(picture, s, (0, middle - 9, 6, middle + 1)), "60|61: one"
    assert shows(picture, s, (0, middle, 6, middle + 9)), "60|61: two"


@pytest.mark.parametrize("lanes", [2, 3])
def test_score_of_three_digits_stays_clear_of_the_gate(lanes):
    """The gate stands in column 102, its S reaches column 104."""
    picture = draw(table((120, 109), *[(108, 100)] * (lanes - 1), variant=VARIANT[lanes]))
    assert not any(picture.getpixel((x, y)) for x in (105, 106) for y in range(64))


BLOCKS = {2: [(0, 32), (32, 64)], 3: [(0, 21), (21, 42), (42, 64)]}
"""The rows in which each lane's figures stand."""


@pytest.mark.parametrize("lanes", [2, 3])
def test_dialled_amount_stands_inverted_in_place_of_the_last_points(lanes):
    others = [(0, 0)] * (lanes - 1)
    (top, bottom), *_ = BLOCKS[lanes]
    plain = draw(table((20, 8), *others, variant=VARIANT[lanes]))
    dialled = draw(table((20, 8), *others, variant=VARIANT[lanes], dialled=(7,) + (0,) * (lanes - 1)))
    assert shows(plain, font.render("+12"), (107, top, 128, bottom))
    assert shows(dialled, font.badge("+7"), (107, top, 128, bottom))
    assert not shows(dialled, font.render("+12"), (107, top, 128, bottom))


@pytest.mark.parametrize("lanes", [2, 3])
def test_d_stands_by_the_dealer(lanes):
    for dealer in range(lanes):
        picture = draw(table(*[(0, 0)] * lanes, variant=VARIANT[lanes], dealer=dealer))
        for lane, (top, bottom) in enumerate(BLOCKS[lanes]):
            assert shows(picture, font.badge("D"), (107, top, 128, bottom)) == (lane == dealer)


@pytest.mark.parametrize("lanes", [2, 3])
def test_loser_is_marked_with_an_s_for_each_skunk(lanes):
    pegs = [(121, 109), (60, 48), (89, 80)][:lanes]
    picture = draw(table(*pegs, variant=VARIANT[lanes], skunks=(0, 2, 1)[:lanes], winner=0))
    for lane, skunks in enumerate((0, 2, 1)[:lanes]):
        top, bottom = BLOCKS[lanes][lane]
        seen = [n for n in (2, 1) if shows(picture, font.badge("S" * n), (107, top, 128, bottom))]
        assert seen[:1] == ([skunks] if skunks else [])


def test_games_won_are_squares_a_bar_for_five_and_a_number_beyond():
    picture = draw(table((0, 0), (0, 0), won=(3, 6)))
    assert [bool(picture.getpixel((x, 26))) for x in range(108, 120)] == [True, True, True, False] * 3
    assert [bool(picture.getpixel((x, 58))) for x in range(108, 118)] == [True] * 5 + [False] + [True] * 3 + [False]
    assert shows(draw(table((0, 0), (0, 0), won=(24, 0))), font.render("24"), (107, 0, 128, 32))


def test_notice_leaves_every_score_and_the_first_two_streets_in_sight():
    long = "Ann was moved by another door meanwhile; press a key of the lane to peg it, or UNDO to drop it, as you like"
    quiet, loud = draw(table((20, 8), (3, 0))), draw(table((20, 8), (3, 0), notice=long))
    assert loud.crop((0, 0, 128, 33)).tobytes() == quiet.crop((0, 0, 128, 33)).tobytes()
    assert loud.crop((106, 0, 128, 64)).tobytes() == quiet.crop((106, 0, 128, 64)).tobytes()
    assert loud.tobytes() != quiet.tobytes()


@pytest.mark.parametrize("game_hole", [151, 181, 241, 361])
@pytest.mark.parametrize("lanes", [1, 2, 3])
def test_longer_tracks_have_room_for_every_hole(lanes, game_hole):
    rules = Rules("longer", seats=lanes, lanes=lanes, game_hole=game_hole, skunk_lines=(game_hole - 31,))
    far = draw(table(*[(game_hole - 1, game_hole - 20)] * lanes, rules=rules))
    near = draw(table(*[(game_hole - 1, game_hole - 19)] * lanes, rules=rules))
    assert far.crop((0, 0, 106, 64)).tobytes() != near.crop((0, 0, 106, 64)).tobytes(), "a hole further is seen"


# --- 128 x 32 -------------------------------------------------------------------------------------------------------

LOW = Style((128, 32))


@pytest.mark.parametrize("lanes", [2, 3])
def test_low_panel_has_two_streets_so_that_the_double_skunk_gate_is_its_turn(lanes):
    picture = draw(table(*[(0, 0)] * lanes, variant=VARIANT[lanes]), LOW)
    bars = [x for x in range(60, 86) if sum(bool(picture.getpixel((x, y))) for y in range(32)) > 20]
    assert len(bars) == 1
    assert shows(picture, font.render("S"), (bars[0] + 1, 0, bars[0] + 8, 32))


def test_rear_peg_of_three_lanes_on_the_low_panel_is_one_mark():
    """Two dots below the trail look like two pegs, or like a gate beside one."""
    picture = draw(table((41, 20), (0, 0), (0, 0), variant=VARIANT[3]), LOW)
    trail = max(range(10), key=lambda y: sum(bool(picture.getpixel((x, y))) for x in range(60)))
    below = [x for x in range(60) if picture.getpixel((x, trail + 1))]
    assert below == [below[0], below[0] + 1, below[0] + 2]


@pytest.mark.parametrize("lanes", [2, 3])
def test_low_panel_keeps_score_points_dealer_and_dialled_amount(lanes):
    others = (0,) * (lanes - 1)
    picture = draw(table((87, 75), *[(0, 0)] * (lanes - 1), variant=VARIANT[lanes], dialled=(0, 7, *others[1:])), LOW)
    assert shows(picture, font.render("+12"), (86, 0, 128, 32))
    assert shows(picture, font.badge("+7"), (86, 0, 128, 32))
    assert shows(picture, font.badge("D"), (86, 0, 128, 32))
