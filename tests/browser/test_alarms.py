"""Alarms on every page, and scores that the table has lost and a page still knows: a person puts them back, once."""

import shutil
import sqlite3
from contextlib import ExitStack
from unittest.mock import patch

import pytest
from playwright.sync_api import expect

from pegboard.messages import Message
from tests.browser.looks import assert_clean, wrong_looks
from tests.support import web_server_and_clients
from tests.support.troubled_journal import FULL, TroubledJournal
from tests.support.web_server_and_clients import opened
from web.access import sessions

FIRST = ((0, 4, "play"), (1, 2, "play"), (0, 6, "hand"), (1, 3, "hand"))
"""Ann 10, Bob 5: what the disk has."""

LOST = ((0, 8, None), (1, 5, "hand"), (1, 12, "hand"), (0, 5, "play"), (0, 2, None), (1, 3, "play"))
"""And what it loses, at 25 to 25."""

NOTED = "count => Object.keys(JSON.parse(localStorage['pegboard.seen'] ?? '[]')[0]?.lines ?? {}).length >= count"
"""Whether a page has noted so many lines, which it does soon after it shows them."""

EVERY_PAGE = (
    "/",
    "/tablet",
    "/board",
    "/count",
    "/play",
    "/history",
    "/history/now",
    "/stats",
    "/rules",
    "/settings",
    "/health",
)

BROKEN = ("ERR_CONNECTION", "ERR_INCOMPLETE_CHUNKED_ENCODING", "ERR_EMPTY_RESPONSE", "404", "409", "503")
"""What a page hears while its table is stopped, 503 from one that is just being put away, and started again."""


class Machine:
    """A table that a test stops and starts again at one address, with another journal perhaps."""

    def __init__(self, folder):
        self.folder, self.port, self._running = folder, 0, ExitStack()

    def start(self, folder, **web):
        self.stop()
        with patch.object(web_server_and_clients, "Journal", TroubledJournal):
            self.site = self._running.enter_context(opened(folder, again=True, port=self.port, **web))
        self.port = self.site.port
        return self.site

    def stop(self):
        self._running.close()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def score(self, *scores):
        for seat, points, why in scores:
            assert self.site.score(seat, points, why=why).status == 201

    def lose_the_tail(self, count=6):
        """What a flipped bit does, and what the start makes of it."""
        self.start(self.folder / "early")
        self.find(Message("journal_lost_tail", count=count))

    def find(self, *news):
        self.site.journal.news.extend(news)
        self.site.scoreboard.look_after()


@pytest.fixture
def machine(tmp_path, look):
    """A table at 10 to 5 whose disk loses what is scored from now on."""
    for said in BROKEN:
        look.excuse(said)
    machine = Machine(tmp_path)
    full, early = tmp_path / "full", tmp_path / "early"
    full.mkdir()
    machine.start(full)
    machine.score(*FIRST)
    machine.stop()
    shutil.copytree(full, early)
    with sqlite3.connect(early / "journal.db") as db:
        db.execute("UPDATE about SET epoch = 'feedfacefeedface'")
    db.close()
    machine.start(full)
    yield machine
    machine.stop()


def strip(page):
    return page.get_by_role("region", name="Alarms")


def sheet(page):
    return page.locator("dialog[open]")


def test_scores_that_a_page_has_seen_are_put_back_once(machine, look):
    first, second = look(machine.url, holder="everyone"), look(machine.url, holder=(1, "Bob"))
    machine.score(*LOST)
    for phone in (first, second):
        expect(phone.locator(".hero").first).to_have_text("25")
    machine.lose_the_tail()
    assert machine.site.fronts == [10, 5]
    for phone in (first, second):
        expect(strip(phone)).to_contain_text("Scores lost: 6; check the pegs")
        expect(strip(phone).get_by_role("button", name="Restore 6 scores")).to_be_visible()
    assert machine.site.fronts == [10, 5]  # nothing is sent by itself

    strip(first).get_by_role("button", name="Restore 6 scores").tap()
    expect(sheet(first).get_by_role("button", name="Ann +8, program 10 → 18")).to_be_visible()
    sheet(first).get_by_role("button", name="Bob +5, hand 5 → 10").tap()
    expect(sheet(first).get_by_role("heading")).to_have_text("5 lost scores")
    assert machine.site.fronts == [10, 10]
    expect(strip(second).get_by_role("button", name="Restore 5 scores")).to_be_visible()

    sheet(first).get_by_role("button", name="Restore all").tap()
    for phone in (first, second):
        expect(strip(phone).get_by_role("button", name="Restore")).to_have_count(0)
        expect(strip(phone)).to_contain_text("Scores lost: 6")
    assert machine.site.fronts == [25, 25]
    strip(second).get_by_role("button", name="Dismiss").tap()
    for phone in (first, second):
        expect(strip(phone)).to_be_hidden()
    first.reload()
    expect(first.locator(".hero").first).to_have_text("25")
    expect(strip(first)).to_be_hidden()


@pytest.mark.long
def test_two_phones_that_put_the_same_back_at_once_do_it_once(machine, look):
    first, second = look(machine.url), look(machine.url)
    machine.score(*LOST)
    for phone in (first, second):
        expect(phone.locator(".hero").first).to_have_text("25")
    machine.lose_the_tail()
    for phone in (first, second):
        strip(phone).get_by_role("button", name="Restore 6 scores").tap()
        expect(sheet(phone).get_by_role("button", name="Close")).to_be_focused()
    for phone in (first, second):
        phone.evaluate("document.querySelector('dialog[open] button[value=all]').click()")
    for phone in (first, second):
        expect(strip(phone).get_by_role("button", name="Restore")).to_have_count(0)
    assert machine.site.fronts == [25, 25]


@pytest.mark.long
def test_what_was_entered_again_by_hand_is_not_offered(machine, look):
    phone = look(machine.url)
    machine.score(*LOST)
    expect(phone.locator(".hero").first).to_have_text("25")
    machine.lose_the_tail()
    expect(strip(phone).get_by_role("button", name="Restore 6 scores")).to_be_visible()
    machine.score((0, 8, None), (1, 12, None))
    expect(strip(phone).get_by_role("button", name="Restore 4 scores")).to_be_visible()


@pytest.mark.long
def test_page_that_was_reloaded_still_knows_what_it_has_seen(machine, look):
    phone = look(machine.url)
    machine.score(*LOST)
    expect(phone.locator(".hero").first).to_have_text("25")
    phone.wait_for_function(NOTED, arg=len(FIRST + LOST))
    phone.goto(machine.url + "/api/v1/me")
    machine.lose_the_tail()
    phone.goto(machine.url)
    expect(strip(phone).get_by_role("button", name="Restore 6 scores")).to_be_visible()


@pytest.mark.long
def test_one_that_comes_back_after_the_alarm_was_dismissed_is_offered_its_scores_all_the_same(machine, look):
    phone = look(machine.url)
    machine.score(*LOST)
    expect(phone.locator(".hero").first).to_have_text("25")
    phone.wait_for_function(NOTED, arg=len(FIRST + LOST))
    phone.goto(machine.url + "/api/v1/me")
    machine.start(machine.folder / "early")
    phone.goto(machine.url)
    expect(strip(phone)).to_contain_text("This device has 6 scores that the board has lost")
    strip(phone).get_by_role("button", name="Restore 6 scores").tap()
    sheet(phone).get_by_role("button", name="Do not restore").tap()
    expect(strip(phone)).to_be_hidden()
    phone.reload()
    expect(phone.locator(".link.live")).to_be_visible()
    assert machine.site.fronts == [10, 5]
    expect(strip(phone)).to_be_hidden()


@pytest.mark.long
def test_dismissing_what_is_not_put_back_asks_first(machine, look):
    phone = look(machine.url)
    machine.score(*LOST)
    expect(phone.locator(".hero").first).to_have_text("25")
    machine.lose_the_tail()
    expect(strip(phone).get_by_role("button", name="Restore 6 scores")).to_be_visible()
    strip(phone).get_by_role("button", name="Dismiss").tap()
    expect(sheet(phone)).to_contain_text("6 scores have not been restored yet")
    expect(sheet(phone).get_by_role("button", name="Keep it")).to_be_focused()
    sheet(phone).get_by_role("button", name="Keep it").tap()
    expect(strip(phone)).to_be_visible()
    strip(phone).get_by_role("button", name="Dismiss").tap()
    sheet(phone).get_by_role("button", name="Yes, dismiss it").tap()
    expect(strip(phone)).to_be_hidden()


def test_tap_in_the_queue_across_the_loss_is_asked_about_and_counts_once(machine, look):
    """The revision that it was tapped at may be that of other lines by now."""
    look.excuse("ERR_FAILED")
    phone = look(machine.url, holder=(0, "Ann"))
    machine.score(*LOST)
    expect(phone.locator(".hero").first).to_have_text("25")
    phone.route("**/api/v1/commands", lambda route: route.abort())
    phone.get_by_role("button", name="7", exact=True).tap()
    expect(phone.locator("#trouble")).to_contain_text("not sent yet")
    machine.lose_the_tail()
    machine.score((0, 8, None), (0, 5, "play"), (0, 2, None))  # the very revision of Ann's lane that the phone saw
    phone.unroute("**/api/v1/commands")
    question = phone.get_by_role("dialog", name="Ann is already at 25")
    expect(question).to_be_visible()
    assert machine.site.fronts == [25, 5]
    question.get_by_role("button", name="Yes, add 7 more").tap()
    expect(phone.locator(".hero").first).to_have_text("32")
    assert machine.site.fronts == [32, 5]


@pytest.mark.long
def test_a_game_that_is_lost_as_a_whole_is_offered_to_a_game_of_the_same_players(machine, look):
    phone = look(machine.url)
    state = machine.site.get("/api/v1/state").json
    machine.site.on_board("start", variant="standard", players=["Ann", "Bob"], game=..., replaces=state["game"]["id"])
    machine.score((1, 12, "hand"), (0, 2, "play"))
    expect(phone.locator(".hero").first).to_have_text("2")
    machine.lose_the_tail(3)
    strip(phone).get_by_role("button", name="Restore 2 scores").tap()
    sheet(phone).get_by_role("button", name="Restore all").tap()
    expect(strip(phone).get_by_role("button", name="Restore")).to_have_count(0)
    assert machine.site.fronts == [12, 17]


@pytest.mark.looks
@pytest.mark.parametrize("path", EVERY_PAGE)
def test_every_page_shows_it_and_fits_beside_it(machine, look, path):
    machine.find(Message("journal_lost_tail", count=6))
    page = look(machine.url + path, "phone")
    expect(strip(page)).to_contain_text("Scores lost: 6")
    assert wrong_looks(page) == {}
    assert_clean(page)


@pytest.mark.looks
@pytest.mark.parametrize("path", ["/", "/tablet", "/board"])
def test_it_fits_beside_the_banner_of_an_open_table(machine, look, path):
    machine.site.server.access.exposure.address = "93.184.216.34"
    machine.find(Message("journal_lost_tail", count=6))
    page = look(machine.url + path, "tablet" if path == "/tablet" else "tv")
    expect(strip(page)).to_contain_text("Scores lost: 6")
    alarms, banner, main = (page.locator(one).bounding_box() for one in (".alarms", ".exposed", "main"))
    bottom_of_text = page.evaluate("document.querySelector('.exposed').scrollHeight") + banner["y"]
    assert alarms["y"] + alarms["height"] <= banner["y"] + 1
    assert main["y"] == pytest.approx(bottom_of_text, abs=2)
    assert main["y"] + main["height"] <= page.viewport_size["height"] + 1


@pytest.mark.looks
def test_alarm_reads_in_french(machine, look, browser):
    machine.find(Message("journal_lost_tail", count=6))
    context = browser.new_context(locale="fr-FR", viewport={"width": 390, "height": 844})
    page = look(machine.url, context=context)
    expect(page.get_by_role("region", name="Alertes")).to_contain_text("Lignes perdues : 6 ; vérifier les chevilles")
    context.close()


@pytest.mark.long
def test_a_screen_that_only_looks_on_shows_it_and_dismisses_nothing(machine, look):
    machine.start(machine.folder / "full", open=False)
    machine.find(Message("journal_lost_tail", count=6))
    page = look(machine.url + "/board", "tv")
    expect(strip(page)).to_contain_text("Scores lost: 6")
    expect(strip(page).get_by_role("button")).to_have_count(0)


@pytest.mark.long
def test_in_a_strict_game_a_scorer_has_a_key_for_what_cost_no_score_alone(machine, look, tmp_path):
    (tmp_path / "strict").mkdir()
    machine.start(tmp_path / "strict", house=("strict=on",))
    machine.find(Message("journal_lost_tail", count=6), Message("journal_index_rebuilt"))
    with patch.object(sessions, "role", return_value="scorer"):
        phone = look(machine.url)
        expect(strip(phone)).to_contain_text("An index of the journal was damaged")
        expect(strip(phone).get_by_role("button", name="Dismiss")).to_have_count(1)
        strip(phone).get_by_role("button", name="Dismiss").tap()
        expect(strip(phone)).not_to_contain_text("An index")
        expect(strip(phone)).to_contain_text("Scores lost: 6")
        expect(strip(phone).get_by_role("button", name="Dismiss")).to_have_count(0)


@pytest.mark.long
def test_next_score_does_not_hide_it(machine, look):
    machine.find(Message("journal_lost_tail", count=6))
    phone = look(machine.url, holder=(0, "Ann"))
    expect(strip(phone)).to_be_visible()
    phone.get_by_role("button", name="7", exact=True).tap()
    expect(phone.locator(".hero").first).to_have_text("17")
    expect(strip(phone)).to_be_visible()


def test_director_plays_on_in_memory_and_every_window_says_so(machine, look):
    phone, tv = look(machine.url, holder=(0, "Ann")), look(machine.url + "/board", "tv")
    machine.site.journal.trouble = FULL
    machine.site.scoreboard.look_after()
    for page in (phone, tv):
        expect(strip(page)).to_contain_text("Scores not saved; the disk is full")
        expect(strip(page).get_by_role("button", name="Dismiss")).to_have_count(0)
    strip(phone).get_by_role("button", name="Keep scores in memory").tap()
    expect(sheet(phone)).to_contain_text("kept only in memory")
    expect(sheet(phone).get_by_role("button", name="No, block scoring")).to_be_focused()
    sheet(phone).get_by_role("button", name="Yes, keep them in memory").tap()
    for page in (phone, tv):
        expect(strip(page)).to_contain_text("in memory only")
        expect(strip(page).get_by_role("button")).to_have_count(0)
    phone.get_by_role("button", name="7", exact=True).tap()
    expect(phone.locator(".hero").first).to_have_text("17")
    machine.site.journal.trouble, machine.site.journal.is_in_memory = None, False
    machine.find(Message("journal_lost_tail", count=1))
    expect(strip(tv)).not_to_contain_text("In memory")
    expect(strip(tv)).to_contain_text("Scores lost: 1")
