"""The bus protocol of panel controllers: I2C with control bytes, or SPI with the pin D/C."""

from collections.abc import Callable
from typing import Any, TypeAlias

Command: TypeAlias = tuple[int, Callable[[Any, bytes], None]]
"""How many bytes follow a command, and what it does with them."""

DATA, ONE = 0x40, 0x80
"""Bits of a control byte: data follows, not commands; only one byte follows, then another control byte."""


class BusReceiver:
    """Splits what comes over either bus into commands and data; what they mean is up to the chip.

    Attributes:
        address: its address on the I2C bus.
    """

    def __init__(self, address: int) -> None:
        self.address = address

    def receive(self, transaction: bytes) -> None:
        """The bytes of an I2C transaction after the address: control bytes, commands and data."""
        place = 0
        while place < len(transaction):
            control = transaction[place]
            last = place + 2 if control & ONE else len(transaction)
            self.receive_spi(transaction[place + 1 : last], dc=bool(control & DATA))
            place = last

    def receive_spi(self, data: bytes, *, dc: bool) -> None:
        """Bytes clocked in while the pin D/C is high (data) or low (commands)."""
        if dc:
            self.write(data)
        else:
            for byte in data:
                self.receive_command(byte)

    def receive_command(self, byte: int) -> None:
        """One byte of a command."""
        raise NotImplementedError

    def write(self, data: bytes) -> None:
        """Bytes for the memory."""
        raise NotImplementedError


def next_place(at: int, window: tuple[int, int], size: int) -> tuple[int, bool]:
    """The place after `at` in a window, and whether it began anew."""
    first, last = window
    return (first, True) if at == last else ((at + 1) % size, False)
