"""A night up to its first result: who comes in, the draw, a second director, one who is late, a board, the fees."""

from playwright.sync_api import expect

from tests.browser.hub.devices_of_a_night import GAMES, Desk, Phone, PlainPhone, Screen
from tests.browser.hub.story_of_a_night import LATE

ROSTER = ("Ann, MI101", "Bob", "Cy, MI103", "Dee", *(f"Player {number}" for number in range(5, 9)))
PRESENT = ["Ann", "Bob", "Cy", "Dee", *(f"Player {number}" for number in range(5, 11))]


def people_come_in(story):
    """The director's code, a new night, a list that is pasted once; everyone else comes by the code at the door."""
    desk = story.desk = Desk(story.open_device("desk"))
    desk.page.goto(story.url(f"j/{story.hub.code}"))
    desk.tap("Open the desk")
    desk.page.wait_for_url(story.hub.url)
    desk.page.get_by_label("Games per player").fill("3")
    desk.tap("Open the event")
    desk.page.wait_for_url("**/night/*")
    desk.was_opened()
    story.night = desk.page.url.rpartition("/")[2]
    story.screen = Screen(story.open_device("tv")).open(story.url(f"night/{story.night}/screen"))
    desk.tap("Paste a list")
    desk.field("Names", "\n".join(ROSTER))
    desk.submit("Add all")
    expect(desk.page.locator(".person")).to_have_count(len(ROSTER))
    ann = come_by_phone(story, "Ann")
    expect(ann.page.locator("#next")).to_contain_text("Waiting for the draw")
    come_by_phone(story, "Player 10")
    for name in PRESENT[1:-1]:
        story.plain_phones[name] = PlainPhone(story.hub.port, story.night, name).come_in(door_code(story))
    expect(desk.page.locator("#next-step")).to_contain_text("10 players are checked in")
    expect(story.screen.page.locator("#people li")).to_have_text(PRESENT)
    story.plain.people += PRESENT


def door_code(story):
    """What the QR code at the door has in it."""
    return story.desk.page.locator("#door .code").inner_text()


def come_by_phone(story, name):
    """Scan the code at the door, and say who one is: a name on the list, or one that is written, without a number."""
    phone = Phone(story.open_device("phone"), name)
    phone.page.goto(story.url(f"d/{door_code(story)}"))
    phone.page.locator("#who").wait_for()
    if phone.page.locator("#guests").get_by_role("button", name=name, exact=True).count():
        phone.tap(name)
    else:
        phone.page.get_by_label("Your name").fill(name)
        phone.tap("I’m here")
    phone.page.wait_for_url("**/me")
    phone.was_opened()
    story.phones[name] = phone
    return phone


def the_first_game_begins(story):
    desk, ann = story.desk, story.phones["Ann"]
    desk.tap("Draw 3 games")
    expect(story.screen.page.locator("#headline")).to_have_text("Round 1: seating")
    desk.tap("Start round 1")
    expect(story.screen.page.locator("#headline")).to_have_text("Round 1 of 3")
    assert desk.taps <= 6, "from ten people in a room to the first game"
    desk.tab("Games")
    (game,) = [game for game in desk.round(1) if "Ann" in game["names"]]
    (other,) = {*game["names"]} - {"Ann"}
    expect(ann.page.locator(".table-number")).to_contain_text(game["table"])
    expect(ann.page.locator("#next")).to_contain_text(f"against {other}")
    expect(story.screen.page.locator("#games .game")).to_have_count(5)


def others_join(story):
    """A second director on a tablet, by a code of the first; both see the same."""
    desk = story.desk
    desk.tab("Log")
    desk.tap("Add a director")
    code = desk.sheet.locator(".code").inner_text()
    desk.submit("Close")
    tablet = story.tablet = Desk(story.open_device("tablet"))
    tablet.page.goto(story.url(f"j/{code}"))
    tablet.tap("Open the desk")
    tablet.page.wait_for_url(story.hub.url)
    tablet.page.get_by_role("link", name="Desk").click()
    tablet.page.wait_for_url("**/night/*")
    tablet.was_opened()
    tablet.tab("Games")
    assert tablet.round(1) == desk.page.evaluate(GAMES)


def one_comes_late_and_a_board_is_carried_in(story, table):
    desk = story.desk
    late = come_by_phone(story, LATE)
    story.plain.people.append(LATE)
    expect(late.page.locator("#next")).to_contain_text("Waiting for the draw")
    desk.tab("Games")
    desk.tap("Add a table")
    desk.submit("Add a table")
    desk.tap("Connect: Table 6")
    code = desk.sheet.locator(".code").inner_text()
    desk.submit("Close")
    status, answer = table.client().ask("POST", "/api/v1/event/join", {"code": story.url(f"t/{code}")})
    assert status == 202, answer
    expect(desk.page.locator("#tables li").filter(has_text="Table 6")).to_contain_text("online")
    expect(desk.page.locator("#next-step")).to_contain_text(f"{LATE} is here but not in the draw.")
    desk.tap("Redraw", within="#next-step")
    desk.submit("Redraw")
    expect(late.page.locator("#next")).to_contain_text("against")
    expect(desk.page.locator("#roster .person").filter(has_text=LATE)).to_contain_text("late")


def fees_are_set_and_paid_once(story):
    """Who is free needs no amount; an answer that is lost on its way doubles nothing."""
    desk = story.desk
    desk.tab("People")
    desk.tap("Event rules")
    desk.field("Fee (USD)", "10")
    desk.submit("Save")
    desk.tap("More: Dee")
    desk.sheet.get_by_role("button", name="Change name or number").click()
    desk.sheet.get_by_label("Pays no fee").check()
    desk.submit("Save")
    desk.tab("Money")
    expect(desk.page.locator("#owing li")).to_have_count(10)
    expect(desk.page.locator("#owing")).not_to_contain_text("Dee")
    with desk.first_answer_lost(lambda route, _: route.abort()):
        desk.tap("Record $10 paid: Bob")
    expect(desk.page.locator("#owing li")).to_have_count(9)
    expect(desk.page.locator("#money")).to_contain_text("Paid$10")
    expect(desk.page.locator("#audit li").filter(has_text="Bob paid 10.00")).to_have_count(1)
