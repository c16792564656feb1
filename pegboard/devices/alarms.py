"""Alarms: messages on every display until someone dismisses them, stored in the state folder across restarts."""

import logging
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pegboard.core.view import Alarm
from pegboard.messages import BAD_MESSAGE_ERRORS, Message
from pegboard.storage.state_files import read_values, write_values

FILE = "alarms.json"
"""The name of the file in the state folder that stores the alarms."""

MOST = 8
"""Maximum number of active alarms; a further alarm replaces another. The log keeps the texts of all."""

RECURRING = frozenset({"journal_row_broken_in", "state_in_memory", "state_on_overlay"})
"""Message keys of alarms whose permanent cause is found at each start; once dismissed, the alarm is not repeated."""

HARMLESS = frozenset(
    {
        *("alarm_brightness_lost", "journal_goes_on", "journal_index_rebuilt", "journal_summary_rebuilt"),
        *("journal_written_anew", "journal_written_out"),
    }
)
"""Message keys of alarms about faults without lost scores: even with strict rules, any scorer can dismiss them."""

MOST_DISMISSED = 100
"""Maximum number of dismissed `RECURRING` alarms remembered, newest first: 20 kB of the file."""

log = logging.getLogger(__name__)


class Alarms:
    """The alarms of one table, newest first; kept only in memory if the disk fails."""

    def __init__(self, folder: Path) -> None:
        """Load the alarms that were active at the last shutdown; if their file cannot be read, an alarm says so."""
        self._path = folder / FILE
        self._standing, self._dismissed = _load(self._path)

    @property
    def standing(self) -> tuple[Alarm, ...]:
        """The alarms not dismissed yet, newest first."""
        return self._standing

    def with_rights(self, *, strict: bool, reachable: bool) -> Iterator[Alarm]:
        """The alarms with permissions: in a strict game, only the director can dismiss one if scores may be lost.

        The keys can dismiss such an alarm only if the pages are not `reachable` over a network, so no director can.
        """
        for alarm in self._standing:
            held = strict and alarm.message.key not in HARMLESS
            yield alarm._replace(director=held, by_keys=not (held and reachable))

    def raise_alarm(self, message: Message) -> None:
        """Show `message` on every display, unless it is already active, or was dismissed and has a permanent cause."""
        if any(alarm.message == message for alarm in self._standing):
            return
        if any(alarm.message == message for alarm in self._dismissed):
            log.warning("alarm (dismissed before): %s", message)
            return
        log.warning("alarm: %s", message)
        self._replace(_make_room((Alarm(secrets.token_hex(4), message), *self._standing)))

    def dismiss(self, id: str) -> bool:  # noqa: A002 - the API's word
        """Dismiss an alarm; False if no alarm has that id."""
        gone = next((alarm for alarm in self._standing if alarm.id == id), None)
        if gone is None:
            return False
        log.info("alarm dismissed: %s", id)
        if gone.message.key in RECURRING:
            self._dismissed = (gone, *self._dismissed)[:MOST_DISMISSED]
        self._replace(tuple(alarm for alarm in self._standing if alarm is not gone))
        return True

    def _replace(self, standing: tuple[Alarm, ...]) -> None:
        self._standing = standing
        try:
            dismissed = [_as_json(alarm) | {"dismissed": True} for alarm in self._dismissed]
            write_values(self._path, [*map(_as_json, standing), *dismissed])
        except OSError as error:
            log.warning("the alarms are kept only in memory, as %s cannot be written: %s", self._path, error)


def _make_room(alarms: tuple[Alarm, ...]) -> tuple[Alarm, ...]:
    """At most `MOST` alarms, newest first: alarms without lost scores or with a permanent cause are removed first.

    Of these, the oldest is removed first. So nobody can hide the alarm about a lost score by damaging files.
    """
    if len(alarms) <= MOST:
        return alarms
    minor = [alarm for alarm in alarms if alarm.message.key in RECURRING | HARMLESS]
    gone = (minor or alarms)[-1]
    return tuple(alarm for alarm in alarms if alarm is not gone)


def _as_json(alarm: Alarm) -> dict[str, Any]:
    return {"id": alarm.id, "text": str(alarm.message)} | alarm.message.as_json()


def _load(path: Path) -> tuple[tuple[Alarm, ...], tuple[Alarm, ...]]:
    """The active alarms, and the dismissed alarms with a permanent cause."""
    try:
        known = [(_alarm(values), values.get("dismissed") is True) for values in read_values(path)]
    except FileNotFoundError:
        return (), ()
    except (OSError, *BAD_MESSAGE_ERRORS) as error:
        lost = Message("alarm_others_lost", path=path, fault=error)
        log.warning("%s", lost)
        return (Alarm(secrets.token_hex(4), lost),), ()
    standing = tuple(alarm for alarm, is_dismissed in known if not is_dismissed)
    dismissed = tuple(alarm for alarm, is_dismissed in known if is_dismissed)
    return standing[:MOST], dismissed[:MOST_DISMISSED]


def _alarm(values: dict[str, Any]) -> Alarm:
    return Alarm(str(values["id"]), Message.from_json(values))
