"""Errors: each carries a message, one sentence that names the thing, the value, and what would be accepted."""

from collections.abc import Mapping
from typing import Any

from pegboard.messages import MESSAGES, Message


class PegboardError(Exception):
    """Base of every error that pegboard raises on purpose; `str()` is its sentence in English.

    Attributes:
        code: a stable word for programs.
        message: the row of the table of messages with its values.
    """

    code = "error"

    def __init__(self, key: str | Message, /, **values: object) -> None:
        """Take the key of a message and its values, or a message; other packages give a sentence of their own."""
        self.message = key if isinstance(key, Message) else _message(key, values)
        super().__init__(self.message)  # so that a copy, which another process is sent, has it

    def __str__(self) -> str:
        return self.message


def _message(key: str, values: Mapping[str, object]) -> Message:
    return Message(key, **values) if key in MESSAGES else Message("verbatim", text=key)


class RuleError(PegboardError, ValueError):
    """The rules, or the shape of a request, forbid it. The board is as it was."""

    code = "rule"


class SayFirst(RuleError):
    """It contradicts what was said of the deal; it is accepted once the deal has been said otherwise.

    Attributes:
        offer: the fields of a `deal` that says so, None where the refusal cannot know them.
    """

    def __init__(self, key: str | Message, offer: dict[str, Any] | None = None, /, **values: object) -> None:
        super().__init__(key, **values)
        self.offer = offer


class GameOver(RuleError):
    """Somebody stands in the game hole: only corrections are accepted."""

    code = "over"


class Already(RuleError):
    """The command has been carried out already, or there is nothing to do."""

    code = "already"


class IdReused(RuleError):
    """The id of an earlier command came with other content."""

    code = "id_reused"


class OtherGame(PegboardError):
    """The command names a game that is not the running one."""

    code = "other_game"


class Moved(PegboardError):
    """What the client saw is out of date: the lane or the board has moved, or a line says something else.

    Attributes:
        lines: the lines of the sheet made or changed since, newest first.
        entries: the same as in a snapshot; `core.changed_lines.with_entries` fills them in.
    """

    code = "moved"

    def __init__(self, key: str | Message, lines: tuple[int, ...] = (), /, **values: object) -> None:
        super().__init__(key, **values)
        self.lines = lines
        self.entries: list[dict[str, Any]] = []


class NotAllowed(PegboardError):
    """Only a director may let this happen."""

    code = "role"


class BaseMissing(PegboardError):
    """The command does not say which state of the board it was made for."""

    code = "base_missing"


class NotThere(PegboardError):
    """There is nothing of the name that a request gives."""


class NotNow(PegboardError):
    """Nothing is wrong with the request; it cannot be carried out now, but may be later."""


class NotStored(NotNow):
    """The journal could not store the event, so nothing was scored."""

    code = "not_stored"


class JournalError(PegboardError):
    """The journal cannot be opened or read."""

    code = "journal"


class JournalInUse(JournalError, NotNow):
    """Another pegboard keeps its scores in this folder."""


class JournalFailed(JournalError, NotNow):
    """The disk does not read or write the journal; it may be full."""


class BadImport(PegboardError, ValueError):
    """The import is not an export of another table; the message names the line."""

    code = "import"


class NamesSettings(PegboardError):
    """Base of errors that settings can be the cause of.

    Attributes:
        settings: names of the settings at fault, such as "web.proxies"; the message is given the place in the file of
            the first one that the file sets. Empty where the message has a place already.
    """

    def __init__(self, key: str | Message, /, *settings: str, **values: object) -> None:
        super().__init__(key, **values)
        self.settings = settings


class SettingError(NamesSettings, ValueError):
    """A setting is unknown, or its value is not accepted."""

    code = "setting"


class PortTaken(SettingError, NotNow):
    """Another program listens on the port."""


class DeviceError(NamesSettings):
    """A button, display or strip cannot be used; the message says what to do."""

    code = "device"
