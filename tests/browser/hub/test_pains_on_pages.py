"""The pains of a director's checklist, on the pages where they would be felt; their rules are tested with the night."""

import re

import pytest
from playwright.sync_api import expect

from pegboard.tournament.night.night_state import Author, Role
from tests.browser.hub.devices_of_a_night import Desk, Phone
from tests.browser.hub.plain_night import MINUS
from tests.support.hub_site import opened_hub


@pytest.fixture
def night(hub):
    """A night of three games each for Ann, Bob, Cy and Dee, who are here, and one of them qualifies."""
    night = hub.open_night(cut="1", fee=1000)
    hub.enter(night, 4)
    return night


@pytest.fixture
def desk(hub, night, open_device):
    return desk_of(hub, night, open_device)


def desk_of(hub, night, open_device):
    return Desk(open_device("desk", client=hub.director())).open(f"{hub.url}night/{night}")


def at_the_door(hub, night, open_device, code=None):
    """A phone that has scanned the code at the door, or another one."""
    phone = Phone(open_device("phone"), "")
    phone.page.goto(f"{hub.url}d/{code or door_code(hub, night)}")
    return phone


def door_code(hub, night):
    return hub.director().get(f"/night/v1/{night}/door").json["code"]


def write_name(phone, name):
    phone.page.get_by_label("Your name").fill(name)
    phone.tap("I’m here")


@pytest.mark.long
def test_a_failed_check_in_shows_why(hub, night, open_device):
    wrong = at_the_door(hub, night, open_device, "AAAAAA")
    is_refused(wrong, "This door code has expired")
    hub.do(night, "enter", name="Player 5")
    phones = [at_the_door(hub, night, open_device) for _ in range(2)]
    for phone in phones:
        phone.page.get_by_role("button", name="Player 5").wait_for()
    phones[0].tap("Player 5")
    phones[0].page.wait_for_url("**/me")
    phones[1].tap("Player 5")
    is_refused(phones[1], "Player 5 is already checked in")
    write_name(phones[1], " ")
    is_refused(phones[1], "Enter your name")
    write_name(phones[1], "ann")
    is_refused(phones[1], "Ann is already on the roster; choose it in the list or use your scorecard's code")
    hub.clock[0] += 10 * 60_000
    write_name(phones[1], "Player 6")
    is_refused(phones[1], "This door code has expired")
    phones[1].page.get_by_label("Door code").fill(door_code(hub, night))
    phones[1].tap("Check in")
    write_name(phones[1], "Player 6")
    phones[1].page.wait_for_url("**/me")


def is_refused(phone, sentence):
    """The reason is in sight, and says so."""
    expect(phone.page.locator("#refusal")).to_be_in_viewport()
    expect(phone.page.locator("#refusal")).to_contain_text(sentence)


@pytest.mark.long
def test_who_is_late_stays_in_sight_until_he_is_drawn(hub, night, desk, open_device):
    desk.tap("Draw 3 games")
    desk.tap("Start round 1")
    late = at_the_door(hub, night, open_device)
    write_name(late, "Player 5")
    late.page.wait_for_url("**/me")
    expect(late.page.locator("#next")).to_contain_text("Waiting for the draw")
    expect(desk.page.locator("#roster .person")).to_have_count(5)
    expect(desk.page.locator("#roster .person").filter(has_text="Player 5")).to_contain_text("late")
    expect(desk.page.locator("#next-step")).to_contain_text("Player 5 is here but not in the draw.")
    desk.tap("Redraw", within="#next-step")
    desk.submit("Redraw")
    expect(late.page.locator("#next")).to_contain_text("against")
    expect(desk.page.locator("#next-step")).not_to_contain_text("Player 5")


@pytest.mark.long
def test_registration_opens_again(hub, night, desk, open_device):
    desk.tap("Close registration")
    phone = at_the_door(hub, night, open_device)
    write_name(phone, "Player 5")
    is_refused(phone, "Registration is closed; a director can reopen it to add Player 5")
    desk.tap("Reopen registration")
    expect(desk.page.get_by_role("button", name="Close registration")).to_be_visible()
    phone.tap("I’m here")
    phone.page.wait_for_url("**/me")


@pytest.mark.long
def test_who_is_free_needs_no_amount(desk):
    desk.tab("Money")
    expect(desk.page.locator("#owing li")).to_have_count(4)
    desk.tab("People")
    desk.tap("More: Bob")
    desk.sheet.get_by_role("button", name="Change name or number").click()
    desk.sheet.get_by_label("Pays no fee").check()
    desk.submit("Save")
    expect(desk.page.locator("#owing li")).to_have_count(3)
    expect(desk.page.locator("#roster .person").filter(has_text="Bob")).to_contain_text("no fee")


@pytest.mark.long
def test_a_walk_up_is_entered_at_the_desk_whatever_was_pressed_before(desk):
    desk.tap("Close registration")
    desk.tap("Reopen registration")
    entry = desk.page.locator("#enter")
    entry.get_by_label("Name").fill("ann")
    desk.tap("Add and check in")
    expect(entry.locator(".why")).to_contain_text("Ann is already on the roster")
    entry.get_by_label("Name").fill("Player 5")
    desk.tap("Add and check in")
    expect(entry.locator(".why")).not_to_be_visible()
    expect(desk.page.locator("#people-count")).to_contain_text("5 checked in")


@pytest.mark.long
def test_players_without_a_number_check_in(hub, night, desk, open_device):
    for name in ("Player 5", "Player 6"):
        phone = at_the_door(hub, night, open_device)
        write_name(phone, name)
        phone.page.wait_for_url("**/me")
    expect(desk.page.locator("#people-count")).to_contain_text("6 checked in")


@pytest.mark.long
def test_an_error_names_the_true_cause(tmp_path, open_device):
    with opened_hub(tmp_path / "without", broker=False) as hub:
        night = hub.open_night()
        hub.enter(night, 4)
        hub.do(night, "add_table", table="t4", label="4", kind="board")
        desk = desk_of(hub, night, open_device)
        desk.tab("Games")
        desk.tap("Connect: Table 4")
        expect(desk.sheet.locator(".why")).to_contain_text("broker")
        desk.submit("Close")
        desk.tap("Draw 3 games")
        game = desk.round(1)[0]
        desk.write_result(game, game["names"][0], 122)
        desk.sheet.get_by_role("button", name="Enter the result").click()
        expect(desk.sheet.locator(".why")).to_contain_text("1 to 121")
        hub.server.stop()
        desk.field("By how many holes", "12")
        open_device.excuse("ERR_")
        desk.sheet.get_by_role("button", name="Enter the result").click()
        expect(desk.sheet.locator(".why")).to_have_text("The hub is not answering. It is safe to try again.")


@pytest.mark.long
def test_no_schedule_is_written_by_hand(desk):
    """One tap: everyone meets everyone, at tables that were not there before."""
    desk.tap("Draw 3 games")
    expect(desk.page.locator("#tables li")).to_have_count(2)
    pairs = [frozenset(game["names"]) for number in (1, 2, 3) for game in desk.round(number)]
    assert len({*pairs}) == len(pairs) == 6
    desk.tab("Games")
    assert {game["table"] for game in desk.round(1)} == {"1", "2"}


@pytest.mark.long
def test_nothing_is_typed_twice(hub, night, desk, open_device):
    """A list that is pasted again, or had a wrong line, doubles nobody; a table's result is on both cards."""
    desk.tap("Paste a list")
    desk.field("Names", "Ann\nBob\nPlayer 5, MI105")
    desk.submit("Add all")
    expect(desk.page.locator("#people-count")).to_contain_text("5 on the roster")
    desk.tap("Paste a list")
    desk.field("Names", "Player 6\nPlayer 7, MI105\nPlayer 8")
    desk.sheet.get_by_role("button", name="Add all").click()
    expect(desk.sheet.locator(".why")).to_contain_text("Player 7")
    desk.field("Names", "Player 6\nPlayer 7, MI107\nPlayer 8")
    desk.submit("Add all")
    expect(desk.page.locator("#people-count")).to_contain_text("8 on the roster")
    desk.tap("Draw 3 games")
    game = desk.round(1)[0]
    one, other = game["names"]
    ids = {name: player for player, name in hub.view(night)["names"].items()}
    table = next(each["table"] for each in hub.view(night)["tables"] if each["label"] == game["table"])
    players = [ids[one], ids[other]]
    by_table = Author(Role.TABLE, table)
    values = {"game": game["key"], "table": table, "winner": ids[one], "margin": 31, "confirmed": players}
    hub.do(night, "table_result", by_table, **values)
    expect(desk.tile(game).locator(".line")).to_have_text(
        [re.compile(rf"^{one}.*3\+31$"), re.compile(rf"^{other}.*0{MINUS}31$")]
    )
    phone = Phone(open_device("phone", client=hub.director()), other)
    phone.open(f"{hub.url}night/{night}/me?player={ids[other]}")
    expect(phone.page.locator("#card-rows tr").first).to_contain_text(one)
    expect(phone.page.locator("#card-total")).to_have_text(f"0 points, 0 won, spread {MINUS}31")


@pytest.mark.long
def test_a_forfeit_never_blocks_the_end(desk):
    desk.tap("Draw 3 games")
    for number in (1, 2, 3):
        for game in desk.round(number):
            desk.more(game)
            desk.sheet.get_by_role("button", name="Forfeit", exact=True).click()
            desk.choose(max(game["names"]))
            desk.submit("Forfeit the game")
    expect(desk.page.locator("#next-step")).to_contain_text("the standings are final")
    desk.tap("Close qualifying", within="#next-step")
    expect(desk.page.locator("#qualifiers .name")).to_have_text(["Ann"])


@pytest.mark.long
def test_a_key_out_of_use_says_why_beside_it(desk):
    desk.tab("Finals")
    why = desk.tap_in_vain("Close qualifying", within="#cut")
    expect(why).to_contain_text("No games are drawn yet")
