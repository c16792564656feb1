"""Which English text each translation was made from, so that a text whose English has changed is found.

A catalog may have an object `"translated_from"`: "section.key" to a short hash of the English text. Pages never get it.
"""

import hashlib
import json
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from web.pages.catalog_check import TRANSLATED_FROM, Text

DIGITS = 8
"""Hex digits of a hash: enough to tell two versions of one text apart."""


def hash_of(english: Text) -> str:
    """The first digits of SHA-256 of a text, or of its plural forms written as JSON."""
    written = english if isinstance(english, str) else json.dumps(dict(english), ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(written.encode()).hexdigest()[:DIGITS]


def hashes_of(english: Mapping[str, Text | None], keys: Iterable[str]) -> dict[str, str]:
    """The hashes of the English texts under these keys; a text that is wrong in English has none."""
    return {key: hash_of(text) for key in sorted(keys) if (text := english.get(key)) is not None}


def read_hashes(path: Path) -> dict[str, Any] | None:
    """The hashes in the file of a readable catalog; None if it has none."""
    hashes = _read(path).get(TRANSLATED_FROM)
    return hashes if hashes and isinstance(hashes, dict) else None


def write_hashes(path: Path, hashes: Mapping[str, str]) -> None:
    """Replace the hashes in the file of a readable catalog.

    Raises:
        OSError: it cannot be written; the file is as it was.
    """
    path = path.resolve()
    document = _read(path)
    document.pop(TRANSLATED_FROM, None)
    text = json.dumps({**document, TRANSLATED_FROM: dict(sorted(hashes.items()))}, ensure_ascii=False, indent=2)
    new = path.with_name(f"{path.name}.new")
    try:
        new.write_bytes(f"{text}\n".encode("utf-8", "backslashreplace"))  # keeps half a character escaped
        shutil.copymode(path, new)
        new.replace(path)
    except OSError:
        new.unlink(missing_ok=True)
        raise


def _read(path: Path) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(path.read_text("utf-8-sig"))
    return document
