"""The certificate of a perfect hand: offered where a person scores it, and printed on one sheet of any paper."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.laid_games import run_to

PERFECT = [(1, 29, "hand")]


@pytest.mark.long
@pytest.mark.parametrize("paper", ["A4", "Letter"])
def test_it_fits_on_one_sheet(table, browser, paper):
    table.lay(*PERFECT, players=("Ann", "A name that is as long as the table takes it, which is a lot"[:40]))
    page = browser.new_page()
    page.goto(f"{table.url}/print/29?game={table.state['game']['id']}&line=1")
    expect(page.locator("#date")).to_have_text(re.compile(r"\d{4}"))
    pdf = page.pdf(format=paper, landscape=True)
    assert len(re.findall(rb"/Type\s*/Page\b", pdf)) == 1
    page.close()


def test_the_pad_offers_it_in_the_place_of_redo(table, look):
    table.lay(*run_to(0, 40))
    phone = look(table.url)
    offer = phone.get_by_role("link", name="Frame it")
    expect(offer).to_be_hidden()
    table.score(1, 29, "hand")
    expect(offer).to_have_attribute("href", f"/print/29?game={table.state['game']['id']}&line=3")
    expect(phone.locator("#redo")).to_be_hidden()
    table.score(0, 2, "play")
    expect(offer).to_be_hidden()
    expect(phone.locator("#undo")).to_be_visible()


@pytest.mark.long
def test_the_hand_counter_gives_it_the_cards(table, look):
    table.lay(dealer=0)
    page = look(f"{table.url}/count")
    page.keyboard.type("555J5")
    page.locator("#nobs").get_by_role("button", name="Yes").click()
    page.keyboard.press("Enter")
    page.get_by_role("link", name="Certificate").click()
    expect(page.locator(".face")).to_have_text(["5", "5", "5", "J", "5"])
    expect(page.locator("h1")).to_have_text("A perfect hand")


@pytest.mark.long
def test_the_score_sheet_keeps_the_way_to_it(table, look):
    table.lay(*PERFECT, (0, 28, "hand"), (0, 24, "crib"))
    page = look(f"{table.url}/history/now#entries")
    links = page.get_by_role("link", name="Certificate")
    expect(links).to_have_count(2)
    links.first.click()
    expect(page.locator("h1")).to_have_text("Twenty-eight")
