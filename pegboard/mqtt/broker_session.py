"""A connection to an MQTT broker in threads of its own: connects, subscribes, hands on messages, connects again.

Each try has a client of its own, so nothing of an earlier connection is sent again. Between two tries it waits longer
and longer, and never as long as others do, so that a room of tables does not come back in one moment.
"""

import logging
import re
import ssl
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from socket import IPPROTO_TCP, TCP_NODELAY
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import urlsplit

from pegboard.errors import DeviceError
from pegboard.install.host import install_command
from pegboard.messages import Message

if TYPE_CHECKING:
    from paho.mqtt.client import Client, MQTTMessage
    from paho.mqtt.reasoncodes import ReasonCode

# --- where an MQTT broker is and how one proves who one is there: its URL, a password or a client certificate ---


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


KEEPALIVE_S = 20
"""Seconds of silence after which each side asks whether the other is still there."""


ANSWER_S = 5.0
"""Seconds in which a broker accepts a connection, and answers its first message."""


FIRST_WAIT_S, LONGEST_WAIT_S = 1.0, 30.0
"""Seconds between two tries to connect: at first, and at most; half as much to half as much again, as chance has it."""


LAST_WORD_S = 1.0
"""Seconds that the last message may take at the end; the broker gives it otherwise, as our will."""


log = logging.getLogger("pegboard")


@dataclass(frozen=True, slots=True)
class Publication:
    """A message to a topic."""

    topic: str
    payload: bytes
    qos: int = 0
    retain: bool = False


class Delivery:
    """A message that has arrived; with `acknowledge` the broker may send another in its place."""

    __slots__ = ("_client", "_mid", "_qos", "payload", "topic")

    def __init__(self, client: "Client", message: "MQTTMessage") -> None:
        self.topic, self.payload = message.topic, bytes(message.payload)
        self._client, self._mid, self._qos = client, message.mid, message.qos

    def acknowledge(self) -> None:
        """Tell the broker that the message has been dealt with; nothing where that connection is lost."""
        if self._qos:
            self._client.ack(self._mid, self._qos)


class SessionOwner(Protocol):
    """What a session tells; each is called in a thread of the session, and must not wait long."""

    def note_connection(self) -> None:
        """The broker has accepted the connection and every subscription."""

    def note_delivery(self, delivery: Delivery) -> None:
        """A message has arrived; whoever has dealt with it acknowledges it."""

    def note_loss(self, trouble: Message) -> None:
        """There is no connection, for this reason; another try follows."""


class BrokerSession:
    """Holds a connection to a broker from `start` until `stop`."""

    def __init__(
        self,
        address: BrokerAddress,
        owner: SessionOwner,
        *,
        client_id: str,
        will: Publication,
        subscriptions: Sequence[tuple[str, int]],
        jitter: Callable[[], float],
        receive_maximum: int | None = None,
        first_wait_s: float = FIRST_WAIT_S,
    ) -> None:
        """It connects from `start` on.

        Args:
            address: the broker, and who one is there.
            owner: hears what happens.
            client_id: names the connection at the broker, which ends an older one of the same name.
            will: what the broker says when the connection is lost.
            subscriptions: filters of topics, each with its quality of service.
            jitter: gives numbers from 0 to 1 by chance.
            receive_maximum: messages that the broker sends before one is acknowledged; asks for MQTT 5.
            first_wait_s: seconds before the second try.

        Raises:
            DeviceError: paho-mqtt is missing, or a certificate cannot be read.
        """
        self._address, self._owner, self._client_id, self._will = address, owner, client_id, will
        self._subscriptions, self._receive_maximum = subscriptions, receive_maximum
        self._jitter, self._first_wait_s = jitter, first_wait_s
        self._tls = tls_context(address)
        self._client: Client | None = None
        self._answer: ReasonCode | None = None
        self._subscribed: Sequence[ReasonCode] | None = None
        self._is_connected = self._is_stopping = False
        self._news = threading.Event()
        self._last: Publication | None = None
        self._thread = threading.Thread(target=self._run, name="broker", daemon=True)
        self._make_client()  # so that a missing library is said before anything starts

    @property
    def is_connected(self) -> bool:
        """Whether there is a connection, as far as is known."""
        return self._is_connected

    def start(self) -> None:
        """Connect, and stay connected."""
        self._thread.start()

    def stop(self, last: Publication | None = None) -> None:
        """End the connection after a last message."""
        self._last, self._is_stopping = last, True
        self._news.set()
        if self._thread.is_alive():
            self._thread.join(2 * LAST_WORD_S)

    def publish(self, publication: Publication) -> bool:
        """Send a message; whether there is a connection to send it over. It may be lost all the same."""
        client = self._client
        if client is None or not self._is_connected:
            return False
        sent = client.publish(publication.topic, publication.payload, publication.qos, publication.retain)
        return sent.rc == 0

    def _run(self) -> None:
        wait_s = self._first_wait_s
        while not self._is_stopping:
            begun = time.monotonic()
            try:
                self._connect()
                self._stay_connected()
            except Exception as error:  # noqa: BLE001 - whatever it is, the next try may go well
                if not self._is_stopping:
                    self._tell_loss(error)
            finally:
                self._disconnect()
            if time.monotonic() - begun > LONGEST_WAIT_S:
                wait_s = self._first_wait_s
            self._wait(wait_s * (0.5 + self._jitter()))
            wait_s = min(2 * wait_s, LONGEST_WAIT_S)

    def _tell_loss(self, error: Exception) -> None:
        try:
            self._owner.note_loss(_trouble(error, self._address))
        except Exception:
            log.exception("could not report a lost connection")

    def _connect(self) -> None:
        """Connect, and wait for the broker's answers.

        Raises:
            OSError: it cannot be reached.
            DeviceError: it does not answer, or refuses.
        """
        self._answer, self._subscribed = None, None
        client = self._client = self._make_client()
        client.connect(self._address.host, self._address.port, KEEPALIVE_S, **self._on_connecting())
        client.loop_start()
        answer = self._wait_for_answer()
        if answer is None:
            raise DeviceError("hub_broker_silent", broker=self._address)
        if answer.is_failure:
            raise DeviceError("hub_broker_refused", broker=self._address, reason=str(answer))
        if self._subscriptions:
            client.subscribe(list(self._subscriptions))
            if not self._is_subscribed():
                raise DeviceError("hub_broker_subscribing", broker=self._address)

    def _wait_for_answer(self) -> "ReasonCode | None":
        """The broker's answer to the connection; None where none comes, or the end comes first."""
        self._wait(ANSWER_S, lambda: self._answer is not None)
        return self._answer

    def _is_subscribed(self) -> bool:
        """Whether the broker has accepted every subscription."""
        self._wait(ANSWER_S, lambda: self._subscribed is not None or not self._is_connected)
        return self._subscribed is not None and not any(each.is_failure for each in self._subscribed)

    def _on_connecting(self) -> dict[str, Any]:
        """What a connection by MQTT 5 says of itself: a clean start, and how many messages may be under way."""
        if self._receive_maximum is None:
            return {}
        from paho.mqtt.packettypes import PacketTypes
        from paho.mqtt.properties import Properties

        own = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
        own.ReceiveMaximum = self._receive_maximum
        return {"clean_start": True, "properties": own}

    def _stay_connected(self) -> None:
        """Tell the owner, and wait until the connection is lost.

        Raises:
            DeviceError: it was lost.
        """
        self._owner.note_connection()
        self._wait(None, lambda: not self._is_connected)
        if not self._is_stopping:
            raise DeviceError("trouble_mqtt_lost", broker=self._address)
        if self._last is not None and self._client is not None and self._is_connected:
            last = self._client.publish(self._last.topic, self._last.payload, 1, self._last.retain)
            if last.rc == 0:  # else the connection is lost, and the broker says it as our will
                last.wait_for_publish(LAST_WORD_S)

    def _wait(self, seconds: float | None, is_over: Callable[[], bool] = lambda: False) -> None:
        """Wait so long at most, until it is over, or the end comes."""
        until = None if seconds is None else time.monotonic() + seconds
        while not self._is_stopping and not is_over():
            left = None if until is None else until - time.monotonic()
            if left is not None and left <= 0:
                return
            self._news.wait(left)
            self._news.clear()

    def _disconnect(self) -> None:
        client, self._client, self._is_connected = self._client, None, False
        if client is not None:
            client.disconnect()
            client.loop_stop()

    def _make_client(self) -> "Client":
        try:
            from paho.mqtt.client import Client
            from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion
        except ImportError as error:
            raise DeviceError(
                "trouble_mqtt_no_paho", command=install_command("paho-mqtt>=2.1", "python3-paho-mqtt")
            ) from error
        protocol = MQTTProtocolVersion.MQTTv311 if self._receive_maximum is None else MQTTProtocolVersion.MQTTv5
        client = Client(
            CallbackAPIVersion.VERSION2,
            client_id=self._client_id,
            protocol=protocol,
            reconnect_on_failure=False,
            manual_ack=True,
        )
        client.connect_timeout = ANSWER_S
        client.max_inflight_messages = 0  # whoever sends knows how much is under way
        client.suppress_exceptions = True  # no message ends the thread that receives
        client.will_set(self._will.topic, self._will.payload, qos=1, retain=self._will.retain)
        if self._address.user:
            client.username_pw_set(self._address.user, self._address.password)
        if self._tls is not None:
            client.tls_set_context(self._tls)
        client.on_connect = self._note_answer
        client.on_subscribe = self._note_subscriptions
        client.on_disconnect = self._note_loss
        client.on_message = self._hand_on
        client.on_socket_open = self._hold_nothing_back
        return client

    @staticmethod
    def _hold_nothing_back(_client: "Client", _data: Any, sock: Any) -> None:
        sock.setsockopt(IPPROTO_TCP, TCP_NODELAY, 1)

    def _note_answer(self, _client: "Client", _data: Any, _flags: Any, answer: "ReasonCode", _more: Any) -> None:
        self._is_connected = not answer.is_failure
        self._answer = answer
        self._news.set()

    def _note_subscriptions(self, _client: Any, _data: Any, _mid: int, answers: "list[ReasonCode]", _: Any) -> None:
        self._subscribed = answers
        self._news.set()

    def _note_loss(self, client: "Client", *_: Any) -> None:
        if client is self._client:
            self._is_connected = False
            self._news.set()

    def _hand_on(self, client: "Client", _data: Any, message: "MQTTMessage") -> None:
        try:
            self._owner.note_delivery(Delivery(client, message))
        except Exception:
            log.exception("a message could not be processed")
            client.ack(message.mid, message.qos)


def _trouble(error: Exception, address: BrokerAddress) -> Message:
    """What a failed try says."""
    if isinstance(error, DeviceError):
        return error.message
    why = getattr(error, "strerror", None) or str(error) or repr(error)
    return Message("trouble_mqtt_unreachable", broker=address, error=why)
