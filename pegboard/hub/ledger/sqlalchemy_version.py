"""Looks for SQLAlchemy before anything of it is imported: a sentence says where it is missing or too old."""

from pegboard.hub.hub_errors import HubError
from pegboard.install.host import install_command, installed_version, is_installed

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
