"""ASGI: so many packages at once and no more, as each may hold megabytes of memory for as long as it is sent."""

from web.http.asgi_helpers import App, Receive, Scope, Send
from web.http.worker_pool import busy

MOST_AT_ONCE = 2


class PackageRoom:
    """An ASGI application that passes so many requests on to `app` at once."""

    def __init__(self, app: App) -> None:
        self._app, self._inside = app, 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request.

        Raises:
            Problem: 503, too many are being received or verified.
        """
        if self._inside >= MOST_AT_ONCE:
            raise busy("desk_packages_busy")
        self._inside += 1
        try:
            await self._app(scope, receive, send)
        finally:
            self._inside -= 1
