"""No tap of a phone is lost and none counts twice, whatever happens on the way."""

import json
import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import bought
from tests.browser.laid_games import Table, run_to
from tests.browser.pad import correct
from tests.support.program import Service

KILLED = ("ERR_CONNECTION", "ERR_INCOMPLETE_CHUNKED_ENCODING", "ERR_EMPTY_RESPONSE", "ERR_CONTENT_LENGTH_MISMATCH")
"""What a browser says of a server that was killed, in the middle of an answer perhaps."""


def hero(page):
    return page.locator(".mine .hero")


def tap(page, points):
    page.get_by_role("button", name=f"{points}", exact=True).tap()


@pytest.fixture
def two_phones(table, look):
    """Two phones for Ann, of which the second does not hear what happens at the table."""
    table.lay((0, 7, "play"))
    look.excuse("409")
    look.excuse("ERR_FAILED")
    first = look(table.url, holder=(0, "Ann"))
    second = look(table.url, holder=(0, "Ann"))
    second.route("**/events", lambda route: route.abort())
    second.evaluate("dispatchEvent(new Event('pagehide'))")
    tap(first, 12)
    expect(hero(first)).to_have_text("19")
    assert hero(second).inner_text() == "7"
    return first, second


def test_a_tap_on_an_old_picture_asks_and_no_adds_nothing(table, two_phones):
    _, second = two_phones
    tap(second, 12)
    question = second.get_by_role("dialog", name="Ann is already at 19")
    expect(question).to_contain_text(re.compile(r"\+12, likely \w+, (just now|\d+ s ago)"))
    expect(question).to_contain_text("Add 12 more?")
    expect(question.get_by_role("button", name="No, 19 is right")).to_be_focused()
    question.get_by_role("button", name="No, 19 is right").tap()
    expect(question).to_be_hidden()
    expect(hero(second)).to_have_text("19")
    assert table.fronts == [19, 0]


@pytest.mark.long
def test_escape_means_no(table, two_phones):
    _, second = two_phones
    tap(second, 12)
    expect(second.get_by_role("button", name="No, 19 is right")).to_be_focused()
    second.keyboard.press("Escape")
    expect(second.get_by_role("dialog")).to_be_hidden()
    assert table.fronts == [19, 0]
    tap(second, 1)
    expect(hero(second)).to_have_text("20")


def test_a_question_is_not_answered_by_what_was_meant_for_the_key_below_it(table, look, browser):
    look.excuse("409")
    look.excuse("ERR_FAILED")
    table.lay((0, 7, "play"))
    context = bought(browser, "phone", (0, "Ann"), "light", "reduce")  # of its own: its clock stays what it becomes
    second = look(table.url, context=context)
    second.route("**/events", lambda route: route.abort())
    second.evaluate("dispatchEvent(new Event('pagehide'))")
    table.score(0, 12, "hand")
    second.clock.install()
    second.clock.pause_at(second.evaluate("Date.now() + 1000"))
    tap(second, 12)
    question = second.get_by_role("dialog", name="Ann is already at 19")
    expect(question).to_be_visible()
    second.clock.run_for(390)
    yes = question.locator("#question-yes").bounding_box()
    second.touchscreen.tap(yes["x"] + 20, yes["y"] + 20)
    second.touchscreen.tap(20, 20)  # beside it
    for key in ("Enter", "Escape", "Escape", "7"):
        second.keyboard.press(key)
    expect(question).to_be_visible()
    assert table.fronts == [19, 0]
    second.clock.run_for(60)
    expect(question.get_by_role("button", name="No, 19 is right")).to_be_focused()
    second.touchscreen.tap(yes["x"] + 20, yes["y"] + 20)
    expect(hero(second)).to_have_text("31")
    context.close()


@pytest.mark.long
def test_yes_sends_the_same_tap_from_what_the_question_showed(table, look, two_phones):
    first, second = two_phones
    ids = []
    look.listen(
        second, "request", lambda request: request.method == "POST" and ids.append(request.post_data_json["id"])
    )
    tap(second, 12)
    second.get_by_role("button", name="Yes, add 12 more").tap()
    expect(hero(second)).to_have_text("31")
    expect(hero(first)).to_have_text("31")
    assert len(ids) == 2
    assert len(set(ids)) == 1


def test_two_phones_pressing_undo_undo_once(table, two_phones):
    first, second = two_phones
    table.score(0, 3, "play")
    tap(second, 5)
    second.get_by_role("button", name="No, 22 is right").tap()
    expect(second.locator("#what")).to_have_text("Ann +3, play")
    for phone in (first, second):
        correct(phone)
    expect(second.locator("#trouble")).to_be_visible()
    expect(hero(first)).to_have_text("19")
    expect(hero(second)).to_have_text("19")
    assert table.fronts == [19, 0]


def test_taps_in_quick_succession_all_count(table, look):
    phone = look(table.url, holder=(0, "Ann"))
    phone.evaluate("for (const n of [1, 2, 3, 4]) document.querySelector(`[data-points='${n}']`).click()")
    expect(hero(phone)).to_have_text("10")
    assert [entry["points"] for entry in table.state["entries"]] == [4, 3, 2, 1]


@pytest.mark.long
def test_a_next_game_that_another_has_begun_already_is_no_fault(table, look):
    look.excuse("409")
    look.excuse("ERR_FAILED")
    table.lay(*run_to(0, 121))
    first, second = look(table.url), look(table.url)
    second.route("**/events", lambda route: route.abort())
    second.evaluate("dispatchEvent(new Event('pagehide'))")
    asked = []
    look.listen(first, "request", lambda request: request.method == "POST" and asked.append(request))
    first.evaluate("() => { const key = document.getElementById('next-game'); key.click(); key.click(); }")
    expect(hero(first)).to_have_text("0")
    game = table.state["game"]["id"]
    second.locator("#next-game").tap()
    expect(hero(second)).to_have_text("0")
    for phone in (first, second):
        expect(phone.locator("#trouble")).to_be_hidden()
        expect(phone.locator("dialog[open]")).to_have_count(0)
    assert len(asked) == 1
    assert table.state["game"]["id"] == game


def test_a_next_game_from_an_end_that_was_taken_back_is_refused(table, look):
    look.excuse("409")
    look.excuse("ERR_FAILED")
    table.lay(*run_to(0, 121))
    phone = look(table.url)
    phone.route("**/events", lambda route: route.abort())
    phone.evaluate("dispatchEvent(new Event('pagehide'))")
    table.ask("undo", entry=table.state["entries"][0]["id"])
    phone.locator("#next-game").tap()
    expect(phone.locator("#trouble-what")).to_contain_text("not finished")


@pytest.mark.long
def test_a_tap_without_a_base_is_asked_about_and_kept(table, look):
    look.excuse("428")
    table.lay((0, 7, "play"))
    phone = look(table.url, holder=(0, "Ann"))
    missing = {
        "type": "about:blank",
        "title": "no",
        "status": 428,
        "code": "base_missing",
        "detail": "`base` is missing",
    }
    answer = {"status": 428, "content_type": "application/problem+json", "body": json.dumps(missing)}
    phone.route("**/api/v1/commands", lambda route: route.fulfill(**answer), times=1)
    tap(phone, 12)
    phone.get_by_role("button", name="Yes, add 12 more").tap()
    expect(hero(phone)).to_have_text("19")


def test_a_lost_answer_is_asked_for_again_and_counts_once(table, look):
    look.excuse("ERR_FAILED")
    phone = look(table.url, holder=(0, "Ann"))
    lost = []

    def lose(route):
        lost.append(route.fetch().status)
        expect(phone.locator("#said")).to_have_text(re.compile("^Ann 8"))  # it came as news, before its answer
        route.abort()

    phone.route("**/api/v1/commands", lose, times=1)
    tap(phone, 8)
    expect(phone.locator("#said")).to_have_text(re.compile("^\\+8.*: sent$"))
    expect(phone.locator("#trouble")).to_be_hidden()
    expect(hero(phone)).to_have_text("8")
    phone.wait_for_function("() => !Object.keys(localStorage).some(key => key.startsWith('pegboard.tap.'))")
    assert lost == [201]
    assert table.fronts == [8, 0]
    assert len(table.state["entries"]) == 1


def test_not_sent_is_said_and_the_number_waits_until_it_is_stored(table, look):
    look.excuse("ERR_FAILED")
    table.lay((0, 7, "play"))
    phone = look(table.url, holder=(0, "Ann"))
    phone.route("**/api/v1/commands", lambda route: route.abort())
    expect(phone.locator("#link")).to_have_text("Live")
    phone.get_by_role("button", name="31 +2").tap()
    expect(phone.locator("#link")).to_have_text("Not connected")
    expect(phone.locator("#trouble")).to_contain_text("+2, 31: not sent yet")
    expect(phone.locator("#trouble")).to_contain_text("Trying again")
    expect(phone.locator(".mine .note")).to_have_text("+2 waiting")
    expect(phone.locator(".ghost.coming")).to_have_count(1)
    assert hero(phone).inner_text() == "7"
    phone.get_by_role("button", name="Cancel").tap()
    expect(phone.locator("#trouble")).to_be_hidden()
    expect(phone.locator(".ghost.coming")).to_have_count(0)
    assert table.fronts == [7, 0]


def test_a_tap_without_a_server_is_kept_and_counts_once_when_it_is_back(tmp_path, look):
    for broken in KILLED:
        look.excuse(broken)
    with Service(tmp_path / "state") as program:
        table = Table(program).lay((0, 7, "play"))
        phone = look(table.url, holder=(0, "Ann"))
        board = look(f"{table.url}/board", "tv")
        program.stop()
        expect(phone.locator("#link")).to_have_text("Not connected")
        tap(phone, 12)
        expect(phone.locator("#trouble")).to_contain_text("not sent yet")
        assert hero(phone).inner_text() == "7"
        context = phone.context
        phone.close()  # and comes back only when the table does
    with Service(tmp_path / "state", "--port", f"{program.port}") as program:
        table = Table(program)
        phone = look(table.url, context=context)
        expect(hero(phone)).to_have_text("19")
        expect(phone.locator("#link")).to_have_text("Live")
        expect(board.locator(".seat .hero").first).to_have_text("19")
        assert [entry["points"] for entry in table.state["entries"]] == [12, 7]


@pytest.mark.long
def test_an_open_phone_sends_what_waited_as_soon_as_the_table_answers(tmp_path, look):
    for broken in KILLED:
        look.excuse(broken)
    with Service(tmp_path / "state") as program:
        table = Table(program).lay()
        phone = look(table.url, holder=(0, "Ann"))
        program.kill()
        tap(phone, 5)
        tap(phone, 6)
        expect(phone.locator("#trouble")).to_contain_text("and 1 more")
    with Service(tmp_path / "state", "--port", f"{program.port}") as program:
        table = Table(program)
        expect(hero(phone)).to_have_text("11")
        assert [entry["points"] for entry in table.state["entries"]] == [6, 5]


@pytest.mark.long
def test_a_tap_for_a_game_that_is_gone_is_dropped_and_said(table, look):
    look.excuse("409")
    look.excuse("ERR_FAILED")
    phone = look(table.url, holder=(0, "Ann"))
    phone.route("**/api/v1/commands", lambda route: route.abort())
    tap(phone, 12)
    expect(phone.locator("#trouble")).to_contain_text("not sent yet")
    table.lay()
    phone.unroute("**/api/v1/commands")
    expect(phone.get_by_role("button", name="Hide")).to_be_visible()
    assert table.fronts == [0, 0]


AGED = """for (const key of Object.keys(localStorage).filter(key => key.startsWith('pegboard.tap.'))) {
        const item = JSON.parse(localStorage.getItem(key));
        localStorage.setItem(key, JSON.stringify({...item, asked: item.asked - 61000}));
    }"""
"""What waits has waited a minute longer."""


def test_a_stored_tap_whose_answer_was_lost_is_not_offered_again_after_a_minute(table, look):
    look.excuse("ERR_FAILED")
    phone = look(table.url, holder=(0, "Ann"))

    def lose(route):
        if not table.state["entries"]:
            route.fetch()
        route.abort()

    phone.route("**/api/v1/commands", lose)
    tap(phone, 6)
    expect(phone.locator("#trouble")).to_contain_text("not sent yet")
    phone.evaluate(AGED)
    phone.reload()
    phone.wait_for_function("() => !Object.keys(localStorage).some(key => key.startsWith('pegboard.tap.'))")
    expect(phone.locator("dialog[open]")).to_have_count(0)
    assert table.fronts == [6, 0]


@pytest.mark.long
def test_a_minute_without_an_answer_asks_before_it_sends(table, look):
    look.excuse("ERR_FAILED")
    look.excuse("404")
    phone = look(table.url, holder=(0, "Ann"))
    phone.route("**/api/v1/commands", lambda route: route.abort())
    tap(phone, 12)
    expect(phone.locator("#trouble")).to_contain_text("not sent yet")
    phone.evaluate(AGED)
    phone.unroute("**/api/v1/commands")
    phone.reload()
    question = phone.get_by_role("dialog", name="+12: no answer for a minute")
    expect(question.get_by_role("button", name="No, drop it")).to_be_focused()
    question.get_by_role("button", name="Yes, send it").tap()
    expect(hero(phone)).to_have_text("12")


def test_twelve_seconds_without_a_heartbeat_put_the_link_in_doubt(table, look, browser):
    context = bought(browser, "phone", (0, "Ann"), "light", "reduce")  # of its own: its clock stays what it becomes
    context.clock.install()
    phone = look(table.url, context=context)
    phone.evaluate("""() => {
        const link = document.getElementById('link');
        window.links = [];
        new MutationObserver(() => window.links.push(link.textContent)).observe(link, {childList: true});
    }""")
    phone.clock.run_for(20_000)
    expect(phone.locator("#link")).to_have_text("Live")  # with the next heartbeat
    assert phone.evaluate("window.links") == ["Checking", "Live"]
    context.close()
