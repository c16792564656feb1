"""Runs a program that builds: after Ctrl-C it is ended with all that it has started, before its files are removed."""

import contextlib
import os
import signal
import subprocess
from collections.abc import Mapping
from subprocess import CompletedProcess


def run_program(*words: str, environment: Mapping[str, str] | None = None) -> CompletedProcess[str]:
    """Run a program to its end, in a process group of its own, with more variables in its environment.

    Returns:
        Its exit status and what it said.

    Raises:
        KeyboardInterrupt: Ctrl-C came; the program and its children are killed.
        OSError: there is no such program.
    """
    more = os.environ | dict(environment or {})
    with subprocess.Popen(  # noqa: S603
        words,
        env=more,
        process_group=0,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        errors="replace",
    ) as process:
        try:
            output, errors = process.communicate()
        except BaseException:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            raise
    return CompletedProcess(words, process.returncode, output, errors)
