"""A budget of memory for responses that their clients do not read: beyond it connections go, unpaired ones first."""

from collections import Counter
from dataclasses import dataclass, field

from web.http.connection_room import Place

MOST_BYTES = 16 * 2**20
"""Of large responses at once: two hundred phones that load a page each, or two dozen programs the whole OpenAPI."""


@dataclass(slots=True)
class UnsentBytes:
    """The bytes of the responses that are being sent; all of it is called in the event loop."""

    most: int = MOST_BYTES
    _held: dict[Place, int] = field(default_factory=dict)
    _of_address: Counter[str] = field(default_factory=Counter)

    def hold(self, place: Place, size: int) -> None:
        """A response of `size` bytes is to be sent; where that is too much, end connections of whoever holds most."""
        self._held[place] = size
        self._of_address[place.address] += size
        while len(self._held) > 1 and self._of_address.total() > self.most:
            first = max(self._held, key=self._rank)
            self.release(first)
            first.abort()

    def release(self, place: Place) -> None:
        """A response has been sent, or its client has left; said twice it counts once."""
        self._of_address[place.address] -= self._held.pop(place, 0)
        if self._of_address[place.address] <= 0:
            del self._of_address[place.address]

    def _rank(self, place: Place) -> tuple[bool, int, int]:
        return not place.device, self._of_address[place.address], self._held[place]
