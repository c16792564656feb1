"""Records all bus traffic and key edges as JSON lines in a file; a process that is killed loses none of them."""

import time
from pathlib import Path

from pegboard.errors import DeviceError


class BusRecorder:
    """Writes a row for each bus transaction and key edge, unbuffered.

    Raises:
        DeviceError: the file cannot be written.
    """

    def __init__(self, path: Path) -> None:
        try:
            self._file = path.open("wb", buffering=0)
        except OSError as error:
            raise DeviceError("record_failed", path=path, error=error.strerror) from error

    def i2c(self, address: int, data: bytes) -> None:
        """Record an I2C transaction: the control byte and what follows it."""
        self._write_row(f'"bus":"i2c","address":{address},"data":"{data.hex()}"')

    def spi(self, hz: int, data: bytes, *, dc: bool | None = None) -> None:
        """Record an SPI transfer, with the level of the pin D/C where the device has one."""
        line = "" if dc is None else f'"dc":{int(dc)},'
        self._write_row(f'"bus":"spi","hz":{hz},{line}"data":"{data.hex()}"')

    def gpio(self, pin: int, level: int, at_s: float) -> None:
        """Record an edge of a key's pin, at its own time of the steady clock."""
        self._write_row(f'"bus":"gpio","data":{{"pin":{pin},"level":{level}}}', round(at_s * 1e9))

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _write_row(self, rest: str, at_ns: int | None = None) -> None:
        self._file.write(f'{{"t_ns":{time.monotonic_ns() if at_ns is None else at_ns},{rest}}}\n'.encode())
