"""Catalogs of translations, read from their folder: a faulty file is left out, a faulty text stays English."""

import json
import re
import stat
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pegboard.errors import PegboardError
from pegboard.messages import TRANSLATED
from web.pages.catalog_check import (
    LANGUAGE,
    LONGEST_NAME,
    NO_TEXTS,
    REFUSALS,
    Fault,
    ParsedObject,
    Source,
    Text,
    check_texts,
    make_fault,
)

FOLDER = Path(__file__).parents[1] / "languages"
"""One file a language: its own name, then sections of keys and texts."""

ENGLISH = "en"
"""The language that every other one falls back to."""

SHIPPED = (ENGLISH, "fr")
"""These keep their names where another file claims one of them."""

LARGEST = 1_000_000
"""Bytes of a file that is read; the English one has 80,000."""

_CODE = re.compile(r"[a-z]{2,3}(-[A-Z]{2}|-[A-Z][a-z]{3})?")
"""A language as browsers call it, with its region or script where that matters: de, pt-BR, zh-Hant."""


class CatalogError(PegboardError):
    """The English texts cannot be read: there is nothing that the pages could say."""

    code = "catalog"


class _Unusable(Exception):
    def __init__(self, reason: str, line: int | None = None, **values: object) -> None:
        super().__init__(reason)
        self.fault = make_fault(reason, line, **values)


@dataclass(frozen=True, slots=True)
class Catalog:
    """A file with the texts of a language.

    Attributes:
        path: the file.
        name: the name that the language gives itself; "" where the whole file is left out.
        texts: its good texts by "section.key".
        faults: what is wrong, by line; a text that is wrong is said in English.
        missing: the texts that it lacks or that are wrong, which are said in English.
    """

    path: Path
    name: str
    texts: Mapping[str, Text]
    faults: tuple[Fault, ...]
    missing: tuple[str, ...]

    @property
    def code(self) -> str:
        """The language's code, which the file is called by."""
        return self.path.stem

    @property
    def is_offered(self) -> bool:
        """Whether the pages can be read in it."""
        return bool(self.name)

    @property
    def expected_texts(self) -> dict[str, Text | None]:
        """Of the English catalog: every text that a translation should have, None for one that is wrong here."""
        return {**dict.fromkeys(self.missing), **self.texts}

    def sentence(self) -> str:
        """What is wrong in one sentence, with the first fault and the way to see them all."""
        number = len(self.faults)
        became = f"has {number} errors" if number > 1 else "has an error"
        what = f"{became}; those texts are in English" if self.is_offered else "is not used"
        return f"{self.path.name} {what}: {self.faults[0]} (pegboard languages check {self.path})"


def read_catalog(path: Path, english: Catalog | None = None) -> Catalog:
    """The catalog in a file, whatever that holds.

    Args:
        path: the file.
        english: the English catalog; None where this is it.
    """
    try:
        text = _read_text(path)
        document, source = _parse(text), Source(text)
        name = _read_name(document, source)
        if english is None:
            _must_have_sections(document, source)
    except _Unusable as error:
        return Catalog(path, "", {}, (error.fault,), ())
    wanted = None if english is None else english.expected_texts
    texts, faults = check_texts(document, source, wanted)
    missing = tuple(key for key in wanted or _list_keys(document) if key not in texts)
    return Catalog(path, name, texts, tuple(faults), missing)


def _list_keys(document: ParsedObject) -> list[str]:
    return [f"{section}.{name}" for section, texts in document.items() if section not in NO_TEXTS for name in texts]


def _read_text(path: Path) -> str:
    if not _CODE.fullmatch(path.stem):
        raise _Unusable("catalog_code")
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise _Unusable("catalog_file")
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
    except OSError as error:
        raise _Unusable("catalog_unreadable", error=error.strerror or "") from error
    if len(data) > LARGEST:
        raise _Unusable("catalog_large", most=LARGEST // 1000)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _Unusable("catalog_encoding", 1 + data.count(b"\n", 0, error.start)) from error
    if not text.strip():
        raise _Unusable("catalog_empty")
    return text


def _parse(text: str) -> ParsedObject:
    try:
        document = json.loads(text, object_pairs_hook=ParsedObject)
    except json.JSONDecodeError as error:
        raise _Unusable("catalog_json", error.lineno) from error
    except (RecursionError, ValueError) as error:
        raise _Unusable("catalog_depth") from error
    if not isinstance(document, ParsedObject):
        raise _Unusable("catalog_object", 1)
    return document


def _read_name(document: ParsedObject, source: Source) -> str:
    if LANGUAGE not in document:
        raise _Unusable("catalog_no_name")
    name: Any = document[LANGUAGE]
    if not isinstance(name, str) or not 1 <= len(name.strip()) <= LONGEST_NAME or not name.strip().isprintable():
        raise _Unusable("catalog_name", source.line_of(LANGUAGE), most=LONGEST_NAME)
    return name.strip()


def _must_have_sections(document: ParsedObject, source: Source) -> None:
    for section, texts in document.items():
        if section != LANGUAGE and not isinstance(texts, ParsedObject):
            raise _Unusable("catalog_section", source.line_of(section), key=section)


def read_english(folder: Path | None = None) -> Catalog:
    """The texts that the pages fall back to: those of its file, and the table of messages.

    Raises:
        CatalogError: they cannot be read.
    """
    english = read_catalog((folder or FOLDER) / f"{ENGLISH}.json")
    if not english.is_offered:
        raise CatalogError("english_catalog", path=english.path, fault=english.faults[0])
    return add_messages(english)


def add_messages(english: Catalog) -> Catalog:
    """The English catalog with the table of messages, which its file has not."""
    messages = {f"{REFUSALS}.{key}": template for key, template in TRANSLATED.items()}
    return replace(english, texts={**english.texts, **messages})


def read_all(folder: Path | None = None) -> dict[str, Catalog]:
    """Every catalog of a folder by its code, English first.

    Raises:
        CatalogError: there is no English one.
    """
    folder = folder or FOLDER
    english = read_english(folder)
    paths = {path.stem: path for path in sorted(folder.glob("*.json"))}
    codes = [code for code in SHIPPED if code in paths] + [code for code in paths if code not in SHIPPED]
    found: dict[str, Catalog] = {ENGLISH: english}
    for code in codes[1:]:
        found[code] = leave_out_namesake(read_catalog(paths[code], english), found.values())
    return found


def leave_out_namesake(catalog: Catalog, others: Iterable[Catalog]) -> Catalog:
    """A catalog beside the others: left out where one of another language is called the same."""
    names = {
        other.name.casefold(): other.path.name for other in others if other.is_offered and other.code != catalog.code
    }
    if not catalog.is_offered or (namesake := names.get(catalog.name.casefold())) is None:
        return catalog
    fault = make_fault("catalog_same_name", None, name=catalog.name, file=namesake)
    return replace(catalog, name="", texts={}, missing=(), faults=(fault, *catalog.faults))
