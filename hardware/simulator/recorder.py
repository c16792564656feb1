"""Everything that passes over the wires, as JSON lines in a file; a killed process loses nothing that has happened."""

import time
from pathlib import Path

from pegboard.errors import DeviceError


class BusRecorder:
    """Writes a line for each bus transaction and key edge, straight to the system.

    Raises:
        DeviceError: the file cannot be written.
    """

    def __init__(self, path: Path) -> None:
        try:
            self._file = path.open("wb", buffering=0)
        except OSError as error:
            raise DeviceError(f"the record cannot be written to {path}: {error.strerror}") from error

    def i2c(self, address: int, data: bytes) -> None:
        """One I2C transaction: the control byte and what follows it."""
        self._line(f'"bus":"i2c","address":{address},"data":"{data.hex()}"')

    def spi(self, hz: int, data: bytes, *, dc: bool | None = None) -> None:
        """One SPI transfer, with the level of the line D/C where the device has one."""
        line = "" if dc is None else f'"dc":{int(dc)},'
        self._line(f'"bus":"spi","hz":{hz},{line}"data":"{data.hex()}"')

    def gpio(self, pin: int, level: int, at_s: float) -> None:
        """One edge of a key's line, at its own time of the steady clock."""
        self._line(f'"bus":"gpio","data":{{"pin":{pin},"level":{level}}}', round(at_s * 1e9))

    def close(self) -> None:
        """End the record."""
        self._file.close()

    def _line(self, rest: str, at_ns: int | None = None) -> None:
        self._file.write(f'{{"t_ns":{time.monotonic_ns() if at_ns is None else at_ns},{rest}}}\n'.encode())
