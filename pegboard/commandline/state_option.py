"""The option --state: the folder that holds the journal, and its default."""

import os
from pathlib import Path

import click


def default_state() -> Path:
    """The folder that systemd gives, else the user's own for state (XDG base directories)."""
    given = os.environ.get("STATE_DIRECTORY")
    if given:
        return Path(given)
    return Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state") / "pegboard"


state_option = click.option(
    "--state",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    default=default_state,
    help="Folder that keeps the scores; pegboard --help tells the usual one.",
)
