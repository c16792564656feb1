"""What the account of the scores plants in its folder leads root nowhere: nothing outside is read, made or changed."""

import itertools
import json
import os
import pwd
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from pegboard.storage.journal.journal import Journal
from pegboard.storage.rescue.backups import back_up
from tests.cli.test_state_owner import let_everybody_through
from tests.support import forked
from tests.support.long_runs import some_combinations
from web.access.pairing_codes import Codes
from web.access.sessions import secret

IS_ROOT = os.geteuid() == 0
SECRET_WORD = "only-root-reads-this"
WELCOME = """
from pathlib import Path
from pegboard.startup import welcome
welcome.WAIT_S = 0
welcome.welcome(Path({!r}))
"""
CODES = "from pathlib import Path; from web.access.pairing_codes import Codes; print(Codes(Path({!r})).scorer().text)"
SIGN = "from pathlib import Path; from web.access.sessions import secret; print(secret(Path({!r})))"
ACTS = {"welcome": WELCOME, "codes": CODES, "secret": SIGN}


def link(place: Path, theirs: Path) -> None:
    place.unlink(missing_ok=True)
    place.symlink_to(theirs)


def dangling(place: Path, theirs: Path) -> None:
    place.unlink(missing_ok=True)
    place.symlink_to(theirs.with_name("made"))


def hard_link(place: Path, theirs: Path) -> None:
    place.unlink(missing_ok=True)
    place.hardlink_to(theirs)


def pipe(place: Path, _theirs: Path) -> None:
    place.unlink(missing_ok=True)
    os.mkfifo(place)
    if IS_ROOT:
        os.lchown(place, *nobody())


def nobody() -> tuple[int, int]:
    found = pwd.getpwnam("nobody")
    return found.pw_uid, found.pw_gid


@pytest.fixture
def state(tmp_path: Path) -> Path:
    """A table's folder, nobody's where root plays, with codes and a secret."""
    folder = tmp_path / "state"
    folder.mkdir(mode=0o700)
    codes = Codes(folder)
    codes.register("http://127.0.0.1/", "127.0.0.1", "machine", is_open=False)  # no QR code: nobody may read segno
    codes.director()
    secret(folder)
    if IS_ROOT:
        let_everybody_through(tmp_path)
        for path in (folder, *folder.iterdir()):
            os.chown(path, *nobody())
    return folder


@pytest.fixture
def theirs(tmp_path: Path) -> Path:
    """A file that nobody but its owner reads, in a folder of its own; it has all that a file of codes has."""
    folder = tmp_path / "theirs"
    folder.mkdir(mode=0o755)
    table = {"url": f"http://{SECRET_WORD}/", "host": "x", "open": False, "lasts_s": 600.0, "pid": os.getpid()}
    values = {"epoch": SECRET_WORD, "scorer": [], "director": [], "wrong": 0, "table": table}
    path = folder / "shadow"
    path.write_text(json.dumps(values))
    path.chmod(0o600)
    return path


def facts(folder: Path) -> dict[str, tuple[object, ...]]:
    found = {path.name: (path.stat(), path.read_bytes()) for path in folder.iterdir()}
    return {
        name: (stat.st_uid, stat.st_gid, stat.st_mode, stat.st_size, stat.st_mtime_ns, content)
        for name, (stat, content) in found.items()
    }


def run(*words: str) -> subprocess.CompletedProcess[str]:
    if words[:2] == ("-m", "pegboard"):
        return forked.run(list(words[2:]))
    return subprocess.run([sys.executable, *words], capture_output=True, text=True, check=False, timeout=60)


PLACES = ("pairing.json", "pairing.json.lock", "pairing.json.new", "secret", "secret.new")


PLANTED = list(itertools.product([link, dangling, hard_link, pipe], PLACES))
"""What is planted, and where; every run tries each with one command, `make test-long` with all."""


@pytest.mark.sampled(least=3)
@pytest.mark.parametrize(
    ("planted", "command"), some_combinations(PLANTED, ["code", "code director", "unpair", "unpair --list"])
)
def test_a_command_of_root_follows_nothing_that_was_planted(
    state: Path, theirs: Path, planted: tuple[Callable[[Path, Path], None], str], command: str
):
    plant, name = planted
    if plant is hard_link and not IS_ROOT:
        pytest.skip("a hard link to a file of one's own is no attack")
    plant(state / name, theirs)
    before = facts(theirs.parent)
    ran = run("-m", "pegboard", *command.split(), "--state", str(state))
    assert "Traceback" not in ran.stderr
    assert SECRET_WORD not in ran.stdout + ran.stderr
    assert facts(theirs.parent) == before
    made = [path for path in state.iterdir() if path.lstat().st_uid != state.stat().st_uid]
    assert made == ([state / name] if plant in {link, dangling, hard_link} and made else [])


@pytest.mark.sampled(least=3)
@pytest.mark.parametrize(("planted", "act"), some_combinations(PLANTED, list(ACTS)))
def test_nor_does_what_root_does_there_without_becoming_the_owner(
    state: Path, theirs: Path, planted: tuple[Callable[[Path, Path], None], str], act: str
):
    plant, name = planted
    if plant is hard_link and not IS_ROOT:
        pytest.skip("a hard link to a file of one's own is no attack")
    plant(state / name, theirs)
    before = facts(theirs.parent)
    ran = run("-c", ACTS[act].format(str(state)))
    assert SECRET_WORD not in ran.stdout
    assert facts(theirs.parent) == before
    owner = state.stat().st_uid
    assert [path for path in state.iterdir() if path.lstat().st_uid != owner and path.name != name] == []


@pytest.mark.skipif(not IS_ROOT, reason="nobody else has a folder of another account")
def test_root_makes_no_file_in_the_folder_of_another_account(state: Path):
    (state / "pairing.json.lock").unlink()
    ran = run("-c", CODES.format(str(state)).replace("scorer()", "director()"))
    assert "root does not create files in the folder of user" in ran.stderr
    assert not (state / "pairing.json.lock").exists()


@pytest.mark.skipif(not IS_ROOT, reason="nobody else becomes another account")
def test_a_link_to_a_folder_of_roots_is_followed_as_whoever_made_it(tmp_path: Path):
    """Where somebody makes a link of what root takes for a state folder, root reads and writes nothing behind it."""
    roots, state = tmp_path / "roots", tmp_path / "state"
    roots.mkdir(mode=0o700)
    Codes(roots).register("http://127.0.0.1/", "127.0.0.1", "machine", is_open=False)
    state.symlink_to(roots)
    os.lchown(state, *nobody())
    let_everybody_through(tmp_path)
    before = facts(roots)
    ran = run("-m", "pegboard", "code", "--state", str(state))
    assert ran.returncode == 2
    assert facts(roots) == before


@pytest.fixture
def journal_of_nobody(state: Path) -> Path:
    """The folder with a backup, and a journal in quarantine."""
    Journal(state).close()
    made, _ = back_up(state, 1.8e9)
    room = state / "quarantine" / "20260101T000000Z"
    room.mkdir(parents=True)
    shutil.copy(made.path, room / "journal.db")
    if IS_ROOT:
        for path in state.rglob("*"):
            os.chown(path, *nobody())
    return room / "journal.db"


def plant_folder(journal: Path, theirs: Path) -> None:
    theirs.parent.joinpath("journal.db").write_bytes(theirs.read_bytes())
    theirs.parent.joinpath("journal.db").chmod(0o600)
    shutil.rmtree(journal.parent)
    journal.parent.symlink_to(theirs.parent)


def plant_file(journal: Path, theirs: Path) -> None:
    link(journal, theirs)


def plant_log(journal: Path, theirs: Path) -> None:
    link(journal.with_name("journal.db-wal"), theirs)


def plant_pipe(journal: Path, theirs: Path) -> None:
    pipe(journal, theirs)


def plant_pipe_as_log(journal: Path, theirs: Path) -> None:
    pipe(journal.with_name("journal.db-wal"), theirs)


ROOT_RESTORES = """
import os, shutil, sys
from pathlib import Path
from pegboard.storage.rescue import restoring
copy = restoring._copy
def copy_and_keep(source, path):
    copy(source, path)
    print(path.read_bytes()[:2000])
restoring._copy = copy_and_keep
from pegboard.cli.main import main
main(["restore", sys.argv[1], "--yes", "--state", sys.argv[2]])
"""
"""The command, which shows what it puts where the account reads it."""


@pytest.mark.sampled(least=2)
@pytest.mark.skipif(not IS_ROOT, reason="what one may read oneself is no secret")
@pytest.mark.parametrize("through_link_of_root", [False, True], ids=["in the folder", "through a link of root's"])
@pytest.mark.parametrize("plant", [plant_folder, plant_file, plant_log, plant_pipe, plant_pipe_as_log])
def test_root_restores_nothing_that_the_account_cannot_read(  # noqa: PLR0917 - fixtures
    journal_of_nobody: Path, state: Path, theirs: Path, tmp_path: Path, plant, through_link_of_root: bool
):
    plant(journal_of_nobody, theirs)
    for path in journal_of_nobody.parent, *state.rglob("*"):
        os.lchown(path, *nobody())
    before, named = facts(theirs.parent), journal_of_nobody
    if through_link_of_root:
        (tmp_path / "mine").symlink_to(journal_of_nobody.parent)
        named = tmp_path / "mine" / "journal.db"
    ran = run("-c", ROOT_RESTORES, str(named), str(state))
    assert ran.returncode != 0
    assert "Traceback" not in ran.stderr
    assert SECRET_WORD not in ran.stdout + ran.stderr
    assert facts(theirs.parent) == before


@pytest.mark.sampled
@pytest.mark.skipif(not IS_ROOT, reason="nobody else becomes another account")
@pytest.mark.parametrize("has_log", [False, True], ids=["alone", "with a log of somebody else's"])
def test_root_restores_a_file_from_where_the_account_cannot_look(
    journal_of_nobody: Path, state: Path, tmp_path: Path, has_log: bool
):
    home = tmp_path / "home"
    home.mkdir(mode=0o700)
    shutil.copy(journal_of_nobody, home / "kept.db")
    if has_log:
        (home / "kept.db-wal").touch()
        os.chown(home / "kept.db-wal", *nobody())
    ran = run("-m", "pegboard", "restore", str(home / "kept.db"), "--yes", "--state", str(state))
    assert ran.returncode == has_log, ran.stderr
    assert ("does not belong to the owner of kept.db" in ran.stderr) == has_log
    assert run("-m", "pegboard", "restore", str(journal_of_nobody), "--yes", "--state", str(state)).returncode == 0
    assert run("-m", "pegboard", "restore", "newest", "--yes", "--state", str(state)).returncode == 0
    assert {path.lstat().st_uid for path in state.rglob("*")} == {nobody()[0]}


@pytest.mark.skipif(not IS_ROOT, reason="nobody else becomes another account")
def test_root_makes_no_backup_through_a_link_of_the_account(journal_of_nobody: Path, state: Path, theirs: Path):
    plant_folder(journal_of_nobody, theirs)
    os.lchown(journal_of_nobody.parent, *nobody())
    ran = run("-m", "pegboard", "backup", str(journal_of_nobody.with_name("made.db")), "--state", str(state))
    assert ran.returncode != 0
    assert not (theirs.parent / "made.db").exists()


FILES = ["journal.db", "journal.db-wal", "journal.db-shm", "journal.db-journal", "lock"]


@pytest.mark.sampled(least=2)
@pytest.mark.parametrize(
    ("planted", "command"),
    some_combinations(
        list(itertools.product([pipe, link], FILES)),
        ["check", "backup", "rebuild", "export", "restore newest --yes", "selftest"],
    ),
)
def test_nobody_waits_for_who_opens_a_pipe_in_place_of_the_journal(
    journal_of_nobody: Path, state: Path, theirs: Path, planted: tuple[Callable[[Path, Path], None], str], command: str
):
    """SQLite heard no Ctrl-C meanwhile."""
    plant, name = planted
    plant(state / name, theirs)
    if plant is pipe:
        (state / name).chmod(0o400)
    before = facts(theirs.parent)
    ran = run("-m", "pegboard", *command.split(), "--state", str(state))
    assert "Traceback" not in ran.stderr
    assert facts(theirs.parent) == before
