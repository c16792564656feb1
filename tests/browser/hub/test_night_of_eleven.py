"""A night of eleven by taps: from people in a room to pots that are paid, at desk, phones and big screen."""

import re

from playwright.sync_api import expect

from pegboard.tournament.night.decisions import Role
from pegboard.tournament.night.stored_form import Author
from tests.support.hub_site import NAMES, request_id

GUESTS = [*NAMES, *(f"Player {number}" for number in range(5, 12))]


class Taps:
    """The director's taps, counted."""

    def __init__(self, page):
        self.page, self.number = page, 0

    def __call__(self, name, *, within="main", exact=False):
        self.page.locator(within).get_by_role("button", name=name, exact=exact).first.click()
        self.number += 1

    def tab(self, name):
        self.page.get_by_role("tab", name=name).click()


def come_in(phone, hub, night, name):
    """A player who has scanned the code at the door and writes a name."""
    phone.goto(f"{hub.server.url}d/{hub_code(hub, night)}")
    phone.get_by_label("Your name").fill(name)
    phone.get_by_role("button", name="I am here").tap()
    phone.wait_for_url("**/me")


def hub_code(hub, night):
    return hub.director().get(f"/night/v1/{night}/door").json["code"]


def by_phone(hub, night, name):
    """The same without a picture."""
    client = hub.client()
    client.post("/night/v1/door", id=request_id(), code=hub_code(hub, night), name=name)
    return client


def open_games(hub, night):
    return [game for one in hub.view(night)["rounds"] for game in one["games"] if None in game["values"]]


def finish(hub, night, games):
    """Results of games by both cards, as phones send them: the first of each pair wins."""
    for place, game in enumerate(games):
        one, other = game["players"]
        margin = 8 + 5 * place
        for player, won in ((one, True), (other, False)):
            hub.do(
                night, "claim", Author(Role.PLAYER, player), game=game["game"], player=player, won=won, margin=margin
            )


def test_a_night_of_eleven(hub, open_device):  # noqa: PLR0915 - one night from its first tap to its last
    desk = open_device("desk")
    tap = Taps(desk)

    # the director's code, and a new night: people stand in the room
    desk.goto(f"{hub.server.url}j/{hub.server.access.codes.director().text}")
    tap("Open the desk")
    desk.wait_for_url(hub.server.url)
    desk.get_by_label("Games of each player").fill("3")
    tap("Open the night")
    desk.wait_for_url("**/night/*")
    night = desk.url.rpartition("/")[2]
    expect(desk.locator(".link.live")).to_be_visible()

    # ten check in at the door; one of them on a phone that we see
    phone = open_device("phone")
    come_in(phone, hub, night, "Ann")
    expect(phone.locator("#next")).to_contain_text("The draw comes soon")
    for name in GUESTS[1:10]:
        by_phone(hub, night, name)
    expect(desk.locator(".person")).to_have_count(10)
    tap("Draw 3 games")
    tap("Start round 1")
    assert tap.number <= 6, "from ten people in a room to the first game"

    # the phone shows where to go, and so does the big screen
    ann = next(player for player in hub.view(night)["players"] if player["name"] == "Ann")["next"]
    expect(phone.locator(".table-number")).to_contain_text(ann["label"])
    expect(phone.locator("#next")).to_contain_text(f"against {hub.nights.night(night).name(ann['against'])}")
    screen = open_device("tv")
    screen.goto(f"{hub.server.url}night/{night}/screen")
    expect(screen.locator("#headline")).to_have_text("Round 1 of 3")
    expect(screen.locator(".game")).to_have_count(5)

    # the eleventh is late, and is drawn into the games that are left
    by_phone(hub, night, GUESTS[10])
    expect(desk.locator(".person")).to_have_count(11)
    tap.tab("Games")
    tap("Draw again", within="#round-games")
    desk.locator("#sheet").get_by_role("button", name="Draw again").click()
    late = hub.nights.night(night).revision
    expect(desk.locator("#rounds li")).not_to_have_count(0)
    assert hub.nights.night(night).revision >= late

    # Ann claims on her phone, the other card says otherwise: the game is named at once, and ruled by 12.2
    game = next(one for one in hub.view(night)["rounds"][0]["games"] if "p1" in one["players"])
    other = next(player for player in game["players"] if player != "p1")
    phone.get_by_role("button", name="Enter the result").tap()
    phone.get_by_label("I won").check(force=True)
    phone.get_by_label("By how many holes").fill("21")
    phone.get_by_role("button", name="Send").tap()
    expect(phone.locator("#result")).to_contain_text("has not confirmed yet")
    hub.do(night, "claim", Author(Role.PLAYER, other), game=game["game"], player=other, won=False, margin=16)
    expect(desk.locator("#needs")).to_contain_text("Ann")
    expect(phone.locator("#result")).to_contain_text("Compare both score cards")
    desk.locator("#needs").get_by_role("button", name="Rule").click()
    assert desk.locator("#sheet .choice.out").count() >= 1, "what does not fit is out of use"
    assert desk.locator("#sheet .choice.out .reason").first.inner_text(), "and says why"
    desk.locator("#sheet .choice:not(.out)").first.click()
    desk.locator("#sheet").get_by_role("button", name="Rule so").click()
    expect(desk.locator("#needs .needs")).to_have_count(0)
    expect(phone.locator("#card-rows")).to_contain_text("16")

    # a judge is called from the phone, and comes
    phone.get_by_role("button", name="Call a judge").tap()
    phone.locator("#sheet").get_by_role("button", name="Call", exact=True).tap()
    expect(desk.locator("#needs .call")).to_contain_text("calls a judge")
    desk.locator("#needs").get_by_role("button", name="Settled").click()
    expect(desk.locator("#needs .call")).to_have_count(0)

    # one on paper at the desk, the rest by cards; a slip is undone in the log
    finish(hub, night, [one for one in open_games(hub, night) if one["round"] == 1][1:])
    desk.locator("#games").get_by_role("button", name=re.compile("^Result")).first.click()
    desk.locator("#sheet .choice").first.click()
    desk.locator("#sheet").get_by_label("By how many holes").fill("500")
    desk.locator("#sheet").get_by_role("button", name="Enter the result").click()
    expect(desk.locator("#sheet .why")).to_contain_text("1 to 121")
    desk.locator("#sheet").get_by_label("By how many holes").fill("31")
    desk.locator("#sheet").get_by_role("button", name="Enter the result").click()
    expect(desk.locator("#sheet")).not_to_be_visible()

    # one leaves; the others play to the end, and nothing needs to be pressed for the standings
    tap.tab("People")
    desk.get_by_role("button", name="Has left: Player 9").click()
    expect(desk.locator("#roster")).to_contain_text("Left (1)")
    while games := open_games(hub, night):
        game = games[0]
        if "p9" in game["players"]:
            hub.do(night, "forfeit", game=game["game"], player="p9")
        else:
            finish(hub, night, [game])
    tap.tab("Standings")
    expect(desk.locator("#standings tr")).not_to_have_count(0)
    expect(desk.locator("#next-step")).to_contain_text("the standings are final")
    expect(desk.locator("#checks .ill")).to_have_count(0)

    # the cut, with a tie where there is one; the bracket to the winner
    tap.tab("Finals")
    for _ in range(4):
        ties = [tie for tie in hub.view(night)["cut"]["ties"] if tie["kind"] == "cut"]
        if not ties:
            break
        desk.get_by_role("button", name="Tie at the cut").click()
        for box in desk.locator("#sheet [name='order[]']").all():
            box.check(force=True)
        desk.locator("#sheet").get_by_role("button", name="Enter the order").click()
        expect(desk.locator("#sheet")).not_to_be_visible()
    tap("Close the cut", within="#next-step")
    tap("Draw the bracket", within="#next-step")
    expect(desk.locator(".match")).not_to_have_count(0)
    while match := next((one for one in matches(hub, night) if all(one["players"]) and not one["winner"]), None):
        hub.do(night, "bracket_game", match=match["match"], winner=match["players"][0], margin=10)
    winner = hub.view(night)["brackets"][0]["winner"]
    expect(desk.locator("#next-step")).to_contain_text(f"{hub.nights.night(night).name(winner)} has won")

    # the pot of the qualifiers is opened late, paid, and undone: everything stands in the log
    tap.tab("Money")
    desk.get_by_role("button", name="Open a pot").click()
    desk.locator("#sheet").get_by_role("button", name="Open a pot").click()
    expect(desk.locator(".pot")).to_have_count(1)
    hub.do(night, "enter_pot", pot=hub.view(night)["pots"][0]["pot"], player=winner)
    desk.get_by_role("button", name="Pay it out").click()
    desk.locator("#sheet").get_by_role("button", name="Pay it out").click()
    expect(desk.locator(".pot")).to_contain_text("Paid")
    tap.tab("Log")
    desk.locator("#audit .said").first.get_by_role("button").click()
    expect(desk.locator("#audit .undone")).not_to_have_count(0)
    tap("End the night", within="#next-step")
    expect(screen.locator("#headline")).to_contain_text("has won")
    tap("Open the night again", within="#next-step")
    expect(desk.locator("#next-step")).not_to_contain_text("over")


def matches(hub, night):
    return [match for bracket in hub.view(night)["brackets"] for match in bracket["matches"]]
