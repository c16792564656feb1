"""The panel at a table in an event: who plays, where players go, who is called, and results as QR codes."""

from dataclasses import replace

import pytest
import segno

from hardware.oled.burn_in import BurnIn, GameOverAlternation
from hardware.oled.drawing import font
from hardware.oled.drawing.draw import Style, draw
from pegboard.config import OledSettings
from pegboard.core.board import Game
from pegboard.core.rules import Rules
from pegboard.core.view import Alarm, Call, EventNews, Invitation, NextSeat, View
from pegboard.messages import Message
from tests.support.lit_pixels import lit, stands_in
from tests.support.views import dealt, table

HIGH, LOW = Style(), Style((128, 32))
LOOKS = {"128x64": HIGH, "128x32": LOW, "far 128x64": Style(layout="far"), "far 128x32": Style((128, 32), "far")}

EVENT = EventNews("Club night 7", "4", 3, 9)
NEXT = (NextSeat("Ann", "7", "Dee", True), NextSeat("Bob", "4", "Cy", False, True))
URL = "http://192.168.1.20:8080/R/AEBAGBAFAYDQQCIKBMGA2DQPCAIREEYUCULBOGAZDI"
OVER = table((121, 116), (95, 90), winner=0)
FRESH = View(Game(Rules.named("acc"), ("Ann", "Bob"), 1, dealer_said=True))

every_look = pytest.mark.parametrize("look", LOOKS.values(), ids=LOOKS)


def says(picture, text, *, large=False):
    letters = (font.render_large if large else font.render)(text)
    turned = letters.point(lambda pixel: 255 - pixel)
    return any(stands_in(picture, part) for part in (letters, turned))


def at(view, **event):
    return replace(view, event=EVENT._replace(**event))


@every_look
def test_before_the_first_score_the_panel_says_who_plays_and_who_deals(look):
    picture = draw(at(FRESH), look)
    assert says(picture, "TABLE 4, ROUND 3 OF 9")
    assert says(picture, "BOB DEALS FIRST")
    names = ["ANN - BOB"] if look.size == LOW.size else ["ANN", "BOB"]
    assert all(says(picture, name, large=True) or says(picture, name) for name in names)


def test_where_no_dealer_is_said_the_cards_are_cut():
    view = View(Game(Rules.named("acc"), ("Ann", "Bob")))
    assert says(draw(at(view)), "CUT FOR THE DEAL")


@every_look
@pytest.mark.parametrize(
    "other",
    [
        replace(FRESH, dialled=(5, 0)),
        replace(FRESH, notice="no"),
        replace(FRESH, alarms=(Alarm("a", Message("alarm_director")),)),
        dealt((0, 6)),
    ],
)
def test_a_press_a_notice_and_a_score_show_the_board_at_once(look, other):
    assert not says(draw(at(other), look), "TABLE 4, ROUND 3 OF 9")


def test_a_game_that_is_not_the_events_begins_as_ever():
    assert draw(at(FRESH, round=0)).tobytes() == draw(FRESH).tobytes()


@every_look
def test_after_the_end_the_panel_says_where_each_player_goes(look):
    picture = draw(at(OVER, next=NEXT), look)
    if look.size == LOW.size:
        assert says(picture, "ANN: TABLE 7")
        assert says(picture, "BOB: TABLE 4 (HERE)")
    else:
        assert says(picture, "TABLE 7", large=True)
        assert says(picture, "TABLE 4 (HERE)", large=True)
    assert says(picture, "AGAINST DEE, DEALS FIRST")
    assert says(picture, "AGAINST CY, WHO DEALS")


def test_a_low_panel_has_a_line_for_each_where_somebody_waits_too():
    picture = draw(at(OVER, next=NEXT, here=("Cy", "Bob")), LOW)
    assert says(picture, "ANN: TABLE 7, DEALS TO DEE")
    assert says(picture, "BOB: TABLE 4 (HERE), CY DEALS")
    assert says(picture, "HERE: CY - BOB")


@every_look
def test_who_plays_here_next_is_named_large_where_nothing_else_is_known(look):
    picture = draw(at(OVER, here=("Cy", "Dee")), look)
    assert says(picture, "NEXT AT TABLE 4")
    assert says(picture, "PRESS DEAL TO START")


@every_look
def test_the_winner_still_has_the_first_seconds(look):
    assert draw(at(OVER, next=NEXT), look, ending=True).tobytes() == draw(OVER, look, ending=True).tobytes()


@every_look
def test_who_plays_here_next_is_named_below(look):
    picture = draw(at(OVER, next=NEXT, here=("Cy", "Bob")), look)
    assert says(picture, "HERE: CY - BOB")


@every_look
@pytest.mark.parametrize("here", [(), ("Cy", "Bob")])
def test_the_names_of_those_who_confirmed_by_phone_stand_above_where_the_players_go(look, here):
    settled = Message("event_confirmed_by_phone", names="Bob")
    picture = draw(at(OVER, next=NEXT, here=here, settled=settled), look)
    assert says(picture, "BOB CONFIRMED BY PHONE")
    goes = ("ANN: TABLE 7, DEALS TO DEE", "ANN: TABLE 7")
    assert any(says(picture, text) for text in goes) or says(picture, "TABLE 7", large=True)


def test_who_has_no_next_game_is_told_so():
    assert says(draw(at(OVER, next=(NextSeat("Ann"), NEXT[1]))), "ANN: NO GAME YET")


@pytest.mark.parametrize("players", [1, 3, 4])
def test_as_many_players_as_sit_there_are_told(players):
    seats = tuple(NextSeat(name, "7", "Dee", None) for name in ("Ann", "Bob", "Cy", "Dee")[:players])
    picture = draw(at(OVER, next=seats))
    assert all(says(picture, seat.name.upper()) or says(picture, f"{seat.name.upper()}: TABLE 7") for seat in seats)


LONG = "Wilhelmina-Charlotte"


@every_look
def test_names_that_are_too_long_are_cut_and_nothing_runs_over_the_edge(look):
    seats = (NextSeat(LONG, "Table by the window", LONG, True), NextSeat("", "", ""))
    game = Game(Rules.named("acc"), (LONG, LONG[::-1]), 1, dealer_said=True)
    for view in (at(OVER, next=seats, here=(LONG, LONG)), replace(at(View(game)), event=EVENT._replace(table=LONG))):
        assert draw(view, look).size == look.size


# --- results that have not been sent ---


def code_in(picture, side):
    """The modules of the code in a square of that side, two pixels each, as rows of booleans, True for dark."""
    lightless = [[not picture.getpixel((x, y)) for x in range(side)] for y in range(side)]
    dark = [(x, y) for y, row in enumerate(lightless) for x, is_dark in enumerate(row) if is_dark]
    left, top, right = min(x for x, _ in dark), min(y for _, y in dark), max(x for x, _ in dark)
    return [[lightless[y][x] for x in range(left, right, 2)] for y in range(top, top + right - left, 2)]


def test_a_result_that_waits_is_a_code_of_two_pixels_a_module_in_light_of_three():
    picture = draw(at(OVER, next=NEXT, result_url=URL))
    expected = [[bool(module) for module in row] for row in segno.make_qr(URL.upper(), error="l").matrix]
    assert len(expected) == 29
    assert code_in(picture, 64) == expected
    edge = [picture.getpixel((x, y)) for x in range(64) for y in (0, 1, 2, 61, 62, 63)]
    assert all(edge)
    assert says(picture, "ANN: TABLE")


@pytest.mark.parametrize(("look", "url"), [(LOW, URL), (HIGH, URL + "A" * 40)])
def test_where_no_readable_code_fits_the_panel_says_where_it_is(look, url):
    picture = draw(at(OVER, result_url=url), look)
    assert says(picture, "RESULT NOT SENT: SHOW ITS CODE") or says(picture, "RESULT NOT SENT: SHOW ITS CODE ON A")


# --- calls ---


@every_look
@pytest.mark.parametrize(
    ("call", "text"),
    [
        (Call("c", "judge", (), 2), "JUDGE CALLED"),
        (Call("c", "judge", ("Cy",), 2), "JUDGE: CY COMING"),
        (Call("c", "judge", ("Cy", "Dee"), 2), "JUDGE: CY AND DEE COMING"),
        (Call("c", "director", (), 1), "DIRECTOR CALLED"),
        (Call("c", "director", ("Dee",), 1), "DIRECTOR: DEE COMING"),
    ],
)
def test_a_call_stands_over_the_track_and_the_scores_stay_in_sight(look, call, text):
    playing = table((36, 30), (21, 15))
    picture = draw(at(playing, calls=(call,)), look)
    assert says(picture, text) or (look.size == LOW.size and all(says(picture, word) for word in text.split()))
    plain = draw(playing, look)
    rows = range(look.size[1] // 4)
    assert [picture.getpixel((x, y)) for x in range(128) for y in rows] == [
        plain.getpixel((x, y)) for x in range(128) for y in rows
    ]


def test_a_notice_goes_before_a_call():
    noticed = replace(table((36, 30), (21, 15)), notice="no")
    assert draw(at(noticed, calls=(Call("c", "judge"),))).tobytes() == draw(noticed).tobytes()


def test_a_call_after_the_end_shows_the_board_and_not_the_winner():
    calling = at(OVER, calls=(Call("c", "judge", (), 2),), next=NEXT)
    turns = GameOverAlternation()
    turns.update(calling, 0.0)
    assert not turns.shown
    assert says(draw(calling), "JUDGE CALLED")


def test_news_of_the_event_wakes_a_dark_panel():
    burn_in = BurnIn(OledSettings(dim_s=10, blank_s=20))
    burn_in.update(at(OVER), 0.0)
    burn_in.update(at(OVER), 30.0)
    assert burn_in.light.value == "dark"
    burn_in.update(at(OVER, calls=(Call("c", "judge"),)), 31.0)
    assert burn_in.light.value == "lit"


def test_the_invitation_goes_before_the_events_screens():
    inviting = replace(at(FRESH), invitation=Invitation("http://192.168.1.31:8080/"))
    assert draw(inviting).tobytes() == draw(replace(FRESH, invitation=inviting.invitation)).tobytes()
    assert lit(draw(inviting))
