"""The results of a benchmark as JSON, and what has changed since an earlier one."""

import json
import os
import platform
import subprocess
import time
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).parents[2]

FIGURES = ("n", "median", "p99", "figure", "low", "high", "unit", "budget", "of", "verdict")
"""What a file says of each row: the figure that its budget is for, and between which two samples that surely is."""

APART = 1.05
"""A change by less is noise, however sure each figure is: machines are not the same from run to run."""

APART_ALONE = 1.25
"""The same where either figure is of one sample, of which nobody knows the spread."""

WORSE, BETTER, MORE, LESS, SAME = "WORSE", "better", "more", "less", ""


# --- what a file says ---


def written(rows, groups, size, *, stopped, began):
    """Everything that was measured, ready for JSON; `groups` are the seconds and the failure of each."""
    return {
        "machine": machine(),
        "commit": commit(),
        "began": datetime.fromtimestamp(began, UTC).isoformat(timespec="seconds"),
        "size": size,
        "stopped": stopped,
        "groups": groups,
        "rows": [values_of(row) for row in rows],
    }


def values_of(row):
    head = {"group": row.group, "name": row.name}
    if row.skipped:
        return head | {"skipped": row.skipped, "unit": row.unit, "budget": row.budget, "of": row.of}
    low, high = row.spread
    found = {"low": low, "high": high}
    return head | {name: found[name] if name in found else getattr(row, name) for name in FIGURES}


def machine():
    """What the figures depend on besides the program."""
    return {
        "processor": processor(),
        "cores": os.cpu_count(),
        "system": platform.platform(),
        "python": platform.python_version(),
        "loop_ms": loop_ms(),
    }


def processor():
    """Its name as Linux tells it: `model name` on a PC, `Model` on a Raspberry Pi."""
    lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    told = dict(map(str.strip, line.split(":", 1)) for line in lines if ":" in line)
    return told.get("model name") or told.get("Model") or platform.machine()


def loop_ms(rounds=5):
    """Milliseconds of a plain sum at best: how fast the machine is at the moment."""
    return min(once_ms() for _ in range(rounds))


def once_ms():
    begun = time.perf_counter()
    sum(n * n for n in range(500_000))
    return (time.perf_counter() - begun) * 1e3


def commit():
    """The commit that was measured, with a `+` where files have changed since; None outside a repository."""
    asked = ["git", "describe", "--always", "--abbrev=12", "--dirty=+", "--exclude=*"]
    answer = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=False)
    return answer.stdout.strip() or None


def read(file):
    """An earlier run.

    Raises:
        ValueError: the file holds none.
    """
    try:
        run = json.loads(file.read_text("utf-8"))
        return run | {"rows": {(row["group"], row["name"]): row for row in run["rows"]}}
    except (OSError, ValueError, TypeError, KeyError) as wrong:
        raise ValueError(f"{file} holds no results of `make bench ARGS='--json FILE'`: {wrong!r}") from wrong


# --- then and now ---


def compare(then, now):
    """Lines for people: what each figure was, is, and which of them are worse beyond the noise of both."""
    yield f"then {run_line(then)}"
    yield f"now  {run_line(now)}"
    if then["size"] != now["size"]:
        yield f"then was {then['size']}, now {now['size']}: some figures depend on how much is tried"
    pairs = list(pairs_of(then, now))
    wide = max([0, *(len(title(row)) for _, row in pairs)])
    yield f"{'':<{wide}} {'then':>13} {'now':>13} {'ratio':>7}"
    yield from (row_line(*pair, wide) for pair in pairs)
    worse = [title(row) for before, row in pairs if verdict(before, row) == WORSE]
    yield f"{len(worse)} of {len(pairs)} worse beyond the noise"
    yield from (f"{WORSE} {name}" for name in worse)


def pairs_of(then, now):
    """The rows that were measured both times."""
    for row in now["rows"]:
        before = then["rows"].get((row["group"], row["name"]), {})
        if "figure" in row and "figure" in before:
            yield before, row


def title(row):
    return f"{row['group']}: {row['name']}"


def run_line(run):
    own = run["machine"]
    python, loop = f"Python {own['python']}", f"a plain sum in {own['loop_ms']:.1f} ms"
    return f"{run['began']}, {run['commit']}, {run['size']}, {python}, {loop}"


def row_line(then, now, wide):
    figures = [f"{row['figure']:.4g} {row['unit']}" for row in (then, now)]
    what, found = title(now), verdict(then, now)
    return f"{what:<{wide}} {figures[0]:>13} {figures[1]:>13} {ratio(then, now):>7.2f} {found}".rstrip()


def ratio(then, now):
    """How many times as much it is now."""
    if then["figure"] == now["figure"]:
        return 1.0
    return now["figure"] / then["figure"] if then["figure"] else float("inf")


def verdict(then, now):
    """Whether the figure is surely another one: the spreads do not meet, and it is no trifle.

    Less is better of everything that has a budget; of anything else nobody says which is.
    """
    apart = APART_ALONE if 1 in (then["n"], now["n"]) else APART
    worse, better = (MORE, LESS) if now["budget"] is None else (WORSE, BETTER)
    if now["low"] > then["high"] and ratio(then, now) >= apart:
        return worse
    if now["high"] < then["low"] and ratio(then, now) <= 1 / apart:
        return better
    return SAME
