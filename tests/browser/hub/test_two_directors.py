"""Two directors with the same sheet open: what one has entered, the other does not enter again."""

from playwright.sync_api import expect

from tests.browser.hub.devices_of_a_night import Desk


def test_a_sheet_that_was_opened_before_counts_on_what_was_there_then(hub, open_device):
    night = hub.open_night(games=1, cut="all", best_of=[3], fee=1000)
    hub.enter(night, 4)
    hub.do(night, "draw")
    desks = [Desk(open_device("desk", client=hub.director())) for _ in range(2)]
    for desk in desks:
        desk.open(f"{hub.server.url}night/{night}")
    game = desks[0].round(1)[0]
    desks[1].round(1)
    desks[1].write_result(game, game["names"][1], 31)
    desks[0].enter_result(game, game["names"][0], 12)
    expect(desks[1].tile(game)).to_contain_text("\N{MINUS SIGN}12")
    desks[1].sheet.get_by_role("button", name="Enter the result", exact=True).click()
    expect(desks[1].sheet.get_by_role("alert")).to_contain_text("look again")
    desks[1].submit("Change nothing")
    assert hub.view(night)["rounds"][0]["games"][0]["values"][0]["net"] in (12, -12)


def test_the_sheet_of_a_result_shows_the_card_that_is_there(hub, open_device):
    night = hub.open_night(games=1)
    players = hub.enter(night, 2)
    hub.do(night, "draw")
    (game,) = hub.view(night)["rounds"][0]["games"]
    hub.do(night, "claim", game=game["game"], player=players[0], won=True, margin=5)
    desk = Desk(open_device("desk", client=hub.director())).open(f"{hub.server.url}night/{night}")
    tile = desk.tile(desk.round(1)[0] | {"key": game["game"]})
    tile.get_by_role("button", name="Result").click()
    expect(desk.sheet).to_contain_text("Ann\N{RIGHT SINGLE QUOTATION MARK}s card: won by 5")
    expect(desk.sheet.get_by_label("By how many holes")).to_have_value("5")
    expect(desk.sheet.locator("label.choice").filter(has_text="Ann").locator("input")).to_be_checked()


def test_a_tie_is_broken_by_every_name_and_a_way(hub, open_device):
    night = hub.open_night(games=1, cut="1")
    hub.enter(night, 4)
    hub.do(night, "draw")
    for game in hub.view(night)["rounds"][0]["games"]:
        hub.do(night, "paper_result", game=game["game"], winner=game["players"][0], margin=10)
    desk = Desk(open_device("desk", client=hub.director())).open(f"{hub.server.url}night/{night}")
    tied = [hub.view(night)["names"][player] for player in hub.view(night)["cut"]["ties"][0]["players"]]
    desk.tap("Tie at the cut", within="#next-step")
    save, said = desk.sheet.locator("button.solid"), desk.sheet.get_by_role("alert")
    save.click()
    expect(said).to_have_text("Tap every name, best first.")
    for name in reversed(tied):
        desk.choose(name)
    save.click()
    expect(said).to_have_text("Say how it was decided.")
    desk.choose("A game was played")
    save.click()
    expect(desk.sheet).not_to_be_visible()
    assert hub.view(night)["cut"]["qualifiers"] == [hub.view(night)["cut"]["qualifiers"][0]]
    assert hub.view(night)["names"][hub.view(night)["cut"]["qualifiers"][0]] == tied[-1]
