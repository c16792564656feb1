"""The tablet between the players: a half for each lane, everything in a half turned as its player sits."""

import json
import time

import pytest
from playwright.sync_api import expect

from tests.browser.laid_games import near_the_end, run_to, three_late
from tests.browser.looks import EVERYWHERE, LOW, ZOOMED, assert_clean, wrong_looks
from tests.browser.pad import middle, touch_again
from tests.support.long_runs import some_in, some_in_turn
from tests.support.waiting import soon

FLAT = (1180, 820)
LONG = ("Ann-of-the-longest Neighbourhood", "Bob-from-the-uppermost Floor", "Cy-behind-the-enormous Bookshelf")


def half(page, side):
    return page.locator(f"#{side}-half")


def hero(page, side):
    return half(page, side).locator(".mine .hero")


def key(page, side, name):
    return half(page, side).locator(".board-keys").get_by_role("button", name=name, exact=True)


def touch(page, *locators):
    """Fingers that go down and are lifted at the same time."""
    points = [middle(one) | {"id": finger} for finger, one in enumerate(locators)]
    fingers = page.context.new_cdp_session(page)
    fingers.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": points})
    fingers.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    fingers.detach()


def unturned(page, side):
    return half(page, side).evaluate("node => new DOMMatrix(getComputedStyle(node).transform).a > 0")


def fits(page):
    return page.evaluate("() => document.documentElement.scrollHeight <= innerHeight")


TABLES = {
    "two": {"scores": near_the_end(), "dealer": 1},
    "three": {"scores": three_late(), "players": LONG, "variant": "three-handed", "dealer": 2},
    "partners": {"scores": run_to(1, 55), "players": ("Ann", "Bob", "Cy", "Dee"), "variant": "partners"},
    "alone": {"scores": [(0, 8, "hand")], "players": ("Ann",), "variant": "solitaire"},
    "won": {"scores": [*near_the_end(), (0, 9, "crib")], "dealer": 1},
    "four": {
        "scores": run_to(3, 99),
        "players": (*LONG, "Dee-under-the-wonderful Staircase"),
        "variant": "cut-throat-four",
    },
    "won of four": {
        "scores": [*run_to(1, 80), *run_to(3, 121)],
        "players": ("Ann", "Bob", "Cy", "Dee-under-the-stairs"),
        "variant": "cut-throat-four",
    },
    "won of three": {
        "scores": [*three_late(), (0, 18, None)],
        "players": ("Ann-of-the-long-hillside", "Bob-from-the-upper-floor", "Cy-behind-the-bookshelf1"),
        "variant": "three-handed",
        "dealer": 2,
    },
}


@pytest.mark.looks
@pytest.mark.parametrize("name", TABLES)
def test_every_half_fits_every_screen_without_scrolling(table, look, name):
    values = dict(TABLES[name])
    table.lay(*values.pop("scores"), **values)
    page = look(f"{table.url}/tablet", "flat")
    sizes = some_in_turn((*EVERYWHERE, *LOW, *ZOOMED, "narrow"), list(TABLES).index(name), len(TABLES))
    assert wrong_looks(page, sizes) == {}
    for width, height in (FLAT, (390, 844), (360, 640), (844, 390)):
        page.set_viewport_size({"width": width, "height": height})
        assert fits(page), (width, height)
    if name in some_in(TABLES, len(TABLES)):
        page.set_viewport_size({"width": 1180, "height": 820})
        assert_clean(page)


def test_four_lanes_are_four_quarters_or_one_of_three_far_halves_at_a_time(table, look):
    table.lay(players=("Ann", "Bob", "Cy", "Dee"), variant="cut-throat-four")
    page = look(f"{table.url}/tablet", "flat")
    sides = ("near", "far", "third", "fourth")
    assert [unturned(page, side) for side in sides] == [True, False, False, True]
    for side, points in zip(sides, "3456", strict=True):
        key(page, side, points).tap()
        expect(hero(page, side)).to_have_text(points)
    assert table.fronts == [3, 4, 5, 6]
    page.set_viewport_size({"width": 1024, "height": 768})
    expect(half(page, "fourth")).to_be_hidden()
    key(page, "near", "More").tap()
    half(page, "near").get_by_role("button", name="Dee").tap()
    expect(half(page, "far")).to_be_hidden()
    assert not unturned(page, "fourth")
    expect(hero(page, "fourth")).to_have_text("6")
    assert fits(page)


def test_the_far_half_is_turned_round_and_each_sees_the_others_score(table, look):
    table.lay(*near_the_end(), dealer=1)
    page = look(f"{table.url}/tablet", "flat")
    assert (unturned(page, "near"), unturned(page, "far")) == (True, False)
    expect(hero(page, "near")).to_have_text("112")
    expect(hero(page, "far")).to_have_text("87")
    expect(half(page, "near").locator(".rival")).to_have_text("Bob87")
    expect(half(page, "far").locator(".rival")).to_have_text("Ann112")
    words = page.locator(".gates text").evaluate_all("all => all.map(one => one.hasAttribute('transform'))")
    assert words == [False, True, False, True], "each gate's word once for either side"


def test_fingers_in_both_halves_at_once_are_both_heard(table, look):
    page = look(f"{table.url}/tablet", "flat")
    for near, far in ("4", "6"), ("3", "7"), ("5", "5"):
        touch(page, key(page, "near", near), key(page, "far", far))
    expect(hero(page, "near")).to_have_text("12")
    expect(hero(page, "far")).to_have_text("18")
    assert table.fronts == [12, 18]
    assert len(table.state["entries"]) == 6


def test_a_double_tap_in_a_half_pegs_once_and_one_key_there_pegs_it_again(table, look):
    page = look(f"{table.url}/tablet", "flat")
    touch_again(page, key(page, "far", "5"), 60)
    expect(page.locator("#far-what")).to_have_text("+5 again for Bob?")
    expect(page.locator("#near-take")).to_be_hidden()
    expect(hero(page, "far")).to_have_text("5")
    page.locator("#far-take").tap()
    expect(hero(page, "far")).to_have_text("10")
    assert table.fronts == [0, 10]


@pytest.mark.long
def test_three_lanes_are_three_halves(table, look):
    table.lay(players=LONG, variant="three-handed")
    page = look(f"{table.url}/tablet", "flat")
    touch(page, key(page, "near", "1"), key(page, "far", "2"), key(page, "third", "3"))
    expect(hero(page, "third")).to_have_text("3")
    assert table.fronts == [1, 2, 3]
    assert not unturned(page, "third")


@pytest.mark.long
def test_undo_of_a_half_takes_back_its_own_line_and_waits_for_yes(table, look):
    table.lay((1, 2, "play"), (0, 8, "hand"))
    page = look(f"{table.url}/tablet", "flat")
    key(page, "far", "Undo").tap()
    expect(page.locator("#far-what")).to_have_text("Undo Bob +2, play?")
    expect(page.locator("#far-when")).to_have_text("2 → 0")
    expect(page.locator("#near-what")).to_have_text("Ann +8, hand")
    key(page, "near", "1").tap()
    expect(hero(page, "near")).to_have_text("9")
    expect(page.locator("#far-take")).to_be_visible()
    key(page, "far", "Undo").tap()
    expect(hero(page, "far")).to_have_text("0")
    assert table.fronts == [9, 0]


@pytest.mark.long
def test_a_sheet_rises_in_its_half_and_the_other_plays_on(table, look):
    page = look(f"{table.url}/tablet", "flat")
    key(page, "far", "More").tap()
    sheet = page.locator("#far-more-dialog")
    expect(sheet).to_be_visible()
    assert sheet.bounding_box()["y"] < FLAT[1] / 2, "it lies on the far side"
    assert_clean(page)
    key(page, "near", "7").tap()
    expect(hero(page, "near")).to_have_text("7")
    sheet.get_by_role("button", name="29", exact=True).tap()
    expect(hero(page, "far")).to_have_text("29")
    expect(sheet).to_be_hidden()


@pytest.mark.long
def test_escape_puts_a_sheet_of_a_half_away(table, look):
    page = look(f"{table.url}/tablet", "flat")
    key(page, "near", "More").tap()
    page.keyboard.press("Escape")
    expect(page.locator("#near-more-dialog")).to_be_hidden()
    page.keyboard.press("3")
    expect(hero(page, "near")).to_have_text("3")
    key(page, "near", "More").tap()
    page.get_by_role("button", name="Screen, sound, language").tap()
    expect(page.get_by_role("switch", name="Keep screen on")).to_be_visible()


def test_a_question_is_asked_on_the_side_that_tapped(table, look):
    look.excuse("409")
    look.excuse("ERR_FAILED")
    table.lay((1, 7, "play"))
    page = look(f"{table.url}/tablet", "flat")
    page.route("**/events", lambda route: route.abort())
    page.evaluate("dispatchEvent(new Event('pagehide'))")
    table.score(1, 12, "hand")
    key(page, "far", "5").tap()
    question = page.locator("#far-question")
    expect(question).to_contain_text("Bob is already at 19")
    expect(page.locator("#near-question")).to_be_hidden()
    question.get_by_role("button", name="No, 19 is right").tap()
    expect(hero(page, "far")).to_have_text("19")
    assert table.fronts == [0, 19]


@pytest.mark.long
def test_what_is_not_sent_is_said_on_its_own_side(table, look):
    look.excuse("ERR_FAILED")
    page = look(f"{table.url}/tablet", "flat")
    page.route("**/api/v1/commands", lambda route: route.abort())
    key(page, "far", "5").tap()
    expect(page.locator("#far-trouble")).to_contain_text("+5: not sent yet")
    expect(page.locator("#near-trouble")).to_be_hidden()
    expect(half(page, "far").locator(".note")).to_have_text("+5 waiting")
    page.locator("#far-trouble-end").tap()
    expect(page.locator("#far-trouble")).to_be_hidden()


REFUSED = {"code": "rule", "detail": "the crib is the dealer's, and Bob deals", "rule": "/rules#crib"}
ANSWERS = {"late": None, "refused": (422, REFUSED), "unpaired": (403, {"code": "not_paired", "detail": "pair this"})}

UNREAD = """() => [...document.querySelectorAll('.half')].filter(half => half.checkVisibility()).flatMap(half => {
    const within = half.querySelector('.trouble').getBoundingClientRect();
    const parts = [...half.querySelectorAll('.trouble :is(b, span, a, button)')].filter(node => node.checkVisibility());
    const cut = node => node.clientHeight && node.scrollHeight > node.clientHeight + 1;
    return parts.filter(node => {
        const {left, right, top, bottom, width} = node.getBoundingClientRect();
        const across = left < within.left - 1 || right > within.right + 1;
        const out = across || top < within.top - 1 || bottom > within.bottom + 1;
        return cut(node) || out || node.textContent && width < 40;
    }).map(node => node.textContent);
})"""


@pytest.mark.looks
@pytest.mark.parametrize(("turn", "answer"), list(enumerate(ANSWERS)), ids=ANSWERS)
def test_what_could_not_be_sent_can_be_read_on_every_screen(table, look, turn, answer):
    for broken in ("ERR_FAILED", "422", "403"):
        look.excuse(broken)
    table.lay((1, 2, "play"), (0, 6, "play"))
    page = look(f"{table.url}/tablet", "flat")

    def refuse(route):
        if ANSWERS[answer] is None:
            return route.abort()
        status, problem = ANSWERS[answer]
        return route.fulfill(status=status, content_type="application/problem+json", body=json.dumps(problem))

    page.route("**/api/v1/commands", refuse)
    sides = ("near",) if answer == "unpaired" else ("near", "far")
    for side in sides:
        key(page, side, "2").tap()
        expect(page.locator(f"#{side}-trouble")).to_be_visible()
    for width, height in some_in_turn(((360, 640), (390, 844), (820, 1180)), turn, 3):
        assert wrong_looks(page, [(width, height)]) == {}
        assert fits(page), (width, height)
        for side in sides:
            expect(page.locator(f"#{side}-trouble-what")).to_be_visible()
        assert page.evaluate(UNREAD) == [], (width, height)
        assert_clean(page)


@pytest.mark.looks
def test_a_third_of_the_board_reads_its_last_line_from_afar(table, look):
    table.lay((1, 2, "play"), (2, 8, "play"), players=("Ann", "Bob", "Cy"), variant="three-handed")
    page = look(f"{table.url}/tablet", "flat")
    page.set_viewport_size({"width": 1920, "height": 1080})
    page.locator("#far-when").evaluate("node => { node.textContent = '2 → 10, 30 s ago, +2'; }")
    assert page.locator("#far-when").evaluate("node => node.scrollWidth <= node.clientWidth")


CUT = """all => all.filter(node => node.checkVisibility())
    .filter(node => node.scrollWidth > node.clientWidth + 1 || node.scrollHeight > node.clientHeight + 1)
    .map(node => node.textContent)"""


@pytest.mark.looks
def test_partners_read_who_won_and_what_comes_on_a_phone(table, look):
    table.lay(*run_to(0, 121), players=("Marie-Antoinette", "Bob", "Cy", "Dee"), variant="partners")
    page = look(f"{table.url}/tablet", "flat")
    for width, height in ((360, 640), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        page.locator("#near-next-word").evaluate("node => { node.textContent = 'Partie suivante'; }")
        page.locator("#near-next-dealer").evaluate("node => { node.textContent = 'Dee donne en premier'; }")
        page.locator("#near-undo-win-word").evaluate("node => { node.textContent = 'Annuler +11'; }")
        assert page.locator("#near-after :is(button, .next-dealer)").evaluate_all(CUT) == []
        assert not page.locator("#near-won-title span").last.evaluate("node => node.scrollWidth > node.clientWidth")


class Line:
    """A line to the table that can be down, or carry the answers back in another order than they were asked for."""

    def __init__(self, page):
        self.held, self.open = [], False
        page.route("**/api/v1/commands", self._carry)

    def _carry(self, route):
        if self.open:
            route.continue_()
        else:
            self.held.append((route, route.fetch()))

    def answer(self, place):
        route, response = self.held.pop(place)
        route.fulfill(response=response)


def next_deal(page, side):
    key(page, side, "More").tap()
    page.locator(f"#{side}-more-deal").get_by_role("button", name="Next deal").tap()


def settled(page):
    page.wait_for_function("() => !Object.keys(localStorage).some(key => key.startsWith('pegboard.tap.'))")
    expect(page.locator("dialog[open]")).to_have_count(0)
    for side in ("near", "far"):
        expect(page.locator(f"#{side}-trouble")).to_be_hidden()


@pytest.mark.long
def test_taps_of_both_sides_behind_a_command_for_the_board_all_count(table, look):
    look.excuse("ERR_FAILED")
    table.lay((1, 2, "play"), (0, 3, "play"))
    page = look(f"{table.url}/tablet", "flat")
    page.route("**/api/v1/commands", lambda route: route.abort())
    next_deal(page, "near")
    for side, points in (("near", "2"), ("far", "3"), ("near", "1")):
        key(page, side, points).tap()
    expect(page.locator("#near-trouble")).to_contain_text("and 2 more")
    expect(half(page, "far").locator(".note")).to_have_text("+3 waiting")
    page.unroute("**/api/v1/commands")
    expect(hero(page, "near")).to_have_text("6")
    expect(hero(page, "far")).to_have_text("5")
    settled(page)
    assert [entry["do"] for entry in table.state["entries"][:4]] == ["score", "score", "score", "deal"]


@pytest.mark.long
@pytest.mark.sampled
@pytest.mark.parametrize(
    "order", [(1, 0), (0, 0)], ids=lambda order: "in order" if order == (0, 0) else "the second first"
)
def test_a_command_for_the_board_behind_taps_of_both_sides_asks_nothing(table, look, order):
    table.lay((1, 2, "play"), (0, 3, "play"))
    page = look(f"{table.url}/tablet", "flat")
    line = Line(page)
    touch(page, key(page, "near", "2"), key(page, "far", "3"))
    next_deal(page, "near")
    soon(lambda: page.evaluate("1") and len(line.held) == 2)
    line.answer(order[0])
    line.open = True
    line.answer(order[1])
    settled(page)
    assert table.fronts == [5, 5]
    assert table.state["game"]["deal"] == 2


@pytest.mark.long
def test_what_waits_is_pegged_for_no_reason_that_nobody_has_said(table, look):
    look.excuse("ERR_FAILED")
    table.lay((1, 2, "play"), (0, 1, "go"))
    page = look(f"{table.url}/tablet", "flat")
    page.route("**/api/v1/commands", lambda route: route.abort())
    for side, points in (("far", "8"), ("near", "6"), ("near", "4"), ("near", "2")):
        key(page, side, points).tap()
    page.unroute("**/api/v1/commands")
    expect(hero(page, "near")).to_have_text("13")
    expect(hero(page, "far")).to_have_text("10")
    settled(page)
    own = [(entry["points"], entry["why"]) for entry in table.state["entries"] if entry["lane"] == 0]
    assert own == [(2, None), (4, None), (6, None), (1, "go")]
    assert table.state["game"]["deal"] == 2


@pytest.mark.long
def test_digits_peg_nothing_while_any_sheet_is_open(table, look):
    page = look(f"{table.url}/tablet", "flat")
    key(page, "far", "More").tap()
    page.keyboard.press("5")
    page.keyboard.press("Escape")
    expect(page.locator("#far-more-dialog")).to_be_hidden()
    page.keyboard.press("3")
    expect(hero(page, "near")).to_have_text("3")
    assert table.fronts == [3, 0]


@pytest.mark.long
def test_on_a_stand_the_far_half_is_upright_and_stays_so(table, look):
    page = look(f"{table.url}/tablet", "flat")
    key(page, "near", "More").tap()
    page.get_by_role("button", name="Turn far side upright").tap()
    expect(page.locator("body")).to_have_class("tablet open-table upright")
    assert unturned(page, "far")
    again = look(f"{table.url}/tablet", "flat", context=page.context)
    assert unturned(again, "far")
    key(again, "near", "More").tap()
    again.get_by_role("button", name="Swap sides").tap()
    expect(half(again, "near").locator(".mine .name")).to_have_text("Bob")
    key(again, "near", "2").tap()
    expect(hero(again, "near")).to_have_text("2")
    assert table.fronts == [0, 2]


def test_both_sides_see_the_end_and_undo_or_go_on(table, look):
    table.lay(*near_the_end(), dealer=1)
    page = look(f"{table.url}/tablet", "flat")
    key(page, "near", "9").tap()
    for side in ("near", "far"):
        expect(half(page, side).get_by_role("heading", name="Ann wins")).to_be_visible()
        expect(half(page, side).get_by_text("0 to go", exact=True)).to_have_count(0)
    half(page, "far").get_by_role("button", name="Undo +9").tap()
    page.locator("#far-take").tap()
    expect(hero(page, "near")).to_have_text("112")
    key(page, "near", "9").tap()
    half(page, "far").get_by_role("button", name="Next game").tap()
    expect(hero(page, "near")).to_have_text("0")


@pytest.mark.long
def test_a_finger_that_the_glass_loses_for_a_moment_taps_once(table, look):
    page = look(f"{table.url}/tablet", "flat")
    touch_again(page, key(page, "near", "3"), 30)
    expect(hero(page, "near")).to_have_text("3")
    expect(page.locator("#near-take")).to_be_hidden()
    assert table.fronts[0] == 3


@pytest.mark.long
def test_another_finger_on_the_next_key_is_heard_at_once(table, look):
    page = look(f"{table.url}/tablet", "flat")
    three, four = (key(page, "near", name).bounding_box() for name in "34")
    y, begun = three["y"] + three["height"] / 2, time.time()
    edges = {"x": three["x"] + three["width"] - 8, "y": y, "id": 0}, {"x": four["x"] + 8, "y": y, "id": 1}
    assert edges[1]["x"] - edges[0]["x"] < 30
    fingers = page.context.new_cdp_session(page)
    for ms, edge in zip((0, 80), edges, strict=True):
        for kind, points, later in ("Start", [edge], 0), ("End", [], 50):
            told = {"type": f"touch{kind}", "touchPoints": points, "timestamp": begun + (ms + later) / 1000}
            fingers.send("Input.dispatchTouchEvent", told)
    fingers.detach()
    expect(hero(page, "near")).to_have_text("7")
    assert table.fronts[0] == 7


NOTE_TAPS = "node => { window.taps = 0; node.addEventListener('pointerup', () => { window.taps += 1; }); }"


@pytest.mark.long
def test_a_stutter_presses_nothing_that_has_come_under_the_finger(table, look):
    page = look(table.url, "phone")
    touch_again(page, page.get_by_role("button", name="Bob"), 30)
    expect(page.locator(".mine")).to_contain_text("Bob")
    page.get_by_role("button", name="4", exact=True).tap()
    expect(page.locator(".mine .hero")).to_have_text("4")
    assert table.fronts == [0, 4]
    page = look(table.url, "narrow")
    touch_again(page, page.get_by_role("button", name="More", exact=True), 30)
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("heading").first.evaluate(NOTE_TAPS)
    dialog.get_by_role("heading").first.tap()
    page.wait_for_function("window.taps === 1")
    expect(dialog).to_have_count(1)
    assert table.fronts == [0, 4]
