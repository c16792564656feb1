"""The folder that keeps what a hub stores beside its database: its key, its codes, and the accounts at the broker."""

import os
import shlex
from dataclasses import dataclass, replace
from pathlib import Path

import click

from pegboard.commandline.parameters import Folder, default_state
from pegboard.commandline.state_owner import act_as_owner

FOLDER = "hub"
"""Of a hub, in the state folder: a table on the same machine has codes and files of its own."""

FILE = "hub.db"
"""The hub's database in that folder, unless another is named."""


def default_hub_folder() -> Path:
    """The folder that systemd gives, else `FOLDER` in the usual state folder."""
    return default_state() if os.environ.get("STATE_DIRECTORY") else default_state() / FOLDER


hub_state_option = click.option(
    "--state",
    type=Folder(file_okay=False, path_type=Path),
    metavar="DIR",
    default=default_hub_folder,
    help="Folder of the hub; else the folder hub in the one that keeps the scores.",
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
        return self.named_database or f"sqlite:///{(self.folder / FILE).absolute()}"

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
    help="Folder of the hub, here as well as before the command.",
)
"""For a command of `hub`: whoever names the folder after it means the same."""
