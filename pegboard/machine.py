"""Which machine this is: a Raspberry Pi or any other. Imports nothing that has to be installed."""

import os
from pathlib import Path

MODEL = Path(os.environ.get("PEGBOARD_MODEL", "/proc/device-tree/model"))
"""Where a Raspberry Pi tells what it is; the environment may name another file, to try this elsewhere."""


def on_a_pi() -> bool:
    """Whether this is a Raspberry Pi."""
    try:
        return "Raspberry Pi" in MODEL.read_text("utf-8", "replace")
    except OSError:
        return False
