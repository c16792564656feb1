"""Small state files: what was written comes back, and nothing else is taken for it."""

import json
import os

import pytest

from pegboard.storage.state_files import read_values, write_values

VALUES = {"oled": 99, "strip": 0.3, "players": ["Ann", "Zoë"]}


UNDECODED = {"path": "/media/st\udce9phane"}
"""A folder whose name is no UTF-8, as Python gives it."""


@pytest.mark.parametrize("values", [{}, VALUES, [], [VALUES, {"id": "a"}], UNDECODED])
def test_what_was_written_is_read(tmp_path, values):
    write_values(tmp_path / "one.json", values)
    assert read_values(tmp_path / "one.json") == values


@pytest.mark.parametrize("values", [VALUES, [VALUES]])
def test_no_flipped_bit_is_taken_for_another_value(tmp_path, values):
    path = tmp_path / "one.json"
    write_values(path, values)
    whole = path.read_bytes()
    for place in range(len(whole) * 8):
        flipped = bytearray(whole)
        flipped[place // 8] ^= 1 << place % 8
        path.write_bytes(flipped)
        try:
            found = read_values(path)
        except ValueError:
            continue
        for one in found if isinstance(found, list) else [found]:  # a flip in the word "check" itself
            assert {name: one[name] for name in VALUES} == VALUES


def test_what_an_older_version_wrote_without_a_check_value_is_read(tmp_path):
    path = tmp_path / "one.json"
    path.write_text(json.dumps(VALUES))
    assert read_values(path) == VALUES


@pytest.mark.parametrize("text", ["", "3", "[3]", "null", "{", '{"a": 1, "check": "0"}', "\ufeff{}", "[" * 100_000])
def test_what_makes_no_sense_is_refused(tmp_path, text):
    path = tmp_path / "one.json"
    path.write_text(text)
    with pytest.raises(ValueError, match=r"."):
        read_values(path)


def test_a_pipe_in_its_place_keeps_nobody_waiting(tmp_path):
    os.mkfifo(tmp_path / "one.json")
    with pytest.raises(OSError, match="is not a regular file"):
        read_values(tmp_path / "one.json")
