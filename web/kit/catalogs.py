"""Translation catalogs: reading, validation with line numbers, plural forms (CLDR), hashes that show outdated texts.

An unreadable file is ignored, and an invalid text falls back to English.
"""

import hashlib
import json
import re
import shutil
import stat
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, TypeGuard

from pegboard.errors import PegboardError
from pegboard.messages import TRANSLATED, Message

if TYPE_CHECKING:
    from babel.plural import PluralRule

# --- validation of a catalog's texts, with the line of each error ---
#
# A catalog is a JSON file: the language's own name, then sections of texts. A text is a string, or plural forms; names
# in braces are placeholders that the pages fill in.


Text: TypeAlias = str | Mapping[str, str]
"""A text of a catalog: a string with {placeholders}, or a string for each plural form, chosen by {n}."""

LANGUAGE = "language"
"""The key of the language's own name."""

TRANSLATED_FROM = "translated_from"
"""The key of the hashes of the English texts, for translators only."""

NO_TEXTS = (LANGUAGE, TRANSLATED_FROM)
"""Keys of a catalog that are not sections of texts."""

REFUSALS = "refusals"
"""The section of the server's own messages: plain texts, which may omit placeholders."""

LONGEST_NAME = 40
"""Maximum characters of a language's own name, for lists on narrow phones."""

_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")

_SURROGATE = re.compile("[\ud800-\udfff]")

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\]:\n]', re.DOTALL)

_LONGEST_SAID = 60  # characters of a key that an error message quotes


@dataclass(frozen=True, slots=True)
class Fault:
    """An error in a catalog.

    Attributes:
        line: the line of the file, from 1; None for the file as a whole.
        message: the error, and what is allowed.
    """

    line: int | None
    message: Message

    @property
    def reason(self) -> str:
        """The message in English."""
        return str(self.message)

    def as_json(self) -> dict[str, Any]:
        """Line and reason for programs."""
        return {"line": self.line, "reason": self.reason}

    def __str__(self) -> str:
        return self.reason if self.line is None else f"line {self.line}: {self.reason}"


def make_fault(key: str, line: int | None, /, **values: object) -> Fault:
    """An error whose message has this key; quotes from the file are shortened, without control characters."""
    return Fault(line, Message(key, **{name: _quote(str(value)) for name, value in values.items()}))


def _quote(text: str) -> str:
    shown = "".join(letter if letter.isprintable() else "?" for letter in text[: _LONGEST_SAID + 1])
    return shown if len(shown) <= _LONGEST_SAID else f"{shown[:_LONGEST_SAID]}..."


class ParsedObject(dict[str, Any]):
    """A JSON object; `twice` lists its duplicate keys."""

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        names = Counter(name for name, _ in pairs) if len(self) < len(pairs) else {}
        self.twice = [name for name, times in names.items() if times > 1]


class Source:
    """The source text of a catalog, which finds the line of a key; parsed only if there are errors."""

    def __init__(self, text: str) -> None:
        self._text = text

    def line_of(self, *path: str) -> int:
        """The line of a key, from 1, by its path; for a duplicate key, its last line."""
        return self._lines.get(path, 1)

    @cached_property
    def _lines(self) -> dict[tuple[str, ...], int]:
        lines: dict[tuple[str, ...], int] = {}
        containers: list[str] = []
        line, key, last = 1, "", ""
        for token in _TOKEN.findall(self._text):
            match token:
                case "\n":
                    line += 1
                case ":":
                    key = json.loads(last)
                    lines[*containers[1:], key] = line
                case "{" | "[":
                    containers.append(key)
                case "}" | "]":
                    containers.pop()
                case string:
                    last = string
        return lines


def check_texts(
    document: ParsedObject, source: Source, english: Mapping[str, Text | None] | None
) -> tuple[dict[str, Text], list[Fault]]:
    """The valid texts of a catalog by "section.key", and the errors of its invalid texts, by line.

    Args:
        document: the catalog.
        source: the text that it was read from.
        english: the texts that the pages have, with None for a text that is invalid in English too; None if this is
            the English catalog itself.
    """
    texts: dict[str, Text] = {}
    faults = [make_fault("catalog_twice", source.line_of(name), key=name) for name in document.twice]
    sections = None if english is None else {key.partition(".")[0] for key in english}
    for section, entries in document.items():
        if section == LANGUAGE or (section == TRANSLATED_FROM and isinstance(entries, ParsedObject)):
            continue
        if sections is not None and section not in {*sections, TRANSLATED_FROM}:
            faults.append(make_fault("catalog_no_section", source.line_of(section), key=section))
        elif not isinstance(entries, ParsedObject):
            faults.append(make_fault("catalog_section", source.line_of(section), key=section))
        else:
            good, found = _check_section(section, entries, source, english)
            texts |= good
            faults += found
    return texts, sorted(faults, key=lambda one: one.line or 0)


def _check_section(
    section: str, entries: ParsedObject, source: Source, english: Mapping[str, Text | None] | None
) -> tuple[dict[str, Text], list[Fault]]:
    texts, faults = {}, []
    for name, entry in entries.items():
        key = f"{section}.{name}"
        wrong = [] if _is_plain(key, entry, english) else list(_check_text(key, entry, english))
        if not wrong:
            texts[key] = entry
        if name in entries.twice:
            wrong.append(("catalog_twice", {}))
        faults += [make_fault(reason, source.line_of(section, name), key=key, **values) for reason, values in wrong]
    return texts, faults


def _is_plain(key: str, entry: object, english: Mapping[str, Text | None] | None) -> bool:
    """Whether a text is one string with the placeholders of its English original; most are, and need no more checks.

    Startup waits for the check of every text; this makes it three times as fast.
    """
    if not isinstance(entry, str) or not entry.strip() or _SURROGATE.search(entry):
        return False
    original = entry if english is None else english.get(key)
    if not isinstance(original, str):
        return False
    return original is entry or set(_PLACEHOLDER.findall(entry)) == set(_PLACEHOLDER.findall(original))


def _check_text(
    key: str, entry: object, english: Mapping[str, Text | None] | None
) -> Iterator[tuple[str, dict[str, str]]]:
    """The errors of a text, each as the key of a message and its values."""
    if english is not None and key not in english:
        yield "catalog_no_text", {}
    elif not _is_text(entry):
        yield "catalog_text", {}
    else:
        yield from _check_forms(entry)
        yield from _check_placeholders(key, entry, (english or {}).get(key) or entry)


def _is_text(entry: object) -> TypeGuard[Text]:
    return isinstance(entry, str) or (isinstance(entry, dict) and all(isinstance(one, str) for one in entry.values()))


def _plural_forms(text: Text) -> Mapping[str, str]:
    return {"other": text} if isinstance(text, str) else text


def _check_forms(text: Text) -> Iterator[tuple[str, dict[str, str]]]:
    forms = _plural_forms(text)
    yield from (("catalog_form", {"form": form}) for form in forms if form not in FORMS)
    if "other" not in forms:
        yield "catalog_other", {}
    if not all(one.strip() for one in forms.values()):
        yield "catalog_blank", {}
    if any(_SURROGATE.search(one) for one in forms.values()):
        yield "catalog_half", {}


def _check_placeholders(key: str, text: Text, english: Text) -> Iterator[tuple[str, dict[str, str]]]:
    """Check that a text has the placeholders of the English text; the server's messages may omit some."""
    is_refusal = key.startswith(f"{REFUSALS}.")
    wanted, named = _find_placeholders(english), _find_placeholders(text)
    is_counted = not is_refusal and ("n" in wanted or not isinstance(english, str))
    if not isinstance(text, str) and (is_refusal or not (is_counted or wanted)):
        yield "catalog_plural", {}
    if not is_refusal and (lacking := wanted - named):
        yield "catalog_lacks", {"names": _write_placeholders(lacking)}
    if unknown := named - wanted - ({"n"} if is_counted else set()):
        yield "catalog_unknown", {"names": _write_placeholders(unknown)}


def _find_placeholders(text: Text) -> set[str]:
    return {name for form in _plural_forms(text).values() for name in _PLACEHOLDER.findall(form)}


def find_lacking_forms(language: str, texts: Mapping[str, Text]) -> dict[tuple[str, ...], list[str]]:
    """The texts that lack plural forms of their language, by the missing forms; pages use "other" instead."""
    lacking: dict[tuple[str, ...], list[str]] = {}
    for key, text in texts.items():
        if not isinstance(text, str) and (forms := tuple(form for form in forms_of(language) if form not in text)):
            lacking.setdefault(forms, []).append(key)
    return lacking


def _write_placeholders(names: set[str]) -> str:
    return ", ".join(f"{{{name}}}" for name in sorted(names))


# --- plural forms by Unicode CLDR: all forms of a language, and the form for a number ---


FORMS = ("zero", "one", "two", "few", "many", "other")
"""The plural forms of all languages, as named by Unicode CLDR."""

COUNTED = (*range(1000), *(n / 10 for n in range(100)))
"""Sample numbers that cover every form a page can need; some languages also have a form for a million."""


@cache
def forms_of(language: str) -> tuple[str, ...]:
    """The plural forms that a language needs on the pages, such as "one", "few", "many" and "other" in Polish."""
    needed = {"other", *map(_rule(language), COUNTED)}
    return tuple(form for form in FORMS if form in needed)


def form_for(language: str, number: float) -> str:
    """The plural form of a language for a number, such as "one" for 1.5 in French."""
    return _rule(language)(number)


@cache
def _rule(language: str) -> "PluralRule":
    """The plural rule of a language, by the code of its catalog; the English rule for unknown languages."""
    from babel import Locale, UnknownLocaleError  # imported late, for a fast start

    try:
        return Locale.parse(language, sep="-").plural_form
    except (UnknownLocaleError, ValueError):
        return Locale("en").plural_form


# --- hashes of the English texts that translations were made from, to find outdated translations ---
#
# A catalog may have an object `"translated_from"`: "section.key" to a short hash of the English text. Pages never get
# it.


DIGITS = 8
"""Hex digits of a hash, enough to tell versions of one text apart."""


def hash_of(english: Text) -> str:
    """The first digits of the SHA-256 of a text, or of its plural forms as JSON."""
    written = english if isinstance(english, str) else json.dumps(dict(english), ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(written.encode()).hexdigest()[:DIGITS]


def hashes_of(english: Mapping[str, Text | None], keys: Iterable[str]) -> dict[str, str]:
    """The hashes of the English texts under these keys; invalid English texts have none."""
    return {key: hash_of(text) for key in sorted(keys) if (text := english.get(key)) is not None}


def read_hashes(path: Path) -> dict[str, Any] | None:
    """The hashes in the file of a readable catalog; None if the file has no hashes."""
    hashes = _read(path).get(TRANSLATED_FROM)
    return hashes if hashes and isinstance(hashes, dict) else None


def write_hashes(path: Path, hashes: Mapping[str, str]) -> None:
    """Replace the hashes in the file of a readable catalog.

    Raises:
        OSError: the file cannot be written; it is unchanged.
    """
    path = path.resolve()
    document = _read(path)
    document.pop(TRANSLATED_FROM, None)
    text = json.dumps({**document, TRANSLATED_FROM: dict(sorted(hashes.items()))}, ensure_ascii=False, indent=2)
    new = path.with_name(f"{path.name}.new")
    try:
        new.write_bytes(f"{text}\n".encode("utf-8", "backslashreplace"))  # keeps lone surrogates escaped
        shutil.copymode(path, new)
        new.replace(path)
    except OSError:
        new.unlink(missing_ok=True)
        raise


def _read(path: Path) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(path.read_text("utf-8-sig"))
    return document


FOLDER = Path(__file__).parents[1] / "languages"
"""One file per language: its own name, then sections of keys and texts."""

ENGLISH = "en"
"""The fallback language."""

SHIPPED = (ENGLISH, "fr")
"""Shipped languages, which keep their names if another file claims the same name."""

LARGEST = 1_000_000
"""Maximum bytes of a file; the English file has 80,000."""

_CODE = re.compile(r"[a-z]{2,3}(-[A-Z]{2}|-[A-Z][a-z]{3})?")
"""A language code as in browsers, with region or script if needed: de, pt-BR, zh-Hant."""


class CatalogError(PegboardError):
    """The English texts cannot be read, so the pages would have no texts."""

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
        name: the language's own name; "" if the whole file is ignored.
        texts: its valid texts by "section.key".
        faults: its errors, by line; an invalid text falls back to English.
        missing: the missing and invalid texts, which fall back to English.
    """

    path: Path
    name: str
    texts: Mapping[str, Text]
    faults: tuple[Fault, ...]
    missing: tuple[str, ...]

    @property
    def code(self) -> str:
        """The language's code, which is the file's name."""
        return self.path.stem

    @property
    def is_offered(self) -> bool:
        """Whether the pages offer the language."""
        return bool(self.name)

    @property
    def expected_texts(self) -> dict[str, Text | None]:
        """For the English catalog: every text that a translation should have, None for a text that is invalid here."""
        return {**dict.fromkeys(self.missing), **self.texts}

    def sentence(self) -> str:
        """The errors in one sentence, with the first error and the command that lists them all."""
        number = len(self.faults)
        became = f"has {number} errors" if number > 1 else "has an error"
        what = f"{became}; those texts are in English" if self.is_offered else "is not used"
        return f"{self.path.name} {what}: {self.faults[0]} (pegboard languages check {self.path})"


def read_catalog(path: Path, english: Catalog | None = None) -> Catalog:
    """Read a catalog; never fails, whatever the file contains.

    Args:
        path: the file.
        english: the English catalog; None to read the English catalog itself.
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
    """Read the fallback texts: the English catalog, and the table of messages.

    Raises:
        CatalogError: the English catalog cannot be read.
    """
    english = read_catalog((folder or FOLDER) / f"{ENGLISH}.json")
    if not english.is_offered:
        raise CatalogError("english_catalog", path=english.path, fault=english.faults[0])
    return add_messages(english)


def add_messages(english: Catalog) -> Catalog:
    """The English catalog with the table of messages added, which its file does not contain."""
    messages = {f"{REFUSALS}.{key}": template for key, template in TRANSLATED.items()}
    return replace(english, texts={**english.texts, **messages})


def read_all(folder: Path | None = None) -> dict[str, Catalog]:
    """Every catalog of a folder by its code, English first.

    Raises:
        CatalogError: the English catalog cannot be read.
    """
    folder = folder or FOLDER
    english = read_english(folder)
    paths = {path.stem: path for path in sorted(folder.glob("*.json"))}
    codes = [code for code in SHIPPED if code in paths] + [code for code in paths if code not in SHIPPED]
    found: dict[str, Catalog] = {ENGLISH: english}
    for code in codes[1:]:
        found[code] = ignore_duplicate_name(read_catalog(paths[code], english), found.values())
    return found


def ignore_duplicate_name(catalog: Catalog, others: Iterable[Catalog]) -> Catalog:
    """The catalog, or an ignored one if another language has the same name."""
    names = {
        other.name.casefold(): other.path.name for other in others if other.is_offered and other.code != catalog.code
    }
    if not catalog.is_offered or (namesake := names.get(catalog.name.casefold())) is None:
        return catalog
    fault = make_fault("catalog_same_name", None, name=catalog.name, file=namesake)
    return replace(catalog, name="", texts={}, missing=(), faults=(fault, *catalog.faults))
