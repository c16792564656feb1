"""A faulty translation: left out, or in English where it is wrong, named with its line, and of no harm to any page."""

import errno
import json
import os
import re
import shutil
import string
import subprocess
import sys
from pathlib import Path
from unittest.mock import Mock

import jsonschema_rs
import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import web.kit.catalogs
import web.kit.i18n
from pegboard.cli.main import main
from pegboard.messages import TRANSLATED
from tests.support.long_runs import some_in, some_of
from tests.support.web_server_and_clients import Site, opened
from web.kit.catalogs import CatalogError, read_all, read_catalog, read_english
from web.kit.i18n import catalog, catalogs, languages, module_of, negotiate, translate
from web.table.app import PAGES

LANGUAGES = Path(__file__).parents[3] / "web" / "languages"
ALL = [path for path in PAGES if path != "/bench"]
SOME = ["/", "/count", "/settings", "/health"]
CACHED = (catalogs, web.kit.i18n.catalog, module_of)


def written(**sections):
    return json.dumps({"language": "Deutsch"} | sections, indent=1)


LEFT_OUT = {
    "nothing in braces": ("{}", '"language" is missing'),
    "an empty file": ("", "the file is empty"),
    "blanks alone": (" \n\n ", "the file is empty"),
    "no JSON at all": ("Deutsch\n", "line 1: not valid JSON"),
    "a comma too many": ('{"language": "Deutsch",\n"words": {\n"live": "Da",,\n"x": 1}}', "line 3: not valid JSON"),
    "cut off in the middle": (written(words={"live": "Da"})[:-9], "not valid JSON"),
    "not UTF-8": (
        '{"language": "Deutsch",\n"words": {"live": "gr\u00fcn"}}'.encode("latin-1"),
        "line 2: not UTF-8 from here on",
    ),
    "UTF-16, as Windows may save it": (written().encode("utf-16"), "line 1: not UTF-8 from here on"),
    "zero bytes": (bytes(100), "line 1: not valid JSON"),
    "a list": ('["language", "Deutsch"]', "line 1: the file must be a JSON object"),
    "a string": ('"Deutsch"', "line 1: the file must be a JSON object"),
    "null": ("null", "line 1: the file must be a JSON object"),
    "nested a hundred thousand deep": ("[" * 100_000, "nested too deeply"),
    "a number of ten thousand digits": ('{"language": ' + "9" * 10_000 + "}", "a number is too long"),
    "a language without a name": (written(language=""), 'line 2: "language" must be the language\'s own name'),
    "a language with a blank name": (written(language=" \t "), 'line 2: "language" must be the language\'s own name'),
    "a language with a number for a name": (written(language=7), 'line 2: "language" must be the language\'s own name'),
    "a language with a name over two lines": (
        written(language="Deut\nsch"),
        'line 2: "language" must be the language\'s own name',
    ),
    "half a character for a name": ('{"language": "\\ud800"}', 'line 1: "language" must be the language\'s own name'),
    "a name too long for a phone": (written(language="D" * 41), "own name, 1 to 40 characters"),
    "the name of another language": (
        written(language="Fran\u00e7ais"),
        "is Fran\u00e7ais, which fr.json already uses",
    ),
    "another's name in capitals": (written(language="ENGLISH"), "is ENGLISH, which en.json already uses"),
    "more than a megabyte": (written(words={"live": "x" * 1_000_000}), "the file is larger than 1000 kB"),
}
"""Files of no use, and what is said of each."""

IN_PART = {
    "a number for a text": ({"words": {"live": 3}}, "words.live", "words.live must be a string"),
    "a list for a text": ({"words": {"live": ["Da"]}}, "words.live", "words.live must be a string"),
    "null for a text": ({"words": {"live": None}}, "words.live", "words.live must be a string"),
    "a number in a plural": (
        {"words": {"by_holes": {"other": 3}}},
        "words.by_holes",
        "words.by_holes must be a string",
    ),
    "a blank text": ({"words": {"live": " "}}, "words.live", "words.live is blank"),
    "an empty plural": (
        {"words": {"by_holes": {}}},
        "words.by_holes",
        'words.by_holes has plural forms but not "other"',
    ),
    "a plural without other": (
        {"words": {"by_holes": {"one": "Mit {n} Loch."}}},
        "words.by_holes",
        'words.by_holes has plural forms but not "other"',
    ),
    "a plural form of no language": (
        {"words": {"by_holes": {"seven": "{n}", "other": "{n}"}}},
        "words.by_holes",
        "words.by_holes has the unknown plural form seven",
    ),
    "plurals where nothing is counted": (
        {"words": {"live": {"one": "Da", "other": "Da"}}},
        "words.live",
        "words.live is a single text without plural forms",
    ),
    "plurals of a refusal": (
        {"refusals": {"go_one": {"other": "nicht {points}"}}},
        "refusals.go_one",
        "refusals.go_one is a single text without plural forms",
    ),
    "a placeholder left out": ({"words": {"deals": "gibt"}}, "words.deals", "words.deals is missing {name}"),
    "a placeholder translated": (
        {"words": {"deals": "{Name} gibt"}},
        "words.deals",
        "words.deals uses {Name}, but only the English text's placeholders can be used",
    ),
    "a placeholder too many": (
        {"words": {"live": "{n} da"}},
        "words.live",
        "words.live uses {n}, but only the English text's placeholders can be used",
    ),
    "a placeholder in twice the braces": (
        {"words": {"deals": "{{na}me} gibt"}},
        "words.deals",
        "words.deals uses {na}, but only the English text's placeholders can be used",
    ),
    "half a character": ({"words": {"live": "\ud83d"}}, "words.live", "words.live has half a character"),
    "a section that is a text": ({"words": "Da"}, "words.live", "words must be a section"),
    "a section that is null": ({"words": None}, "words.live", "words must be a section"),
    "a text that no page has": (
        {"words": {"nonsense": "Unsinn"}},
        None,
        "en.json has no text words.nonsense",
    ),
    "a section that no page has": ({"nonsense": {"a": "b"}}, None, "en.json has no section nonsense"),
    "a key that would move the cursor": ({"words": {"\x1b[2J": "x"}}, None, "en.json has no text words.?[2J"),
}
"""Texts that are wrong in a file that is otherwise good: the text that is then in English, and what is said."""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """English and French in a folder of their own, whatever other languages there are."""
    folder = tmp_path / "languages"
    folder.mkdir()
    for name in ("en.json", "fr.json"):
        shutil.copy(LANGUAGES / name, folder)
    monkeypatch.setattr(web.kit.catalogs, "FOLDER", folder)
    forget()
    yield folder
    forget()


def forget():
    for one in CACHED:
        one.cache_clear()


def put(folder, content, name="de.json"):
    file = folder / name
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    forget()
    return file


def assert_served(site: Site, language, said="", paths=SOME):
    """Pages come in a language, with the words of their modules."""
    for path in paths:
        page = site.get(path, Accept_Language=language)
        assert (page.status, page.headers["content-type"]) == (200, "text/html; charset=utf-8"), path
        text = page.body.decode()
        assert f'<html lang="{language}"' in text
        assert said in text
        words = site.get(re.search(r'data-words="([^"]+)"', text)[1])
        assert (words.status, words.headers["content-type"]) == (200, "text/javascript; charset=utf-8")


def assert_pages_are_served(site: Site, paths=SOME):
    assert_served(site, "en", "Statistics", paths)
    assert_served(site, "fr", "Statistiques", paths)


# --- a file that is of no use ---


@pytest.mark.parametrize("kind", LEFT_OUT)
def test_a_file_of_no_use_is_left_out_and_said(folder, kind):
    content, said = LEFT_OUT[kind]
    put(folder, content)
    german = catalogs()["de"]
    assert not german.is_offered
    assert said in str(german.faults[0])
    assert list(languages()) == ["en", "fr"]
    assert negotiate(["de", "fr"]) == "fr"


@pytest.mark.sampled
@pytest.mark.parametrize("kind", some_in(LEFT_OUT))
def test_every_page_is_served_beside_a_file_of_no_use(folder, tmp_path, kind):
    put(folder, LEFT_OUT[kind][0])
    with opened(tmp_path) as site:
        assert_pages_are_served(site)
        report = site.get("/api/v1/health").json["languages"][-1]
        assert (report["file"], report["language"], report["faults"]) == ("de.json", None, 1)
        assert LEFT_OUT[kind][1].split(": ", 1)[-1] in report["first_faults"][0]["reason"]


def test_every_page_is_served_in_every_language_beside_all_faults_at_once(folder, tmp_path):
    for number, (content, _) in enumerate(LEFT_OUT.values()):
        put(folder, content, f"a{string.ascii_lowercase[number]}.json")
    for number, (sections, _, _) in enumerate(IN_PART.values()):
        put(
            folder, json.dumps({"language": f"Language {number}"} | sections), f"b{string.ascii_lowercase[number]}.json"
        )
    with opened(tmp_path) as site:
        assert_pages_are_served(site, ALL)
        assert_served(site, "ba", paths=ALL)
    assert len(languages()) == 2 + len(IN_PART)
    assert len(catalogs()) == 2 + len(IN_PART) + len(LEFT_OUT)


def test_what_is_no_file_is_left_out(folder):
    (folder / "de.json").mkdir()
    (folder / "es.json").symlink_to(folder / "nowhere")
    (folder / "it.json").symlink_to("it.json")
    os.mkfifo(folder / "nl.json")
    forget()
    said = {one.code: str(one.faults[0]) for one in catalogs().values() if one.faults}
    assert said["de"] == said["nl"] == "not a regular file"
    assert said["es"] == "the file cannot be read (No such file or directory)"
    assert said["it"].startswith("the file cannot be read (")
    assert list(languages()) == ["en", "fr"]


def test_a_file_without_permission_is_left_out(folder, monkeypatch):
    file = put(folder, written())
    file.chmod(0)
    if os.geteuid() == 0:  # nothing is refused to root, so it is done by hand
        denied, opened = PermissionError(errno.EACCES, os.strerror(errno.EACCES)), Path.open
        refuse = Mock(side_effect=denied)
        monkeypatch.setattr(Path, "open", lambda path, *how: refuse() if path == file else opened(path, *how))
    forget()
    assert str(catalogs()["de"].faults[0]) == "the file cannot be read (Permission denied)"


@pytest.mark.parametrize(
    "name", ["de (1).json", "DE.json", "german.json", "._de.json", "de_AT.json", ".json", "d.json"]
)
def test_a_file_that_is_called_by_no_language_is_left_out(folder, name):
    file = put(folder, written(), name)
    assert str(catalogs()[file.stem].faults[0]) == TRANSLATED["catalog_code"]
    assert list(languages()) == ["en", "fr"]


def test_a_copy_that_keeps_its_model_s_name_does_not_push_the_model_out(folder):
    shutil.copy(folder / "fr.json", folder / "de.json")
    forget()
    assert languages() == {"en": "English", "fr": "Fran\u00e7ais"}


# --- a file with single faults ---


@pytest.mark.parametrize("kind", IN_PART)
def test_a_wrong_text_is_in_english_and_the_others_are_not(folder, kind):
    sections, key, said = IN_PART[kind]
    put(folder, json.dumps({"language": "Deutsch", "count": {"clear": "Leeren"}} | sections, indent=1))
    one = catalogs()["de"]
    assert [fault for fault in one.faults if said in fault.reason], one.faults
    assert all(fault.line and fault.line >= 3 for fault in one.faults)
    assert languages()["de"] == "Deutsch"
    assert translate("de", "count.clear") == "Leeren"
    if key:
        assert catalog("de")[key] == catalog("en")[key]
        assert key in one.missing


@pytest.mark.sampled
@pytest.mark.parametrize("kind", some_in(IN_PART))
def test_every_page_is_served_in_a_language_that_has_a_fault(folder, tmp_path, kind):
    put(folder, json.dumps({"language": "Deutsch"} | IN_PART[kind][0]))
    with opened(tmp_path) as site:
        assert_pages_are_served(site)
        assert_served(site, "de")


def test_each_fault_is_said_with_the_line_that_it_stands_on(folder):
    file = put(
        folder,
        '{\n "language": "Deutsch",\n "words": {\n  "deals": "gibt",\n  "live": "Da",\n  "live": "Hier"\n },\n'
        ' "count": {"clear": "Leeren",\n  "back": 3}\n}\n',
    )
    assert [str(fault) for fault in read_catalog(file, read_english()).faults] == [
        "line 4: words.deals is missing {name}",
        "line 6: words.live appears twice; the last one is used",
        "line 9: count.back must be a string, or an object with plural forms",
    ]
    assert translate("de", "words.live") == "Hier"


def test_a_key_or_a_brace_inside_a_text_moves_no_line(folder):
    text = '{"language": "Deutsch",\n"words": {\n"live": "\\"deals\\": {[ \\\\",\n"deals": "gibt"}}'
    assert str(read_catalog(put(folder, text), read_english()).faults[0]) == "line 4: words.deals is missing {name}"


def test_a_section_that_is_there_twice_is_said(folder):
    file = put(folder, '{"language": "Deutsch", "words": {"live": "Da"},\n"words": {"zero": "null"}}')
    assert [str(fault) for fault in read_catalog(file, read_english()).faults] == [
        "line 2: words appears twice; the last one is used"
    ]


def test_a_file_that_begins_with_a_byte_order_mark_is_read(folder):
    put(folder, written(words={"live": "Da"}).encode("utf-8-sig"))
    assert catalogs()["de"].faults == ()
    assert translate("de", "words.live") == "Da"


def test_the_languages_that_are_here_have_no_fault():
    assert {code: one.faults for code, one in read_all().items() if one.faults} == {}
    assert {code: one.missing for code, one in read_all().items() if one.missing} == {}


def test_a_region_goes_before_its_language(folder):
    put(folder, written(), "pt.json")
    put(folder, written(language="Portugu\u00eas do Brasil"), "pt-BR.json")
    assert [negotiate([tag]) for tag in ("pt-BR", "pt-br", "pt-PT", "pt")] == ["pt-BR", "pt-BR", "pt", "pt"]


# --- random files ---

KEYS = st.sampled_from(
    ["language", "words", "refusals", "count", "live", "deals", "by_holes", "go_one", "one", "other"]
)
TEXTS = st.text(st.characters(), max_size=20) | st.sampled_from(["{name}", "{n}", "{name} gibt", "Deutsch"])
TREES = st.recursive(
    TEXTS | st.none() | st.booleans() | st.integers() | st.floats(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS | TEXTS, inner, max_size=4),
    max_leaves=20,
)
FILES = st.binary(max_size=200) | TREES.map(lambda tree: json.dumps(tree).encode())
NAMED = st.fixed_dictionaries(
    {"language": st.just("Deutsch")}, optional=dict.fromkeys(("words", "refusals", "count"), TREES)
).map(lambda tree: json.dumps(tree).encode())


@settings(max_examples=some_of(100), suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(content=FILES | NAMED)
def test_no_bytes_whatever_end_the_program_or_spoil_a_text(folder, content):
    put(folder, content)
    assert set(languages()) - {"de"} == {"en", "fr"}
    assert translate("fr", "words.deals", name="Ann") == "Ann donne"
    for code in languages():
        module_of(code, "health.html")[0].encode()
        for key in ("words.live", "words.deals", "words.by_holes", "refusals.go_one"):
            assert translate(code, key, n=2, name="Ann", points=2).encode()
    for one in catalogs().values():
        assert all(fault.reason.isprintable() for fault in one.faults)
        assert one.faults == () or one.sentence().encode()


# --- the English one ---


@pytest.mark.parametrize(
    "kind", [kind for kind in LEFT_OUT if "name of another" not in kind and "another's" not in kind]
)
def test_without_its_english_texts_the_table_does_not_begin_and_says_why(folder, kind):
    put(folder, LEFT_OUT[kind][0], "en.json")
    with pytest.raises(
        CatalogError, match=r"en\.json, needed by every page, cannot be used: .+; restore pegboard's own"
    ):
        read_all()


def test_a_missing_english_file_is_said(folder):
    (folder / "en.json").unlink()
    with pytest.raises(CatalogError, match="cannot be read"):
        read_all()


def test_a_section_that_is_wrong_in_english_is_said(folder):
    put(folder, '{"language": "English",\n"words": 3}', "en.json")
    with pytest.raises(CatalogError, match="line 2: words must be a section"):
        read_all()


def test_a_single_wrong_text_in_english_costs_that_text_alone(folder, tmp_path):
    texts = json.loads((folder / "en.json").read_text("utf-8"))
    texts["words"]["deals"] = 3
    put(folder, json.dumps(texts), "en.json")
    assert translate("en", "words.deals", name="Ann") == "words.deals"
    assert translate("en", "words.live") == "Live"
    assert translate("fr", "words.deals", name="Ann") == "Ann donne"
    assert [len(one.faults) for one in catalogs().values()] == [1, 0]
    with opened(tmp_path) as site:
        assert_pages_are_served(site)


# --- where it is said ---


def program(folder, *arguments, **options):
    """The program with the languages of a folder."""
    script = f"import sys, pathlib, web.kit.catalogs; web.kit.catalogs.FOLDER = pathlib.Path({str(folder)!r}); "
    script += "from pegboard.cli.main import main; main(prog_name='pegboard')"
    return [sys.executable, "-c", script, *arguments]


def test_the_terminal_names_the_file_at_start_and_the_table_plays(folder, tmp_path):
    put(folder, "{}")
    put(folder, json.dumps({"language": "Nederlands", "words": {"deals": "geeft", "live": 3}}), "nl.json")
    run = program(folder, "run", "--mock", "--port", "0", "--state", str(tmp_path / "state"))
    with subprocess.Popen(run, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as table:
        assert "pegboard" in table.stdout.readline()
        table.terminate()
        _, said = table.communicate(timeout=60)
    assert table.returncode == 0
    why = '"language" is missing; give the language\'s own name'
    assert f"de.json is not used: {why} (pegboard languages check {folder}/de.json)" in said
    assert "nl.json has 2 errors; those texts are in English: line 1: words.deals is missing {name}" in said
    assert "Traceback" not in said


def test_a_table_without_english_ends_with_one_sentence(folder, tmp_path):
    put(folder, "{", "en.json")
    run = program(folder, "run", "--mock", "--port", "0", "--state", str(tmp_path / "state"))
    ended = subprocess.run(run, capture_output=True, text=True, timeout=60, check=False)
    assert ended.returncode == 2
    assert ended.stderr.startswith(
        f"pegboard: {folder}/en.json, needed by every page, cannot be used: line 1: not valid JSON"
    )
    assert ended.stderr.count("\n") == 1


def test_health_tells_every_translation_and_the_contract_says_how(folder, tmp_path):
    put(folder, json.dumps({"language": "Deutsch", "words": {f"none_{n}": "x" for n in range(30)}}, indent=1))
    with opened(tmp_path) as site:
        health = site.get("/api/v1/health").json
        contract = site.get("/api/openapi.json").json
    english, french, german = health["languages"]
    assert english == {"file": "en.json", "language": "English", "missing": 0, "faults": 0, "first_faults": []}
    assert french == english | {"file": "fr.json", "language": "Fran\u00e7ais"}
    assert (german["file"], german["language"], german["faults"]) == ("de.json", "Deutsch", 30)
    assert german["missing"] == len(catalog("en"))
    assert german["first_faults"][0] == {
        "line": 4,
        "reason": "en.json has no text words.none_0",
        "key": "catalog_no_text",
        "values": {"key": "words.none_0"},
    }
    assert len(german["first_faults"]) == 5
    schema = {"$ref": "#/components/schemas/Health", "components": contract["components"]}
    jsonschema_rs.validate(schema, health)


def test_every_reason_has_its_sentence_in_every_language():
    english, french = catalog("en"), catalog("fr")
    for key in (key for key in TRANSLATED if key.startswith("catalog_")):
        assert english[f"refusals.{key}"] == TRANSLATED[key]
        assert french[f"refusals.{key}"] != TRANSLATED[key]


# --- the commands ---


def pegboard(*arguments):
    return CliRunner().invoke(main, ["languages", *map(str, arguments)])


def test_check_is_content_with_a_good_file():
    done = pegboard("check", LANGUAGES / "fr.json", LANGUAGES / "en.json")
    number = len(catalog("en"))
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout == (
        f"{LANGUAGES}/fr.json: Fran\u00e7ais, {number} of {number} texts\n"
        f"{LANGUAGES}/en.json: English, {number} of {number} texts\n"
    )


@pytest.mark.sampled(least=4)
@pytest.mark.parametrize("kind", LEFT_OUT)
def test_check_says_why_a_file_would_be_left_out(tmp_path, kind):
    content, said = LEFT_OUT[kind]
    done = pegboard("check", put(tmp_path, content))
    assert done.exit_code == 1
    assert done.stdout.startswith(f"{tmp_path}/de.json: not used\n  ")
    assert said in done.stdout


@pytest.mark.sampled(least=4)
@pytest.mark.parametrize("kind", IN_PART)
def test_check_says_what_is_wrong_and_what_is_missing(tmp_path, kind):
    sections, _, said = IN_PART[kind]
    done = pegboard("check", put(tmp_path, json.dumps({"language": "Deutsch"} | sections, indent=1)))
    assert done.exit_code == 1
    assert re.search(rf"^  line \d+: {re.escape(said)}", done.stdout, re.MULTILINE)
    assert re.search(r"^  shown in English: alarm\.about, .* and \d+ more$", done.stdout, re.MULTILINE)
    assert "\x1b" not in done.stdout


def test_what_is_missing_is_no_fault(tmp_path):
    texts = json.loads((LANGUAGES / "fr.json").read_text("utf-8")) | {"language": "Deutsch"}
    del texts["words"]["live"], texts["count"]["clear"]
    done = pegboard("check", put(tmp_path, json.dumps(texts)))
    number = len(catalog("en"))
    assert done.exit_code == 0
    assert done.stdout.splitlines() == [
        f"{tmp_path}/de.json: Deutsch, {number - 2} of {number} texts",
        "  shown in English: count.clear, words.live",
    ]


def test_a_file_that_is_not_there_is_said(tmp_path):
    done = pegboard("check", tmp_path / "de.json")
    assert done.exit_code == 2
    assert done.stderr.startswith(f"pegboard: there is no file {tmp_path}/de.json; ")


def test_the_list_names_every_language_and_its_faults(folder):
    put(folder, "{}")
    put(folder, json.dumps({"language": "Nederlands", "words": {"deals": "geeft"}}), "nl.json")
    number = len(catalog("en"))
    assert pegboard().stdout.splitlines() == [
        f"en      English, {number} of {number} texts",
        f"fr      Fran\u00e7ais, {number} of {number} texts",
        'de      not used: "language" is missing; give the language\'s own name',
        f"nl      Nederlands, 0 of {number} texts, 1 fault",
        f"Language files are in {folder}",
    ]
    listed = json.loads(pegboard("--json").stdout)
    assert listed[3] == {"code": "nl", "name": "Nederlands", "texts": 0, "missing": number} | {
        "faults": [{"line": 1, "reason": "words.deals is missing {name}"}]
    }
    assert [one["name"] for one in listed] == ["English", "Fran\u00e7ais", None, "Nederlands"]
