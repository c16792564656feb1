"""What a phone loads when it first comes to the table: little, all of it from the table, and never again."""

import re

import pytest

from tests.browser.traffic import FIRST_LOAD, REQUESTS, Traffic
from web.http.static_files import FOLDER, Assets

ALL_TOGETHER = 160_000  # bytes of a table's pages; each has layouts down to 195 pixels
OF_A_HUB = 60_000  # bytes of a hub's, which no table serves to anybody

RULES = """(sheets) => sheets.map((text) => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  return [...sheet.cssRules].map((rule) => rule.cssText.replace(/(?<=[,:]) /gu, ""));
})"""
"""The rules of style sheets as the browser reads them; which keeps the blanks of some values."""


@pytest.fixture(params=["fr-FR", pytest.param("en-GB", marks=pytest.mark.long)])
def traffic(browser, table, request):
    traffic = Traffic(browser, table.url, request.param)
    yield traffic
    traffic.context.close()


def test_the_score_pad_loads_little_from_this_table_alone_and_nothing_twice(traffic, table):
    first = traffic.total
    assert 10_000 < first <= FIRST_LOAD, traffic.bytes
    assert traffic.requests <= REQUESTS, traffic.places
    assert traffic.hosts == {table.url.removeprefix("http://")}
    traffic.bytes.clear()
    traffic.load(table.url + "/board")
    traffic.load(table.url)
    assert traffic.reused, "what has its version in its address is not asked for again"
    assert traffic.total < first


def test_a_page_names_every_file_that_it_needs_at_first(traffic):
    """So that all are asked for at once, and none only when the one that imports it has come."""
    named = re.findall(r'(?:href|src)="(/(?:static|words)/[^"]*)"', traffic.page.content())
    assert {place for place in traffic.places if place.startswith(("/static/", "/words/"))} <= set(named)


def test_a_style_sheet_as_it_is_sent_says_what_is_written_in_it(browser):
    page = browser.new_page()
    for name, file in Assets()._files.items():
        if name.endswith(".css"):
            written, sent = page.evaluate(RULES, [(FOLDER / name).read_text("utf-8"), file.content.decode()])
            assert sent == written, name
    page.close()


def test_all_that_all_pages_load_together_is_small():
    sent = {name: len(file.compressed or file.content) for name, file in Assets()._files.items()}
    assert {"lib/browser.js", "pad/phone.js", "pegboard.css", "icons/icon.svg"} <= sent.keys()
    of_hub = {name: size for name, size in sent.items() if name.startswith("hub/")}
    assert sum(sent.values()) - sum(of_hub.values()) <= ALL_TOGETHER, sorted(sent.items(), key=lambda one: -one[1])
    assert sum(of_hub.values()) <= OF_A_HUB, sorted(of_hub.items(), key=lambda one: -one[1])
