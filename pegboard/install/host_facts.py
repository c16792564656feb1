"""The host that pegboard runs on: is it a Raspberry Pi, and did `make` start it? Standard library only."""

import os
from collections.abc import Mapping
from pathlib import Path

MODEL = Path(os.environ.get("PEGBOARD_MODEL", "/proc/device-tree/model"))
"""Where a Raspberry Pi tells what it is; the environment may name another file, to try this elsewhere."""

STARTED_BY = "PEGBOARD_STARTED_BY"
"""Environment variable by which `make run` says that it has started the program."""

BY_MAKE = "make"


def on_a_pi() -> bool:
    """Whether this is a Raspberry Pi."""
    try:
        return "Raspberry Pi" in MODEL.read_text("utf-8", "replace")
    except OSError:
        return False


def started_by_make(environment: Mapping[str, str] = os.environ) -> bool:
    """Whether `make run` has started the program."""
    return environment.get(STARTED_BY) == BY_MAKE
