"""The state folder is its owner's alone, and no link in it is followed."""

import errno
import fcntl
import os
import stat

import pytest

from pegboard.errors import JournalError, JournalInUse
from pegboard.storage.journal.journal import Journal
from pegboard.storage.schema import lock_folder
from pegboard.storage.state_files import replace_file


def mode(path):
    return stat.S_IMODE(path.lstat().st_mode)


@pytest.fixture(autouse=True)
def _open_umask():
    """As a user may have it who shares files with a group."""
    before = os.umask(0o002)
    yield
    os.umask(before)


def test_new_folder_and_its_files_are_the_owners_alone(tmp_path):
    folder = tmp_path / "table"
    with Journal(folder):
        assert mode(folder) == 0o700
        assert {path.name: mode(path) for path in folder.iterdir()} == dict.fromkeys(
            ("journal.db", "journal.db-shm", "journal.db-wal", "journal.mark", "lock"), 0o600
        )
        replace_file(folder / "brightness.json", "{}")
        assert mode(folder / "brightness.json") == 0o600


def test_small_file_is_on_disk_before_it_takes_the_place_of_the_old_one(tmp_path, monkeypatch):
    path, synced = tmp_path / "brightness.json", list[str]()
    replace_file(path, "old")
    monkeypatch.setattr(os, "fsync", lambda _: synced.append(path.with_suffix(".new").read_text() + path.read_text()))
    replace_file(path, "new")
    assert (synced, path.read_text()) == (["newold"], "new")


@pytest.mark.parametrize("bits", [0o644, 0o777, 0o400, 0o000])
def test_folder_of_an_older_version_is_taken_from_the_others(tmp_path, bits):
    folder = tmp_path / "table"
    with Journal(folder):
        pass
    folder.chmod(0o755)
    for path in folder.iterdir():
        path.chmod(bits)
    with Journal(folder):
        assert mode(folder) == 0o700
        assert {mode(path) for path in folder.iterdir()} == {0o600}


def test_backups_and_quarantine_are_taken_from_the_others_too(tmp_path):
    folder, room, other = tmp_path / "table", tmp_path / "table/quarantine/then", tmp_path / "table/photos"
    with Journal(folder):
        pass
    for place in (folder / "backups", room, other):
        place.mkdir(parents=True)
        (place / "file").touch()
        for path in (place, place / "file"):
            path.chmod(0o777)
    (folder / "backups" / "link").symlink_to(other / "file")
    with Journal(folder):
        assert {mode(path) for path in (folder / "backups", folder / "quarantine", room)} == {0o700}
        assert {mode(path / "file") for path in (folder / "backups", room)} == {0o600}
        assert (mode(other), mode(other / "file")) == (0o777, 0o777), "of something else"


def test_folder_of_others_stays_theirs(tmp_path):
    """One that was there and has no scores yet, or that everyone writes into."""
    for bits in (0o755, 0o1777):
        folder = tmp_path / oct(bits)
        folder.mkdir()
        folder.chmod(bits)
        for _ in range(2 if bits == 0o1777 else 1):
            with Journal(folder):
                assert mode(folder) == bits


@pytest.mark.parametrize("name", ["lock", "journal.db", "brightness.new"])
def test_no_link_is_followed(tmp_path, name):
    victim, folder = tmp_path / "victim", tmp_path / "table"
    victim.write_text("precious")
    folder.mkdir()
    (folder / name).symlink_to(victim)
    write = (lambda: replace_file(folder / "brightness.json", "{}")) if "new" in name else (lambda: Journal(folder))
    with pytest.raises((JournalError, OSError)):
        write()
    assert victim.read_text() == "precious"
    assert mode(victim) == 0o664


def test_pipe_in_place_of_the_lock_keeps_nobody_waiting(tmp_path):
    os.mkfifo(tmp_path / "lock")
    with pytest.raises(JournalError, match="lock is not a regular file"):
        lock_folder(tmp_path)


def test_lock_of_another_says_who_has_it(tmp_path):
    with Journal(tmp_path), pytest.raises(JournalInUse, match=f"process {os.getpid()}"):
        Journal(tmp_path)


def test_file_system_without_locks_is_said(tmp_path, monkeypatch):
    def refuse(*_):
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(fcntl, "flock", refuse)
    with pytest.raises(JournalError, match="without file locks") as refused:
        Journal(tmp_path)
    assert not isinstance(refused.value, JournalInUse)
