"""The program stays prompt: in a process of its own, for it changes how the whole of it runs."""

import subprocess
import sys

ASK = """
import gc, sys
from pegboard.prompt import be_prompt, begin_quickly
begin_quickly()
print(not gc.isenabled())
be_prompt()
print(gc.isenabled(), sys.getswitchinterval() < 0.001)
print(gc.get_freeze_count() > 1000, len(gc.get_objects()) < gc.get_freeze_count())
"""


def test_threads_take_turns_soon_and_what_stays_is_left_alone():
    told = subprocess.run([sys.executable, "-c", ASK], capture_output=True, text=True, check=True)
    assert told.stdout.split() == ["True"] * 5
