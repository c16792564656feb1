"""One table and its three pages go through an evening of being away: asleep, behind another app, over a restart."""

import re

from playwright.sync_api import expect

from tests.browser.laid_games import Table
from tests.support.program import Service
from tests.support.waiting import soon

PAGES = (("/", "phone"), ("/board", "tv"), ("/tablet", "flat"))
BROKEN = ("ERR_CONNECTION_REFUSED", "ERR_INCOMPLETE_CHUNKED_ENCODING", "ERR_CONNECTION_RESET", "ERR_EMPTY_RESPONSE")

HIDE = """hidden => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden });
    document.dispatchEvent(new Event('visibilitychange'));
}"""


TURN = "kind => dispatchEvent(new PageTransitionEvent(kind, { persisted: true }))"

SLEEP = """() => {
    const now = Date.now, Own = EventSource;
    Date.now = () => now() + 60_000;
    window.opened = 0;
    EventSource = class extends Own { constructor(...all) { super(...all); window.opened += 1; } };
}"""


class Evening:
    """A table whose program can be killed, and the pages that look at it."""

    def __init__(self, folder, look):
        self.folder, self.program = folder, Service(folder)
        self.table = Table(self.program).lay()
        self.pages = [look(self.table.url + path, size) for path, size in PAGES]
        self.points = 0
        for page in self.pages:
            page.evaluate("() => { window.neverReloaded = true; }")

    def score(self):
        self.table.score(0, 1, "play")
        self.points += 1

    def soon_right(self, *pages):
        """Each page shows the newest score by itself, and is the one that was opened."""
        for page in pages or self.pages:
            newest = re.compile(f"^{self.points}$")
            expect(page.locator(".hero").filter(has_text=newest, visible=True).first).to_be_visible()
        for page in pages or self.pages:
            expect(page.locator(".link.live").first).to_be_visible()
            assert page.evaluate("() => window.neverReloaded")

    def viewers(self):
        return self.table.client.ask("GET", "/api/v1/health")[1]["service"]["viewers"]

    def restart(self):
        """The plug is pulled, and put back."""
        self.program.kill()
        port = self.program.port
        self.program.process.stdout.close()
        self.program = Service(self.folder, "--port", f"{port}")
        self.table = Table(self.program)


def frozen(evening):
    sessions = [page.context.new_cdp_session(page) for page in evening.pages]
    for session in sessions:
        session.send("Page.setWebLifecycleState", {"state": "frozen"})
    evening.score()
    for session in sessions:
        session.send("Page.setWebLifecycleState", {"state": "active"})


def behind_another_app(evening):
    for page in evening.pages:
        page.evaluate(HIDE, True)
    soon(lambda: evening.viewers() == 0)  # a page that nobody sees holds no line
    evening.score()
    for page in evening.pages:
        page.evaluate(HIDE, False)


def in_the_cache_of_pages(evening):
    """As Safari keeps it: all as it was, but for the line, which was closed when it went."""
    for page in evening.pages:
        page.evaluate(TURN, "pagehide")
    evening.score()
    for page in evening.pages:
        page.evaluate(TURN, "pageshow")


def asleep_with_a_line_that_died(evening):
    """Nothing tells the pages: the clock has only gone on, and the stream they have is silent."""
    for page in evening.pages:
        page.evaluate(SLEEP)
    for page in evening.pages:
        page.wait_for_function("() => window.opened > 0")
    evening.score()


def without_a_table_for_a_while(evening):
    evening.restart()
    evening.score()


def gone_to_another_page(evening):
    """And back; whether that loads it anew is the browser's choice."""
    for page in evening.pages:
        page.goto(f"{evening.table.url}/health")
    evening.score()
    for page in evening.pages:
        page.go_back()
        page.evaluate("() => { window.neverReloaded = true; }")


AWAY = (
    frozen,
    behind_another_app,
    in_the_cache_of_pages,
    asleep_with_a_line_that_died,
    without_a_table_for_a_while,
    gone_to_another_page,
)
"""What happens to the pages, or to their table, while a point is scored."""
