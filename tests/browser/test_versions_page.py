"""Versions on the page of the settings: a file is sent, installed, gone back from, and the page follows."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.looks import assert_clean, wrong_looks


def settings(table, look, **more):
    page = look(f"{table.url}/settings", **more)
    page.locator("#facts dd").first.wait_for()
    return page


WAITING = {"file": "pegboard_0.2.0_all.deb", "version": "0.2.0", "bytes": 2_924_092}


class Machine:
    """What a browser is told of the versions; `asked` and `sent` are what it has posted."""

    def __init__(self, page):
        self.report = {"current": "0.1.0", "previous": None, "waiting": [], "under_way": False, "last": None}
        self.asked, self.sent, self.refuses, self.is_away = [], [], None, False
        page.route("**/api/v1/settings", self._settings)
        page.route(re.compile(r"/api/v1/versions"), self._versions)

    def _settings(self, route):
        answer = route.fetch()
        route.fulfill(response=answer, json=answer.json() | {"updates": True})

    def _versions(self, route):
        request = route.request
        if self.is_away:
            route.abort()
        elif request.method == "GET":
            route.fulfill(json=self.report)
        elif self.refuses:
            status, refusal = self.refuses
            route.fulfill(status=status, json=refusal, headers={"Content-Type": "application/problem+json"})
        elif "package" in request.url:
            self.sent.append((request.url, request.headers["content-type"], request.post_data_buffer))
            self.report |= {"waiting": [WAITING]}
            route.fulfill(status=201, json=self.report)
        else:
            self.asked.append(request.post_data_json)
            self.report |= {"under_way": True}
            route.fulfill(status=202, json=self.report)

    def done(self, what, version, runs, why=None):
        self.report |= {"under_way": False, "current": runs, "waiting": [], "previous": "0.1.0"}
        self.report |= {"last": {"what": what, "version": version, "runs": runs, "at": 1_795_000_000.0, "why": why}}


@pytest.fixture
def machine(table, look):
    page = settings(table, look)
    look.excuse("Failed to load resource")  # refused, or away, as these tests want it
    expect(page.locator("#versions")).to_be_hidden()
    return Machine(page), page


def choose_file(page, content=b"!<arch>", name="pegboard_0.2.0_all.deb"):
    page.locator("#versions-choose input").set_input_files({"name": name, "mimeType": "", "buffer": content})


@pytest.mark.long
def test_director_sends_a_version_and_installs_it(machine):
    told, page = machine
    page.reload()
    expect(page.locator("#versions-now")).to_have_text("Running version 0.1.0.")
    assert_clean(page)
    choose_file(page)
    expect(page.locator("#told")).to_have_text("Version 0.2.0 is ready to install.")
    ((url, kind, content),) = told.sent
    assert url.endswith("/package?name=pegboard_0.2.0_all.deb")
    assert (kind, content) == ("application/vnd.debian.binary-package", b"!<arch>")
    expect(page.locator("#versions-ways p")).to_have_text("Version 0.2.0 is ready (2.9 MB).")
    assert wrong_looks(page) == {}
    assert_clean(page)
    page.get_by_role("button", name="Install 0.2.0").click()
    expect(page.locator("#confirm-title")).to_have_text("Install version 0.2.0?")
    page.get_by_role("dialog").get_by_role("button", name="Install 0.2.0").click()
    expect(page.locator("#told")).to_contain_text("restart in a moment")
    expect(page.get_by_role("button", name="Install 0.2.0")).to_be_disabled()
    (wish,) = told.asked
    assert (wish["do"], wish["file"]) == ("update", "pegboard_0.2.0_all.deb")
    with page.expect_event("requestfailed"):  # the table restarts: a look is not answered
        told.is_away = True
    told.is_away = False
    told.done("updated", "0.2.0", "0.2.0")
    expect(page.locator("#versions-now")).to_have_text("Running version 0.2.0.")
    expect(page.locator("#versions-last")).to_contain_text("Installed ")
    expect(page.get_by_role("button", name="Go back to 0.1.0")).to_be_enabled()
    assert_clean(page)


@pytest.mark.long
def test_version_that_was_taken_back_is_told_with_its_reason(machine):
    told, page = machine
    told.report |= {"previous": "0.0.9"}
    page.reload()
    page.get_by_role("button", name="Go back to 0.0.9").click()
    expect(page.locator("#confirm-title")).to_have_text("Go back to version 0.0.9?")
    page.get_by_role("dialog").get_by_role("button", name="Go back to 0.0.9").click()
    expect(page.locator("#told")).to_contain_text("restart in a moment")
    why = {"key": "install_version_silent", "values": {"version": "0.0.9", "seconds": 25}}
    told.done("failed", "0.0.9", "0.1.0", why | {"text": "version 0.0.9 was not ready after 25 seconds"})
    expect(page.locator("#told")).to_contain_text("version 0.0.9 was not ready after 25 seconds")
    expect(page.locator("#told")).not_to_have_class(re.compile("good"))


def test_file_that_is_no_package_is_refused_in_the_servers_words(machine):
    told, page = machine
    page.reload()
    sentence = "holiday.jpg is not a pegboard package; those are named pegboard_VERSION_all.deb"
    told.refuses = 422, {"detail": sentence, "code": "install", "status": 422}
    choose_file(page, b"no", "holiday.jpg")
    expect(page.locator("#told")).to_contain_text("Holiday.jpg is not a pegboard package")
    told.refuses = None
    choose_file(page, b"no", "holiday.jpg")
    expect(page.locator("#told")).to_contain_text("is ready to install")
