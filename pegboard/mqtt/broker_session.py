"""MQTT broker session: URL, credentials and TLS of a broker, connection with automatic reconnect in its own threads.

Each attempt to connect uses a new client, so nothing from an earlier connection is resent. Retries back off
exponentially with jitter, so that a room full of tables does not reconnect all at once.
"""

import logging
import re
import ssl
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from socket import IPPROTO_TCP, TCP_NODELAY
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import urlsplit

from pegboard.devices.health import FIRST_DELAY_S, LONGEST_DELAY_S, Health, next_delay
from pegboard.errors import DeviceError
from pegboard.install.host import install_command
from pegboard.messages import Message

if TYPE_CHECKING:
    from paho.mqtt.client import Client, MQTTMessage
    from paho.mqtt.reasoncodes import ReasonCode

# --- address of an MQTT broker, and the credentials: URL, password or client certificate ---


PORT, TLS_PORT = 1883, 8883
"""The standard MQTT ports without and with TLS (registered with IANA)."""

BESIDE = re.compile(r"[\s\x00-\x1f\x7f-\x9f?#@\\]")
"""Characters that a broker URL must not contain: whitespace, control characters, `?`, `#`, `@` and backslashes."""

LONGEST_PASSWORD = 65535
"""Maximum length of an MQTT password in bytes (MQTT 3.1.1, 3.1.3.5)."""


@dataclass(frozen=True, slots=True)
class BrokerAddress:
    """The address of a broker and the credentials for it.

    Attributes:
        host: the broker's host name or IP address; port: the broker's port.
        is_encrypted: whether the connection uses TLS, which also verifies the broker.
        user: the user name; "" for none.
        password: the password, or None.
        ca: trusted CA certificates as text; ca_file: a file with such certificates (PEM); "" for the system's.
        certificate: the file of the client certificate (PEM, with its chain); key: the file of its private key; "" for
            none.
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
    """Parse `mqtt://HOST:PORT`, or `mqtts://HOST:PORT` for an encrypted connection.

    Raises:
        DeviceError: the URL is invalid.
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
    """The password in the first line of a file; `setting` is the setting that names the file, for the error message.

    Raises:
        DeviceError: the file cannot be read.
    """
    try:
        with Path(file).open(encoding="utf-8-sig") as opened:
            return opened.readline(LONGEST_PASSWORD).rstrip("\r\n")
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise DeviceError("trouble_mqtt_file", setting=setting, file=file, error=why) from error


def tls_context(address: BrokerAddress) -> ssl.SSLContext | None:
    """The TLS context of the connection; None without TLS.

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
    except OSError as error:  # also ssl's error for a file that is not a certificate
        why = error.strerror or str(error)
        raise DeviceError("hub_certificate", file=file, error=why) from error
    return context


def hide_password(url: str) -> str:
    """A broker URL as it was entered, without the user name and password before its host."""
    return re.sub(r"^(\w+://)?.*@", r"\1...@", url, flags=re.DOTALL)


KEEPALIVE_S = 20
"""MQTT keep-alive interval in seconds: after this much silence each side pings the other."""

ANSWER_S = 5.0
"""Timeout in seconds for connecting to the broker, and for its first response."""

LAST_WORD_S = 0.5
"""Seconds allowed for the last message when stopping; after that, the broker sends it as the MQTT will.

Stopping takes at most twice as long. systemd allows a table 5 s in all, for two brokers, pages and devices.
"""

log = logging.getLogger("pegboard")


@dataclass(frozen=True, slots=True)
class Publication:
    """A message to publish to a topic."""

    topic: str
    payload: bytes
    qos: int = 0
    retain: bool = False


@dataclass(frozen=True, slots=True)
class Delivery:
    """A received message.

    Attributes:
        topic: the message's topic.
        payload: the message's content.
        acknowledge: tells the broker that the message was processed, so that it may send another one; does nothing if
            the connection is lost.
    """

    topic: str
    payload: bytes
    acknowledge: Callable[[], object] = lambda: None


def note_trouble(before: Health, trouble: Message | None, wall_s: float, *, is_retry: bool = False) -> Health:
    """The health of a connection with this trouble, or without trouble if None; new trouble is logged.

    `is_retry`: whether the same trouble again counts as one more error.
    """
    if trouble is None:
        return before.mark_ok(before.about)
    is_new = before.ok or before.trouble != trouble
    if is_new:
        log.warning("%s: %s", before.name, trouble)
    return before.mark_failed(trouble, wall_s) if is_new or is_retry else before


class SessionOwner(Protocol):
    """Callbacks of a session, called in its threads; they must not block for long."""

    def note_connection(self) -> None:
        """Called when the broker has accepted the connection and every subscription."""

    def note_delivery(self, delivery: Delivery) -> None:
        """Called when a message arrives; the owner acknowledges it after processing."""

    def note_loss(self, trouble: Message) -> None:
        """Called when there is no connection, with the reason; the session retries."""


class BrokerSession:
    """Keeps a connection to a broker from `start` until `stop`."""

    def __init__(
        self,
        address: BrokerAddress,
        owner: SessionOwner,
        *,
        will: Publication,
        client_id: str = "",
        subscriptions: Sequence[tuple[str, int]] = (),
        jitter: Callable[[], float] = lambda: 0.5,
        receive_maximum: int | None = None,
        first_wait_s: float = FIRST_DELAY_S,
        keepalive_s: int = KEEPALIVE_S,
        make_tls: Callable[[BrokerAddress], ssl.SSLContext | None] = tls_context,
        troubles: tuple[str, str] = ("hub_broker_silent", "hub_broker_refused"),
        work: Callable[[], float | None] = lambda: None,
    ) -> None:
        """Prepare the session; it connects on `start`.

        Args:
            address: the broker and the credentials for it.
            owner: gets the callbacks.
            will: the message that the broker publishes if the connection is lost.
            client_id: the MQTT client id; the broker drops an older connection with the same id, and makes up an id
                for "".
            subscriptions: topic filters, each with its quality of service; the broker must accept them.
            jitter: returns random numbers from 0 to 1; each wait is multiplied by this plus 0.5, by default by 1.
            receive_maximum: maximum unacknowledged messages that the broker may have in flight; requires MQTT 5.
            first_wait_s: seconds before the second attempt to connect.
            keepalive_s: MQTT keep-alive interval in seconds.
            make_tls: makes the TLS context of an address.
            troubles: message keys for a broker that does not respond, and for a broker that refuses.
            work: called in the session's thread after `note_connection` and each `wake`; returns the seconds until the
                next call without a `wake`, or None.

        Raises:
            DeviceError: paho-mqtt is missing, or a certificate cannot be read.
        """
        self._address, self._owner, self._client_id, self._will = address, owner, client_id, will
        self._subscriptions, self._receive_maximum = subscriptions, receive_maximum
        self._jitter, self._first_wait_s, self._keepalive_s = jitter, first_wait_s, keepalive_s
        self._troubles, self._work = troubles, work
        self._tls = make_tls(address)
        self._client: Client | None = None
        self._answer: ReasonCode | None = None
        self._subscribed: Sequence[ReasonCode] | None = None
        self._is_connected = self._is_stopping = False
        self._news = threading.Event()
        self._published: dict[str, bytes] = {}
        self._last: Publication | None = None
        self._thread = threading.Thread(target=self._run, name="broker", daemon=True)
        self._make_client()  # so that a missing library is reported before anything starts

    def start(self) -> None:
        """Connect, and stay connected."""
        self._thread.start()

    def stop(self, last: Publication | None = None) -> None:
        """Publish a last message, then disconnect."""
        self._last, self._is_stopping = last, True
        self._news.set()
        if self._thread.is_alive():
            self._thread.join(2 * LAST_WORD_S)

    def publish(self, publication: Publication) -> bool:
        """Publish a message; False without a connection. Even after True, the message may be lost."""
        client = self._client
        if client is None or not self._is_connected:
            return False
        sent = client.publish(publication.topic, publication.payload, publication.qos, publication.retain)
        return sent.rc == 0

    def publish_change(self, publication: Publication) -> None:
        """Publish a message unless this method last published the same payload to its topic over this connection."""
        published = self._published  # read first: a message over a lost connection must not count for the next one
        if published.get(publication.topic) != publication.payload and self.publish(publication):
            published[publication.topic] = publication.payload

    def subscribe(self, topic: str) -> None:
        """Subscribe to a topic on this connection, if the broker permits it; does not wait for the answer."""
        if (client := self._client) is not None:
            client.subscribe(topic)

    def wake(self) -> None:
        """Let the session's thread call `work`. Never blocks; called from any thread."""
        self._news.set()

    def _run(self) -> None:
        wait_s = self._first_wait_s
        while not self._is_stopping:
            begun = time.monotonic()
            try:
                self._connect()
                self._stay_connected()
            except Exception as error:  # noqa: BLE001 - whatever the error is, the next attempt may succeed
                if not self._is_stopping:
                    self._report_loss(error)
            finally:
                self._disconnect()
            if time.monotonic() - begun > LONGEST_DELAY_S:  # else the broker may keep dropping the connection
                wait_s = self._first_wait_s
            self._wait(wait_s * (0.5 + self._jitter()))
            wait_s = next_delay(wait_s)

    def _report_loss(self, error: Exception) -> None:
        try:
            self._owner.note_loss(self._trouble_of(error))
        except Exception:
            log.exception("could not report a lost connection")

    def _trouble_of(self, error: Exception) -> Message:
        """The error message for a failed attempt."""
        if isinstance(error, DeviceError):
            return error.message
        why = getattr(error, "strerror", None) or str(error) or repr(error)
        return Message("trouble_mqtt_unreachable", broker=self._address, error=why)

    def _connect(self) -> None:
        """Connect, and wait for the broker's responses.

        Raises:
            OSError: the broker cannot be reached.
            DeviceError: the broker does not respond, or refuses the connection or a subscription.
        """
        self._answer, self._subscribed, self._published = None, None, {}
        client = self._client = self._make_client()
        client.connect(self._address.host, self._address.port, self._keepalive_s, **self._on_connecting())
        client.loop_start()
        silent, refused = self._troubles
        answer = self._wait_for_answer()
        if answer is None:
            raise DeviceError(silent, broker=self._address)
        if answer.is_failure:
            raise DeviceError(refused, broker=self._address, reason=str(answer))
        if self._subscriptions:
            client.subscribe(list(self._subscriptions))
            if not self._is_subscribed():
                raise DeviceError("hub_broker_subscribing", broker=self._address)

    def _wait_for_answer(self) -> "ReasonCode | None":
        """The broker's response to the connection; None on timeout or when stopping."""
        self._wait(ANSWER_S, lambda: self._answer is not None)
        return self._answer

    def _is_subscribed(self) -> bool:
        """Whether the broker has accepted every subscription."""
        self._wait(ANSWER_S, lambda: self._subscribed is not None or not self._is_connected)
        return self._subscribed is not None and not any(each.is_failure for each in self._subscribed)

    def _on_connecting(self) -> dict[str, Any]:
        """Arguments of an MQTT 5 connection: a clean start, and the maximum number of messages in flight."""
        if self._receive_maximum is None:
            return {}
        from paho.mqtt.packettypes import PacketTypes
        from paho.mqtt.properties import Properties

        own = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
        own.ReceiveMaximum = self._receive_maximum
        return {"clean_start": True, "properties": own}

    def _stay_connected(self) -> None:
        """Notify the owner, and call `work` whenever there is news, until the connection is lost.

        Raises:
            DeviceError: the connection was lost.
        """
        self._owner.note_connection()
        while self._is_connected and not self._is_stopping:
            self._news.wait(self._work())
            self._news.clear()
        if not self._is_stopping:
            raise DeviceError("trouble_mqtt_lost", broker=self._address)
        if self._last is not None and self._client is not None and self._is_connected:
            last = self._client.publish(self._last.topic, self._last.payload, 1, self._last.retain)
            if last.rc == 0:  # else the connection is lost, and the broker publishes it as the MQTT will
                last.wait_for_publish(LAST_WORD_S)

    def _wait(self, seconds: float, is_over: Callable[[], bool] = lambda: False) -> None:
        """Wait until `is_over`, for at most this many seconds, or until the session stops."""
        until = time.monotonic() + seconds
        while not self._is_stopping and not is_over() and (left := until - time.monotonic()) > 0:
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
        client.max_inflight_messages = 0  # no limit: the sender limits the messages in flight
        client.suppress_exceptions = True  # no message may end the receiving thread
        client.will_set(self._will.topic, self._will.payload, qos=1, retain=self._will.retain)
        if self._address.user:
            client.username_pw_set(self._address.user, self._address.password)
        if self._tls is not None:
            client.tls_set_context(self._tls)
        client.on_connect = self._note_answer
        client.on_subscribe = self._note_subscriptions
        client.on_disconnect = self._note_loss
        client.on_message = self._hand_on
        client.on_socket_open = self._disable_nagle
        return client

    @staticmethod
    def _disable_nagle(_client: "Client", _data: Any, sock: Any) -> None:
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
        delivery = Delivery(message.topic, bytes(message.payload), partial(client.ack, message.mid, message.qos))
        try:
            self._owner.note_delivery(delivery)
        except Exception:
            log.exception("a message could not be processed")
            delivery.acknowledge()
