"""Whose files the commands touch: those that root runs on a service's scores go on as the service's account."""

import contextlib
import os
import pwd
import stat
from pathlib import Path

from pegboard.errors import SettingError
from pegboard.install.installed_paths import INSTALLED, is_installed


def act_as_owner(state: Path) -> None:
    """Go on as the account that a state folder belongs to, where this is root: no file of root's is left in it.

    A link to the folder is somebody's word, so its owner is who goes on where that is not root.
    """
    if os.geteuid() != 0:
        return
    try:
        link = state.lstat()
        owner = link if stat.S_ISLNK(link.st_mode) and link.st_uid != 0 else state.stat()
    except OSError:
        return
    if owner.st_uid == 0:
        return
    groups = [owner.st_gid]
    with contextlib.suppress(KeyError):
        groups = os.getgrouplist(pwd.getpwuid(owner.st_uid).pw_name, owner.st_gid)
    os.setgroups(groups)
    os.setresgid(owner.st_gid, owner.st_gid, owner.st_gid)
    os.setresuid(owner.st_uid, owner.st_uid, owner.st_uid)


def require_readable(state: Path) -> None:
    """Refuse to look for the scores of the installed service as somebody who may not read them.

    Raises:
        SettingError: they belong to the service, and this is neither root nor its account.
    """
    if is_installed() and state != INSTALLED.state and not state.exists() and not os.access(INSTALLED.state, os.R_OK):
        raise SettingError("ask_as_root")
