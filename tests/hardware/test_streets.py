"""The panel's picture, read back by where the mock-up put every hole."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware import font
from hardware.notice import banner
from hardware.streets import draw
from hardware.track import Track
from tests.hardware.table import table

ROWS = {
    ("standard", 1): [(8,), (24,), (40,), (56,)],
    ("standard", 2): [(4, 11), (20, 27), (36, 43), (52, 59)],
    ("standard", 3): [(3, 8, 13), (19, 24, 29), (35, 40, 45), (51, 56, 61)],
    ("short", 2): [(9, 23), (41, 55)],
}
"""The row of each lane in each street, measured in the mock-ups."""

COLUMNS = [
    9, 12, 15, 18, 21, 25, 28, 31, 34, 37, 41, 44, 47, 50, 53,
    57, 60, 63, 66, 69, 73, 76, 79, 82, 85, 89, 92, 95, 98, 101,
]  # fmt: skip
"""The columns of a street's holes: three apart, four after every fifth."""

VARIANT = {1: "solitaire", 2: "standard", 3: "three-handed"}


def spot(rows, lane, hole):
    """Where a hole between the start and the game hole lies; every second street runs back."""
    street, place = divmod(hole - 1, 30)
    return COLUMNS[place if street % 2 == 0 else 29 - place], rows[street][lane]


def around(picture, x, y):
    """The three columns and four rows that are a peg's in every layout."""
    return [[int(bool(picture.getpixel((x + dx, y + dy)))) for dx in (-1, 0, 1)] for dy in (-2, -1, 0, 1)]


SOLID = [[1, 1, 1]] * 4


def is_hollow(pixels):
    """A rim round an empty middle; the lowest row is the rim's where pegs are four rows high."""
    return pixels[0] == [1, 1, 1] and pixels[1] == pixels[2] == [1, 0, 1]


pegs = st.tuples(st.integers(1, 110), st.integers(4, 10)).map(lambda p: (p[0] + p[1], p[0]))


@pytest.mark.parametrize("lanes", [1, 2, 3])
@given(data=st.data())
def test_pegs_are_read_back_from_the_picture(lanes, data):
    fronts = [data.draw(pegs) for _ in range(lanes)]
    picture, rows = draw(table(*fronts, variant=VARIANT[lanes])), ROWS["standard", lanes]
    for lane, (front, rear) in enumerate(fronts):
        assert around(picture, *spot(rows, lane, front)) == SOLID
        assert is_hollow(around(picture, *spot(rows, lane, rear)))


@given(st.integers(1, 50), st.integers(4, 10))
def test_pegs_of_a_short_game_are_read_back(rear, points):
    picture, rows = draw(table((0, 0), (rear + points, rear), variant="short")), ROWS["short", 2]
    assert around(picture, *spot(rows, 1, rear + points)) == SOLID
    assert is_hollow(around(picture, *spot(rows, 1, rear)))


@pytest.mark.parametrize(("variant", "lanes"), ROWS)
def test_every_hole_of_an_empty_board_is_a_lit_pixel_of_its_own(variant, lanes):
    track = Track(lanes, 61 if variant == "short" else 121)
    picture = draw(table(*[(0, 0)] * lanes, variant=variant if variant == "short" else VARIANT[lanes]))
    rows = ROWS[variant, lanes]
    holes = [(lane, hole) for lane in range(lanes) for hole in range(1, track.game_hole)]
    assert [track.hole_at(*hole) for hole in holes] == [spot(rows, *hole) for hole in holes]
    assert all(picture.getpixel(track.hole_at(*hole)) for hole in holes)
    assert len({track.hole_at(*hole) for hole in holes}) == len(holes)


def test_both_pegs_wait_in_the_start_holes():
    picture = draw(table((0, 0), (0, 0)))
    assert is_hollow(around(picture, 2, 4))
    assert around(picture, 5, 4)[1] == [1, 1, 1]


def test_after_the_first_score_the_rear_peg_stands_in_the_front_start_hole():
    picture = draw(table((6, 0), (0, 0)))
    assert is_hollow(around(picture, 5, 4))
    assert picture.getpixel((2, 4))
    assert around(picture, 25, 4) == SOLID


def test_line_runs_behind_the_rear_peg_only():
    picture = draw(table((40, 35), (0, 0)))
    assert all(picture.getpixel((x, 4)) for x in range(9, 102)), "the first street is behind"
    assert all(picture.getpixel((x, 20)) for x in range(COLUMNS[25] + 3, 102)), "hole 35 is the fifth from the right"
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


def test_skunk_lines_are_whole_gates_and_the_first_turn_is_dotted():
    picture = draw(table((0, 0), (0, 0)))
    assert gate(picture, 103, 4, 27) == 0.5, "30|31"
    assert gate(picture, 7, 20, 43) == 1, "60|61"
    assert gate(picture, 103, 36, 59) == 1, "90|91"


def test_short_games_only_turn_is_its_skunk_line():
    assert gate(draw(table((0, 0), (0, 0), variant="short")), 103, 9, 55) == 1


def test_solitaire_has_no_skunk_line():
    assert gate(draw(table((0, 0), variant="solitaire")), 103, 40, 56) < 0.6


def holds(picture, letters, x, y):
    part = picture.crop((x, y, x + letters.width, y + letters.height))
    return part.tobytes() == letters.tobytes()


def test_gates_say_how_many_skunks_wait_before_them():
    picture, s = draw(table((0, 0), (0, 0))), font.written("S")
    assert holds(picture, s, 103, 30)
    assert holds(picture, s, 1, 25)
    assert holds(picture, s, 1, 32)


@pytest.mark.parametrize("lanes", [2, 3])
def test_score_of_three_digits_stays_clear_of_the_gate(lanes):
    picture = draw(table((121, 109), *[(110, 100)] * (lanes - 1), variant=VARIANT[lanes], winner=0))
    assert not any(picture.getpixel((x, y)) for x in (105, 106) for y in (0, 1, 8, 23, 34, 44, 47))


def test_dialled_amount_stands_inverted_in_place_of_the_last_points():
    assert holds(draw(table((20, 8), (0, 0))), font.written("+12"), 117, 17)
    assert holds(draw(table((20, 8), (0, 0), dialled=(7, 0))), font.badge("+7"), 119, 16)


def test_d_stands_by_the_dealer():
    for dealer, row in ((0, 16), (1, 49)):
        picture = draw(table((0, 0), (0, 0), dealer=dealer))
        assert holds(picture, font.badge("D"), 107, row)
        assert not holds(picture, font.badge("D"), 107, 65 - row)


def test_loser_is_marked_with_an_s_for_each_skunk():
    assert holds(draw(table((121, 109), (89, 80), skunks=(0, 1), winner=0)), font.badge("S"), 123, 56)
    assert holds(draw(table((60, 48), (121, 109), skunks=(2, 0), winner=1)), font.badge("SS"), 119, 23)


def test_games_won_are_squares_and_a_bar_for_five():
    picture = draw(table((0, 0), (0, 0), won=(3, 6)))
    assert [bool(picture.getpixel((x, 26))) for x in range(107, 119)] == [True, True, True, False] * 3
    assert [bool(picture.getpixel((x, 59))) for x in range(107, 117)] == [True] * 5 + [False] + [True] * 3 + [False]


def test_notice_leaves_every_score_and_the_first_two_streets_in_sight():
    long = "Ann was moved by another door meanwhile; press a key of the lane to peg it, or UNDO to drop it, as you like"
    quiet, loud = draw(table((20, 8), (3, 0))), draw(table((20, 8), (3, 0), notice=long))
    assert loud.crop((0, 0, 128, 34)).tobytes() == quiet.crop((0, 0, 128, 34)).tobytes()
    assert loud.crop((104, 0, 128, 64)).tobytes() == quiet.crop((104, 0, 128, 64)).tobytes()
    assert loud.tobytes() != quiet.tobytes()


@given(st.text(max_size=300))
def test_any_notice_fits_the_banner(sentence):
    picture = banner(sentence)
    assert picture.width == 103
    assert picture.height <= 30


def test_long_notice_ends_after_a_whole_part():
    first = "Bob's hand is next"
    assert banner(f"{first}; {'it is counted before the crib ' * 5}").tobytes() == banner(first).tobytes()


def test_every_letter_has_five_rows_of_equal_width():
    for shape in font.LETTERS.values():
        assert len(shape.split("/")) == 5
        assert len({len(row) for row in shape.split("/")}) == 1


def test_every_score_is_written_differently():
    assert len({font.figure(score, 3).tobytes() for score in range(122)}) == 122


def test_drawing_takes_less_than_a_millisecond_and_a_half():
    view = table((103, 97), (88, 80), (41, 40), variant="three-handed")
    spent = []
    for _ in range(50):
        started = time.perf_counter()
        draw(view)
        spent.append(time.perf_counter() - started)
    assert sorted(spent)[25] < 0.0015
