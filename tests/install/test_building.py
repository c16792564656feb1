"""What is handed out: its versions and hashes, its bill of materials, and the keys that sign it."""

import json
import os
import re
import signal
import subprocess
import sys

import pytest

from pegboard.install import constraints
from pegboard.install.building import __main__ as build_command
from pegboard.install.building import source
from pegboard.install.building.debian_package import INSTALLER_FILES, installer_program
from pegboard.install.building.licenses import bill_of_materials
from pegboard.install.building.source import BuildError, make_key
from pegboard.install.building.tree import DEBIANS, shipped_and_used, shipped_packages
from pegboard.install.package_file import trusted_keys
from tests.support.waiting import soon

IMPORT_FROM = """
import importlib, sys
sys.path.insert(0, sys.argv[1])
for name in sys.argv[2:]:
    importlib.import_module(name)
"""


def test_every_package_that_is_shipped_has_hashes_in_the_constraints():
    lines = constraints.hashed_requirements(shipped_packages()).splitlines()
    assert len(lines) >= 20
    assert all(re.fullmatch(r"[\w.-]+==[\w.]+( --hash=sha256:[0-9a-f]{64})+", line) for line in lines)


def test_what_debian_compiles_is_not_shipped():
    assert not DEBIANS & set(shipped_packages())


def test_pip_takes_the_constraints_without_hashes():
    lines = constraints.plain_constraints({"pillow"}).splitlines()
    assert all(re.fullmatch(r'[\w.-]+==[\w.]+( ; python_version == "3\.\d+")?', line) for line in lines)
    assert "pillow" not in {line.partition("==")[0].lower() for line in lines}


def test_the_bill_of_materials_is_the_same_each_time_and_names_every_package(monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1800000000")
    shipped, _ = shipped_and_used()
    text = bill_of_materials("0.1.0", shipped)
    assert bill_of_materials("0.1.0", shipped) == text
    bill = json.loads(text)
    assert (bill["bomFormat"], bill["metadata"]["component"]["version"]) == ("CycloneDX", "0.1.0")
    assert bill["metadata"]["timestamp"].startswith("2027-01-15T08:00:00")
    assert [one["name"] for one in bill["components"]] == shipped_packages()
    assert all(one["purl"].startswith("pkg:pypi/") and one["hashes"] for one in bill["components"])
    assert {"expression": "MIT"} in [licence for one in bill["components"] for licence in one["licenses"]]


def test_the_installer_of_the_package_holds_every_module_that_it_imports(tmp_path):
    program = tmp_path / "installer.pyz"
    program.write_bytes(installer_program())
    modules = [
        f"pegboard/{name}".removesuffix(".py").replace("/", ".") for name in INSTALLER_FILES if name.endswith(".py")
    ]
    assert "pegboard.install.installer" in modules
    # -S: nothing of this environment is found, so all that is not of Python comes from that file.
    command = [sys.executable, "-I", "-S", "-c", IMPORT_FROM, program, *modules]
    assert subprocess.run(command, cwd=tmp_path, stderr=subprocess.PIPE, check=False).stderr.decode() == ""


def test_two_public_keys_are_shipped():
    keys = trusted_keys()
    assert len(set(keys)) == 2
    assert {len(key) for key in keys} == {32}


def test_a_private_key_is_for_its_owner_alone_and_never_written_over(tmp_path):
    public = make_key(tmp_path / "key.pem")
    assert re.fullmatch(r"[0-9a-f]{64}", public)
    assert (tmp_path / "key.pem").stat().st_mode & 0o777 == 0o600
    with pytest.raises(BuildError, match="never overwritten"):
        make_key(tmp_path / "key.pem")


def test_a_time_that_is_none_is_refused(monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "yesterday")
    with pytest.raises(BuildError, match="a whole number of seconds since 1970"):
        source.epoch()


def building(*words, **more):
    command = [sys.executable, "-m", "pegboard.install.building", *map(str, words)]
    return subprocess.Popen(command, cwd=source.ROOT, stderr=subprocess.PIPE, text=True, **more)


WAITING_PIP = """import pathlib, signal, sys
(pathlib.Path(sys.argv[sys.argv.index("--wheel-dir") + 1]).parent / "half-built").touch()
pathlib.Path(__file__).with_name("began").touch()
signal.pause()
"""


@pytest.mark.long
def test_ctrl_c_leaves_no_file_and_no_traceback(tmp_path):
    (tmp_path / "pip").mkdir()
    (tmp_path / "pip" / "__init__.py").touch()
    (tmp_path / "pip" / "__main__.py").write_text(WAITING_PIP)
    (tmp_path / "temporary").mkdir()
    with_pip = os.environ | {"PYTHONPATH": str(tmp_path), "TMPDIR": str(tmp_path / "temporary")}
    with building("--folder", tmp_path / "dist", "wheel", start_new_session=True, env=with_pip) as process:
        soon((tmp_path / "pip" / "began").exists)
        os.killpg(process.pid, signal.SIGINT)
        output = process.communicate(timeout=60)[1]
    assert list((tmp_path / "temporary").iterdir()) == []
    assert (process.returncode, output) == (130, "stopped; nothing was built\n")
    assert list((tmp_path / "dist").iterdir()) == []


@pytest.mark.parametrize("what", ["wheel", "key"])
def test_a_folder_that_takes_nothing_is_named(tmp_path, what):
    (tmp_path / "file").touch()
    with building("--folder", tmp_path / "file", what, tmp_path / "file" / "key.pem") as process:
        said = process.communicate(timeout=60)[1]
    assert process.returncode == 1
    assert re.fullmatch(rf"{tmp_path}/file\S* cannot be used: (File exists|Not a directory); nothing was built\n", said)


@pytest.mark.parametrize(("what", "target"), [("release", "release"), ("key", "release-key")])
def test_a_key_that_is_not_named_is_asked_for_as_make_takes_it(what, target):
    with building(what) as process:
        said = process.communicate(timeout=60)[1]
    assert process.returncode == 1
    assert said == f"name the file of a private key: make {target} KEY=FILE\n"


def test_another_version_is_built_from_the_same_source(tmp_path):
    source.copy_source(tmp_path, "7.8.9")
    assert '\nversion = "7.8.9"\n' in (tmp_path / "pyproject.toml").read_text()
    assert (tmp_path / "web" / "templates").is_dir()
    assert not list(tmp_path.rglob("__pycache__"))


def test_what_another_key_has_signed_is_built_and_said_to_be_strange(tmp_path, capsys, monkeypatch):
    package = tmp_path / "pegboard_0.1.0_all.deb"
    monkeypatch.setattr(build_command, "build_wheel", lambda *_: package)
    monkeypatch.setattr(build_command, "build_package", lambda *_: package)
    public = make_key(tmp_path / "key.pem")
    monkeypatch.setattr("sys.argv", ["building", "--folder", str(tmp_path), "deb", str(tmp_path / "key.pem")])
    for keys, expected in (([], "release_keys.txt does not have the public half"), ([bytes.fromhex(public)], "")):
        package.write_bytes(b"!<arch>\n")
        monkeypatch.setattr(build_command, "trusted_keys", lambda keys=keys: keys)
        build_command.main()
        found = capsys.readouterr().err
        assert expected in found
        assert bool(found) == bool(expected)
