"""Text in CSV that a spreadsheet would take for a formula is marked as text."""

import csv
import io

import pytest

from pegboard.storage.transfer.exporting import _csv

SIGNS = ["=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20", "\u2212", "\ufe66", "\ufe62", "\ufe63", "\ufe6b"]


def first_cell(text: str, delimiter: str = ",") -> list[str]:
    return next(csv.reader(io.StringIO(_csv([[text, "Bob"]])), delimiter=delimiter))


@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize("before", ["", " ", "\u3000", "\t", "\r", "\n", "\t "])
def test_a_formula_begins_with_an_apostrophe_however_wide_its_sign(sign: str, before: str):
    text = f"{before}{sign}HYPERLINK(1)"
    assert first_cell(text)[0].startswith("'")
    assert first_cell(text)[0].replace("'", "") == text.replace("\r\n", "\n")


@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize("delimiter", [";", "\t"])
def test_nor_does_a_cell_that_begins_at_a_semicolon_or_a_tab(sign: str, delimiter: str):
    cells = first_cell(f"Ann{delimiter}{sign}1", delimiter)
    assert cells[1].startswith(f"'{sign}")


@pytest.mark.parametrize("text", ["Ann", "Ann-Bob", "Ann + Bob", "15-2", "a=b", "Ann; Bob", ""])
def test_other_text_stays_as_it_is(text: str):
    assert first_cell(text)[0] == text


def test_numbers_stay_numbers():
    assert _csv([[-3, None, 4.5]]) == "-3,,4.5\r\n"
