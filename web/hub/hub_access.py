"""Access control of a hub: directors by pairing code, players by check-in QR code or card code, others view-only.

Directors pair as scorers do at a table (`web.access`). Players have no account: the check-in code of this minute proves
that someone is in the room, and the code on a score card proves whose card it is; a signed cookie then identifies the
player's phone.
"""

import hashlib
import hmac
import threading
from collections.abc import Callable, Mapping
from pathlib import Path

from flask import Response
from itsdangerous import BadData
from werkzeug.http import parse_cookie

from pegboard.storage.state_files import read_values, write_values
from web.access.pairing_codes import ALPHABET, LENGTH, read_code
from web.access.pairing_file import StateFileError
from web.access.sessions import COOKIE, COOKIE_OPTIONS, Access, not_paired, secret, signer
from web.http.asgi import Scope, header
from web.http.problems import Problem
from web.hub.view_parts import DIRECTORS, SCREENS, Audience

# --- revocation of players' phones: a counter in the code of the card and in a phone's cookie ---


FILE = "player_phones.json"
"""The file in the hub's folder with the counters; it does not exist until phones are disconnected."""

UNREADABLE = (ValueError, TypeError, LookupError, AttributeError)


class PlayerPhones:
    """The counters of one hub's players; a higher counter invalidates earlier codes and cookies."""

    def __init__(self, folder: Path) -> None:
        """Load the counters stored in `folder`.

        Raises:
            StateFileError: the file cannot be read; without the counters, disconnected phones would be valid again.
        """
        self._path, self._lock = folder / FILE, threading.Lock()
        self._numbers = self._read()

    def number(self, night: str, player: str) -> int:
        """The counter of a player of an event, 0 at first."""
        return self._numbers.get(_key(night, player), 0)

    def disconnect(self, night: str, player: str) -> None:
        """Invalidate a player's code and cookies; this is on disk when the call returns.

        Raises:
            StateFileError: the counter cannot be stored.
        """
        with self._lock:
            numbers = {**self._numbers, _key(night, player): self.number(night, player) + 1}
            try:
                write_values(self._path, {"numbers": numbers})
            except OSError as error:
                raise StateFileError("desk_phones_file", path=self._path, error=error.strerror) from error
            self._numbers = numbers

    def _read(self) -> Mapping[str, int]:
        try:
            return {str(key): int(number) for key, number in read_values(self._path)["numbers"].items()}
        except FileNotFoundError:
            return {}
        except (OSError, *UNREADABLE) as error:
            raise StateFileError("desk_phones_file", path=self._path, error=error) from error


def _key(night: str, player: str) -> str:
    return f"{night} {player}"


SALT = "pegboard: a player's phone"

MINUTE_MS = 60_000

DOOR_MINUTES = 3
"""Minutes that a check-in code is valid: the current minute and the two before it."""

PLAYER_COOKIE_S = 24 * 3600
"""Seconds that a phone stays assigned to a player: longer than any event."""


class HubAccess:
    """Access control of one hub.

    Attributes:
        directors: the sessions of directors.
        on_disconnected: called with the event and the player whose phones were disconnected.
    """

    def __init__(self, directors: Access, folder: Path, clock_ms: Callable[[], int]) -> None:
        """Sign with the secret in `folder`; `clock_ms` returns ms since 1970.

        Raises:
            StateFileError: a file in the folder cannot be read or created.
        """
        self.directors, self._secret, self._clock_ms = directors, secret(folder), clock_ms
        self._phones = PlayerPhones(folder)
        self.on_disconnected: Callable[[str, str], None] = lambda _night, _player: None
        self._signer = signer(self._secret, SALT)

    # --- players ---

    def player_of(self, cookies: Mapping[str, str], night: str) -> str:
        """The player of an event whose phone has these cookies, "" for none; forged cookies are ignored."""
        try:
            values = self._signer.loads(cookies.get(self._cookie(night), ""))
            of_night, player, number = str(values["night"]), str(values["player"]), values["number"]
        except (BadData, TypeError, KeyError):
            return ""
        return player if (of_night, number) == (night, self._phones.number(night, player)) else ""

    def remember_player(self, response: Response, night: str, player: str, *, secure: bool) -> None:
        """Assign the phone that gets this response to the player."""
        number = self._phones.number(night, player)
        value = str(self._signer.dumps({"night": night, "player": player, "number": number}))
        response.set_cookie(self._cookie(night), value, PLAYER_COOKIE_S, secure=secure, **COOKIE_OPTIONS)

    def disconnect_phones(self, night: str, player: str) -> None:
        """Disconnect all phones of a player, and change the code of the player's card.

        Raises:
            StateFileError: the change cannot be stored.
        """
        self._phones.disconnect(night, player)
        self.on_disconnected(night, player)

    def forget_player(self, response: Response, night: str, *, secure: bool) -> None:
        """Forget the player of the phone that gets this response."""
        response.delete_cookie(self._cookie(night), secure=secure, **COOKIE_OPTIONS)

    def _cookie(self, night: str) -> str:
        """The cookie's name, unique to this hub, because browsers treat all hubs on one machine as one site."""
        return f"{COOKIE}player-{self._mac('name')[:8]}-{night}"

    # --- codes ---

    def door_code(self, night: str, minutes_ago: int = 0) -> str:
        """The check-in code of an event, which changes every minute."""
        return self._code("door", night, str(self._clock_ms() // MINUTE_MS - minutes_ago))

    def is_door_code(self, night: str, text: str) -> bool:
        """Whether a text is the event's current check-in code, or a recent one.

        Raises:
            InvalidCode: `text` cannot be a code.
        """
        code = read_code(text)
        return any(hmac.compare_digest(code, self.door_code(night, ago)) for ago in range(DOOR_MINUTES))

    def door_until_ms(self) -> int:
        """When the check-in code changes next, in ms since 1970."""
        return (self._clock_ms() // MINUTE_MS + 1) * MINUTE_MS

    def player_code(self, night: str, player: str) -> str:
        """The code on a player's score card, which makes a phone theirs; `disconnect_phones` changes it."""
        number = self._phones.number(night, player)
        return self._code("player", night, player, *([str(number)] if number else []))

    def is_player_code(self, night: str, player: str, text: str) -> bool:
        """Whether a text is the code on that player's score card.

        Raises:
            InvalidCode: `text` cannot be a code.
        """
        return hmac.compare_digest(read_code(text), self.player_code(night, player))

    def seal_key(self, night: str, table: str) -> bytes:
        """The key with which a table seals its result codes; the table receives it when it joins."""
        return bytes.fromhex(self._mac(f"seal {night} {table}"))

    def _code(self, *words: str) -> str:
        number = int(self._mac(" ".join(words)), 16)
        return "".join(ALPHABET[number >> 5 * place & 31] for place in range(LENGTH))

    def _mac(self, text: str) -> str:
        return hmac.new(self._secret, text.encode(), hashlib.sha256).hexdigest()

    # --- permission to view ---

    def audience_of(self, scope: Scope, query: Mapping[str, str]) -> tuple[str, Audience]:
        """The event and the audience of the view in a request for live events.

        Raises:
            Problem: 404, there is no such view; 403, the client may not see it.
        """
        night, view, player = query.get("night", ""), query.get("view", ""), query.get("player", "")
        if view == "screen":
            return night, SCREENS
        is_director = self.directors.session_of_scope(scope).role == "director"
        if view == "director":
            if not is_director:
                raise not_paired()
            return night, DIRECTORS
        if view != "player":
            raise Problem(404, "no_view", "desk_no_view", view=view[:20])
        own = self.player_of(parse_cookie(header(scope, b"cookie")), night)
        if not is_director and not (own and own == player):
            raise Problem(403, "role", "desk_not_your_card")
        return night, Audience("player", player)
