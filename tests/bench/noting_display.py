"""A third display, of a stranger: it notes when it was shown what, in the file that $FLAG names."""

import os
import time
from pathlib import Path


class Flag:
    """It hangs on no wire."""

    name, about, refresh_s = "flag", "on the roof", None

    def __init__(self, _settings, _buses):
        self._mast = Path(os.environ["FLAG"]).open("a", buffering=1)  # noqa: SIM115 - open as long as the program is

    def show(self, _view):
        print(time.monotonic_ns(), file=self._mast)

    def close(self):
        self._mast.close()
