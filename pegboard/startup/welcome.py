"""Welcome message after an installation: the table's address, and how to turn on the buses of panel and strip."""

import time
from collections.abc import Mapping
from pathlib import Path

import click

from pegboard.errors import PegboardError
from pegboard.install.host import on_a_pi
from web.access.invitation import in_terminal
from web.access.pairing_codes import Codes

BUSES: Mapping[str, tuple[str, str]] = {
    "I2C (the panel)": ("i2c-1", "do_i2c"),
    "SPI (the LED strip)": ("spidev0.0", "do_spi"),
}
"""Name and purpose of each bus -> its device file, and the raspi-config command that turns it on."""

WAIT_S = 10.0
"""Seconds to wait for the table to store its address."""


def welcome(state: Path) -> None:
    """Print the address of the table, its QR code, and whether I2C and SPI are on."""
    url = _address(state)
    if url is None:
        click.echo("The table starts with the machine. To start it now: sudo systemctl start pegboard")
    else:
        click.echo(f"Open {url} on a phone on the same network, or scan this. To pair the phone: sudo pegboard code")
        click.echo(in_terminal(url))
    for line in bus_lines(Path("/dev")) if on_a_pi() else ():
        click.echo(line)


def bus_lines(devices: Path) -> list[str]:
    """A sentence for each bus that says whether it is on, and a line with the commands that turn on the others."""
    off = {bus: verb for bus, (device, verb) in BUSES.items() if not (devices / device).exists()}
    lines = [f"{bus} is {'off' if bus in off else 'on'}." for bus in BUSES]
    if off:
        commands = "; ".join(f"sudo raspi-config nonint {verb} 0" for verb in off.values())
        lines.append(f"To turn on {' and '.join(bus.split()[0] for bus in off)}: {commands}; sudo reboot")
    return lines


def _address(state: Path) -> str | None:
    """The address of the running table; None if no table runs."""
    until = time.monotonic() + WAIT_S
    while True:
        try:
            table = Codes.of_table(state).table
        except PegboardError:
            table = None
        if table is not None and table.is_running:
            return table.url
        if time.monotonic() > until or not Path("/run/systemd/system").is_dir():
            return None
        time.sleep(0.2)
