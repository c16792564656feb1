"""Nesting depth of JSON, found in its text: Python's own limit differs from version to version."""

import re

DEEPEST = 32
"""Levels of nested lists and objects that are accepted; ours have five."""

_STRING = re.compile(rb'"(?:[^"\\]|\\.)*"?', re.DOTALL)
_BRACKET = re.compile(rb"[][{}]")


def is_too_deep(text: bytes) -> bool:
    """Whether lists and objects are nested more than `DEEPEST` levels deep; the text need not be valid JSON."""
    if text.count(b"[") + text.count(b"{") <= DEEPEST:
        return False
    level = 0
    for bracket in _BRACKET.findall(_STRING.sub(b"", text)):
        level += 1 if bracket in b"[{" else -1
        if level > DEEPEST:
            return True
    return False
