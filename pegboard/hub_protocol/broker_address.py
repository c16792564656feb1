"""Where an MQTT broker is and how one proves who one is there: its URL, a password or a client certificate."""

import re
import ssl
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from pegboard.errors import DeviceError

PORT, TLS_PORT = 1883, 8883
"""The ports of MQTT without and with TLS, as registered with IANA."""

BESIDE = re.compile(r"[\s\x00-\x1f\x7f-\x9f?#@\\]")
"""What no URL of a broker has: blanks, control characters, a question, a fragment, a user."""

LONGEST_PASSWORD = 65535
"""Bytes of a password in MQTT (MQTT 3.1.1, 3.1.3.5)."""


@dataclass(frozen=True, slots=True)
class BrokerAddress:
    """A broker, and how one proves there who one is.

    Attributes:
        host: its name or address; port: its port.
        is_encrypted: whether the connection is encrypted (TLS), and the broker proves who it is.
        user: the user name; "" for none.
        password: the password; None where there is none.
        ca: the certificates that are trusted, as text; ca_file: the same in a file (PEM); "" for this machine's.
        certificate: one's own certificate (PEM, with its chain), and key: its private key; "" for none.
    """

    host: str
    port: int
    is_encrypted: bool = False
    user: str = ""
    password: str | None = None
    ca: str = ""
    ca_file: str = ""
    certificate: str = ""
    key: str = ""

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"


def parse_broker_url(url: str) -> BrokerAddress:
    """The address in `mqtt://HOST:PORT`, or in `mqtts://HOST:PORT` for a connection that is encrypted.

    Raises:
        DeviceError: it is no such URL.
    """
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError as error:
        raise DeviceError("hub_broker_url", url=hide_password(url)) from error
    is_encrypted = parts.scheme == "mqtts"
    beside = parts.username or parts.password or parts.query or parts.fragment or parts.path.strip("/")
    if parts.scheme not in {"mqtt", "mqtts"} or not host or beside or BESIDE.search(url):
        raise DeviceError("hub_broker_url", url=hide_password(url))
    return BrokerAddress(host, port or (TLS_PORT if is_encrypted else PORT), is_encrypted)


def read_password(file: str, setting: str) -> str:
    """The password, which is the first line of a file; `setting` names what named the file.

    Raises:
        DeviceError: it cannot be read.
    """
    try:
        with Path(file).open(encoding="utf-8-sig") as opened:
            return opened.readline(LONGEST_PASSWORD).rstrip("\r\n")
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise DeviceError("trouble_mqtt_file", setting=setting, file=file, error=why) from error


def tls_context(address: BrokerAddress) -> ssl.SSLContext | None:
    """How the connection is encrypted; None where it is not.

    Raises:
        DeviceError: a file cannot be read.
    """
    if not address.is_encrypted:
        return None
    file = address.ca_file
    try:
        context = ssl.create_default_context(cafile=file or None, cadata=address.ca or None)
        if address.certificate:
            file = address.certificate
            context.load_cert_chain(address.certificate, address.key or None)
    except OSError as error:  # also what ssl says of a file that is no certificate
        why = error.strerror or str(error)
        raise DeviceError("hub_certificate", file=file, error=why) from error
    return context


def hide_password(url: str) -> str:
    """What somebody wrote for a broker, without the user and password before its host."""
    return re.sub(r"^(\w+://)?.*@", r"\1...@", url, flags=re.DOTALL)
