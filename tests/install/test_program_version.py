"""The version that a checkout shows: with its commit between releases, plain at the tag of a release or without git."""

import os

import pytest
from packaging.version import Version

from pegboard.install import program_version
from pegboard.install.program_version import with_commit
from tests.support.git_in_folder import git_in


class Checkout:
    """A repository with one commit."""

    def __init__(self, folder):
        self.folder = folder
        folder.mkdir()
        self.git = git_in(folder)
        self.commit("first")

    def commit(self, subject):
        self.git("commit", "-q", "--allow-empty", "-m", subject)

    @property
    def short(self):
        return self.git("rev-parse", "HEAD")[:7]


@pytest.fixture
def checkout(tmp_path):
    return Checkout(tmp_path / "checkout")


def test_a_checkout_adds_the_first_seven_digits_of_its_commit(checkout):
    version = with_commit("0.2.0", checkout.folder)
    assert version == f"0.2.0+g{checkout.short}"
    assert str(Version(version)) == version, "as PEP 440 writes it"


@pytest.mark.parametrize("how", [["tag"], ["tag", "--annotate", "--message", "the release"]])
@pytest.mark.parametrize("is_packed", [False, True])
def test_the_tagged_commit_is_the_release_and_the_next_is_not(checkout, how, is_packed):
    checkout.git(*how, "v0.2.0")
    if is_packed:
        checkout.git("gc", "-q")
    assert with_commit("0.2.0", checkout.folder) == "0.2.0"
    checkout.commit("second")
    assert with_commit("0.2.0", checkout.folder) == f"0.2.0+g{checkout.short}"


def test_the_tag_of_another_release_makes_no_release(checkout):
    checkout.git("tag", "v0.1.0")
    assert with_commit("0.2.0", checkout.folder) == f"0.2.0+g{checkout.short}"


def test_a_changed_source_is_dirty_also_at_the_tag(checkout):
    checkout.git("tag", "v0.2.0")
    assert with_commit("0.2.0", checkout.folder, is_changed=True) == f"0.2.0+g{checkout.short}.dirty"


def test_another_working_tree_of_a_repository_shows_its_own_commit(checkout, tmp_path):
    checkout.git("worktree", "add", "-q", tmp_path / "other")
    checkout.commit("second")
    checkout.git("-C", tmp_path / "other", "tag", "v0.2.0")
    assert with_commit("0.2.0", tmp_path / "other") == "0.2.0"
    assert with_commit("0.2.0", checkout.folder) == f"0.2.0+g{checkout.short}"


@pytest.mark.parametrize("version", ["0.2.0+g1a2b3c4", "0.2.0+1"])
def test_a_version_that_names_its_build_stays(checkout, version):
    assert with_commit(version, checkout.folder) == version


def test_a_folder_without_git_shows_the_plain_version(tmp_path):
    (tmp_path / ".git").mkdir()
    assert with_commit("0.2.0", tmp_path) == "0.2.0", "an empty repository"
    assert with_commit("0.2.0", tmp_path / "source archive") == "0.2.0"


@pytest.mark.parametrize("script", [None, "exit 128", "exec sleep 5"])
def test_a_git_that_is_missing_fails_or_hangs_leaves_the_plain_version(checkout, tmp_path, monkeypatch, script):
    (tmp_path / "bin").mkdir()
    if script is not None:
        (tmp_path / "bin" / "git").write_text(f"#!/bin/sh\nPATH={os.environ['PATH']}\n{script}\n")
        (tmp_path / "bin" / "git").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setattr(program_version, "GIT_S", 0.2)
    assert with_commit("0.2.0", checkout.folder) == "0.2.0"
