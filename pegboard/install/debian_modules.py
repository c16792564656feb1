"""Compiled modules on a Raspberry Pi: the Debian packages that bring them, and how they are found and installed."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pegboard.install.installed_paths import installed_version
from pegboard.install.version_order import version_order


@dataclass(frozen=True, slots=True)
class Module:
    """A compiled module that pegboard needs on a Pi.

    Attributes:
        distribution: its name in the package index.
        least: its lowest version that will do.
        package: in which Debian has it.
        without: what does not work where it is missing; "" where nothing does.
    """

    distribution: str
    least: str
    package: str
    without: str = ""


NEEDED = (
    Module("pillow", "9.4", "python3-pil"),
    Module("cbor2", "5.4", "python3-cbor2"),
    Module("markupsafe", "2.1.1", "python3-markupsafe"),
    Module("spidev", "3.6", "python3-spidev", "an LED strip or SPI panel"),
)

PINS = (Module("gpiod", "2.2", "python3-libgpiod", "keys"), Module("lgpio", "0.2.2", "python3-lgpio", "keys"))
"""Either of them is enough to drive the pins."""


def is_here(module: Module) -> bool:
    """Whether this Python has a module that is new enough."""
    found = installed_version(module.distribution)
    return found is not None and version_order(found) >= version_order(module.least)


def missing(has: Callable[[Module], bool] = is_here) -> tuple[Module, ...]:
    """The modules that this Python does not have; of those for the pins, all where there is none."""
    needed = tuple(one for one in NEEDED if not has(one))
    return needed if any(has(one) for one in PINS) else (*needed, *PINS)


def packages(modules: Sequence[Module], candidate: Callable[[str], str]) -> list[str]:
    """The Debian packages that bring modules, as far as apt has them in a version that will do.

    `candidate` tells the version of a package that apt would install, or "".
    """
    able = [one for one in modules if version_order(_upstream(candidate(one.package))) >= version_order(one.least)]
    pins = [one for one in able if one in PINS]
    return [one.package for one in able if one not in pins[1:]]


def candidate_of(package: str) -> str:
    """The version of a package that apt would install, or ""."""
    if not shutil.which("apt-cache"):
        return ""
    found = re.search(r"Candidate: (\S+)", run_in_english(["apt-cache", "policy", package]).stdout)
    return found[1] if found and found[1] != "(none)" else ""


def apt_line(names: Sequence[str]) -> str:
    """The command line that installs Debian packages."""
    return f"sudo apt-get install --no-install-recommends {' '.join(names)}"


def may_install() -> bool:
    """Whether this user may install packages: as root, or with sudo, where it needs no password or can ask for one."""
    with_sudo = shutil.which("sudo") is not None
    return os.geteuid() == 0 or (with_sudo and (sys.stdin.isatty() or _works(["sudo", "-n", "true"])))


def apt_get(*words: str) -> bool:
    """Run apt-get as root; whether it succeeded. Its errors go to the terminal."""
    first = [] if os.geteuid() == 0 else ["sudo"]
    return _works([*first, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq", *words])


def _upstream(version: str) -> str:
    return version.rsplit(":", maxsplit=1)[-1].split("-", maxsplit=1)[0] or "0"


def run_in_english(
    command: Sequence[str], read: Callable[[str], None] = lambda _: None
) -> subprocess.CompletedProcess[str]:
    """Run a program with English messages; captures standard output and standard error together.

    `read` gets each line as it comes.
    """
    lines = []
    with subprocess.Popen(  # noqa: S603
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        env=os.environ | {"LC_ALL": "C.UTF-8", "LANGUAGE": "en"},
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            lines.append(line)
            read(line)
    return subprocess.CompletedProcess(command, process.returncode, "".join(lines))


def _works(command: Sequence[str]) -> bool:
    return subprocess.run(command, stdout=subprocess.DEVNULL, check=False).returncode == 0  # noqa: S603
