"""Setup for `make`: virtual environment with pegboard, complete or not at all; Debian modules on a Pi; pip's errors.

Run `python3 -m pegboard.install.set_up FOLDER [EXTRA]` with the Python for the environment.
"""

import contextlib
import datetime as dt
import importlib.util
import os
import platform
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from pegboard.install.constraints import CONSTRAINTS, hashed_requirements, names_for, plain_constraints
from pegboard.install.host import installed_version, on_a_pi, version_order

# --- compiled modules on a Raspberry Pi, from Debian packages ---


@dataclass(frozen=True, slots=True)
class Module:
    """A compiled module that pegboard needs on a Pi.

    Attributes:
        distribution: the module's name in the package index.
        least: the minimum version.
        package: the Debian package that contains the module.
        without: what does not work without the module; "" if pegboard itself needs it.
    """

    distribution: str
    least: str
    package: str
    without: str = ""


NEEDED = (
    Module("pillow", "9.4", "python3-pil"),
    Module("cbor2", "5.4", "python3-cbor2"),
    Module("markupsafe", "2.1.1", "python3-markupsafe"),
    Module("spidev", "3.6", "python3-spidev", "an LED strip or SPI panel"),
)

PINS = (Module("gpiod", "2.2", "python3-libgpiod", "keys"), Module("lgpio", "0.2.2", "python3-lgpio", "keys"))
"""The modules that can drive the pins; one of them is enough."""


def is_here(module: Module) -> bool:
    """Whether this Python has a module that is new enough."""
    found = installed_version(module.distribution)
    return found is not None and version_order(found) >= version_order(module.least)


def missing_modules(has: Callable[[Module], bool] = is_here) -> tuple[Module, ...]:
    """The modules that this Python lacks; the modules of `PINS` count as missing only if it lacks all of them."""
    needed = tuple(one for one in NEEDED if not has(one))
    return needed if any(has(one) for one in PINS) else (*needed, *PINS)


def packages(modules: Sequence[Module], candidate: Callable[[str], str]) -> list[str]:
    """The Debian packages of modules, leaving out those for which apt has no version that is new enough.

    `candidate` returns the version of a package that apt would install, or "".
    """
    able = [one for one in modules if version_order(_upstream(candidate(one.package))) >= version_order(one.least)]
    pins = [one for one in able if one in PINS]
    return [one.package for one in able if one not in pins[1:]]


def candidate_of(package: str) -> str:
    """The version of a package that apt would install, or ""."""
    if not shutil.which("apt-cache"):
        return ""
    found = re.search(r"Candidate: (\S+)", run_in_english(["apt-cache", "policy", package]).stdout)
    return found[1] if found and found[1] != "(none)" else ""


def apt_line(names: Sequence[str]) -> str:
    """The command line that installs Debian packages."""
    return f"sudo apt-get install --no-install-recommends {' '.join(names)}"


def may_install() -> bool:
    """Whether this user can install packages: as root, or with sudo if it needs no password or can ask for it."""
    with_sudo = shutil.which("sudo") is not None
    return os.geteuid() == 0 or (with_sudo and (sys.stdin.isatty() or _works(["sudo", "-n", "true"])))


def apt_get(*words: str) -> bool:
    """Run apt-get as root; return whether it succeeded. Its errors go to the terminal."""
    first = [] if os.geteuid() == 0 else ["sudo"]
    return _works([*first, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq", *words])


def _upstream(version: str) -> str:
    return version.rsplit(":", maxsplit=1)[-1].split("-", maxsplit=1)[0] or "0"


def run_in_english(
    command: Sequence[str], read: Callable[[str], None] = lambda _: None
) -> subprocess.CompletedProcess[str]:
    """Run a program with English messages; capture standard output and standard error together.

    `read` is called with each line as it arrives.
    """
    lines = []
    with subprocess.Popen(  # noqa: S603
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        env=os.environ | {"LC_ALL": "C.UTF-8", "LANGUAGE": "en"},
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            lines.append(line)
            read(line)
    return subprocess.CompletedProcess(command, process.returncode, "".join(lines))


def _works(command: Sequence[str]) -> bool:
    return subprocess.run(command, stdout=subprocess.DEVNULL, check=False).returncode == 0  # noqa: S603


# --- the cause of a failure of pip, in one sentence; the last lines that pip prints rarely name it ---


FULL = "the disk is full"

REASONS = (
    (r"No space left on device", FULL),
    (r"Disk quota exceeded", "your disk quota is used up"),
    (
        r"CERTIFICATE_VERIFY_FAILED|certificate verify failed",
        "the package index's certificate is not trusted here; is the clock right? It says {now}",
    ),
    (
        (
            r"NameResolutionError|[Nn]ame resolution|Name or service not known|NewConnectionError"
            r"|Failed to establish a new connection|Network is unreachable|ConnectTimeoutError|ReadTimeoutError"
            r"|ProxyError|Connection (?:refused|reset|aborted)|Max retries exceeded"
        ),
        (
            "cannot download the packages that pegboard needs: the package index is unreachable; "
            "connect this machine to the network and run make again"
        ),
    ),
    (
        r"Python\.h: No such file|command '[^']*(?:gcc|cc|clang|g\+\+)[^']*' failed|Failed building wheel for (\S+)",
        (
            "a package must be compiled, because there is no build for Python {python} on {machine}: "
            "sudo apt-get install build-essential python3-dev"
        ),
    ),
    (r"[Pp]ermission denied:? '?([^'\n]*)", "no permission to write {found}"),
    (
        r"No matching distribution found for (.+)",
        "the package index has no {found} for Python {python} on {machine}",
    ),
)
"""Patterns for pip's output, the likeliest cause first, each with a sentence about the cause."""


def reason_of(output: str) -> str:
    """The cause of pip's failure in one sentence; if the cause is unknown, after the last lines that pip printed."""
    for pattern, sentence in REASONS:
        if found := re.search(pattern, output):
            return sentence.format(
                found=(found[1] or "").strip() if found.re.groups else "",
                python=platform.python_version(),
                machine=platform.machine(),
                now=f"{dt.datetime.now().astimezone():%Y-%m-%d %H:%M}",
            )
    lines = output.rstrip().splitlines()
    errors = re.findall(r"^ERROR: (.+)", output, re.MULTILINE) or lines[-1:] or ["no output"]
    return "\n".join([*lines[-20:], f"pip could not install what pegboard needs: {errors[-1]}"])


ROOT = Path(__file__).parent.parent.parent

CHANGING = "changing"
"""Name of the file that marks an environment as being changed; an environment found with it is incomplete."""

INSTALLING = "Installing collected packages"
"""The text that pip prints just before it changes anything."""

RETRYING = "WARNING: Retrying"
"""The text that pip prints when the package index has not answered."""

BUILT = ("--only-binary", ":all:")
"""Options for pip: install only wheels. A Pi lacks the headers to compile, and building would take minutes."""

REQUIRE_HASHES = ("--require-hashes", "--no-deps")
"""Options for pip: accept only files whose hashes are in the requirements, which list every package needed."""

EDITABLE = ("--no-build-isolation", "-e")
"""Options for pip: install this folder with the environment's own setuptools, whose hash was checked too."""

LEAST_FREE = 1_000_000
"""Free bytes below which a failure counts as a full disk."""

STOPPED = 130
"""Exit status after Ctrl-C, as in shells."""


class SetUpError(Exception):
    """The environment cannot be created; the message gives the cause and the fix.

    Attributes:
        torn: whether packages have already been changed.
    """

    def __init__(self, sentence: str, *, torn: bool = False) -> None:
        super().__init__(sentence)
        self.torn = torn


def main(arguments: Sequence[str]) -> int:
    """Create the environment, or print why not; return the exit status."""
    venv, *extra = arguments
    try:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})  # the Makefile blocks it while Python starts
        set_up(Path(venv), "".join(extra))
    except SetUpError as error:
        _tell(str(error), sys.stderr)
        return 1
    except KeyboardInterrupt:
        _tell("setup was stopped; the next make continues it", sys.stderr)
        return STOPPED
    return 0


def set_up(venv: Path, extra: str = "") -> None:
    """Install pegboard, with an extra such as `dev`, into the environment; create the environment if incomplete.

    Raises:
        SetUpError: the setup failed; the environment is unchanged, removed, or marked as incomplete.
    """
    _require_writable(ROOT)
    _require_readable_name(ROOT)
    if on_a_pi():
        install_system_modules()
    whole = is_whole(venv)
    if not whole:
        _require_venv()
        remove(venv)
    with _changing(venv, keep=whole):
        if not whole:
            make(venv)
        install(venv, extra)


def is_whole(venv: Path) -> bool:
    """Whether the environment is complete and made for this Python."""
    if (venv / CHANGING).exists() or not (venv / "bin" / "python").exists():
        return False
    ran = run_in_english([str(venv / "bin" / "python"), "-c", "import pip, sys; print(*sys.version_info[:2])"])
    return ran.stdout.split() == [str(part) for part in sys.version_info[:2]]


def install_system_modules() -> None:
    """Install missing compiled modules of a Pi with apt, if apt has them and this user may install packages."""
    if not missing_modules() or sys.base_prefix != "/usr" or not may_install():
        return
    if not candidate_of("python3-pil"):  # on a new card apt has no package lists yet
        _tell("apt-get update", sys.stdout)
        apt_get("update")
    if names := _packages():
        _tell(apt_line(names), sys.stdout)
        apt_get("install", "-y", "--no-install-recommends", *names)


def make(venv: Path) -> None:
    """Create an environment without packages; on a Pi it includes the system's packages.

    Raises:
        SetUpError: Python cannot create the environment.
    """
    _tell(f"creating {venv}", sys.stdout)
    flags = ["--system-site-packages"] if on_a_pi() else []
    ran = run_in_english([sys.executable, "-m", "venv", *flags, str(venv)])
    if ran.returncode:
        full = shutil.disk_usage(venv).free < LEAST_FREE  # Python does not report a full disk
        raise SetUpError(FULL if full else reason_of(ran.stdout))


def install(venv: Path, extra: str) -> None:
    """Install with pip the packages that pegboard needs, only files with pinned hashes, and then pegboard itself.

    On a Pi nothing is compiled; Debian's compiled packages are used without a hash.

    Raises:
        SetUpError: pip fails.
    """
    what = "development and test tools" if extra else "the program"
    _tell(f"installing {what} into {venv}", sys.stdout)
    is_pi = on_a_pi()
    debians = {one.distribution for one in (*NEEDED, *PINS)} if is_pi else set()
    torn = _run_pip(venv, *REQUIRE_HASHES, "-r", _write_hashed(venv, names_for(extra), debians), is_pi=is_pi)
    if is_pi:
        for module in missing_modules():
            if not module.without:  # without a wheel of the pinned version, pip looks for another version below
                _install_pinned(venv, module.distribution)
        plain = _write(venv, CONSTRAINTS.name, plain_constraints(debians))
        torn |= _run_pip(venv, "-c", plain, *EDITABLE, f"{ROOT}[{extra or 'mqtt'}]", is_pi=is_pi, torn=torn)
        if not extra:
            _install_wheels(venv)
    else:
        _run_pip(venv, "--no-deps", *EDITABLE, str(ROOT), is_pi=is_pi, torn=torn)


def _run_pip(venv: Path, *words: str, is_pi: bool, torn: bool = False) -> bool:
    """Run pip install; return whether it, or an earlier run (`torn`), has changed anything.

    Raises:
        SetUpError: pip fails; the error's `torn` says whether anything has been changed.
    """
    ran = _install(venv, *(BUILT if is_pi else ()), *words)
    torn |= INSTALLING in ran.stdout
    if ran.returncode:
        cure = f"; {apt_line(names)}" if is_pi and (names := _packages()) else ""
        raise SetUpError(reason_of(ran.stdout) + cure, torn=torn)
    return torn


def _write_hashed(venv: Path, names: Sequence[str], without: Collection[str] = ()) -> str:
    """Write a requirements file with hashes; return its path."""
    return _write(venv, "requirements.txt", hashed_requirements(names, without))


def _write(venv: Path, name: str, text: str) -> str:
    (venv / name).write_text(text, "utf-8")
    return str(venv / name)


def _install_wheels(venv: Path) -> None:
    """Install wheels of hardware modules from the package index; print which modules are still missing."""
    for module in missing_modules():
        if module.without and module.distribution != "lgpio":  # few Pythons have a wheel of lgpio
            wanted = f"{module.distribution}>={module.least}"
            if _install_pinned(venv, module.distribution).returncode:
                line = apt_line([module.package])
                _tell(f"{wanted} is missing, so {module.without} will not work; {line}", sys.stdout)


def _install_pinned(venv: Path, name: str) -> subprocess.CompletedProcess[str]:
    """Install the wheel of one package, checked against its pinned hash."""
    return _install(venv, *BUILT, *REQUIRE_HASHES, "-r", _write_hashed(venv, [name]))


def _install(venv: Path, *words: str) -> subprocess.CompletedProcess[str]:
    pip = [str(venv / "bin" / "python"), "-m", "pip", "--disable-pip-version-check", "--no-input"]
    return run_in_english([*pip, "install", "--retries", "2", *words], _retry_notice())


def _retry_notice() -> Callable[[str], None]:
    """A reader of pip's lines that says once that pip is retrying, since offline that takes more than a minute."""
    is_said = False

    def read(line: str) -> None:
        nonlocal is_said
        if RETRYING in line and not is_said:
            is_said = True
            _tell("the package index is not answering; pip retries for a minute (Ctrl-C stops it)", sys.stdout)

    return read


def _packages() -> list[str]:
    """The Debian packages of the missing modules; if apt has no package lists, their names in Debian 13."""
    missing = missing_modules()
    if candidate_of("python3-pil"):
        return packages(missing, candidate_of)
    return [one.package for one in missing if one.distribution != "lgpio"]


def remove(venv: Path) -> None:
    """Remove the remains of an environment.

    Raises:
        SetUpError: the folder holds something other than an environment, or cannot be removed.
    """
    if not venv.exists():
        return
    if not (venv / "pyvenv.cfg").exists() and not (venv / CHANGING).exists() and any(venv.iterdir()):
        raise SetUpError(f"{venv} is not a virtual environment and is left alone; VENV=... names another folder")
    try:
        shutil.rmtree(venv)
    except OSError as error:
        raise SetUpError(f"{venv} cannot be removed: {error.strerror}") from error


@contextlib.contextmanager
def _changing(venv: Path, *, keep: bool) -> Iterator[None]:
    """Mark the environment as incomplete during the `with` block.

    After a failure a new environment is removed. With `keep`, the mark is removed if pip certainly changed no package.
    """
    try:
        venv.mkdir(parents=True, exist_ok=True)
        (venv / CHANGING).touch()
        yield
        (venv / CHANGING).unlink()
    except (SetUpError, KeyboardInterrupt, OSError) as error:
        if not keep:
            shutil.rmtree(venv, ignore_errors=True)
        elif isinstance(error, SetUpError) and not error.torn:
            (venv / CHANGING).unlink()
        if isinstance(error, OSError):
            raise SetUpError(f"{venv} cannot be written: {error.strerror}") from error
        raise


def _require_writable(folder: Path) -> None:
    if not os.access(folder, os.W_OK):
        raise SetUpError(
            f"no permission to write {folder}; clone pegboard into a folder of your own and run make there"
        )


def _require_readable_name(folder: Path) -> None:
    """Refuse a folder name that Python would not find again, as it stores names in UTF-8 but uses another encoding."""
    if sys.getfilesystemencoding() != "utf-8" and not str(folder).isascii():
        raise SetUpError(
            "the folder's name has letters beyond A to Z, and this terminal does not use UTF-8: "
            "clone pegboard into another folder, or run export LC_ALL=C.UTF-8 first"
        )


def _require_venv() -> None:
    if importlib.util.find_spec("venv") is None or importlib.util.find_spec("ensurepip") is None:
        raise SetUpError(f"{_venv_package()} is missing: sudo apt-get install {_venv_package()}")


def _venv_package() -> str:
    """The Debian package that this Python needs to create environments."""
    default = Path("/usr/bin/python3").resolve() == Path(sys.executable).resolve()
    return "python3-venv" if default else f"python3.{sys.version_info.minor}-venv"


def _tell(sentence: str, stream: TextIO) -> None:
    stream.write(f"{sentence}\n")
    stream.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
