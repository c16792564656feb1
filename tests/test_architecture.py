"""The arrows between the rooms: who may import whom, read from the source itself."""

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
OURS = {"pegboard", "web", "hardware"}
PURE = {"collections", "dataclasses", "enum", "functools", "itertools", "math", "types", "typing"}
WHOLE = {"pegboard.cli", "pegboard.__main__"}


def modules():
    for room in OURS:
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


def allowed(name, other):
    room = other.split(".")[0]
    if name.startswith("pegboard.core"):
        return other.startswith("pegboard.core") or other == "pegboard.errors" or room in PURE
    if name == "pegboard.errors":
        return room in PURE
    if name in WHOLE:
        return True
    if name in {"pegboard.feed", "pegboard.config"}:
        return room in sys.stdlib_module_names or other.startswith(("pegboard.core", "pegboard.errors"))
    if name.startswith("pegboard"):
        return room in sys.stdlib_module_names or room in {"pegboard", "rich"}
    return room not in OURS or room in {"pegboard", name.split(".")[0]}


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
