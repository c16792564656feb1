"""Debian package build: archive of a version's tree, installer, systemd units, documents and maintainer scripts."""

import io
import os
import re
import shutil
import sys
import tempfile
import textwrap
import time
import zipfile
from email.utils import formatdate
from pathlib import Path

from pegboard.install.building.licenses import bill_of_materials
from pegboard.install.building.source import ROOT, BuildError, epoch, run_program
from pegboard.install.building.tree import compress, make_tree, pack_tree, shipped_and_used
from pegboard.install.package_file import file_name

TEXTS = Path(__file__).parent / "debian"

UNITS = "usr/lib/systemd/system"

PLACES = {
    ".service": UNITS,
    ".socket": UNITS,
    ".path": UNITS,
    ".timer": UNITS,
    ".sysusers.conf": "usr/lib/sysusers.d",
    ".tmpfiles.conf": "usr/lib/tmpfiles.d",
    ".rules": "usr/lib/udev/rules.d",
    ".avahi.service": "etc/avahi/services",
}
"""The target folder of each file of `systemd/`, by the file's suffix; the longest match counts."""

NOT_ENABLED = frozenset({"pegboard-hub.service", "pegboard-kiosk.service"})
"""Units that the package does not enable; the owner of the machine can enable them."""

INSTALLER_FILES = (
    *("__init__.py", "errors.py", "messages.py", "tournament_messages.py"),
    *("install/__init__.py", "install/director_updates.py", "install/host.py", "install/installed_versions.py"),
    *(
        "install/installer.py",
        "install/package_file.py",
        "install/versions/release_keys.txt",
        "install/service_control.py",
    ),
    "install/switching.py",
)
"""The files of pegboard that the installer needs, relative to the folder `pegboard`."""


def build_package(folder: Path, wheel: Path) -> Path:
    """Build the unsigned package of the wheel's version; return its path.

    Raises:
        BuildError: dpkg-deb is missing or fails, or a part cannot be built.
    """
    if shutil.which("dpkg-deb") is None:
        raise BuildError("dpkg-deb is missing: sudo apt-get install dpkg")
    version = wheel.name.split("-")[1]
    with tempfile.TemporaryDirectory() as temporary:
        tree, root = Path(temporary, "tree"), Path(temporary, "root")
        make_tree(tree, wheel)
        _put(root, "usr/lib/pegboard/tree.tar.xz", pack_tree(tree))
        _put(root, "usr/lib/pegboard/installer.pyz", installer_program())
        _put(root, "usr/bin/pegboard", _text("launcher"), mode=0o755)
        _put(root, "etc/pegboard/pegboard.toml", _text("pegboard.toml"))
        _put_documents(root, tree, version)
        enabled = _put_systemd_files(root)
        _put_control_files(root, version, enabled)
        _set_times(root)
        folder.mkdir(parents=True, exist_ok=True)
        package = folder / file_name(version)
        _run("dpkg-deb", "--build", "--root-owner-group", "-Zxz", "-z9", str(root), str(package))
        package.with_name(f"{package.name}.cdx.json").write_text(bill_of_materials(version, shipped_and_used()[0]))
        return package


def _put(root: Path, path: str, content: bytes, mode: int = 0o644) -> None:
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_bytes(content)
    (root / path).chmod(mode)


def _text(name: str, **values: object) -> bytes:
    """A file of `debian/`, with its placeholders filled in."""
    text = (TEXTS / name).read_text("utf-8")
    for placeholder, value in values.items():
        text = text.replace(f"{{{placeholder}}}", str(value))
    return text.encode()


def installer_program() -> bytes:
    """The installer as a Python zip application in a single file, which works without a tree."""
    parts = {f"pegboard/{name}": (ROOT / "pegboard" / name).read_bytes() for name in INSTALLER_FILES}
    parts["__main__.py"] = b"from pegboard.install.installer import main\n\nmain()\n"
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as archive:
        for name, content in sorted(parts.items()):
            entry = zipfile.ZipInfo(name, time.gmtime(epoch())[:6])
            entry.external_attr, entry.compress_type = 0o644 << 16, zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)
    return written.getvalue()


def _put_documents(root: Path, tree: Path, version: str) -> None:
    """Add the manual page, bash completion, documented settings, copyright, bill of materials and changelog."""
    documents = "usr/share/doc/pegboard"
    _put(root, "usr/share/man/man1/pegboard.1.gz", compress(_output_of(tree, "manual")))
    _put(root, "usr/share/bash-completion/completions/pegboard", _output_of(tree, "completion", "bash"))
    _put(root, f"{documents}/pegboard.toml", _output_of(tree, "config"))
    license_parts = (ROOT / "LICENSE").read_text("utf-8").split("\n\n", 2)
    words = textwrap.indent("\n\n".join(license_parts[2:]).strip(), " ")
    body = re.sub(r"(?m)^\s*$", " .", words)
    holder = license_parts[1].removeprefix("Copyright (c) ")
    _put(root, f"{documents}/copyright", _text("copyright", copyright=holder, license=body))
    _put(root, f"{documents}/pegboard.cdx.json", bill_of_materials(version, shipped_and_used()[0]).encode())
    maintainer = next(line for line in _text("control").decode().splitlines() if line.startswith("Maintainer: "))
    entry = f"pegboard ({version}) stable; urgency=medium\n\n  * See CHANGELOG.md in the source.\n\n"
    signed = f" -- {maintainer.removeprefix('Maintainer: ')}  {formatdate(epoch())}\n"
    _put(root, f"{documents}/changelog.gz", compress((entry + signed).encode()))
    _put(root, "usr/share/lintian/overrides/pegboard", _text("lintian-overrides"))


def _output_of(tree: Path, *words: str) -> bytes:
    """The output of the tree's program when it takes this machine for a Raspberry Pi."""
    with tempfile.NamedTemporaryFile("w") as model:
        model.write("Raspberry Pi")
        model.flush()
        own = {"PEGBOARD_MODEL": model.name, "SOURCE_DATE_EPOCH": str(epoch()), "PYTHONDONTWRITEBYTECODE": "1"}
        return _run(sys.executable, str(tree / "run.py"), *words, environment=own).encode()


def _put_systemd_files(root: Path) -> list[str]:
    """Add the files of `systemd/`; return the units to enable."""
    enabled = []
    for path in sorted((ROOT / "systemd").iterdir()):
        ending = max((end for end in PLACES if path.name.endswith(end)), key=len, default=None)
        if ending is None:
            raise BuildError(f"systemd/{path.name} has an unknown ending; use {', '.join(PLACES)}")
        name = path.name
        if ending in {".sysusers.conf", ".tmpfiles.conf", ".avahi.service"}:
            name = path.name.removesuffix(ending) + Path(ending).suffix
        _put(root, f"{PLACES[ending]}/{name}", path.read_bytes())
        if PLACES[ending] == UNITS and name not in NOT_ENABLED and b"[Install]" in path.read_bytes():
            enabled.append(name)
    return enabled


def _put_control_files(root: Path, version: str, enabled: list[str]) -> None:
    size = sum(path.stat().st_size for path in root.rglob("*") if path.is_file()) // 1024
    files = [path for path in sorted((root / "etc").rglob("*")) if path.is_file()]
    units = sorted({*enabled, *NOT_ENABLED})
    stopped = sorted(units, key=lambda name: name.endswith(".service"))  # services last: the other units start them
    _put(root, "DEBIAN/control", _text("control", version=version, installed_kib=size))
    _put(root, "DEBIAN/conffiles", "".join(f"/{path.relative_to(root)}\n" for path in files).encode())
    _put(root, "DEBIAN/triggers", _text("triggers"))
    for script in ("postinst", "prerm", "postrm"):
        words = {"enabled": " ".join(enabled), "stopped": " ".join(stopped)}
        _put(root, f"DEBIAN/{script}", _text(script, **words), mode=0o755)


def _set_times(root: Path) -> None:
    for path in (root, *root.rglob("*")):
        if path.is_dir():
            path.chmod(0o755)
        os.utime(path, (epoch(), epoch()))


def _run(*words: str, environment: dict[str, str] | None = None) -> str:
    own = {"SOURCE_DATE_EPOCH": str(epoch())} | (environment or {})
    ran = run_program(*words, environment=own)
    if ran.returncode:
        raise BuildError(f"{words[0]} {words[1]} failed: {ran.stderr.strip()}")
    return ran.stdout
