"""The command `selftest` as a person types it: trials, JSON, and its refusal while a table has the devices."""

import json
import signal
import subprocess
import sys

import pytest
from click.testing import CliRunner

from pegboard.cli import selftest_command
from pegboard.cli.main import main
from pegboard.cli.selftest_command import require_free
from pegboard.errors import NotNow
from tests.support.program import Service


def selftest(*words, state):
    return CliRunner().invoke(main, ["selftest", *words, "--state", str(state)])


def test_json_lists_name_ok_sentence_and_remedy_of_each(tmp_path):
    ended = selftest("--mock", "--json", state=tmp_path)
    found = json.loads(ended.output)
    assert [set(one) for one in found] == [{"name", "ok", "sentence", "remedy"}] * len(found)
    assert [one["name"] for one in found] == ["pins", "I2C", "SPI", "journal", "disk", "clock"]
    assert (ended.exit_code, all(one["ok"] for one in found)) == (0, True)


def test_json_of_what_is_wrong_has_its_remedy_and_the_status(tmp_path):
    config = tmp_path / "pegboard.toml"
    config.write_text('[oled]\nchip = "ssd1305"\n')
    ended = selftest("--mock", "--json", "--config", str(config), state=tmp_path)
    assert ended.exit_code == 1
    panel = next(one for one in json.loads(ended.output) if not one["ok"])
    assert panel["name"] == "I2C"
    assert "unknown OLED chip 'ssd1305'" in panel["sentence"]
    assert panel["remedy"].endswith("use ssd1306, ssd1309, sh1106, ssd1327, ssd1351")


def test_remedy_that_the_sentence_has_not_told_stands_below_it(tmp_path, monkeypatch, capsys):
    from hardware.selftest.finding import Finding  # noqa: PLC0415 - beside what it is for

    good = selftest_command.tell(
        [Finding("I2C", True, "slow", "faster"), Finding("SPI", False, "off; switch it on", "switch it on")],
        as_json=False,
    )
    assert not good
    assert capsys.readouterr().out == "ok    I2C: slow\n      tip: faster\nFAIL  SPI: off; switch it on\n"


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("trial", "line"),
    [
        ("--keys", "Press each key in turn; press Ctrl-C to stop."),
        ("--leds", "LED 1 of 242: lane a, hole 1"),
        ("--panel", "The panel shows a test picture. Press Ctrl-C to stop."),
    ],
)
def test_trial_ends_in_order_at_ctrl_c(tmp_path, trial, line):
    command = [sys.executable, "-u", "-m", "pegboard", "selftest", "--mock", trial, "--state", str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        said = []
        for row in process.stdout:
            said.append(row)
            if line in row:
                break
        process.send_signal(signal.SIGINT)
        rest = process.communicate(timeout=60)[0]
    assert line in said[-1]
    assert "Traceback" not in rest
    assert process.returncode == 0


@pytest.mark.parametrize("more", ["--json", "--dark"])
def test_trial_goes_with_no_other_form(tmp_path, more):
    ended = selftest("--mock", "--leds", more, state=tmp_path)
    assert ended.exit_code == 2
    assert "--leds cannot be combined with --dark or --json" in ended.output


def test_devices_that_the_service_drives_are_left_alone(tmp_path):
    with pytest.raises(NotNow) as refused:
        require_free(tmp_path, is_active=lambda: True)
    assert str(refused.value) == (
        "a table is running and using the devices; stop it: sudo systemctl stop pegboard.socket pegboard.service"
    )


def test_devices_of_a_table_in_a_terminal_are_left_alone(tmp_path):
    with (
        Service(tmp_path / "state"),
        pytest.raises(NotNow, match=r"using the devices; stop it: press Ctrl-C in its terminal"),
    ):
        require_free(tmp_path / "state", is_active=lambda: False)
    require_free(tmp_path / "state", is_active=lambda: False)


def test_folder_that_is_not_there_is_not_made(tmp_path):
    require_free(tmp_path / "state", is_active=lambda: False)
    assert not (tmp_path / "state").exists()


def test_refusal_is_one_sentence_with_status_1(tmp_path, monkeypatch):
    monkeypatch.setattr("pegboard.cli.main.on_a_pi", lambda: True)
    monkeypatch.setattr(selftest_command, "_is_service_active", lambda: True)
    ended = selftest(state=tmp_path)
    assert ended.exit_code == 1
    assert ended.output.startswith("pegboard: a table is running and using the devices")
