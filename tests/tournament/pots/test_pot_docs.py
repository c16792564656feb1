"""The page on play-offs and pots says what is so: pots, consolations, examples of the cut."""

import re
from pathlib import Path

from pegboard.tournament.playoffs.consolation import CONSOLATIONS
from pegboard.tournament.playoffs.qualifying import CUT_RULES, QUARTER
from pegboard.tournament.pots.pot_rules import POT_RULES, HalfRule, Unwon

PAGE = (Path(__file__).parents[3] / "docs" / "tournament" / "play-offs-and-pots.md").read_text("utf-8")
UNWON = {Unwon.CARRY: "carried over", Unwon.REFUND: "refunded", Unwon.HOUSE: "the house"}
HALVES = {HalfRule.RATIO: "half of a full one", HalfRule.STRICT: "half of it stays"}


def rows_under(heading):
    section = PAGE.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    rows = [[cell.strip() for cell in row.strip("|").split("|")] for row in section.splitlines() if row.startswith("|")]
    return rows[2:]


def test_every_pot_is_on_the_page_with_what_its_rule_does():
    documented = {row[0].strip("`"): (row[2], row[3]) for row in rows_under("Pots")}
    halves = {name: "" if rule.scale else HALVES[rule.halves] for name, rule in POT_RULES.items()}
    assert documented == {name: (UNWON[rule.unwon], halves[name]) for name, rule in POT_RULES.items()}


def test_every_second_bracket_is_on_the_page():
    assert [row[0] for row in rows_under("The consolation")] == list(CONSOLATIONS)


def test_examples_of_the_cut_are_right():
    examples = re.findall(r"(\d+) of (\d+)\b", PAGE)
    assert [QUARTER.count_qualifiers(int(entrants)) for _, entrants in examples] == [int(n) for n, _ in examples]
    assert len(examples) == 3
    assert {"third", "half", "all"} <= CUT_RULES.keys()
