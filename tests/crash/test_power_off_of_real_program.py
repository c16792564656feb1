"""From two holds of the real program's keys to the request of the installed service, and to a dark panel."""

import os
import sys
import time

from tests.crash.test_displays_dark_after_stop import BOARDS, Decoded
from tests.support.program import Service
from tests.support.waiting import soon

AS_INSTALLED = """
import sys
from pegboard.cli.main import main
from pegboard.install import host as installed_paths
installed_paths.is_installed = lambda: True
main(sys.argv[1:])
"""
"""The program as the installed service is one: what is not here is the folder that the package installs into."""

HOLD = "[keys]\nundo_hold_s = 0.5\nlockout_s = 0.01\n"

STROKE_S = 0.05
"""No finger is back on a key sooner: within the lock-out that would be a bounce."""


def hold_both(client):
    client.key("undo", "down")
    client.key("deal", "down")


def release_both(client):
    client.key("deal", "up")
    client.key("undo", "up")


def notice_key(client):
    message = client.state()["notice_message"]
    return message and message["key"]


def test_keys_held_twice_write_the_request_then_the_stop_makes_all_dark(tmp_path, monkeypatch):
    runtime, config, record = tmp_path / "run", tmp_path / "pegboard.toml", tmp_path / "buses.jsonl"
    runtime.mkdir()
    config.write_text(HOLD)
    monkeypatch.setitem(os.environ, "RUNTIME_DIRECTORY", str(runtime))
    command = [sys.executable, "-c", AS_INSTALLED, "run", "--mock", "--open", "--host", "127.0.0.1", "--port", "0"]
    command += ["--state", str(tmp_path / "state"), "--config", str(config), "--record", str(record)]
    with Service(tmp_path / "state", command=command, record=record) as service:
        client = service.client()
        client.score(0, 7)
        assert client.ask("GET", "/api/v1/settings")[1]["power_off"] is True
        hold_both(client)
        soon(lambda: notice_key(client) == "key_power_question")
        assert not (runtime / "power-off").exists()
        release_both(client)
        time.sleep(STROKE_S)
        hold_both(client)
        soon((runtime / "power-off").exists)
        release_both(client)
        assert notice_key(client) == "power_switching"
        assert client.state()["lanes"][0]["front"] == 7
        service.stop()
        Decoded(service.recorded(), BOARDS[0]).assert_dark()
