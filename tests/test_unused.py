"""Nothing stands in the program that only tests call: such code promises what nobody gets.

A name that stands nowhere in the program but where it is defined is called by nothing. Words in strings count as well,
for commands, templates and units name functions. What a module defines outside its classes must be used there, or by
a module that imports it: the same name elsewhere does not count.
"""

import ast
import re
from pathlib import Path

from tests.support import source_code
from tests.support.imports import name_of

ROOT = Path(__file__).parents[1]
CALLED = ("pegboard/", "web/")
"""A device package is called by what a plug-in has, so its own names are not looked at."""

BESIDE = (*(ROOT / "web" / "templates").rglob("*.html"), *(ROOT / "systemd").iterdir(), ROOT / "pyproject.toml")
"""Files in other languages that name functions."""

CALLED_FROM_OUTSIDE = {
    "format_epilog": "click",
    "shell_complete": "click",
    "redirect_request": "urllib",
    "send_400_response": "uvicorn",
}
"""Methods that a library calls on classes derived from its own."""

FOR_CHECKS = {
    "is_allowed": "licenses of everything that is shipped, looked at by the tests of the supply chain",
    "voided_rows": "what a test of refused events finds in the journal, beside the statement that writes it",
    "anchors": "what the rules page can be asked for, looked at with the texts of all languages",
}
"""What stands in the program though only tests call it."""

CONSTANTS_FOR_CHECKS = {
    ("pegboard.install.building.licenses", "USED_LICENSES"),
    ("pegboard.watchdog", "PARTS"),
}
"""Lists that are complete for the sake of tests."""

OWN_DECORATORS = {"dataclass", "property", "staticmethod", "classmethod", "abstractmethod", "lru_cache", "cache"}
"""Decorators that hand a function to nobody else."""


def test_whatever_is_defined_is_called():
    named = {word for path in BESIDE for word in re.findall(r"\w+", path.read_text("utf-8"))}
    named |= {name for _, nodes in source_code.python() for name in names_in(nodes)}
    defined = {name for path, nodes in source_code.python() if path.startswith(CALLED) for name in names_defined(nodes)}
    unused = defined - named
    assert sorted(unused - CALLED_FROM_OUTSIDE.keys() - FOR_CHECKS.keys()) == []
    assert sorted((CALLED_FROM_OUTSIDE.keys() | FOR_CHECKS.keys()) - unused) == [], "they are called by now, or gone"


def test_what_a_module_defines_is_used_there_or_where_it_is_imported():
    written = {word for path in BESIDE for word in CODE.findall(path.read_text("utf-8"))}
    used, defined = set(), set()
    for path, nodes in source_code.python():
        used.update(names_used(name_of(path), nodes))
        written.update(words_of_code(nodes))
        if path.startswith(CALLED):
            defined.update((name_of(path), name) for name in names_of_module(nodes[0].body))
    unused = {(module, name) for module, name in defined - used if name not in written}
    assert sorted((module, name) for module, name in unused - CONSTANTS_FOR_CHECKS if name not in FOR_CHECKS) == []
    assert unused >= CONSTANTS_FOR_CHECKS, "they are used by now, or gone"


CODE = re.compile(r"(?<=[.:])\w+|\w+(?=\()|(?<=import )\w+|^[A-Z]\w+$")
"""How a template, a unit or a string names a function or class."""


def words_of_code(nodes):
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from CODE.findall(node.value)


def names_used(name, nodes):
    """Names that a module uses, each with the module that defines it."""
    known = {}
    for node in nodes:
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                yield node.module, alias.name
                known[alias.asname or alias.name] = f"{node.module}.{alias.name}"
        elif isinstance(node, ast.Import):
            known |= {alias.asname: alias.name for alias in node.names if alias.asname}
    for node in nodes:
        match node:
            case ast.Name(id=word, ctx=ast.Load()):
                yield name, word
            case ast.Attribute(value=ast.Name(id=of), attr=word) if of in known:
                yield known[of], word


def names_of_module(body):
    """Functions, classes and constants, but for several constants at once."""
    yield from names_defined(body)
    for node in body:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                if not name.startswith("__"):
                    yield name


def names_in(nodes):
    """Names that stand in code, and words in its strings but for docstrings."""
    bodies = [node.body for node in nodes if isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef)]
    docstrings = {id(body[0].value) for body in bodies if body and isinstance(body[0], ast.Expr)}
    found = set()
    for node in nodes:
        match node:
            case ast.Name(id=name, ctx=ast.Load()) | ast.Attribute(attr=name):
                found.add(name)
            case ast.Constant(value=str(text)) if id(node) not in docstrings:
                found.update(re.findall(r"\w+", text))
    return found


def names_defined(nodes):
    """Functions and classes, but for those that a decorator hands on, and that Python itself calls."""
    for node in nodes:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            handed_on = [one for one in node.decorator_list if name_of_decorator(one) not in OWN_DECORATORS]
            if not handed_on and not re.fullmatch(r"__\w+__", node.name):
                yield node.name


def name_of_decorator(decorator):
    called = decorator.func if isinstance(decorator, ast.Call) else decorator
    return called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
