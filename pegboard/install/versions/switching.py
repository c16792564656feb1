"""Switches to another version: flips the link, starts the service anew, watches it, and goes back by itself."""

import time
from collections.abc import Callable
from typing import Protocol

from pegboard.install.versions.install_error import InstallFailed
from pegboard.install.versions.installed_versions import InstalledVersions, LastChange
from pegboard.install.versions.service_control import ServiceState
from pegboard.messages import Message

WATCH_S = 25.0
"""Seconds in which a version must be ready and well; with its going back it makes half a minute."""

RECENT_S = 7 * 86_400
"""Seconds since a change in which a version that dies is taken to be at fault."""

DIED_AGAIN = 3
"""Restarts by systemd itself after which a version is taken to be at fault; whoever restarts it by hand wants it."""

SETTINGS_REFUSED = 2
"""The exit status of a program that does not take its settings; an earlier version would not take them either."""


class Watched(Protocol):
    """The service, as this module needs it."""

    clock: Callable[[], float]

    def is_managed(self) -> bool:
        """Whether there is a service here."""

    def restart(self) -> None:
        """Start it anew."""

    def look(self) -> ServiceState:
        """How it is."""

    def version(self) -> str | None:
        """The version that answers."""

    def pause(self) -> None:
        """Wait a moment."""

    def fault(self) -> str:
        """Why it ended."""


class Switch:
    """Switches between the installed versions."""

    def __init__(self, versions: InstalledVersions, service: Watched, wall: Callable[[], float] = time.time) -> None:
        """`wall` is the clock on the wall, in seconds since 1970."""
        self._versions, self._service, self._wall = versions, service, wall

    def to(self, name: str, what: str, *, more_s: float = 0.0) -> None:
        """Run another tree from now on; `what` is noted of it, and `more_s` are added to the time it has.

        Raises:
            InstallFailed: it is not well in time; the version that ran before runs again.
        """
        versions, old = self._versions, self._versions.current
        watched = old is not None and self._service.is_managed()
        if watched:
            versions.begin_proving(old, name, what)
        versions.flip(name)
        fault = self._restart_and_watch(name, more_s) if self._service.is_managed() else None
        if fault is not None and old is not None:
            self._back(old, name, fault)
        self._record(what, name, [*([old] if old else []), *versions.order])

    def finish(self) -> str | None:
        """After a power cut in the middle: watch the new version as it starts; the tree that runs then."""
        proving = self._versions.proving
        if proving is None:
            return self._versions.current
        old, new = proving.get("from"), str(proving.get("to"))
        if self._versions.current != new:
            self._versions.end_proving()
            return self._versions.current
        fault = self._watch(new, 0.0)
        if fault is not None and isinstance(old, str) and (self._versions.folder / old).is_dir():
            self._back(old, new, fault)
        before = [old] if isinstance(old, str) else []
        self._record(str(proving.get("what", "updated")), new, [*before, *self._versions.order])
        return self._versions.current

    def recover(self) -> bool:
        """After the service has died again and again: go back where that may help; whether it went back."""
        versions = self._versions
        current, previous, since = versions.current, versions.previous, versions.new_since
        proving = versions.proving or {}
        if proving.get("to") == current:  # whoever was to watch it has been cut off, be it by a closed terminal
            previous, since = proving.get("from"), self._wall()
        if current is None or previous is None or since is None or abs(self._wall() - since) > RECENT_S:
            return False
        now = self._service.look()
        if (now.status == SETTINGS_REFUSED and versions.can_run(current)) or now.restarts < DIED_AGAIN:
            return False
        if now.ran_out_of_memory:
            return False
        try:
            self._back(previous, current, Message("install_version_died", version=versions.version(current)))
        except InstallFailed:
            return True
        return False

    def _restart_and_watch(self, name: str, more_s: float) -> Message | None:
        before = self._service.look().run
        self._service.restart()
        return self._watch(name, more_s, before)

    def _watch(self, name: str, more_s: float, before: str = "") -> Message | None:
        """Wait until a run other than `before` is well, with this tree; what went wrong, or None."""
        version, service = self._versions.version(name), self._service
        until = service.clock() + WATCH_S + more_s
        while service.clock() < until:
            now = service.look()
            if now.run == before:
                service.pause()
                continue
            if now.active == "active" and service.version() == version:
                return None
            if now.active == "failed" or now.sub == "auto-restart":
                return Message(
                    "install_version_ended", version=version, reason=service.fault() or f"exit status {now.status}"
                )
            service.pause()
        return Message("install_version_silent", version=version, seconds=round(WATCH_S + more_s))

    def _back(self, old: str, new: str, fault: Message) -> None:
        """Run the old tree again.

        Raises:
            InstallFailed: always, with what went wrong.
        """
        versions = self._versions
        runs, wanted = versions.version(old), versions.version(new)
        versions.flip(old)
        self._restart_and_watch(old, 0.0)
        why = fault.as_json() | {"text": str(fault)}
        order = [name for name in versions.order if name != new]
        versions.record(LastChange("failed", str(wanted), str(runs), self._wall(), why), order)
        versions.end_proving()
        raise InstallFailed("install_went_back", fault=fault, version=runs)

    def refuse(self, version: str, fault: Message) -> None:
        """Note that another version was not installed, and why."""
        versions = self._versions
        why = fault.as_json() | {"text": str(fault)}
        runs = str(versions.version(versions.current))
        versions.record(LastChange("refused", version, runs, self._wall(), why), versions.order)

    def _record(self, what: str, name: str, order: list[str]) -> None:
        version = str(self._versions.version(name))
        self._versions.record(LastChange(what, version, version, self._wall()), order)
        self._versions.end_proving()
