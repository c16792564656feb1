"""Why pip failed, in one sentence: the last lines that it prints seldom tell the cause."""

import datetime as dt
import platform
import re

FULL = "the disk is full"

REASONS = (
    (r"No space left on device", FULL),
    (r"Disk quota exceeded", "your disk quota is used up"),
    (
        r"CERTIFICATE_VERIFY_FAILED|certificate verify failed",
        "the package index's certificate is not trusted here; is the clock right? It says {now}",
    ),
    (
        (
            r"NameResolutionError|[Nn]ame resolution|Name or service not known|NewConnectionError"
            r"|Failed to establish a new connection|Network is unreachable|ConnectTimeoutError|ReadTimeoutError"
            r"|ProxyError|Connection (?:refused|reset|aborted)|Max retries exceeded"
        ),
        (
            "cannot download the packages that pegboard needs: the package index is unreachable; "
            "connect this machine to the network and run make again"
        ),
    ),
    (
        r"Python\.h: No such file|command '[^']*(?:gcc|cc|clang|g\+\+)[^']*' failed|Failed building wheel for (\S+)",
        (
            "a package must be compiled, because there is no build for Python {python} on {machine}: "
            "sudo apt-get install build-essential python3-dev"
        ),
    ),
    (r"[Pp]ermission denied:? '?([^'\n]*)", "no permission to write {found}"),
    (
        r"No matching distribution found for (.+)",
        "the package index has no {found} for Python {python} on {machine}",
    ),
)
"""Patterns over pip's output, the likeliest cause first, and what each means."""


def reason_of(output: str) -> str:
    """The cause in one sentence; for an unknown one, after the last lines that pip printed."""
    for pattern, sentence in REASONS:
        if found := re.search(pattern, output):
            return sentence.format(
                found=(found[1] or "").strip() if found.re.groups else "",
                python=platform.python_version(),
                machine=platform.machine(),
                now=f"{dt.datetime.now().astimezone():%Y-%m-%d %H:%M}",
            )
    lines = output.rstrip().splitlines()
    errors = re.findall(r"^ERROR: (.+)", output, re.MULTILINE) or lines[-1:] or ["no output"]
    return "\n".join([*lines[-20:], f"pip could not install what pegboard needs: {errors[-1]}"])
