"""The page on a night says what is so: every decision, and who may make it."""

from pathlib import Path

from pegboard.hub.packages.hub_key import FILE
from pegboard.hub.packages.package_commands import package, upload, verify
from pegboard.tournament.night.decisions import DECISIONS
from pegboard.tournament.night.exchange.roster_file import COLUMNS

PAGE = (Path(__file__).parents[3] / "docs" / "tournament" / "night.md").read_text("utf-8")


def test_every_decision_is_on_the_page_with_who_may_make_it():
    rows = [[cell.strip() for cell in row.strip("|").split("|")] for row in PAGE.splitlines() if row.startswith("| `")]
    documented = {row[0].strip("`"): row[1] for row in rows}
    assert documented == {row.do: ", ".join(sorted(row.who)) for row in DECISIONS}


def test_commands_columns_and_files_are_called_so():
    for command in (package, upload, verify):
        assert f"pegboard hub {command.name} " in PAGE
    assert "--remember" in [option for parameter in verify.params for option in parameter.opts]
    assert f"`{FILE}`" in PAGE
    assert {"name", "number", "free", "here"} <= COLUMNS.keys()
