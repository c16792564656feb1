"""How a panel's controller is talked to: I2C with control bytes, or SPI with a line that tells data from commands."""

DATA, ONE = 0x40, 0x80
"""Bits of a control byte: data follows, not commands; only one byte follows, then another control byte."""


class BusReceiver:
    """Takes what comes over either wire apart; what it means is the chip's own.

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
        """Bytes clocked in while the line D/C is high (data) or low (commands)."""
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
