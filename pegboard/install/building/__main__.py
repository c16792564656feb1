"""Builds packages, creates signing keys, audits for vulnerabilities, and regenerates pins and the license page.

`python -m pegboard.install.building wheel | deb [KEY] | materials | release KEY | key FILE | audit | pins | licenses`
"""

import argparse
import shutil
import signal
import sys
import tempfile
from functools import partial
from pathlib import Path
from typing import NoReturn

from pegboard.errors import PegboardError
from pegboard.install.building.debian_package import build_package
from pegboard.install.building.licenses import LICENSES, bill_of_materials, license_table
from pegboard.install.building.pinning import INDEX, known_vulnerabilities, renew_pins, version_report
from pegboard.install.building.source import ROOT, BuildError, make_key, require_unchanged, sign, version
from pegboard.install.building.tree import (
    CHECKSUMS,
    NOTES,
    build_source_archive,
    build_wheel,
    checksums,
    release_notes,
    shipped_and_used,
)
from pegboard.install.constraints import pins
from pegboard.install.package_file import trusted_keys

UNKNOWN_KEY_WARNING = """\
release_keys.txt does not have the public half of {key}: tables with this version accept its packages only with --trust
FILE, a file with that public half.
"""

AUDIT_FAILED = 2
"""Exit status if known vulnerabilities cannot be looked up."""

STOPPED = 130
"""Exit status after Ctrl-C, as in shells."""


def main() -> None:
    """Run the command in the command line; after a build, print the files.

    Raises:
        SystemExit: the command failed, and one sentence says why; also at the end of an audit.
    """
    parser = argparse.ArgumentParser(prog="pegboard.install.building", description=__doc__)
    parser.add_argument("--folder", type=Path, default=ROOT / "dist", help="folder for the files (dist)")
    parser.add_argument("--as-version", help="build as another version")
    parser.add_argument("--index", default=INDEX, help=f"the package index ({INDEX})")
    parser.add_argument("what", choices=("wheel", "deb", "materials", "release", "key", "audit", "pins", "licenses"))
    parser.add_argument("file", type=Path, nargs="?", help="private key file: to sign with, or to create")
    given = parser.parse_args()
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})  # the Makefile blocks it while Python starts
    if given.what in {"release", "key"} and given.file is None:
        target = "release" if given.what == "release" else "release-key"
        sys.exit(f"name the file of a private key: make {target} KEY=FILE")
    try:
        if given.what == "key":
            sys.stdout.write(f"{make_key(given.file)}\n")
        elif given.what == "audit":
            sys.exit(_audit(given.index.rstrip("/")))
        elif given.what == "pins":
            sys.stdout.write(f"{renew_pins(given.index.rstrip('/'))}\n")
        elif given.what == "licenses":
            LICENSES.write_text(license_table(*shipped_and_used()), "utf-8")
        else:
            _build(given.what, given.folder, given.as_version or version(), given.file)
    except (BuildError, PegboardError) as error:
        sys.exit(str(error))
    except OSError as error:
        if _was_stopped(error):
            _say_stopped()
        named = error.filename or given.folder
        sys.exit(f"{named} cannot be used: {error.strerror or error}; nothing was built")
    except KeyboardInterrupt:
        _say_stopped()


def _was_stopped(error: BaseException) -> bool:
    """Whether an error was caused by Ctrl-C, which can interrupt the removal of temporary files."""
    before = error.__context__
    return before is not None and (isinstance(before, KeyboardInterrupt) or _was_stopped(before))


def _say_stopped() -> NoReturn:
    sys.stderr.write("stopped; nothing was built\n")
    sys.exit(STOPPED)


def _audit(index: str) -> int:
    """Print the known vulnerabilities of the pins; return the exit status: 1 if there are any, 2 if lookup fails."""
    try:
        faults = known_vulnerabilities(partial(version_report, index))
    except BuildError as error:
        sys.stderr.write(f"cannot look up known faults: {error}\n")
        return AUDIT_FAILED
    for fault in faults:
        sys.stdout.write(f"{fault}\n")
    count = f"{len(faults) or 'no'} known fault{'s' if len(faults) > 1 else ''}"
    sys.stdout.write(f"{index} lists {count} in the {len(pins())} pinned packages\n")
    return 1 if faults else 0


def _build(what: str, folder: Path, built_version: str, key: Path | None) -> None:
    """Build in a temporary folder, then move the complete files into `folder`; a release gets its own subfolder."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder, prefix=".building-") as temporary:
        aside = Path(temporary, f"pegboard-{built_version}")
        aside.mkdir()
        if what == "release":
            built = _build_release(aside, built_version, key)
            shutil.rmtree(folder / aside.name, ignore_errors=True)
            folder = aside.rename(folder / aside.name)
        else:
            built = _build_files(what, aside, built_version, key)
            for path in aside.iterdir():
                path.replace(folder / path.name)
    for name in built:
        sys.stdout.write(f"{folder / name} {(folder / name).stat().st_size:,} bytes\n")


def _build_release(folder: Path, built_version: str, key: Path | None) -> list[str]:
    """Build all files of a release; return their names."""
    require_unchanged()
    notes = release_notes((ROOT / "CHANGELOG.md").read_text("utf-8"), built_version)
    wheel, *_ = _build_files("deb", folder, built_version, key)
    build_source_archive(folder, folder / wheel)
    (folder / NOTES).write_text(notes, "utf-8")
    (folder / CHECKSUMS).write_text(checksums(folder), "utf-8")
    return sorted(path.name for path in folder.iterdir())


def _build_files(what: str, folder: Path, built_version: str, key: Path | None) -> list[str]:
    """Build a wheel, a wheel and a package, or the development bill of materials; return the names, the wheel first."""
    if what == "materials":
        text = bill_of_materials(built_version, pins())
        bill = folder / f"pegboard-{built_version}-development.cdx.json"
        bill.write_text(text, "utf-8")
        return [bill.name]
    wheel = build_wheel(folder, built_version)
    built = [wheel]
    wheel.with_name(f"{wheel.name}.cdx.json").write_text(bill_of_materials(built_version, ()), "utf-8")
    if what != "wheel":
        built.append(build_package(folder, wheel))
        if key is not None and sign(built[-1], key) not in trusted_keys():
            sys.stderr.write(UNKNOWN_KEY_WARNING.format(key=key))
    return [path.name for path in built]


if __name__ == "__main__":
    main()
