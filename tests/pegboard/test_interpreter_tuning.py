"""The program stays prompt: in a process of its own, for it changes how the whole of it runs."""

import contextlib
import gc
import subprocess
import sys

from pegboard.interpreter_tuning import pause_collection

ASK = """
import gc, sys
from pegboard.interpreter_tuning import tune_interpreter, pause_collection
passes = []
gc.callbacks.append(lambda phase, _: passes.append(phase))
with pause_collection():
    print(not gc.isenabled())
    tune_interpreter()
    print(gc.isenabled(), sys.getswitchinterval() < 0.001, not passes)
print(gc.get_freeze_count() > 1000, len(gc.get_objects()) < gc.get_freeze_count())
"""


def test_threads_take_turns_soon_and_what_stays_is_left_alone():
    told = subprocess.run([sys.executable, "-c", ASK], capture_output=True, text=True, check=True)
    assert told.stdout.split() == ["True"] * 6


HOLD = """
import gc
from pegboard.interpreter_tuning import tune_interpreter
full = []
gc.callbacks.append(lambda phase, info: full.append(phase) if info["generation"] == 2 else None)
tune_interpreter({})
stays = [[] for _ in range(300_000)]
print(len(full))
"""


def test_full_passes_over_what_stays_are_as_rare_as_the_caller_says():
    rare, usual = (
        int(subprocess.run([sys.executable, "-c", HOLD.format(how)], capture_output=True, text=True, check=True).stdout)
        for how in ("full_pass_each=100", "")
    )
    assert rare == 0 < usual


LOAD = """
import gc
from pegboard.interpreter_tuning import freeze_imports
passes = []
gc.callbacks.append(lambda phase, _: passes.append(phase))
with freeze_imports():
    import asyncio
    made = [[] for _ in range(10_000)]
    print(not passes)
print(gc.isenabled(), gc.get_freeze_count() > len(made))
"""


def test_modules_are_loaded_without_looking_for_garbage_and_then_left_alone():
    told = subprocess.run([sys.executable, "-c", LOAD], capture_output=True, text=True, check=True)
    assert told.stdout.split() == ["True"] * 3


def test_garbage_is_collected_again_after_what_leaves_none_even_where_it_fails():
    seen = []
    with contextlib.suppress(ValueError), pause_collection():
        seen.append(gc.isenabled())
        raise ValueError
    assert [*seen, gc.isenabled()] == [False, True]
