"""Somebody leaves and somebody else plays on, and a handicap: under More of phone and tablet, seen on all pages."""

from playwright.sync_api import expect

from tests.browser.looks import assert_clean, wrong_looks
from tests.browser.pad import SAID


def open_names(page, side=""):
    page.locator(f"#{side}more" if side else "button[data-call=more]").first.click()
    page.get_by_role("button", name="Change a name").click()
    expect(page.locator("dialog.names[open]")).to_be_visible()


def test_ann_leaves_at_61_and_cy_plays_on_and_wins(table, look):
    table.lay((0, 29, "hand"), (1, 12, "hand"), (0, 29, "hand"), (0, 3, "play"))
    tv = look(f"{table.url}/board", "tv")
    page = look(table.url, "phone", holder="everyone")
    open_names(page)
    assert not wrong_looks(page)
    assert_clean(page)
    page.get_by_role("textbox", name="Player 1").fill("Bob")
    page.get_by_role("button", name="Someone else plays on").click()
    expect(page.locator("dialog.names .reason")).to_contain_text("Two players are called Bob")
    page.get_by_role("textbox", name="Player 1").fill("Cy")
    page.evaluate(SAID)
    page.get_by_role("button", name="Someone else plays on").click()
    expect(page.locator("dialog.names")).to_be_hidden()
    assert "Cy plays for Ann from here." in page.evaluate("window.said")
    expect(tv.get_by_text("Cy", exact=True).first).to_be_visible()
    assert [seat["name"] for seat in table.state["seats"]] == ["Cy", "Bob"]
    for points, why in ((29, "hand"), (29, "hand"), (2, "play")):
        table.score(0, points, why)
    expect(tv.get_by_text("Cy wins").first).to_be_visible()

    sheet = look(f"{table.url}/history/now", "desk")
    expect(sheet.locator("#line-5 .what-line")).to_have_text("Cy plays for Ann from here")
    expect(sheet.locator("#line-4 .what-line")).to_contain_text("Ann +3")
    expect(sheet.locator("#line-6 .what-line")).to_contain_text("Cy +29")
    expect(sheet.locator("#when")).to_contain_text("Cy played on for Ann")
    figures = sheet.locator("#figures > div")
    expect(figures.nth(0)).to_contain_text("61 holes")
    expect(figures.nth(1)).to_contain_text("60 holes")
    assert not wrong_looks(sheet)

    stats = look(f"{table.url}/stats", "desk")
    card = stats.locator(".player-card", has=stats.get_by_role("heading", name="Cy", exact=True))
    expect(card).to_contain_text("Took over in")
    assert not wrong_looks(stats)


def test_bob_starts_twenty_ahead_and_that_is_undone(table, look):
    page = look(table.url, "phone", holder="everyone")
    page.locator("button[data-call=more]").first.click()
    page.get_by_role("button", name="Head start").click()
    page.locator("#choices").get_by_role("button", name="20", exact=True).click()
    assert not wrong_looks(page)
    page.locator("dialog[open] button", has_text="Bob").click()
    expect(page.locator("dialog[open]")).to_have_count(0)
    expect(page.get_by_role("button", name="Bob 20")).to_be_visible()
    sheet = look(f"{table.url}/history/now", "desk")
    expect(sheet.locator("#line-1 .what-line")).to_have_text("Bob starts 20 ahead")
    assert table.state["lanes"][0]["front"] == 0


def test_a_tablet_offers_both_under_more(table, look):
    page = look(f"{table.url}/tablet", "flat")
    page.locator("button[data-call=more]").first.click()
    expect(page.get_by_role("button", name="Head start").first).to_be_visible()
    page.get_by_role("button", name="Change a name").first.click()
    expect(page.locator("dialog.names[open]")).to_be_visible()
    page.locator("dialog.names[open] input").first.fill("Cy")
    page.get_by_role("button", name="Someone else plays on").first.click()
    expect(page.get_by_text("Cy", exact=True).first).to_be_visible()
    assert not wrong_looks(page)
