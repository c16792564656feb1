"""The gate before large request bodies: they are read for directors only, one at a time."""

from dataclasses import dataclass

from pegboard.install.package_file import MOST_BYTES
from web.access.sessions import Access, require_director
from web.http.asgi_helpers import App, Receive, Scope, Send
from web.http.request_body import BufferedBody
from web.http.worker_pool import busy


@dataclass(frozen=True, slots=True)
class LargeBody:
    """A kind of large body.

    Attributes:
        most: bytes that it may have.
        timeout_s: seconds in which it must have arrived.
        too_large: the key of the message for a larger one.
        director: the key of the message for whoever is no director.
        busy: the key of the message while another one is being read.
    """

    most: int
    timeout_s: float
    too_large: str
    director: str
    busy: str


LARGE_BODIES = {
    "/api/v1/import": LargeBody(2 * 2**20, 30.0, "too_large_to_import", "import_director", "busy_import"),
    "/api/v1/versions/package": LargeBody(
        MOST_BYTES, 120.0, "install_too_large", "install_director", "install_another_sent"
    ),
}
"""Paths with large request bodies. An import has at most some two hundred games, which are checked before the
scoreboard waits for them."""


class LargeBodyGate:
    """An ASGI application that reads large bodies of one kind for `app`."""

    def __init__(self, app: App, access: Access, kind: LargeBody) -> None:
        self._access, self._kind = access, kind
        self._small_bodies = BufferedBody(app)
        self._large_bodies = BufferedBody(app, kind.most, kind.timeout_s, kind.too_large)
        self._is_reading = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request.

        Raises:
            Problem: 403, the client is no director; 503, another body is being read; or as `BufferedBody` says.
        """
        if scope["method"] != "POST":
            await self._small_bodies(scope, receive, send)
            return
        role = self._access.session_of_scope(scope).role
        require_director(role, self._kind.director)
        if self._is_reading:
            raise busy(self._kind.busy)
        self._is_reading = True
        try:
            await self._large_bodies(scope, receive, send)
        finally:
            self._is_reading = False
