"""A real table, real pages in Debian's chromium, and a console that must stay clean."""

import contextlib
import json

import pytest

from tests.browser.laid_games import Table
from tests.support.program import UNHURRIED, Service

IN_TIME = 60_000
"""Milliseconds in which a page does what it is asked for, however busy the machine is."""

SIZES = {
    "phone": (390, 844),
    "short": (360, 640),
    "narrow": (320, 568),
    "lying": (844, 390),
    "tablet": (820, 1180),
    "flat": (1180, 820),
    "desk": (1280, 800),
    "tv": (1920, 1080),
}
TOUCHED = ("phone", "short", "narrow", "lying", "tablet", "flat")


LOOKS = {"wrong_looks", "assert_clean"}


def pytest_collection_modifyitems(items):
    """Mark what `make test-looks` runs once more: tests that look at a page at several sizes, or with axe."""
    for item in items:
        if LOOKS & set(item.function.__code__.co_names):
            item.add_marker("sizes")


@pytest.fixture(scope="session")
def program(tmp_path_factory):
    """One program for all tests that do not end it."""
    with Service(tmp_path_factory.mktemp("browser") / "state") as program:
        yield program


@pytest.fixture(scope="session")
def closed(tmp_path_factory):
    """One program at which devices must be paired: `closed.code()`, `paired(context, closed)`."""
    with Service(tmp_path_factory.mktemp("closed") / "state", closed=True) as program:
        yield program


def paired(context, program, role="scorer"):
    """Let a browser's context be a scorer, or a director, of a closed table; its pages are, from their next request."""
    name, value = program.cookie(role)
    context.add_cookies([{"name": name, "value": value, "url": program.url}])
    return context


@pytest.fixture
def table(program):
    """An empty table of Ann and Bob, by no rules of the house, whatever an earlier test has chosen."""
    return Table(program).lay(house=())


@pytest.fixture(scope="session")
def unhurried(tmp_path_factory):
    """One program for slow fingers and eyes."""
    folder = tmp_path_factory.mktemp("unhurried")
    settings = folder / "settings.toml"
    settings.write_text(UNHURRIED, "utf-8")
    with Service(folder / "state", "--config", str(settings)) as program:
        yield program


@pytest.fixture
def dialling(unhurried):
    """An empty table of Ann and Bob at which no silence pegs what is dialled."""
    return Table(unhurried).lay()


@pytest.fixture(scope="session")
def devices(browser):
    """Phones and screens, used again by later tests: a new one takes longer than most tests."""
    idle = {}

    def device(size, holder, theme, motion):
        kept = idle.setdefault((size, holder, theme, motion), [])
        return kept, kept.pop() if kept else bought(browser, size, holder, theme, motion)

    return device


def bought(browser, size, holder, theme, motion):
    width, height = SIZES[size]
    device = browser.new_context(
        viewport={"width": width, "height": height},
        has_touch=size in TOUCHED,
        color_scheme=theme,
        reduced_motion=motion,
    )
    device.set_default_timeout(IN_TIME)
    if holder is not None:
        seat, name = (None, None) if holder == "everyone" else holder
        known = json.dumps(json.dumps({"seat": seat, "name": name}))
        device.add_init_script(f"localStorage.setItem('pegboard.holder', {known})")
    return device


FORGET = "() => { localStorage.clear(); sessionStorage.clear(); Storage.prototype.setItem = () => {} }"
"""Run in a page that is left: it writes nothing down when it goes, either."""


def put_away(kept, device, size):
    """As good as new, with one page at the most: to use one again takes half as long as to open another."""
    for page in device.pages:
        page.unroute_all(behavior="ignoreErrors")  # first: of a request that is still under way
    for page in device.pages[1:]:
        page.close()
    for page in device.pages:
        page.evaluate(FORGET)
        page.goto("about:blank")
        page.emulate_media(media="null", forced_colors="null")
        width, height = SIZES[size]
        page.set_viewport_size({"width": width, "height": height})
    kept.append(device)


@pytest.fixture
def look(devices):
    """Open a page: `look(url, size=..., holder=...)`; at the end no console may have complained but of what is excused.

    `holder` is who holds the phone: a seat and its name, "everyone", or None where that has not been asked yet.
    Pegs do not fly, which is quicker, unless `motion` is "no-preference". `look.listen(page, event, hear)` ends with
    the test, where `page.on` would go on in the tests that use the page again.
    """
    complaints, excused = [], []
    with contextlib.ExitStack() as in_use:

        def listen(page, event, hear):
            page.on(event, hear)
            in_use.callback(page.remove_listener, event, hear)

        def look(url, size="phone", *, holder="everyone", theme="light", motion="reduce", context=None):
            if context is None:
                kept, context = devices(size, holder, theme, motion)
                in_use.callback(put_away, kept, context, size)
                page = context.pages[0] if context.pages else context.new_page()
            else:
                page = context.new_page()
            listen(page, "console", lambda said: said.type in ("error", "warning") and complaints.append(said.text))
            listen(page, "pageerror", lambda error: complaints.append(str(error)))
            page.goto(url)
            page.locator(".link.live").wait_for()
            return page

        look.excuse, look.listen = excused.append, listen
        yield look
    assert [said for said in complaints if not any(part in said for part in excused)] == []
