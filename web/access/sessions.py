"""Who asks: a viewer, a scorer or a director, as a signed cookie says that only this table can have given."""

import contextlib
import hashlib
import hmac
import logging
import os
import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any, Literal, NoReturn, TypeAlias, cast

from flask import Request, Response, current_app
from itsdangerous import BadData, URLSafeSerializer
from werkzeug.http import parse_cookie

from pegboard.config import WebSettings
from web.access.pairing_codes import Codes, NotKept, Role
from web.http.asgi import Scope, header
from web.http.client_address import asked_here, is_here
from web.http.problems import Problem
from web.http.rate_limit import Throttle, retry_after

log = logging.getLogger(__name__)

KEPT_AS = "access"
"""Where the application keeps the `Access` of its table."""

FILE = "secret"

SECRET_BYTES = 32

COOKIE = "pegboard-"
"""How the names of our cookies begin."""

SALT = "pegboard: a paired device"

Anybody: TypeAlias = Literal["viewer"] | Role


@dataclass(frozen=True, slots=True)
class Pass:
    """What somebody may do.

    Attributes:
        role: as what they ask.
        device: the name of the paired device, "" for one that is not.
        until: when that ends, in seconds since 1970; None where it does not.
    """

    role: Anybody
    device: str = ""
    until: float | None = None


VIEWER = Pass("viewer")


class Access:
    """Tells who asks at one table, and gives cookies to those who know a code."""

    def __init__(
        self,
        folder: Path,
        settings: WebSettings,
        way: Callable[[str | None], dict[str, Any]],
        *,
        clock: Callable[[], float] = time.time,
        ticks: Callable[[], float] = time.monotonic,
    ) -> None:
        """`folder` keeps the secret and the codes; `way` tells how one comes to the table with a code, or without.

        `clock` tells seconds since 1970, `ticks` seconds that never jump.
        """
        self.is_open, self._web, self._way = settings.open, settings, way
        self.codes = Codes(folder, lasts_s=settings.code_s, tries=settings.code_tries, clock=clock)
        self._folder, self._clock = folder, clock
        self._lasts_s = settings.paired_h * 3600
        self._pairing = Throttle(settings.pairings_a_minute / 60, settings.pairings_a_minute, clock=ticks)
        self._commands = Throttle(settings.commands_a_second, settings.commands_at_once, clock=ticks)

    # --- who asks ---

    def pass_of(self, cookies: Mapping[str, str]) -> Pass:
        """What the cookies allow; forged, foreign, outlived or revoked ones simply allow nothing."""
        if self.is_open:
            return Pass("director")
        if not any(name.startswith(COOKIE) for name in cookies):
            return VIEWER
        try:
            return self._read(self._signer.loads(cookies.get(self.cookie, "")))
        except (BadData, NotKept, TypeError, ValueError, KeyError):
            return VIEWER

    def _read(self, values: Any) -> Pass:
        """An issue later than now is one before the clock was set back: a Pi has no clock of its own."""
        until = values["at"] + self._lasts_s
        if values["epoch"] != self.codes.epoch or self._clock() >= until:
            return VIEWER
        return Pass(values["role"], values["device"], until)

    @cached_property
    def cookie(self) -> str:
        """The cookie's name: browsers keep those of all tables on one machine together."""
        return COOKIE + hmac.new(self._secret, b"name", hashlib.sha256).hexdigest()[:8]

    def sees_codes(self, scope: Scope) -> bool:
        """Whether the code that pairs a phone is for whoever asks: this machine itself, and who is paired."""
        cookies = parse_cookie(header(scope, b"cookie"))
        return is_here(scope) or self.pass_of(cookies).role != "viewer"

    # --- pairing ---

    @property
    def pages(self) -> str:
        """Where the pages are."""
        return str(self._way(None)["url"])

    def code(self) -> str | None:
        """What the table shows for phones to be paired; None where everybody may score.

        Raises:
            NotKept: there is no room for a code.
        """
        return None if self.is_open else self.codes.scorer().text

    def note(self) -> None:
        """Let `pegboard code` know where the table is.

        Raises:
            NotKept: there is no room for that.
        """
        way = self._way(None)
        place = {name: way[name] for name in ("url", "host", "reach", "command")}
        self.codes.serve(**place, is_open=self.is_open)

    def invitation(self) -> dict[str, Any]:
        """How one joins now: the way, and unless the table is open `code` and `until`, the seconds since 1970 it lasts.

        Raises:
            NotKept: there is no room for a code.
        """
        if self.is_open:
            return {"code": None, "until": None} | self._way(None)
        code = self.codes.scorer()
        return {"code": code.text, "until": int(code.until)} | self._way(code.text)

    def grant(self, role: Role, device: str = "") -> tuple[Pass, str]:
        """A pass for a device, and the cookie that shows it.

        Raises:
            NotKept: there is no secret to sign it with.
        """
        now = int(self._clock())
        granted = Pass(role, device or secrets.token_hex(8), now + self._lasts_s)
        values = {"role": role, "device": granted.device, "epoch": self.codes.epoch, "at": now}
        return granted, str(self._signer.dumps(values))

    def give(self, response: Response, cookie: str, *, secure: bool) -> None:
        """Put a cookie into an answer."""
        lasts = int(self._lasts_s)
        response.set_cookie(self.cookie, cookie, lasts, secure=secure, httponly=True, samesite="Strict", path="/")

    def take(self, response: Response, *, secure: bool) -> None:
        """Have the browser forget its cookie."""
        response.delete_cookie(self.cookie, secure=secure, httponly=True, samesite="Strict", path="/")

    # --- throttles ---

    def may_try(self, request: Request) -> None:
        """Count a try at a code.

        Raises:
            Problem: 429, too many have come from this address.
        """
        wait = 0.0 if self._is_exempt(request) else self._pairing.wait_s(request.remote_addr or "")
        if wait:
            seconds = retry_after(wait)
            raise Problem(429, "too_many_tries", "too_many_tries", headers={"Retry-After": seconds}, seconds=seconds)

    def may_ask(self, request: Request) -> "Turn":
        """Count a command; what must wait is refused by `Turn.refuse`, unless it turns out to be a repeat."""
        if self._is_exempt(request):
            return Turn()
        asker = self.pass_of(request.cookies).device or request.remote_addr or ""
        wait = self._commands.wait_s(asker)
        return Turn(wait) if wait else Turn(0.0, partial(self._commands.give_back, asker))

    def _is_exempt(self, request: Request) -> bool:
        return not self._web.throttle_loopback and asked_here(request)

    # --- the secret ---

    @cached_property
    def _signer(self) -> URLSafeSerializer:
        how = {"key_derivation": "hmac", "digest_method": hashlib.sha256}
        return URLSafeSerializer(self._secret, salt=SALT, signer_kwargs=how)

    @cached_property
    def _secret(self) -> bytes:
        return secret(self._folder)


@dataclass(frozen=True, slots=True)
class Turn:
    """A command's turn.

    Attributes:
        wait_s: seconds until it may come; 0 when it may now.
        give_back: to be called when it is not to count.
    """

    wait_s: float = 0.0
    give_back: Callable[[], None] = lambda: None

    def refuse(self) -> NoReturn:
        """Refuse what may not come yet.

        Raises:
            Problem: 429.
        """
        seconds = retry_after(self.wait_s)
        raise Problem(429, "too_fast", "too_fast", headers={"Retry-After": seconds}, seconds=seconds)


def role(request: Request) -> Anybody:
    """Who asks: "viewer", "scorer" or "director"; at an open table everybody is a director."""
    return of_table().pass_of(request.cookies).role


def must_score(request: Request) -> None:
    """Let scorers and directors pass.

    Raises:
        Problem: 403.
    """
    if role(request) == "viewer":
        raise not_paired()


def must_see_codes(request: Request) -> None:
    """Let the table's own machine, scorers and directors pass.

    Raises:
        Problem: 403.
    """
    if not sees_codes(request):
        raise not_paired()


def sees_codes(request: Request) -> bool:
    """Whether who asks may see the code that pairs a phone."""
    return asked_here(request) or role(request) != "viewer"


def not_paired() -> Problem:
    """The refusal of somebody who only looks on."""
    return Problem(403, "not_paired", "not_paired")


def of_table() -> Access:
    """The access to the table that is being asked."""
    return cast("Access", current_app.extensions[KEPT_AS])


def secret(folder: Path) -> bytes:
    """The table's secret, made when it is first wanted; whoever reads it can pair, so it is for nobody's eyes.

    Raises:
        NotKept: it can be neither read nor made.
    """
    path = folder / FILE
    try:
        return _found(path) or _made(path)
    except OSError as error:
        raise NotKept("secret_failed", path=path, error=error.strerror) from error


def _found(path: Path) -> bytes | None:
    try:
        found = path.read_bytes()
        if len(found) == SECRET_BYTES:
            path.chmod(0o600)
            return found
        log.warning("%s is no secret of this program; a new one is made, and every device must pair again", path)
        path.unlink()
    except FileNotFoundError:
        pass
    return None


def _made(path: Path) -> bytes:
    """A new secret, which is there whole or not at all; where another thread was quicker, that one's."""
    new = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
    paper = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        os.write(paper, secrets.token_bytes(SECRET_BYTES))
        os.fsync(paper)
        with contextlib.suppress(FileExistsError):
            path.hardlink_to(new)
        return path.read_bytes()
    finally:
        os.close(paper)
        new.unlink()
