"""What a result is called by the rules of the night, on the desk and on a phone: skunks, lurches, awards, no-shows."""

import pytest
from playwright.sync_api import expect


@pytest.mark.long
@pytest.mark.sampled
@pytest.mark.parametrize(
    ("points", "margin", "word"),
    [("acc", 31, "A skunk"), ("lurch", 60, "")],
)
def test_a_win_has_the_name_that_it_has_by_the_rules(hub, open_desk, open_device, *, points, margin, word):
    night = hub.open_night(games=1, points=points)
    players = hub.enter(night, 2)
    hub.do(night, "draw")
    hub.do(night, "start_round", round=1)
    client = hub.client()
    code = hub.director().get(f"/night/v1/{night}/players/{players[0]}/code").json["code"]
    assert client.post("/night/v1/card", code=code).status == 200
    phone = open_device("phone", client=client)
    phone.goto(f"{hub.url}night/{night}/me")
    phone.get_by_role("button", name="Enter my result").tap()
    phone.locator("#sheet").get_by_label("By how many holes").fill(f"{margin}")
    expect(phone.locator("#sheet .skunk")).to_have_text(word)
    (game,) = hub.view(night)["rounds"][0]["games"]
    hub.do(night, "paper_result", game=game["game"], winner=players[0], margin=margin)
    desk = open_desk(night)
    assert [tile["state"] for tile in desk.round(1)] == ["agreed"]
    expect(desk.page.locator("#games .notes p")).to_have_text([word] if word else [])


@pytest.mark.long
def test_an_award_says_for_what_it_was(hub, open_desk):
    night = hub.open_night(games=1)
    hub.enter(night, 2)
    hub.do(night, "draw")
    (game,) = hub.view(night)["rounds"][0]["games"]
    hub.do(night, "award", game=game["game"], against="p2", kind="refused_judges")
    desk = open_desk(night)
    desk.round(1)
    said = "Bob refused a three-judge ruling: Ann wins by 10"
    expect(desk.page.locator("#games .notes p")).to_have_text([said])


@pytest.mark.long
def test_a_no_show_loses_as_many_games_as_the_match_has_and_the_desk_says_after_how_long(hub, open_desk):
    night = hub.open_night(games=1, cut="2", best_of=[5])
    hub.enter(night, 4)
    hub.do(night, "draw")
    for margin, game in enumerate(hub.view(night)["rounds"][0]["games"], 10):
        hub.do(night, "paper_result", game=game["game"], winner=game["players"][0], margin=margin)
    hub.do(night, "close_cut")
    hub.do(night, "draw_bracket", bracket="main")
    desk = open_desk(night)
    desk.tab("Finals")
    desk.page.locator(".match").get_by_role("button", name="Result").click()
    desk.sheet.get_by_role("button", name="No-show").click()
    games = desk.sheet.get_by_role("group", name="Games forfeited").locator("label")
    expect(games).to_have_count(0)
    players = hub.view(night)["brackets"][0]["matches"][0]["players"]
    desk.choose(hub.view(night)["names"][players[0]])
    after = [f"{n} minutes after the call" for n in (5, 20, 35)]
    expect(games).to_have_text([f"{n} game{'s'[: n > 1]}{said}" for n, said in enumerate(after, 1)])


@pytest.mark.long
def test_a_night_breaks_ties_as_its_house_does(hub, open_desk):
    night = hub.open_night()
    desk = open_desk(night)
    desk.tap("Event rules")
    desk.sheet.get_by_label("Tie-breaks").select_option(label="Points, wins, skunks, spread")
    desk.submit("Save")
    assert hub.view(night)["night"]["rules"]["order"]["name"] == "brewery-2017"


@pytest.mark.long
def test_other_lengths_of_later_rounds_stay_where_another_rule_is_changed(hub, open_desk):
    night = hub.open_night(best_of=[3, 5])
    desk = open_desk(night)
    for label, wanted in ((None, [3, 5]), ("Best of 7", [7])):
        desk.tap("Event rules")
        if label:
            desk.sheet.get_by_label("Bracket matches").select_option(label=label)
        desk.sheet.get_by_label("Games").first.fill("4")
        desk.submit("Save")
        assert hub.view(night)["night"]["rules"]["best_of"] == wanted
