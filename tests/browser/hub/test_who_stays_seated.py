"""A player who cannot move from table to table: a tick in the entry, and the seat is the same all night."""

import pytest
from playwright.sync_api import expect

from tests.browser.hub.devices_of_a_night import Desk


@pytest.mark.long
def test_a_tick_in_the_entry_leaves_a_player_at_one_table(hub, open_device):
    night = hub.open_night(games=5)
    hub.enter(night, 8)
    desk = Desk(open_device("desk", client=hub.director())).open(f"{hub.url}night/{night}")
    desk.tap("More: Cy")
    desk.sheet.get_by_role("button", name="Change name or number").click()
    desk.sheet.get_by_label("Must stay at one table").check()
    desk.submit("Save")
    row = desk.page.locator("#roster .person").filter(has_text="Cy")
    expect(row).to_contain_text("stays at one table")
    desk.tap("Draw 5 games")
    expect(desk.page.locator("#rounds li")).to_have_count(5)
    tables = [game["table"] for number in range(1, 6) for game in desk.round(number) if "Cy" in game["names"]]
    assert tables == [tables[0]] * 5
    desk.tab("People")
    desk.tap("More: Cy")
    desk.sheet.get_by_role("button", name="Change name or number").click()
    expect(desk.sheet.get_by_label("Must stay at one table")).to_be_checked()
