"""What the desk says of what is easily overlooked: boards that play on, brackets without a winner, names that lack."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.hub.devices_of_a_night import Desk


def drawn_night(hub, **rules):
    """A night of four, the board of whose table 1 plays the first game; its key."""
    night = hub.open_night(games=1, **rules)
    hub.enter(night, 4)
    hub.do(night, "add_table", table="t1", label="1", kind="board")
    hub.do(night, "draw")
    hub.do(night, "start_round", round=1)
    game = next(one for one in hub.view(night)["rounds"][0]["games"] if one["table"] == "t1")
    now, state = hub.clock[0], {"pairing": f"{night}/{game['game']}", "over": False, "scores": [40, 50]}
    hub.feed.rows["t1"] = {"online": True, "since": now, "last_at": now, "state": state}
    return night, game


@pytest.mark.long
def test_a_board_that_plays_on_after_its_game_was_decided_is_on_the_desk(hub, open_desk):
    night, game = drawn_night(hub)
    needs = open_desk(night).page.locator("#needs")
    names = " and ".join(sorted(hub.view(night)["names"][player] for player in game["players"]))
    expect(needs).not_to_contain_text("are still playing")
    hub.do(night, "forfeit", game=game["game"], player=game["players"][0])
    expect(needs).to_contain_text("are still playing a game that is already decided")
    assert all(name in needs.inner_text() for name in names.split(" and "))
    row = hub.feed.rows["t1"]
    for state in (row["state"] | {"over": True}, row["state"] | {"pairing": "another-night/r1:p1-p2"}, None):
        hub.feed.rows["t1"] = row | {"state": state}
        hub.nights.notify_table(night, "t1")
        expect(needs).not_to_contain_text("are still playing")
        hub.feed.rows["t1"] = row
        hub.nights.notify_table(night, "t1")
        expect(needs).to_contain_text("are still playing")


def test_a_board_that_waits_for_a_game_that_counts_is_on_the_desk_until_it_has_heard(hub, open_desk):
    night, game = drawn_night(hub)
    row, (one, other) = hub.feed.rows["t1"], game["players"]
    names = [hub.view(night)["names"][player] for player in (one, other)]
    over = row["state"] | {"over": True, "players": names, "confirmed": [0]}
    hub.feed.rows["t1"] = row | {"state": over}
    needs = open_desk(night).page.locator("#needs")
    expect(needs).not_to_contain_text("still waits")
    hub.do(night, "paper_result", game=game["game"], winner=one, margin=5)
    expect(needs).to_contain_text(f"Table 1 is waiting for {names[1]} to confirm a game that already counts.")
    hub.feed.rows["t1"] = row | {"state": over | {"settled": True}}
    hub.nights.notify_table(night, "t1")
    expect(needs).not_to_contain_text("still waits")


@pytest.mark.long
def test_a_finished_game_that_nobody_confirms_as_a_player_has_left_is_on_the_desk(hub, open_desk):
    night, game = drawn_night(hub)
    row, other = hub.feed.rows["t1"], game["players"][1]
    names = [hub.view(night)["names"][player] for player in game["players"]]
    hub.feed.rows["t1"] = row | {"state": row["state"] | {"over": True, "players": names, "confirmed": [0]}}
    needs = open_desk(night).page.locator("#needs")
    hub.do(night, "leave", player=other)
    expect(needs).to_contain_text(f"Table 1: {names[1]} did not confirm the finished game, and a player has left.")


def test_no_tab_scrolls_the_desk(hub, open_desk):
    night, game = drawn_night(hub)
    hub.do(night, "paper_result", game=game["game"], winner=game["players"][0], margin=5)
    page = open_desk(night).page
    page.set_viewport_size({"width": 900, "height": 400})  # so that every tab has somewhere to scroll to
    tabs = page.locator("[role=tab]")
    for name in [tab.get_attribute("data-tab") for tab in tabs.all()]:
        page.locator(f"#tab-{name}").click()
        expect(page.locator(f"#part-{name}")).to_be_visible()
        expect(page).to_have_url(re.compile(f"#tab={name}$"))
        assert page.evaluate("document.getElementById(decodeURIComponent(location.hash.slice(1)))") is None
        assert page.evaluate("scrollY") == 0, name
    page.reload()
    expect(page.locator(f"#part-{name}")).to_be_visible()
    for name in ("games", "standings", "money"):  # bookmarks of earlier versions, opened while the desk is shown
        page.goto(f"{hub.url}night/{night}#{name}")
        expect(page.locator(f"#part-{name}")).to_be_visible()
        page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        assert page.evaluate("scrollY") == 0, name


@pytest.mark.long
@pytest.mark.parametrize("judge", [False, True])
def test_a_ruling_is_entered_without_scrolling_on_a_small_laptop(hub, open_desk, judge):
    night, game = drawn_night(hub)
    one, other = game["players"]
    hub.do(night, "claim", game=game["game"], player=one, won=True, margin=21)
    hub.do(night, "claim", game=game["game"], player=other, won=False, margin=16)
    desk = open_desk(night)
    desk.page.set_viewport_size({"width": 1280, "height": 800})
    desk.page.locator("#needs [data-opens^=rule]").click()
    if judge:
        desk.sheet.get_by_text("A judge rules otherwise").click()
    expect(desk.sheet.locator("button.solid")).to_be_in_viewport(ratio=1)
    desk.sheet.locator("summary").click()
    expect(desk.sheet).to_contain_text("Both cards have a spread")


@pytest.mark.long
def test_the_end_says_which_brackets_have_no_winner(hub, open_desk):
    night, _ = drawn_night(hub, cut="all")
    for number, game in enumerate(hub.view(night)["rounds"][0]["games"], 1):
        hub.do(night, "paper_result", game=game["game"], winner=game["players"][0], margin=number)
    hub.do(night, "close_cut")
    hub.do(night, "draw_bracket", bracket="main")
    desk = open_desk(night)
    desk.tap("End the event", within="#next-step")
    expect(desk.sheet).to_contain_text("A bracket has no winner yet")
    desk.page.keyboard.press("Escape")
    assert hub.view(night)["night"]["phase"] == "bracket"


@pytest.mark.long
def test_a_pasted_line_that_makes_no_sense_is_named_and_nobody_is_entered(hub, open_desk):
    desk = open_desk(hub.open_night())
    desk.tap("Paste a list")
    for line, said in (
        (", 12", "The line “, 12” has no name."),
        ("Cy, 12, Reds, Ash", "The line “Cy, 12, Reds, Ash” has more than a name, number and team."),
        ("Smith, Cy", "In the line “Smith, Cy”, the text after the comma is not a number."),
    ):
        desk.field("Names", f"Ann\n{line}\nBob")
        desk.sheet.locator("button.solid").click()
        expect(desk.sheet.get_by_role("alert")).to_contain_text(said)
    assert hub.view(hub.nights.lines()[0].id)["players"] == []


@pytest.mark.long
def test_a_field_is_refused_without_the_name_that_programs_have_for_it(hub, open_device):
    page = open_device("tablet", client=hub.director())
    page.goto(hub.url)
    page.get_by_label("Games per player").fill("0")
    page.get_by_role("button", name="Open the event").click()
    expect(page.locator("#new-said")).to_contain_text("Expected here: games per player")
    assert hub.nights.ledger.open_events() == []
    page.get_by_role("link", name="Season").click()  # it has other hubs' nights, perhaps
    expect(page.get_by_role("heading", name="Season", exact=False).first).to_be_visible()


@pytest.mark.long
def test_a_form_that_another_director_has_overtaken_says_to_open_it_again(hub, open_device):
    night, game = drawn_night(hub)
    desk = Desk(open_device("desk", client=hub.director())).open(f"{hub.url}night/{night}")
    tile = desk.round(1)[0] | {"key": game["game"]}
    desk.write_result(tile, hub.view(night)["names"][game["players"][0]], 31)
    hub.do(night, "paper_result", game=game["game"], winner=game["players"][1], margin=5)
    desk.sheet.get_by_role("button", name="Enter the result", exact=True).click()
    expect(desk.sheet.get_by_role("alert")).to_contain_text("Close it and open it again")


@pytest.mark.long
def test_a_phone_that_was_disconnected_is_led_away_from_the_card(hub, open_device):
    night, director = hub.open_night(), hub.director()
    hub.enter(night, 2)
    phone = hub.client()
    assert (
        phone.post("/night/v1/card", code=director.get(f"/night/v1/{night}/players/p1/code").json["code"]).status == 200
    )
    page = open_device("phone", client=phone)
    page.goto(f"{hub.url}night/{night}/me")
    page.locator(".link.live").wait_for()
    assert director.post(f"/night/v1/{night}/players/p1/code").status in (200, 201)
    page.wait_for_url(lambda url: not url.endswith("/me"))
