"""The chains of LEDs that are modelled, by the names of their chips."""

from collections.abc import Callable

from hardware.simulator.leds.apa102 import SK9822_WAITS, ClockedChain
from hardware.simulator.leds.ws2812 import SK6812, SK6812_RGBW, WS2812B, Chain

CHAINS: dict[str, Callable[[], Chain]] = {
    "ws2812": lambda: Chain(WS2812B),
    "sk6812": lambda: Chain(SK6812),
    "sk6812w": lambda: Chain(SK6812_RGBW),
    "apa102": ClockedChain,
    "sk9822": lambda: ClockedChain(SK9822_WAITS),
}


def chain(chip: str) -> Chain:
    """A chain of LEDs with that chip; for a chip that is not known, one that understands a WS2812's pulses."""
    return CHAINS.get(chip, Chain)()
