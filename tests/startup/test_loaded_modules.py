"""What a start loads: nothing that only other commands or other machines need."""

import subprocess
import sys

import pytest

from pegboard.cli.main import ELSEWHERE, main


def loaded_by(statement):
    """The names of all modules that a new interpreter has after a statement."""
    words = [sys.executable, "-c", f"import sys; {statement}; print(*sys.modules)"]
    return set(subprocess.run(words, capture_output=True, text=True, check=True).stdout.split())


def test_a_table_that_starts_loads_no_other_command():
    loaded = loaded_by("import pegboard.cli.main")
    assert "pegboard.startup.bootstrap" in loaded
    assert loaded.isdisjoint(place.partition(":")[0] for place in ELSEWHERE.values())
    assert loaded.isdisjoint({"babel", "cryptography", "flask", "paho", "PIL", "rich", "sqlalchemy", "uvicorn"})


@pytest.mark.parametrize("name", ELSEWHERE)
def test_a_command_is_listed_by_the_name_that_it_has(name):
    assert main.commands[name].name == name


def test_displays_on_simulated_buses_load_none_of_a_pi():
    loaded = loaded_by("import hardware.oled.display, hardware.strip.display")
    assert loaded.isdisjoint({"hardware.buses.pi", "smbus2", "spidev", "gpiod"})
