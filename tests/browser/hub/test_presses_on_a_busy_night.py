"""A key that is pressed while its row changes does what it says: nothing is written anew under a finger."""

import pytest
from playwright.sync_api import expect

from pegboard.tournament.night.decisions import Role
from pegboard.tournament.night.stored_form import Author
from tests.browser.hub.devices_of_a_night import Desk


@pytest.fixture
def night(hub):
    night = hub.open_night()
    hub.enter(night, 4)
    hub.do(night, "draw")
    hub.do(night, "start_round", round=1)
    return night


@pytest.fixture
def desk(hub, night, open_device):
    desk = Desk(open_device("desk", client=hub.director())).open(f"{hub.url}night/{night}")
    desk.tab("Games")
    return desk


def claim(hub, night, game):
    """A card comes in: the game's row changes."""
    player = hub.view(night)["rounds"][0]["games"][0]["players"][0]
    hub.do(night, "claim", Author(Role.PLAYER, player), game=game["key"], player=player, won=True, margin=12)


def hold(desk, key):
    """Put a finger on a key, and leave it there."""
    box = key.bounding_box()
    desk.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    desk.page.mouse.down()


def test_a_press_is_not_lost_where_the_row_changes_meanwhile(hub, night, desk):
    game = desk.round(1)[0]
    hold(desk, desk.tile(game).get_by_role("button", name="Result"))
    claim(hub, night, game)
    expect(desk.page.locator("#audit .said").first).to_contain_text("won by 12")
    desk.page.mouse.up()
    expect(desk.sheet).to_contain_text("Who won")
    expect(desk.tile(game)).to_contain_text("unconfirmed")


@pytest.mark.long
def test_a_row_is_up_to_date_again_once_the_finger_has_gone_elsewhere(hub, night, desk):
    game = desk.round(1)[0]
    hold(desk, desk.tile(game).get_by_role("button", name="Result"))
    claim(hub, night, game)
    expect(desk.page.locator("#audit .said").first).to_contain_text("won by 12")
    desk.page.mouse.move(5, 5)
    desk.page.mouse.up()
    expect(desk.tile(game)).to_contain_text("unconfirmed")
    expect(desk.sheet).not_to_be_visible()
