"""A director disconnects the phone of somebody who came in under another's name, and hands the player a new code."""

import re

import pytest
from playwright.sync_api import expect


@pytest.mark.long
def test_another_code_disconnects_the_phones_that_were_a_players(hub, open_device):
    night, director = hub.open_night(), hub.director()
    hub.enter(night, 2)
    before = director.get(f"/night/v1/{night}/players/p1/code").json["code"]
    phone = hub.client()
    assert phone.post("/night/v1/card", code=before).status == 200
    page = open_device(client=director)
    page.goto(f"{hub.url.rstrip('/')}/night/{night}")
    page.locator(".link.live").wait_for()
    page.locator('[data-opens="person p1"]').click()
    page.get_by_role("button", name="Code for the player").click()
    expect(page.locator("dialog .code")).to_have_text(before)
    page.get_by_role("button", name="New code").click()
    expect(page.locator("dialog .since")).to_contain_text("Ann")
    page.get_by_role("button", name="Disconnect these phones").click()
    expect(page.locator("dialog .code")).to_have_text(re.compile("^[0-9A-Z]{6}$"))
    assert page.locator("dialog .code").inner_text() != before
    assert phone.get(f"/night/v1/{night}/players/p1").status == 403


def test_a_player_who_may_be_in_the_bracket_is_not_sent_home(hub, open_device):
    """The leader waits for the bracket; a page shows it, as the sentence comes with the view."""
    night = hub.open_night(games=1, cut="2")
    hub.enter(night, 4)
    hub.do(night, "draw")
    for margin, game in enumerate(hub.view(night)["rounds"][0]["games"], 5):
        hub.do(night, "paper_result", game=game["game"], winner=game["players"][0], margin=margin)
    first = hub.view(night)["standings"][0]["player"]
    code = hub.director().get(f"/night/v1/{night}/players/{first}/code").json["code"]
    phone = hub.client()
    assert phone.post("/night/v1/card", code=code).status == 200
    page = open_device("phone", client=phone)
    page.goto(f"{hub.url}night/{night}/me")
    expect(page.locator("#next")).to_contain_text("You are 1st of 2 qualifiers; wait for the bracket")
    hub.do(night, "close_cut")
    expect(page.locator("#next")).to_have_text("You are seed 1 of 2; wait for the bracket")
