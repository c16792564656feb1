"""SPI transfer size limit: spidev's buffer size (spidev.bufsiz), and the file in which to change it."""

from pathlib import Path

SPI_TRANSFER = 4096
"""Bytes that spidev sends without a gap, by default (spidev.bufsiz)."""

CMDLINE = "/boot/firmware/cmdline.txt"
"""The file with the kernel command line of a Pi, which can set another spidev.bufsiz."""

BUFSIZ = Path("/sys/module/spidev/parameters/bufsiz")
"""The file in which the kernel shows its spidev.bufsiz."""


def read_bufsiz() -> int:
    """Bytes that spidev sends without a gap on this machine."""
    try:
        return int(BUFSIZ.read_text("ascii"))
    except (OSError, ValueError):
        return SPI_TRANSFER


def bufsiz_for(size: int) -> int:
    """The spidev.bufsiz needed to send `size` bytes without a gap: the next power of two."""
    return 1 << (size - 1).bit_length()
