"""Versions over HTTP: a director sends a signed package and asks root for it; everything else is refused."""

import errno
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from pegboard.install import director_updates
from pegboard.install.director_updates import PACKAGES, REQUEST, DirectorUpdates, pop_request
from pegboard.install.host import InstalledPaths
from pegboard.install.installed_versions import InstalledVersions, LastChange
from pegboard.install.package_file import MOST_BYTES
from tests.install.small_packages import Workshop
from tests.support.web_server_and_clients import Site
from web.access import sessions
from web.table.versions_api import DEBIAN_PACKAGE

PLACE = "/api/v1/versions"


@pytest.fixture(scope="module")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Workshop:
    return Workshop(tmp_path_factory.mktemp("workshop"))


class Machine:
    """A machine on which 1.0 runs, after 0.9, with its pages."""

    def __init__(self, site: Site, folder: Path) -> None:
        self.site = site
        self.paths = InstalledPaths(folder)
        self.state, self.runtime = folder / "state", folder / "run"
        for path in (self.state, self.runtime, self.paths.trees):
            path.mkdir(parents=True)
        self.versions = InstalledVersions(self.paths.trees)
        for version in ("0.9", "1.0"):
            tree = self.paths.trees / version
            tree.mkdir()
            manifest = {"version": version, "python": [3, 11], "host_files": 1, "files": {}}
            (tree / "MANIFEST.json").write_text(json.dumps(manifest))
        self.versions.flip("1.0")
        self.versions.record(LastChange("updated", "1.0", "1.0", 1_795_000_000.0), ["0.9"])
        self.service.updates = DirectorUpdates(self.state, self.runtime, self.paths)

    @property
    def service(self) -> Any:
        return self.site.server._flask.extensions["pegboard"].service

    def send(self, content: bytes, name: str = "newer.deb", kind: str = DEBIAN_PACKAGE) -> Any:
        return self.site.post(f"{PLACE}/package?name={name}", content, Content_Type=kind)

    def waiting(self) -> list[str]:
        return sorted(path.name for path in (self.state / PACKAGES).glob("*"))


@pytest.fixture
def machine(serve: Callable[..., Site], tmp_path: Path, workshop: Workshop) -> Iterator[Machine]:
    with patch.object(director_updates, "trusted_keys", return_value=[workshop.public]):
        yield Machine(serve(), tmp_path / "machine")


def test_versions_are_told(machine: Machine):
    told = machine.site.get(PLACE).json
    assert (told["current"], told["previous"], told["waiting"], told["under_way"]) == ("1.0", "0.9", [], False)
    assert told["last"] == {"what": "updated", "version": "1.0", "runs": "1.0", "at": 1_795_000_000.0, "why": None}
    assert machine.site.get("/api/v1/settings").json["updates"] is True


def test_director_sends_a_package_and_root_reads_what_is_asked_for(machine: Machine, workshop: Workshop):
    package = workshop.package("1.1").read_bytes()
    sent = machine.send(package)
    assert sent.status == 201
    assert sent.json["waiting"] == [{"file": "pegboard_1.1_all.deb", "version": "1.1", "bytes": len(package)}]
    assert (machine.state / PACKAGES / "pegboard_1.1_all.deb").read_bytes() == package
    asked = machine.site.post(PLACE, {"do": "update", "file": "pegboard_1.1_all.deb"})
    assert (asked.status, asked.json["under_way"]) == (202, True)
    request = pop_request(machine.runtime)
    assert (request.do, request.file, request.during_game) == ("update", "pegboard_1.1_all.deb", False)


def test_newer_package_takes_the_place_of_the_one_that_waits(machine: Machine, workshop: Workshop):
    for version in ("1.1", "1.2"):
        assert machine.send(workshop.package(version).read_bytes()).status == 201
    assert machine.waiting() == ["pegboard_1.2_all.deb"]


def test_director_goes_back(machine: Machine):
    assert machine.site.post(PLACE, {"do": "back"}).status == 202
    assert pop_request(machine.runtime).do == "back"


def refused_packages(workshop: Workshop) -> dict[str, tuple[bytes, str]]:
    """Files that are not taken, by a word of the sentence."""
    whole = workshop.package("1.1").read_bytes()
    return {
        "photograph": (b"\xff\xd8\xff\xe0" * 1000, "install_package_foreign"),
        "empty": (b"", "install_package_foreign"),
        "cut": (whole[: len(whole) // 2], "install_package_cut_off"),
        "changed": (whole[:-200] + bytes([whole[-200] ^ 1]) + whole[-199:], "install_package_signature"),
        "unsigned": (workshop.package("1.1", "unsigned", signed=False).read_bytes(), "install_package_unsigned"),
        "older": (workshop.package("0.8").read_bytes(), "install_package_older"),
        "same": (workshop.package("1.0").read_bytes(), "install_package_same"),
    }


@pytest.mark.parametrize("which", ["photograph", "empty", "cut", "changed", "unsigned", "older", "same"])
def test_file_that_is_not_taken_is_named_and_nothing_waits(machine: Machine, workshop: Workshop, which: str):
    content, key = refused_packages(workshop)[which]
    with machine.site.as_it_was():
        answer = machine.send(content, "holiday.deb")
        assert answer.refusal == (422, "install")
        assert answer.json["key"] == key
        assert key == "install_package_same" or "holiday.deb" in answer.json["detail"]
    assert machine.waiting() == []


def test_package_of_another_key_is_refused(machine: Machine, tmp_path: Path):
    folder = tmp_path / "other"
    folder.mkdir()
    assert machine.send(Workshop(folder).package("1.1").read_bytes()).json["key"] == "install_package_signature"


def test_larger_file_than_any_package_is_refused(machine: Machine):
    answer = machine.send(bytes(MOST_BYTES + 1))
    assert answer.refusal == (413, "too_large")
    assert answer.json["detail"] == f"a package can have at most {MOST_BYTES} bytes"


def test_another_content_type_is_refused(machine: Machine, workshop: Workshop):
    answer = machine.send(workshop.package("1.1").read_bytes(), kind="application/octet-stream")
    assert answer.refusal == (415, "media_type")


def test_package_that_cannot_be_written_is_said(machine: Machine, workshop: Workshop):
    (machine.state / PACKAGES).write_text("no folder")
    assert machine.send(workshop.package("1.1").read_bytes()).refusal == (503, "not_stored")


def test_of_a_package_that_a_full_disk_cut_short_nothing_stays(machine: Machine, workshop: Workshop):
    full = OSError(errno.ENOSPC, "No space left on device")
    with patch.object(director_updates.os, "fsync", side_effect=full):
        assert machine.send(workshop.package("1.1").read_bytes()).refusal == (503, "not_stored")
    assert machine.waiting() == []


@pytest.mark.parametrize(("role", "code"), [("viewer", "not_paired"), ("scorer", "role")])
def test_only_a_director_may(machine: Machine, workshop: Workshop, role: str, code: str):
    with patch.object(sessions, "role", return_value=role), machine.site.as_it_was():
        assert machine.site.post(PLACE, {"do": "back"}).refusal == (403, code)
        assert machine.send(workshop.package("1.1").read_bytes()).refusal == (403, code)
    assert not (machine.runtime / REQUEST).exists()


def test_page_of_somebody_else_may_not(machine: Machine, workshop: Workshop):
    elsewhere = {"Origin": "https://elsewhere.example"}
    assert machine.site.post(PLACE, {"do": "back"}, **elsewhere).refusal == (403, "foreign_origin")
    headers = {"Content-Type": DEBIAN_PACKAGE} | elsewhere
    answer = machine.site.ask("POST", f"{PLACE}/package", workshop.package("1.1").read_bytes(), headers)
    assert answer.refusal == (403, "foreign_origin")


@pytest.mark.parametrize(
    "body",
    [{}, {"do": "install"}, {"do": "back", "now": True}, {"do": "back", "during_game": 1}, {"do": "update", "file": 3}],
)
def test_nothing_but_a_whole_wish_is_taken(machine: Machine, body: dict[str, Any]):
    assert machine.site.post(PLACE, body).refusal == (422, "shape")
    assert not (machine.runtime / REQUEST).exists()


@pytest.mark.parametrize("file", ["", "pegboard_1.1_all.deb", "../../etc/passwd", "pegboard_1.1_all.deb/../x"])
def test_package_that_does_not_wait_is_not_asked_for(machine: Machine, file: str):
    answer = machine.site.post(PLACE, {"do": "update", "file": file})
    assert answer.refusal == (422, "install")
    assert answer.json["key"] == "install_package_gone"


def test_during_a_game_it_is_done_only_where_that_is_said(machine: Machine):
    """Between two deals too, where nothing of the deal has been scored yet."""
    for seat, points, why in ((1, 2, "play"), (1, 8, "hand"), (0, 6, "hand"), (0, 4, "crib")):
        assert machine.site.score(seat, points, why=why).status == 201
    assert machine.site.post(PLACE, {"do": "back"}).refusal == (409, "playing")
    assert machine.site.post(PLACE, {"do": "back", "during_game": True}).status == 202
    assert pop_request(machine.runtime).during_game is True


def test_one_change_at_a_time(machine: Machine):
    assert machine.site.post(PLACE, {"do": "back"}).status == 202
    answer = machine.site.post(PLACE, {"do": "back"})
    assert answer.refusal == (503, "not_stored")
    assert answer.json["key"] == "install_under_way"


def test_without_an_earlier_version_there_is_no_way_back(machine: Machine):
    machine.versions.record(LastChange("installed", "1.0", "1.0", 1.0), [])
    assert machine.site.post(PLACE, {"do": "back"}).json["key"] == "install_no_way_back"


def test_elsewhere_there_are_no_versions(site: Site):
    assert site.get("/api/v1/settings").json["updates"] is False
    for answer in (site.get(PLACE), site.post(PLACE, {"do": "back"})):
        assert answer.refusal == (404, "no_versions")


def test_whoever_reads_sees_a_link_in_place_of_a_package_only_by_its_name(machine: Machine, tmp_path: Path):
    """The service may have been broken into; what it says of a file is no matter to root, which follows no link."""
    (machine.state / PACKAGES).mkdir()
    (machine.state / PACKAGES / "pegboard_9.9_all.deb").symlink_to(tmp_path / "nowhere")
    assert machine.site.get(PLACE).json["waiting"] == []
