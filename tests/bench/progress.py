"""How far a benchmark is: a line that is overwritten on a terminal, and one line a group anywhere else."""

import contextlib
import threading
import time

EVERY_S = 1
"""Between two looks at the clock; each takes microseconds from what is being measured."""

CLEAR = "\r\x1b[K"
"""Go back to the begin of the line and clear it."""


class Progress:
    """What is measured now, told to a file such as standard error; rows go to another one meanwhile."""

    def __init__(self, out, groups, clock=time.monotonic):
        self._out, self._groups, self._clock = out, groups, clock
        self._lock, self._number, self._live = threading.Lock(), 0, out.isatty()

    @contextlib.contextmanager
    def group(self, name):
        """Tell of this group for as long as it is measured."""
        self._number += 1
        self._name, self._begun, self._rows = name, self._clock(), 0
        ended = threading.Event()
        ticker = threading.Thread(target=self._tick, args=(ended,), daemon=True)
        if self._live:
            ticker.start()
        else:
            print(f"measuring {name} ({self._number} of {self._groups})", file=self._out, flush=True)
        try:
            yield
        finally:
            ended.set()
            if self._live:
                ticker.join()
                self._write(CLEAR)

    def print_row(self, row, out):
        """Print a row in the place of the line."""
        self._rows += 1
        with self._lock:
            self._write(CLEAR if self._live else "")
            print(row, file=out, flush=True)
            self._write(self.line if self._live else "")

    @property
    def line(self):
        minutes, seconds = divmod(round(self._clock() - self._begun), 60)
        rows = f"{self._rows} row{'' if self._rows == 1 else 's'}"
        return f"measuring {self._name} ({self._number} of {self._groups}): {rows}, {minutes}:{seconds:02}"

    def _tick(self, ended):
        while True:
            with self._lock:
                self._write(CLEAR + self.line)
            if ended.wait(EVERY_S):
                return

    def _write(self, text):
        self._out.write(text)
        self._out.flush()
