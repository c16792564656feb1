"""Base class of enums whose members are plain texts, in Python's own writing too."""

from enum import StrEnum


class TextEnum(StrEnum):
    """A `StrEnum` that is a plain text in everything that is written of it, in Python's own writing too."""

    __repr__ = str.__repr__
