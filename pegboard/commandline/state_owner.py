"""Whose files the commands touch: those that root runs on a service's scores go on as the service's account."""

import contextlib
import errno
import os
import pwd
import stat
from pathlib import Path

from pegboard.errors import SettingError
from pegboard.install.host import INSTALLED, is_installed


def act_as_owner(state: Path) -> None:
    """Go on as the account that a state folder belongs to, where this is root: no file of root's is left in it.

    A link to the folder is somebody's word, so its owner is who goes on where that is not root.
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
    """Whether a state folder is this user's, who need not doubt what it says; one that is missing is nobody's."""
    try:
        return state.stat().st_uid == state.lstat().st_uid == os.geteuid()
    except OSError:
        return False


def _other_owner(state: Path) -> os.stat_result | None:
    """Who a state folder belongs to; None where that is root too, or nobody, or this is not root."""
    if os.geteuid() != 0:
        return None
    try:
        link = state.lstat()
        owner = link if stat.S_ISLNK(link.st_mode) and link.st_uid != 0 else state.stat()
    except OSError:
        return None
    return None if owner.st_uid == 0 else owner


MOST_LINKS = 40
"""Links on the way to a file, as many as the kernel follows."""


def open_folder_of(file: Path, state: Path) -> int:
    """The descriptor of the folder that a file lies in, for `open_in`.

    Root goes only where the account of a state folder has put nothing in the way: where a folder or a link on it is
    that account's, as within the state folder, this goes on as the account, which reads and writes what it may anyway.

    Raises:
        OSError: it is missing, or cannot be opened.
    """
    owner = _other_owner(state)
    if owner is not None:
        folder = _walk(file.absolute().parent, owner.st_uid)
        if folder is not None:
            return folder
        act_as_owner(state)
    return os.open(file.parent, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)


def _walk(folder: Path, account: int) -> int | None:
    """The descriptor of a folder; None where a folder or a link on the way is of an account."""
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
        left = [*target.parts, *left]  # the first part of an absolute one is "/", which opens from anywhere
    return here


def open_in(folder: int, file: Path, flags: int, state: Path, mode: int = 0o600) -> int:
    """The descriptor of a regular file in an open folder; root follows no link there, and waits for no pipe.

    Raises:
        OSError: it is missing, or something else, or cannot be opened.
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
    """Refuse to look for the scores of the installed service as somebody who may not read them.

    Raises:
        SettingError: they belong to the service, and this is neither root nor its account.
    """
    if is_installed() and state != INSTALLED.state and not state.exists() and not os.access(INSTALLED.state, os.R_OK):
        raise SettingError("ask_as_root")
