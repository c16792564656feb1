"""What the security log is told of sessions: forged cookies, and devices that `pegboard unpair` has unpaired."""

import threading
from collections.abc import Callable, Iterable

from flask import g, has_request_context, request

from web.access.paired_devices import PairedDevice
from web.http.client_address import address_of_request
from web.http.security_log import SecurityLog, quote_request


def log_forged_cookie(security_log: SecurityLog) -> None:
    """Log it once a request; one that comes with an event stream makes a viewer, and is not logged."""
    if has_request_context() and not g.get("has_forged_cookie"):
        g.has_forged_cookie = True
        about = f"a cookie not signed by this table, with {quote_request(request.method, request.path)}"
        security_log.note_suspect("bad_cookie", address_of_request(request), about)


class UnpairedElsewhere:
    """Finds the devices that another program has unpaired, whose own log nobody keeps.

    Attributes:
        lock: held while this program unpairs devices itself; nothing is looked for meanwhile.
    """

    def __init__(self, security_log: SecurityLog) -> None:
        self._log = security_log
        self._known: dict[str, float] = {}
        self.lock = threading.Lock()

    def forget(self, id: str | None = None) -> None:  # noqa: A002 - the API's own word
        """One device, or each for None, was unpaired by this program, which logs it itself; `lock` is held."""
        if id is None:
            self._known.clear()
        else:
            self._known.pop(id, None)

    def look(self, list_devices: Callable[[], Iterable[PairedDevice]], ended: float) -> None:
        """Log those that are gone since the last look, though they were paired later than `ended`; never waits."""
        if self.lock.acquire(blocking=False):
            try:
                self._look({device.id: device.since for device in list_devices()}, ended)
            finally:
                self.lock.release()

    def _look(self, now: dict[str, float], ended: float) -> None:
        before, self._known = self._known, now
        for id, since in before.items():  # noqa: A001 - the API's own word
            if id not in now and since > ended:
                self._log.note_pairing("here", f"unpaired device {id}, by pegboard unpair")
