"""Another thread, or another process, is waited for."""

import time


def soon(look, seconds=60):
    """What `look` finds, as soon as it is something."""
    ends = time.monotonic() + seconds
    while not (found := look()) and time.monotonic() < ends:
        time.sleep(0.01)
    assert found, f"not within {seconds} s"
    return found
