"""What a device says of its settings is in every catalog, for the pages that tell how the devices are."""

import ast
from pathlib import Path

from pegboard.messages import TRANSLATED

ROOT = Path(__file__).parents[3]

ENGLISH = {"device_oled_contrast", "device_picture_size", "pin_beyond"}
"""What the settings file itself is refused for before a device is asked, in the words of the terminal."""


def refusals_of_settings():
    """The keys with which devices refuse a value of the settings."""
    for path in sorted((ROOT / "hardware").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "DeviceError" and len(node.args) > 1:
                yield from (each.value for each in ast.walk(node.args[0]) if isinstance(each, ast.Constant))


def messages_of(file, function):
    """The keys of the messages that a function makes."""
    tree = ast.parse((ROOT / file).read_text("utf-8"))
    made = next(node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name == function)
    for node in ast.walk(made):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "Message":
            yield from (each.value for each in ast.walk(node.args[0]) if isinstance(each, ast.Constant))


def test_what_a_device_says_of_its_settings_is_translated():
    found = {key for key in refusals_of_settings() if isinstance(key, str) and key != ""}
    assert len(found) > 15
    assert sorted(found - TRANSLATED.keys() - ENGLISH) == []


def test_what_stands_in_it_is_translated():
    made = [
        *messages_of("hardware/pin_assignment.py", "_clash"),
        *messages_of("hardware/keys/keypad.py", "_role_name"),
        *messages_of("hardware/strip/display.py", "_refuse_long"),
    ]
    assert len(made) > 6
    assert sorted(set(made) - TRANSLATED.keys()) == []


def test_devices_that_hang_are_told_of_in_every_language():
    assert {"device_hangs", "device_silent", "device_torn", "device_bus_stuck", "device_begins"} <= TRANSLATED.keys()
