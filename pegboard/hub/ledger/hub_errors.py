"""Errors of the hub: it cannot run so, or cannot store now."""

from pegboard.errors import NotNow, NotStored, NotThere, PegboardError
from pegboard.install.host import install_command, installed_version, is_installed

# --- looks for SQLAlchemy before anything of it is imported: a sentence says where it is missing or too old ---


LEAST = 2
"""The first major version that will do; Debian 12 has 1.4."""


def require_sqlalchemy() -> None:
    """Refuse to go on without SQLAlchemy 2.

    Raises:
        HubError: there is none, or it is too old; the sentence says how it is installed beside this program.
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
    """The hub cannot run so: a URL, a library, a version or a name is not accepted."""

    code = "hub"


class HubNotNow(HubError, NotNow):
    """The hub cannot run now: its database is not there, or its disk is full."""


class LedgerNotStored(NotStored):
    """The ledger could not store; nothing of it was stored, and nothing is acknowledged."""


class DecisionMoved(PegboardError):
    """Another decision was stored meanwhile under the number that this one was to have."""

    code = "moved"


class HubBusy(NotNow):
    """Others decide at this very moment."""

    code = "busy"


class NoNight(NotThere):
    """The hub has no such night."""

    code = "no_night"
