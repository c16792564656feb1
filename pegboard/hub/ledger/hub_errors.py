"""Errors of the hub: setup, database, decisions, unknown events; and the check that SQLAlchemy 2 is installed."""

from pegboard.errors import NotNow, NotStored, NotThere, PegboardError
from pegboard.install.host import install_command, installed_version, is_installed

# --- check for SQLAlchemy before importing it, so that the error message says whether it is missing or too old ---


LEAST = 2
"""The lowest supported major version; Debian 12 has 1.4."""


def require_sqlalchemy() -> None:
    """Check that SQLAlchemy 2 is installed.

    Raises:
        HubError: SQLAlchemy is missing or too old; the message says how to install it for this program.
    """
    version = installed_version("sqlalchemy")
    if version is not None and int(version.split(".")[0]) >= LEAST:
        return
    if is_installed():
        raise HubError("hub_old_sqlalchemy_deb", version=version) if version else HubError("hub_no_sqlalchemy_deb")
    command = install_command("sqlalchemy>=2", "python3-sqlalchemy")
    if version is None:
        raise HubError("hub_no_sqlalchemy", command=command)
    raise HubError("hub_old_sqlalchemy", version=version, command=command)


class HubError(PegboardError):
    """The hub cannot run with this setup: database, library, version, account file, or event name."""

    code = "hub"


class HubNotNow(HubError, NotNow):
    """The hub cannot run now: its database cannot be reached, or its disk is full."""


class LedgerNotStored(NotStored):
    """The ledger could not store; nothing was stored, and nothing is acknowledged."""


class DecisionMoved(PegboardError):
    """Another decision was stored under the intended number meanwhile."""

    code = "moved"


class HubBusy(NotNow):
    """Other hubs are storing decisions at this moment."""

    code = "busy"


class NoNight(NotThere):
    """The hub has no such event."""

    code = "no_night"
