"""The commands `pegboard languages`, which lists the translations, and its `check` and `english` for translators."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from web.pages import catalogs
from web.pages.catalog_check import LANGUAGE, find_lacking_forms
from web.pages.catalogs import Catalog, add_messages, leave_out_namesake, read_all, read_catalog, read_english

SHOWN = 10
"""Missing texts that are named; a file that was just begun lacks a thousand."""


@click.group("languages", invoke_without_command=True)
@click.option("--json", "as_json", is_flag=True, help="One line of JSON.")
@click.pass_context
def languages(context: click.Context, as_json: bool) -> None:
    """List the languages of the pages, or check a translation."""
    if context.invoked_subcommand is not None:
        return
    found = list(read_all().values())
    if as_json:
        click.echo(json.dumps([_facts(one) for one in found]))
        return
    for one in found:
        click.echo(f"{one.code:<8}{_state(one)}")
    click.echo(f"Each is a file in {catalogs.FOLDER}")


@languages.command("english")
def english() -> None:
    """Print every English text, to start a translation.

    The table's own sentences are in it too.
    """
    document: dict[str, Any] = {LANGUAGE: "English"}
    for key, text in sorted(read_english().texts.items()):
        section, name = key.split(".", 1)
        document.setdefault(section, {})[name] = text
    click.echo(json.dumps(document, ensure_ascii=False, indent=2))


@languages.command("check")
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=click.Path(path_type=Path))
@click.pass_context
def check(context: click.Context, files: tuple[Path, ...]) -> None:
    """Check translations of the pages.

    Prints each fault with its line, and what is missing. Exit status 1 if one is faulty.

    What is missing is no fault: the pages say it in English. A plural form that the language needs and a text lacks
    is none either: the pages say the form `other` instead.
    """
    for file in files:
        if not file.exists() and not file.is_symlink():
            raise click.UsageError(f"there is no file {file}")
    checked = [_check(file) for file in files]
    for one in checked:
        click.echo("\n".join(_report(one)))
    context.exit(1 if any(one.faults for one in checked) else 0)


def _check(path: Path) -> Catalog:
    """A file as it would be beside the languages that are there; one of the same code would take that one's place."""
    if path.stem == catalogs.ENGLISH:
        english = read_catalog(path)
        return add_messages(english) if english.is_offered else english
    return leave_out_namesake(read_catalog(path, read_english()), read_all().values())


def _report(one: Catalog) -> list[str]:
    faults = [f"  {found}" for found in one.faults]
    if not one.is_offered:
        return [f"{one.path}: left out", *faults]
    lacking = find_lacking_forms(one.code, one.texts).items()
    plurals = [
        f"  plural form {' and '.join(forms)} lacking, other said instead: {_list(keys)}" for forms, keys in lacking
    ]
    missing = [f"  said in English: {_list(one.missing)}"] if one.missing else []
    return [f"{one.path}: {_state(one)}", *faults, *plurals, *missing]


def _list(keys: Sequence[str]) -> str:
    others = len(keys) - SHOWN
    return ", ".join(keys[:SHOWN]) + (f" and {others} more" if others > 0 else "")


def _state(one: Catalog) -> str:
    if not one.is_offered:
        return f"left out: {one.faults[0]}"
    texts = f"{one.name}, {len(one.texts)} of {len(one.texts) + len(one.missing)} texts"
    number = len(one.faults)
    return f"{texts}, {number} {'fault' if number == 1 else 'faults'}" if number else texts


def _facts(one: Catalog) -> dict[str, Any]:
    return {"code": one.code, "name": one.name or None, "texts": len(one.texts), "missing": len(one.missing)} | {
        "faults": [found.as_json() for found in one.faults]
    }
