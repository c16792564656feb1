"""The desk while the hub's broker is away: which tables it hears of no longer, and why; gone once it is back."""

import pytest
from playwright.sync_api import expect

from pegboard.messages import Message
from pegboard.tournament.night.views.actions import say

LOST = Message("hub_broker_away", fault=Message("trouble_mqtt_lost", broker="127.0.0.1:1883"))


@pytest.mark.long
def test_a_desk_says_that_no_table_is_heard_of_and_why(hub, open_desk):
    night = hub.open_night(games=1)
    hub.enter(night, 2)
    hub.do(night, "add_table", table="t1", label="1", kind="board")
    hub.do(night, "draw")
    hub.do(night, "start_round", round=1)
    now = hub.clock[0]
    row = {"online": True, "since": now, "last_at": now, "state": None}
    hub.feed.rows["t1"] = row
    desk = open_desk(night)
    needs = desk.page.locator("#needs")
    expect(needs).not_to_contain_text("hub cannot reach its broker")
    hub.feed.rows["t1"] = row | {"online": False}
    hub.feed.ill = [say(LOST)]
    hub.nights.notify_table(night, "t1")
    hub.nights.notify_troubles()
    expect(needs).to_contain_text("The hub cannot reach its broker")
    expect(needs).to_contain_text("lost the connection to 127.0.0.1:1883")
    expect(needs).to_contain_text("Table 1 has been offline")
    hub.feed.rows["t1"], hub.feed.ill = row, []
    hub.nights.notify_table(night, "t1")
    hub.nights.notify_troubles()
    expect(needs).not_to_contain_text("hub cannot reach its broker")
    expect(needs).not_to_contain_text("offline")
