"""Parser of import lines: a plain score parsed without JSON is the same as parsed with it."""

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pegboard.errors import BadImport
from pegboard.storage.event_row import EventRow
from pegboard.storage.transfer.import_parser import _parse_json, _parse_score, _read_score, last_lines, read_event

GOOD = '{"id": 7, "epoch": "e-1", "game": "g_2", "seq": 3, "at": 1700000000000000000, "source": "phone", '
GOOD += '"kind": "scored", "body": {"lane":1,"points":12,"seat":null,"why":"hand"}}'

PIECES = ("0", "1", "-1", "9223372036854775807", "9223372036854775808", "1.0", "true", "null", "", " ", "x" * 33)
PIECES += ("\\u0041", "\\ud800", "é", "\x00", "\x7f", "\r", "\n", ",", ":", "{", "}", "{}", "[1]", '"', '"note":', "\\")


@st.composite
def lines(draw):
    """A good line of which some parts were put in the place of others, or letters were changed."""
    line = GOOD
    for _ in range(draw(st.integers(0, 3))):
        begin = draw(st.integers(0, len(line)))
        end = draw(st.integers(begin, min(len(line), begin + 20)))
        line = line[:begin] + draw(st.sampled_from(PIECES) | st.text(max_size=3)) + line[end:]
    return line.encode("utf-8", "surrogatepass")


@given(lines())
@example(GOOD.encode())
@example(GOOD.replace('"lane":1,', '"lane":1,"lane":0,').encode())
@example(GOOD.replace('"phone"', '"a\\"b"').encode())
@example(GOOD.replace("1700000000000000000", "9223372036854775807").encode())
@example(GOOD.replace("1700000000000000000", "9223372036854775808").encode())
@example(GOOD.replace('"seq": 3', '"seq": 0').encode())
@example(GOOD.replace('"seq": 3', '"seq": 03').encode())
@example(GOOD.replace('"id": 7', '"id": 07').encode())
@example(GOOD.replace("12", "012").encode())
@example(GOOD.encode() + b"\n\n")
@example(GOOD.replace('"body"', '"v": 3, "body"').encode())
@example(GOOD.replace('"body"', '"v": 4, "body"').encode())
@example(GOOD.replace('"body"', '"v": "3", "body"').encode())
def test_a_score_parsed_without_json_is_the_same_with_it(line):
    """Or both refuse it: of one that names a field twice the body is refused when it is read."""
    score = _parse_score(line)
    if score is None:
        return
    assert type(score.seq) is type(score.at) is int
    try:
        parsed = _parse_json(2, line)
    except BadImport:
        with pytest.raises(BadImport, match="appears twice"):
            read_event(2, score)
    else:
        assert parsed == score._replace(body=json.loads(score.body))


@pytest.mark.parametrize("end", ["", "\n", "\r\n"])
def test_a_score_as_it_is_exported_needs_no_json(end):
    body = '{"lane":0,"points":4,"seat":0,"why":"crib"}'
    line = EventRow(8, "game-1", 2, 10**18, "scored", body, "button", None, None, "away home").export_line
    assert _parse_score((line + end).encode()) is not None


@pytest.mark.parametrize("value", ["true", "1.0", "1e0", "-1", "[1]"])
def test_no_value_that_another_equals_is_read_without_json(value):
    """`true` equals 1 and is kept otherwise, so nothing may be remembered by it."""
    assert _parse_score(GOOD.replace('"lane":1', f'"lane":{value}').encode()) is None


def test_scores_that_are_written_otherwise_are_the_same_score_and_stored_alike():
    one, other = b'{"lane":1,"points":2,"seat":1,"why":"play"}', b'{"why":"play","seat":1,"points":2,"lane":1}'
    assert _read_score(one, 3) == _read_score(other, 3)
    assert _read_score(one, 3)[1] == one.decode()
    assert [_read_score(one, version)[0].guessed for version in (1, 2, 3)] == [True, True, False]


def test_an_endless_line_is_refused_though_it_begins_well():
    with pytest.raises(BadImport, match="longer than"):
        last_lines([GOOD.replace('"why":"hand"', '"why":"' + "a" * 70_000 + '"').encode()])


@pytest.mark.parametrize("half", ["\\ud800", "\\udc00x", "\\uD83D"])
def test_half_a_letter_is_refused_wherever_it_stands(half):
    with pytest.raises(BadImport, match="not JSON"):
        last_lines([GOOD.replace("hand", half).encode()])
