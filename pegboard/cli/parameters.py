"""Parameter types for click: parsing and shell completion of values, the option --state, and dropping privileges."""

import contextlib
import errno
import os
import pwd
import re
import stat
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import click

from pegboard.core.house_rules import HOUSE_RULES, difference
from pegboard.core.presets import PRESETS, preset_named, preset_rules
from pegboard.core.rules import FIRST_TO, FORMATS, LONGEST_MATCH, VARIANTS, format_named, variant_named
from pegboard.core.sentences import pluralize
from pegboard.errors import RuleError, SettingError
from pegboard.install.host import INSTALLED, default_state, is_installed
from pegboard.streams import as_text

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

# --- dropping privileges: commands run by root on a service's scores continue as the service's account ---


def act_as_owner(state: Path) -> None:
    """If run as root, continue as the owner of a state folder, so that no file in it belongs to root.

    A symlink to the folder is not trusted: if its owner is not root, continue as the owner of the link.
    """
    owner = _other_owner(state)
    if owner is None:
        return
    groups = [owner.st_gid]
    with contextlib.suppress(KeyError):
        groups = os.getgrouplist(pwd.getpwuid(owner.st_uid).pw_name, owner.st_gid)
    os.setgroups(groups)
    os.setresgid(owner.st_gid, owner.st_gid, owner.st_gid)
    os.setresuid(owner.st_uid, owner.st_uid, owner.st_uid)


def is_owner(state: Path) -> bool:
    """Whether a state folder belongs to this user, who can trust its content; False if it is missing."""
    try:
        return state.stat().st_uid == state.lstat().st_uid == os.geteuid()
    except OSError:
        return False


def _other_owner(state: Path) -> os.stat_result | None:
    """The owner of a state folder; None if that is root, the folder is missing, or this process is not root's."""
    if os.geteuid() != 0:
        return None
    try:
        link = state.lstat()
        owner = link if stat.S_ISLNK(link.st_mode) and link.st_uid != 0 else state.stat()
    except OSError:
        return None
    return None if owner.st_uid == 0 else owner


MOST_LINKS = 40
"""Maximum symlinks on the path to a file, the same as the kernel's."""


def open_folder_of(file: Path, state: Path) -> int:
    """The descriptor of the folder that contains a file, for `open_in`.

    Root does not follow paths that the owner of a state folder controls. If a folder or link on the path belongs to
    that account, as inside the state folder, continue as that account, which gains no access that way.

    Raises:
        OSError: the folder is missing, or cannot be opened.
    """
    owner = _other_owner(state)
    if owner is not None:
        folder = _walk(file.absolute().parent, owner.st_uid)
        if folder is not None:
            return folder
        act_as_owner(state)
    return os.open(file.parent, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)


def _walk(folder: Path, account: int) -> int | None:
    """The descriptor of a folder; None if a folder or link on the path belongs to `account`."""
    left, links = list(folder.parts[1:]), 0
    here = os.open("/", os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    while left:
        name = left.pop(0)
        try:
            there = os.open(name, os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=here)
        except OSError as error:
            os.close(here)
            raise OSError(error.errno, error.strerror, str(folder)) from error
        found = os.fstat(there)
        if found.st_uid == account:
            os.close(there)
            os.close(here)
            return None
        if not stat.S_ISLNK(found.st_mode):
            os.close(here)
            here = there
            continue
        links += 1
        target = Path(os.readlink("", dir_fd=there))
        os.close(there)
        if links > MOST_LINKS:
            os.close(here)
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(folder))
        left = [*target.parts, *left]  # the first part of an absolute target is "/", which opens from anywhere
    return here


def open_in(folder: int, file: Path, flags: int, state: Path, mode: int = 0o600) -> int:
    """The descriptor of a regular file in an open folder; root follows no links there, and pipes do not block.

    Raises:
        OSError: the file is missing, is not a regular file, or cannot be opened.
    """
    flags |= os.O_CLOEXEC | os.O_NONBLOCK | (0 if _other_owner(state) is None else os.O_NOFOLLOW)
    try:
        descriptor = os.open(file.name, flags, mode, dir_fd=folder)
    except OSError as error:
        reason = "it is not a regular file" if error.errno in {errno.ELOOP, errno.ENXIO} else error.strerror
        raise OSError(error.errno, reason, str(file)) from error
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise PermissionError(errno.EPERM, "it is not a regular file", str(file))
    return descriptor


def require_readable(state: Path) -> None:
    """Refuse to look for the installed service's scores if this user is not allowed to read them.

    Raises:
        SettingError: the scores belong to the service, and this user is neither root nor the service's account.
    """
    if is_installed() and state != INSTALLED.state and not state.exists() and not os.access(INSTALLED.state, os.R_OK):
        raise SettingError("ask_as_root")


if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    Parameter: TypeAlias = click.ParamType[Any]
else:
    Parameter = click.ParamType  # not every version of click can be subscripted


PORTS = range(65536)

LONGEST_SHOWN = 40
"""Maximum characters of a refused number shown in a message."""


class Name(Parameter):
    """A parameter that is one of several names, ignoring case, spaces and dashes."""

    def __init__(self, name: str, read: Callable[[str], str], known: Callable[[], Mapping[str, str]]) -> None:
        """`read` returns the canonical name, or raises; `known` returns each name with its meaning."""
        self.name, self._read, self._known = name, read, known

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The canonical name."""
        return self._read(value)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> "list[CompletionItem]":
        """Completions, with dashes instead of spaces, since a shell ends a word at a space."""
        from click.shell_completion import CompletionItem

        names = ((name.replace(" ", "-"), meaning) for name, meaning in self._known().items())
        typed = incomplete.casefold()
        return [CompletionItem(name, help=meaning) for name, meaning in names if name.casefold().startswith(typed)]


class Typed(Parameter):
    """A text parameter that can have letters of any language or suit symbols."""

    name = "text"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The text, decoded if a plain locale (`LC_ALL=C`) left it as bytes."""
        try:
            return as_text(value)
        except UnicodeError:
            raise RuleError("not_utf8_argument", value=os.fsencode(value).decode("utf-8", "replace")) from None


class Players(Typed):
    """Names in seat order, separated by commas."""

    name = "names"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The names without extra spaces."""
        value = super().convert(value, param, ctx)
        names = [" ".join(name.split()) for name in value.split(",")]
        if not all(names):
            raise RuleError("name_blank" if any(names) else "no_player_named", value=repr(value))
        return ",".join(names)


class Port(Parameter):
    """A TCP port."""

    name = "port"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The port number."""
        if not re.fullmatch("[0-9]{1,5}", str(value), re.ASCII) or int(value) not in PORTS:
            shown = value if len(value) <= LONGEST_SHOWN else f"{value[: LONGEST_SHOWN - 3]}..."
            self.fail(
                f"{shown!r} is not a port; use a number from {PORTS[0]} to {PORTS[-1]} (0 for any free port)",
                param,
                ctx,
            )
        return int(value)


def variants() -> dict[str, str]:
    """Each variant with its differences from standard."""
    return {name: ", ".join(_facts(name)) for name in VARIANTS}


def _facts(variant: str) -> Iterator[str]:
    rules = VARIANTS[variant]
    pairs = f" in {rules.lanes} lanes" if rules.lanes != rules.seats else ""
    yield f"{pluralize(rules.seats, 'player')}{pairs} to {rules.game_hole}"
    yield from (word for word in difference(replace(rules, variant="standard")) if not word.startswith("game hole"))


def presets() -> dict[str, str]:
    """Each preset with its variants and its changes to the first of them."""
    return {name: _sheet(name) for name in PRESETS}


def _sheet(name: str) -> str:
    rows = PRESETS[name].rows
    return ", ".join([" or ".join(rows), *difference(preset_rules(name))])


def match_formats() -> dict[str, str]:
    """Each match format with what ends the match."""
    ends = {"open": "a running tally", "single": "one game"}
    return {name: ends.get(name) or f"first to win {games} games" for name, games in FORMATS.items()} | {
        f"{FIRST_TO}{LONGEST_MATCH // 11}": f"first to win N games, N from 1 to {LONGEST_MATCH}"
    }


def house_rules() -> dict[str, str]:
    """Each house rule with each of its values, or with the numbers it accepts."""
    return {
        f"{name}={value}": "" if rule.values else rule.choices
        for name, rule in HOUSE_RULES.items()
        for value in rule.values or ("",)
    }


def house_rules_in_rows() -> dict[str, str]:
    """Each house rule with the values it accepts."""
    return {name: rule.choices for name, rule in HOUSE_RULES.items()}


def complete_hosts(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[str]:
    """Addresses to listen on: only this machine, or all its networks."""
    return [address for address in ("127.0.0.1", "0.0.0.0") if address.startswith(incomplete)]  # noqa: S104 - not bound


VARIANT = Name("variant", variant_named, variants)

PRESET = Name("preset", preset_named, presets)

MATCH_FORMAT = Name("format", format_named, match_formats)

HOUSE_RULE = Name("rule", str, house_rules)

PLAYERS, PORT, TYPED = Players(), Port(), Typed()


class Folder(click.Path):
    """A folder, existing or not; an empty name is refused, although it would mean the current folder."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The path of the folder.

        Raises:
            click.BadParameter: the name is empty, or is something other than a folder.
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
