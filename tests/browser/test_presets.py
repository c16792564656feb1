"""Presets: one tap plays by a printed sheet, a changed rule is named, and the first score is pegged."""

import pytest
from playwright.sync_api import expect

from tests.browser.looks import assert_clean, wrong_looks


def settings(table, look, **more):
    page = look(f"{table.url}/settings", **more)
    page.locator("#facts dd").first.wait_for()
    return page


def test_a_sheet_is_chosen_with_one_tap_changed_and_played(table, look):
    page = settings(table, look)
    laws = page.get_by_role("button", name="1922 laws")
    expect(laws).to_have_attribute("aria-pressed", "false")
    laws.tap()
    expect(laws).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#preset-about")).to_contain_text("A misdeal costs 2")
    expect(page.locator("#house")).to_have_text("1922 laws")
    page.locator(".house summary").click()
    expect(page.get_by_role("combobox", name="Skunks", exact=True)).to_have_value("lurch")
    page.get_by_role("combobox", name="Result", exact=True).select_option("on")
    page.get_by_role("spinbutton", name="Game hole").fill("61")
    expect(page.locator("#house")).to_have_text("1922 laws with game hole 61, changed: the players confirm the result")
    page.locator("#start").click()
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.locator("#keys")).to_be_visible()
    page.get_by_role("button", name="4", exact=True).tap()
    expect(page.locator(".tile.mine .hero")).to_have_text("4")
    game = table.state["game"]
    assert game["preset"] == {"name": "1922 laws", "chosen": ["game hole=61"], "changed": ["confirm=on"]}
    assert (game["game_hole"], game["skunk_lines"], game["rules"]["misdeal"]) == (61, [30], 2)
    page = settings(table, look)
    expect(page.get_by_role("button", name="1922 laws")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#house")).to_have_text("1922 laws with game hole 61, changed: the players confirm the result")


def test_a_second_tap_returns_to_the_variant_and_another_number_of_players_keeps_a_sheet_that_has_it(table, look):
    page = settings(table, look)
    guide = page.get_by_role("button", name="Complete guide")
    guide.tap()
    page.locator("#variant").select_option("three-handed")
    expect(guide).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#house")).to_have_text("Complete guide")
    page.get_by_role("button", name="Box sheet").tap()
    expect(page.locator("#variant")).to_have_value("three-handed")
    page.locator("#variant").select_option("short")
    expect(page.locator("#presets [aria-pressed=true]")).to_have_count(0)
    page.get_by_role("button", name="ACC tournament").tap()
    expect(page.locator("#variant")).to_have_value("acc")
    page.get_by_role("button", name="ACC tournament").tap()
    expect(page.locator("#house")).to_have_text("The variant’s own rules; no house rules.")
    expect(page.locator("#preset-about")).to_be_empty()


@pytest.mark.looks
def test_the_keys_for_sheets_look_right_at_every_size(table, look):
    page = settings(table, look)
    page.get_by_role("button", name="1922 laws").tap()
    assert wrong_looks(page) == {}
    assert_clean(page)


def test_a_game_by_a_sheet_is_named_in_the_list_and_on_the_rules_page(table, look):
    table.lay((0, 12, "play"), preset="Box sheet", variant="box-sheet")
    expect(look(f"{table.url}/history").locator("main")).to_contain_text("Box sheet")
    page = look(f"{table.url}/rules")
    expect(page.locator("#in-force h2")).to_have_text("Box sheet")
    table.lay(preset="Box sheet", variant="box-sheet", house=["muggins=on"])
    expect(page.locator("#changed")).to_be_visible()
