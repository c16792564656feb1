"""What the account of the scores plants in its folder leads root nowhere: nothing outside is read, made or changed."""

import json
import os
import pwd
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.commandline.test_state_owner import let_everybody_through
from web.access.pairing_codes import Codes
from web.access.state_files import secret

IS_ROOT = os.geteuid() == 0
SECRET_WORD = "only-root-reads-this"
WELCOME = """
from pathlib import Path
from pegboard.startup import welcome
welcome.WAIT_S = 0
welcome.welcome(Path({!r}))
"""
CODES = "from pathlib import Path; from web.access.pairing_codes import Codes; print(Codes(Path({!r})).scorer().text)"
SIGN = "from pathlib import Path; from web.access.state_files import secret; print(secret(Path({!r})))"


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
    return subprocess.run([sys.executable, *words], capture_output=True, text=True, check=False, timeout=20)


PLACES = ("pairing.json", "pairing.json.lock", "pairing.json.new", "secret", "secret.new")


@pytest.mark.parametrize("name", PLACES)
@pytest.mark.parametrize("plant", [link, dangling, hard_link, pipe], ids=lambda plant: plant.__name__)
@pytest.mark.parametrize("command", [("code",), ("code", "director"), ("unpair",), ("unpair", "--list")], ids=" ".join)
def test_a_command_of_root_follows_nothing_that_was_planted(
    state: Path, theirs: Path, name: str, plant: Callable[[Path, Path], None], command: tuple[str, ...]
):
    if plant is hard_link and not IS_ROOT:
        pytest.skip("a hard link to a file of one's own is no attack")
    plant(state / name, theirs)
    before = facts(theirs.parent)
    ran = run("-m", "pegboard", *command, "--state", str(state))
    assert "Traceback" not in ran.stderr
    assert SECRET_WORD not in ran.stdout + ran.stderr
    assert facts(theirs.parent) == before
    made = [path for path in state.iterdir() if path.lstat().st_uid != state.stat().st_uid]
    assert made == ([state / name] if plant in {link, dangling, hard_link} and made else [])


@pytest.mark.parametrize("name", PLACES)
@pytest.mark.parametrize("plant", [link, dangling, hard_link, pipe], ids=lambda plant: plant.__name__)
@pytest.mark.parametrize("act", [WELCOME, CODES, SIGN], ids=["welcome", "codes", "secret"])
def test_nor_does_what_root_does_there_without_becoming_the_owner(
    state: Path, theirs: Path, name: str, plant: Callable[[Path, Path], None], act: str
):
    if plant is hard_link and not IS_ROOT:
        pytest.skip("a hard link to a file of one's own is no attack")
    plant(state / name, theirs)
    before = facts(theirs.parent)
    ran = run("-c", act.format(str(state)))
    assert SECRET_WORD not in ran.stdout
    assert facts(theirs.parent) == before
    owner = state.stat().st_uid
    assert [path for path in state.iterdir() if path.lstat().st_uid != owner and path.name != name] == []


@pytest.mark.skipif(not IS_ROOT, reason="nobody else has a folder of another account")
def test_root_makes_no_file_in_the_folder_of_another_account(state: Path):
    (state / "pairing.json.lock").unlink()
    ran = run("-c", CODES.format(str(state)).replace("scorer()", "director()"))
    assert "root makes no file in the folder of user" in ran.stderr
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
