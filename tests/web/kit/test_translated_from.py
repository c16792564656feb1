"""A translation tells from which English it was made: texts whose English has changed since are found and accepted."""

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

import web.kit.catalogs
import web.kit.i18n
from pegboard.cli.main import main
from web.kit.catalogs import hash_of, read_all, read_catalog, read_english, read_hashes
from web.kit.i18n import catalog, catalogs, module_of, translate
from web.table.app import PAGES

LANGUAGES = Path(__file__).parents[3] / "web" / "languages"
CACHED = (catalogs, catalog, module_of)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """English alone, in a folder of its own."""
    folder = tmp_path / "languages"
    folder.mkdir()
    shutil.copy(LANGUAGES / "en.json", folder)
    monkeypatch.setattr(web.kit.catalogs, "FOLDER", folder)
    forget()
    yield folder
    forget()


def forget():
    for one in CACHED:
        one.cache_clear()


def run(*words):
    return CliRunner().invoke(main, ["languages", *map(str, words)])


def german(folder, **sections):
    """A German catalog of a few texts, up to date or with hashes of its own."""
    texts = {"words": {"live": "Da", "deals": "{name} gibt"}, "count": {"clear": "Leeren"}}
    file = folder / "de.json"
    file.write_text(json.dumps({"language": "Deutsch", **texts, **sections}, ensure_ascii=False, indent=2), "utf-8")
    return file


def change_english(folder, section, name, text):
    file = folder / "en.json"
    document = json.loads(file.read_text("utf-8"))
    document[section][name] = text
    file.write_text(json.dumps(document), "utf-8")
    forget()


# --- hashes ---


def test_a_hash_is_the_first_eight_digits_of_sha_256():
    assert hash_of("abc") == "ba7816bf"  # FIPS 180-2, example 1


def test_a_hash_of_plural_forms_depends_on_each_form_but_not_on_their_order():
    forms = {"one": "{n} hole", "other": "{n} holes"}
    assert hash_of(forms) == hash_of(dict(reversed(forms.items())))
    assert len({hash_of(forms), hash_of({**forms, "one": "a hole"}), hash_of("{n} holes")}) == 3


# --- check ---


def test_the_translations_that_are_shipped_are_up_to_date():
    for code, one in read_all(LANGUAGES).items():
        assert code == "en" or read_hashes(one.path) == {
            key: hash_of(text) for key, text in read_english(LANGUAGES).texts.items()
        }, f"pegboard languages check {one.path}"


def test_a_text_whose_english_has_changed_is_named_with_its_line_and_the_english_of_now(folder):
    file = german(folder)
    run("accept", file)
    assert run("check", file).exit_code == 0
    change_english(folder, "words", "live", "On the table")
    checked = run("check", file)
    assert checked.exit_code == 1
    assert '  line 4: words.live is out of date; the English is now "On the table"' in checked.output.splitlines()
    assert checked.output.count("out of date") == 1


def test_a_plural_whose_english_has_changed_in_one_form_is_named(folder):
    file = german(folder, words={"by_holes": {"one": "Mit {n} Loch.", "other": "Mit {n} Löchern."}})
    run("accept", file)
    change_english(folder, "words", "by_holes", {"one": "One {n}", "other": "Many {n}"})
    assert 'words.by_holes is out of date; the English is now {"one": "One {n}"' in run("check", file).output


def test_a_text_without_a_hash_beside_others_is_named(folder):
    file = german(folder)
    run("accept", file, "words.live", "words.deals")
    checked = run("check", file)
    assert checked.exit_code == 1
    assert '  not in "translated_from", perhaps out of date: count.clear' in checked.output.splitlines()


def test_a_catalog_without_hashes_is_said_to_tell_nothing_and_is_good(folder):
    checked = run("check", german(folder))
    assert checked.exit_code == 0
    assert '  no "translated_from": cannot tell which texts are out of date' in checked.output.splitlines()


def test_the_english_file_is_never_out_of_date(folder):
    checked = run("check", folder / "en.json")
    assert (checked.exit_code, "translated_from" in checked.output) == (0, False)


# --- catalogs with and without hashes are read the same ---


@pytest.mark.parametrize("hashes", [None, {}, {"words.live": "00000000", "gone.text": "1"}, {"words.live": 3}])
def test_hashes_are_no_fault_and_change_no_text(folder, hashes):
    file = german(folder, **({} if hashes is None else {"translated_from": hashes}))
    one = read_catalog(file, read_english())
    assert (one.faults, sorted(one.texts)) == ((), ["count.clear", "words.deals", "words.live"])
    assert translate("de", "words.live") == "Da"


@pytest.mark.parametrize("hashes", [3, "x", ["words.live"], None])
def test_hashes_that_are_not_an_object_are_a_fault_and_the_texts_are_read(folder, hashes):
    file = german(folder, translated_from=hashes)
    checked = run("check", file)
    assert checked.exit_code == 1
    assert "translated_from must be a section: a JSON object with texts" in checked.output
    assert translate("de", "words.live") == "Da"


def test_no_page_gets_the_hashes(folder):
    shutil.copy(LANGUAGES / "fr.json", folder)
    hashes = read_hashes(folder / "fr.json").values()
    for template in PAGES.values():
        source = module_of("fr", template)[0]
        assert not any(f'"{one}"' in source for one in hashes)
        assert "translated_from" not in source


# --- the template, and accepting ---


def test_the_english_template_carries_the_hashes_of_its_texts(folder):
    document = json.loads(run("english").output)
    assert document["translated_from"]["words.live"] == hash_of(document["words"]["live"])
    (folder / "de.json").write_text(json.dumps({**document, "language": "Deutsch"}), "utf-8")
    assert run("check", folder / "de.json").exit_code == 0
    change_english(folder, "words", "live", "On the table")
    assert "words.live is out of date" in run("check", folder / "de.json").output


def test_the_english_template_is_utf_8_also_where_the_terminal_is_not():
    written = CliRunner(charset="latin-1").invoke(main, ["languages", "english"]).stdout_bytes
    assert json.loads(written.decode("utf-8"))["language"] == "English"


@pytest.mark.parametrize("command", ["english", "check", "accept"])
def test_json_is_refused_where_it_would_do_nothing(command):
    refused = run("--json", command, LANGUAGES / "fr.json")
    assert (refused.exit_code, f"leave out --json: {command} does not take it" in refused.output) == (2, True)


def test_accepting_one_text_leaves_the_others_out_of_date(folder):
    file = german(folder)
    run("accept", file)
    change_english(folder, "words", "live", "On the table")
    change_english(folder, "count", "clear", "Start again")
    assert run("accept", file, "words.live").output == f"{file}: 1 text marked as up to date\n"
    checked = run("check", file)
    assert ("words.live" in checked.output, "count.clear is out of date" in checked.output) == (False, True)
    assert run("accept", file).output == f"{file}: 3 texts marked as up to date\n"
    assert run("check", file).exit_code == 0


def test_accepting_changes_nothing_but_the_hashes_and_drops_those_of_texts_that_are_gone(folder):
    file = german(folder, translated_from={"gone.text": "00000000"})
    file.chmod(0o640)
    before = json.loads(file.read_text("utf-8"))
    run("accept", file)
    after = json.loads(file.read_text("utf-8"))
    assert sorted(after.pop("translated_from")) == ["count.clear", "words.deals", "words.live"]
    assert list(after.items()) == [item for item in before.items() if item[0] != "translated_from"]
    assert "Leeren" in file.read_text("utf-8")
    assert (file.stat().st_mode & 0o777, sorted(one.name for one in folder.iterdir())) == (
        0o640,
        ["de.json", "en.json"],
    )


def test_accepting_keeps_half_a_character_as_it_was(folder):
    file = german(folder)
    file.write_text(file.read_text("utf-8").replace("Leeren", "Leeren\\ud800"), "utf-8")
    accepted = run("accept", file)
    assert accepted.output == f"{file}: 2 texts marked as up to date\n"
    assert '"Leeren\\ud800"' in file.read_text("utf-8")


@pytest.mark.parametrize(
    ("content", "words", "said"),
    [
        ("{}", [], 'cannot be used: "language" is missing'),
        ('{"language": "Deutsch", "words": {"live": 3}}', ["words.live"], "has no usable text words.live"),
        ('{"language": "Deutsch"}', ["nonsense"], "has no usable text nonsense"),
        ('{"language": "Deutsch", "count": {},\n"count": {"clear": "Leeren"}}', [], "line 2: count appears twice"),
        ('{"language": "Deutsch", "count": {"clear": "A", "clear": "B"}}', [], "line 1: count.clear appears twice"),
    ],
)
def test_what_cannot_be_accepted_is_refused_and_left_as_it_was(folder, content, words, said):
    file = folder / "de.json"
    file.write_text(content)
    refused = run("accept", file, *words)
    assert (refused.exit_code, said in refused.output) == (2, True), refused.output
    assert file.read_text() == content


def test_english_is_no_translation_to_accept(folder):
    before = (folder / "en.json").read_text("utf-8")
    assert "is not a translation" in run("accept", folder / "en.json").output
    assert (folder / "en.json").read_text("utf-8") == before


def test_a_file_that_is_not_there_is_refused(folder):
    assert "there is no file" in run("accept", folder / "es.json").output
    assert "there is no file" in run("check", folder / "es.json").output


@pytest.mark.parametrize("step", ["write_bytes", "replace"])
def test_a_file_that_cannot_be_written_is_left_as_it_was_and_alone(folder, monkeypatch, step):
    def refuse(*_, **__):
        raise PermissionError(13, "Permission denied")

    file = german(folder)
    before = file.read_text("utf-8")
    monkeypatch.setattr(Path, step, refuse)
    refused = run("accept", file)
    assert (refused.exit_code, f"{file} cannot be written: Permission denied" in refused.output) == (2, True)
    assert file.read_text("utf-8") == before
    assert sorted(one.name for one in folder.iterdir()) == ["de.json", "en.json"]
