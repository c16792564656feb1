"""The command `selftest`: hardware and journal checks, device trials, and their report as text or JSON."""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

import click

from hardware.interfaces import Buses
from hardware.selftest.finding import Finding, check_clock, check_disk, check_machine
from hardware.selftest.trials import echo_keys, light_leds, show_test_picture
from pegboard.cli.parameters import act_as_owner
from pegboard.config import Settings
from pegboard.errors import NotNow, PegboardError
from pegboard.startup.devices import darken_displays, findings, open_buses_for_a_while
from pegboard.storage.memory_disk import find_memory
from pegboard.storage.reader import check, journal_exists
from pegboard.storage.schema import is_locked
from pegboard.streams import echo_line, echo_lines

SERVICE = "pegboard.service"

STOP_SERVICE = "sudo systemctl stop pegboard.socket pegboard.service"

STOP_PROGRAM = "press Ctrl-C in its terminal"

ASK_S = 5.0
"""Timeout in seconds for systemd's answer."""

Trial: TypeAlias = Callable[[Settings, Buses, Callable[[str], None]], None]
"""Function that tries a device, and prints what it does."""

TRIALS: Mapping[str, tuple[str, Trial]] = {
    "keys": ("Press each key in turn; press Ctrl-C to stop.", echo_keys),
    "leds": ("Each LED lights in turn, and its hole is printed. Press Ctrl-C to stop.", light_leds),
    "panel": ("The panel shows a test picture. Press Ctrl-C to stop.", show_test_picture),
}
"""Device trials by the name of their option: the text printed first, and the trial."""


def look(settings: Settings, state: Path, *, mock: bool) -> list[Finding]:
    """Check devices, journal, disk and clock; with real hardware also the supply voltage."""
    machine = [check_disk(state), check_clock()] if mock else check_machine(state)
    if (memory := find_memory(state)) is not None:
        machine.append(Finding("disk", False, memory))
    return [*findings(settings, mock=mock), _journal_found(state), *machine]


def tell(found: Sequence[Finding], *, as_json: bool) -> bool:
    """Print the findings as JSON, or one line for each and one for its remedy; return whether all are ok."""
    if as_json:
        echo_lines(json.dumps([one._asdict() for one in found], ensure_ascii=False, indent=1))
    for name, good, sentence, remedy in () if as_json else found:
        echo_line(f"{'ok  ' if good else 'FAIL'}  {name}: {sentence}")
        if remedy and remedy not in sentence:
            echo_line(f"      {'tip' if good else 'fix'}: {remedy}")
    return all(one.ok for one in found)


def try_device(name: str, settings: Settings, *, mock: bool) -> None:
    """Try the keys, the LEDs or the panel, until Ctrl-C or the end of the strip.

    Raises:
        PegboardError: the device cannot be opened.
    """
    intro, attempt = TRIALS[name]
    with open_buses_for_a_while(settings, mock=mock) as buses:
        try:
            click.echo(intro)
            attempt(settings, buses, click.echo)
        except KeyboardInterrupt:
            click.echo("")


def require_free(state: Path, is_active: Callable[[], bool] | None = None) -> None:
    """Refuse to touch devices that a running table uses.

    Raises:
        NotNow: a table is running; the message says how to stop it.
    """
    if (is_active or _is_service_active)():
        raise NotNow("selftest_running", remedy=STOP_SERVICE)
    if is_locked(state):
        raise NotNow("selftest_running", remedy=STOP_PROGRAM)


def _is_service_active() -> bool:
    systemctl = shutil.which("systemctl")
    if systemctl is None:
        return False
    try:
        asked = subprocess.run([systemctl, "is-active", "--quiet", SERVICE], check=False, timeout=ASK_S)  # noqa: S603
    except (OSError, subprocess.TimeoutExpired):
        return False
    return asked.returncode == 0


def _journal_found(state: Path) -> Finding:
    act_as_owner(state)
    try:
        if not journal_exists(state):
            return Finding("journal", True, f"none in {state} yet; the table creates it when it first starts")
        return Finding("journal", True, f"{state} is intact, {check(state)} events")
    except PegboardError as error:
        return Finding("journal", False, str(error), str(error).rpartition("; ")[2] if "; " in str(error) else "")


def run_selftest(
    settings: Settings, state: Path, *, mock: bool, as_json: bool, darken: bool, trial: str | None
) -> None:
    """Run the checks, the trial or the darkening that the options request; exit with status 1 if anything is missing.

    Raises:
        PegboardError: the devices are in use, or the device to try cannot be opened.
    """
    if not mock and not darken:
        require_free(state)
    if mock and not as_json:
        click.echo("The hardware is simulated; nothing is wired.")
    if trial is not None:
        try_device(trial, settings, mock=mock)
        return
    found = darken_displays(settings, mock=mock) if darken else look(settings, state, mock=mock)
    sys.exit(0 if tell(found, as_json=as_json) else 1)
