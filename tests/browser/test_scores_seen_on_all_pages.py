"""A score from any input is seen on every page, without loading anything again."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.laid_games import near_the_end, run_to
from tests.browser.pad import correct
from tests.support.waiting import soon
from tests.support.web_server_and_clients import opened

FLIGHT = Path(__file__).with_name("rear_peg_flight.js").read_text("utf-8")


def hero(page):
    return page.locator(".mine .hero")


def test_a_tap_pegs_and_is_seen_on_phone_board_and_bench(table, look):
    phone = look(table.url, holder=(0, "Ann"))
    other = look(table.url, holder=(1, "Bob"))
    board = look(f"{table.url}/board", "tv")
    bench = look(f"{table.url}/bench", "desk")
    expect(bench.locator(".led.lit").first).to_be_attached()
    before = bench.evaluate("document.getElementById('panel').toDataURL()")
    phone.get_by_role("button", name="6", exact=True).tap()
    expect(hero(phone)).to_have_text("6")
    expect(other.locator(".other .hero")).to_have_text("6")
    expect(board.locator(".seat .hero").first).to_have_text("6")
    expect(board.locator("#last li").first).to_contain_text("+6")
    bench.wait_for_function("before => document.getElementById('panel').toDataURL() !== before", arg=before)
    assert soon(lambda: table.fronts == [6, 0])


def test_the_number_of_a_phone_pegs_for_the_seat_that_holds_it(table, look):
    phone = look(table.url, holder=(1, "Bob"))
    phone.get_by_role("button", name="4", exact=True).tap()
    expect(hero(phone)).to_have_text("4")
    assert soon(lambda: table.fronts == [0, 4])
    assert table.state["entries"][0]["seat"] == 1


def test_everybodys_phone_scores_for_the_side_that_was_tapped(table, look):
    phone = look(table.url)
    phone.get_by_role("button", name=re.compile("Bob")).tap()
    expect(phone.locator(".mine .name")).to_have_text("Bob")
    phone.get_by_role("button", name="31 +2").tap()
    expect(hero(phone)).to_have_text("2")
    assert soon(lambda: table.fronts == [0, 2])


def test_the_first_visit_asks_who_holds_the_phone_and_remembers(table, look):
    phone = look(table.url, holder=None)
    expect(phone.get_by_role("dialog", name="Who does this phone score for?")).to_be_visible()
    phone.get_by_role("button", name="Bob", exact=True).tap()
    expect(phone.locator(".mine .name")).to_have_text("Bob")
    again = look(table.url, context=phone.context)
    expect(again.locator("#holder")).to_be_hidden()
    expect(again.locator(".mine .name")).to_have_text("Bob")
    again.get_by_role("button", name="More").tap()
    again.get_by_role("button", name="This phone is Bob").tap()
    again.get_by_role("button", name="Both").tap()
    expect(again.get_by_role("button", name=re.compile("Ann|Bob")).first).to_be_visible()


def test_a_game_for_others_asks_whose_points_are_tapped_and_no_key_pegs_before(table, look):
    phone, shared = look(table.url, holder=(1, "Bob")), look(table.url)
    table.lay(players=("Cy", "Dee"))
    for page in (phone, shared):
        question = page.get_by_role("dialog", name="Who does this phone score for?")
        expect(question.get_by_role("button")).to_contain_text(["Cy", "Dee", "Both"])
        expect(page.locator("#holders[inert]")).to_have_count(0)
        page.keyboard.press("Escape")
        expect(question).to_be_hidden()
        page.get_by_role("button", name="7", exact=True).dispatch_event("click")
        page.keyboard.press("Escape")
        page.keyboard.press("5")
        expect(question).to_be_visible()
    assert table.fronts == [0, 0]
    phone.get_by_role("button", name="Dee", exact=True).tap()
    phone.get_by_role("button", name="7", exact=True).tap()
    shared.get_by_role("button", name="Both").tap()
    shared.get_by_role("button", name="4", exact=True).tap()
    expect(hero(phone)).to_have_text("7")
    assert soon(lambda: table.fronts == [4, 7])


def test_a_player_who_sits_elsewhere_in_the_next_game_still_holds_the_phone(table, look):
    phone = look(table.url, holder=(1, "Bob"))
    table.lay(players=("Bob", "Cy"))
    expect(phone.locator(".mine .name")).to_have_text("Bob")
    expect(phone.locator("#holder")).to_be_hidden()
    phone.get_by_role("button", name="7", exact=True).tap()
    assert soon(lambda: table.fronts == [7, 0])


def test_undo_and_redo_of_the_last_line(table, look):
    table.lay((1, 2, "play"), (0, 8, "hand"))
    phone = look(table.url, holder=(0, "Ann"))
    expect(phone.locator("#what")).to_have_text("Ann +8, hand")
    correct(phone)
    expect(hero(phone)).to_have_text("0")
    expect(phone.locator("#what")).to_have_text("Bob +2, play")
    correct(phone, "Redo", "Redo")
    expect(hero(phone)).to_have_text("8")
    expect(phone.locator("#redo")).to_have_attribute("aria-disabled", "true")
    assert soon(lambda: table.fronts == [8, 2])


@pytest.mark.long
def test_keys_of_the_bench_are_seen_dialled_and_then_pegged(dialling, look):
    phone = look(dialling.url, holder=(0, "Ann"))
    bench = look(f"{dialling.url}/bench", "desk")
    bench.locator("[data-key=b5]").click()
    bench.locator("[data-key=b2]").click()
    expect(phone.locator(".other .chip")).to_have_text("+7 …")
    expect(phone.locator(".other .hero")).to_have_text("0")
    bench.locator("[data-key=a1]").click()  # which pegs what the other player has dialled
    expect(phone.locator(".other .hero")).to_have_text("7")
    assert dialling.state["entries"][0]["source"] == "button"
    bench.locator("[data-key=undo]").click()
    expect(phone.locator(".mine .chip")).to_have_count(0)


@pytest.mark.long
def test_a_key_of_the_bench_pegs_by_itself_after_a_while(table, look):
    phone = look(table.url, holder=(0, "Ann"))
    look(f"{table.url}/bench", "desk").locator("[data-key=b5]").click()
    expect(phone.locator(".other .hero")).to_have_text("5")


@pytest.mark.long
def test_a_held_key_of_the_bench_pegs_at_once(table, look):
    phone = look(table.url, holder=(0, "Ann"))
    bench = look(f"{table.url}/bench", "phone")
    finger = bench.locator("[data-key=a5]")
    finger.dispatch_event("pointerdown", {"pointerId": 1, "isPrimary": True, "pointerType": "touch"})
    expect(finger).to_have_class(re.compile("down"))
    expect(phone.locator(".mine .hero")).to_have_text("5")
    finger.dispatch_event("pointerup", {"pointerId": 1, "isPrimary": True, "pointerType": "touch"})
    expect(finger).not_to_have_class(re.compile("down"))


@pytest.mark.long
def test_letters_press_the_keys_of_the_bench_and_do_not_repeat(dialling, look):
    phone = look(dialling.url, holder=(0, "Ann"))
    bench = look(f"{dialling.url}/bench", "desk")
    expect(bench.locator("[data-key=a2]")).to_be_visible()
    bench.keyboard.down("s")
    bench.keyboard.down("s")  # what a held letter sends
    bench.keyboard.up("s")
    expect(phone.locator(".mine .chip")).to_have_text("+2 …")
    bench.keyboard.press("u")
    expect(phone.locator(".mine .chip")).to_have_count(0)
    assert soon(lambda: dialling.fronts == [0, 0])


@pytest.mark.long
def test_an_unplugged_panel_is_dark_and_the_game_goes_on(table, look):
    look.excuse("willReadFrequently")  # this test looks at the canvas, the page does not
    bench = look(f"{table.url}/bench", "desk")
    plug = bench.get_by_role("switch").first
    plug.click()
    expect(plug).to_have_attribute("aria-checked", "false")
    lit = """() => { const c = document.getElementById('panel');
        return c.getContext('2d').getImageData(0, 0, c.width, c.height).data.some((v, i) => i % 4 !== 3 && v > 0) }"""
    bench.wait_for_function(f"() => !({lit})()")
    table.score(0, 3, "play")
    plug.click()
    bench.wait_for_function(lit)


@pytest.mark.long
def test_a_win_is_shown_and_the_loser_deals_the_next_game(table, look):
    table.lay(*near_the_end(), dealer=1)
    phone = look(table.url, holder=(0, "Ann"))
    board = look(f"{table.url}/board", "tv")
    phone.get_by_role("button", name="9", exact=True).tap()
    expect(phone.get_by_role("heading", name="Ann wins")).to_be_visible()
    expect(phone.locator(".sentence")).to_contain_text("A skunk. Bob was 4 holes short of the skunk line at 91.")
    expect(board.locator(".victory")).to_have_text("Ann wins")
    expect(board.locator(".seat.beaten .note")).to_have_text("Skunked: 4 short of 91")
    correct(phone, "Undo +9")
    expect(hero(phone)).to_have_text("112")
    phone.get_by_role("button", name="9", exact=True).tap()
    phone.get_by_role("button", name="Next game Bob deals first").tap()
    expect(hero(phone)).to_have_text("0")
    expect(board.locator(".victory")).to_have_count(0)
    assert table.state["dealer"] == 1


@pytest.mark.long
def test_the_danger_of_a_skunk_is_said_in_words(table, look):
    table.lay(*near_the_end(), dealer=1)
    board = look(f"{table.url}/board", "tv")
    expect(board.locator(".risk")).to_have_text("Bob needs 4 to avoid the skunk")


@pytest.mark.parametrize(("front", "said"), [(90, "1 to avoid the skunk"), (91, "30 to go")])
def test_hole_ninety_one_saves_the_skunk(table, look, front, said):
    table.lay(*run_to(0, 100), *run_to(1, front))
    phone = look(table.url, holder=(0, "Ann"))
    expect(phone.locator(".other .note")).to_have_text(said)


def test_the_live_region_says_each_score(table, look):
    phone = look(table.url, holder=(0, "Ann"))
    table.score(1, 12, "hand")
    expect(phone.get_by_role("status")).to_have_text("Bob 12, now 12. Ann counts the hand")
    correct(phone)
    expect(phone.get_by_role("status")).to_have_text("Undone: Bob 12, now 0. Ann deals first")


@pytest.mark.long
def test_disabled_keys_say_why(table, look):
    phone = look(table.url, holder=(0, "Ann"))
    phone.get_by_role("button", name="Muggins").first.tap(force=True)
    expect(phone.locator("#what")).to_have_text("No muggins at this table")
    phone.get_by_role("button", name="Redo").tap(force=True)
    expect(phone.locator("#what")).to_have_text("Nothing to redo")
    for key in phone.locator("main [aria-disabled=true]").all():
        assert key.get_attribute("title"), key.inner_text()
    assert soon(lambda: table.fronts == [0, 0])


def test_a_phone_that_may_not_score_looks_on_and_says_why(tmp_path, look):
    with opened(tmp_path, open=False) as site:
        phone = look(f"http://127.0.0.1:{site.port}/", holder=None)
        expect(phone.locator("#holder")).to_be_hidden()
        expect(phone.get_by_text("open table")).to_have_count(0)
        phone.get_by_role("button", name="6", exact=True).tap(force=True)
        expect(phone.locator("#what")).to_have_text("This phone is not paired with the table")
        keys = phone.locator(".keys .key:not(#more)")
        assert keys.count() == keys.and_(phone.locator("[aria-disabled=true]")).count()


@pytest.mark.long
def test_a_picture_after_reconnecting_does_not_move(table, look):
    board = look(f"{table.url}/board", "tv", motion="no-preference")
    board.evaluate("() => dispatchEvent(new Event('pagehide'))")
    table.score(0, 12, "play")
    board.evaluate(FLIGHT)
    board.evaluate("() => dispatchEvent(new Event('pageshow'))")
    expect(board.locator(".seat .hero").first).to_have_text("12")
    assert board.evaluate("() => window.flight") == []


def test_a_refusal_of_the_table_is_said_on_the_strip(table, look):
    table.lay(dealer=0)
    look.excuse("422")
    phone = look(table.url, holder=(1, "Bob"))
    phone.get_by_role("button", name="Heels +2").tap()
    expect(phone.locator("#trouble")).to_contain_text("Heels are the dealer's, and the dealer is Ann")
    expect(hero(phone)).to_have_text("0")
    phone.get_by_role("button", name="Hide").tap()
    expect(phone.locator("#trouble")).to_be_hidden()


@pytest.mark.long
def test_the_deal_goes_round_from_the_sheet_behind_more(table, look):
    phone = look(table.url, holder=(0, "Ann"))
    phone.get_by_role("button", name="More").tap()
    phone.get_by_role("button", name="Bob deals").tap()
    expect(phone.locator(".other .crib")).to_contain_text("D")
    phone.get_by_role("button", name="More").tap()
    phone.get_by_role("button", name="29").tap()
    expect(hero(phone)).to_have_text("29")
    table.ask("undo", entry=table.state["undo"])
    assert table.state["dealer"] == 1


HOSTILE = [("<img src=x onerror=alert(1)>", "Ann</script><b>&amp;"), ("محمد عبد الرحمن", "W" * 40)]


@pytest.mark.sampled
@pytest.mark.parametrize("names", HOSTILE)
def test_a_name_is_only_ever_text(table, look, names):
    table.lay((0, 3, "play"), players=names)
    for path, size in (("/", "short"), ("/board", "tv"), ("/bench", "desk")):
        page = look(table.url + path, size)
        shown = page.locator("#keys h2:has(.mark) span, .name")
        expect(shown).to_have_text(list(names))
        assert page.locator("img, main script").count() == 0
        assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
