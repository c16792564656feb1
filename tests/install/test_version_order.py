"""Which of two versions is the newer one, as Python's packaging and Debian's dpkg have it."""

import itertools
import subprocess

import pytest
from packaging.version import Version

from pegboard.install.host import Build, is_newer, version_order
from pegboard.install.installed_versions import require_newer
from pegboard.install.package_file import InstallError, file_name

IN_ORDER = (
    *("0.9.2", "1.5.0.dev3", "1.5.0a1.dev1", "1.5.0a1", "1.5.0b2", "1.5.0rc1.dev2", "1.5.0rc1", "1.5.0rc1.post1"),
    *("1.5.0rc2", "1.5.0", "1.5.0+g1a2b3c4", "1.5.0+2", "1.5.0.post1.dev1", "1.5.0.post1", "1.5.1", "1.10.0"),
    "2.0.0rc1",
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
    require_newer("file", Build("1.5.0", 0), Build("1.5.0~rc1", 0))
    with pytest.raises(InstallError, match="is already running"):
        require_newer("file", Build("1.5.0~rc1", 1), Build("1.5.0", 0))


BETWEEN = ("0.2.0", "0.2.0+g1a2b3c4", "0.2.1.dev1", "0.2.1", "0.3.0")


def test_a_build_between_releases_comes_after_its_release_and_before_the_next():
    assert list(BETWEEN) == sorted(BETWEEN, key=Version) == sorted(BETWEEN, key=version_order)
    for older, newer in itertools.pairwise([one for one in BETWEEN if "dev" not in one]):
        assert subprocess.run(["dpkg", "--compare-versions", older, "lt", newer], check=False).returncode == 0
        assert is_newer(Build(newer, 1), Build(older, 2 if older[:5] != newer[:5] else 0))


def test_the_letters_of_two_commits_say_nothing_of_their_order():
    builds = ("0.2.0+g0000001", "0.2.0+gabcdef0", "0.2.0+gb3c4a12", "0.2.0+gb3c4a12.dirty")
    assert len(set(map(version_order, builds))) == 1
    assert version_order("0.2.0+g1a2b3cz") != version_order("0.2.0+g1a2b3c4"), "no commit"


COMMIT, OTHER = "0.2.0+gfffffff", "0.2.0+g0000000"


@pytest.mark.parametrize("versions", [(COMMIT, OTHER), (OTHER, COMMIT), (COMMIT, "0.2.0"), ("0.2.0", COMMIT)])
def test_of_two_builds_of_one_release_the_later_commit_is_newer(versions):
    older, newer = Build(versions[0], 1795000000), Build(versions[1], 1795000001)
    assert is_newer(newer, older)
    assert not is_newer(older, newer)
    assert not is_newer(Build(newer.version, older.source_time), older), "of the same second"


def test_the_same_version_built_later_is_not_newer():
    for version in ("0.2.0", COMMIT):
        assert not is_newer(Build(version, 2), Build(version, 1))


def test_files_are_ordered_by_the_versions_in_their_names():
    assert sorted(map(file_name, reversed(IN_ORDER)), key=version_order) == list(map(file_name, IN_ORDER))
