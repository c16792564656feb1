"""The documentation says what is so: settings, options, commands, make targets, variants, house rules, links."""

import re
import xml.etree.ElementTree as ET
from dataclasses import fields
from importlib import import_module
from pathlib import Path

import pytest

from pegboard import config
from pegboard.cli.main import main
from pegboard.config import Settings
from pegboard.core.house_rules import HOUSE_RULES
from pegboard.core.rules import VARIANTS
from pegboard.startup import settings_file
from web.table.app import JOIN
from web.table.app import PAGES as PAGE_OF

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]
LINK = re.compile(r"""\]\((?!https?:)([^)\s]+)\)|<(?:img|source) [^>]*?src(?:set)?="([^"]+)\"""")


def text(name):
    return (ROOT / name).read_text("utf-8")


SETTINGS = text("docs/settings.md")
COMMANDS = text("docs/command-line.md")
DISPLAYS = text("docs/displays.md")


# --- docs/settings.md ---


def settings_rows():
    """A row for each setting: its name, its default as TOML writes it, its sentence."""
    for section, values in config.sections(Settings()).items():
        for setting in fields(values):
            default = settings_file.literal(getattr(values, setting.name))
            yield f"| `{section}.{setting.name}` | `{default}` | {setting.metadata['sentence']} |"


@pytest.mark.parametrize("row", list(settings_rows()))
def test_every_setting_is_documented_with_its_default_and_sentence(row):
    assert row in SETTINGS, f"put this row into docs/settings.md:\n{row}"


def test_no_setting_is_documented_that_is_not_there():
    documented = re.findall(r"^\| `(\w+\.\w+)` ", SETTINGS, re.MULTILINE)
    assert documented == [row.split("`")[1] for row in settings_rows()]


@pytest.mark.parametrize("section", list(config.sections(Settings())))
def test_each_section_of_the_settings_has_a_heading(section):
    assert f"\n## `[{section}]`" in SETTINGS


def test_printed_settings_read_back_as_they_were(tmp_path):
    path = tmp_path / "pegboard.toml"
    path.write_text(settings_file.as_toml(Settings()), "utf-8")
    assert settings_file.read(path) == Settings()


# --- docs/command-line.md ---


def options_of(command):
    """Its own options, and those of the commands within it."""
    within = getattr(command, "commands", {}).values()
    return {option for one in command.params for option in one.opts}.union(*map(options_of, within))


@pytest.mark.parametrize("command", main.commands)
def test_every_command_is_documented_with_its_options(command):
    assert f"\n## {command}\n" in COMMANDS, f"docs/command-line.md has no section ## {command}"
    section = COMMANDS.split(f"\n## {command}\n")[1].split("\n## ")[0]
    options = {option for option in options_of(main.commands[command]) if option.startswith("--")}
    everywhere = {"--state", "--config"}  # told once, at run
    documented = set(re.findall(r"`(--[a-z-]+)", section)) | everywhere
    assert options <= documented, f"docs/command-line.md, section {command}: {options - documented}"


def test_every_option_of_run_is_documented_in_the_table():
    options = {option for parameter in main.commands["run"].params for option in parameter.opts}
    assert options <= set(re.findall(r"`(--[a-z]+)", COMMANDS.split("\n## run\n")[1].split("\n## ")[0]))


# --- CONTRIBUTING.md ---


def test_every_make_target_is_documented():
    targets = re.findall(r"^([a-z-]+):.*## ", text("Makefile"), re.MULTILINE)
    for target in set(targets) - {"help"}:
        assert f"| `make {target}` |" in text("CONTRIBUTING.md")


def test_no_make_target_is_documented_that_is_not_there():
    targets = set(re.findall(r"^([a-z-]+):", text("Makefile"), re.MULTILINE))
    for page in PAGES:
        assert set(re.findall(r"`?\bmake ([a-z-]+)`", page.read_text("utf-8"))) <= targets, page.name


# --- files that pages name ---

ROOM = r"(?:pegboard|web|hardware|tests|systemd|docs)/[\w/.-]+"


def named_files():
    """Each page, with each file of the project that it names between backticks."""
    for page in PAGES:
        for path in sorted(set(re.findall(rf"`({ROOM})`", page.read_text("utf-8")))):
            yield pytest.param(path, id=f"{page.name}:{path}")


@pytest.mark.parametrize("path", list(named_files()))
def test_every_file_that_a_page_names_is_there(path):
    assert (ROOT / path).exists()


# --- docs/develop.md ---


def drawn_rooms():
    """The files and folders that the drawing shows."""
    drawing = ET.parse(ROOT / "docs/pictures/house.svg")
    return [room for group in drawing.iter("{http://www.w3.org/2000/svg}g") if (room := group.get("data-path"))]


def test_every_room_that_is_drawn_is_there():
    assert [room for room in drawn_rooms() if not (ROOT / room).exists()] == []


def test_every_room_is_drawn():
    drawn = {part for room in drawn_rooms() for part in (room, "/".join(room.split("/")[:2]))}
    rooms = {
        "/".join(path.relative_to(ROOT).parts[:2])
        for top in ("pegboard", "web", "hardware")
        for path in (ROOT / top).glob("*/*.py")
    }
    assert sorted(rooms - drawn) == []


# --- docs/engineering/decisions ---

RECORDS = sorted(path for path in (ROOT / "docs/engineering/decisions").glob("*.md") if path.name != "README.md")
PARTS = ["Decision", "Why", "Alternatives", "When to reconsider"]


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.stem)
def test_every_record_of_a_decision_has_one_form_and_one_page(record):
    content = record.read_text("utf-8")
    assert re.findall(r"^## (.+)$", content, re.MULTILINE) == PARTS
    assert len(content.splitlines()) <= 60


def test_the_index_leads_to_every_record():
    linked = re.findall(r"\]\(([a-z-]+\.md)\)", text("docs/engineering/decisions/README.md"))
    assert sorted(linked) == [record.name for record in RECORDS]


# --- docs/play.md ---


@pytest.mark.parametrize("path", [*PAGE_OF, JOIN])
def test_every_page_is_documented(path):
    assert f"| `{path}` |" in text("docs/play.md")


# --- docs/rules.md ---


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_variant_is_documented(variant):
    assert f"| `{variant}` |" in text("docs/rules.md")


@pytest.mark.parametrize("rule", HOUSE_RULES)
def test_every_house_rule_is_documented(rule):
    assert f"| `{rule}` |" in text("docs/rules.md")


# --- docs/sheets.md ---

OF_SHEETS = {"A": "complete_guide", "B": "two_player_sheet", "C": "1922_laws", "D": "box_sheet"}
"""The test of each sheet, by the letter in the heading of its table."""


@pytest.mark.parametrize(("letter", "name"), OF_SHEETS.items())
def test_every_test_of_a_sheet_has_a_row_and_every_row_a_test_that_is_there(letter, name):
    before, *tables = re.split(r"^## (?=[A-D]: )", text("docs/sheets.md"), flags=re.MULTILINE)
    table = next(each for each in tables if each.startswith(f"{letter}: "))
    is_test = re.compile(r"`(test_\w+)`")
    written = set(re.findall(r"^def (test_\w+)", text(f"tests/sheets/test_{name}.py"), re.MULTILINE))
    assert written == set(is_test.findall(table)) | set(is_test.findall(before))
    assert [row for row in table.splitlines() if row.startswith("|") and row.endswith("| |")] == [
        row for row in table.splitlines() if "left out on purpose" in row
    ]
    for path in re.findall(r"`(tests/[\w/]+\.py)`", table):
        assert (ROOT / path).is_file(), path


# --- README.md, and all pages together ---


def test_the_readme_is_three_screens_long():
    assert len(text("README.md").splitlines()) <= 110


TOURNAMENT = sorted((ROOT / "docs/tournament").glob("*.md"))
"""Parts of the page of tournaments."""


def test_the_readme_leads_to_every_page():
    linked = set(re.findall(r"\]\(([^)]+\.md)\)", text("README.md")))
    pages = {str(page.relative_to(ROOT)) for page in PAGES if page not in [*RECORDS, *TOURNAMENT]} - {"README.md"}
    assert linked >= pages


def links():
    """Each link and picture of each page."""
    for page in PAGES:
        for link, picture in LINK.findall(page.read_text("utf-8")):
            yield page, link or picture


def anchors(page):
    """Where a link into a page can lead: its headings as GitHub writes them into addresses."""
    headings = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize(("page", "link"), [pytest.param(*one, id=f"{one[0].name}:{one[1]}") for one in links()])
def test_every_link_and_picture_leads_somewhere(page, link):
    path, _, anchor = link.partition("#")
    target = page.parent / path if path else page
    assert target.exists()
    assert not anchor or anchor in anchors(target)


def test_every_picture_is_on_a_page():
    shown = {(page.parent / link).resolve() for page, link in links()}
    assert [path.name for path in sorted((ROOT / "docs/pictures").iterdir()) if path not in shown] == []


@pytest.mark.parametrize("name", re.findall(r"`(pegboard\.[a-z_.]+\.\w+)\(", DISPLAYS))
def test_what_a_display_of_another_package_may_call_is_there(name):
    module, _, function = name.rpartition(".")
    assert getattr(import_module(module), function).__module__ == module
