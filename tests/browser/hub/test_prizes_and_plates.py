"""Prizes by place, a plate for who lost in the first round, and who qualifies by a ruling, on a director's desk."""

import pytest
from playwright.sync_api import expect

from pegboard.tournament.night.night_state import Author, Role


@pytest.fixture
def night(hub):
    """Six have played all against all, and the best four are the first that have entered."""
    night = hub.open_night(games=5, fee=1000, cut="4", best_of=[1])
    players = hub.enter(night, 6)
    hub.do(night, "draw")
    games = [game for one in hub.view(night)["rounds"] for game in one["games"]]
    for game in games:
        first, last = sorted(game["players"])
        hub.do(night, "paper_result", game=game["game"], winner=first, margin=players.index(last) + 5)
    return night


@pytest.mark.long
def test_prizes_go_by_the_standings_and_then_by_the_bracket(hub, night, open_desk):
    desk = open_desk(night)
    desk.tab("Money")
    desk.tap("Open a pot", within="#open-pot")
    expect(desk.sheet.get_by_label("Percent by place")).to_be_hidden()
    desk.choose("Prizes by place")
    expect(desk.sheet.get_by_label("Price per share (USD)")).to_be_hidden()
    desk.field("Percent by place", "60-30")
    desk.field("House share (%)", "10")
    desk.sheet.get_by_role("button", name="Open a pot").click()
    expect(desk.sheet.get_by_role("alert")).to_contain_text("use percentages such as 50-30-20, the largest first")
    desk.field("Percent by place", "60-40")
    desk.submit("Open a pot")
    pot = desk.pot("Prizes by place")
    expect(pot).to_contain_text("$60")
    expect(pot.locator(".shares li")).to_have_text(["Ann$32.40", "Bob$21.60"])
    expect(pot).to_contain_text("$6 goes to the house")
    expect(pot.get_by_role("button", name="Choose players")).to_have_count(0)

    desk.tap("Close qualifying")
    desk.tap("Draw the bracket")
    desk.tab("Money")
    expect(pot.locator(".shares")).to_have_count(0)
    main = desk.page.locator("#brackets > section").first
    for pair, winner in ((("Ann", "Dee"), "Dee"), (("Bob", "Cy"), "Bob"), (("Bob", "Dee"), "Dee")):
        desk.enter_match_game(main, pair, winner, 9)
    desk.tab("Money")
    expect(pot.locator(".shares li")).to_have_text(["Dee$32.40", "Bob$21.60"])
    pot.get_by_role("button", name="Pay out").click()
    desk.submit("Pay out")
    expect(pot).to_contain_text("Paid")


@pytest.mark.long
def test_a_plate_is_drawn_when_its_players_are_known(hub, night, open_desk, open_device):
    hub.do(night, "close_cut")
    hub.do(night, "draw_bracket", bracket="main")
    desk = open_desk(night)
    desk.tab("Finals")
    desk.tap("Draw a consolation")
    plate = desk.sheet.locator("label.choice").filter(has_text="Players who lost in the first round").first
    expect(plate).to_contain_text("decide who can enter: 2")
    expect(plate.locator("input")).to_be_disabled()
    desk.submit("Cancel")
    hub.do(night, "draw_bracket", bracket="consolation")
    expect(desk.page.locator("#brackets > section")).to_have_count(2)
    why = desk.tap_in_vain("Draw a consolation", within="#bracket-keys")
    expect(why).to_contain_text("decide who can enter: 2")
    hub.do(night, "undo", number=hub.view(night)["revision"])
    main = desk.page.locator("#brackets > section").first
    for pair in (("Ann", "Dee"), ("Bob", "Cy")):
        desk.enter_match_game(main, pair, pair[0], 9)
    desk.tap("Draw a consolation")
    who = desk.sheet.locator(".who label")
    expect(who).to_have_text(["Player 5", "Player 6"])
    desk.choose("Plate")
    expect(who).to_have_text(["Cy", "Dee"])
    desk.submit("Draw a consolation")
    second = desk.page.locator("#brackets > section").nth(1)
    expect(second.get_by_role("heading", name="Plate")).to_be_visible()
    desk.enter_match_game(second, ("Cy", "Dee"), "Cy", 9)
    expect(second).to_contain_text("Cy has won")
    printed = open_device("desk", client=hub.director())
    printed.goto(f"{hub.url}night/{night}/print/bracket")
    assert printed.get_by_role("heading", level=2).all_inner_texts() == ["Bracket", "Plate"]


@pytest.mark.long
def test_a_ruling_says_before_it_is_chosen_who_qualifies_by_it(hub, open_desk):
    night = hub.open_night(games=1, cut="1")
    hub.enter(night, 4)
    hub.do(night, "draw")
    hub.do(night, "start_round", round=1)
    disputed, other = hub.view(night)["rounds"][0]["games"]
    hub.do(night, "paper_result", game=other["game"], winner=other["players"][0], margin=18)
    for player, won, margin in zip(disputed["players"], (True, False), (21, 16), strict=True):
        by = Author(Role.PLAYER, player)
        hub.do(night, "claim", by, game=disputed["game"], player=player, won=won, margin=margin)
    names = hub.view(night)["names"]
    desk = open_desk(night)
    desk.tap("Rule")
    told = f"With this ruling, {names[other['players'][0]]} would qualify, and {names[disputed['players'][0]]} no"
    expect(desk.sheet.locator("label.choice").first).to_contain_text(told)
