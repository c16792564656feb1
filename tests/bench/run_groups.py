"""Every budget, measured on this machine: median and 99th percentile beside what is allowed, as JSON if wanted."""

import argparse
import contextlib
import json
import sys
import tempfile
import time
import traceback
from dataclasses import dataclass, field
from pathlib import Path

from tests.bench import results
from tests.bench.all_devices import devices, faults, hung
from tests.bench.answers import answers
from tests.bench.commits import commits
from tests.bench.core import core, counting
from tests.bench.course import following, through_the_page
from tests.bench.debounce import keys
from tests.bench.entry_taps_and_seconds import entry
from tests.bench.floods import floods
from tests.bench.history import history, transfer
from tests.bench.hub_bench import hub
from tests.bench.idle import idle
from tests.bench.install import install
from tests.bench.long_game import long_game
from tests.bench.measured_rows import HEAD, LONG, QUICK, USUAL, Budgets
from tests.bench.oled import oled
from tests.bench.press import press
from tests.bench.progress import Progress
from tests.bench.recovery import recovery
from tests.bench.start import first_load, start
from tests.bench.strip import strip
from tests.bench.viewers import back_from_sleep, viewers

GROUPS = {
    "core": core,
    "counting": counting,
    "course": following,
    "course-page": through_the_page,
    "start": start,
    "install": install,
    "first-load": first_load,
    "commits": commits,
    "answers": answers,
    "press": press,
    "keys": keys,
    "oled": oled,
    "strip": strip,
    "devices": devices,
    "devices-ill": faults,
    "devices-hung": hung,
    "viewers": viewers,
    "back-from-sleep": back_from_sleep,
    "floods": floods,
    "history": history,
    "long-game": long_game,
    "transfer": transfer,
    "recovery": recovery,
    "hub": hub,
    "idle": idle,
    "entry": entry,
}
"""The groups of figures by name, each called with its `Budgets` and an empty folder."""

FAILED, INTERRUPTED = 1, 130
"""Exit statuses: a group could not be measured to its end; Ctrl-C has ended it."""


@dataclass
class Run:
    """What has been measured so far."""

    began: float = field(default_factory=time.time)
    rows: list = field(default_factory=list)
    groups: list = field(default_factory=list)
    stopped: bool = False

    @contextlib.contextmanager
    def timed(self, name):
        """Note how long a group takes, and what it fails with."""
        group, begun = {"name": name, "seconds": 0.0, "failed": None}, time.monotonic()
        self.groups.append(group)
        try:
            yield
        except Exception as wrong:
            group["failed"] = repr(wrong)
            raise
        finally:
            group["seconds"] = round(time.monotonic() - begun, 1)

    @property
    def failed(self):
        return [group["name"] for group in self.groups if group["failed"] is not None]

    @property
    def status(self):
        return INTERRUPTED if self.stopped else FAILED if self.failed else 0


def main(words, groups=None, out=None, err=None):
    """Measure what the words of the command line name; its exit status."""
    groups, out, err = groups or GROUPS, out or sys.stdout, err or sys.stderr
    told, then = parsed(words, groups)
    run = measure({name: groups[name] for name in told.names}, told.size, out, err)
    print("", *summary(run, told.names), sep="\n", file=out)
    now = results.written(run.rows, run.groups, told.size, stopped=run.stopped, began=run.began)
    if told.json:
        told.json.write_text(json.dumps(now, indent=1) + "\n", "utf-8")
    if then:
        print("", *results.compare(then, now), sep="\n", file=out)
    return run.status


def parsed(words, groups):
    """The names, size and files that the command line tells, and the earlier run to compare with."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("words", nargs="*", help=f"quick or long; groups to measure, of {', '.join(groups)}")
    parser.add_argument("--json", type=Path, metavar="FILE", help="where the results go as JSON, too")
    parser.add_argument("--compare", type=Path, metavar="FILE", help="such a file of an earlier run")
    told = parser.parse_args(words)
    sizes = [word for word in told.words if word in (QUICK, LONG)]
    told.names = [word for word in told.words if word not in sizes] or list(groups)
    for name in told.names:
        if name not in groups:
            parser.error(f"there is no group {name!r}; these are taken: {', '.join(groups)}")
    if len(sizes) > 1:
        parser.error("quick or long: one of them")
    told.size = sizes[0] if sizes else USUAL
    try:
        return told, told.compare and results.read(told.compare)
    except ValueError as wrong:
        parser.error(str(wrong))


def measure(groups, size, out, err):
    """Measure group after group and print each row at once; one that fails costs no other its rows."""
    run, progress = Run(), Progress(err, len(groups))
    print(HEAD, file=out, flush=True)

    def tell(row):
        run.rows.append(row)
        progress.print_row(row, out)

    for name, group in groups.items():
        try:
            with run.timed(name), progress.group(name), tempfile.TemporaryDirectory() as folder:
                group(Budgets(name, size, tell), Path(folder))
        except KeyboardInterrupt:
            run.stopped = True
            break
        except Exception:  # noqa: BLE001 - whatever it is, the other groups are measured
            traceback.print_exc(file=err)
    return run


def summary(run, names):
    """Lines at the end: how many budgets are kept, which are missed, what could not be measured."""
    held = [row for row in run.rows if row.budget is not None and not row.skipped]
    missed = [row for row in held if row.verdict == "MISSED"]
    seconds = sum(group["seconds"] for group in run.groups)
    yield f"{len(run.rows)} rows in {seconds:.0f} s; {len(held) - len(missed)} of {len(held)} budgets kept"
    yield from (f"MISSED {row.group}: {row.name}" for row in missed)
    yield from (f"FAILED {name}: see above; the rows before that are whole" for name in run.failed)
    if run.stopped:
        left = names[len(run.groups) - 1 :]
        yield f"stopped in {left[0]}; not measured: {', '.join(left[1:]) or 'nothing else'}"
