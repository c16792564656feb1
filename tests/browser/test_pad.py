"""A pad beyond its keys: corrections that are asked, the last five lines, a keyboard, penalties, who may score."""

import json
import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import bought, paired
from tests.browser.laid_games import Table, near_the_end
from tests.browser.looks import assert_clean, others_in_looks, wrong_looks
from tests.browser.pad import SAID, correct, room_of, touch_again
from tests.support.program import Service


def hero(page):
    return page.locator(".mine .hero")


def tap(page, name):
    page.get_by_role("button", name=name, exact=True).tap()


def line(page, words):
    return page.locator("#choices li").filter(has_text=words)


def everybodys(browser):
    """A phone of its own, for what must not be handed on: its cookie."""
    return bought(browser, "phone", "everyone", "light", "reduce")


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    """A table where devices are paired, corrections are the director's, a misdeal costs 2 and the deal is cut for."""
    rules = [word for rule in ("strict=on", "misdeal=2", "first deal=cut") for word in ("--house", rule)]
    with Service(tmp_path_factory.mktemp("house") / "state", *rules, closed=True) as program:
        yield program


# --- taps ---


def test_a_double_tap_pegs_once_and_one_key_pegs_it_again(table, look):
    phone = look(table.url, holder=(0, "Ann"))
    two = phone.locator("#keys [data-points='2']:not([data-label])")
    touch_again(phone, two, 100)
    expect(phone.locator("#what")).to_have_text("+2 again for Ann?")
    expect(phone.locator("#keep")).to_be_hidden()
    assert_clean(phone)
    expect(hero(phone)).to_have_text("2")
    tap(phone, "+2")
    expect(hero(phone)).to_have_text("4")
    phone.evaluate("""() => {
        const key = (points, label) => document.querySelector(`#keys [data-points='${points}']${label}`);
        const tap = (points, label = ':not([data-label])') => key(points, label).click();
        tap(3); tap(3); tap(2); tap(2, "[data-label='31']"); tap(3);
    }""")  # any other key acts at once, and what was held is forgotten
    expect(hero(phone)).to_have_text("14")
    expect(phone.locator("#take")).to_be_hidden()
    assert [entry["points"] for entry in table.state["entries"]] == [3, 2, 2, 3, 2, 2]


@pytest.mark.parametrize(("path", "at"), [("", ""), *others_in_looks(("tablet", "near-"))])
def test_the_key_that_pegs_it_again_has_the_room_of_undo_and_redo(table, look, browser, path, at):
    page = look(f"{table.url}/{path}", context=everybodys(browser))
    sizes = ((390, 844), (320, 568), (844, 390), (568, 320), (1180, 820), (195, 422))

    def rooms(*keys):
        found = {}
        for width, height in sizes:
            page.set_viewport_size({"width": width, "height": height})
            found[width, height] = room_of(page, *(f"#{at}{key}" for key in keys))
        return found

    corrections = rooms("undo", "redo")
    page.clock.install()
    page.evaluate(f"for (let i = 0; i < 2; i += 1) document.querySelector('#{at}keys [data-points=\"2\"]').click()")
    expect(page.locator(f"#{at}take")).to_be_visible()
    assert rooms("take") == corrections


def test_a_held_tap_is_forgotten_after_four_seconds_and_later_the_key_acts_at_once(table, look, browser):
    phone = look(table.url, context=everybodys(browser))
    phone.clock.install()
    five = "document.querySelector('#keys [data-points=\"5\"]').click()"
    phone.evaluate(f"{five}; {five}")
    expect(phone.locator("#take")).to_be_visible()
    phone.clock.fast_forward(4_100)
    expect(phone.locator("#take")).to_be_hidden()
    phone.evaluate(five)
    expect(hero(phone)).to_have_text("10")
    assert table.fronts == [10, 0]


# --- corrections ---


def test_a_correction_waits_for_yes_and_no_is_harmless(table, look):
    table.lay((0, 8, "hand"))
    phone = look(table.url, holder=(0, "Ann"))
    tap(phone, "Undo")
    expect(phone.locator("#what")).to_have_text("Undo Ann +8, hand?")
    expect(phone.locator("#when")).to_have_text("8 → 0")
    expect(phone.locator("#keep")).to_be_focused()
    phone.keyboard.press("Enter")
    expect(phone.locator("#undo")).to_be_visible()
    tap(phone, "Undo")
    phone.keyboard.press("Escape")
    expect(phone.locator("#undo")).to_be_visible()
    touch_again(phone, phone.locator("#undo"), 60)  # the second tap is on Keep it, in the same place
    expect(phone.locator("#keep")).to_be_focused()
    tap(phone, "Keep")
    expect(phone.locator("#what")).to_have_text("Ann +8, hand")
    assert table.fronts == [8, 0]
    phone.keyboard.press("u")
    tap(phone, "Undo")
    expect(hero(phone)).to_have_text("0")
    phone.keyboard.press("r")
    expect(phone.locator("#when")).to_have_text("0 → 8")
    phone.keyboard.press("Tab")
    phone.keyboard.press("Enter")
    expect(hero(phone)).to_have_text("8")


def test_a_question_goes_when_another_has_answered_it(table, look):
    table.lay((0, 8, "hand"))
    phone = look(table.url, holder=(0, "Ann"))
    tap(phone, "Undo")
    table.ask("undo", entry="1")
    expect(phone.locator("#keep")).to_be_hidden()
    expect(hero(phone)).to_have_text("0")


@pytest.mark.long
def test_the_last_five_lines_tell_the_way_the_source_and_what_became_of_them(table, look):
    table.lay((1, 2, "play"), (0, 1, "go"), (1, 4, "hand"), (0, 8, "hand"), (0, 4, "crib"))
    table.ask("undo", entry="4")
    phone = look(table.url, holder=(0, "Ann"))
    phone.locator("#last").tap()
    expect(phone.locator("#choices li")).to_have_count(5)
    expect(line(phone, "Ann +4, crib")).to_contain_text("1 → 5, program")
    expect(line(phone, "Ann +8, hand").locator("s")).to_have_count(1)
    expect(line(phone, "Ann +8, hand")).to_contain_text("undone (program)")
    game = table.state["game"]["id"]
    expect(phone.get_by_role("link", name="Full score sheet")).to_have_attribute("href", f"/history/{game}")
    assert wrong_looks(phone) == {}
    assert_clean(phone)
    line(phone, "Ann +8, hand").get_by_role("button", name="Redo").tap()
    expect(phone.locator("#when")).to_have_text("5 → 13")
    tap(phone, "Redo")
    expect(hero(phone)).to_have_text("13")


def test_a_line_is_amended_after_a_question(table, look):
    table.lay((1, 2, "play"), (1, 4, "hand"), (0, 8, "hand"))
    phone = look(table.url, holder=(0, "Ann"))
    phone.locator("#last").tap()
    line(phone, "Bob +4").get_by_role("button", name="Change").tap()
    assert_clean(phone)
    expect(phone.locator("#choices [data-points='19']")).to_have_count(0)
    phone.locator("#choices [data-points='6']").tap()
    expect(phone.locator("#what")).to_have_text("Bob +6, not +4?")
    expect(phone.locator("#when")).to_have_text("6 → 8")
    tap(phone, "Change")
    expect(phone.locator(".other .hero")).to_have_text("8")
    assert [entry["points"] for entry in table.state["entries"]] == [8, 6, 2]


def mean(phone, words, why):
    phone.locator("#last").tap()
    line(phone, words).get_by_role("button", name="Change").tap()
    phone.locator("#choices").get_by_role("button", name=why, exact=True).tap()
    tap(phone, "Change")


def test_what_points_were_for_is_said_afterwards_and_forgotten_again(table, look):
    table.lay((1, 2, None), (0, 2, None), dealer=0)
    phone = look(table.url, holder=(1, "Bob"))
    tap(phone, "6")
    expect(phone.locator("#what")).to_have_text(re.compile(r"^Bob \+6, likely (play|hand)$"))
    expect(phone.locator("#what .maybe")).to_have_attribute("title", "most likely")
    mean(phone, "Bob +6", "hand")
    expect(phone.locator("#what")).to_have_text("Bob +6, hand")
    assert table.state["entries"][0]["why"] == "hand"
    mean(phone, "Bob +6, hand", "No reason")
    expect(phone.locator("#what")).to_have_text(re.compile("^Bob \\+6, likely"))
    assert table.state["entries"][0]["why"] is None
    assert [entry["stands"] for entry in table.state["entries"]] == [True, True, True]
    assert table.fronts == [2, 8]


@pytest.mark.long
def test_a_line_whose_new_reason_is_refused_stays_as_it_is(table, look):
    look.excuse("422")
    table.lay((1, 2, "play"), (1, 6, "hand"))
    phone = look(table.url, holder=(1, "Bob"))
    refusal = {"type": "about:blank", "title": "no", "status": 422, "code": "rule", "detail": "that is not allowed"}
    answer = {"status": 422, "content_type": "application/problem+json", "body": json.dumps(refusal)}
    phone.route("**/api/v1/commands", lambda route: route.fulfill(**answer))
    mean(phone, "Bob +6, hand", "play")
    expect(phone.locator("#trouble-what")).to_have_text("That is not allowed")
    expect(hero(phone)).to_have_text("8")
    assert table.state["entries"][0]["why"] == "hand"


@pytest.mark.long
def test_a_question_that_is_asked_twice_gives_the_focus_to_undo(table, look):
    table.lay((0, 8, "hand"))
    phone = look(table.url, "desk", holder=(0, "Ann"))
    phone.keyboard.press("u")
    expect(phone.locator("#keep")).to_be_focused()
    phone.keyboard.press("u")
    phone.keyboard.press("Enter")
    expect(phone.locator("#keep")).to_be_hidden()
    expect(phone.locator("#undo")).to_be_focused()
    phone.locator("#last").focus()
    phone.keyboard.press("r")  # which is closed: it only says why
    expect(phone.locator("#last")).to_be_focused()
    phone.keyboard.press("u")
    phone.keyboard.press("u")
    phone.keyboard.press("Escape")
    expect(phone.locator("#last")).to_be_focused()
    assert table.fronts == [8, 0]


@pytest.mark.long
@pytest.mark.parametrize(("path", "at"), [("", ""), ("/tablet", "near-")])
def test_what_is_refused_late_or_closed_is_announced_once(table, look, path, at):
    look.excuse("422")
    look.excuse("ERR_FAILED")
    phone = look(table.url + path)
    phone.evaluate(SAID)
    phone.locator(f"#{at}undo").tap(force=True)
    expect(phone.locator("#said")).to_have_text("Nothing to undo")
    refusal = {"code": "rule", "detail": "that is not allowed"}
    answer = {"status": 422, "content_type": "application/problem+json", "body": json.dumps(refusal)}
    phone.route("**/api/v1/commands", lambda route: route.fulfill(**answer))
    phone.locator(f"#{at}keys [data-points='7']").tap()
    expect(phone.locator("#said")).to_have_text("That is not allowed")
    phone.unroute("**/api/v1/commands")
    phone.route("**/api/v1/commands", lambda route: route.abort())
    with phone.expect_event("requestfailed"):
        phone.locator(f"#{at}keys [data-points='5']").tap()
    phone.wait_for_event("requestfailed")  # the second try
    expect(phone.locator(f"#{at}trouble-then")).to_have_text(re.compile("[0-9] s"))
    assert phone.evaluate("window.said") == [
        "Nothing to undo",
        "That is not allowed",
        "+5: not sent yet",
    ]
    phone.locator(f"#{at}trouble-end").tap()


@pytest.mark.looks
def test_both_partners_are_read_on_a_phone_and_the_dealers_word_gives_way(table, look):
    table.lay(players=("Marie-Antoinette", "Bob", "Cy", "Dee"), variant="partners")
    phone = look(table.url, holder=(0, "Marie-Antoinette"))
    for width, height in ((390, 844), (360, 640)):
        phone.set_viewport_size({"width": width, "height": height})
        name = phone.locator(".mine .who .name")
        expect(name).to_have_text("Marie-Antoinette & Cy")
        assert name.evaluate("node => node.scrollHeight <= node.clientHeight + 1 && node.clientWidth > 100")
        expect(phone.locator(".mine .d")).to_be_visible()


# --- entry ---


def test_a_keyboard_pegs_digits_and_corrects(table, look):
    phone = look(table.url, "desk", holder=(0, "Ann"))
    phone.keyboard.press("5")
    expect(hero(phone)).to_have_text("5")
    phone.get_by_role("button", name="6", exact=True).focus()
    phone.keyboard.type("24")
    phone.keyboard.press("Enter")  # which means the 24, not the key that has the focus
    expect(hero(phone)).to_have_text("29")
    phone.keyboard.press("1")
    expect(phone.locator(".mine .chip")).to_have_text("+1 …")
    phone.keyboard.press("Backspace")
    expect(phone.locator(".mine .chip")).to_have_count(0)
    phone.keyboard.press("1")
    phone.keyboard.press("Enter")
    expect(hero(phone)).to_have_text("30")
    phone.keyboard.press("u")
    expect(phone.locator("#keep")).to_be_focused()
    phone.keyboard.press("Tab")
    phone.keyboard.press("Enter")
    expect(hero(phone)).to_have_text("29")
    phone.keyboard.press("r")
    expect(phone.locator("#take")).to_have_text("Redo")
    assert [entry["points"] for entry in table.state["entries"]] == [1, 24, 5]


@pytest.mark.long
def test_a_digit_in_a_field_pegs_nothing(table, look):
    phone = look(table.url, holder=(0, "Ann"))
    tap(phone, "More")
    tap(phone, "Fault or penalty")
    tap(phone, "Other penalty")
    phone.get_by_label("Reason").fill("")
    phone.get_by_label("Reason").press("7")
    phone.get_by_label("Reason").press("Enter")
    expect(phone.locator("#choices")).to_be_visible()
    assert table.fronts == [0, 0]


@pytest.mark.long
def test_the_keys_of_the_phase_are_marked_and_none_moves(table, look):
    phone = look(table.url, holder=(0, "Ann"))
    marked = phone.locator("#keys .likely")
    where = """() => [...document.querySelectorAll('#keys .key')]
        .map(key => Object.values(key.getBoundingClientRect().toJSON()))"""
    before = phone.evaluate(where)
    expect(marked).to_have_text(["1", "2", "3"])
    expect(marked.first).to_have_attribute("data-for", "play")
    table.score(1, 2, "play")
    table.score(1, 8, "hand")
    expect(marked).to_have_text(["2", "4", "6", "8", "10", "12"])
    expect(marked.first).to_have_attribute("data-for", "hand")
    table.score(0, 8, "hand")
    expect(marked).to_have_text(["2", "4", "6", "8"])
    assert phone.evaluate(where) == before


@pytest.mark.long
def test_the_usual_faults_are_offered_with_what_they_cost(house, look, browser):
    """What a misdeal costs and which faults there are comes from the rules in force."""
    table = Table(house, "director").lay(variant="standard")
    phone = look(table.url, context=paired(everybodys(browser), house))
    tap(phone, "More")
    tap(phone, "Fault or penalty")
    faults = phone.locator("#choices").get_by_role("group", name="Common faults").get_by_role("button")
    expect(faults).to_have_text(
        [
            *("Deck not cut: 2", "Card dealt incorrectly: 2", "Card exposed during the deal: 2"),
            *("Dealer has the wrong number of cards: 2", "Pone has the wrong number of cards: 2"),
            *("Dealt out of turn: 2", "Card face up in the deck", "Wrong deck"),
            *("Deck cut by the wrong player: 2", "Renege: 2"),
        ]
    )
    tap(phone, "Renege: 2")
    phone.locator("#choices .awards button").nth(0).tap()
    expect(phone.locator("#what")).to_have_text("Bob +2, penalty: renege")


@pytest.mark.long
def test_a_penalty_of_any_size_with_its_reason(table, look):
    phone = look(table.url, holder=(0, "Ann"))
    tap(phone, "More")
    tap(phone, "Fault or penalty")
    tap(phone, "Other penalty")
    tap(phone, "One more")
    phone.get_by_label("Reason").fill("talked of the cards")
    assert_clean(phone)
    phone.locator("#choices").get_by_role("button", name=re.compile(r"Bob \+3")).tap()
    expect(phone.locator(".other .hero")).to_have_text("3")
    expect(phone.locator("#what")).to_have_text("Bob +3, penalty: talked of the cards")


@pytest.mark.long
def test_more_leads_to_every_page(table, look):
    phone = look(table.url, holder=(0, "Ann"))
    tap(phone, "More")
    paths = phone.locator("#more-dialog a").evaluate_all("all => all.map(one => one.getAttribute('href'))")
    assert {"/tablet", "/board", "/count", "/play", "/history", "/stats", "/rules", "/settings", "/health"} <= set(
        paths
    )
    tap(phone, "Sound and language")
    expect(phone.locator("#hearing-dialog")).to_be_visible()


@pytest.mark.long
def test_two_equal_first_names_are_told_apart(table, look):
    table.lay((0, 3, "play"), players=("Ann Lee", "Ann Moss"))
    phone = look(table.url, holder=(1, "Ann Moss"))
    expect(phone.locator("#what")).to_have_text("Ann Lee +3, play")


@pytest.mark.long
def test_slow_down_is_waited_out_and_the_tap_counts_once(table, look):
    look.excuse("429")
    phone = look(table.url, holder=(0, "Ann"))
    busy = {"type": "about:blank", "title": "slow", "status": 429, "code": "too_many", "detail": "too many at once"}
    answer = {"status": 429, "headers": {"Retry-After": "1"}, "content_type": "application/problem+json"}
    phone.route("**/api/v1/commands", lambda route: route.fulfill(**answer, body=json.dumps(busy)), times=1)
    tap(phone, "8")
    expect(phone.locator("#trouble-then")).to_have_text("Too many at once")
    expect(hero(phone)).to_have_text("8")
    assert len(table.state["entries"]) == 1


# --- who may score ---


@pytest.mark.long
def test_at_a_strict_table_a_scorer_is_told_whose_corrections_are(house, look, browser):
    table = Table(house, "director").lay((0, 8, "play"), variant="standard")
    scorer = paired(everybodys(browser), house)
    phone = look(table.url, context=scorer)
    expect(phone.locator("#undo")).to_have_attribute("title", "Only the director can change lines at this table")
    phone.locator("#undo").tap(force=True)
    expect(phone.locator("#keep")).to_be_hidden()
    expect(phone.locator("#what")).to_have_text("Only the director can change lines at this table")
    phone.locator("#last").tap()
    expect(line(phone, "Ann +8").get_by_role("button", name="Undo")).to_have_attribute("aria-disabled", "true")
    tap(phone, "Close")
    tap(phone, "More")
    tap(phone, "Fault or penalty")
    tap(phone, "Deck cut by the wrong player: 2")
    phone.locator("#choices .awards button").nth(0).tap()
    expect(phone.locator("#what")).to_contain_text("+2, penalty: deck cut by the wrong player")
    chief = paired(everybodys(browser), house, "director")
    phone = look(table.url, context=chief)
    correct(phone)
    expect(phone.locator(".other .hero")).to_have_text("0")
    scorer.close()
    chief.close()


@pytest.mark.long
def test_where_the_deal_is_cut_for_the_next_dealer_is_asked(house, look, browser):
    table = Table(house, "director").lay(*near_the_end(), (0, 9, "crib"), dealer=1)
    context = paired(everybodys(browser), house, "director")
    phone = look(table.url, context=context)
    phone.get_by_role("button", name="Next game").tap()
    expect(phone.get_by_role("dialog", name="Who deals first?")).to_be_visible()
    phone.locator("#choices").get_by_role("button", name="Bob").tap()
    expect(hero(phone)).to_have_text("0")
    assert table.state["dealer"] == 1
    context.close()


RETURN = "() => document.dispatchEvent(new Event('visibilitychange'))"


@pytest.mark.long
def test_a_tap_of_a_phone_that_is_no_longer_paired_is_kept_until_it_is(house, look, browser):
    look.excuse("403")
    table = Table(house, "director").lay()
    context = everybodys(browser)
    phone = look(table.url, context=context)
    expect(phone.locator("#pair")).to_have_attribute("href", "/j/")
    phone.locator("[data-points='7']").tap(force=True)
    expect(phone.locator("#what")).to_contain_text("not paired")
    assert wrong_looks(phone) == {}
    assert_clean(phone)
    phone.set_viewport_size({"width": 390, "height": 844})
    paired(context, house)
    phone.evaluate(RETURN)
    expect(phone.locator("#pair")).to_be_hidden()
    context.clear_cookies()
    tap(phone, "8")
    expect(phone.locator("#trouble-what")).to_have_text("+8: not sent yet")
    expect(phone.locator("#trouble-then")).to_contain_text("your tap is saved")
    expect(phone.locator("#trouble").get_by_role("link", name="Pair")).to_have_attribute("href", "/j/")
    assert_clean(phone)
    assert table.fronts == [0, 0]
    paired(context, house)
    phone.evaluate(RETURN)
    expect(hero(phone)).to_have_text("8")
    expect(phone.locator("#trouble")).to_be_hidden()
    tap(phone, "More")
    tap(phone, "Unpair this device")
    expect(phone.locator("#pair")).to_be_visible()
    context.close()
