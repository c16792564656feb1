"""Exception classes: each carries a message, one sentence that names the field, its value, and what is accepted."""

from collections.abc import Mapping
from typing import Any

from pegboard.messages import MESSAGES, Message


class PegboardError(Exception):
    """Base class of all errors that pegboard raises on purpose; `str()` is the message in English.

    Attributes:
        code: a stable error code for programs.
        message: the message with its key and values.
    """

    code = "error"

    def __init__(self, key: str | Message, /, **values: object) -> None:
        """Take a message key and its values, or a message; other packages may give any text instead of a key."""
        self.message = key if isinstance(key, Message) else _message(key, values)
        super().__init__(self.message)  # so that a pickled copy in another process has it

    def __str__(self) -> str:
        return self.message


def _message(key: str, values: Mapping[str, object]) -> Message:
    return Message(key, **values) if key in MESSAGES else Message("verbatim", text=key)


class RuleError(PegboardError, ValueError):
    """The command breaks a rule, or the request is malformed. The board is unchanged."""

    code = "rule"


class SayFirst(RuleError):
    """The command contradicts what was stated about the deal; it is accepted after a `deal` command corrects that.

    Attributes:
        offer: the fields of that `deal` command; None if unknown.
    """

    def __init__(self, key: str | Message, offer: dict[str, Any] | None = None, /, **values: object) -> None:
        super().__init__(key, **values)
        self.offer = offer


class GameOver(RuleError):
    """The game is over: only corrections are accepted."""

    code = "over"


class Already(RuleError):
    """The command has already been carried out, or there is nothing to do."""

    code = "already"


class IdReused(RuleError):
    """The id of an earlier command was reused with different content."""

    code = "id_reused"


class OtherGame(PegboardError):
    """The command names a game that is not the current one."""

    code = "other_game"


class Moved(PegboardError):
    """The client's state is out of date (conflict): the lane or board has changed, or a line says something else.

    Attributes:
        lines: the lines of the sheet added or changed since, newest first.
        entries: those lines in the format of a snapshot; `core.view_as_json.with_entries` fills them in.
    """

    code = "moved"

    def __init__(self, key: str | Message, lines: tuple[int, ...] = (), /, **values: object) -> None:
        super().__init__(key, **values)
        self.lines = lines
        self.entries: list[dict[str, Any]] = []


class NotAllowed(PegboardError):
    """Only a director may do this."""

    code = "role"


class BaseMissing(PegboardError):
    """The command does not name the revision that it is based on."""

    code = "base_missing"


class NotThere(PegboardError):
    """Not found: the name in the request is unknown."""


class NotNow(PegboardError):
    """The request is valid but cannot be carried out now; it may succeed later."""


class NotStored(NotNow):
    """The journal could not store the event, so nothing was scored."""

    code = "not_stored"


class JournalError(PegboardError):
    """The journal cannot be opened or read."""

    code = "journal"


class JournalInUse(JournalError, NotNow):
    """Another pegboard process uses this data folder."""


class JournalFailed(JournalError, NotNow):
    """The journal cannot be read from or written to the disk, which may be full."""


class BadImport(PegboardError, ValueError):
    """The imported file is not an export of another table; the message names the line."""

    code = "import"


class NamesSettings(PegboardError):
    """Base class of errors that settings can cause.

    Attributes:
        settings: names of the settings at fault, such as "web.proxies"; the message is prefixed with the file location
            of the first one that the file sets. Empty if the message already has a location.
    """

    def __init__(self, key: str | Message, /, *settings: str, **values: object) -> None:
        super().__init__(key, **values)
        self.settings = settings


class SettingError(NamesSettings, ValueError):
    """A setting is unknown, or its value is not accepted."""

    code = "setting"


class PortTaken(SettingError, NotNow):
    """Another program is listening on the port."""


class DeviceError(NamesSettings):
    """A button, display or strip cannot be used; the message says what to do."""

    code = "device"
