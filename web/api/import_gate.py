"""The gate before imports: large bodies are read for directors only, one at a time."""

from werkzeug.http import parse_cookie

from web.access.sessions import Access, require_director
from web.http.asgi_helpers import App, Receive, Scope, Send, header
from web.http.request_body import BufferedBody
from web.http.worker_pool import busy

IMPORT = "/api/v1/import"
"""The one path with large request bodies."""

MAX_IMPORT_BYTES = 2 * 1024 * 1024
"""Two hundred games, which are checked before the scoreboard waits for them."""

IMPORT_TIMEOUT_S = 30.0
"""Seconds in which an import must have arrived."""


class ImportGate:
    """An ASGI application that reads large bodies for `app`."""

    def __init__(self, app: App, access: Access) -> None:
        self._access, self._small_bodies = access, BufferedBody(app)
        self._large_bodies = BufferedBody(app, MAX_IMPORT_BYTES, IMPORT_TIMEOUT_S, "too_large_to_import")
        self._is_importing = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request.

        Raises:
            Problem: 403, the client is no director; 503, another import is running; or as `BufferedBody` says.
        """
        if scope["method"] != "POST":
            await self._small_bodies(scope, receive, send)
            return
        role = self._access.session_of(parse_cookie(header(scope, b"cookie"))).role
        require_director(role, "import_director")
        if self._is_importing:
            raise busy("busy_import")
        self._is_importing = True
        try:
            await self._large_bodies(scope, receive, send)
        finally:
            self._is_importing = False
