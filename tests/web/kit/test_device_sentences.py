"""What a device says of its settings is in every catalog, for the pages that tell how the devices are."""

import ast
from pathlib import Path

import pytest

from pegboard.messages import MESSAGES, TRANSLATED
from web.kit.i18n import FIRST_REFUSAL, messages

ROOT = Path(__file__).parents[3]

FOLLOWING = {
    f"{name}.html"
    for name in ("bench", "board", "count", "game", "health", "history", "join", "phone", "play", "rules", "settings")
} | {"stats.html", "tablet.html"}
"""The pages that follow the table, and say what ails a device."""

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


def keys_at(file, name):
    """The key of the message that a constant is."""
    for node in ast.parse((ROOT / file).read_text("utf-8")).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == name:
            yield from (each.value for each in ast.walk(node.value) if isinstance(each, ast.Constant))


def test_what_a_device_says_of_its_settings_is_translated():
    found = {key for key in refusals_of_settings() if isinstance(key, str) and key != ""}
    assert len(found) > 15
    assert sorted(found - TRANSLATED.keys() - ENGLISH) == []


def test_what_stands_in_it_is_translated():
    made = [
        *messages_of("hardware/pin_assignment.py", "_clash"),
        *messages_of("hardware/keys/keypad.py", "role_name"),
        *messages_of("hardware/strip/display.py", "_check_frame_size"),
    ]
    assert len(made) > 6
    assert sorted(set(made) - TRANSLATED.keys()) == []


@pytest.mark.parametrize("template", sorted(FOLLOWING))
def test_what_a_running_device_suffers_is_translated_for_every_page_that_shows_it(template):
    made = {
        *keys_at("pegboard/devices/health.py", "HANGS"),
        *messages_of("hardware/display_thread.py", "_error_message"),
        *(key for key in MESSAGES if key.startswith("trouble_")),
    }
    made &= MESSAGES.keys()
    assert len(made) == 20
    told = messages("fr", template) | messages("fr", FIRST_REFUSAL)
    assert {key for key in made if f"refusals.{key}" not in told} == {"device_no_answer"}
