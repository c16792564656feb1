"""The folder that keeps what a hub stores beside its database: its key, its codes, and the accounts at the broker."""

import os
import shlex
from dataclasses import dataclass, replace
from pathlib import Path

import click

from pegboard.commandline.parameters import Folder, default_state
from pegboard.commandline.state_owner import act_as_owner
from pegboard.hub.ledger.hub_errors import HubError

FOLDER = "hub"
"""Of a hub, in the state folder: a table on the same machine has codes and files of its own."""

FILE = "hub.db"
"""The hub's database in that folder, unless another is named."""


SQLITE_URL = "sqlite:///"
"""Before the path of a database in a file."""


def default_hub_folder() -> Path:
    """The folder that systemd gives, else `FOLDER` in the usual state folder."""
    return default_state() if os.environ.get("STATE_DIRECTORY") else default_state() / FOLDER


hub_state_option = click.option(
    "--state",
    type=Folder(file_okay=False, path_type=Path),
    metavar="DIR",
    default=default_hub_folder,
    help="The hub's folder (default: hub inside the state folder).",
)


def code_command(folder: Path) -> str:
    """What to type for a director's code of the hub in that folder."""
    return "pegboard hub code" + ("" if folder == default_hub_folder() else f" --state {shlex.quote(str(folder))}")


@dataclass(frozen=True, slots=True)
class HubPlace:
    """Where a hub keeps what it stores.

    Attributes:
        folder: of its key, its codes and its accounts at the broker.
        named_database: the URL of its database; None for a file in the folder.
    """

    folder: Path
    named_database: str | None = None

    @property
    def database(self) -> str:
        """The URL of its database."""
        return self.named_database or f"{SQLITE_URL}{(self.folder / FILE).absolute()}"

    def require_database(self) -> None:
        """See that a hub has stored something here: a command that only reads makes no database.

        Raises:
            HubError: its file is missing.
        """
        file, _, _ = self.database.removeprefix(SQLITE_URL).partition("?")
        if self.database.startswith(SQLITE_URL) and not Path(file).exists():
            raise HubError("hub_no_ledger", folder=file if self.named_database else self.folder)

    def act_as_owner(self) -> None:
        """Go on as the account that the folder belongs to, or the one in which it will be made."""
        act_as_owner(self.folder if self.folder.exists() else self.folder.parent)


def _choose_folder(context: click.Context, _: click.Parameter, folder: Path | None) -> None:
    if folder is not None:
        context.obj = replace(context.find_object(HubPlace) or HubPlace(folder), folder=folder)


own_state_option = click.option(
    "--state",
    type=Folder(file_okay=False, path_type=Path),
    metavar="DIR",
    expose_value=False,
    callback=_choose_folder,
    help="The hub's folder; can also be given before the command.",
)
"""For a command of `hub`: whoever names the folder after it means the same."""
