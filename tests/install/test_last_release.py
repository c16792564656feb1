"""The last release, which `make test-install` updates from, is found in the history of a checkout."""

import subprocess
from pathlib import Path

import pytest

from tests.support.git_in_folder import git_in

LAST_RELEASE = Path(__file__).parents[1] / "debian" / "last_release"


@pytest.fixture
def git(tmp_path):
    """A function that runs git in a small repository, whose version became 0.2.0 in its second commit of three."""
    run = git_in(tmp_path)
    for text in ('version = "0.1.0"\n', 'version = "0.2.0"\n', 'version = "0.2.0"\nlicense = "MIT"\n'):
        (tmp_path / "pyproject.toml").write_text(text)
        run("add", ".")
        run("commit", "-q", "-m", "change")
    return run


def find(folder):
    return subprocess.run([LAST_RELEASE], cwd=folder, capture_output=True, text=True, check=False)


def test_without_a_tag_it_is_the_commit_before_the_version_changed(git, tmp_path):
    assert find(tmp_path).stdout.strip() == git("rev-parse", "HEAD^^")
    git("tag", "v0.2.0")
    assert find(tmp_path).stdout.strip() == git("rev-parse", "HEAD^^"), "a release is not updated from itself"


def test_it_is_the_newest_tag_before_this_commit(git, tmp_path):
    git("tag", "v0.1.0", "HEAD^^")
    assert find(tmp_path).stdout == "v0.1.0\n"
    git("tag", "v0.2.0", "HEAD^")
    assert find(tmp_path).stdout == "v0.2.0\n"


def test_a_checkout_without_that_history_says_what_helps(git, tmp_path):
    shallow = tmp_path / "shallow"
    git("clone", "-q", "--depth=1", f"file://{tmp_path}", shallow)
    found = find(shallow)
    assert (found.returncode, found.stdout) == (1, "")
    assert "git fetch --unshallow --tags" in found.stderr
    assert "make test-install LAST=" in found.stderr
