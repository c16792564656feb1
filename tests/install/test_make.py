"""`make` on machines where something is missing: the true reason comes last, and nothing half made is left."""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from pegboard.install import set_up
from tests.support.long_runs import some_combinations
from tests.support.waiting import soon

ROOT = Path(__file__).parent.parent.parent
TOOLS = ("sh", "bash", "make", "touch", "grep", "expr", "nproc", "mkdir", "rm", "sort", "cat", "id", "awk", "sleep")

VENV = """
import os, pathlib, sys
folder = pathlib.Path(sys.argv[1])
(folder / "bin").mkdir(parents=True, exist_ok=True)
(folder / "bin/python").symlink_to(sys.executable)
name = os.path.basename(os.path.realpath(sys.executable))
(folder / "lib" / name / "site-packages").mkdir(parents=True)
(folder / "pyvenv.cfg").touch()
(folder / "bin/pegboard").write_text("#!/bin/sh\\necho played\\n")
(folder / "bin/pegboard").chmod(0o755)
"""
"""An environment in no time, in place of Python's own."""

PIP = """
import os, pathlib, sys, time
print(os.path.expandvars(pathlib.Path(os.environ["SAYS"]).read_text()))
while pathlib.Path(os.environ["SAYS"]).read_text() == "wait": time.sleep(0.01)
sys.exit(int(os.environ.get("PIP_EXIT", "0")))
"""
"""A pip that says what a test wants, waits as long as it wants, and fails if it wants."""


class Machine:
    """A clone of pegboard, with the tools that a test leaves it and stand-ins for what would need minutes."""

    def __init__(self, folder):
        self.root, self.says = folder / "pegboard", folder / "says"
        self.bin, modules = folder / "bin", folder / "modules"
        (self.root / "tests").mkdir(parents=True)
        for name in ("Makefile", "pyproject.toml", "constraints.txt", "tests/debian-packages"):
            shutil.copy(ROOT / name, self.root / name)
        shutil.copytree(ROOT / "pegboard", self.root / "pegboard", ignore=shutil.ignore_patterns("__pycache__"))
        for path, program in (("venv/__main__.py", VENV), ("pip/__main__.py", PIP), ("ensurepip/__init__.py", "")):
            (modules / path).parent.mkdir(parents=True)
            (modules / path).write_text(program, "utf-8")
            (modules / path).with_name("__init__.py").touch()
        self.bin.mkdir()
        for tool in TOOLS:
            (self.bin / tool).symlink_to(shutil.which(tool))
        (self.bin / "python3").symlink_to(sys.executable)
        self.says.write_text("Successfully installed", "utf-8")
        self.own = {"PATH": str(self.bin), "PYTHONPATH": str(modules), "SAYS": str(self.says), "HOME": str(folder)}

    @property
    def venv(self):
        return self.root / ".venv"

    def add(self, name, script):
        """Put a program of its own onto the machine, in place of a link to the real one."""
        (self.bin / name).unlink(missing_ok=True)
        (self.bin / name).write_text(f"#!/bin/sh\n{script}\n", "utf-8")
        (self.bin / name).chmod(0o755)

    def start(self, *words, **more):
        return subprocess.Popen(
            ["make", "-C", str(self.root), *words],
            env=self.own | more,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )

    def make(self, *words, **more):
        """Exit status, and the lines that are said, without make's own."""
        with self.start(*words, **more) as process:
            lines = process.communicate(timeout=60)[0].splitlines()
        return process.returncode, [line for line in lines if not line.startswith("make")]


@pytest.fixture
def machine(tmp_path):
    return Machine(tmp_path)


def test_no_ctrl_c_reaches_python_before_the_program_looks_for_it(machine):
    """Where the system's `env` can hold it back, as the program's own tests begin; elsewhere it comes at once."""
    (machine.bin / "env").symlink_to(shutil.which("env"))
    (machine.bin / "true").symlink_to(shutil.which("true"))
    with machine.start("-n", "run") as process:
        said = process.communicate(timeout=60)[0]
    held_back = "env --block-signal=INT"
    assert f"PEGBOARD_STARTED_BY=make exec {held_back} .venv/bin/pegboard run" in said
    assert f"{held_back} python3 -m pegboard.install.set_up .venv" in said
    (machine.bin / "env").unlink()
    assert machine.make("run")[1][-1] == "played"


def test_an_environment_is_made_once(machine):
    assert machine.make("run") == (
        0,
        ["creating .venv", "installing the program into .venv", "played"],
    )
    assert machine.make("run") == (0, ["played"])


def test_without_any_python_its_package_is_named(machine):
    (machine.bin / "python3").unlink()
    status, said = machine.make("run")
    assert (status, said) == (2, ["there is no python3 here: sudo apt-get install python3 python3-venv"])


def test_an_old_python_is_named(machine):
    (machine.bin / "python3").unlink()
    machine.add("python3", '[ "$1" = --version ] && echo Python 3.9.2; exit 1')
    assert machine.make("run")[1][-1].startswith("pegboard needs Python 3.11 or newer; Python 3.9.2 is here")


def test_without_python3_venv_its_package_is_named_and_nothing_is_left(machine):
    program = (
        "import importlib.util as u; f = u.find_spec; u.find_spec = lambda n, *a: None if n == 'ensurepip' else f(n)"
    )
    (machine.root / "sitecustomize.py").write_text(program, "utf-8")
    status, said = machine.make("run", PYTHONPATH=f"{machine.root}:{machine.own['PYTHONPATH']}")
    assert status == 2
    assert said[-1].startswith("python3")
    assert "-venv is missing: sudo apt-get install python3" in said[-1]
    assert not machine.venv.exists()


NO_NETWORK = """\
WARNING: Retrying after connection broken by 'NewConnectionError(...: [Errno -3] Temporary failure in name resolution')'
ERROR: Could not find a version that satisfies the requirement setuptools>=77 (from versions: none)
ERROR: No matching distribution found for setuptools>=77"""

NO_HEADERS = "x.c:1:10: fatal error: Python.h: No such file or directory\nerror: command '/usr/bin/gcc' failed"


@pytest.mark.sampled(least=2)
@pytest.mark.parametrize(
    ("pip", "reason"),
    [
        (NO_NETWORK, "the package index is unreachable"),
        ("ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device", "the disk is full"),
        ("SSLError(SSLCertVerificationError(1, '[SSL: CERTIFICATE_VERIFY_FAILED]", "is the clock right?"),
        (NO_HEADERS, "compiled"),
        ("ERROR: No matching distribution found for rich>=15", "the package index has no rich>=15 for Python 3"),
        ("ERROR: nobody has seen this yet", "pip could not install what pegboard needs: nobody has seen this yet"),
        ("it is not marked as an error\n\n", "pip could not install what pegboard needs: it is not marked as an error"),
    ],
    ids=["network", "disk", "certificate", "compiler", "version", "other", "unmarked"],
)
def test_a_failure_of_pip_ends_with_its_cause_and_leaves_nothing(machine, pip, reason):
    machine.says.write_text(pip, "utf-8")
    status, said = machine.make("run", PIP_EXIT="1")
    assert status == 2
    assert reason in said[-1]
    assert "Traceback" not in "".join(said)
    waits = [line for line in said if "the package index is not answering; pip retries" in line]
    assert len(waits) == (pip == NO_NETWORK)
    assert not machine.venv.exists()
    machine.says.write_text("all is well", "utf-8")
    assert machine.make("run")[1][-1] == "played"


def test_a_disk_that_is_full_before_pip_is_there_is_said(machine, monkeypatch, tmp_path):
    """Python's own maker of environments tells only that it failed."""
    failed = subprocess.CompletedProcess([], 1, "Error: Command 'ensurepip' returned non-zero exit status 1.\n", "")
    monkeypatch.setattr(set_up, "run_in_english", lambda _: failed)
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(set_up.shutil, "disk_usage", lambda _: usage._replace(free=4096))
    with pytest.raises(set_up.SetUpError, match="the disk is full"):
        set_up.make(tmp_path)


def test_a_name_that_python_would_not_find_again_is_refused(machine, tmp_path):
    """Python 3.13 keeps it in UTF-8 and looks for it in the terminal's own letters."""
    machine.root = machine.root.rename(tmp_path / "p\xe9gboard")
    status, said = machine.make("run", LC_ALL="POSIX", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0")
    assert status == 2
    assert "export LC_ALL=C.UTF-8" in said[-1]
    assert machine.make("run", LC_ALL="C.UTF-8")[1][-1] == "played"


def test_pip_is_asked_in_english_whose_words_are_understood(machine):
    machine.says.write_text("ERROR: this is said in $LC_ALL", "utf-8")
    said = machine.make("run", PIP_EXIT="1", LC_ALL="fr_FR.UTF-8")[1]
    assert said[-1].endswith("this is said in C.UTF-8")


def test_what_is_whole_outlives_an_update_without_network(machine):
    machine.make("run")
    os.utime(machine.root / "pyproject.toml", (2**32, 2**32))
    machine.says.write_text("Temporary failure in name resolution", "utf-8")
    assert machine.make("run", PIP_EXIT="1")[0] == 2
    assert subprocess.run([machine.venv / "bin/pegboard"], check=True, capture_output=True).stdout == b"played\n"


def test_what_was_torn_by_a_full_disk_is_made_anew(machine):
    machine.make("run")
    machine.says.write_text("Installing collected packages: rich\nERROR: No space left on device", "utf-8")
    assert machine.make("setup", PIP_EXIT="1")[0] == 2
    machine.says.write_text("all is well", "utf-8")
    assert machine.make("run")[1] == ["creating .venv", "installing the program into .venv", "played"]


@pytest.mark.sampled
@pytest.mark.parametrize(("target", "how"), some_combinations(["run", "setup"], [signal.SIGINT, signal.SIGKILL]))
def test_set_up_that_was_stopped_half_way_is_mended_by_the_next_make(machine, target, how):
    if target == "setup":
        machine.make("run")
    machine.says.write_text("wait", "utf-8")
    with machine.start(target) as process:
        soon((machine.venv / "changing").exists)
        soon((machine.venv / "bin" / "python").exists)
        os.killpg(process.pid, how)
        machine.says.write_text("too late", "utf-8")
        said = process.communicate(timeout=60)[0]
    assert "Traceback" not in said
    machine.says.write_text("all is well", "utf-8")
    assert machine.make("run")[1] == ["creating .venv", "installing the program into .venv", "played"]


def test_an_environment_whose_python_has_gone_is_made_anew(machine):
    machine.make("run")
    (machine.venv / "bin/python").unlink()
    (machine.venv / "bin/python").symlink_to("/usr/bin/python3.0")
    assert machine.make("run")[1] == ["creating .venv", "installing the program into .venv", "played"]


def test_a_folder_that_is_no_environment_is_left_alone(machine):
    (machine.root / "home").mkdir()
    (machine.root / "home" / "letters").touch()
    status, said = machine.make("run", "VENV=home")
    assert (status, said[-1]) == (
        2,
        "home is not a virtual environment and is left alone; VENV=... names another folder",
    )
    assert (machine.root / "home" / "letters").exists()


def test_a_folder_that_cannot_be_written_is_named(machine):
    """A folder of the kernel's takes no file from anybody, root included."""
    folder = "/proc/self/fdinfo"
    program = (
        "import pathlib, sys\n"
        "from pegboard.install import set_up\n"
        f"set_up.ROOT = pathlib.Path('{folder}')\n"
        f"sys.exit(set_up.main(['{folder}/.venv']))"
    )
    command = [sys.executable, "-c", program]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert ran.returncode == 1
    assert ran.stderr.splitlines()[-1].startswith(folder)
    assert "cannot be written" in ran.stderr


# --- the tests' Debian packages ---

LINE = "apt-get update && {0}apt-get install -y --no-install-recommends "


@pytest.fixture
def bare(machine):
    """No Debian package that the tests need is there, and nobody may install one."""
    machine.add("apt-get", "echo E: no >&2; exit 100")
    machine.add("apt-cache", "exit 0")
    machine.add("fc-list", "exit 0")
    machine.add("id", "echo 1000")
    return machine


def test_debian_packages_are_looked_for_before_anything_else(bare):
    assert not bare.make("test")[1][-1].startswith("making")
    assert not bare.venv.exists()


def test_without_root_and_sudo_the_whole_line_is_printed_last(bare):
    status, said = bare.make("test")
    assert status == 2
    assert said[-1].startswith(LINE.format(""))
    assert {
        "chromium-headless-shell",
        "curl",
        "fonts-dejavu-core",
        "fonts-inter",
        "fonts-wqy-microhei",
        "systemd",
    } <= set(said[-1].split())
    assert "only root can install them" in said[-3]


def test_sudo_that_asks_where_nobody_can_answer_prints_the_line(bare):
    bare.add("sudo", "exit 1")
    said = bare.make("test")[1]
    assert said[-1].startswith("sudo " + LINE.format("sudo "))
    assert "no terminal" in said[-3]


def test_apt_that_fails_prints_the_line_under_its_words(bare):
    bare.add("sudo", '[ "$1" = -n ] && exit 0; exec "$@"')
    bare.add("env", "shift; exec $@")
    said = bare.make("test")[1]
    assert "E: no" in said
    assert said[-1].startswith("sudo " + LINE.format("sudo "))


def test_where_chromium_without_windows_is_not_to_be_had_the_other_is_asked_for(bare):
    bare.add("apt-cache", '[ "$2" = chromium ]')
    assert "chromium" in bare.make("test")[1][-1].split()


def test_python3_venv_is_among_them(bare):
    (bare.bin / "python3").unlink()
    assert "python3-venv" in bare.make("test")[1][-1].split()
