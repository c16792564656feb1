"""What a browser that knows nothing yet asks for when it opens a page: requests, hosts and bytes, heads too."""

from tests.support.waiting import soon

FIRST_LOAD, REQUESTS = 64_000, 24
"""Bytes, and how many requests, that the first load of a page may take."""

ICONS = 2
"""Requests for an icon and the manifest, which a browser without a window does not make."""

IDLE = "() => new Promise((done) => requestIdleCallback(() => done(true)))"


class Traffic:
    """Every request of a page in a new context, with the bytes that came for it."""

    def __init__(self, browser, url, language="en-GB"):
        phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
        self.context = browser.new_context(**phone, locale=language)
        self.page = self.context.new_page()
        self.hosts, self.places, self.bytes, self.reused, self._loading = set(), [], {}, [], set()
        session = self.context.new_cdp_session(self.page)
        session.on("Network.requestWillBeSent", self._note_request)
        session.on("Network.loadingFinished", self._note_bytes)
        session.on("Network.loadingFailed", lambda event: self._loading.discard(event["requestId"]))
        session.on("Network.requestServedFromCache", lambda event: self.reused.append(event["requestId"]))
        session.send("Network.enable")
        self.load(url)

    @property
    def total(self):
        return sum(self.bytes.values())

    @property
    def requests(self):
        return len(self.places) + ICONS

    def load(self, url):
        self.page.goto(url)
        self.page.locator(".link.live").first.wait_for()
        self.wait()

    def wait(self):
        """Until the page has nothing to do and all that it has asked for has come, but for its event stream."""
        soon(lambda: self.page.evaluate(IDLE) and not self._loading)

    def _note_request(self, event):
        url = event["request"]["url"]
        if not url.startswith("data:"):
            self.hosts.add(url.split("/")[2])
            self.places.append("/" + url.split("/", 3)[3])
            if event["type"] != "EventSource":
                self._loading.add(event["requestId"])

    def _note_bytes(self, event):
        self.bytes[event["requestId"]] = event["encodedDataLength"]
        self._loading.discard(event["requestId"])
