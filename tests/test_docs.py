"""The README says what is so: settings, options, make targets, variants."""

import re
from dataclasses import fields
from pathlib import Path

import pytest

from pegboard import config
from pegboard.cli import main
from pegboard.config import Settings
from pegboard.core.rules import VARIANTS

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")


def settings_rows():
    """A row for each setting: its name, its default as TOML writes it, its sentence."""
    for section in fields(Settings):
        values = getattr(Settings(), section.name)
        for setting in fields(values):
            default = config.literal(getattr(values, setting.name))
            yield f"| `{section.name}.{setting.name}` | `{default}` | {setting.metadata['sentence']} |"


@pytest.mark.parametrize("row", list(settings_rows()))
def test_every_setting_stands_in_the_readme_with_its_default_and_sentence(row):
    assert row in README, f"put this row into the README's table of settings:\n{row}"


def test_the_readme_names_no_setting_that_is_not_there():
    named = set(re.findall(r"^\| `(\w+\.\w+)` ", README, re.MULTILINE))
    assert named == {row.split("`")[1] for row in settings_rows()}


def test_every_option_of_run_stands_in_the_readme():
    options = {option for parameter in main.commands["run"].params for option in parameter.opts}
    assert options <= set(re.findall(r"`(--[a-z]+)", README))


def test_every_make_target_stands_in_the_readme():
    targets = re.findall(r"^([a-z]+):.*## ", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    for target in set(targets) - {"help"}:
        assert f"| `make {target}` |" in README


def test_every_variant_stands_in_the_readme():
    for variant in VARIANTS:
        assert f"`{variant}`" in README


def test_every_picture_of_the_readme_is_there():
    for path in re.findall(r"!\[[^]]*\]\(([^)]+)\)", README):
        assert (ROOT / path).is_file(), path


def test_printed_settings_read_back_as_they_were(tmp_path):
    path = tmp_path / "pegboard.toml"
    path.write_text(config.as_toml(Settings()), "utf-8")
    assert config.read(path) == Settings()
