"""Runs code of other packages with a timeout: whatever it raises is an error of that device, and it cannot hang us.

The call runs in a thread of its own. One that never returns is left behind, and a `KeyboardInterrupt` that it raises
is no Ctrl-C.
"""

import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

from pegboard.devices.health import error_text
from pegboard.errors import DeviceError

T = TypeVar("T")

BEGIN_S = 20.0
"""The timeout of a call that imports, makes or starts a device.

The slowest Pi imports the OLED's libraries in five seconds.
"""


def call_foreign(call: Callable[[], T], within_s: float = BEGIN_S) -> T:
    """Run `call`, and return what it returns.

    Raises:
        DeviceError: it did not return within so many seconds, or asked for the end of the program.
        Exception: whatever else it raised.
    """
    outcome = Future[T]()

    def run() -> None:
        try:
            outcome.set_result(call())
        except BaseException as error:  # noqa: BLE001 - sys.exit() in another package must not end the program
            outcome.set_exception(error)

    threading.Thread(target=run, name="call of another package", daemon=True).start()
    try:
        error = outcome.exception(within_s)
    except TimeoutError:
        raise DeviceError("device_left_behind", seconds=f"{within_s:g}") from None
    if error is not None and not isinstance(error, Exception):
        raise DeviceError("device_exit", error=error_text(error)) from error
    return outcome.result()
