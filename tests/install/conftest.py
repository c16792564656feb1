"""A workshop for packages, and a machine to install them on."""

import pytest

from tests.install.small_packages import Machine, Workshop


@pytest.fixture(scope="session")
def workshop(tmp_path_factory):
    return Workshop(tmp_path_factory.mktemp("workshop"))


@pytest.fixture
def machine(tmp_path, workshop):
    return Machine(tmp_path / "root", workshop)
