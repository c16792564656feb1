"""docs/engineering/asvs.md counts what it lists, lists each requirement once, and names tests that are there."""

import re
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs/engineering/asvs.md").read_text("utf-8")
STATES = ("met", "not applicable", "not met")
ROWS = re.findall(r"^\| (\d+)\.(\d+)\.(\d+) \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$", PAGE, re.MULTILINE)
COUNTS = re.findall(r"^\| (?:\[V(\d+) [^]]+\]\(#[^)]+\)|all) \| (\d+) \| (\d+) \| (\d+) \|$", PAGE, re.MULTILINE)

REQUIREMENTS = [27, 11, 19, 10, 9, 35, 18, 7, 7, 29, 14, 9, 13, 9, 13, 16, 7]
"""Of levels 1 and 2 in each chapter of ASVS 5.0.0."""


def test_every_requirement_stands_there_once_and_in_order():
    numbers = [tuple(map(int, row[:3])) for row in ROWS]
    assert numbers == sorted(set(numbers))
    assert [Counter(number[0] for number in numbers)[chapter] for chapter in range(1, 18)] == REQUIREMENTS


def test_every_row_says_what_is_so_and_where_or_why():
    assert [row for row in ROWS if row[4] not in STATES or not row[5].strip()] == []


def test_the_head_counts_what_is_listed():
    found = {
        chapter: [sum(row[0] == chapter and row[4] == state for row in ROWS) for state in STATES]
        for chapter in map(str, range(1, 18))
    }
    found[""] = [sum(column) for column in zip(*found.values(), strict=True)]
    assert {chapter: list(map(int, counts)) for chapter, *counts in COUNTS} == found


@pytest.mark.parametrize("name", sorted(set(re.findall(r"`(test_\w+)`", PAGE))))
def test_every_test_that_is_named_is_there(name):
    assert any(f"def {name}(" in path.read_text("utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
