"""The arrows between the rooms: who may import whom, read from the source itself."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
OURS = {"pegboard", "web", "hardware"}
PURE = {
    "collections",
    "dataclasses",
    "difflib",
    "enum",
    "functools",
    "itertools",
    "math",
    "types",
    "typing",
    "unicodedata",
}
WHOLE = {
    f"pegboard.{name}"
    for name in ("cli", "bootstrap", "device_startup", "main_loop", "welcome", "already_running", "__main__")
}

MAY_IMPORT = {
    "pegboard": {"pegboard.core", "pegboard.errors"},
    "pegboard.core": {"pegboard.core", "pegboard.errors"},
    "pegboard.errors": set(),
    "pegboard.systemd": set(),
    "pegboard.nesting": set(),
    "pegboard.install": {"pegboard.install", "pegboard.machine"},
    "pegboard.machine": set(),
    "pegboard.config": {"pegboard.errors"},
    "pegboard.feed": {"pegboard.core"},
    "pegboard.brightness": {"pegboard.core", "pegboard.errors", "pegboard.state_file"},
    "pegboard.state_file": set(),
    "pegboard.table_settings": {"pegboard.config", "pegboard.state_file"},
    "pegboard.next_game": {
        "pegboard.core",
        "pegboard.errors",
        "pegboard.config",
        "pegboard.scoreboard",
        "pegboard.table_settings",
    },
    "pegboard.health": set(),
    "pegboard.asked": {"pegboard.health"},
    "pegboard.devices": {"pegboard.asked", "pegboard.core", "pegboard.health"},
    "pegboard.dialled": {"pegboard.core", "pegboard.errors"},
    "pegboard.corrected_names": {"pegboard.core"},
    "pegboard.summary": {"pegboard.core", "pegboard.corrected_names"},
    "pegboard.journal": {"pegboard.core", "pegboard.errors", "pegboard.corrected_names", "pegboard.summary"},
    "pegboard.history": {"pegboard.core", "pegboard.errors", "pegboard.journal", "pegboard.summary"},
    "pegboard.terminal": {"pegboard.core"},
    "pegboard.first_screen": {"pegboard.core", "pegboard.terminal"},
    "pegboard.counting": {"pegboard.core", "pegboard.errors"},
    "pegboard.commandline": {"pegboard.commandline", "pegboard.core", "pegboard.errors", "pegboard.machine"},
    "pegboard.counted": {"pegboard.core", "pegboard.errors"},
    "pegboard.import_workers": {"pegboard.brought", "pegboard.errors", "pegboard.journal", "pegboard.prompt"},
    "pegboard.brought": {
        "pegboard.core",
        "pegboard.errors",
        "pegboard.journal",
        "pegboard.nesting",
        "pegboard.summary",
    },
    "pegboard.exported": {"pegboard.core", "pegboard.history", "pegboard.journal"},
    "pegboard.table": {"pegboard.core", "pegboard.errors", "pegboard.journal"},
    "pegboard.scoreboard": {
        "pegboard.core",
        "pegboard.errors",
        "pegboard.dialled",
        "pegboard.feed",
        "pegboard.history",
        "pegboard.journal",
        "pegboard.table",
    },
    "hardware": {"hardware", "pegboard.core", "pegboard.errors", "pegboard.config", "pegboard.health"},
    "web": {
        "web",
        "pegboard.core",
        "pegboard.errors",
        "pegboard.brightness",
        "pegboard.config",
        "pegboard.counted",
        "pegboard.brought",
        "pegboard.devices",
        "pegboard.exported",
        "pegboard.feed",
        "pegboard.health",
        "pegboard.history",
        "pegboard.nesting",
        "pegboard.scoreboard",
    },
}
"""Each room, and the rooms of ours that it may import; a module's own row goes before its package's."""


def modules():
    for room in sorted(OURS):
        for path in sorted((ROOT / room).rglob("*.py")):
            name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
            yield name, path


def imported(path):
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are written out"
            yield node.module or ""


def within(name, room):
    return name == room or name.startswith(room + ".")


def allowed(name, other):
    if within(name, "pegboard.core") or name == "pegboard.errors":
        return other.split(".")[0] in PURE or any(within(other, room) for room in MAY_IMPORT[row_of(name)])
    if other.split(".")[0] not in OURS:
        return True
    return name in WHOLE or any(within(other, room) for room in MAY_IMPORT[row_of(name)])


def row_of(name):
    """The most particular row that a module falls under."""
    rows = [room for room in MAY_IMPORT if name == room or (room != "pegboard" and within(name, room))]
    assert rows, f"{name} has no row: say in MAY_IMPORT what it may import"
    return max(rows, key=len)


@pytest.mark.parametrize(("name", "path"), list(modules()), ids=lambda value: str(value) if "." in str(value) else None)
def test_arrows_point_one_way(name, path):
    wrong = sorted(other for other in imported(path) if not allowed(name, other))
    assert not wrong, f"{name} may not import {', '.join(wrong)}"


def test_only_the_journal_knows_sqlite():
    assert [name for name, path in modules() if "sqlite3" in imported(path)] == ["pegboard.journal"]


def test_only_the_command_line_knows_both_web_and_hardware():
    both = {"web", "hardware"}
    know = [name for name, path in modules() if both <= {other.split(".")[0] for other in imported(path)}]
    assert set(know) <= WHOLE


def test_each_package_opens_with_its_law():
    for room in ("pegboard", "pegboard/core", "web", "hardware"):
        law = ast.get_docstring(ast.parse((ROOT / room / "__init__.py").read_text("utf-8")))
        assert law, f"{room} has no law"
        assert "aw of this" in law, f"{room} does not state its law"


def test_no_function_of_the_core_reads_a_clock_or_throws_dice():
    forbidden = {"time", "random", "secrets", "os", "io", "threading", "datetime"}
    for name, path in modules():
        if name.startswith("pegboard.core"):
            assert not forbidden & {other.split(".")[0] for other in imported(path)}, name
