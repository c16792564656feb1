"""Types of options and arguments: how a typed value is read, how a shell completes it; and the option --state."""

import os
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import click

from pegboard.core.house_rules import HOUSE_RULES, difference
from pegboard.core.rules import FIRST_TO, FORMATS, LONGEST_MATCH, VARIANTS, format_named, variant_named
from pegboard.errors import RuleError
from pegboard.install.host import INSTALLED, is_installed

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    Parameter: TypeAlias = click.ParamType[Any]
else:
    Parameter = click.ParamType  # not every version of click can be subscripted

PORTS = range(65536)

LONGEST_SHOWN = 40
"""Letters of a refused number that a message repeats."""


def as_text(typed: str) -> str:
    """An argument as text; a plain locale leaves some of its letters as bytes.

    Raises:
        UnicodeError: these bytes are no UTF-8.
    """
    try:
        typed.encode()
    except UnicodeEncodeError:
        return os.fsencode(typed).decode()
    return typed


class Name(Parameter):
    """A parameter that is one of some names, whatever its capitals, blanks and dashes."""

    def __init__(self, name: str, read: Callable[[str], str], known: Callable[[], Mapping[str, str]]) -> None:
        """`read` gives the name that is meant, or raises; `known` gives each name with its meaning."""
        self.name, self._read, self._known = name, read, known

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The name as the rest of the program knows it."""
        return self._read(value)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> "list[CompletionItem]":
        """Completions, with dashes for blanks: a shell would take a blank for the end of the word."""
        from click.shell_completion import CompletionItem

        names = ((name.replace(" ", "-"), meaning) for name, meaning in self._known().items())
        return [CompletionItem(name, help=meaning) for name, meaning in names if name.startswith(incomplete.lower())]


class Typed(Parameter):
    """A parameter that may have letters of any language or symbols of suits."""

    name = "text"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The letters, which a plain locale (`LC_ALL=C`) leaves as bytes."""
        try:
            return as_text(value)
        except UnicodeError:
            raise RuleError("not_utf8_argument", value=os.fsencode(value).decode("utf-8", "replace")) from None


class Players(Typed):
    """Names in seat order, separated by commas."""

    name = "names"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The names without needless blanks."""
        value = super().convert(value, param, ctx)
        names = [" ".join(name.split()) for name in value.split(",")]
        if not all(names):
            raise RuleError("name_blank" if any(names) else "no_player_named", value=repr(value))
        return ",".join(names)


class Port(Parameter):
    """A TCP port."""

    name = "port"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Its number."""
        if not re.fullmatch("[0-9]{1,5}", str(value), re.ASCII) or int(value) not in PORTS:
            shown = value if len(value) <= LONGEST_SHOWN else f"{value[: LONGEST_SHOWN - 3]}..."
            self.fail(
                f"{shown!r} is not a port; use a number from {PORTS[0]} to {PORTS[-1]} (0 for any free port)",
                param,
                ctx,
            )
        return int(value)


def variants() -> dict[str, str]:
    """Each variant with what is different about it."""
    return {name: ", ".join(_facts(name)) for name in VARIANTS}


def _facts(variant: str) -> Iterator[str]:
    rules = VARIANTS[variant]
    yield f"{rules.seats} player{'s' if rules.seats > 1 else ''} to {rules.game_hole}"
    yield from (word for word in difference(replace(rules, variant="standard")) if not word.startswith("game hole"))


def match_formats() -> dict[str, str]:
    """Each format of a match with what ends it."""
    ends = {"open": "a running tally", "single": "one game"}
    return {name: ends.get(name) or f"first to win {games} games" for name, games in FORMATS.items()} | {
        f"{FIRST_TO}{LONGEST_MATCH // 11}": f"first to win N games, N from 1 to {LONGEST_MATCH}"
    }


def house_rules() -> dict[str, str]:
    """Each house rule with each of its values, or with what numbers it takes."""
    return {
        f"{name}={value}": "" if rule.values else rule.choices
        for name, rule in HOUSE_RULES.items()
        for value in rule.values or ("",)
    }


def house_rules_in_rows() -> dict[str, str]:
    """Each house rule with what it takes."""
    return {name: rule.choices for name, rule in HOUSE_RULES.items()}


def complete_hosts(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[str]:
    """Addresses to listen on: this machine alone, every network that it is on."""
    return [address for address in ("127.0.0.1", "0.0.0.0") if address.startswith(incomplete)]  # noqa: S104 - not bound


VARIANT = Name("variant", variant_named, variants)
MATCH_FORMAT = Name("format", format_named, match_formats)
HOUSE_RULE = Name("rule", str, house_rules)
PLAYERS, PORT, TYPED = Players(), Port(), Typed()


def default_state() -> Path:
    """The folder that systemd gives; that of the service, for root; else the user's own (XDG base directories)."""
    given = os.environ.get("STATE_DIRECTORY")
    if given:
        return Path(given)
    if os.geteuid() == 0 and is_installed():
        return INSTALLED.state
    named = Path(os.environ.get("XDG_STATE_HOME", ""))
    home = named if named.is_absolute() else Path.home() / ".local" / "state"  # the standard ignores relative paths
    return home / "pegboard"


class Folder(click.Path):
    """A folder, there already or not; an empty name is none, though it would be the one where one stands."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The folder.

        Raises:
            click.BadParameter: no folder is named, or something else bears the name.
        """
        if value == "":
            self.fail("the folder name is empty; use . for the current folder", param, ctx)
        folder = Path(os.fsdecode(super().convert(value, param, ctx)))
        if os.path.exists(folder) and not os.path.isdir(folder):  # noqa: PTH110, PTH112 - a Path raises where it may not look
            self.fail(f"{click.format_filename(folder)} is not a folder", param, ctx)
        return folder


state_option = click.option(
    "--state",
    type=Folder(file_okay=False, path_type=Path),
    metavar="DIR",
    default=default_state,
    help="Folder for the scores; pegboard --help shows the default.",
)
