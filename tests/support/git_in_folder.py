"""Runs git in a folder, for tests that need a small repository."""

import subprocess
from functools import partial


def git_in(folder):
    """Make a repository of a folder; a function that runs git in it and returns what git prints."""
    git = partial(_run, folder)
    git("init", "-q")
    return git


def _run(folder, *words):
    who = ("-c", "user.name=Ann", "-c", "user.email=ann@example.org")
    ran = subprocess.run(["git", "-C", folder, *who, *words], capture_output=True, text=True, check=True)
    return ran.stdout.strip()
