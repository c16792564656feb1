"""What can be wrong with a translation of the pages: the check of a catalog's texts, and the line of each fault.

A catalog is a JSON file: the language's own name, then sections of texts. A text is a string, or plural forms; names in
braces are placeholders that the pages fill in.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias, TypeGuard

from pegboard.messages import Message
from web.pages.plurals import FORMS, forms_of

Text: TypeAlias = str | Mapping[str, str]
"""What stands in a catalog: a text with {names}, or one for each plural form, chosen by {n}."""

LANGUAGE = "language"
"""The key of the name that the language gives itself."""

TRANSLATED_FROM = "translated_from"
"""The key of the hashes of the English texts, for translators only."""

NO_TEXTS = (LANGUAGE, TRANSLATED_FROM)
"""Keys of a catalog that are not sections of texts."""

REFUSALS = "refusals"
"""The section of the sentences that the table itself says: plain texts, which may leave placeholders out."""

LONGEST_NAME = 40
"""Letters of a language's own name, which stands in a list on narrow phones."""


_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")
_SURROGATE = re.compile("[\ud800-\udfff]")
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\]:\n]', re.DOTALL)
_LONGEST_SAID = 60  # letters of a key that a reason says back


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong with a catalog.

    Attributes:
        line: the line of the file, from 1; None where it is the file as a whole.
        message: what is wrong, and what would be taken.
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
    """The fault of the message under this key; what a file says is quoted shortly and without control characters."""
    return Fault(line, Message(key, **{name: _quote(str(value)) for name, value in values.items()}))


def _quote(text: str) -> str:
    shown = "".join(letter if letter.isprintable() else "?" for letter in text[: _LONGEST_SAID + 1])
    return shown if len(shown) <= _LONGEST_SAID else f"{shown[:_LONGEST_SAID]}..."


class ParsedObject(dict[str, Any]):
    """An object of JSON; `twice` are the keys that it has more than once."""

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        names = Counter(name for name, _ in pairs) if len(self) < len(pairs) else {}
        self.twice = [name for name, times in names.items() if times > 1]


class Source:
    """The text of a catalog, to find the line of a key in; it is only read where something is wrong."""

    def __init__(self, text: str) -> None:
        self._text = text

    def line_of(self, *path: str) -> int:
        """The line of a key, from 1, by the names that lead to it; of one that is there twice the last."""
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
    """The good texts of a catalog by "section.key", and what is wrong with the others, in the order of their lines.

    Args:
        document: the catalog.
        source: the text that it was read from.
        english: the texts that the pages have, None for one that is wrong in English, too; None where this is the
            English catalog itself.
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
    """Whether a text fills in nothing, as most, nor does the English one: it is good without a look at anything else.

    A start waits for the check of every text, which takes half as long with this.
    """
    if not isinstance(entry, str) or "{" in entry or not entry.strip() or _SURROGATE.search(entry):
        return False
    original = entry if english is None else english.get(key)
    return isinstance(original, str) and "{" not in original


def _check_text(
    key: str, entry: object, english: Mapping[str, Text | None] | None
) -> Iterator[tuple[str, dict[str, str]]]:
    """What makes a text unfit to be shown, each the key of a message and its values."""
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
    """A text fills in what the English one does; sentences of the table may leave some of it out."""
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
    """The texts with plural forms that lack some which their language needs, by those; it says "other" instead."""
    lacking: dict[tuple[str, ...], list[str]] = {}
    for key, text in texts.items():
        if not isinstance(text, str) and (forms := tuple(form for form in forms_of(language) if form not in text)):
            lacking.setdefault(forms, []).append(key)
    return lacking


def _write_placeholders(names: set[str]) -> str:
    return ", ".join(f"{{{name}}}" for name in sorted(names))
