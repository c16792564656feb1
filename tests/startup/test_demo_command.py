"""The command `pegboard hub --demo`: says where to look, serves these pages, and leaves nothing behind."""

import re
import signal
import subprocess
import sys
import urllib.request

from tests.support.hub_site import Client
from tests.support.waiting import soon

COMMAND = [sys.executable, "-m", "pegboard", "hub", "--demo", "--port", "0", "--demo-speed", "10000"]


def test_the_demo_says_where_to_look_and_leaves_nothing_behind(tmp_path):
    """Its folder is gone with it, and the code for a second director follows the first one's."""
    environment = {"TMPDIR": str(tmp_path), "PATH": "/usr/bin:/bin"}
    with subprocess.Popen(COMMAND, stdout=subprocess.PIPE, text=True, env=environment) as process:
        lines = [process.stdout.readline() for _ in range(8)]
        director, desk, screen, phone = re.findall(r"http://127\.0\.0\.1:\d+/\S+", "".join(lines))
        assert (screen, phone) == (f"{desk}/screen", f"{desk}/me?player=p1")
        with urllib.request.urlopen(screen) as page:
            assert b"Demo event" in page.read()
        assert list(tmp_path.iterdir())
        client = Client(int(desk.split(":")[2].partition("/")[0]))
        assert client.post("/night/v1/pair", code=director.rpartition("/")[2]).status == 200
        another = soon(lambda: re.search(r"http://\S+/j/\S+", process.stdout.readline()))
        assert another[0] != director
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0
    assert list(tmp_path.iterdir()) == []


def test_a_speed_that_is_none_is_refused():
    ran = subprocess.run([*COMMAND[:-1], "0"], capture_output=True, text=True, check=False)
    assert ran.returncode == 2
    assert "--demo-speed" in ran.stderr
