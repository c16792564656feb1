"""Pulls the plug at any step of what is done with files: that step and every later one, cleaning up too, fails."""

import contextlib
import os
from pathlib import Path

CALLS = (
    *((os, name) for name in ("link", "fsync", "open")),
    *((Path, name) for name in ("mkdir", "rename", "unlink", "replace")),
)
"""The calls that change files or folders, or wait for the disk."""


class Cut(BaseException):
    """The plug is pulled."""


class PowerCut:
    """Whether it has happened."""

    def __init__(self, count):
        self.left, self.happened = count, False

    def counting(self, real):
        def call(*arguments, **more):
            self.left -= 1
            if self.left < 0:
                self.happened = True
                raise Cut
            return real(*arguments, **more)

        return call


@contextlib.contextmanager
def cut_after(count, monkeypatch):
    """Within, only so many calls work."""
    cut = PowerCut(count)
    with monkeypatch.context() as patch, contextlib.suppress(Cut):
        for owner, name in CALLS:
            patch.setattr(owner, name, cut.counting(getattr(owner, name)))
        yield cut
