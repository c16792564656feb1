"""The SPI encoding of chips with one data line, such as the WS2812: each of their bits is a pulse of SPI bits."""

from dataclasses import dataclass
from functools import lru_cache

LATCH_NS = 300_000
"""Low for so long at the end, and the LEDs show what they have; the newest WS2812B ask for 280 us, an SK6812 for 80."""


@dataclass(frozen=True, slots=True)
class PulseEncoding:
    """Encodes each bit of a chip as a pulse.

    Attributes:
        zero: SPI bits of a 0, such as "100".
        one: SPI bits of a 1, as many.
        hz: clock of the SPI bus.
    """

    zero: str
    one: str
    hz: int

    def encode(self, values: bytes) -> bytes:
        """One SPI transfer that shows `values`; a zero byte leads, because the line may rest high."""
        each = len(self.zero)
        transfer_bytes = bytearray(each * len(values))
        for place, spelt in enumerate(_spell_bits(self.zero, self.one)):
            transfer_bytes[place::each] = values.translate(spelt)
        return b"\0" + transfer_bytes + bytes(self._latch)

    def size(self, values: int) -> int:
        """Bytes of the transfer that shows so many values."""
        return 1 + len(self.zero) * values + self._latch

    def fits(self, transfer: int) -> int:
        """How many values one transfer of so many bytes shows."""
        return (transfer - 1 - self._latch) // len(self.zero)

    @property
    def _latch(self) -> int:
        return -(-LATCH_NS * self.hz // 8_000_000_000)


@lru_cache(maxsize=4)
def _spell_bits(zero: str, one: str) -> tuple[bytes, ...]:
    """For the first, second ... byte of a value's waveform: a table from the value to that byte."""
    whole = [int(f"{value:08b}".replace("1", "x").replace("0", zero).replace("x", one), 2) for value in range(256)]
    return tuple(bytes(bits >> 8 * place & 0xFF for bits in whole) for place in reversed(range(len(zero))))
