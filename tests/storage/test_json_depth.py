"""How deeply JSON is nested is told by its text, whatever Python's own limit is."""

import json
import sys

import pytest

from pegboard.json_parser import DEEPEST, is_too_deep

FITS = (
    b"",
    b"{}",
    b"[" * DEEPEST,
    b"[]" * 5000,
    b'"' + b"[" * 5000 + b'"',
    b'"\\"' + b"{" * 5000,
    b'["' + b"[" * 5000,
    b"]" * 5000,
    json.dumps([{"a": "[[[", "b": [1, 2]}] * 200).encode(),
)

TOO_DEEP = (
    b"[" * (DEEPEST + 1),
    b"[" * 1_000_000,
    b'{"a":' * (DEEPEST + 1),
    b'"\\\\"' + b"[" * (DEEPEST + 1),
    b"[" * 20 + b'"]]]]"' + b"{" * 20,
)


@pytest.mark.parametrize("text", FITS, ids=lambda text: str(text[:20]))
def test_what_is_flat_enough_fits(text):
    assert not is_too_deep(text)


@pytest.mark.parametrize("text", TOO_DEEP, ids=lambda text: str(text[:20]))
def test_what_is_too_deep_is_found(text):
    assert is_too_deep(text)


def test_python_reads_whatever_fits_far_from_its_own_limit():
    assert sys.getrecursionlimit() > DEEPEST * 10
    assert json.loads(b"[" * DEEPEST + b"]" * DEEPEST)
