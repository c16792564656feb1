"""How a page is looked at: with a ruler and a magnifying glass at every size, and with axe."""

import io
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from PIL import Image

from tests.browser.conftest import SIZES
from tests.support.long_runs import sees_all_looks

RULER = Path(__file__).with_name("looks.js").read_text("utf-8")
READABLE = 14  # px on a phone; from across the room:
READABLE_FAR = 24
REACHABLE = 56  # px

EVERYWHERE = ("short", "phone", "tablet", "flat", "tv")
"""360x640, 390x844, 820x1180, 1180x820 and 1920x1080: every page works at these."""

LOW = ((568, 320), (640, 360), (667, 375), (844, 390), (900, 600))
"""Phones that lie, and a low window."""

ZOOMED = ((640, 512), (320, 256))
"""1280 x 1024 at 200 and at 400 percent."""

ENLARGED = ((195, 422), (284, 160))
"""A phone of 390 x 844, and one of 568 x 320 that lies, at 200 percent."""

PHONES, LARGE = ("phone", "short", "narrow"), ("tv", "desk", "flat", "tablet")

WCAG = {
    "runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]},
    "resultTypes": ["violations"],  # what is in order is not described, which takes as long as to find what is not
    "preload": False,  # only a rule that is not of these asks for the styles once more
}


def tried_now(sizes):
    """All of these sizes in `make test-looks`, else one phone and one large screen of them, or the first."""
    first = [next((size for size in kind if size in sizes), None) for kind in (PHONES, LARGE)]
    return sizes if sees_all_looks() else [size for size in first if size] or list(sizes)[:1]


def wrong_looks(page, sizes=EVERYWHERE, *, readable=READABLE, reachable=REACHABLE):
    """What is cut, small, overlapping or beyond the edge at each of these sizes: `{}` if nothing.

    A size is a name of `SIZES` or a width and a height, see `tried_now`; `readable` and `reachable` are the least px of
    texts and keys.
    """
    wrong = {}
    for size in tried_now(sizes):
        width, height = SIZES[size] if isinstance(size, str) else size
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        if found := page.evaluate(RULER, {"smallestText": readable, "smallestTarget": reachable}):
            wrong[size] = found
    return wrong


def others_in_looks(first, *others):
    """Parameters of a test: the first of these in each run, the others in `make test-looks` alone."""
    return [first, *(pytest.param(other, marks=pytest.mark.looks) for other in others)]


def visit(page, url):
    """Go on to another page of the table in the same window, and wait until it is told what is new."""
    page.goto(url)
    page.locator(".link.live").first.wait_for()


NAMES = """() => [...document.querySelectorAll('.name')]
    .filter(name => name.offsetWidth > 1 && name.checkVisibility({visibilityProperty: true})).map(name => {
        const words = document.createRange();
        words.selectNodeContents(name);
        const [all, own] = [words, name].map(one => one.getBoundingClientRect());
        const [left, top] = [Math.max(all.left, own.left), Math.max(all.top, own.top)];
        const [right, bottom] = [Math.min(all.right, own.right), Math.min(all.bottom, own.bottom)];
        return [name.textContent, [left + scrollX, top + scrollY, right + scrollX, bottom + scrollY]];
    })"""
"""The players' names that a page shows, and the box of each in a picture of the whole page."""


def unseen_names(page, least=1):
    """Players' names of which the screen shows no letters, whatever lies over them; there are at least so many."""
    names = page.evaluate(NAMES)
    picture = Image.open(io.BytesIO(page.screenshot(full_page=True))).convert("L")
    unseen = [name for name, box in names if not is_written_on(picture.crop(box))]
    return unseen if len(names) >= least else [f"{len(names)} names only"]


def is_written_on(picture, share=0.05):
    """Whether letters stand on their ground: at least that share of the pixels is far from the most frequent grey."""
    greys = picture.histogram()
    ground = greys.index(max(greys))
    return sum(count for grey, count in enumerate(greys) if abs(grey - ground) > 96) >= share * sum(greys)


def assert_clean(page, *, in_each_run=False):
    """By WCAG 2.2 AA axe finds nothing wrong with the page as it stands; it looks in `make test-looks`, or each run."""
    if not (in_each_run or sees_all_looks()):
        return
    found = Axe().run(page, options=WCAG)
    assert not found.violations_count, found.generate_report()
