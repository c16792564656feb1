"""The folder of a release: what is in it, its notes and checksums, and that it is built from a commit."""

import json
import subprocess
import sys
import tarfile
import zipfile

import pytest

from pegboard.install.building import __main__ as build_command
from pegboard.install.building import source, tree
from pegboard.install.building.source import ROOT, BuildError, make_key
from pegboard.install.building.tree import build_source_archive, build_wheel, checksums, release_notes
from tests.support.git_in_folder import git_in

CHANGELOG = """\
# Changelog

All notable changes.

## [Unreleased]

## [0.2.0] - 2026-11-29

### Added

* A hub.
* Updates, as in [the manual][1].

## [0.1.0] - 2026-11-22

The first version.

[1]: https://example.org/manual
[0.2.0]: https://example.org/0.2.0
"""

NOTES = "# pegboard 0.2.0 (2026-11-29)\n\n### Added\n\n* A hub.\n* Updates, as in [the manual][1].\n"


def test_the_notes_of_a_release_are_its_section_of_the_changelog():
    assert release_notes(CHANGELOG, "0.2.0") == NOTES
    assert release_notes(CHANGELOG, "0.1.0") == "# pegboard 0.1.0 (2026-11-22)\n\nThe first version.\n"


def test_a_build_between_releases_has_the_notes_of_what_is_unreleased_or_of_its_release():
    assert release_notes(CHANGELOG, "0.2.0+g1a2b3c4") == NOTES.replace("0.2.0", "0.2.0+g1a2b3c4", 1)
    later = CHANGELOG.replace("## [Unreleased]\n", "## [Unreleased]\n\n* Quicker.\n")
    assert release_notes(later, "0.2.0+g1a2b3c4") == "# pegboard 0.2.0+g1a2b3c4\n\n* Quicker.\n"
    assert release_notes(later, "0.2.0") == NOTES


def test_links_to_pages_of_the_source_become_their_names_for_notes_stand_alone():
    text = "## [0.2.0]\n\n* [A demo](docs/tournament.md#demo); [more](https://example.org) ([how](docs/hub.md)).\n"
    assert release_notes(text, "0.2.0") == (
        "# pegboard 0.2.0\n\n* A demo (docs/tournament.md); [more](https://example.org) (how: docs/hub.md).\n\n"
        "The pages in docs are in pegboard-0.2.0.tar.gz.\n"
    )


@pytest.mark.parametrize("version", ["0.3.0", "0.2", "0.3.0+g1a2b3c4"])
def test_a_version_without_a_section_is_refused(version):
    with pytest.raises(BuildError, match=r"CHANGELOG\.md says nothing about 0\.[23](\.0)?; give it a section"):
        release_notes(CHANGELOG, version)


def test_the_changelog_has_notes_for_this_version():
    notes = release_notes((ROOT / "CHANGELOG.md").read_text("utf-8"), source.version())
    assert 3 < len(notes.splitlines()) <= 62


def test_checksums_are_those_that_sha256sum_checks(tmp_path):
    for name in ("b.whl", "a.deb", "SHA256SUMS"):
        (tmp_path / name).write_bytes(name.encode())
    (tmp_path / "SHA256SUMS").write_text(checksums(tmp_path))
    command = ["sha256sum", "--check", "--strict", "SHA256SUMS"]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout) == (0, "a.deb: OK\nb.whl: OK\n")
    (tmp_path / "a.deb").write_bytes(b"another")
    assert subprocess.run(command, cwd=tmp_path, capture_output=True, check=False).returncode == 1


# --- the source ---


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    """A small repository in place of this one; a function that runs git in it."""
    folder = tmp_path / "checkout"
    folder.mkdir()
    (folder / "pyproject.toml").write_text('[project]\nname = "pegboard"\nversion = "0.2.0"\n')
    monkeypatch.setattr(source, "ROOT", folder)
    git = git_in(folder)
    git("add", "pyproject.toml")
    git("commit", "-q", "-m", "first")
    return git


def test_the_version_of_a_source_is_its_release_at_the_tag_and_has_the_commit_between(checkout):
    commit = checkout("rev-parse", "HEAD")[:7]
    assert source.version() == f"0.2.0+g{commit}"
    checkout("tag", "v0.2.0")
    assert source.version() == "0.2.0"


@pytest.mark.parametrize("name", ["pyproject.toml", "docs/new.md"])
def test_a_changed_or_new_file_makes_a_build_dirty_and_a_release_impossible(checkout, name):
    checkout("tag", "v0.2.0")
    source.require_unchanged()
    (source.ROOT / "docs").mkdir()
    (source.ROOT / "first.pem").touch()
    assert source.version() == "0.2.0", "a file that no archive takes changes nothing"
    with (source.ROOT / name).open("a") as file:
        file.write("\n")
    assert source.version() == f"0.2.0+g{checkout('rev-parse', 'HEAD')[:7]}.dirty"
    with pytest.raises(BuildError, match=f"commit or remove your changes first: {name}$"):
        source.require_unchanged()
    (source.ROOT / "Makefile").touch()
    with pytest.raises(BuildError, match=r"and 1 more$"):
        source.require_unchanged()


def test_a_source_without_git_has_the_plain_version(checkout):
    (source.ROOT / ".git").rename(source.ROOT / "no git")
    assert source.version() == "0.2.0"
    source.require_unchanged()


def built_wheel(folder, version):
    """A wheel that holds nothing but what a source archive takes of it."""
    wheel = folder / f"pegboard-{version}-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr(f"pegboard-{version}.dist-info/METADATA", f"Name: pegboard\nVersion: {version}\n")
    return wheel


def test_a_source_archive_holds_what_runs_builds_and_tests_it_under_its_version(tmp_path, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1795000000")
    archive = build_source_archive(tmp_path, built_wheel(tmp_path, "0.2.0+g1a2b3c4"))
    assert archive.name == "pegboard-0.2.0+g1a2b3c4.tar.gz"
    with tarfile.open(archive) as files:
        entries = {entry.name.partition("/")[2]: entry for entry in files}
        project = files.extractfile("pegboard-0.2.0+g1a2b3c4/pyproject.toml").read().decode()
    assert {entry.name.partition("/")[0] for entry in entries.values()} == {"pegboard-0.2.0+g1a2b3c4"}
    assert {"PKG-INFO", "Makefile", "CHANGELOG.md", "tests/install/test_release.py", "systemd/pegboard.service"} <= {
        *entries
    }
    assert not [name for name in entries if "__pycache__" in name or name.startswith((".git", ".venv", "dist"))]
    assert {entry.mtime for entry in entries.values()} == {1795000000}
    assert (entries["tests/debian-packages"].mode, entries["README.md"].mode) == (0o755, 0o644)
    assert '\nversion = "0.2.0+g1a2b3c4"\n' in project


def test_two_source_archives_of_one_source_are_the_same_bytes(tmp_path, monkeypatch):
    monkeypatch.setattr(tree, "SOURCE", ("pyproject.toml", "systemd"))
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1795000000")
    wheel = built_wheel(tmp_path, "0.2.0")
    first = build_source_archive(tmp_path, wheel).read_bytes()
    assert build_source_archive(tmp_path, wheel).read_bytes() == first


@pytest.mark.long
def test_pip_builds_the_same_wheel_from_the_source_archive(tmp_path, monkeypatch):
    monkeypatch.setattr(tree, "SOURCE", source.BUILT)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1795000000")
    wheel = build_wheel(tmp_path / "ours", "0.2.0+g1a2b3c4")
    archive = build_source_archive(tmp_path, wheel)
    pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--no-cache-dir"]
    subprocess.run([*pip, "--wheel-dir", tmp_path, archive], umask=0o022, check=True)
    assert (tmp_path / wheel.name).read_bytes() == wheel.read_bytes()


# --- the folder ---


@pytest.fixture
def release(tmp_path, monkeypatch):
    """A function that releases version 0.2.0, whose wheel and package hold nothing; what is printed, and the folder."""
    make_key(tmp_path / "key.pem")

    def package(folder, _wheel):
        path = folder / "pegboard_0.2.0_all.deb"
        path.write_bytes(b"!<arch>\n")
        path.with_name(f"{path.name}.cdx.json").touch()
        return path

    monkeypatch.setattr(build_command, "build_wheel", built_wheel)
    monkeypatch.setattr(build_command, "build_package", package)
    monkeypatch.setattr(build_command, "require_unchanged", lambda: None)
    monkeypatch.setattr(tree, "SOURCE", ("pyproject.toml", "CHANGELOG.md"))
    words = ["--folder", tmp_path / "dist", "--as-version", "0.2.0", "release", tmp_path / "key.pem"]
    monkeypatch.setattr("sys.argv", ["building", *map(str, words)])
    return build_command.main


IN_A_RELEASE = [
    "RELEASE_NOTES.md",
    "SHA256SUMS",
    "pegboard-0.2.0-py3-none-any.whl",
    "pegboard-0.2.0-py3-none-any.whl.cdx.json",
    "pegboard-0.2.0.tar.gz",
    "pegboard_0.2.0_all.deb",
    "pegboard_0.2.0_all.deb.cdx.json",
]


def test_a_release_is_one_folder_with_all_that_is_handed_out(release, tmp_path, capsys):
    folder = tmp_path / "dist" / "pegboard-0.2.0"
    folder.mkdir(parents=True)
    (folder / "left over").touch()
    release()
    assert sorted(path.name for path in folder.iterdir()) == IN_A_RELEASE
    assert [path.name for path in (tmp_path / "dist").iterdir()] == ["pegboard-0.2.0"]
    printed = [line.split()[0] for line in capsys.readouterr().out.splitlines()]
    assert printed == [str(folder / name) for name in IN_A_RELEASE]
    assert (folder / "RELEASE_NOTES.md").read_text("utf-8").startswith("# pegboard 0.2.0 (20")
    assert (folder / "SHA256SUMS").read_text() == checksums(folder), "of the signed package"
    assert b"_pegboard.sig" in (folder / "pegboard_0.2.0_all.deb").read_bytes()
    bill = json.loads((folder / "pegboard-0.2.0-py3-none-any.whl.cdx.json").read_text("utf-8"))
    assert bill["metadata"]["component"]["version"] == "0.2.0"


def test_a_release_that_cannot_be_built_leaves_the_last_one(release, tmp_path, monkeypatch):
    kept = tmp_path / "dist" / "pegboard-0.2.0" / "SHA256SUMS"
    kept.parent.mkdir(parents=True)
    kept.touch()
    (tmp_path / "key.pem").write_text("no key")
    with pytest.raises(SystemExit, match="cannot be read as a private key"):
        release()
    assert [path for path in (tmp_path / "dist").rglob("*") if path.is_file()] == [kept]
