"""Passes requests on to the applications that answer them: by their path, and by who sends them."""

from collections.abc import Mapping

from web.access.sessions import Access
from web.http.asgi_helpers import App, Receive, Scope, Send


class PathRouter:
    """An ASGI application that passes a request on by its path, else to `fallback`."""

    def __init__(self, routes: Mapping[str, App], fallback: App) -> None:
        self._routes, self._fallback = routes, fallback

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        await self._routes.get(scope["path"], self._fallback)(scope, receive, send)


class ScorersApart:
    """An ASGI application that passes requests of who may score on to `scores`, those of others to `others`.

    The others are refused there as they would be here, but hold up nobody who scores.
    """

    def __init__(self, scores: App, others: App, access: Access) -> None:
        self._scores, self._others, self._access = scores, others, access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        role = self._access.session_of_scope(scope).role
        app = self._others if role == "viewer" or scope["method"] != "POST" else self._scores
        await app(scope, receive, send)
