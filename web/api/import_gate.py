"""The door for exports of other tables: only a director's is read at all, and one at a time."""

from werkzeug.http import parse_cookie

from web.access.sessions import Access, not_paired
from web.api.games import IMPORT_PATIENCE_S, MOST_IMPORTED
from web.http.asgi import App, Receive, Scope, Send, header
from web.http.problems import Problem
from web.http.request_body import Whole
from web.http.worker_pool import busy


class Bringing:
    """An ASGI application that lets large bodies through to `app`."""

    def __init__(self, app: App, access: Access) -> None:
        self._access, self._others = access, Whole(app)
        self._app = Whole(app, MOST_IMPORTED, IMPORT_PATIENCE_S, "too_large_to_import")
        self._is_bringing = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request.

        Raises:
            Problem: 403, no director asks; 503, another export is being brought; or as `Whole` has it.
        """
        if scope["method"] != "POST":
            await self._others(scope, receive, send)
            return
        self._must_direct(scope)
        if self._is_bringing:
            raise busy("busy_import")
        self._is_bringing = True
        try:
            await self._app(scope, receive, send)
        finally:
            self._is_bringing = False

    def _must_direct(self, scope: Scope) -> None:
        match self._access.pass_of(parse_cookie(header(scope, b"cookie"))).role:
            case "viewer":
                raise not_paired()
            case "scorer":
                raise Problem(403, "role", "import_director")
