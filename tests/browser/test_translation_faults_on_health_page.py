"""A faulty translation on the page of the devices: which file, which line and why, in the reader's language."""

import contextlib
import json
import shutil

import pytest
from playwright.sync_api import expect

import web.kit.catalogs
from tests.browser.looks import assert_clean, wrong_looks
from tests.support.web_server_and_clients import opened
from tests.web.kit.test_faulty_catalogs import LANGUAGES, forget, put

GERMAN = {"language": "Deutsch", "words": {"deals": "gibt"} | {f"x{n}": "y" for n in range(6)}}


@pytest.fixture
def site(tmp_path, monkeypatch):
    """A table with a file of no use, and one with seven faults."""
    folder = tmp_path / "languages"
    shutil.copytree(LANGUAGES, folder)
    monkeypatch.setattr(web.kit.catalogs, "FOLDER", folder)
    put(folder, json.dumps(GERMAN, indent=1))
    put(folder, "{}", "es.json")
    with opened(tmp_path) as site:
        yield f"http://127.0.0.1:{site.port}"
    forget()


SAID = {
    "en": (
        "not used",
        '"language" is missing; give the language\'s own name',
        "Line 4: words.deals is missing {name}",
        "2 more errors",
    ),
    "fr": (
        "non utilis\u00e9e",
        "\u00ab\u00a0language\u00a0\u00bb manque\u00a0; donner le nom de la langue dans cette langue",
        "Ligne 4\u00a0: dans words.deals, il manque {name}",
        "2 autres erreurs",
    ),
}


@pytest.fixture
def reader(browser):
    """A browser of somebody who reads a language."""
    with contextlib.ExitStack() as opened_here:

        def reader(language):
            context = browser.new_context(locale=language, reduced_motion="reduce")
            opened_here.callback(context.close)
            return context

        yield reader


@pytest.mark.long
@pytest.mark.parametrize("language", SAID)
def test_the_page_of_the_devices_names_file_line_and_reason(site, look, reader, language):
    left_out, no_name, first, others = SAID[language]
    page = look(f"{site}/health", context=reader(language))
    spanish = page.locator("#catalogs .device").filter(has=page.get_by_role("heading", name="es.json"))
    german = page.locator("#catalogs .device").filter(has=page.get_by_role("heading", name="de.json"))
    expect(spanish.locator(".state")).to_have_text(left_out)
    expect(spanish.locator("li")).to_have_text([no_name])
    expect(german.locator("li")).to_have_count(6)
    expect(german.locator("li").first).to_have_text(first)
    expect(german.locator("li").last).to_have_text(others)
    assert wrong_looks(page) == {}
    assert_clean(page)


@pytest.mark.long
def test_a_table_whose_translations_are_good_says_nothing_of_them(table, look):
    page = look(f"{table.url}/health")
    expect(page.locator("#devices .device")).not_to_have_count(0)
    expect(page.locator("#catalogs")).to_be_hidden()
