"""The screens of a finished game, and the invitation."""

from dataclasses import replace

import pytest
import segno
from hypothesis import given, settings
from hypothesis import strategies as st

import pegboard
from hardware.oled.drawing import font, join_screen
from hardware.oled.drawing.draw import Style, draw
from hardware.oled.drawing.game_over_screen import LARGE, LARGEST, SMALL
from hardware.oled.drawing.score_block import draw_number
from pegboard.core.house_rules import with_house_rules
from pegboard.core.match import Match
from pegboard.core.position import Outcome
from pegboard.core.rules import Rules
from pegboard.core.view import Invitation, View
from tests.support.lit_pixels import LOOKS, figures_alone, lit, look_called, plan_of, stands_in
from tests.support.long_runs import some_of
from tests.support.views import table

HIGH, LOW = Style(), Style((128, 32))
URL = "http://192.168.1.23:8080/"
PEGS = ((121, 116), (89, 81), (60, 55))

every_panel = pytest.mark.parametrize("look", [HIGH, LOW], ids=["128x64", "128x32"])


def tells(picture, letters):
    """Whether the letters stand somewhere, in white on black or in black on white."""
    turned = letters.point(lambda pixel: 255 - pixel)
    return any(stands_in(picture, part) for part in (letters, turned))


def ended(*pegs, players=("Ann", "Bob", "Cy", "Dee"), form="open", counted=None, match_winner=None, **more):
    view = table(*pegs, winner=0, **more)
    match = replace(view.match, format=form, counted=counted or view.match.counted, winner=match_winner)
    game = replace(view.game, players=players[: view.game.rules.seats])
    return replace(view, game=game, match=match)


@every_panel
def test_winners_name_stands_large_across_the_top(look):
    assert tells(draw(ended(*PEGS[:2]), look, ending=True), font.render_large("ANN WINS"))


@every_panel
@pytest.mark.parametrize(("skunks", "words"), [(1, "SKUNK"), (2, "DOUBLE SKUNK"), (3, "TRIPLE SKUNK")])
def test_skunk_is_told_by_its_name(look, skunks, words):
    picture = draw(ended(*PEGS[:2], skunks=(0, skunks)), look, ending=True)
    assert tells(picture, font.render_large(words) if look is HIGH else font.render(words + ","))


LURCH = with_house_rules(Rules.named("standard"), ["skunks=lurch"])
"""One line at the half; who has not passed it is in the lurch."""


@every_panel
def test_lurch_is_told_by_its_name(look):
    picture = draw(ended((121, 116), (48, 40), rules=LURCH, skunks=(0, 1)), look, ending=True)
    assert tells(picture, font.render_large("LURCH") if look is HIGH else font.render("LURCH,"))
    assert not tells(picture, font.render_large("SKUNK") if look is HIGH else font.render("SKUNK"))


@pytest.mark.parametrize("look", LOOKS, ids=look_called)
def test_loser_in_the_lurch_is_marked_with_an_l_on_the_board(look):
    over = table((121, 116), (48, 40), rules=LURCH, skunks=(0, 1), winner=0)
    marked = figures_alone(look, plan_of(look, LURCH), over, 1)
    assert tells(marked, font.badge("L"))
    assert not tells(marked, font.badge("S"))


def test_line_of_the_lurch_is_marked_with_an_l():
    lurch, skunk = (draw(table((0, 0), (0, 0), rules=rules)) for rules in (LURCH, Rules.named("standard")))
    beside = (0, 25, 6, 40)  # where holes 60 and 61 are
    assert tells(lurch.crop(beside), font.render("L"))
    assert not tells(lurch.crop(beside), font.render("S"))
    assert tells(skunk.crop(beside), font.render("S"))


@every_panel
@pytest.mark.parametrize("lanes", [2, 3])
def test_every_score_is_told(look, lanes):
    variant = {2: "standard", 3: "three-handed"}[lanes]
    for skunks, cut in (((0, 1, 0), LARGE), ((0, 0, 0), LARGEST)):
        picture = draw(ended(*PEGS[:lanes], variant=variant, skunks=skunks[:lanes]), look, ending=True)
        for front, _ in PEGS[:lanes]:
            assert tells(picture, draw_number(front, cut if look is HIGH else SMALL, close=True))


def test_three_scores_of_three_digits_are_written_smaller():
    picture = draw(ended((121, 116), (119, 110), (120, 108), variant="three-handed"), ending=True)
    assert all(tells(picture, draw_number(score, LARGE, close=True)) for score in (121, 119, 120))


@every_panel
@pytest.mark.parametrize(
    ("variant", "skunks", "words"),
    [
        ("standard", 0, "BY 32 HOLES"),
        ("standard", 1, "COUNTS AS 2 GAMES"),
        ("standard", 2, "COUNTS AS 3 GAMES"),
        ("acc", 0, "WORTH 2 GAME POINTS"),
        ("acc", 1, "WORTH 3 GAME POINTS"),
    ],
)
def test_what_the_win_is_worth_is_told(look, variant, skunks, words):
    """Match games count 1, 2, 3; the congress gives 2, 3, 3 game points."""
    picture = draw(ended(*PEGS[:2], variant=variant, skunks=(0, skunks)), look, ending=True)
    assert tells(picture, font.render(words))


@every_panel
def test_match_is_told_as_games_count_towards_its_end(look):
    view = ended(*PEGS[:2], form="best of 7", counted=(3, 2), won=(2, 2))
    assert tells(draw(view, look, ending=True), font.render("MATCH: ANN 3  BOB 2"))


def test_open_match_is_told_in_games_won_and_points_where_they_are_played_for():
    assert tells(draw(ended(*PEGS[:2], won=(2, 1)), ending=True), font.render("MATCH: ANN 2  BOB 1"))
    view = ended(*PEGS[:2], variant="acc", won=(2, 1))
    view = replace(view, match=replace(view.match, points=(5, 2)))
    assert tells(draw(view, ending=True), font.render("MATCH: ANN 5  BOB 2"))


def test_match_that_is_won_is_told_so():
    view = ended(*PEGS[:2], form="best of 3", counted=(2, 0), match_winner=0)
    assert tells(draw(view, ending=True), font.render("MATCH WON: ANN 2  BOB 0"))


def test_partners_win_together():
    assert tells(draw(ended(*PEGS[:2], variant="partners"), ending=True), font.render_large("ANN & CY WIN"))


@every_panel
def test_solitaire_that_fell_short_says_how_far_it_came(look):
    view = ended((88, 80), variant="solitaire")
    position = view.game.position._replace(outcome=Outcome(None, (0,)))
    picture = draw(replace(view, game=replace(view.game, positions=(position,))), look, ending=True)
    assert tells(picture, font.render_large("ANN FELL SHORT"))
    assert tells(picture, font.render("88 OF 121 HOLES"))


@every_panel
def test_game_that_goes_on_shows_the_board_instead(look):
    view = table((87, 75), (64, 58))
    assert draw(view, look, ending=True).tobytes() == draw(view, look).tobytes()


@every_panel
def test_notice_is_never_hidden_behind_the_ending(look):
    view = replace(ended(*PEGS[:2]), notice="Ann has won: DEAL starts the next game, UNDO goes back")
    assert draw(view, look, ending=True).tobytes() == draw(view, look).tobytes()


@every_panel
@given(names=st.lists(st.text(max_size=60), min_size=3, max_size=3), skunks=st.integers(0, 3), won=st.integers(0, 99))
@settings(max_examples=some_of(60))
def test_no_name_or_tally_pushes_another_line_off_the_panel(look, names, skunks, won):
    view = ended(*PEGS, players=tuple(names), variant="three-handed", skunks=(0, skunks, 0), won=(won, 99, 1))
    picture = draw(view, look, ending=True)
    edges = lit(picture.crop((0, 14, 1, look.size[1]))) | lit(picture.crop((127, 14, 128, look.size[1])))
    assert not edges


def test_played_game_is_shown_as_it_was_played():
    game = pegboard.new_game(Rules.named("standard"), players=("Ann", "Bob"))
    for lane, points in [(1, 29)] * 3 + [(0, 29)] * 5:
        if game.outcome is None:
            game = pegboard.play(game, pegboard.Score(points, lane=lane))
    picture = draw(View(game, Match(games_won=(1, 0), counted=(2, 0))), ending=True)
    assert tells(picture, font.render_large("SKUNK"))
    assert tells(picture, font.render("COUNTS AS 2 GAMES"))


# --- how to join ----------------------------------------------------------------------------------------------------


def modules(picture, first, side):
    """The code read back, one module for four pixels that must agree; True for dark."""
    read = []
    for y in range(side):
        row = []
        for x in range(side):
            left, top = first + 2 * x, first + 2 * y
            pixels = {bool(picture.getpixel((left + dx, top + dy))) for dx in (0, 1) for dy in (0, 1)}
            assert len(pixels) == 1
            row.append(not pixels.pop())
        read.append(row)
    return read


def test_code_is_the_address_in_capitals_two_pixels_a_module_on_a_light_ground():
    """Capitals fit the small alphabet of QR codes: 25 modules, 50 pixels, seven of light all round."""
    picture = draw(replace(table((0, 0), (0, 0)), invitation=Invitation(URL)))
    expected = [[bool(module) for module in row] for row in segno.make_qr(URL.upper(), error="m").matrix]
    assert len(expected) == 25
    assert modules(picture, 7, 25) == expected
    light = [(x, y) for x in range(64) for y in range(64) if not (7 <= x < 57 and 7 <= y < 57)]
    assert all(picture.getpixel(at) for at in light)


def test_address_stands_beside_the_code_in_letters():
    picture = draw(replace(table((0, 0), (0, 0)), invitation=Invitation(URL)))
    assert tells(picture.crop((64, 0, 128, 64)), font.render("192.168.1.23:8080"))


def test_low_panel_shows_the_address_in_large_letters():
    picture = draw(replace(table((0, 0), (0, 0)), invitation=Invitation(URL)), LOW)
    assert tells(picture, font.render_large("192.168.1.23:8080"))


def test_longest_ipv4_address_stands_large_on_the_low_panel_in_two_lines():
    picture = draw(replace(table((0, 0), (0, 0)), invitation=Invitation("http://192.168.178.123:8080/")), LOW)
    assert tells(picture, font.render_large(":8080"))


@every_panel
@pytest.mark.parametrize(
    "url",
    [
        "http://[2001:db8::1234:5678:9abc:def0]:8080/",
        "http://a-very-long-host-name.in.some.domain.example.org:8080/",
        "http://pegboard.local/",
    ],
)
def test_no_letter_of_a_long_address_is_left_out(look, url):
    """Every line is read back, letter by letter, where it begins."""
    picture = draw(replace(table((0, 0), (0, 0)), invitation=Invitation(url)), look)
    address = url.removeprefix("http://").removesuffix("/").upper()
    rest = address
    while rest:
        line = next(
            n
            for n in range(len(rest), 0, -1)
            if tells(picture, font.render(rest[:n])) or tells(picture, font.render_large(rest[:n]))
        )
        rest = rest[line:]
        assert line > 2 or not rest


@every_panel
def test_invitation_goes_before_everything_else(look):
    view = replace(ended(*PEGS[:2]), invitation=Invitation(URL))
    assert draw(view, look, ending=True).tobytes() == draw(view, look).tobytes()


BY_MAKE = 'make run ARGS="--host 0.0.0.0 --open"'
ALONE = "http://127.0.0.1:8080/"


def invited(look, *told):
    return draw(replace(table((0, 0), (0, 0)), invitation=Invitation(ALONE, *told)), look)


def typed_in(picture, command):
    """Whether every letter of a command stands on the panel in order, in lines broken at its blanks."""
    rest = command
    while rest:
        ends = [end for end in range(len(rest), 0, -1) if end == len(rest) or rest[end] == " "]
        line = next((rest[:end] for end in ends if tells(picture, join_screen.render(rest[:end]))), None)
        if line is None:
            return False
        rest = rest[len(line) :].lstrip()
    return True


@every_panel
@pytest.mark.parametrize("command", [BY_MAKE, "pegboard run --host 0.0.0.0 --open"])
def test_panel_of_a_table_that_no_phone_reaches_tells_what_to_type_and_asks_no_phone_to_join(look, command):
    picture = invited(look, "machine", command)
    assert typed_in(picture, command)
    assert tells(picture, font.render_large("NO PHONES YET")) or tells(picture, font.render("NO PHONES YET"))
    assert not tells(picture, font.render("JOIN WITH A PHONE:"))
    assert picture.crop((0, 0, picture.height, picture.height)).convert("L").histogram()[255] < 500, "no code"


@every_panel
def test_panel_of_a_table_without_a_network_says_so(look):
    picture = invited(look, "offline")
    assert tells(picture, font.render_large("NO NETWORK"))
    assert tells(picture, font.render("PHONES NEED A NETWORK TO REACH"))


@every_panel
def test_a_command_longer_than_the_panel_is_left_to_the_terminal_and_never_cut(look):
    command = 'make run ARGS="' + "--players Ann,Bob,Cy --match 'best of 3' --state /home/ann/games " * 4 + '"'
    picture = invited(look, "machine", command)
    assert not tells(picture, join_screen.render("make run"))
    assert tells(picture, font.render("SEE THE TERMINAL TO LET PHONES"))


@every_panel
def test_a_table_for_this_machine_alone_shows_its_address_where_no_command_is_known(look):
    assert tells(invited(look, "machine"), join_screen.render("127.0.0.1:8080"))


def test_small_letters_differ_from_each_other_and_from_every_capital():
    pictures = {
        letter: (join_screen.width(letter), join_screen.render(letter).tobytes()) for letter in join_screen.SHAPES
    }
    alike = {frozenset("0O"), frozenset("8B"), frozenset("5S"), frozenset("2Z")}
    same = {frozenset((a, b)) for a, one in pictures.items() for b, other in pictures.items() if a < b and one == other}
    assert same <= alike
