"""The program stays prompt: in a process of its own, for it changes how the whole of it runs."""

import contextlib
import gc
import subprocess
import sys

from pegboard.interpreter_tuning import pause_collection

ASK = """
import gc, sys
from pegboard.interpreter_tuning import tune_interpreter, pause_collection
with pause_collection():
    print(not gc.isenabled())
    tune_interpreter()
    print(gc.isenabled(), sys.getswitchinterval() < 0.001)
print(gc.get_freeze_count() > 1000, len(gc.get_objects()) < gc.get_freeze_count())
"""


def test_threads_take_turns_soon_and_what_stays_is_left_alone():
    told = subprocess.run([sys.executable, "-c", ASK], capture_output=True, text=True, check=True)
    assert told.stdout.split() == ["True"] * 5


def test_garbage_is_collected_again_after_what_leaves_none_even_where_it_fails():
    seen = []
    with contextlib.suppress(ValueError), pause_collection():
        seen.append(gc.isenabled())
        raise ValueError
    assert [*seen, gc.isenabled()] == [False, True]
