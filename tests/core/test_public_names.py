"""The public names of the package: each is loaded from the module that defines it."""

from importlib import import_module

import pytest

import pegboard

ROWS = [(module, name) for module, names in pegboard._DEFINED_IN.items() for name in names.split()]


@pytest.mark.parametrize(("module", "name"), ROWS)
def test_a_public_name_comes_from_the_module_that_defines_it(module, name):
    value = getattr(import_module(module), name)
    assert getattr(value, "__module__", module) == module
    assert getattr(pegboard, name) is value


def test_each_public_name_has_one_row():
    assert sorted(name for _, name in ROWS) == sorted(pegboard.__all__)
