"""Nights of pairs and of teams as a director sets them up on the page, and as phones show them."""

import pytest
from playwright.sync_api import expect

from tests.browser.hub.devices_of_a_night import Desk, Phone
from tests.browser.hub.plain_night import PlainNight, signed

TEAMS = """() => [...document.querySelectorAll("#teams tr")].map((row) => [
    row.querySelector(".name").textContent, ...[...row.querySelectorAll("td")].map((cell) => cell.textContent),
])"""


@pytest.fixture
def night(hub):
    return hub.open_night()


@pytest.fixture
def desk(hub, night, open_device):
    return Desk(open_device("desk", client=hub.director())).open(f"{hub.url}night/{night}")


def choose_format(desk, name, movement=None):
    desk.tap("Event rules")
    desk.sheet.get_by_label("Format").select_option(label=name)
    expect(desk.sheet.get_by_label("Games per table")).to_be_hidden()
    if movement is not None:
        desk.sheet.get_by_label("How the players move").select_option(label=movement)
    desk.submit("Save")


def play_all(desk, plain):
    """Every open game on paper: who is named first wins, each by other holes."""
    for number in range(1, desk.rounds() + 1):
        for place, game in enumerate(desk.round(number)):
            if game["state"] in ("drawn", "running"):
                one, other = game["names"]
                desk.enter_result(game, one, 5 + 7 * number + place)
                plain.play(game["key"], one, other, 5 + 7 * number + place)


@pytest.mark.long
def test_a_night_of_pairs(hub, night, desk, open_device):
    choose_format(desk, "Pairs: two play as one")
    desk.tap("Paste a list")
    desk.field("Names", "Ann & Bob, MI101\nCy & Dee")
    desk.submit("Add all")
    desk.tap("Check in 2 missing players")
    desk.page.locator("#enter").get_by_label("Name").fill("Player 5")
    desk.page.locator("#enter").get_by_label("Partner").fill("Player 6")
    desk.tap("Add and check in")
    phone = Phone(open_device("phone"), "Player 7")
    phone.page.goto(f"{hub.url}d/{hub.director().get(f'/night/v1/{night}/door').json['code']}")
    phone.page.get_by_label("Your name").fill("Player 7")
    phone.tap("I’m here")
    phone.page.wait_for_url("**/me")
    row = desk.page.locator("#roster .person").filter(has_text="Player 7")
    expect(row).to_contain_text("no partner yet")
    desk.tap("More: Player 7")
    desk.sheet.get_by_role("button", name="Change name or number").click()
    desk.field("Partner", "Player 8")
    desk.submit("Save")
    expect(row).not_to_contain_text("no partner yet")

    desk.tap("Draw 3 games")
    desk.tap("Start round 1")
    game = next(game for game in desk.round(1) if "Player 7 & Player 8" in game["names"])
    (other,) = {*game["names"]} - {"Player 7 & Player 8"}
    expect(phone.page.locator("#next")).to_contain_text(f"against {other}")
    dealer = phone.page.locator("#next p", has_text="deals first").inner_text().removesuffix(" deals first")
    assert dealer in {name.split(" & ")[0] for name in game["names"]}, "the first of a pair deals first, the first time"
    assert desk.tile(game).locator(".d").get_attribute("title") == f"{dealer} deals first"
    plain = PlainNight(people=["Ann & Bob", "Cy & Dee", "Player 5 & Player 6", "Player 7 & Player 8"])
    play_all(desk, plain)
    desk.soon_has_places_of(plain)
    expect(phone.page.locator("#card-total")).to_have_text(plain.total("Player 7 & Player 8"))


@pytest.mark.long
def test_a_night_of_teams(hub, night, desk):
    choose_format(desk, "Teams: everyone plays singles for a team")
    teams = {
        "Ann": "Riverside",
        "Bob": "Riverside",
        "Cy": "Hilltop",
        "Dee": "Hilltop",
        "Player 5": "Oldtown",
        "Player 6": "Oldtown",
    }
    desk.tap("Paste a list")
    desk.field("Names", "\n".join(f"{name},,{team}" for name, team in list(teams.items())[:5]))
    desk.submit("Add all")
    desk.tap("Check in 5 missing players")
    desk.page.locator("#enter").get_by_label("Name").fill("Player 6")
    desk.page.locator("#enter").get_by_label("Team").fill("oldtown")
    desk.tap("Add and check in")
    expect(desk.page.locator("#next-step")).to_contain_text("6 players are checked in")
    desk.tap("Draw 3 games")
    expect(desk.page.locator("#rounds li")).to_have_count(3)
    plain = PlainNight(people=list(teams))
    for number in (1, 2, 3):
        assert all(len({teams[name] for name in game["names"]}) == 2 for game in desk.round(number)), (
            "nobody meets his own"
        )
    play_all(desk, plain)
    desk.soon_agrees(plain)
    sums = {team: [plain.key(name) for name in teams if teams[name] == team] for team in {*teams.values()}}
    sums = {team: tuple(map(sum, zip(*keys, strict=True))) for team, keys in sums.items()}
    shown = desk.page.evaluate(TEAMS)
    assert [row[0].removesuffix("2 players") for row in shown] == sorted(sums, key=sums.get, reverse=True)
    assert {row[0]: (row[2], row[4], row[5]) for row in shown} == {
        team: (f"{points}", signed(net), f"{plus}") for team, (points, _, net, plus) in sums.items()
    }


@pytest.mark.long
def test_a_match_of_two_teams_of_pairs(desk):
    """Table by table: whoever sits together does so in every game."""
    choose_format(desk, "Pairs: two play as one", "Two teams, table by table")
    desk.tap("Paste a list")
    desk.field("Names", "Ann & Bob,,Riverside\nCy & Dee,,Riverside\nPlayer 5 & Player 6,,Hilltop")
    desk.submit("Add all")
    desk.tap("Check in 3 missing players")
    expect(desk.page.locator("#next-step")).to_contain_text("3 players are checked in")
    desk.tap("Draw 3 games")
    expect(desk.page.locator("#next-step .why")).to_contain_text("Riverside 2, Hilltop 1")
    desk.tap("Paste a list")
    desk.field("Names", "Player 7 & Player 8,,Hilltop")
    desk.submit("Add all")
    desk.tap("Check in the missing player")
    expect(desk.page.locator("#next-step")).to_contain_text("4 players are checked in")
    desk.tap("Draw 3 games")
    expect(desk.page.locator("#rounds li")).to_have_count(3)
    rounds = [{(game["table"], *sorted(game["names"])) for game in desk.round(number)} for number in (1, 2, 3)]
    assert rounds == [{("1", "Ann & Bob", "Player 5 & Player 6"), ("2", "Cy & Dee", "Player 7 & Player 8")}] * 3


@pytest.mark.long
def test_a_match_with_more_games_at_one_table(desk):
    desk.tap("Event rules")
    desk.sheet.get_by_label("How the players move").select_option(label="Two teams, table by table")
    desk.sheet.get_by_label("Games per table").fill("1, two")
    desk.sheet.get_by_role("button", name="Save").click()
    expect(desk.sheet.get_by_role("alert")).to_have_text("Enter the games per table, such as 2, 2, 3.")
    desk.sheet.get_by_label("Games per table").fill("1, 2")
    desk.submit("Save")
    desk.tap("Paste a list")
    desk.field("Names", "Ann,,Riverside\nBob,,Riverside\nCy,,Hilltop\nDee,,Hilltop")
    desk.submit("Add all")
    desk.tap("Check in 4 missing players")
    desk.tap("Draw the match")
    expect(desk.page.locator("#rounds li")).to_have_count(2)
    assert [sorted(game["table"] for game in desk.round(number)) for number in (1, 2)] == [["1", "2"], ["2"]]
    plain = PlainNight(people=["Ann", "Bob", "Cy", "Dee"])
    play_all(desk, plain)
    desk.soon_has_places_of(plain)
