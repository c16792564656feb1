"""Sessions of paired devices: signed cookies, and the roles viewer, scorer and director."""

import hashlib
import hmac
import secrets
import time
from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, cast

from flask import Request, Response, current_app
from itsdangerous import BadData, BadSignature, URLSafeSerializer
from werkzeug.http import parse_cookie

from pegboard.config import WebSettings
from pegboard.devices.power_and_clock import SystemClock
from web.access.exposure import Exposure
from web.access.paired_devices import VIEWER, Anybody, PairedDevice, Role, Session, label_of
from web.access.pairing_codes import Codes
from web.access.rate_check import RateLimits
from web.access.session_log import UnpairedElsewhere, log_forged_cookie
from web.access.state_files import StateFileError
from web.access.table_secret import secret
from web.http.asgi_helpers import Scope, header
from web.http.client_address import is_local, is_local_request
from web.http.problems import Problem
from web.http.security_log import SecurityLog

EXTENSION = "access"
"""The name of the table's `Access` among the extensions of the Flask application."""

COOKIE = "pegboard-"
"""How the names of the cookies begin."""

SALT = "pegboard: a paired device"


class Access:
    """Sessions and pairing of one table.

    Attributes:
        is_open: whether everybody may score.
        has_proxies: whether others may come through proxies.
        codes: its codes.
        exposure: whether it is open to the internet.
        security_log: where pairings and refusals are logged.
        rates: its rate limits.
        paired_s: seconds for which a device stays paired.
    """

    def __init__(
        self,
        folder: Path,
        settings: WebSettings,
        invitation: Callable[[str | None], dict[str, Any]],
        *,
        clock: SystemClock | None = None,
        ticks: Callable[[], float] = time.monotonic,
    ) -> None:
        """Make the access to a table.

        Args:
            folder: where the secret and the codes are stored.
            settings: of the web.
            invitation: how others join, with a code or without one.
            clock: that of this machine.
            ticks: seconds that never jump.
        """
        self.is_open, self.has_proxies, self._invitation = settings.open, bool(settings.proxies), invitation
        self.codes = Codes(folder, lasts_s=settings.code_s, tries=settings.code_tries, clock=clock)
        self.exposure = Exposure(is_open=settings.open)
        self.security_log = SecurityLog()
        self._folder, self._began = folder, self.codes.now()
        self._unpaired_elsewhere = UnpairedElsewhere(self.security_log)
        self._seen: dict[str, float] = {}
        self.paired_s = settings.paired_h * 3600
        self.rates = RateLimits(settings, ticks)

    # --- sessions ---

    def session_of(self, cookies: Mapping[str, str]) -> Session:
        """The session in the cookies; forged, foreign, expired and revoked ones make a viewer."""
        if self.is_open:
            return Session("director")
        if not any(name.startswith(COOKIE) for name in cookies):
            return VIEWER
        try:
            return self._parse(self._signer.loads(cookies.get(self.cookie, "")))
        except BadSignature:
            if cookies.get(self.cookie):
                log_forged_cookie(self.security_log)
            return VIEWER
        except (BadData, StateFileError, TypeError, ValueError, KeyError, StopIteration):
            return VIEWER

    def session_of_scope(self, scope: Scope) -> Session:
        """The session that a request comes with; see `session_of`."""
        return self.session_of({} if self.is_open else parse_cookie(header(scope, b"cookie")))

    def _parse(self, values: Any) -> Session:
        """The session of the device that is stored with what the cookie says; its age is the table's time."""
        if values["epoch"] != self.codes.epoch:
            return VIEWER
        device = next(one for one in self.codes.devices if one.session == values["session"])
        now, until = self.codes.now(), device.since + self.paired_s
        if now >= until:
            return VIEWER
        self._seen[device.id] = now
        return Session(device.role, device.id, until)

    @property
    def devices(self) -> list[PairedDevice]:
        """The devices that are paired, that paired last first."""
        return self.codes.paired_devices(self.paired_s)

    def last_seen(self, device: PairedDevice) -> float | None:
        """When a device last sent something, in seconds of the table's time; None if not since the program began."""
        return self._seen.get(device.id)

    def _last_use(self, device: PairedDevice) -> float:
        """When a device last sent something, as far as this program can know: not before it began."""
        return self._seen.get(device.id, max(device.since, self._began))

    def unpair(self, id: str) -> PairedDevice | None:  # noqa: A002 - the API's own word
        """Unpair one device; None where there is none of that id.

        Raises:
            StateFileError: that cannot be stored.
        """
        self._seen.pop(id, None)
        with self._unpaired_elsewhere.lock:
            found = self.codes.unpair(id)
            self._unpaired_elsewhere.forget(id)
        return found

    def unpair_all(self) -> None:
        """Unpair every device.

        Raises:
            StateFileError: that cannot be stored.
        """
        with self._unpaired_elsewhere.lock:
            self.codes.unpair_all()
            self._unpaired_elsewhere.forget()

    @cached_property
    def cookie(self) -> str:
        """The cookie's name: to a browser all tables on one machine are one site."""
        return COOKIE + hmac.new(self._secret, b"name", hashlib.sha256).hexdigest()[:8]

    def sees_codes(self, scope: Scope) -> bool:
        """Whether a request may see the code that pairs a phone: it is local, or from a paired device."""
        return is_local(scope) or self.session_of_scope(scope).role != "viewer"

    def device_of(self, scope: Scope) -> str:
        """The id of the paired device that a request comes from, "" for none."""
        return self.session_of_scope(scope).device

    # --- pairing ---

    @property
    def pages(self) -> str:
        """The address of the pages."""
        return str(self._invitation(None)["url"])

    def register(self) -> None:
        """Write down where the table is, for `pegboard code`.

        Raises:
            StateFileError: the file cannot be written.
        """
        joining = self._invitation(None)
        address = {name: joining[name] for name in ("url", "host", "reach", "command")}
        self.codes.register(**address, is_open=self.is_open, paired_s=self.paired_s)

    def invitation(self) -> dict[str, Any]:
        """How others join now, with `code` and `until`, when it expires in seconds since 1970; None at an open table.

        Raises:
            StateFileError: a new code cannot be stored.
        """
        if self.is_open:
            return {"code": None, "until": None} | self._invitation(None)
        code = self.codes.scorer()
        until = int(self.codes.as_wall_time(code.until))
        return {"code": code.text, "until": until} | self._invitation(code.text)

    def pair(self, role: Role, device: str = "", agent: str = "") -> tuple[Session, str]:
        """A new session of a device, and the value of its cookie; `agent` is what its browser calls itself.

        Raises:
            TooManyPaired: no further device can be paired.
            StateFileError: it cannot be stored, or there is no secret to sign it with.
        """
        session = secrets.token_hex(16)
        made = PairedDevice(device or secrets.token_hex(8), session, role, label_of(agent), self.codes.now())
        signer = self._signer
        with self._unpaired_elsewhere.lock:
            for gone in self.codes.add_device(made, self.paired_s, self._last_use):
                self._unpaired_elsewhere.forget(gone.id)
                about = f"unpaired device {gone.id}, to make room for device {made.id}"
                self.security_log.note_pairing("here", about)
        cookie = str(signer.dumps({"session": session, "epoch": self.codes.epoch}))
        return Session(role, made.id, made.since + self.paired_s), cookie

    def set_cookie(self, response: Response, cookie: str, *, secure: bool) -> None:
        """Send a cookie with a response."""
        response.set_cookie(
            self.cookie, cookie, int(self.paired_s), secure=secure, httponly=True, samesite="Strict", path="/"
        )

    def delete_cookie(self, response: Response, *, secure: bool) -> None:
        """Have the browser delete its cookie."""
        response.delete_cookie(self.cookie, secure=secure, httponly=True, samesite="Strict", path="/")

    def keep_time(self) -> None:
        """See `Codes.keep_time`, and log what another program has unpaired; to be called at intervals.

        Raises:
            StateFileError: the file cannot be written.
        """
        if not self.is_open:
            self.codes.keep_time()
            for id in set(self._seen).difference(one.id for one in self.codes.devices):  # noqa: A001 - see `unpair`
                self._seen.pop(id, None)
            self._unpaired_elsewhere.look(lambda: self.devices, self.codes.now() - self.paired_s)

    # --- the secret ---

    @cached_property
    def _signer(self) -> URLSafeSerializer:
        return URLSafeSerializer(
            self._secret, salt=SALT, signer_kwargs={"key_derivation": "hmac", "digest_method": hashlib.sha256}
        )

    @cached_property
    def _secret(self) -> bytes:
        return secret(self._folder)


def role(request: Request) -> Anybody:
    """The role of the client: "viewer", "scorer" or "director"; at an open table everybody is a director."""
    return current_access().session_of(request.cookies).role


def device(request: Request) -> str:
    """The id of the paired device that the client is, "" for none."""
    return current_access().session_of(request.cookies).device


def is_director(request: Request) -> bool:
    """Whether the client is a director."""
    return role(request) == "director"


def require_director(whose: Anybody, key: str) -> None:
    """Check that `whose` is the role of a director; `key` names the message that says why a scorer is not enough.

    Raises:
        Problem: 403, it is another.
    """
    if whose == "viewer":
        raise not_paired()
    if whose != "director":
        raise Problem(403, "role", key)


def require_scorer(request: Request) -> None:
    """Check that the client is a scorer or a director.

    Raises:
        Problem: 403, it is neither.
    """
    if role(request) == "viewer":
        raise not_paired()


def require_code_viewer(request: Request) -> None:
    """Check that the client may see the code that pairs a phone.

    Raises:
        Problem: 403, it may not.
    """
    if not sees_codes(request):
        raise not_paired()


def sees_codes(request: Request) -> bool:
    """Whether the client may see the code that pairs a phone: it is local, or a scorer or a director."""
    return is_local_request(request) or role(request) != "viewer"


def not_paired() -> Problem:
    """The refusal of a viewer."""
    return Problem(403, "not_paired", "not_paired")


def current_access() -> Access:
    """The access to the table of this request."""
    return cast("Access", current_app.extensions[EXTENSION])
