"""The pages run in the oldest browsers that docs/play.md names: without what came into browsers later."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.looks import READABLE, READABLE_FAR
from tests.support.hub_site import opened_hub

STATIC = Path(__file__).parents[2] / "web" / "static"

LATER = """
for (const [owner, ...names] of [
  [URLSearchParams.prototype, "size"],
  [Array.prototype, "toReversed", "toSorted", "toSpliced", "with"],
  [Object, "groupBy"], [Map, "groupBy"], [Array, "fromAsync"], [Promise, "withResolvers", "try"],
  [Set.prototype, "union", "intersection", "difference", "isSubsetOf"],
  [String.prototype, "isWellFormed", "toWellFormed"],
  [URL, "canParse", "parse"], [AbortSignal, "any", "timeout"], [Intl, "Segmenter", "DurationFormat"],
  [Element.prototype, "checkVisibility"], [HTMLElement.prototype, "showPopover", "togglePopover"],
  [Navigator.prototype, "vibrate", "wakeLock", "userAgentData"], [Document.prototype, "startViewTransition"],
  [Crypto.prototype, "randomUUID"], [window, "Iterator", "requestIdleCallback", "scheduler", "navigation"],
]) for (const name of names) delete owner[name];
"""
"""Members of Safari 16, Chrome 109, Firefox 122 and later, or of some browsers only."""

LATER_ON = "document.getAnimations().forEach((each) => each.finish())"
"""The 5 s are over after which a page says why it does not run."""

PAGES = ("", "tablet", "board", "play", "history/now", "stats", "rules", "settings", "health", "bench")


def open_unread(page, url):
    """Open a page in a browser that cannot read its scripts."""
    page.route("**/lib/browser.js*", lambda route: route.fulfill(body="?.", content_type="text/javascript"))
    page.goto(url)
    return page


def assert_says_why(page, readable=READABLE):
    """After 5 s the page says which browsers it needs, in letters of at least that many px, and over nothing else."""
    page.evaluate(LATER_ON)
    said = page.get_by_text("Safari 15.5, Chrome 108, Firefox 121")
    expect(said).to_be_visible()
    letters, below = said.evaluate("(said) => [getComputedStyle(said).fontSize, said.getBoundingClientRect().bottom]")
    assert float(letters.removesuffix("px")) >= readable
    assert page.locator("main").bounding_box()["y"] >= below
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def assert_silent_once_scripts_run(page):
    """A page whose scripts run does not say so, after 5 s either."""
    page.unroute_all(behavior="ignoreErrors")
    page.reload()
    page.locator("html[data-runs]").wait_for(state="attached")
    page.evaluate(LATER_ON)
    expect(page.get_by_text("Safari 15.5")).to_be_hidden()


@pytest.mark.long
def test_every_page_runs_without_what_came_later(table, look, devices):
    _, context = devices("phone", "everyone", "light", "reduce")
    context.add_init_script(LATER)
    table.lay((1, 2, "play"), (0, 1, "go"))
    page = look(f"{table.url}/count", context=context)
    for rank in "A4566":
        page.locator(f'#ranks [data-rank="{rank}"]').tap()
    expect(page.locator("#peg-word")).to_have_text("Peg 12")
    page.locator("#peg").tap()
    expect(page.locator("#pegged p")).to_have_text("Bob +12, hand 2 \u2192 14")
    page.goto(f"{table.url}/history")
    page.locator(".link.live").wait_for()
    page.get_by_label("Games with").fill("Bob")
    page.get_by_label("Games with").press("Enter")
    page.wait_for_url("**/history?player=Bob")
    expect(page.locator(".game-row").first).to_contain_text("Bob leads 14 to 1")
    for path in PAGES:
        page.goto(f"{table.url}/{path}")
        page.locator(".link.live").wait_for()
    page.goto(f"{table.url}/history/now")
    expect(page.locator("#result")).to_have_text("Bob leads 14 to 1")
    expect(page.locator("#deal-list li")).to_have_count(1)
    context.close()


HOW_PRESSED = """[...new Set([...document.querySelectorAll('button, input, select')]
    .map((key) => getComputedStyle(key).pointerEvents))]"""


@pytest.mark.parametrize(
    ("path", "size"), [("", "phone"), ("tablet", "flat"), ("board", "tv"), ("settings", "phone"), ("count", "narrow")]
)
def test_keys_are_inactive_until_scripts_run_and_then_the_page_says_why(table, devices, path, size):
    _, context = devices(size, "everyone", "light", "reduce")
    page = open_unread(context.new_page(), f"{table.url}/{path}")
    assert page.evaluate(HOW_PRESSED) == ["none"]
    assert_says_why(page, READABLE_FAR if size == "tv" else READABLE)
    assert_silent_once_scripts_run(page)
    context.close()


def test_a_hubs_pages_say_why_too(tmp_path, devices):
    with opened_hub(tmp_path / "hub") as hub:
        night = f"{hub.url}night/{hub.open_night(games=3)}"
        for url, size, readable in ((night, "phone", READABLE), (f"{night}/screen", "tv", READABLE_FAR)):
            _, context = devices(size, "everyone", "light", "reduce")
            page = open_unread(context.new_page(), url)
            assert_says_why(page, readable)
            assert_silent_once_scripts_run(page)
            context.close()


def test_a_browser_without_scripts_is_not_called_too_old(table, browser):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(table.url)
    page.evaluate(LATER_ON)
    expect(page.locator("noscript p")).to_be_visible()
    expect(page.get_by_text("Safari 15.5")).to_be_hidden()
    context.close()


def test_what_a_style_says_for_readers_aloud_stands_behind_what_every_browser_takes():
    for sheet in STATIC.rglob("*.css"):
        for rule in re.findall(r"[^{}]*[{][^{}]*[}]", sheet.read_text("utf-8")):
            said = re.findall(r"content:\s*([^;}]*)", rule)
            assert not said or "/" not in said[0], f"{sheet.name}: {rule.strip()[:60]}"
