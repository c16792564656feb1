"""Files that are no update: one sentence each, and not a byte on the machine is another."""

import io
import lzma
import tarfile

import pytest

from pegboard.install import installed_versions
from pegboard.install.building.source import sign
from pegboard.install.package_file import MOST_BYTES, InstallError
from tests.install.small_packages import Workshop
from tests.support.long_runs import some_in


def refuse(machine, path, sentence):
    before = machine.content()
    with pytest.raises(InstallError, match=sentence) as raised:
        machine.update(path)
    assert machine.content() == before
    assert "\n" not in str(raised.value)
    assert machine.service.runs == machine.versions.current == "0.5.0"


@pytest.fixture
def installed(machine):
    machine.install("0.5.0")
    return machine


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "is not a pegboard package"),
        (b"some photograph", "is not a pegboard package"),
        (b"!<arch>\n", "is not signed"),
        (b"!<arch>\nhalf a header", "is incomplete"),
        (b"PK\x03\x04" + bytes(100), "is not a pegboard package"),
    ],
)
def test_a_file_that_is_no_package(installed, tmp_path, content, sentence):
    path = tmp_path / "holiday.deb"
    path.write_bytes(content)
    refuse(installed, path, sentence)


def test_a_file_that_is_not_there_or_a_folder(installed, tmp_path):
    refuse(installed, tmp_path / "none.deb", r"none\.deb cannot be read: No such file")
    refuse(installed, tmp_path, "cannot be read: Is a directory")


def test_a_file_without_end(installed, tmp_path):
    path = tmp_path / "large.deb"
    with path.open("wb") as file:
        file.truncate(MOST_BYTES + 1)
    refuse(installed, path, "is larger than 16 MB")


def test_a_package_that_is_not_signed(installed, workshop):
    refuse(installed, workshop.package("0.6.0", "unsigned", signed=False), "is not signed, .*apt install")


def test_a_package_signed_by_somebody_else(installed, workshop, tmp_path):
    package = workshop.package("0.6.0", "foreign", signed=False)
    (tmp_path / "other").mkdir()
    sign(package, Workshop(tmp_path / "other").key)
    refuse(installed, package, "not signed with a key this version trusts")


def test_an_older_package_and_the_same(installed, workshop):
    refuse(installed, workshop.package("0.4.9"), r"is version 0\.4\.9, but the newer 0\.5\.0 is already running")
    refuse(installed, workshop.package("0.5.0"), r"version 0\.5\.0 is already running")


def test_versions_are_compared_as_numbers(installed, workshop):
    assert installed.update(workshop.package("0.10.0")) == "0.10.0"


def test_a_package_of_another_program(installed, workshop):
    refuse(installed, workshop.package("9.0.0", name="vlc"), "is not a pegboard package")


def test_a_version_for_another_python_or_with_other_services(installed, workshop):
    refuse(installed, workshop.package("0.6.0", "python", python=(3, 99)), r"needs Python 3\.99 or newer")
    refuse(installed, workshop.package("0.6.1", "units", host_files=99), "changes system services")


def test_a_package_that_is_cut_off_anywhere(installed, workshop, tmp_path):
    content = workshop.package("0.6.0").read_bytes()
    path = tmp_path / "cut.deb"
    for end in some_in(range(8, len(content), max(1, len(content) // 200))):
        path.write_bytes(content[:end])
        refuse(installed, path, "is incomplete|is not signed")


def test_a_package_with_one_changed_byte(installed, workshop, tmp_path):
    content = workshop.package("0.6.0").read_bytes()
    path = tmp_path / "changed.deb"
    for at in some_in(range(8, len(content), max(1, len(content) // 200))):
        path.write_bytes(content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :])
        refuse(installed, path, "not signed|is incomplete|is not a pegboard package")


def test_something_after_the_signature(installed, workshop, tmp_path):
    path = tmp_path / "more.deb"
    path.write_bytes(workshop.package("0.6.0").read_bytes() + b"\n")
    refuse(installed, path, "is incomplete|was changed")


def archive_of(*entries):
    written = io.BytesIO()
    with tarfile.open(fileobj=written, mode="w:xz") as archive:
        for entry in entries:
            archive.addfile(entry, io.BytesIO(bytes(entry.size)))
    return written.getvalue()


def entry(name, kind=tarfile.REGTYPE, link=""):
    one = tarfile.TarInfo(name)
    one.type, one.linkname = kind, link
    return one


def test_a_tree_that_would_fill_the_disk_is_refused_before_it_is_written(installed, workshop, monkeypatch):
    """Ten files of a kilobyte each, where all may have two."""
    monkeypatch.setattr(installed_versions, "MOST_BYTES", 2048)
    files = [entry(f"zeros-{number}") for number in range(10)]
    for one in files:
        one.size = 1000
    folder = workshop.folder / "unpacked"
    with pytest.raises(InstallError, match="damaged"):
        installed_versions._write_files(archive_of(*files), folder)
    assert sorted(path.name for path in folder.iterdir()) == ["zeros-0", "zeros-1"]


def test_a_tree_archive_larger_than_any_package_is_refused_unread(installed, workshop):
    """A megabyte of zeros takes a few bytes of the package, and may take any amount of memory."""
    refuse(installed, workshop.package("0.6.0", "zeros", archive=bytes(MOST_BYTES + 1)), "is not a pegboard package")


@pytest.mark.sampled(least=2)
@pytest.mark.parametrize(
    "archive",
    [
        archive_of(entry("../escaped")),
        archive_of(entry("/etc/escaped")),
        archive_of(entry("link", tarfile.SYMTYPE, "/etc")),
        archive_of(entry("hard", tarfile.LNKTYPE, "/etc/passwd")),
        archive_of(entry("device", tarfile.CHRTYPE)),
        b"no archive at all",
        lzma.compress(b"no archive in it" * 100),
        archive_of(entry("run.py"))[:-20],
    ],
)
def test_an_archive_that_would_write_elsewhere_or_is_damaged(installed, workshop, archive):
    refuse(
        installed,
        workshop.package("0.6.0", "archive", archive=archive),
        "damaged|does not contain a complete version of pegboard",
    )


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("how", "sentence"),
    [
        ("refuses", r"failed its test on a copy of the scores \(pegboard\.toml, line 3: there is no setting colour\)"),
        ("breaks", "No module named 'no_such_module'"),
        ("lies", "it reports version 9.9.9"),
    ],
)
def test_a_version_that_does_not_start_on_a_copy(installed, workshop, how, sentence):
    refuse(installed, workshop.package("0.6.0", how), sentence)
