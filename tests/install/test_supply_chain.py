"""What pegboard is built from: the hash of every file, the licenses, and known faults as an index tells them."""

import ast
import contextlib
import http.server
import json
import re
import shutil
import subprocess
import sys
import threading
from importlib import metadata
from pathlib import Path
from typing import ClassVar

import pytest
from packaging.markers import Marker

from pegboard.install import constraints, set_up
from pegboard.install.building import licenses, pinning, tree
from pegboard.install.building import source as building_source
from pegboard.install.building.licenses import bill_of_materials
from pegboard.install.building.source import BuildError
from pegboard.install.building.tree import shipped_and_used

ROOT = Path(__file__).parents[2]


# --- pins ---


def test_every_pin_has_the_hashes_of_its_files():
    every = constraints.pins()
    assert len(every) > 80
    assert [pin.name for pin in every if not pin.hashes] == []
    assert {one for pin in every for one in pin.hashes if not re.fullmatch(r"[0-9a-f]{64}", one)} == set()
    assert len({constraints.normal(pin.name) for pin in every}) == len(every)


def test_compiled_packages_have_hashes_for_every_kind_of_machine():
    """Wheels for three processors and three Pythons, and the source: far more hashes than a pure package has."""
    counts = {pin.name: len(pin.hashes) for pin in constraints.pins()}
    assert min(counts["pillow"], counts["MarkupSafe"], counts["cbor2"]) >= 10
    assert counts["click"] == 2


def test_everything_that_is_needed_is_pinned_in_the_section_that_installs_it():
    """What no pin names is installed by nothing, for set-ups let pip look for no more than is pinned."""
    pinned = {constraints.normal(pin.name): pin for pin in constraints.pins()}
    here = {name: pin.section for name, pin in pinned.items() if not pin.marker or Marker(pin.marker).evaluate()}
    roots = {"run": ("pegboard[mqtt]", "setuptools"), "build": ("pegboard[build]",), "dev": ("pegboard[dev]",)}
    needed = {name: section for section in reversed(roots) for name in tree.needed_packages(*roots[section])}
    assert here == {name: section for name, section in needed.items() if name != "pegboard"} | dict.fromkeys(
        ("gpiod", "lgpio", "spidev"), "elsewhere"
    )


def imported_packages(*folders):
    """The distributions that modules in these folders import, with one module that does."""
    of_module, found = metadata.packages_distributions(), {}
    for file in (file for folder in folders for file in sorted(folder.rglob("*.py"))):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            names = [one.name for one in node.names] if isinstance(node, ast.Import) else []
            names += [node.module] if isinstance(node, ast.ImportFrom) and not node.level else []
            for name in names:
                for package in of_module.get(name.partition(".")[0], ()):
                    found.setdefault(constraints.normal(package), str(file.relative_to(ROOT)))
    found.pop("pegboard", None)
    return found


def test_each_imported_package_is_installed_where_the_module_runs():
    """Building needs only what `make deb` installs, and the program only what it names itself, whatever tests need."""
    building = ROOT / "pegboard/install/building"
    built = imported_packages(building)
    assert {name: file for name, file in built.items() if name not in tree.needed_packages("pegboard[build]")} == {}
    program = imported_packages(*(ROOT / room for room in ("pegboard", "web", "hardware")))
    for_program = {
        name: file for name, file in program.items() if not Path(file).is_relative_to(building.relative_to(ROOT))
    }
    needed = tree.needed_packages("pegboard[hub]")
    assert {name: file for name, file in for_program.items() if name not in needed} == {}


def test_the_versions_that_run_here_are_the_pinned_ones():
    for name in constraints.names_for("dev"):
        with contextlib.suppress(metadata.PackageNotFoundError):  # another Python has it
            pinned = next(pin.version for pin in constraints.pins() if pin.name == name)
            assert (name, metadata.version(name)) == (name, pinned)


def test_a_file_with_another_hash_is_not_installed(tmp_path):
    """The control: pip itself refuses what the lines of a set-up do not name."""
    wheel = tmp_path / "files" / "segno-1.6.6-py3-none-any.whl"
    wheel.parent.mkdir()
    wheel.write_bytes(b"another file of that name")
    wanted = tmp_path / "requirements.txt"
    wanted.write_text(constraints.hashed_requirements(["segno"]), "utf-8")
    command = [sys.executable, "-m", "pip", "install", "--no-index", "--find-links", str(wheel.parent), "--target"]
    hashed = ["--require-hashes", "--no-deps", "-r", str(wanted)]
    ran = subprocess.run([*command, str(tmp_path / "to"), *hashed], capture_output=True, text=True, check=False)
    assert ran.returncode != 0
    assert "DO NOT MATCH THE HASHES" in ran.stderr
    assert not (tmp_path / "to").exists()


@pytest.fixture
def pip(monkeypatch):
    """The words of each call of pip, none of which does anything."""
    calls = []

    def note(words, *_):
        calls.append(words[words.index("pip") + 1 :])
        return subprocess.CompletedProcess(words, 0, "", "")

    monkeypatch.setattr(set_up, "run_in_english", note)
    return calls


@pytest.mark.parametrize("extra", ["", "build", "dev"])
def test_a_set_up_installs_hashed_files_alone_and_then_this_folder_with_nothing_else(pip, tmp_path, monkeypatch, extra):
    monkeypatch.setattr(set_up, "on_a_pi", lambda: False)
    set_up.install(tmp_path, extra)
    hashed, folder = pip
    assert {"--require-hashes", "--no-deps", "-r"} <= set(hashed)
    lines = Path(hashed[-1]).read_text("utf-8").splitlines()
    assert [line.partition("==")[0] for line in lines] == constraints.names_for(extra)
    assert {"Flask", "setuptools"} <= set(constraints.names_for(extra))
    assert all("--hash=sha256:" in line for line in lines)
    assert folder[-4:] == ["--no-deps", "--no-build-isolation", "-e", str(ROOT)]


def test_on_a_pi_only_what_debian_compiles_has_no_hash(pip, tmp_path, monkeypatch):
    monkeypatch.setattr(set_up, "on_a_pi", lambda: True)
    monkeypatch.setattr(set_up, "missing_modules", lambda: set_up.NEEDED[::3])
    debians = {"pillow", "cbor2", "markupsafe", "spidev", "gpiod", "lgpio"}
    files = []
    monkeypatch.setattr(set_up, "_write", lambda _, name, text: files.append(text) or name)
    set_up.install(tmp_path, "")
    own, pillow, rest, spidev = files
    assert {line.partition("==")[0] for line in own.splitlines()} == {
        name for name in constraints.names_for("") if name.lower() not in debians
    }
    assert [one.partition("==")[0] for one in rest.splitlines() if one.lower().partition("==")[0] in debians] == []
    assert (pillow.partition("==")[0], spidev.partition("==")[0]) == ("pillow", "spidev")
    assert "--hash=sha256:" in pillow
    assert "--hash=sha256:" in spidev
    assert all("--only-binary" in words for words in pip)
    assert ["--require-hashes" in words for words in pip] == [True, True, False, True]


def test_the_wheel_is_built_by_the_setuptools_that_was_hashed(tmp_path, monkeypatch):
    calls = []
    monkeypatch.setattr(tree, "run_pip", lambda *words: calls.append(words))
    with pytest.raises(ValueError, match="unpack"):  # this pip builds nothing
        tree.build_wheel(tmp_path, "7.8.9")
    assert {"wheel", "--no-deps", "--no-build-isolation"} <= set(calls[0])


# --- an index, as much of one as these need ---


class Index(http.server.BaseHTTPRequestHandler):
    pages: ClassVar = {}

    def do_GET(self):
        found = self.pages.get(self.path)
        self.send_response(404 if found is None else 200)
        self.send_header("Content-Type", "application/vnd.pypi.simple.v1+json")
        self.end_headers()
        if found is not None:
            self.wfile.write((found if isinstance(found, str) else json.dumps(found)).encode())

    def log_message(self, *_):
        pass


@pytest.fixture
def index(monkeypatch):
    """Address of an index, and its pages by path."""
    monkeypatch.setattr(Index, "pages", {})
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Index) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}", Index.pages
        server.shutdown()


def publish(pages, name, *files, needs=""):
    """Put files into an index, each with a hash of its own number; version 9 is withdrawn, and wheels name `needs`."""
    page = {"meta": {"api-version": "1.1"}, "name": name, "files": []}
    for number, file in enumerate(files):
        wheel, hashes = file.endswith(".whl"), {"sha256": f"{number}" * 64}
        one = {
            "filename": file,
            "url": f"/files/{file}",
            "hashes": hashes,
            "core-metadata": wheel,
            "yanked": "-9" in file,
        }
        page["files"].append(one)
        about = f"Metadata-Version: 2.1\nName: {name}\nVersion: {file.split('-')[1]}\n{needs}"
        pages |= {f"/files/{file}.metadata": about} if wheel else {}
    pages[f"/simple/{name}/"] = page


PROJECT = """
[project]
name = "pegboard"
version = "1"
requires-python = ">=3.11"
dependencies = ["Odd.Name"]
optional-dependencies = { mqtt = [], build = [], dev = ["new"] }

[dependency-groups]
setup = []
elsewhere = []
"""


@pytest.fixture
def project(index, monkeypatch, tmp_path):
    """Address of an index with the packages Odd.Name and new; their pins, and a project that needs them."""
    address, pages = index
    odd = [f"odd_name-{end}" for end in ("2.0.tar.gz", "2.0-py3-none-any.whl", "2.0.1.tar.gz", "9-py3-none-any.whl")]
    needs = 'Requires-Dist: new ; python_version == "3.12"\nRequires-Dist: nowhere ; sys_platform == "win32"\n'
    publish(pages, "odd-name", *odd, needs=needs)
    publish(pages, "new", "new-1.1-py3-none-any.whl", "new-1.0-py3-none-any.whl")
    publish(pages, "nowhere", "nowhere-1-py3-none-any.whl")
    (tmp_path / "pyproject.toml").write_text(PROJECT, "utf-8")
    (tmp_path / "constraints.txt").write_text("## run:\nOdd.Name==2.0\n", "utf-8")
    for module in (constraints, pinning):
        monkeypatch.setattr(module, "CONSTRAINTS", tmp_path / "constraints.txt")
    monkeypatch.setattr(pinning, "ROOT", tmp_path)
    monkeypatch.setenv("UV_NO_CACHE", "1")
    return address, pages


def test_all_files_of_a_version_are_hashed_and_none_of_another(project):
    address, _ = project
    assert pinning.renew_pins(address) == "constraints.txt: 2 packages, 3 hashes"
    odd, new = sorted(constraints.pins())
    assert odd == constraints.Pin("Odd.Name", "2.0", ("0" * 64, "1" * 64), "run")
    assert new == constraints.Pin("new", "1.1", ("0" * 64,), "run"), "every Python needs it to develop"


def test_what_only_one_python_needs_says_so_and_what_no_linux_needs_is_not_pinned(project, tmp_path):
    address, _ = project
    (tmp_path / "pyproject.toml").write_text(PROJECT.replace('["new"]', "[]"), "utf-8")
    pinning.renew_pins(address)
    assert [pin.line for pin in constraints.pins()] == ['new==1.1 ; python_version == "3.12"', "Odd.Name==2.0"]


@pytest.mark.parametrize(
    ("pinned", "told"),
    [
        ("Odd.Name==3.0", r"there is no version of odd-name==3\.0"),
        ("Odd.Name==9", "`odd-name==9` is yanked"),
        ("Odd.Name==2.0\nnew==1.0", r"pegboard depends on new>=1\.1 and new==1\.0"),
    ],
)
def test_a_version_that_is_missing_or_withdrawn_or_does_not_fit_is_named_and_nothing_is_written(
    project, tmp_path, pinned, told
):
    address, _ = project
    (tmp_path / "pyproject.toml").write_text(PROJECT.replace("new", "new>=1.1"), "utf-8")
    (tmp_path / "constraints.txt").write_text(pinned, "utf-8")
    with pytest.raises(BuildError, match=told):
        pinning.renew_pins(address)
    assert (tmp_path / "constraints.txt").read_text("utf-8") == pinned


def test_an_index_that_cannot_be_reached_is_named(project, monkeypatch):
    monkeypatch.setenv("UV_HTTP_RETRIES", "0")
    with pytest.raises(BuildError, match=r"Failed to fetch: http://127\.0\.0\.1:9/simple/"):
        pinning.renew_pins("http://127.0.0.1:9")


def test_pins_are_written_as_they_are_read(monkeypatch, tmp_path):
    """An index that tells the same hashes changes no byte of the file."""
    copy = tmp_path / "constraints.txt"
    shutil.copy(constraints.CONSTRAINTS, copy)
    every = constraints.pins()
    for module in (constraints, pinning):
        monkeypatch.setattr(module, "CONSTRAINTS", copy)

    def resolve(_, section):
        number = constraints.SECTIONS.index(section)
        before = constraints.SECTIONS[: number + 1] if section != "elsewhere" else ["elsewhere"]
        return [pin._replace(name=constraints.normal(pin.name)) for pin in every if pin.section in before]

    monkeypatch.setattr(pinning, "_resolve", resolve)
    pinning.renew_pins("")
    assert copy.read_text("utf-8") == (ROOT / "constraints.txt").read_text("utf-8")


# --- known faults ---


def report(**more):
    return {"info": {}, "vulnerabilities": []} | more


FAULT = {"id": "GHSA-h5c8-rqwp-cp95", "summary": "Attributes can be injected", "fixed_in": ["9.1.3"], "withdrawn": None}


def audit(address):
    """Exit status, output and errors of the audit."""
    command = [sys.executable, "-m", "pegboard.install.building", "--index", address, "audit"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    return ran.returncode, ran.stdout, ran.stderr


def test_an_index_that_knows_of_no_fault_says_so_of_every_pin(index):
    address, pages = index
    pages |= {f"/pypi/{pin.name}/{pin.version}/json": report() for pin in constraints.pins()}
    count = len(constraints.pins())
    assert audit(address) == (0, f"{address} lists no known fault in the {count} pinned packages\n", "")


def test_a_fault_is_named_with_the_version_that_mends_it(index):
    address, pages = index
    pages |= {f"/pypi/{pin.name}/{pin.version}/json": report() for pin in constraints.pins()}
    jinja = next(pin for pin in constraints.pins() if pin.name == "Jinja2")
    withdrawn = FAULT | {"id": "PYSEC-1", "withdrawn": "2026-01-01T00:00:00Z"}
    pages[f"/pypi/Jinja2/{jinja.version}/json"] = report(vulnerabilities=[FAULT, withdrawn])
    status, output, _ = audit(address)
    assert status == 1
    assert output.splitlines()[0] == (
        f"Jinja2 {jinja.version}: GHSA-h5c8-rqwp-cp95, fixed in 9.1.3. Attributes can be injected"
    )
    assert "lists 1 known fault in" in output


def test_a_version_that_its_authors_withdrew_is_a_fault(monkeypatch):
    withdrawn = report(info={"yanked": True, "yanked_reason": "it eats files"})
    monkeypatch.setattr(pinning, "pins", lambda: constraints.pins()[:1])
    (fault,) = pinning.known_vulnerabilities(lambda *_: withdrawn)
    assert str(fault).endswith("withdrawn by its authors, not fixed in any version yet. it eats files")


def test_an_accepted_fault_needs_its_reason(monkeypatch):
    monkeypatch.setattr(pinning, "ACCEPTED_VULNERABILITIES", {FAULT["id"]: "no page of ours gives it attributes"})
    monkeypatch.setattr(pinning, "pins", lambda: constraints.pins()[:1])
    assert pinning.known_vulnerabilities(lambda *_: report(vulnerabilities=[FAULT])) == []
    assert all(pinning.ACCEPTED_VULNERABILITIES.values())


@pytest.mark.sampled
@pytest.mark.parametrize("lacking", ["gone", "one page", "another program"])
def test_an_index_that_does_not_tell_is_never_taken_for_one_without_faults(index, lacking):
    address, pages = index
    pages |= {f"/pypi/{pin.name}/{pin.version}/json": report() for pin in constraints.pins()}
    last = constraints.pins()[-1]
    if lacking == "gone":
        address = "http://127.0.0.1:9"
    elif lacking == "one page":
        del pages[f"/pypi/{last.name}/{last.version}/json"]
    else:
        pages[f"/pypi/{last.name}/{last.version}/json"] = {"info": {}}
    status, output, errors = audit(address)
    assert (status, output) == (2, "")
    assert errors.startswith("cannot look up known faults: http://127.0.0.1:")
    assert errors.count("\n") == 1
    assert "Traceback" not in errors


# --- licenses ---


def test_what_is_handed_out_may_be_handed_out_under_mit():
    shipped, used = shipped_and_used()
    assert len(shipped) > 20
    strict = {pin.name: licenses.license_of(pin.name) for pin in shipped}
    assert {name: one for name, one in strict.items() if not licenses.is_allowed(one, licenses.SHIPPED_LICENSES)} == {}
    beside = {pin.name: licenses.license_of(pin.name) for pin in used}
    assert {name: one for name, one in beside.items() if not licenses.is_allowed(one, licenses.USED_LICENSES)} == {}


@pytest.mark.parametrize(
    ("expression", "allowed"),
    [
        ("MIT", True),
        ("GPL-3.0-only", False),
        ("MIT AND GPL-3.0-only", False),
        ("GPL-3.0-only OR MIT", True),
        ("MIT AND PSF-2.0", True),
        ("UNKNOWN", False),
    ],
)
def test_one_alternative_must_be_wholly_allowed(expression, allowed):
    assert licenses.is_allowed(expression, licenses.SHIPPED_LICENSES) == allowed


def test_a_package_that_states_no_license_is_refused(tmp_path, monkeypatch):
    (tmp_path / "mute-1.0.dist-info").mkdir()
    (tmp_path / "mute-1.0.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: mute\nVersion: 1.0\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(BuildError, match="the metadata of mute does not name its license"):
        licenses.license_of("mute")
    with pytest.raises(BuildError, match="nobody-has-it is not installed here"):
        licenses.license_of("nobody-has-it")


def test_the_page_of_licenses_is_as_make_pins_writes_it():
    assert licenses.LICENSES.read_text("utf-8") == licenses.license_table(*shipped_and_used())


def test_the_whole_bill_of_materials_names_the_tools_too(monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1800000000")
    pins = constraints.pins()
    bill = json.loads(bill_of_materials(building_source.version(), pins))
    assert {"pytest", "ruff", "setuptools"} <= {one["name"] for one in bill["components"]}
    assert all(one["licenses"] for one in bill["components"])
    digests = {one["name"]: {each["content"] for each in one["hashes"]} for one in bill["components"]}
    assert digests == {constraints.normal(pin.name): set(pin.hashes) for pin in pins}


def test_no_package_of_another_registry_is_used():
    """The pages' scripts are all pegboard's own."""
    tracked = subprocess.run(["git", "-C", ROOT, "ls-files"], capture_output=True, text=True, check=False).stdout
    assert [name for name in tracked.splitlines() if Path(name).name in {"package.json", "Cargo.toml", "go.mod"}] == []
