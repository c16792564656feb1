"""Detection of a state folder in memory (tmpfs, RAM disk, overlay), where a reboot loses all scores."""

import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from pegboard.messages import Message

MOUNTS = "/proc/self/mountinfo"
"""The kernel's list of mounts; PEGBOARD_MOUNTS can name another file for testing."""

KERNEL_OPTIONS = Path("/proc/cmdline")

IN_MEMORY = frozenset({"tmpfs", "ramfs", "devtmpfs"})
"""Types of file systems in memory."""

MEMORY_DEVICES = re.compile(r"/dev/z?ram\d+")
"""Block devices in memory, with any file system."""

OVERLAY_OPTIONS = re.compile(r'(boot=overlay|overlayroot="?tmpfs.*)')
"""Kernel options that raspi-config sets for a root overlay in memory: the first up to Debian 11, the second later."""


class Mount(NamedTuple):
    """A line of mountinfo (proc_pid_mountinfo(5))."""

    device: str
    point: str
    kind: str
    source: str
    options: Sequence[str]


def find_memory(folder: Path, mounts: Path | None = None, kernel_options: Path = KERNEL_OPTIONS) -> Message | None:
    """A warning if `folder`, or the place where it would be created, is in memory; None if on a disk or unknown."""
    try:
        place = next((path for path in (folder, *folder.absolute().parents) if path.exists()), Path("/"))
        device = place.stat().st_dev
        listed = mounts or Path(os.environ.get("PEGBOARD_MOUNTS", MOUNTS))
        known = [_mount(line) for line in listed.read_text("utf-8", "surrogateescape").splitlines()]
        own = next((one for one in known if one.device == f"{os.major(device)}:{os.minor(device)}"), None)
        if own is None or not _is_memory(own, known, kernel_options):
            return None
    except (OSError, ValueError):
        return None
    return Message("state_on_overlay" if own.kind == "overlay" else "state_in_memory", folder=folder)


def _is_memory(mount: Mount, known: Sequence[Mount], kernel_options: Path) -> bool:
    if mount.kind != "overlay":
        return mount.kind in IN_MEMORY or MEMORY_DEVICES.fullmatch(mount.source) is not None
    upper = next((option[9:] for option in mount.options if option.startswith("upperdir=")), "")
    below = [one for one in known if one != mount and Path(upper).is_relative_to(one.point)]
    if below and (layer := max(below, key=lambda one: len(one.point))).kind != "overlay":
        return _is_memory(layer, known, kernel_options)
    # Mounts made before the root are not listed: a container's upper layer, or that of a boot overlay.
    return any(map(OVERLAY_OPTIONS.fullmatch, kernel_options.read_text("utf-8", "replace").split()))


def _mount(line: str) -> Mount:
    """Parse a line of mountinfo, which escapes blanks and some other characters in octal.

    Raises:
        ValueError: the line has another format.
    """
    own, _, rest = line.partition(" - ")
    _, _, device, _, point, *_ = own.split(" ")
    kind, source, options = rest.split(" ")
    return Mount(device, _plain(point), kind, _plain(source), [_plain(option) for option in options.split(",")])


def _plain(text: str) -> str:
    return re.sub(r"\\([0-7]{3})", lambda found: chr(int(found[1], 8)), text)
