"""The command `pegboard languages`, which lists the translations, and its subcommands `english`, `check`, `accept`."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from web.kit import catalogs
from web.kit.catalogs import (
    LANGUAGE,
    TRANSLATED_FROM,
    Catalog,
    Source,
    add_messages,
    find_lacking_forms,
    hash_of,
    hashes_of,
    ignore_duplicate_name,
    read_all,
    read_catalog,
    read_english,
    read_hashes,
    write_hashes,
)

SHOWN = 10
"""Maximum number of texts named in a list; a new translation lacks a thousand."""


@click.group("languages", invoke_without_command=True)
@click.option("--json", "as_json", is_flag=True, help="Print one line of JSON.")
@click.pass_context
def languages(context: click.Context, as_json: bool) -> None:
    """List the languages of the pages, or check a translation."""
    if context.invoked_subcommand is not None:
        if as_json:
            raise click.UsageError(f"leave out --json: {context.invoked_subcommand} does not take it")
        return
    found = list(read_all().values())
    if as_json:
        click.echo(json.dumps([_facts(one) for one in found]))
        return
    for one in found:
        click.echo(f"{one.code:<8}{_state(one)}")
    click.echo(f"Language files are in {catalogs.FOLDER}")


@languages.command("english")
def english() -> None:
    """Print all English texts, to start a translation.

    Messages are included.
    """
    document: dict[str, Any] = {LANGUAGE: "English"}
    texts = read_english().texts
    for key, text in sorted(texts.items()):
        section, name = key.split(".", 1)
        document.setdefault(section, {})[name] = text
    document[TRANSLATED_FROM] = hashes_of(texts, texts)
    # UTF-8 whatever the terminal uses, because `check` accepts nothing else.
    click.echo(json.dumps(document, ensure_ascii=False, indent=2).encode())


@languages.command("check")
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=click.Path(path_type=Path))
@click.pass_context
def check(context: click.Context, files: tuple[Path, ...]) -> None:
    """Check translations of the pages.

    Lists each error with its line, what is missing, and each text whose English has changed since it was translated.
    Exits with status 1 if there are errors or texts out of date.

    Missing texts and plural forms are not errors: the pages show English, or the plural form `other`.
    """
    checked = [_check(file) for file in files]
    changed = [_find_changed(one) for one in checked]
    for one, its_changed in zip(checked, changed, strict=True):
        click.echo("\n".join(_report(one, its_changed)))
    context.exit(1 if any(changed) or any(one.faults for one in checked) else 0)


@languages.command("accept")
@click.argument("file", type=click.Path(path_type=Path))
@click.argument("keys", nargs=-1, metavar="[KEY...]")
def accept(file: Path, keys: tuple[str, ...]) -> None:
    """Mark texts of a translation as up to date.

    Use this after comparing them with the English. KEY is a text as `check` names it, such as words.live (default:
    every text in FILE).
    """
    one = _check(file)
    if one.code == catalogs.ENGLISH:
        raise click.UsageError(f"{file} is not a translation")
    if not one.is_offered:
        raise click.UsageError(f"{file} cannot be used: {one.faults[0]}")
    # Rewriting the file would drop all duplicates but the last.
    if twice := [found for found in one.faults if found.message.key == "catalog_twice"]:
        key = twice[0].message.values["key"]
        raise click.UsageError(f"{file} line {twice[0].line}: {key} appears twice; remove one of them")
    if unknown := [key for key in keys if key not in one.texts]:
        raise click.UsageError(f"{file} has no usable text {unknown[0]}")
    accepted = hashes_of(read_english().texts, keys or one.texts)
    earlier = read_hashes(file) if keys else None
    try:
        write_hashes(file, {**(earlier or {}), **accepted})
    except OSError as error:
        raise click.ClickException(f"{file} cannot be written: {error.strerror}") from error
    click.echo(f"{file}: {len(accepted)} {'text' if len(accepted) == 1 else 'texts'} marked as up to date")


def _check(path: Path) -> Catalog:
    """Read a language file as if it were installed, in place of an installed language with the same code."""
    if not path.exists() and not path.is_symlink():
        raise click.UsageError(f"there is no file {path}")
    if path.stem == catalogs.ENGLISH:
        english = read_catalog(path)
        return add_messages(english) if english.is_offered else english
    return ignore_duplicate_name(read_catalog(path, read_english()), read_all().values())


def _find_changed(one: Catalog) -> dict[str, str | None] | None:
    """The texts whose English has changed since they were translated, or may have.

    Returns:
        The hash of the translated English by key, None if that is missing; None if the file has no hashes.
    """
    if one.code == catalogs.ENGLISH or not one.is_offered:
        return {}
    if (hashes := read_hashes(one.path)) is None:
        return None
    english = read_english().texts
    return {key: hashes.get(key) for key in one.texts if key in english and hashes.get(key) != hash_of(english[key])}


def _report(one: Catalog, changed: Mapping[str, str | None] | None) -> list[str]:
    faults = [f"  {found}" for found in one.faults]
    if not one.is_offered:
        return [f"{one.path}: not used", *faults]
    lacking = find_lacking_forms(one.code, one.texts).items()
    plurals = [f"  plural form {' and '.join(forms)} missing, using other: {_list(keys)}" for forms, keys in lacking]
    missing = [f"  shown in English: {_list(one.missing)}"] if one.missing else []
    return [f"{one.path}: {_state(one)}", *faults, *_report_changed(one, changed), *plurals, *missing]


def _report_changed(one: Catalog, changed: Mapping[str, str | None] | None) -> list[str]:
    if changed is None:
        return [f'  no "{TRANSLATED_FROM}": cannot tell which texts are out of date']
    if not changed:
        return []
    english, source = read_english().texts, Source(one.path.read_text("utf-8-sig"))
    lines = [
        f"  line {source.line_of(*key.split('.', 1))}: {key} is out of date; the English is now "
        f"{json.dumps(english[key], ensure_ascii=False)}"
        for key, its_hash in changed.items()
        if its_hash is not None
    ]
    untold = [key for key, its_hash in changed.items() if its_hash is None]
    return lines + ([f'  not in "{TRANSLATED_FROM}", perhaps out of date: {_list(untold)}'] if untold else [])


def _list(keys: Sequence[str]) -> str:
    others = len(keys) - SHOWN
    return ", ".join(keys[:SHOWN]) + (f" and {others} more" if others > 0 else "")


def _state(one: Catalog) -> str:
    if not one.is_offered:
        return f"not used: {one.faults[0]}"
    texts = f"{one.name}, {len(one.texts)} of {len(one.texts) + len(one.missing)} texts"
    number = len(one.faults)
    return f"{texts}, {number} {'fault' if number == 1 else 'faults'}" if number else texts


def _facts(one: Catalog) -> dict[str, Any]:
    return {"code": one.code, "name": one.name or None, "texts": len(one.texts), "missing": len(one.missing)} | {
        "faults": [found.as_json() for found in one.faults]
    }
