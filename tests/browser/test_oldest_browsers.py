"""The pages run in the oldest browsers that docs/play.md names: without what came into browsers later."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

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

PAGES = ("", "tablet", "board", "play", "history/now", "stats", "rules", "settings", "health", "bench")


@pytest.mark.long
def test_every_page_runs_without_what_came_later(table, look, devices):
    _, context = devices("phone", "everybody", "light", "reduce")
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


@pytest.mark.parametrize("path", ["", "board", "settings"])
def test_keys_are_inactive_until_scripts_run_and_then_the_page_says_why(table, devices, path):
    _, context = devices("phone", "everybody", "light", "reduce")
    page = context.new_page()
    page.route("**/lib/browser.js*", lambda route: route.fulfill(body="?.", content_type="text/javascript"))
    page.goto(f"{table.url}/{path}")
    assert page.evaluate(HOW_PRESSED) == ["none"]
    page.evaluate("document.getAnimations().forEach((each) => each.finish())")  # the 5 s are over
    expect(page.get_by_text("Safari 15.5, Chrome 108, Firefox 121")).to_be_visible()
    page.unroute_all()
    page.reload()
    page.locator("html[data-runs]").wait_for(state="attached")
    expect(page.get_by_text("Safari 15.5")).to_be_hidden()
    context.close()


def test_what_a_style_says_for_readers_aloud_stands_behind_what_every_browser_takes():
    for sheet in STATIC.rglob("*.css"):
        for rule in re.findall(r"[^{}]*[{][^{}]*[}]", sheet.read_text("utf-8")):
            said = re.findall(r"content:\s*([^;}]*)", rule)
            assert not said or "/" not in said[0], f"{sheet.name}: {rule.strip()[:60]}"
