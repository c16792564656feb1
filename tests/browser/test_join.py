"""The page that pairs a phone: by a scanned code, by a typed one, by the keyboard, and what it says when it cannot."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import paired
from tests.browser.looks import assert_clean, wrong_looks
from tests.support.waiting import soon
from web.access.pairing_codes import Codes


@pytest.fixture
def stranger(browser):
    """A phone that no table knows."""
    device = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
    yield device
    device.close()


def test_a_scanned_code_pairs_a_phone_with_one_key(closed, look, stranger):
    code = closed.code()
    phone = look(f"{closed.url}/J/{code}", context=stranger)
    button = phone.get_by_role("button", name="Pair with the table")
    expect(button).to_be_focused()
    expect(phone.get_by_label("Table code")).to_have_value(code)
    assert closed.client().ask("GET", "/api/v1/pairing")[1]["code"] == code, "looking redeems nothing"
    phone.keyboard.press("Enter")
    phone.wait_for_url(closed.url + "/")
    expect(phone.locator("body")).to_have_attribute("data-role", "scorer")
    assert stranger.cookies()[0]["httpOnly"]
    assert phone.evaluate("document.cookie") == ""


@pytest.mark.long
def test_a_typed_code_is_taken_as_it_is_written_and_refusals_are_said(closed, look, stranger):
    look.excuse("403")
    phone = look(closed.url + "/j/", context=stranger)
    field, alert = phone.get_by_label("Table code"), phone.get_by_role("alert")
    expect(field).to_be_focused()
    phone.keyboard.press("Enter")
    expect(alert).to_have_text("Type the six letters and digits shown at the table.")
    phone.keyboard.type("7kq")
    phone.keyboard.press("Enter")
    expect(alert).to_have_text(re.compile("^A code has six letters and digits, .* pegboard code director.$"))
    field.fill("222222")
    phone.get_by_role("button", name="Pair with the table").tap()
    expect(alert).to_have_text(re.compile("^Wrong or expired code. The table shows the current one"))
    expect(field).to_be_focused()
    expect(field).to_have_attribute("aria-invalid", "true")
    assert_clean(phone)
    assert wrong_looks(phone) == {}
    code = closed.code().lower()
    field.fill(f"{code[:3]} {code[3:]}")
    phone.keyboard.press("Enter")
    phone.wait_for_url(closed.url + "/")


@pytest.mark.long
def test_a_paired_phone_is_told_until_when_and_may_leave(closed, look, stranger):
    phone = look(closed.url + "/j/", context=paired(stranger, closed))
    standing = phone.locator("#standing")
    expect(standing).to_have_text(re.compile(r"^This phone can score until .*\d\d?:\d\d.*\.$"))
    assert_clean(phone)
    assert wrong_looks(phone) == {}
    phone.get_by_role("button", name="Unpair this phone").tap()
    expect(standing).to_have_text("This phone is now view-only.")
    assert not [one for one in stranger.cookies() if one["name"].startswith("pegboard-")]
    paired(stranger, closed, "director")
    phone.reload()
    expect(standing).to_have_text(re.compile(r"^Until .*, this is a director.s phone:"))


@pytest.mark.long
def test_a_phone_that_leaves_is_told_so_whichever_answer_comes_last(closed, look, stranger):
    """The page asks who it is twice then: as the role changes, and for the sentence."""
    phone = look(closed.url + "/j/", context=paired(stranger, closed))
    held = []
    phone.route("**/api/v1/me", lambda route: route.continue_() if held else held.append(route))
    phone.get_by_role("button", name="Unpair this phone").tap()
    standing = phone.locator("#standing")
    expect(standing).to_have_text("This phone is now view-only.")
    soon(lambda: phone.evaluate("1") and held)
    with phone.expect_response("**/api/v1/me"):
        held[0].continue_()
    phone.evaluate("new Promise((done) => setTimeout(done))")
    expect(standing).to_have_text("This phone is now view-only.")


EVERYBODY = "localStorage.setItem('pegboard.holder', JSON.stringify({seat: null, name: null}))"


def test_a_phone_that_was_unpaired_keeps_its_tap_and_sends_it_once_it_is_paired_again(closed, look, stranger):
    look.excuse("403")
    stranger.add_init_script(EVERYBODY)
    phone = look(closed.url, context=paired(stranger, closed))
    before = closed.client().state()["lanes"][0]["front"]
    Codes.of_table(closed.state).unpair_all()
    phone.get_by_role("button", name="4", exact=True).tap()
    expect(phone.locator("#trouble")).to_be_visible()
    assert closed.client().state()["lanes"][0]["front"] == before
    phone.locator("#trouble").get_by_role("link", name="Pair").tap()
    expect(phone.locator("#pairing button")).to_be_enabled()
    phone.get_by_label("Table code").fill(closed.code())
    phone.keyboard.press("Enter")
    phone.wait_for_url(closed.url + "/")
    expect(phone.locator("#trouble")).to_be_hidden()
    soon(lambda: closed.client().state()["lanes"][0]["front"] == before + 4)


@pytest.mark.long
def test_a_code_that_is_sent_before_the_page_is_ready_stays_in_its_field(closed, look, stranger):
    phone, held = look(closed.url + "/board", context=stranger), []
    phone.route(re.compile(r"/join/page\.js"), lambda route: held.append(route))  # noqa: PLW0108 - a bound one is not taken
    phone.goto(closed.url + "/j/", wait_until="commit")
    phone.get_by_label("Table code").fill(closed.code())
    phone.keyboard.press("Enter")
    expect(phone.locator("#pairing button")).to_be_disabled()
    soon(lambda: phone.evaluate("1") and held)
    held[0].continue_()
    expect(phone.locator("#pairing button")).to_be_enabled()
    assert phone.url == closed.url + "/j/"
    phone.get_by_role("button", name="Pair with the table").tap()
    phone.wait_for_url(closed.url + "/")


@pytest.mark.looks
def test_the_page_speaks_french(closed, look, browser):
    device = browser.new_context(locale="fr-FR", viewport={"width": 360, "height": 640})
    phone = look(closed.url + "/j/7KQ2AB", context=device)
    expect(phone.get_by_role("button", name="Associer à la table")).to_be_focused()
    assert wrong_looks(phone) == {}
    device.close()


@pytest.mark.long
def test_at_an_open_table_nothing_is_to_be_typed(table, look):
    phone = look(table.url + "/j/7KQ2AB")
    expect(phone.locator("#standing")).to_have_text("Open table: anyone can score, no code needed.")
    expect(phone.get_by_role("textbox")).to_have_count(0)
    expect(phone.get_by_role("link", name="Go to the table")).to_be_visible()
    assert_clean(phone)
