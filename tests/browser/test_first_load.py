"""What a phone loads when it first comes to the table: little, all of it from the table, and never again."""

import re

import pytest

from web.http.static_files import Assets

FIRST_LOAD, REQUESTS = 64_000, 24  # bytes, and what a browser asks for

ICONS = 2  # and the manifest, which this browser without a window does not ask for

ALL_TOGETHER = 160_000  # bytes; each page has layouts down to 195 pixels


class Traffic:
    """Every request of a page that knows nothing yet, with the bytes that came for it, heads too."""

    def __init__(self, browser, url, language="en-GB"):
        phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
        self.context = browser.new_context(**phone, locale=language)
        self.page = self.context.new_page()
        self.hosts, self.places, self.bytes, self.reused = set(), [], {}, []
        session = self.context.new_cdp_session(self.page)
        session.on("Network.requestWillBeSent", self._asked)
        session.on("Network.loadingFinished", self._loaded)
        session.on("Network.requestServedFromCache", lambda event: self.reused.append(event["requestId"]))
        session.send("Network.enable")
        self.load(url)

    def load(self, url):
        self.page.goto(url)
        self.page.locator(".link.live").first.wait_for()
        self.page.wait_for_timeout(200)

    def _asked(self, event):
        url = event["request"]["url"]
        if not url.startswith("data:"):
            self.hosts.add(url.split("/")[2])
            self.places.append("/" + url.split("/", 3)[3])

    def _loaded(self, event):
        self.bytes[event["requestId"]] = event["encodedDataLength"]


@pytest.fixture(params=["en-GB", "fr-FR"])
def traffic(browser, table, request):
    traffic = Traffic(browser, table.url, request.param)
    yield traffic
    traffic.context.close()


def test_the_score_pad_loads_little_from_this_table_alone_and_nothing_twice(traffic, table):
    first = sum(traffic.bytes.values())
    assert 10_000 < first <= FIRST_LOAD, traffic.bytes
    assert len(traffic.places) + ICONS <= REQUESTS, traffic.places
    assert traffic.hosts == {table.url.removeprefix("http://")}
    traffic.bytes.clear()
    traffic.load(table.url + "/board")
    traffic.load(table.url)
    assert traffic.reused, "what has its version in its address is not asked for again"
    assert sum(traffic.bytes.values()) < first


def test_a_page_names_every_file_that_it_needs_at_first(traffic):
    """So that all are asked for at once, and none only when the one that imports it has come."""
    named = re.findall(r'(?:href|src)="(/(?:static|words)/[^"]*)"', traffic.page.content())
    assert {place for place in traffic.places if place.startswith(("/static/", "/words/"))} <= set(named)


def test_all_that_all_pages_load_together_is_small():
    sent = {name: len(file.packed or file.content) for name, file in Assets()._files.items()}
    assert {"lib/browser.js", "pad/phone.js", "pegboard.css", "icons/icon.svg"} <= sent.keys()
    assert sum(sent.values()) <= ALL_TOGETHER, sorted(sent.items(), key=lambda one: -one[1])
