"""The door for exports of other tables: only a director's is read at all, and one at a time."""

from werkzeug.http import parse_cookie

from web.access.sessions import Access, not_paired
from web.api.games import IMPORT_PATIENCE_S, MOST_IMPORTED
from web.http.asgi import App, Receive, Scope, Send, header
from web.http.problems import Problem
from web.http.request_body import BufferedBody
from web.http.worker_pool import busy


class ImportGate:
    """An ASGI application that lets large bodies through to `app`."""

    def __init__(self, app: App, access: Access) -> None:
        self._access, self._others = access, BufferedBody(app)
        self._app = BufferedBody(app, MOST_IMPORTED, IMPORT_PATIENCE_S, "too_large_to_import")
        self._is_importing = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request.

        Raises:
            Problem: 403, no director asks; 503, another export is being brought; or as `BufferedBody` has it.
        """
        if scope["method"] != "POST":
            await self._others(scope, receive, send)
            return
        self._require_director(scope)
        if self._is_importing:
            raise busy("busy_import")
        self._is_importing = True
        try:
            await self._app(scope, receive, send)
        finally:
            self._is_importing = False

    def _require_director(self, scope: Scope) -> None:
        match self._access.session_of(parse_cookie(header(scope, b"cookie"))).role:
            case "viewer":
                raise not_paired()
            case "scorer":
                raise Problem(403, "role", "import_director")
