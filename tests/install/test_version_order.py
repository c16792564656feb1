"""Which of two versions is the newer one, as Python's packaging and Debian's dpkg have it."""

import itertools
import subprocess

import pytest
from packaging.version import Version

from pegboard.install.version_order import version_order
from pegboard.install.versions.install_error import InstallError
from pegboard.install.versions.installed_versions import require_newer
from pegboard.install.versions.package_file import file_name

IN_ORDER = (
    *("0.9.2", "1.5.0.dev3", "1.5.0a1.dev1", "1.5.0a1", "1.5.0b2", "1.5.0rc1.dev2", "1.5.0rc1", "1.5.0rc1.post1"),
    *("1.5.0rc2", "1.5.0", "1.5.0+2", "1.5.0.post1.dev1", "1.5.0.post1", "1.5.1", "1.10.0", "2.0.0rc1"),
)


def test_as_python_orders_its_releases():
    assert list(IN_ORDER) == sorted(IN_ORDER, key=Version) == sorted(IN_ORDER, key=version_order)
    assert Version("1.5") == Version("1.5.0")
    assert version_order("1.5") == version_order("1.5.0")


@pytest.mark.parametrize(
    ("older", "newer"),
    list(
        itertools.pairwise(
            (
                *("1.4.9", "1.5.0~bpo12+1", "1.5.0", "1.5.0+2", "1.5.0+10", "1.5.1~dev2", "1.5.1~rc1~dev3"),
                *("1.5.1~rc1", "1.5.1~rc2", "1.5.1"),
            )
        )
    ),
)
def test_as_debian_orders_its_packages(older, newer):
    assert subprocess.run(["dpkg", "--compare-versions", older, "lt", newer], check=False).returncode == 0
    assert version_order(older) < version_order(newer)


def test_a_release_follows_its_candidate_and_no_candidate_the_release():
    require_newer("file", "1.5.0", "1.5.0~rc1")
    with pytest.raises(InstallError, match="runs already"):
        require_newer("file", "1.5.0~rc1", "1.5.0")


def test_files_are_ordered_by_the_versions_in_their_names():
    assert sorted(map(file_name, reversed(IN_ORDER)), key=version_order) == list(map(file_name, IN_ORDER))
