"""The season at the desk of an association: nights of clubs come in as signed packages, each once."""

import pytest
from playwright.sync_api import expect

from tests.browser.looks import assert_clean
from tests.support.hub_site import opened_hub


@pytest.fixture
def package(tmp_path):
    """The signed package of a night of two at the hub of a club: Ann has won."""
    with opened_hub(tmp_path / "club") as club:
        night = club.open_night(games=1)
        club.enter(night, 2)
        club.do(night, "draw")
        game = club.view(night)["rounds"][0]["games"][0]["game"]
        club.do(night, "paper_result", game=game, winner="p1", margin=12)
        club.do(night, "end_night")
        return club.director().get(f"/night/v1/{night}/files/night.pegboard").body


@pytest.fixture
def page(hub, open_device):
    return open_page(hub, open_device, "phone")


def open_page(hub, open_device, size):
    page = open_device(size, client=hub.director())
    page.goto(f"{hub.url}season")
    return page


def take_in(page, file):
    page.get_by_label("Signed package").set_input_files({"name": "night.pegboard", "mimeType": "", "buffer": file})
    page.get_by_role("button", name="Import").click()
    expect(page.get_by_role("button", name="Import")).to_be_enabled()
    return page.locator("#received")


def test_a_night_of_another_hub_is_taken_in_once_and_counts(page, package):
    said = take_in(page, package)
    expect(said).to_contain_text("Imported: Club night")
    expect(said).to_contain_text("Signed by an unknown hub. Fingerprint:")
    expect(said).to_contain_text("Standings and margins match the package.")
    assert_clean(page)
    expect(take_in(page, package)).to_contain_text("Already here: Club night")
    page.reload()
    expect(page.get_by_role("row").nth(1)).to_contain_text("Ann")
    with page.expect_download() as download:
        page.get_by_role("link", name="Club night").click()
    assert download.value.path().read_bytes() == package


@pytest.mark.long
def test_a_package_altered_in_a_byte_is_refused_with_the_reason_and_nothing_counts(page, package):
    expect(take_in(page, package.replace(b"Ann", b"Amy", 1))).to_have_text(
        "The package was altered: its signature does not match its key and content"
    )
    expect(take_in(page, b"")).to_have_text("The file is not an event package")
    page.reload()
    expect(page.get_by_text("No event has ended yet.")).to_be_visible()


@pytest.mark.long
def test_who_is_no_director_takes_nothing_in(hub, open_device):
    page = open_device("phone")
    page.goto(f"{hub.url}season")
    expect(page.get_by_label("Signed package")).to_have_count(0)


@pytest.mark.long
def test_a_season_is_read_on_the_narrowest_phone(hub, package, open_device):
    take_in(open_page(hub, open_device, "phone"), package)
    page = open_page(hub, open_device, "narrow")
    expect(page.get_by_role("row").nth(1)).to_contain_text("Ann")
    inside = page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    cells = page.locator("tbody tr").first.locator("th, td").all()
    edges = [(box["x"], box["x"] + box["width"]) for box in (cell.bounding_box() for cell in cells) if box]
    assert inside
    assert all(0 <= left <= right <= 320 for left, right in edges)
