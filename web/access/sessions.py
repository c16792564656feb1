"""Sessions of paired devices: signed cookies, secret, roles (viewer, scorer, director), pairing; internet exposure."""

import contextlib
import hashlib
import hmac
import ipaddress
import logging
import os
import secrets
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, cast

from flask import Request, Response, current_app, g, has_request_context, request
from itsdangerous import BadData, BadSignature, URLSafeSerializer
from werkzeug.http import parse_cookie

from pegboard.config import WebSettings
from pegboard.devices.health import Health
from pegboard.devices.power_and_clock import SystemClock
from pegboard.messages import Message
from pegboard.storage.state_files import FILE_MODE, open_owned, read_owned
from web.access.paired_devices import VIEWER, Anybody, PairedDevice, Role, Session, TooManyPaired, label_of
from web.access.pairing_codes import Codes
from web.access.pairing_file import StateFileError
from web.http.asgi import Scope, header
from web.http.client_address import (
    address_of,
    address_of_request,
    is_local,
    is_local_request,
    parse_address,
    strip_ipv4_mapped,
)
from web.http.problems import Problem
from web.http.rate_limit import RateLimits
from web.http.security_log import SecurityLog, quote_request

# --- exposure: whether an open table can be reached from the internet, where everyone may score and direct ---
#
# If this machine has a public IPv4 address, the internet can reach it, because there is no NAT in front of it. An IPv6
# address proves nothing: every machine at home has a public one, and most routers block incoming connections. So for
# IPv6, and for routers that forward a port, only evidence counts: a client whose address is public and outside the
# network of the address that it connected to.


NAME = "open to the internet"
"""The name of the exposure in the list of devices; panels show the last word of the name."""

HOME_BITS = 56
"""Prefix length of the IPv6 network of one household (RFC 6177), which contains many 64-bit networks."""


class Exposure:
    """Detects whether an open table is exposed to the internet; once found, that holds until the program ends.

    Attributes:
        address: the address at which the internet reaches the table, or the address of a client from the internet; None
            if neither is known, or the table is not open.
    """

    def __init__(self, *, is_open: bool) -> None:
        self._is_open = is_open
        self.address: str | None = None

    def check_own(self, addresses: Iterable[str]) -> None:
        """Check the addresses at which others reach the table."""
        if self._is_open and self.address is None:
            self.address = next(filter(is_public_ipv4, addresses), None)

    def check_client(self, scope: Scope) -> None:
        """Check the source of a request; called in the event loop, so it never blocks."""
        if self._is_open and self.address is None:
            server = strip_ipv4_mapped(scope["server"][0]) if scope.get("server") else ""
            if is_from_internet(address_of(scope), server):
                self.address = address_of(scope)

    def health(self) -> Health:
        """The exposure, reported as the health of a device with trouble."""
        return Health(NAME, "", ok=False, trouble=self.message)

    @property
    def message(self) -> Message:
        """The trouble and what to do about it."""
        return Message("open_to_internet", address=self.address)


def is_public_ipv4(address: str) -> bool:
    """Whether an address is a public IPv4 address."""
    parsed = parse_address(address)
    return isinstance(parsed, ipaddress.IPv4Address) and parsed.is_global


@lru_cache(maxsize=1024)
def is_from_internet(client: str, server: str) -> bool:
    """Whether a client has a public address outside the network of the server address that it reached."""
    here, there = parse_address(server), parse_address(client)
    if there is None or not there.is_global or client == server:
        return False
    if isinstance(there, ipaddress.IPv6Address) and isinstance(here, ipaddress.IPv6Address):
        return there not in ipaddress.IPv6Network((int(here), HOME_BITS), strict=False)
    return True


# --- security log of sessions: forged cookies, and devices unpaired by `pegboard unpair` ---


def log_forged_cookie(security_log: SecurityLog) -> None:
    """Log a forged cookie once per request; not of an event stream, which it gives only the rights of a viewer."""
    if has_request_context() and not g.get("has_forged_cookie"):
        g.has_forged_cookie = True
        about = f"a cookie not signed by this table, with {quote_request(request.method, request.path)}"
        security_log.note_suspect("bad_cookie", address_of_request(request), about)


class UnpairedElsewhere:
    """Logs devices that another program (`pegboard unpair`) has unpaired, because that program's own log is lost.

    Attributes:
        lock: held while this program unpairs devices itself; nothing is checked during that time.
    """

    def __init__(self, security_log: SecurityLog) -> None:
        self._log = security_log
        self._known: dict[str, float] = {}
        self.lock = threading.Lock()

    def forget(self, id: str | None = None) -> None:  # noqa: A002 - the API's own word
        """Forget a device, or all for None, that this program unpairs and logs itself; call it with `lock` held."""
        if id is None:
            self._known.clear()
        else:
            self._known.pop(id, None)

    def look(self, list_devices: Callable[[], Iterable[PairedDevice]], ended: float) -> None:
        """Log devices missing since the last check that were paired later than `ended`; never waits."""
        if self.lock.acquire(blocking=False):
            try:
                self._look({device.id: device.since for device in list_devices()}, ended)
            finally:
                self.lock.release()

    def _look(self, now: dict[str, float], ended: float) -> None:
        before, self._known = self._known, now
        for id, since in before.items():  # noqa: A001 - the API's own word
            if id not in now and since > ended:
                self._log.note_pairing("here", f"unpaired device {id}, by pegboard unpair")


# --- the secret of a table, which signs its cookies: a file written atomically ---


log = logging.getLogger(__name__)

SECRET_FILE, SECRET_BYTES = "secret", 32


def secret(folder: Path) -> bytes:
    """The table's secret, created when first needed; anyone who can read it can pair.

    Raises:
        StateFileError: the secret can be neither read nor created.
    """
    path = folder / SECRET_FILE
    try:
        return _read_secret(path) or _make_secret(path)
    except OSError as error:
        raise StateFileError("secret_failed", path=path, error=error.strerror) from error


def _read_secret(path: Path) -> bytes | None:
    with contextlib.suppress(FileNotFoundError):
        with open(open_owned(path, os.O_RDONLY), "rb") as file:  # noqa: PTH123 - a descriptor
            content = file.read(SECRET_BYTES + 1)
            if len(content) == SECRET_BYTES:
                os.fchmod(file.fileno(), FILE_MODE)
                return content
        log.warning("%s is not a secret of this program; a new one is made, and every device must pair again", path)
        path.unlink()
    return None


def _make_secret(path: Path) -> bytes:
    """Create a secret in a file written atomically; if another thread was faster, return the secret of that thread."""
    new = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
    file = open_owned(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
    try:
        os.write(file, secrets.token_bytes(SECRET_BYTES))
        os.fsync(file)
        with contextlib.suppress(FileExistsError):
            path.hardlink_to(new)
        return read_owned(path, SECRET_BYTES)
    finally:
        os.close(file)
        new.unlink()


def signer(secret: bytes, salt: str) -> URLSafeSerializer:
    """A signer of cookies; `salt` names their purpose, so that no cookie is valid for another purpose."""
    options = {"key_derivation": "hmac", "digest_method": hashlib.sha256}
    return URLSafeSerializer(secret, salt=salt, signer_kwargs=options)


EXTENSION = "access"
"""The name of the table's `Access` in the extensions of the Flask application."""

COOKIE = "pegboard-"
"""The prefix of the cookies' names."""

COOKIE_OPTIONS: dict[str, Any] = {"httponly": True, "samesite": "Strict", "path": "/"}

SALT = "pegboard: a paired device"

MOST_COOKIES = 256
"""Maximum cookies cached with a verified signature, because the cookie of one request is checked several times."""


class Access:
    """Sessions and pairing of one table or hub.

    Attributes:
        is_open: whether everyone may score.
        has_proxies: whether clients may come through proxies.
        codes: the pairing codes.
        exposure: whether the table is open to the internet.
        security_log: the log of pairings and refusals.
        rates: the rate limits.
        paired_s: seconds that a device stays paired.
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
        """Create the access control of a table.

        Args:
            folder: the folder of the secret and the codes.
            settings: the web settings.
            invitation: returns the data for joining, with a code or without one.
            clock: the system clock.
            ticks: returns monotonic seconds.
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
        """The session in the cookies; a viewer's if they are forged, foreign, expired or revoked."""
        if self.is_open:
            return Session("director")
        if not any(name.startswith(COOKIE) for name in cookies):
            return VIEWER
        try:
            return self._parse(self._load_cookie(cookies.get(self.cookie, "")))
        except BadSignature:
            if cookies.get(self.cookie):
                log_forged_cookie(self.security_log)
            return VIEWER
        except (BadData, StateFileError, TypeError, ValueError, KeyError, StopIteration):
            return VIEWER

    def session_of_scope(self, scope: Scope) -> Session:
        """The session of a request; see `session_of`."""
        return self.session_of({} if self.is_open else parse_cookie(header(scope, b"cookie")))

    def _parse(self, values: Any) -> Session:
        """The session of the stored device that the cookie names; the device's age is measured in the table's time."""
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
        """The paired devices, newest first."""
        return self.codes.paired_devices(self.paired_s)

    def last_seen(self, device: PairedDevice) -> float | None:
        """When a device last sent a request, in seconds of the table's time; None if not since the program started."""
        return self._seen.get(device.id)

    def _last_use(self, device: PairedDevice) -> float:
        """When a device last sent a request, as far as known; at the earliest when the program started."""
        return self._seen.get(device.id, max(device.since, self._began))

    def unpair(self, id: str) -> PairedDevice | None:  # noqa: A002 - the API's own word
        """Unpair one device, which is returned; None if no device has that id.

        Raises:
            StateFileError: the change cannot be stored.
        """
        self._seen.pop(id, None)
        with self._unpaired_elsewhere.lock:
            found = self.codes.unpair(id)
            self._unpaired_elsewhere.forget(id)
        return found

    def unpair_all(self) -> None:
        """Unpair every device.

        Raises:
            StateFileError: the change cannot be stored.
        """
        with self._unpaired_elsewhere.lock:
            self.codes.unpair_all()
            self._unpaired_elsewhere.forget()

    @cached_property
    def cookie(self) -> str:
        """The cookie's name, unique to this table, because browsers treat all tables on one machine as one site."""
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
        """The URL of the pages."""
        return str(self._invitation(None)["url"])

    def register(self) -> None:
        """Store the table's address for `pegboard code`.

        Raises:
            StateFileError: the file cannot be written.
        """
        joining = self._invitation(None)
        address = {name: joining[name] for name in ("url", "host", "reach", "command")}
        self.codes.register(**address, is_open=self.is_open, paired_s=self.paired_s)

    def invitation(self) -> dict[str, Any]:
        """The data for joining now, with `code` and `until`, its expiry in seconds since 1970; None at an open table.

        Raises:
            StateFileError: a new code cannot be stored.
        """
        if self.is_open:
            return {"code": None, "until": None} | self._invitation(None)
        code = self.codes.scorer()
        until = int(self.codes.as_wall_time(code.until))
        return {"code": code.text, "until": until} | self._invitation(code.text)

    def pair_by_code(self, request: Request, code: str, wrong: str, *, only: Role | None = None) -> tuple[Session, str]:
        """Pair the client's device by a code, and return its session with its cookie's value.

        A director who redeems a scorer's code keeps the session, so the pairing is not extended; the cookie is "" then.
        `wrong` is the key of the message for a wrong code, such as one that is not for the role `only`.

        Raises:
            InvalidCode: it cannot be a code.
            Problem: 403, the code is wrong, or too many devices are paired; 429, too many codes were tried.
            StateFileError: it cannot be stored.
        """
        self.rates.check_pairing(request)
        found = self.codes.role_of(code)
        is_accepted = found is None or only in {None, found}
        if found == "scorer" and is_accepted:
            self.rates.check_new_scorer(request)
        role = self.codes.redeem(code) if is_accepted else None
        if role is None:
            self.rates.note_wrong(request)
            raise Problem(403, "wrong_code", wrong)
        self.rates.refund_pairing(request)
        before = self.session_of(request.cookies)
        if before.role == "director" and role == "scorer":
            return before, ""
        try:
            return self.pair(role, before.device, request.headers.get("User-Agent", ""))
        except TooManyPaired as error:
            raise Problem(403, error.code, error.message) from None

    def pair(self, role: Role, device: str = "", agent: str = "") -> tuple[Session, str]:
        """Start a device's session, and return it with its cookie's value; `agent` is the browser's User-Agent.

        Raises:
            TooManyPaired: no more devices can be paired.
            StateFileError: the device cannot be stored, or there is no secret to sign its cookie with.
        """
        session = secrets.token_hex(16)
        made = PairedDevice(device or secrets.token_hex(8), session, role, label_of(agent), self.codes.now())
        cookies = self._signer
        with self._unpaired_elsewhere.lock:
            for gone in self.codes.add_device(made, self.paired_s, self._last_use):
                self._unpaired_elsewhere.forget(gone.id)
                about = f"unpaired device {gone.id}, to make room for device {made.id}"
                self.security_log.note_pairing("here", about)
        cookie = str(cookies.dumps({"session": session, "epoch": self.codes.epoch}))
        return Session(role, made.id, made.since + self.paired_s), cookie

    def set_cookie(self, response: Response, cookie: str, *, secure: bool) -> None:
        """Set a cookie in a response."""
        response.set_cookie(self.cookie, cookie, int(self.paired_s), secure=secure, **COOKIE_OPTIONS)

    def delete_cookie(self, response: Response, *, secure: bool) -> None:
        """Delete the cookie in the browser, by a header of the response."""
        response.delete_cookie(self.cookie, secure=secure, **COOKIE_OPTIONS)

    def keep_time(self) -> None:
        """Save the clocks (`Codes.keep_time`), and log devices unpaired by another program; call it at intervals.

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
        return signer(self._secret, SALT)

    @cached_property
    def _load_cookie(self) -> Callable[[str], Any]:
        """A cached function that returns the values in a cookie.

        Raises:
            BadSignature: the cookie was not signed by this table.
        """
        return lru_cache(maxsize=MOST_COOKIES)(self._signer.loads)

    @cached_property
    def _secret(self) -> bytes:
        return secret(self._folder)


def role(request: Request) -> Anybody:
    """The role of the client: "viewer", "scorer" or "director"; at an open table everyone is a director."""
    return current_access().session_of(request.cookies).role


def device(request: Request) -> str:
    """The id of the client's paired device, "" for none."""
    return current_access().session_of(request.cookies).device


def is_director(request: Request) -> bool:
    """Whether the client is a director."""
    return role(request) == "director"


def require_director(whose: Anybody, key: str) -> None:
    """Check that the role `whose` is a director's; `key` is the message that says why a scorer is not enough.

    Raises:
        Problem: 403, it is not a director's.
    """
    if whose == "viewer":
        raise not_paired()
    if whose != "director":
        raise Problem(403, "role", key)


def require_scorer(request: Request) -> None:
    """Check that the client is a scorer or a director.

    Raises:
        Problem: 403, the client is neither.
    """
    if role(request) == "viewer":
        raise not_paired()


def require_code_viewer(request: Request) -> None:
    """Check that the client may see the code that pairs a phone.

    Raises:
        Problem: 403, the client may not see the code.
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
    """The access control of this request's table."""
    return cast("Access", current_app.extensions[EXTENSION])
