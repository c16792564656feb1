"""Games that come from another table, in the list of games: what is said of them, and where."""

import pytest
from playwright.sync_api import expect

from tests.browser.laid_games import Table
from tests.support.program import Service


@pytest.fixture(scope="module")
def here(tmp_path_factory):
    """A table of its own, whose game is not finished."""
    with Service(tmp_path_factory.mktemp("here") / "state") as program:
        Table(program).lay((0, 2, "play"), players=("Ann", "Bob"))
        yield program


def bring(page, name, content):
    page.get_by_label("Import games").set_input_files(
        {"name": name, "mimeType": "application/x-ndjson", "buffer": content}
    )
    page.get_by_role("button", name="Import", exact=True).click()


@pytest.mark.long
def test_an_unfinished_game_of_another_table_is_not_on_this_one(here, tmp_path_factory, look):
    with Service(tmp_path_factory.mktemp("there") / "state") as there:
        Table(there).lay((1, 3, "play"), players=("Cy", "Dee"))
        exported = there.client().connection
        exported.request("GET", "/api/v1/export.jsonl")
        lines = exported.getresponse().read()
    page = look(f"{here.url}/history", "phone")
    bring(page, "evening.jsonl", lines)
    theirs = page.locator(".game-row", has_text="Dee leads 3 to 0")
    expect(theirs.locator(".tag")).to_have_text(["unfinished", "imported"])
    expect(page.locator(".game-row", has_text="Ann leads 2 to 0").locator(".tag")).to_have_text(["in progress"])
    look.excuse("422")
    page.evaluate("() => scrollTo(0, 0)")
    bring(page, "bad.jsonl", b"{]\n")
    expect(page.locator("#imported")).to_contain_text("Line 1")
    expect(page.locator("#imported")).to_be_in_viewport(ratio=0.98)
