"""A word out of a few: an enum whose members are, and are written as, plain texts."""

from enum import StrEnum


class Word(StrEnum):
    """A `StrEnum` that is a plain text in everything that is written of it, in Python's own writing too."""

    __repr__ = str.__repr__
