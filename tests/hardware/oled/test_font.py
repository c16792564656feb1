"""Letters, digits, names and notices on few pixels."""

import importlib
import pkgutil
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.oled import drawing
from hardware.oled.drawing import font
from hardware.oled.drawing.banner import render as render_banner
from hardware.oled.drawing.font import lane_label, shorten
from hardware.oled.drawing.score_block import DigitStyle, draw_number
from pegboard.core.board import Game
from pegboard.core.rules import Rules
from pegboard.messages import Message

CUTS = [
    DigitStyle(6, 15, 2, 3, 2),
    DigitStyle(6, 10, 2, 2, 1),
    DigitStyle(15, 30, 4, 5, 4),
    DigitStyle(7, 15, 2, 3, 2),
    DigitStyle(5, 9, 2, 2, 1),
]


def test_every_letter_has_five_rows_of_equal_width():
    for shape in font.LETTERS.values():
        assert len(shape.split("/")) == 5
        assert len({len(row) for row in shape.split("/")}) == 1


def test_no_two_letters_look_alike():
    assert len(set(font.LETTERS.values())) == len(font.LETTERS)


def test_every_sign_of_a_keyboard_has_a_letter():
    assert set(string.printable.upper()) - set(string.whitespace) <= set(font.LETTERS)


@pytest.mark.parametrize(
    ("text", "letters"),
    [
        ("Łukasz", "LUKASZ"),
        ("Ольга", "OL'GA"),
        ("王小明", "WANGXIAOMING"),
        ("José", "JOSE"),
        ("<script>alert(1)</script>", "<SCRIPT>ALERT(1)</SCRIPT>"),
        ("two\nlines\t and  gaps ", "TWO LINES AND GAPS"),
        ("wait…", "WAIT..."),
        ("Ann 😀", "ANN GRINNING"),
        ("👨👩", "MAN WOMAN"),
        ("10\uff1a30", "10:30"),
    ],
)
def test_any_script_is_written_in_latin_capitals(text, letters):
    assert font.to_panel_letters(text) == letters


@given(st.text(max_size=60))
def test_whatever_is_written_is_made_of_letters_that_there_are(text):
    assert set(font.to_panel_letters(text)) <= set(font.LETTERS)
    assert font.render(font.to_panel_letters(text)).height == 5


@pytest.mark.parametrize("cut", CUTS)
def test_every_score_is_written_differently(cut):
    assert len({draw_number(score, cut).tobytes() for score in range(362)}) == 362


@pytest.mark.parametrize("cut", CUTS)
def test_digits_are_as_large_as_they_are_cut_and_a_one_is_narrow(cut):
    assert draw_number(88, cut).size == (2 * cut.width + cut.gap, cut.height)
    assert draw_number(1, cut).size == (2 * cut.stem, cut.height)
    assert draw_number(121, cut, close=True).width == 4 * cut.stem + 2 * cut.gap + cut.width
    assert draw_number(100, cut).width == 2 * cut.stem + 2 * (cut.gap + cut.width)
    assert draw_number(88, cut).getbbox() == (0, 0, *draw_number(88, cut).size)


@pytest.mark.parametrize("cut", CUTS)
def test_digit_that_stays_does_not_move(cut):
    """From 70 to 71 the 7 is as it was, from 81 to 101 the last 1."""
    for one, other, left in ((70, 71, True), (77, 78, True), (81, 101, False), (9, 19, False)):
        both = [right_part(draw_number(score, cut), 2 * cut.width + cut.gap) for score in (one, other)]
        box = (0, 0, cut.width, cut.height) if left else (cut.width + cut.gap, 0, 2 * cut.width + cut.gap, cut.height)
        assert both[0].crop(box).tobytes() == both[1].crop(box).tobytes()


def right_part(picture, columns):
    return picture.crop((picture.width - columns, 0, picture.width, picture.height))


@pytest.mark.parametrize("waist", [8, 10])
def test_middle_bar_lies_where_it_is_cut(waist):
    """A 4 is whole across only there; an 8 above it has its left and right stems alone."""
    cut = DigitStyle(15, 30, 4, 6, 4, waist)
    four = draw_number(4, cut)
    whole = [y for y in range(30) if all(four.getpixel((x, y)) for x in range(15))]
    assert whole == list(range(waist, waist + 6))


# --- names ----------------------------------------------------------------------------------------------------------

LONG = "MARIA DE LA CRUZ"


def test_name_that_fits_stays_whole():
    assert shorten(LONG, font.width(LONG)) == LONG


def test_name_that_does_not_fit_keeps_its_first_word_and_the_last_ones_initial():
    assert shorten(LONG, font.width(LONG) - 1) == "MARIA C."


def test_then_the_first_word_alone_then_its_first_part():
    assert shorten(LONG, font.width("MARIA")) == "MARIA"
    assert shorten("KARL-HEINZ MEYER", font.width("KARL-H")) == "KARL"


def test_then_dots_then_the_initial():
    assert shorten("WANGXIAOMING", font.width("WANGX...")) == "WANGX..."
    assert shorten("WANGXIAOMING", 8) == "W"


@given(st.text(max_size=60), st.integers(6, 128))
def test_shortened_name_fits_and_begins_as_the_name_does(name, room):
    letters = font.to_panel_letters(name) or "LANE 1"
    short = shorten(letters, room)
    assert font.width(short) <= room
    assert short[0] == letters[0]


def test_lane_without_a_name_is_called_by_its_number():
    assert lane_label(Game(), 1, 100) == "LANE 2"


def test_partners_share_the_room():
    game = Game(Rules.named("partners"), ("Ann", "Bob", "Maximiliane", "Dee"))
    assert lane_label(game, 0, 100) == "ANN & MAXIMILIANE"
    assert font.width(lane_label(game, 0, 50)) <= 50
    assert lane_label(game, 0, 50).startswith("ANN & M")


def test_partners_are_dotted_both_or_neither():
    """MAXIMILIAN's half would be MA..., which says no more than M."""
    game = Game(Rules.named("partners"), ("Maximilian", "Bob", "Alexandria", "Dee"))
    seen = {lane_label(game, 0, room) for room in range(20, 100)}
    assert "M & A" in seen
    assert all(name.count("...") in (0, 2) for name in seen if name != "MAXIMILIAN & ALEXANDRIA"), seen


def test_partner_with_a_short_name_keeps_it_beside_an_initial():
    game = Game(Rules.named("partners"), ("Maximilian", "Bob", "Ann", "Dee"))
    assert lane_label(game, 0, 40) == "M & ANN"


def test_name_of_dashes_alone_keeps_one():
    assert shorten("---", 12) == "---"
    assert shorten("---", 5) == "-"
    assert shorten("--- MEYER", 15) == "---"


# --- notices --------------------------------------------------------------------------------------------------------

ROOMS = [(102, 30), (85, 31), (126, 23), (126, 13)]


@pytest.mark.sampled(least=2)
@pytest.mark.parametrize("most", ROOMS)
@given(sentence=st.text(max_size=300))
def test_any_notice_fits_its_room(most, sentence):
    for said in (sentence, Message("not_saved", fault=sentence)):
        picture = render_banner(said, most)
        assert picture.width == most[0]
        assert picture.height <= most[1]


@pytest.mark.parametrize("most", ROOMS)
def test_long_notice_ends_after_a_whole_part(most):
    first = "Bob's hand is next"
    assert (
        render_banner(f"{first}; {'it is counted before the crib ' * 5}", most).tobytes()
        == render_banner(first, most).tobytes()
    )


def test_so_few_pictures_are_cached_that_all_are_there_after_some_minutes():
    """Memory must not grow for an hour of play; to draw one again takes some 20 us."""
    modules = [
        importlib.import_module(f"{drawing.__name__}.{each.name}") for each in pkgutil.iter_modules(drawing.__path__)
    ]
    cached = {each for module in modules for each in vars(module).values() if hasattr(each, "cache_parameters")}
    assert {font.render, draw_number} <= cached
    assert {
        each.__name__: each.cache_parameters()["maxsize"] for each in cached if each.cache_parameters()["maxsize"] > 128
    } == {}
