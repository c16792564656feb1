"""How a page is looked at: with a ruler and a magnifying glass at every size, and with axe."""

from pathlib import Path

from axe_playwright_python.sync_playwright import Axe

from tests.browser.conftest import SIZES

RULER = Path(__file__).with_name("looks.js").read_text("utf-8")
READABLE = 14  # px on a phone; from across the room:
READABLE_FAR = 24
REACHABLE = 56  # px

EVERYWHERE = ("short", "phone", "tablet", "flat", "tv")
"""360x640, 390x844, 820x1180, 1180x820 and 1920x1080: every page works at these."""

WCAG = {"runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}}


def wrong_looks(page, sizes=EVERYWHERE, *, readable=READABLE, reachable=REACHABLE):
    """What is cut, small, overlapping or beyond the edge at each of these sizes: `{}` if nothing.

    A size is a name of `SIZES` or a width and a height; `readable` and `reachable` are the least px of texts and keys.
    """
    wrong = {}
    for size in sizes:
        width, height = SIZES[size] if isinstance(size, str) else size
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        if found := page.evaluate(RULER, {"smallestText": readable, "smallestTarget": reachable}):
            wrong[size] = found
    return wrong


def assert_clean(page):
    """Axe finds nothing wrong with the page as it stands, by WCAG 2.2 AA."""
    found = Axe().run(page, options=WCAG)
    assert not found.violations_count, found.generate_report()
