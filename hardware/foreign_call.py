"""Runs code of other packages with a timeout: whatever it raises is an error of that device, and it cannot hang us.

The call runs in a thread of its own. One that never returns is left behind, and a `KeyboardInterrupt` that it raises
is no Ctrl-C.
"""

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

from pegboard.devices.health import error_text
from pegboard.errors import DeviceError

T = TypeVar("T")

BEGIN_S = 20.0
"""The timeout of a call that imports, makes or starts a device.

The slowest Pi imports the OLED's libraries in five seconds.
"""


class _Outcome(Generic[T]):
    """What a call returned, or raised."""

    result: T
    error: BaseException | None = None


def call_foreign(call: Callable[[], T], within_s: float = BEGIN_S) -> T:
    """Run `call`, and return what it returns.

    Raises:
        DeviceError: it did not return within so many seconds, or asked for the end of the program.
        Exception: whatever else it raised.
    """
    outcome = _Outcome[T]()

    def run() -> None:
        try:
            outcome.result = call()
        except BaseException as error:  # noqa: BLE001 - sys.exit() in another package must not end the program
            outcome.error = error

    thread = threading.Thread(target=run, name="call of another package", daemon=True)
    thread.start()
    thread.join(within_s)
    if thread.is_alive():
        raise DeviceError("device_left_behind", seconds=f"{within_s:g}")
    if isinstance(outcome.error, Exception):
        raise outcome.error
    if outcome.error is not None:
        raise DeviceError("device_exit", error=error_text(outcome.error)) from outcome.error
    return outcome.result
