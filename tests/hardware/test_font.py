"""Letters, digits, names and notices on few pixels."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.drawing import font
from hardware.drawing.digits import Cut, figure
from hardware.drawing.names import called, shortened
from hardware.drawing.notice import banner
from pegboard.core.board import Game
from pegboard.core.rules import Rules

CUTS = [Cut(6, 15, 2, 3, 2), Cut(6, 10, 2, 2, 1), Cut(15, 30, 4, 5, 4), Cut(7, 15, 2, 3, 2), Cut(5, 9, 2, 2, 1)]


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
    ],
)
def test_any_script_is_written_in_latin_capitals(text, letters):
    assert font.plain(text) == letters


@given(st.text(max_size=60))
def test_whatever_is_written_is_made_of_letters_that_there_are(text):
    assert set(font.plain(text)) <= set(font.LETTERS)
    assert font.written(font.plain(text)).height == 5


@pytest.mark.parametrize("cut", CUTS)
def test_every_score_is_written_differently(cut):
    assert len({figure(score, cut).tobytes() for score in range(362)}) == 362


@pytest.mark.parametrize("cut", CUTS)
def test_digits_are_as_large_as_they_are_cut_and_a_one_is_narrow(cut):
    assert figure(88, cut).size == (2 * cut.width + cut.gap, cut.height)
    assert figure(1, cut).size == (2 * cut.stem, cut.height)
    assert figure(88, cut).getbbox() == (0, 0, *figure(88, cut).size)


# --- names ----------------------------------------------------------------------------------------------------------

LONG = "MARIA DE LA CRUZ"


def test_name_that_fits_stays_whole():
    assert shortened(LONG, font.width(LONG)) == LONG


def test_name_that_does_not_fit_keeps_its_first_word_and_the_last_ones_initial():
    assert shortened(LONG, font.width(LONG) - 1) == "MARIA C."


def test_then_the_first_word_alone_then_its_first_part():
    assert shortened(LONG, font.width("MARIA")) == "MARIA"
    assert shortened("KARL-HEINZ MEYER", font.width("KARL-H")) == "KARL"


def test_then_dots_then_the_initial():
    assert shortened("WANGXIAOMING", font.width("WANGX...")) == "WANGX..."
    assert shortened("WANGXIAOMING", 8) == "W"


@given(st.text(max_size=60), st.integers(6, 128))
def test_shortened_name_fits_and_begins_as_the_name_does(name, room):
    letters = font.plain(name) or "LANE 1"
    short = shortened(letters, room)
    assert font.width(short) <= room
    assert short[0] == letters[0]


def test_lane_without_a_name_is_called_by_its_number():
    assert called(Game(), 1, 100) == "LANE 2"


def test_partners_share_the_room():
    game = Game(Rules.named("partners"), ("Ann", "Bob", "Maximiliane", "Dee"))
    assert called(game, 0, 100) == "ANN & MAXIMILIANE"
    assert font.width(called(game, 0, 50)) <= 50
    assert called(game, 0, 50).startswith("ANN & M")


# --- notices --------------------------------------------------------------------------------------------------------

ROOMS = [(103, 30), (86, 32), (128, 24), (128, 14)]


@pytest.mark.parametrize("most", ROOMS)
@given(sentence=st.text(max_size=300))
def test_any_notice_fits_its_room(most, sentence):
    for said in (sentence, f"NOT SAVED, {sentence}"):
        picture = banner(said, most)
        assert picture.width == most[0]
        assert picture.height <= most[1]


@pytest.mark.parametrize("most", ROOMS)
def test_long_notice_ends_after_a_whole_part(most):
    first = "Bob's hand is next"
    assert banner(f"{first}; {'it is counted before the crib ' * 5}", most).tobytes() == banner(first, most).tobytes()
