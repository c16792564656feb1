"""What a director did by mistake, or is about to do too early; and looking for one game among many."""

import pytest
from playwright.sync_api import expect

from tests.browser.hub.devices_of_a_night import Desk, Phone
from tests.browser.hub.plain_night import DASH
from tests.support.hub_site import DEE, Client, request_id


@pytest.fixture
def night(hub):
    """A night of two games each for Ann, Bob, Cy and Dee, who are here and owe 10 dollars each."""
    night = hub.open_night(cut="1", fee=1000, games=2)
    hub.enter(night, 4)
    return night


@pytest.fixture
def desk(open_desk, night):
    return open_desk(night)


@pytest.mark.long
def test_a_night_opened_by_mistake_leaves_the_list_and_can_be_opened_after_all(hub, open_device):
    page = open_device("tablet", client=hub.director())
    page.goto(hub.url)
    page.get_by_label("Name").fill("Wrong day")
    page.get_by_role("button", name="Open the event").click()
    page.wait_for_url("**/night/*")
    desk = Desk(page).was_opened()
    desk.tap("Cancel event")
    desk.submit("Yes, cancel it")
    expect(page.locator("#next-step")).to_contain_text("This event was canceled.")
    expect(page.locator("#door-card")).to_be_hidden()
    stranger = open_device("phone")
    stranger.goto(hub.url)
    expect(stranger.get_by_text("No events yet.")).to_be_visible()
    expect(stranger.get_by_text("canceled")).to_have_count(0)
    page.goto(hub.url)
    expect(page.locator("main > .night-list")).to_have_count(0)
    page.get_by_text("1 canceled event").click()
    expect(page.locator("details .name")).to_have_text("Wrong day")
    page.locator("details").get_by_role("link", name="Desk").click()
    Desk(page).was_opened().tap("Restore event")
    expect(page.locator("#next-step")).to_contain_text("Draw 9 games")
    page.goto(hub.url)
    expect(page.locator("main > .night-list .name")).to_have_text("Wrong day")


@pytest.mark.long
def test_who_was_entered_by_mistake_goes_off_the_roster(desk, hub, night):
    hub.do(night, "enter", name="Annn")
    desk.tap("More: Annn")
    desk.sheet.get_by_role("button", name="Remove from roster").click()
    desk.submit("Remove from roster")
    expect(desk.page.locator("#roster .person")).to_have_count(4)
    desk.tab("Log")
    expect(desk.page.locator("#audit li").first).to_contain_text("No. ")


@pytest.mark.long
def test_who_has_paid_is_not_taken_off_before_that_is_undone(desk, hub, night):
    made = hub.do(night, "enter", name="Player 5").decision.player
    hub.do(night, "fee_paid", player=made, cents=500)
    desk.tap("More: Player 5")
    desk.sheet.get_by_role("button", name="Remove from roster").click()
    desk.sheet.get_by_role("button", name="Remove from roster").click()
    expect(desk.sheet.locator(".why")).to_contain_text("Undo log entry 7 first, because it depends on this entry")
    desk.submit("Close")
    expect(desk.page.locator("#roster .person")).to_have_count(5)


@pytest.mark.long
def test_a_name_is_asked_for_and_what_was_refused_goes_once_it_is_not_so(desk):
    entry = desk.page.locator("#enter")
    desk.tap("Add and check in")
    expect(entry.locator(".why")).to_have_text("Enter a name first.")
    desk.tap("Close registration")
    entry.get_by_label("Name").fill("Player 5")
    desk.tap("Add and check in")
    expect(entry.locator(".why")).to_contain_text("Registration is closed")
    desk.tap("Reopen registration")
    expect(entry.locator(".why")).not_to_be_visible()


@pytest.mark.long
def test_the_end_says_what_would_be_left_open(desk, hub, night):
    hub.do(night, "open_pot", kind="q_pool", fee=500, name="Q-pool")
    hub.do(night, "enter_pot", pot="q_pool", player="p1")
    hub.do(night, "draw")
    for game in (game for each in hub.view(night)["rounds"] for game in each["games"]):
        hub.do(night, "paper_result", game=game["game"], winner=game["players"][0], margin=12)
    desk.tap("End the event", within="#next-step")
    expect(desk.sheet).to_contain_text("Not paid out yet: Q-pool. 4 people still owe money. You can reopen the event.")
    desk.submit("No, leave it")
    expect(desk.page.locator("#next-step")).to_contain_text("All games are played")


@pytest.mark.long
def test_a_pot_says_who_still_owes_before_it_is_paid(desk, hub, night):
    hub.do(night, "open_pot", kind="hand_24", fee=501, name="24-hand pot")
    for player in ("p1", "p2"):
        hub.do(night, "enter_pot", pot="hand_24", player=player)
    hub.do(night, "fee_paid", player="p1", cents=1501)
    hub.do(night, "pot_hit", pot="hand_24", player="p1", kind="hand_24", count=1)
    desk.tab("Money")
    desk.pot("24-hand pot").get_by_role("button", name="Choose players").click()
    row = desk.sheet.locator("li").filter(has_text="Cy")
    row.get_by_role("button", name="Half share").click(force=True)
    expect(row.locator(".why")).to_contain_text("cannot be halved")
    desk.submit("Close")
    desk.pot("24-hand pot").get_by_role("button", name="Pay out").click()
    expect(desk.sheet).to_contain_text("Still owing: Bob.")


@pytest.mark.long
def test_one_game_among_many_is_found_by_a_name_or_by_its_table(open_desk, hub):
    night = hub.open_night(games=2)
    hub.enter(night, 30)
    hub.do(night, "draw")
    desk = open_desk(night)
    games = desk.round(1)
    field = desk.page.get_by_label("Find a name or table")
    field.fill(games[4]["names"][1].upper())
    expect(desk.page.locator("#games li.game")).to_have_count(1)
    expect(desk.page.locator("#games li.game")).to_contain_text(games[4]["names"][0])
    field.fill(games[7]["table"])
    expect(desk.page.locator("#games li.game header").first).to_contain_text(f"Table {games[7]['table']}")
    field.fill("nobody")
    expect(desk.page.locator("#none-found")).to_be_visible()
    field.fill("")
    expect(desk.page.locator("#games li.game")).to_have_count(15)


@pytest.mark.long
def test_who_leaves_a_form_half_typed_is_asked(desk):
    desk.page.once("dialog", lambda dialog: dialog.dismiss())
    desk.tap("Paste a list")
    desk.field("Names", "Player 5")
    with desk.page.expect_event("dialog"):
        desk.page.evaluate("() => { location.href = '/'; }")
    expect(desk.sheet.get_by_label("Names")).to_have_value("Player 5")
    desk.submit("Cancel")


@pytest.mark.long
def test_a_player_without_a_table_calls_a_judge_by_name(desk, hub, night, open_device):
    client = Client(hub.server.port)
    code = hub.director().get(f"/night/v1/{night}/players/p1/code").json["code"]
    client.post("/night/v1/card", code=code)
    phone = Phone(open_device("phone", client=client), "Ann").open(f"{hub.url}night/{night}/me")
    phone.tap("Call a judge")
    phone.submit("Call")
    expect(desk.page.locator("#needs")).to_contain_text("Ann is calling a judge")


@pytest.mark.long
def test_a_pot_begins_with_what_an_earlier_night_has_left_and_takes_no_part_of_a_per_cent(hub, open_desk):
    before = hub.open_night(games=1)
    hub.enter(before, 2)
    hub.do(before, "open_pot", kind="hand_24", fee=46)
    hub.do(before, "enter_pot", pot="hand_24", player="p1")
    hub.do(before, "pay_pot", pot="hand_24")
    request = {"do": "open_night", "name": "Next week", "date": "2026-12-03", "rules": {"games": 1}}
    desk = open_desk(hub.nights.open(request, DEE, request_id()))
    desk.tab("Money")
    desk.tap("Open a pot")
    desk.choose("24-hand pot")
    expect(desk.sheet.get_by_label("Carried over (USD)")).to_have_value("0.46")
    desk.field("House share (%)", "12.5")
    desk.sheet.get_by_role("button", name="Open a pot", exact=True).click()
    expect(desk.sheet.locator(".why")).to_have_text("The house share must be a whole number from 0 to 100.")
    desk.field("House share (%)", "12")
    desk.submit("Open a pot")
    expect(desk.pot("24-hand pot").locator("header .number")).to_have_text("$0.46")
    desk.tap("Open a pot")
    desk.choose("24-hand pot")
    expect(desk.sheet.get_by_label("Carried over (USD)")).to_have_value("0.00")  # it is in the first one
    desk.submit("Open a pot")
    expect(desk.pot("24-hand pot 2")).to_be_visible()


@pytest.mark.long
def test_a_correction_after_a_pot_was_paid_needs_the_director(desk, hub, night):
    hub.do(night, "open_pot", kind="prizes", scale="100", name="Prizes")
    hub.do(night, "draw")
    games = [game for each in hub.view(night)["rounds"] for game in each["games"]]
    for game in games:
        hub.do(night, "paper_result", game=game["game"], winner=game["players"][0], margin=12)
    hub.do(night, "pay_pot", pot="prizes")
    expect(desk.page.locator("#needs-card")).to_be_hidden()
    for game in games:
        hub.do(night, "paper_result", game=game["game"], winner=game["players"][1], margin=12)
    expect(desk.page.locator("#needs")).to_contain_text("Prizes: By the current results, this pot would pay: ")


@pytest.mark.long
def test_totals_that_a_ruling_explains_name_its_game(desk, hub, night):
    hub.do(night, "draw")
    game = hub.view(night)["rounds"][0]["games"][0]
    values = [{"points": 0, "net": -9}, {"points": 0, "net": -9}]
    hub.do(night, "rule", game=game["game"], letter="judge", values=values)
    desk.tab("Standings")
    one, other = (hub.view(night)["names"][player] for player in sorted(game["players"]))
    check = desk.page.locator("#checks li").first
    expect(check).to_contain_text("Explained by rulings: ")
    expect(check.get_by_role("button")).to_have_text(f"Round 1: {one} {DASH} {other}")


@pytest.mark.long
def test_a_pasted_list_keeps_names_whole(desk, hub, night):
    desk.tap("Paste a list")
    desk.field("Names", '"Smith, Jr", MI110\nPlayer 5 & Player 6\nPlayer 7;;Riverside')
    desk.submit("Add all")
    expect(desk.page.locator("#roster .person")).to_have_count(7)
    found = {one["name"]: (one["number"], one["partner"], one["team"]) for one in hub.view(night)["players"]}
    assert found["Smith, Jr"] == ("MI110", "", "")
    assert found["Player 5 & Player 6"] == ("", "", "")
    assert found["Player 7"] == ("", "", "Riverside")
