"""The rules page in a browser: readable at every size, in both languages, on paper, and without any script."""

import pytest
from playwright.sync_api import expect

from tests.browser.laid_games import near_the_end
from tests.browser.looks import assert_clean, wrong_looks
from tests.support.long_runs import some_in_turn


def speak(page, language):
    page.context.add_cookies([{"name": "language", "value": language, "url": page.url}])
    page.reload()


@pytest.mark.looks
@pytest.mark.parametrize(("theme", "language"), some_in_turn([("light", "en"), ("dark", "fr")], 1))
def test_the_rules_can_be_read_everywhere(table, look, theme, language):
    page = look(f"{table.url}/rules", theme=theme)
    speak(page, language)
    try:
        expect(page.locator("html")).to_have_attribute("lang", language)
        page.locator(".force summary").first.click()
        assert wrong_looks(page) == {}
        page.set_viewport_size({"width": 390, "height": 844})
        assert_clean(page)
    finally:
        page.context.clear_cookies()


@pytest.mark.long
def test_a_link_of_a_refusal_goes_to_its_line(table, look):
    page = look(f"{table.url}/rules#flush-in-the-crib")
    expect(page.locator(":target h3")).to_be_in_viewport()
    expect(page.locator(":target")).to_contain_text("5 or nothing")


@pytest.mark.long
def test_another_game_by_other_rules_is_said(table, look):
    page = look(f"{table.url}/rules")
    changed = page.get_by_text("A new game has started under different rules")
    table.lay(*near_the_end(), dealer=1)
    expect(changed).to_be_hidden()
    table.lay(variant="short")
    expect(changed).to_be_visible()
    changed.click()
    expect(page.get_by_role("heading", name="Once around")).to_be_visible()


@pytest.mark.long
def test_it_needs_no_script_and_fits_on_paper(table, browser):
    context = browser.new_context(java_script_enabled=False, viewport={"width": 390, "height": 844})
    page = context.new_page()
    page.goto(f"{table.url}/rules")
    expect(page.get_by_text("needs JavaScript")).to_have_count(0)
    page.get_by_text("Rules of other variants").click()
    page.get_by_role("link", name="Solitaire").click()
    expect(page.get_by_role("heading", name="Solitaire")).to_be_visible()
    page.get_by_role("link", name="Winning").click()
    expect(page.locator("#winning h2")).to_be_in_viewport()
    page.emulate_media(media="print")
    expect(page.locator(".contents")).to_be_hidden()
    expect(page.locator("nav.nav")).to_be_hidden()
    expect(page.locator("#skunk")).to_be_visible()
    context.close()


@pytest.mark.long
def test_every_part_of_a_count_leads_to_its_line(table, look):
    table.lay()
    page = look(f"{table.url}/count")
    page.keyboard.type("45666")
    links = page.locator("#to-rules a")
    expect(links).to_have_text(["fifteen", "pair royal", "run"])
    assert [link.get_attribute("href") for link in links.all()] == ["/rules#fifteen", "/rules#pair-royal", "/rules#run"]
    links.last.click()
    expect(page.locator(":target h3")).to_have_text("Run")
    page.goto(f"{table.url}/play")
    page.get_by_role("button", name="seven").click()
    expect(page.locator("#count")).to_have_text("7")
    page.get_by_role("button", name="eight").click()
    expect(page.locator("#to-rules a")).to_have_attribute("href", "/rules#play-fifteen")


def test_a_refused_tap_leads_to_its_rule(table, look):
    """Ann was said to deal, and nothing has been scored since."""
    table.lay(dealer=0)
    look.excuse("422")
    phone = look(table.url, holder=(1, "Bob"))
    phone.get_by_role("button", name="Heels +2").tap()
    expect(phone.locator("#trouble-what")).to_contain_text("Heels are the dealer's, and the dealer is Ann")
    assert wrong_looks(phone, ("short", "phone")) == {}
    assert_clean(phone)
    phone.get_by_role("link", name="Rule", exact=True).tap()
    expect(phone.locator(":target h3")).to_have_text("Heels")
