"""The pages of a table in an event: calls, where players go, a result as a code, and joining; nothing is cramped."""

import re

import pytest
from playwright.sync_api import expect

from pegboard.core.moves import Confirm, SetPegs
from pegboard.tournament.result_code import decode
from tests.browser.looks import assert_clean, wrong_looks
from tests.browser.traffic import FIRST_LOAD, Traffic
from tests.support.table_in_event import ANSWER
from tests.support.waiting import soon
from tests.support.web_server_and_clients import opened, tap
from tests.web.table.test_event import Hub, pair

AFTER = ({"table": "7", "against": "Dee", "deals": True}, {"table": "4", "against": "Cy", "deals": False})


class AtEvent:
    """A table in an event behind a real server, and the hub that sends its orders."""

    def __init__(self, site, hub):
        self.site, self.hub, self.url = site, hub, f"http://127.0.0.1:{site.port}"

    def send(self, *games, **more):
        self.hub.send(*games, **more)
        self.site.scoreboard.keys.event_controls = self.hub.table

    def view(self):
        return self.site.scoreboard.view

    def finish(self):
        game, board = self.site.game, self.site.scoreboard
        for seat, hole in ((1, 95), (0, 110)):
            base = board.view.game.revisions[seat]
            pegs = SetPegs(seat, hole, hole - 1, "laid")
            board.handle(pegs, source="phone", id=tap(), game=game, director=True, base=base)
        self.site.score(0, 11)
        for seat in (0, 1):
            board.handle(Confirm(seat, 0, (121, 95)), source="phone", id=tap(), game=game)


@pytest.fixture
def at_event(tmp_path):
    hub = Hub(joined=True)
    with opened(tmp_path, event=hub.make) as site:
        at_event = AtEvent(site, hub)
        at_event.send(pair(number=3, after=AFTER), pair("Cy", "Bob", number=4))
        soon(lambda: at_event.view().game.pairing)
        yield at_event


def strip(page, name="Event"):
    return page.get_by_role("region", name=name, exact=True)


@pytest.mark.long
def test_a_phone_calls_a_judge_and_every_page_says_so_and_who_comes(at_event, look):
    phone, board = look(at_event.url), look(f"{at_event.url}/board", size="tv")
    expect(strip(phone)).to_contain_text("Table 4 · round 3 of 9")
    strip(phone).get_by_role("button", name="Call").tap()
    phone.locator("dialog[open]").get_by_role("button", name="Call a judge").tap()
    for page in (phone, board):
        expect(strip(page)).to_contain_text("Judge called.")
    expect(phone.locator("#said")).to_contain_text("Judge called.")
    call = at_event.view().event.calls[0]
    answer = {"id": call.id, "for": "judge", "accepted": ["Cy", "Dee"], "needed": 2}
    at_event.send(pair(number=3, after=AFTER), calls=[answer], revision=2)
    for page in (phone, board):
        expect(strip(page)).to_contain_text("Cy and Dee are coming.")
    assert strip(board).get_by_role("button").count() == 0, "nobody taps a TV"


def test_once_both_have_confirmed_every_page_says_where_each_goes(at_event, look):
    pages = [look(at_event.url), look(f"{at_event.url}/tablet", size="flat"), look(f"{at_event.url}/board", size="tv")]
    at_event.finish()
    for page in pages:
        expect(strip(page)).to_contain_text("Ann: table 7, against Dee, deals first")
        expect(strip(page)).to_contain_text("Bob: stays here, table 4, against Cy, deals second")
        expect(strip(page)).to_contain_text("Next at this table: Cy \u2013 Bob")


@pytest.mark.long
def test_a_result_that_has_not_reached_the_hub_is_a_code_one_tap_away(at_event, look):
    at_event.hub.link.is_linked = False
    at_event.hub.table._unsent._clock = lambda: at_event.now_s
    at_event.now_s = 0.0
    game = at_event.site.game
    at_event.finish()
    soon(lambda: at_event.hub.table._unsent.waits)
    at_event.now_s = 60.0
    at_event.hub.table.wake()
    phone = look(at_event.url)
    expect(strip(phone)).to_contain_text("Result not sent to the hub yet.")
    strip(phone).get_by_role("link", name="Show code").tap()
    phone.wait_for_url(f"**/event/{game}")
    expect(phone.locator("#qr path")).to_have_attribute("d", re.compile("^M"))
    assert decode(phone.locator("#letters").text_content()).holes == (121, 95)
    assert wrong_looks(phone) == {}
    assert_clean(phone)


def test_a_hub_is_confirmed_on_the_page_and_a_second_tap_on_yes_says_nothing_else(tmp_path, look):
    hub = Hub(joined=False)
    hub.announced = ()
    hub.answer = (200, ANSWER | {"broker": ANSWER["broker"] | {"url": "mqtt://pegboard-hub.local"}})
    with opened(tmp_path, event=hub.make) as site:
        page = look(f"http://127.0.0.1:{site.port}/event?join=482913")
        join, asked = page.get_by_role("button", name="Join the event").first, page.locator("#asks")
        join.tap()
        expect(asked).to_contain_text("http://pegboard-hub.local:8090")
        page.get_by_role("button", name="Do not join").tap()
        expect(asked).to_be_hidden()
        join.tap()
        expect(asked).to_be_visible()
        page.locator("#asks-yes").dblclick()
        soon(lambda: hub.posted)
        expect(page.locator("#standing")).to_have_text("This table is table 4 of Club night 7.")
        expect(page.get_by_role("alert")).to_have_text([""] * page.get_by_role("alert").count())
        expect(asked).to_be_hidden()
        assert [values["code"] for _, values in hub.posted] == ["482913"]


def test_a_table_is_joined_on_its_page_and_what_is_refused_is_said(tmp_path, look):
    hub = Hub(joined=False)
    look.excuse("404")
    with opened(tmp_path, event=hub.make) as site:
        page = look(f"http://127.0.0.1:{site.port}/event?join=http://192.168.1.20:8090/t/482913")
        hub.answer = (410, {"detail": "used"})
        field = page.get_by_label("Event code")
        expect(field).to_have_value("http://192.168.1.20:8090/t/482913")
        page.get_by_role("button", name="Join the event").tap()
        expect(page.get_by_role("alert")).to_contain_text("The code 482913 was used or has expired")
        hub.answer = (200, ANSWER)
        page.get_by_role("button", name="Join the event").tap()
        expect(page.locator("#standing")).to_have_text("This table is table 4 of Club night 7.")
        assert wrong_looks(page) == {}
        assert_clean(page)


@pytest.mark.looks
@pytest.mark.parametrize("path", ["/", "/tablet", "/board"])
def test_nothing_is_cramped_while_a_judge_is_called_and_something_is_announced(at_event, look, path):
    size = "tv" if path == "/board" else "phone"
    page = look(f"{at_event.url}{path}", size=size)
    at_event.hub.table.toggle_call("judge")
    at_event.send(pair(number=3, after=AFTER), announcement="Lunch until one o\u2019clock", revision=2)
    expect(strip(page)).to_contain_text("Lunch until one")
    expect(strip(page)).to_contain_text("Judge called.")
    sizes = ("tv",) if path == "/board" else ("flat", "tablet") if path == "/tablet" else ("phone", "tablet")
    assert wrong_looks(page, sizes) == {}
    assert_clean(page)


@pytest.mark.looks
def test_in_french_every_word_of_the_event_is(at_event, browser):
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, locale="fr-FR")
    page = context.new_page()
    page.add_init_script("localStorage.setItem('pegboard.holder', '{\"seat\":null,\"name\":null}')")
    page.goto(at_event.url)
    expect(strip(page, "Tournoi")).to_contain_text("Table 4 · ronde 3 sur 9")
    at_event.finish()
    expect(strip(page, "Tournoi")).to_contain_text("Ann : table 7, contre Dee, donne en premier")
    context.close()


@pytest.mark.long
def test_a_table_in_no_event_loads_nothing_of_one(browser, table):
    traffic = Traffic(browser, table.url, "fr-FR")
    traffic.page.clock.install()
    traffic.load(table.url)
    traffic.page.clock.run_for(60_000)
    assert not [place for place in traffic.places if "event/" in place or "event_words" in place]
    traffic.context.close()


OF_THE_EVENT = 9_500
"""Bytes more: the strip with its words and styles, and those of the head under which it stands."""


@pytest.mark.long
def test_a_table_in_an_event_loads_little_too(browser, at_event):
    traffic = Traffic(browser, at_event.url, "fr-FR")
    expect(strip(traffic.page, "Tournoi")).to_be_visible()
    traffic.wait()
    assert [place for place in traffic.places if "event/strip.js" in place]
    assert traffic.total <= FIRST_LOAD + OF_THE_EVENT
    traffic.context.close()
