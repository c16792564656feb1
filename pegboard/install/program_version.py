"""Version of this program; a checkout between releases adds its commit (PEP 440 local version): 0.2.0+g1a2b3c4."""

import functools
import os
import subprocess
from pathlib import Path

from pegboard.install.host import PROGRAM

COMMIT_DIGITS = 7

GIT_S = 2.0
"""Timeout of git in seconds; git needs about 3 ms."""


@functools.cache
def program_version() -> str:
    """The version of the running program, read once; it does not say whether a checkout has uncommitted changes."""
    from importlib import metadata  # noqa: PLC0415 - slow to load, and most commands need no version

    return with_commit(metadata.version("pegboard"), PROGRAM)


def with_commit(version: str, checkout: Path, *, is_changed: bool = False) -> str:
    """Add the commit of a checkout to a version, and ".dirty" if its files have changed since that commit.

    Nothing is added if the commit is unchanged and has the tag of the release (v0.2.0), if there is no git, or if the
    version already has a commit, as in a source archive built between releases.
    """
    git = checkout / ".git"
    if "+" in version or not os.path.exists(git):  # noqa: PTH110 - False also if the folder is not readable
        return version
    head, *tagged = _commits(git, "HEAD", f"refs/tags/v{version}^{{commit}}") or [""]
    if not head or (tagged == [head] and not is_changed):
        return version
    return f"{version}+g{head[:COMMIT_DIGITS]}{'.dirty' if is_changed else ''}"


def _commits(git: Path, *names: str) -> list[str]:
    """The commits with these names, skipping those that do not exist; [] if git is missing or fails."""
    # With --git-dir, git also reads a checkout that another account owns.
    words = ["git", f"--git-dir={git}", "rev-parse", "--revs-only", *names]
    try:
        ran = subprocess.run(words, capture_output=True, text=True, timeout=GIT_S, check=False)  # noqa: S603
    except (OSError, subprocess.TimeoutExpired):
        return []
    return ran.stdout.split() if ran.returncode == 0 else []
