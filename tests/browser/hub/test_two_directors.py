"""Two directors with the same sheet open: what one has entered, the other does not enter again."""

import pytest
from playwright.sync_api import expect

from tests.browser.hub.devices_of_a_night import Desk


def test_a_sheet_that_was_opened_before_counts_on_what_was_there_then(hub, open_device):
    night = hub.open_night(games=1, cut="all", best_of=[3], fee=1000)
    hub.enter(night, 4)
    hub.do(night, "draw")
    desks = [Desk(open_device("desk", client=hub.director())) for _ in range(2)]
    for desk in desks:
        desk.open(f"{hub.url}night/{night}")
    game = desks[0].round(1)[0]
    desks[1].round(1)
    desks[1].write_result(game, game["names"][1], 31)
    desks[0].enter_result(game, game["names"][0], 12)
    expect(desks[1].tile(game)).to_contain_text("\N{MINUS SIGN}12")
    desks[1].sheet.get_by_role("button", name="Enter the result", exact=True).click()
    expect(desks[1].sheet.get_by_role("alert")).to_contain_text("try again")
    desks[1].submit("Cancel")
    assert hub.view(night)["rounds"][0]["games"][0]["values"][0]["net"] in (12, -12)


@pytest.mark.long
def test_the_sheet_of_a_result_shows_the_card_that_is_there(hub, open_device):
    night = hub.open_night(games=1)
    players = hub.enter(night, 2)
    hub.do(night, "draw")
    (game,) = hub.view(night)["rounds"][0]["games"]
    hub.do(night, "claim", game=game["game"], player=players[0], won=True, margin=5)
    desk = Desk(open_device("desk", client=hub.director())).open(f"{hub.url}night/{night}")
    tile = desk.tile(desk.round(1)[0] | {"key": game["game"]})
    tile.get_by_role("button", name="Result").click()
    expect(desk.sheet).to_contain_text("Ann\N{RIGHT SINGLE QUOTATION MARK}s card: won by 5")
    expect(desk.sheet.get_by_label("By how many holes")).to_have_value("5")
    expect(desk.sheet.locator("label.choice").filter(has_text="Ann").locator("input")).to_be_checked()


@pytest.mark.long
def test_a_tie_is_broken_by_every_name_and_a_way(hub, open_device):
    night = hub.open_night(games=1, cut="1")
    hub.enter(night, 4)
    hub.do(night, "draw")
    for game in hub.view(night)["rounds"][0]["games"]:
        hub.do(night, "paper_result", game=game["game"], winner=game["players"][0], margin=10)
    desk = Desk(open_device("desk", client=hub.director())).open(f"{hub.url}night/{night}")
    tied = [hub.view(night)["names"][player] for player in hub.view(night)["cut"]["ties"][0]["players"]]
    desk.tap("Tie at the cutoff", within="#next-step")
    save, said = desk.sheet.locator("button.solid"), desk.sheet.get_by_role("alert")
    save.click()
    expect(said).to_have_text("Tap every name, best first.")
    for name in reversed(tied):
        desk.choose(name)
    save.click()
    expect(said).to_have_text("Choose how the tie was decided.")
    desk.choose("A playoff game")
    save.click()
    expect(desk.sheet).not_to_be_visible()
    assert hub.view(night)["cut"]["qualifiers"] == [hub.view(night)["cut"]["qualifiers"][0]]
    assert hub.view(night)["names"][hub.view(night)["cut"]["qualifiers"][0]] == tied[-1]


@pytest.mark.long
def test_a_form_says_in_words_what_it_lacks(hub, open_device):
    night = hub.open_night(games=1)
    hub.enter(night, 2)
    hub.do(night, "draw")
    desk = Desk(open_device("desk", client=hub.director())).open(f"{hub.url}night/{night}")
    (game,) = desk.round(1)
    desk.tile(game).get_by_role("button", name="Result").click()
    save, said = desk.sheet.locator("button.solid"), desk.sheet.get_by_role("alert")
    save.click()
    expect(said).to_have_text("Choose the winner.")
    desk.choose("Ann")
    save.click()
    expect(said).to_have_text("Enter the number of holes, 1 to 121.")
    desk.submit("Cancel")
    desk.more(game)
    desk.sheet.get_by_role("button", name="Rule").click()
    save.click()
    expect(said).to_have_text("Make a choice first.")
    desk.choose("A judge rules otherwise")
    save.click()
    expect(said).to_have_text("Enter points and spread for both players.")


@pytest.mark.long
def test_a_pasted_list_goes_on_after_a_line_that_is_refused(hub, open_device):
    night = hub.open_night()
    hub.do(night, "enter", name="Ann", number="MI101")
    desk = Desk(open_device("desk", client=hub.director())).open(f"{hub.url}night/{night}")
    desk.tap("Paste a list")
    desk.field("Names", "Ann, MI101\nAnn, MI999\nBob, MI101\nCy\nDee")
    desk.sheet.get_by_role("button", name="Add all").click()
    said = desk.sheet.get_by_role("alert")
    expect(said).to_contain_text("2 players added.")
    expect(said).to_contain_text("Ann: Ann is already on the roster")
    expect(said).to_contain_text("Bob: Number MI101 belongs to Ann")
    assert [one["name"] for one in hub.view(night)["players"]] == ["Ann", "Cy", "Dee"]


@pytest.mark.long
def test_who_has_left_is_named_with_the_key_to_draw_again(hub, open_device):
    night = hub.open_night(games=3)
    hub.enter(night, 6)
    hub.do(night, "draw")
    hub.do(night, "start_round", round=1)
    desk = Desk(open_device("desk", client=hub.director())).open(f"{hub.url}night/{night}")
    expect(desk.page.locator("#phase")).to_contain_text("0 of 9 games")
    hub.do(night, "leave", player="p1")
    step = desk.page.locator("#next-step")
    expect(step).to_contain_text("Ann has left but is still in the draw.")
    expect(desk.page.locator("#phase")).to_contain_text("0 of 6 games")
    step.get_by_role("button", name="Redraw").click()
    desk.submit("Redraw")
    expect(step).not_to_contain_text("has left")


@pytest.mark.long
def test_a_roster_as_windows_writes_it_keeps_its_names(hub, open_device, tmp_path):
    night = hub.open_night()
    desk = Desk(open_device("desk", client=hub.director())).open(f"{hub.url}night/{night}")
    file = tmp_path / "roster.csv"
    file.write_bytes("name\r\nJos\u00e9\r\n".encode("windows-1252"))
    desk.tab("Log")
    desk.page.locator("#file").set_input_files(file)
    desk.page.get_by_role("button", name="Import", exact=True).click()
    expect(desk.page.locator("#imported")).to_contain_text("1 player added.")
    assert [one["name"] for one in hub.view(night)["players"]] == ["Jos\u00e9"]


@pytest.mark.long
def test_a_table_that_was_removed_has_no_games_for_long(hub, open_device):
    night = hub.open_night(games=3)
    hub.enter(night, 4)
    hub.do(night, "draw")
    desk = Desk(open_device("desk", client=hub.director())).open(f"{hub.url}night/{night}")
    hub.do(night, "remove_table", table="t1")
    step = desk.page.locator("#next-step")
    expect(step).to_contain_text("Some games are drawn for a table that was removed.")
    assert "t1" not in {game["table"] for game in desk.round(1)}
    step.get_by_role("button", name="Redraw").click()
    desk.submit("Redraw")
    expect(step).not_to_contain_text("removed")
