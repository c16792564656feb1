"""A decision whose answer is lost on its way, or cut short, is made once, and the desk shows no trouble."""

import pytest
from playwright.sync_api import expect


def lost(route, _):
    route.abort()


def cut_short(route, answer):
    route.fulfill(response=answer, body=answer.text()[:20])


@pytest.mark.sampled
@pytest.mark.parametrize("lose", [lost, cut_short])
def test_a_payment_is_sent_again_and_booked_once(hub, open_desk, open_device, lose):
    open_device.excuse("ERR_FAILED")
    night = hub.open_night(fee=1000)
    hub.enter(night, 4)
    desk = open_desk(night)
    desk.tab("Money")
    with desk.first_answer_lost(lose):
        desk.tap("Record $10 paid: Bob")
    expect(desk.page.locator("#owing li")).to_have_count(3)
    expect(desk.page.locator("#money")).to_contain_text("Paid$10")
    expect(desk.page.locator(".why[data-beside]")).to_have_count(0)
    expect(desk.page.locator("#audit li").filter(has_text="Bob paid 10.00")).to_have_count(1)
