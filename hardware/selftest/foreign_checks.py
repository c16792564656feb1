"""The self-test of displays and inputs of other packages."""

import contextlib
from collections.abc import Callable
from functools import partial
from typing import Any

from hardware.selftest.finding import Finding, failure
from pegboard.config import Settings
from pegboard.devices.health import call_foreign, error_text, require_text

CLOSE_S = 1.0
"""How long a device of another package may take to close."""


def check_foreign(name: str, make: Callable[[], Any], settings: Settings) -> Finding:
    """Run the self-test of a display or input of another package, which `make` makes."""
    try:
        device = call_foreign(make)
    except Exception as error:  # noqa: BLE001 - it may raise anything
        return failure(name, error, settings)
    try:
        sentence = call_foreign(partial(_run_own_test, device))
    except Exception as error:  # noqa: BLE001 - it may raise anything
        return Finding(name, False, error_text(error))
    finally:
        with contextlib.suppress(Exception):  # what is broken may break again
            call_foreign(device.close, CLOSE_S)
    return Finding(name, True, sentence)


def _run_own_test(device: Any) -> str:
    if hasattr(device, "selftest"):
        return require_text("selftest", device.selftest())
    about = require_text("about", getattr(device, "about", ""))
    return f"its settings are valid{about and f': {about}'}; it has no self-test"
