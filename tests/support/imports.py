"""Which module imports which: at import time, inside functions and for types alike; and circles among them."""

import ast
import functools

from tests.support.source_code import PACKAGES, ROOT, files


@functools.cache
def modules():
    """Each module of the program by its dotted name, with its path."""
    return {name_of(path): ROOT / path for path in files(".py")}


def name_of(path):
    return path.removesuffix(".py").replace("/", ".").removesuffix(".__init__")


@functools.cache
def imported(name):
    """The modules that a module imports, those of libraries among them.

    Raises:
        AssertionError: an import is relative.
    """
    return frozenset(all_imported(name))


def all_imported(name):
    for node in ast.walk(ast.parse(modules()[name].read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name}: imports are written out"
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                yield whole if whole in modules() else node.module


def is_ours(name):
    return name.split(".")[0] in PACKAGES


@functools.cache
def arrows():
    """The other modules of the program that each module imports."""
    return {name: imported(name) & modules().keys() - {name} for name in modules()}


def find_circles(arrows):
    """The groups of names that lead to each other, by Tarjan's algorithm; `arrows` holds where each name leads."""
    index, lowest, stack, circles = {}, {}, [], []

    def visit(node):
        index[node] = lowest[node] = len(index)
        stack.append(node)
        for other in sorted(arrows.get(node, ())):
            if other not in index:
                visit(other)
            if other in stack:
                lowest[node] = min(lowest[node], lowest[other])
        if lowest[node] == index[node]:
            start = stack.index(node)
            circles.append(sorted(stack[start:]))
            del stack[start:]

    for node in sorted(arrows):
        if node not in index:
            visit(node)
    return [circle for circle in circles if len(circle) > 1]
