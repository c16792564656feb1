"""The pages on a night say what is so: every decision, who may make it, and what the keys of the desk are called."""

import json
import re
from pathlib import Path

from pegboard.cli.hub_commands import package, upload, verify
from pegboard.hub.packages.hub_keys import KEY_FILE
from pegboard.tournament.night.decisions import DECISIONS
from pegboard.tournament.night.exchange.files_in import ROSTER_COLUMNS

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "tournament" / "night.md").read_text("utf-8")
GUIDE = (ROOT / "docs" / "tournament.md").read_text("utf-8")
ENGLISH = json.loads((ROOT / "web" / "languages" / "en.json").read_text("utf-8"))


def test_every_decision_is_on_the_page_with_who_may_make_it():
    rows = [[cell.strip() for cell in row.strip("|").split("|")] for row in PAGE.splitlines() if row.startswith("| `")]
    documented = {row[0].strip("`"): row[1] for row in rows}
    assert documented == {row.do: ", ".join(sorted(row.who)) for row in DECISIONS}


def test_commands_columns_and_files_are_called_so():
    for command in (package, upload, verify):
        assert f"pegboard hub {command.name} " in PAGE
    assert "--remember" in [option for parameter in verify.params for option in parameter.opts]
    assert f"`{KEY_FILE}`" in PAGE
    assert {"name", "number", "free", "here"} <= ROSTER_COLUMNS.keys()


HEADINGS = {"PostgreSQL", "Several hubs", "Partitions by event", "A clustered broker"}
"""What the guide prints bold and is no key."""


def test_every_key_that_the_guide_names_is_on_a_page_under_that_name():
    texts = [text for name in ("hub", "event") for text in texts_in(ENGLISH[name])]
    keys = [re.compile(re.sub(r"\\\{\w+\\\}", ".+", re.escape(text))) for text in texts if letters_of(text) > 2]
    named = {" ".join(bold.split()) for bold in re.findall(r"\*\*([^*]+)\*\*", GUIDE)} - HEADINGS
    assert len(named) > 20
    assert [name for name in sorted(named) if not any(key.fullmatch(name) for key in keys)] == []


def texts_in(values):
    if isinstance(values, str):
        yield values
        return
    for value in values.values():
        yield from texts_in(value)


def letters_of(text):
    """How many letters stay the same whatever the values are."""
    return len(re.sub(r"\{\w+\}|\W", "", text))
