"""Who one is at a hub: a director by a code, a player by the door's QR or a card's code, and anybody else who looks on.

Directors are paired as scorers are at a table (`web.access`). A player has no account: the door's code of this minute
says that somebody stands in the room, and the code on a score card whose card it is; a signed cookie remembers it.
"""

import hashlib
import hmac
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from flask import Response
from itsdangerous import BadData, URLSafeSerializer
from werkzeug.http import parse_cookie

from pegboard.storage.state_files import read_values, write_values
from web.access.pairing_codes import ALPHABET, LENGTH, read_code
from web.access.pairing_file import StateFileError
from web.access.sessions import COOKIE, Access, not_paired, secret
from web.http.asgi import Scope, header
from web.http.problems import Problem
from web.hub.view_parts import DIRECTORS, SCREENS, Audience

# --- how often a director has disconnected a player's phones: a number in the code of the card and in a phone's cookie
# ---


FILE = "player_phones.json"
"""In the hub's folder; without it nobody's phones were disconnected."""


UNREADABLE = (ValueError, TypeError, LookupError, AttributeError)


class PlayerPhones:
    """The numbers of one hub's players; a higher one makes the codes and cookies before it void."""

    def __init__(self, folder: Path) -> None:
        """Read those that are stored in `folder`.

        Raises:
            StateFileError: the file is there, and cannot be read: what was disconnected would count again.
        """
        self._path, self._lock = folder / FILE, threading.Lock()
        self._numbers = self._read()

    def number(self, night: str, player: str) -> int:
        """The number of a player of a night, 0 at first."""
        return self._numbers.get(_key(night, player), 0)

    def disconnect(self, night: str, player: str) -> None:
        """Make the code and the cookies of a player void, on disk when this returns.

        Raises:
            StateFileError: that cannot be stored.
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
"""Minutes for which a code of the door counts: the one that is shown, and those that were a moment ago."""


PLAYER_COOKIE_S = 24 * 3600
"""Seconds for which a phone stays a player's: longer than any night."""


class HubAccess:
    """Who may do what at one hub.

    Attributes:
        directors: the pairing of directors.
        on_disconnected: is called with a night and a player whose phones were disconnected.
    """

    def __init__(self, directors: Access, folder: Path, clock_ms: Callable[[], int]) -> None:
        """Sign with the secret in `folder`; `clock_ms` are ms since 1970.

        Raises:
            StateFileError: a file in the folder cannot be read or made.
        """
        self.directors, self._secret, self._clock_ms = directors, secret(folder), clock_ms
        self._phones = PlayerPhones(folder)
        self.on_disconnected: Callable[[str, str], None] = lambda _night, _player: None
        self._signer = URLSafeSerializer(
            self._secret, salt=SALT, signer_kwargs={"key_derivation": "hmac", "digest_method": hashlib.sha256}
        )

    # --- players ---

    def player_of(self, cookies: Mapping[str, str], night: str) -> str:
        """The player of a night whose phone has these cookies, "" for none; forged ones count for nothing."""
        try:
            values = self._signer.loads(cookies.get(self._cookie(night), ""))
            of_night, player, number = str(values["night"]), str(values["player"]), values["number"]
        except (BadData, TypeError, KeyError):
            return ""
        return player if (of_night, number) == (night, self._phones.number(night, player)) else ""

    def remember_player(self, response: Response, night: str, player: str, *, secure: bool) -> None:
        """Let the phone that gets this response be a player's."""
        number = self._phones.number(night, player)
        value = str(self._signer.dumps({"night": night, "player": player, "number": number}))
        options: dict[str, Any] = {"secure": secure, "httponly": True, "samesite": "Strict", "path": "/"}
        response.set_cookie(self._cookie(night), value, PLAYER_COOKIE_S, **options)

    def disconnect_phones(self, night: str, player: str) -> None:
        """Let no phone be a player's any more, and the code of the card be another one.

        Raises:
            StateFileError: that cannot be stored.
        """
        self._phones.disconnect(night, player)
        self.on_disconnected(night, player)

    def forget_player(self, response: Response, night: str, *, secure: bool) -> None:
        """Let it be nobody's again."""
        response.delete_cookie(self._cookie(night), secure=secure, httponly=True, samesite="Strict", path="/")

    def _cookie(self, night: str) -> str:
        """The cookie's name: to a browser all hubs on one machine are one site."""
        return f"{COOKIE}player-{self._mac('name')[:8]}-{night}"

    # --- codes ---

    def door_code(self, night: str, minutes_ago: int = 0) -> str:
        """The code at the door of a night: another one each minute."""
        return self._code("door", night, str(self._clock_ms() // MINUTE_MS - minutes_ago))

    def is_door_code(self, night: str, text: str) -> bool:
        """Whether a text is the code at a night's door, now or a moment ago.

        Raises:
            InvalidCode: it cannot be a code.
        """
        code = read_code(text)
        return any(hmac.compare_digest(code, self.door_code(night, ago)) for ago in range(DOOR_MINUTES))

    def door_until_ms(self) -> int:
        """When the door shows another code, in ms since 1970."""
        return (self._clock_ms() // MINUTE_MS + 1) * MINUTE_MS

    def player_code(self, night: str, player: str) -> str:
        """The code on a player's score card, by which a phone becomes theirs; `disconnect_phones` makes another one."""
        number = self._phones.number(night, player)
        return self._code("player", night, player, *([str(number)] if number else []))

    def is_player_code(self, night: str, player: str, text: str) -> bool:
        """Whether a text is the code of that player.

        Raises:
            InvalidCode: it cannot be a code.
        """
        return hmac.compare_digest(read_code(text), self.player_code(night, player))

    def seal_key(self, night: str, table: str) -> bytes:
        """What a table of a night seals the codes of its results with; it gets the key as it joins."""
        return bytes.fromhex(self._mac(f"seal {night} {table}"))

    def _code(self, *words: str) -> str:
        number = int(self._mac(" ".join(words)), 16)
        return "".join(ALPHABET[number >> 5 * place & 31] for place in range(LENGTH))

    def _mac(self, text: str) -> str:
        return hmac.new(self._secret, text.encode(), hashlib.sha256).hexdigest()

    # --- what one may look at ---

    def device_of(self, scope: Scope) -> str:
        """The id of the paired director's device that a request comes from, "" for none."""
        return self.directors.device_of(scope)

    def audience_of(self, scope: Scope, query: Mapping[str, str]) -> tuple[str, Audience]:
        """The night and the view that a request for events wants.

        Raises:
            Problem: there is no such view, or it is not for who sends the request.
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
