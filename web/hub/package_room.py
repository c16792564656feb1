"""ASGI: so many packages at once and no more, as each may hold megabytes of memory for as long as it is sent."""

from collections.abc import Callable

from web.http.asgi_helpers import App, Receive, Scope, Send
from web.http.client_address import limited_client
from web.http.worker_pool import busy

MOST_AT_ONCE = 2
"""Packages of paired devices at once; of strangers as many, one of each address."""


class PackageRoom:
    """An ASGI application that passes so many requests on to `app` at once; no stranger takes a director's place."""

    def __init__(self, app: App, device_of: Callable[[Scope], str]) -> None:
        """`device_of` tells the id of the paired device that a request comes from, "" for none."""
        self._app, self._device_of = app, device_of
        self._devices: list[str] = []
        self._strangers: list[str] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request.

        Raises:
            Problem: 503, too many are being received or verified.
        """
        device = self._device_of(scope)
        inside, client = (self._devices, device) if device else (self._strangers, limited_client(scope))
        if len(inside) >= MOST_AT_ONCE or (not device and client in inside):
            raise busy("desk_packages_busy")
        inside.append(client)
        try:
            await self._app(scope, receive, send)
        finally:
            inside.remove(client)
