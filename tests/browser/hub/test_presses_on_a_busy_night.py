"""A key that is pressed while its page changes does what it says: nothing moves or is replaced under a finger."""

import pytest
from playwright.sync_api import expect

from pegboard.tournament.night.night_state import Author, Role
from tests.browser.hub.devices_of_a_night import Desk

REMEMBER_PARTS = """
    window.parts = [];
    window.EventSource = class extends EventSource {
        constructor(url) {
            super(url);
            this.addEventListener("part", ({ data }) => window.parts.push(JSON.parse(data).part));
        }
    };
"""
"""What the stream has brought, whether or not the page shows it yet."""


@pytest.fixture
def night(hub):
    night = hub.open_night()
    hub.enter(night, 4)
    hub.do(night, "draw")
    hub.do(night, "start_round", round=1)
    return night


@pytest.fixture
def desk(hub, night, open_device):
    desk = Desk(open_device("desk", client=hub.director()))
    desk.page.add_init_script(REMEMBER_PARTS)
    desk.open(f"{hub.url}night/{night}")
    desk.tab("Games")
    return desk


def claim(hub, night, game):
    """A card comes in: the game's row changes."""
    player = hub.view(night)["rounds"][0]["games"][0]["players"][0]
    hub.do(night, "claim", Author(Role.PLAYER, player), game=game["key"], player=player, won=True, margin=12)


def enter_results(hub, night, number):
    for game in hub.view(night)["rounds"][number - 1]["games"]:
        hub.do(night, "paper_result", game=game["game"], winner=game["players"][0], margin=12)


def hold(desk, key):
    """Put a finger on a key, and leave it there."""
    box = key.bounding_box()
    desk.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    desk.page.mouse.down()
    desk.page.evaluate("window.parts.length = 0")


def has_received(desk, *parts):
    """Wait until the stream has brought these parts."""
    desk.page.wait_for_function("(wanted) => wanted.every((part) => window.parts.includes(part))", arg=parts)


def test_a_press_is_not_lost_where_the_row_changes_meanwhile(hub, night, desk):
    game = desk.round(1)[0]
    hold(desk, desk.tile(game).get_by_role("button", name="Result"))
    claim(hub, night, game)
    has_received(desk, "rounds.1", "audit")
    desk.page.mouse.up()
    expect(desk.sheet).to_contain_text("Who won")
    expect(desk.tile(game)).to_contain_text("unconfirmed")


def test_a_press_is_not_lost_where_the_page_moves_meanwhile(hub, night, desk):
    """The last round starts: nothing is left to start, so there is one line less above all that follows."""
    enter_results(hub, night, 1)
    hub.do(night, "start_round", round=2)
    enter_results(hub, night, 2)
    step = desk.page.locator("#next-step")
    expect(step).to_contain_text("Start round 3")
    key = desk.page.locator("#rounds").get_by_role("button", name="Round 1")
    before = key.bounding_box()
    hold(desk, key)
    hub.do(night, "start_round", round=3)
    has_received(desk, "head", "rounds.3", "audit")
    desk.page.mouse.up()
    expect(key).to_have_attribute("aria-pressed", "true")
    expect(step).not_to_contain_text("Start round 3")
    assert key.bounding_box() != before, "the page has to move for this test to try anything"


def test_a_row_is_up_to_date_again_once_the_finger_has_gone_elsewhere(hub, night, desk):
    game = desk.round(1)[0]
    hold(desk, desk.tile(game).get_by_role("button", name="Result"))
    claim(hub, night, game)
    has_received(desk, "rounds.1", "audit")
    desk.page.mouse.move(5, 5)
    desk.page.mouse.up()
    expect(desk.tile(game)).to_contain_text("unconfirmed")
    expect(desk.sheet).not_to_be_visible()


@pytest.mark.long
def test_a_finger_that_is_never_lifted_does_not_stop_the_page(hub, night, desk):
    game = desk.round(1)[0]
    hold(desk, desk.tile(game).get_by_role("button", name="Result"))
    claim(hub, night, game)
    expect(desk.tile(game)).to_contain_text("unconfirmed")
