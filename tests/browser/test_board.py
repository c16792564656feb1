"""The board: how to join, how old the picture is, what was put right, and everything in its place."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import SIZES
from tests.browser.laid_games import near_the_end, run_to, three_late
from tests.browser.looks import wrong_looks

PILL_OVER_WORDS = """() => {
    const box = (node) => node.getBoundingClientRect();
    const pill = box(document.querySelector('.pill rect'));
    return [...document.querySelectorAll('.gates text:not(.number)')].filter(word => {
        const { left, right, top, bottom } = box(word);
        return left < pill.right && right > pill.left && top < pill.bottom && bottom > pill.top;
    }).map(word => word.textContent);
}"""


HIDDEN = """hidden => {
    Object.defineProperty(document, 'hidden', {value: hidden, configurable: true});
    document.dispatchEvent(new Event('visibilitychange'));
}"""


def pairing(code, status=200):
    """An answer of the table that knows this code."""
    told = {"code": code, "url": f"http://192.0.2.7/j/{code}", "host": "pegboard.local", "until": 0}
    reached = {"reach": "network", "command": None, "qr": {"size": 33, "path": "M4 4h7v1H4z"}}
    return {"status": status, "json": told | reached}


def unreached(reach, command=None):
    """An answer of a table that no phone reaches."""
    told = {"code": "2NEXT2", "url": "http://127.0.0.1/j/2NEXT2", "host": "127.0.0.1", "until": 0}
    return {"status": 200, "json": told | {"reach": reach, "command": command, "qr": None}}


@pytest.mark.long
def test_the_board_shows_the_code_and_the_next_one(closed, look):
    page = look(f"{closed.url}/board", "tv")
    code = closed.code()
    page.clock.install()
    page.route("**/api/v1/pairing", lambda route: route.fulfill(**pairing("2NEXT2")))
    page.clock.run_for(30_000)
    expect(page.locator("#code")).to_have_text("2NEXT2" if code != "2NEXT2" else "")
    expect(page.locator("#host")).to_have_text("pegboard.local")
    assert page.locator("#qr").get_attribute("viewBox") == "0 0 33 33"
    expect(page.locator("#unreached")).to_be_hidden()


@pytest.mark.long
def test_the_board_of_a_table_that_no_phone_reaches_says_what_lets_phones_in(closed, look):
    """As it is at first; while there is no network; and once phones come."""
    page = look(f"{closed.url}/board", "tv")
    join = page.get_by_role("region", name="How to join")
    expect(join).to_contain_text("Phones cannot reach this table")
    expect(join.locator("code")).to_have_count(0)
    expect(join).not_to_contain_text("Join by phone")
    assert wrong_looks(page, ["tv"]) == {}
    how = look(f"{closed.url}{join.get_by_role('link', name='How phones join').get_attribute('href')}")
    expect(how.locator("main")).to_contain_text("To let phones in, stop pegboard and restart it with")
    expect(how.locator("main")).to_contain_text("-m pegboard run --mock --closed")
    assert wrong_looks(how, ["phone", "narrow", "tv"]) == {}
    expect(page.locator("#qr")).to_be_hidden()
    page.clock.install()
    page.route("**/api/v1/pairing", lambda route: route.fulfill(**unreached("offline")))
    page.clock.run_for(10_000)
    expect(join).to_contain_text("This machine has no network, so phones cannot reach the table yet")
    page.unroute("**/api/v1/pairing")
    page.route("**/api/v1/pairing", lambda route: route.fulfill(**pairing("2NEXT2")))
    page.clock.run_for(10_000)
    expect(page.locator("#qr")).to_be_visible()
    expect(join).to_contain_text("Join by phone")


@pytest.mark.long
def test_a_screen_without_leave_shows_the_address_and_how_to_get_the_code(closed, look, browser):
    look.excuse("403")
    context = browser.new_context(viewport={"width": 1920, "height": 1080})
    asked = []
    refused = {"code": "not_paired", "detail": "this device is not paired"}
    context.route("**/api/v1/pairing", lambda route: asked.append(1) or route.fulfill(status=403, json=refused))
    page = look(f"{closed.url}/board", context=context)
    expect(page.locator("#no-code")).to_have_text("Pair this screen at /j/ to score here and show the pairing code")
    expect(page.locator("#how")).to_have_text("Watch on a phone")
    expect(page.locator("#code")).to_have_text("")
    expect(page.locator("#host")).to_have_text(re.compile(r":\d+$"))
    assert len(asked) <= 2
    context.close()


def test_a_lost_line_says_how_old_the_picture_is(table, look):
    look.excuse("ERR_")
    page = look(f"{table.url}/board", "tv")
    expect(page.locator("#age")).to_be_hidden()
    page.clock.install()
    page.evaluate(HIDDEN, True)
    page.clock.fast_forward(40_000)
    page.route("**/events*", lambda route: route.abort())
    page.evaluate(HIDDEN, False)
    expect(page.locator("#age")).to_have_text(re.compile(r"Last updated \d+ s ago"))
    page.clock.run_for(62_000)
    expect(page.locator("#age")).to_have_text(re.compile("Last updated [12] minutes? ago"))
    page.unroute("**/events*")
    page.clock.run_for(30_000)
    expect(page.locator("#age")).to_be_hidden()


@pytest.mark.long
def test_nobody_cuts_where_the_dealer_is_known(table, look):
    page = look(f"{table.url}/board", "tv")
    table.lay(*near_the_end(), dealer=1)
    table.lay()
    expect(page.locator("#now")).to_have_text("Ann deals first")
    state = table.state
    start = {"variant": "standard", "players": ["Ann", "Bob"], "replaces": state["game"]["id"]}
    table.client.command(do="start", **start, base=state["revision"])
    expect(page.locator("#now")).to_have_text("Cut for the deal: low card deals")
    expect(page.locator(".seat .d")).to_have_count(0)
    table.lay(*near_the_end(), (0, 9, "crib"), dealer=1)
    state = table.state
    table.client.command(do="start", variant="standard", players=["Ann", "Bob"], base=state["revision"])
    expect(page.locator("#now")).to_have_text("Bob deals first")


@pytest.mark.long
def test_alone_ninety_one_is_enough(table, look):
    table.lay((0, 12, "hand"), players=("Ann",), variant="solitaire")
    page = look(f"{table.url}/board", "tv")
    expect(page.locator(".note")).to_contain_text("79 to win, 109 to finish")
    table.lay(*run_to(0, 95), players=("Ann",), variant="solitaire")
    expect(page.locator(".note")).to_contain_text("enough to win, 26 to finish")


@pytest.mark.looks
@pytest.mark.parametrize("lane", [0, 1])
def test_the_points_hide_no_word_of_the_gates(table, look, lane):
    page = look(f"{table.url}/board", "tv")
    for size in ("phone", "tv"):
        page.set_viewport_size(dict(zip(("width", "height"), SIZES[size], strict=True)))
        for front in (59, 61, 89):
            table.lay(*run_to(lane, front), (lane, 3, "play"))
            expect(page.locator(".pill")).to_have_text("+3")
            expect(page.locator(".seat .hero").nth(lane)).to_have_text(f"{front + 3}")
            assert page.evaluate(PILL_OVER_WORDS) == [], (size, front)


@pytest.mark.looks
def test_no_board_scrolls_on_a_tablet_or_a_tv(table, look, browser):
    context = browser.new_context(locale="fr")  # whose words are the longer ones
    page = look(f"{table.url}/board", context=context)
    names = ("Ann-of-the-longest Neighbourhood", "Bob-from-the-uppermost Floor", "Cy-behind-the-enormous Bookshelf")
    table.lay(*three_late(), players=names, variant="three-handed", dealer=2)
    expect(page.locator(".seat")).to_have_count(3)
    for size in ("tablet", "flat", "tv"):
        width, height = SIZES[size]
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]") == [
            width,
            height,
        ]
    context.close()


@pytest.mark.long
def test_a_screen_that_cannot_says_why(table, look, browser):
    context = browser.new_context(viewport={"width": 1920, "height": 1080})
    context.add_init_script("Object.defineProperty(Navigator.prototype, 'wakeLock', {get: () => undefined})")
    page = look(f"{table.url}/board", context=context)
    page.locator("#screen").click()
    expect(page.locator("#awake-why")).to_have_text(
        re.compile("only over HTTPS. Set the screen.s own timeout to Never")
    )
    expect(page.locator("#awake")).to_have_attribute("aria-disabled", "true")
    page.locator("#full").click()
    expect(page.locator("#full")).to_have_attribute("aria-checked", "true")
    context.close()


def test_devices_and_settings_say_that_panel_strip_and_keys_have_three_lanes(table, look):
    table.lay(players=("Ann", "Bob", "Cy", "Dee"), variant="cut-throat-four")
    page = look(f"{table.url}/health")
    expect(page.locator("#fourth-lane")).to_contain_text("Score for Dee on a phone or tablet")
    page.goto(f"{table.url}/settings")
    expect(page.locator("#fourth-lane")).to_contain_text("score for player 4 on a phone or tablet")
    page.locator("#variant").select_option("six-partners")
    expect(page.locator("#fourth-lane")).to_be_hidden()
    expect(page.locator("#players input")).to_have_count(6)
    table.lay()
    page.goto(f"{table.url}/health")
    expect(page.locator("#devices .device").first).to_be_visible()
    expect(page.locator("#fourth-lane")).to_be_hidden()


def test_six_partners_with_a_long_name_fit_a_phone(table, look):
    players = ("Annabella-Maria von Something", "Bob", "Cy", "Dee", "Eve", "Flo")
    table.lay((0, 4, "play"), players=players, variant="six-partners")
    page = look(f"{table.url}/board")
    expect(page.locator(".seat .d")).to_have_count(1)
    assert wrong_looks(page, ["phone"]) == {}


def test_games_won_by_four_stay_within_the_margin(table, look):
    table.lay((0, 4, "play"), players=("Ann", "Bob", "Cy", "Dee"), variant="cut-throat-four")
    page = look(f"{table.url}/board")
    ends = """() => ['#games-row > :last-child', '#slab']
        .map(one => document.querySelector(one).getBoundingClientRect().right)"""
    for width in (390, 360, 320):
        page.set_viewport_size({"width": width, "height": 844})
        games, slab = page.evaluate(ends)
        assert games <= slab, width
