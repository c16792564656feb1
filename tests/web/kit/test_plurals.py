"""Plural forms of any language, by the charts of Unicode's CLDR: which there are, and which is said of a number."""

import json
import re
import shutil
import subprocess
import sys

import pytest
from click.testing import CliRunner

import web.kit.catalogs
from pegboard.cli.main import main
from tests.support.web_server_and_clients import opened
from tests.web.kit.test_faulty_catalogs import LANGUAGES, forget, put
from web.kit.catalogs import form_for, forms_of
from web.kit.i18n import module_of, translate

CLDR = {  # unicode.org/cldr/charts/latest/supplemental/language_plural_rules.html
    "en": {"one": [1], "other": [0, 2, 1.5, 11, 0.1]},
    "fr": {"one": [0, 1, 1.5, 0.1], "other": [2, 2.5, 11, 100]},
    "pt-BR": {"one": [0, 1, 1.5], "other": [2, 2.5]},
    "pt-PT": {"one": [1], "other": [0, 1.5, 2]},
    "pl": {"one": [1], "few": [2, 3, 4, 22, 104], "many": [0, 5, 11, 12, 14, 21, 25, 121], "other": [1.5, 0.1]},
    "ru": {"one": [1, 21, 121], "few": [2, 22, 104], "many": [0, 5, 11, 12, 111], "other": [1.5]},
    "cs": {"one": [1], "few": [2, 3, 4], "many": [1.5], "other": [0, 5, 22]},
    "ar": {"zero": [0], "one": [1], "two": [2], "few": [3, 10, 103], "many": [11, 99], "other": [100, 102, 1.5]},
    "ja": {"other": [0, 1, 2, 1.5]},
    "xx": {"one": [1], "other": [0, 2]},  # no language: as in English
}
ORDER = ["zero", "one", "two", "few", "many", "other"]


@pytest.mark.parametrize("language", CLDR)
def test_a_form_is_said_of_a_number_as_unicode_says(language):
    said = {form: [form_for(language, n) for n in numbers] for form, numbers in CLDR[language].items()}
    assert said == {form: [form] * len(numbers) for form, numbers in CLDR[language].items()}


@pytest.mark.parametrize("language", CLDR)
def test_a_language_needs_the_forms_that_its_numbers_take(language):
    assert list(forms_of(language)) == [form for form in ORDER if form in CLDR[language]]


HOLES = {"one": "{n} dziurka", "few": "{n} dziurki", "many": "{n} dziurek", "other": "{n} dziurki dziesi\u0119tne"}
AHEAD = {"one": "{ahead} dziurka", "few": "{ahead} dziurki", "many": "{ahead} dziurek", "other": "{ahead} dziurki"}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The languages that there are, with a Polish one of few texts."""
    folder = tmp_path / "languages"
    shutil.copytree(LANGUAGES, folder)
    monkeypatch.setattr(web.kit.catalogs, "FOLDER", folder)
    rules = {"together": HOLES, "head-start_dealer": AHEAD, "kind_run": {"few": "{n} karty", "other": "{n} kart"}}
    texts = {"language": "Polski", "rules": rules}
    put(folder, json.dumps(texts), "pl.json")
    put(folder, json.dumps({"language": "Nihongo", "words": {"live": "x"}}), "ja.json")
    yield folder
    forget()


@pytest.mark.parametrize(
    ("n", "text"),
    [(1, "1 dziurka"), (2, "2 dziurki"), (5, "5 dziurek"), (22, "22 dziurki"), (1.5, "1.5 dziurki dziesi\u0119tne")],
)
@pytest.mark.usefixtures("folder")
def test_the_table_says_the_form_of_a_third_language(n, text):
    assert translate("pl", "rules.together", n=n) == text


@pytest.mark.usefixtures("folder")
def test_without_an_n_the_first_number_that_is_named_chooses():
    assert [translate("pl", "rules.head-start_dealer", ahead=n, home=121) for n in (1, 3, 10)] == [
        *("1 dziurka", "3 dziurki", "10 dziurek")
    ]


@pytest.mark.usefixtures("folder")
def test_what_stays_english_is_counted_as_in_english():
    said = [translate(code, "words.by_holes", n=n) for code in ("ja", "pl") for n in (0, 1, 2)]
    assert said == ["By 0 holes.", "By 1 hole.", "By 2 holes."] * 2
    for code in ("ja", "pl"):
        assert '"words.by_holes":{"one":"By {n} hole.","other":"By {n} holes.","language":"en"}' in "".join(
            module_of(code, "phone.html")
        )
    assert '"language":' not in module_of("fr", "phone.html")[0]


@pytest.mark.usefixtures("folder")
def test_the_rules_page_counts_as_the_language_does(tmp_path):
    with opened(tmp_path) as site:
        page = site.get("/rules", Accept_Language="pl").body.decode()
    said = set(re.findall(r"\d+ (?:dziur|kar)\w+", page))
    points = {"0 dziurek", "4 dziurki", "5 dziurek", "12 dziurek", "17 dziurek"}
    assert said == points | {"3 karty", "4 karty", "5 kart", "6 kart"}


@pytest.mark.usefixtures("folder")
def test_the_check_names_forms_that_the_language_needs_and_a_text_lacks(folder):
    checked = CliRunner().invoke(main, ["languages", "check", str(folder / "pl.json")])
    assert "plural form one and many missing, using other: rules.kind_run" in checked.stdout
    assert "rules.together" not in checked.stdout.partition("shown in English")[0]
    assert checked.exit_code == 0, "the text is said in its language"


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_languages_that_are_here_lack_no_form(language):
    checked = CliRunner().invoke(main, ["languages", "check", str(LANGUAGES / f"{language}.json")])
    assert (checked.exit_code, checked.stdout.count("\n"), "plural" in checked.stdout) == (0, 1, False)


def test_the_rules_are_not_loaded_until_something_is_counted():
    program = (
        "import sys, web.table.server, web.table.app, pegboard.cli.language_commands; print('babel' in sys.modules)"
    )
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert told.stdout == "False\n"
