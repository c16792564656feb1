"""What came to the emulated Pi's buses, stage by stage: the bytes from QEMU's trace, their transfers from the kernel's.

QEMU's SPI controller tells no transfer from the next, nor its clock; the kernel's own trace of its driver does, and of
the levels of its lines.
"""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

MARKS = 0x50
"""The I2C address whose writes begin a stage."""

FIRST_LINE = 512
"""The kernel's number of the header chip's first line."""

SELECT, DC = 8, 16
"""The lines that select the slave, low, and that tell a panel's data from its commands."""

UNASKED_HZ = 125_000_000
"""The clock of the device tree's spidev, which is named where a program sets something else than the clock."""


@dataclass(frozen=True)
class Transfer:
    """An SPI transfer.

    Attributes:
        selected: whether the line that selects the slave was low.
        hz: the clock that was asked for.
        dc: the level of D/C, None where it was not set in this stage.
        data: the bytes.
    """

    selected: bool
    hz: int
    dc: int | None
    data: bytes


@dataclass
class Stage:
    """What came in one stage: I2C writes as address and bytes, SPI bytes in one row, and the kernel's transfers."""

    i2c: list[tuple[int, bytes]] = field(default_factory=list)
    spi: bytearray = field(default_factory=bytearray)
    cuts: list[tuple[bool, int, int | None, int]] = field(default_factory=list)

    @property
    def transfers(self) -> list[Transfer]:
        """The SPI bytes as the kernel cut them; all of them must have come."""
        assert sum(length for *_, length in self.cuts) == len(self.spi)
        rest = iter(self.spi)
        return [Transfer(*about, bytes(islice(rest, length))) for *about, length in self.cuts]


@dataclass(frozen=True)
class Boot:
    """One boot: what guest.py told, and its stages by name."""

    told: dict[str, Any]
    stages: dict[str, Stage]


def read_boot(folder: Path) -> Boot:
    """Read the two files of a boot."""
    console = (folder / "console").read_text("utf-8", "replace").splitlines()
    stages: dict[str, Stage] = {}
    _read_bytes((folder / "trace").read_text().splitlines(), stages)
    _read_cuts(_after(console, "kernel: "), stages)
    told = [json.loads(line) for line in _after(console, "guest: ")]
    return Boot({name: what for each in told for name, what in each.items()}, stages)


def _after(lines: Iterable[str], start: str) -> Iterator[str]:
    return (line.removeprefix(start) for line in lines if line.startswith(start))


def _read_bytes(lines: Iterable[str], stages: dict[str, Stage]) -> None:
    stage, address, data = Stage(), 0, bytearray()
    for line in lines:
        if sent := re.fullmatch(r"i2c_send send\(addr:0x\w+\) data:0x(\w+)", line):
            data.append(int(sent[1], 16))
        elif clocked := re.fullmatch(r"m25p80_transfer .* tx 0x(\w+)", line):
            stage.spi.append(int(clocked[1], 16))
        elif begun := re.fullmatch(r"i2c_event start\(addr:0x(\w+)\)", line):
            address, data = int(begun[1], 16), bytearray()
        elif line.startswith("i2c_event finish") and address == MARKS:
            stage = stages.setdefault(data.decode(), Stage())
        elif line.startswith("i2c_event finish"):
            stage.i2c.append((address, bytes(data)))


def _read_cuts(lines: Iterable[str], stages: dict[str, Stage]) -> None:
    stage, hz, levels = Stage(), 0, dict[int, int]()
    for line in lines:
        if mark := re.fullmatch(r"tracing_mark_write stage (.*)", line):
            stage, levels = stages[mark[1]], {}
        elif setup := re.match(r"spi_setup spi0\.0 .* (\d+) Hz max", line):
            hz = hz if int(setup[1]) == UNASKED_HZ else int(setup[1])
        elif level := re.fullmatch(r"gpio_value (\d+) set (\d)", line):
            levels[int(level[1]) - FIRST_LINE] = int(level[2])
        elif transfer := re.match(r"spi_transfer_start spi0\.0 .* len=(\d+)", line):
            stage.cuts.append((levels.get(SELECT) == 0, hz, levels.get(DC), int(transfer[1])))
