"""Who is connected: so many connections for each address, that nobody takes the table's last one."""

from collections import Counter

from pegboard.config import WebSettings
from web.whence import Proxies, is_loopback


class Crowd:
    """Counts connections by address; all in the event loop."""

    def __init__(self, settings: WebSettings, proxies: Proxies) -> None:
        self._most, self._proxies = settings.connections_per_address, proxies
        self._holds_loopback = settings.throttle_loopback
        self._here: Counter[str] = Counter()

    def has_room(self, address: str) -> bool:
        """Whether one more from there may come."""
        return self._here[address] < self._most or self._is_exempt(address)

    def enter(self, address: str) -> None:
        """One more is connected."""
        self._here[address] += 1

    def leave(self, address: str) -> None:
        """One has gone; an address without any is forgotten."""
        self._here[address] -= 1
        if self._here[address] <= 0:
            del self._here[address]

    def _is_exempt(self, address: str) -> bool:
        """A proxy's connections are many people's."""
        return self._proxies.trust(address) or (is_loopback(address) and not self._holds_loopback)
