"""Publishes the table to an MQTT broker, in threads of its own: connects, publishes each new state, connects again.

Everything is published retained and with QoS 1, and again after each connection, so that a broker that has forgotten
it, and a reader that comes later, get the newest state at once. Nothing is queued while there is no connection.
"""

import json
import logging
import re
import secrets
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from pegboard.config import MqttSettings
from pegboard.core.view import View
from pegboard.devices.health import Health
from pegboard.errors import DeviceError
from pegboard.feed import Feed
from pegboard.hub_protocol.broker_address import PORT, TLS_PORT, hide_password, read_password
from pegboard.install.host import install_command
from pegboard.messages import Message
from pegboard.mqtt.discovery import OFFLINE, ONLINE, Topics, discovery_document, topics_of
from pegboard.mqtt.published_state import table_state

if TYPE_CHECKING:
    from paho.mqtt.client import Client, MQTTMessage
    from paho.mqtt.reasoncodes import ReasonCode

NAME = "MQTT"
"""Its name among the devices."""

NO_HOST = re.compile(r"[/@\s\[\]]|^[^:]*:[^:]*$")
"""What no name or address of a broker has: parts of a URL, blanks, brackets, or a port after it."""

KEEPALIVE_S = 30
"""Seconds of silence after which each side asks whether the other is still there."""

ANSWER_S = 5.0
"""Seconds in which a broker accepts a connection, and answers its first message."""

LONGEST_WAIT_S = 30.0
"""Seconds between two tries to connect, at most; the first comes after one second."""

TWIN_S = 20.0
"""Seconds between two questions whether another table still publishes under the same name, while one did."""

LAST_WORD_S = 1.0
"""Seconds that the last word may take at the end; the broker gives it otherwise, as our will."""

log = logging.getLogger("pegboard")


class MqttPublisher:
    """Follows the feed, and publishes the table as a retained state with its availability and discovery."""

    def __init__(
        self,
        settings: MqttSettings,
        host_name: str,
        url: Callable[[], str | None],
        on_health: Callable[[], None],
        wall: Callable[[], float] = time.time,
    ) -> None:
        """It connects from `start` on.

        Args:
            settings: the broker, and how the table is called there.
            host_name: what the table is called where the settings say nothing.
            url: the address of the table's pages for others on the network, or None; it may wait.
            on_health: wakes whoever shows the health.
            wall: seconds since 1970.

        Raises:
            DeviceError: paho-mqtt is missing, a file that the settings name cannot be read, or the broker is no host.
        """
        if NO_HOST.search(settings.broker):
            raise DeviceError("trouble_mqtt_broker", broker=repr(hide_password(settings.broker)))
        self._settings = settings
        self._name = settings.table or host_name
        self._topics = topics_of(self._name, settings.prefix.strip("/"), settings.discovery.strip("/"))
        self._url, self._on_health, self._wall = url, on_health, wall
        self._port = settings.port or (TLS_PORT if settings.tls else PORT)
        self._broker = f"{settings.broker}:{self._port}"
        self._health = Health(NAME, self._broker, ok=False, trouble=Message("trouble_mqtt_begins"))
        self._view: View | None = None
        self._published: dict[str, str] = {}
        self._answer: ReasonCode | None = None
        self._is_connected = self._is_stopping = False
        self._own_word = secrets.token_hex(8)  # tells this program from another with the same name
        self._twin_heard: float | None = None
        self._presence_said = 0.0
        self._news = threading.Event()
        self._client = self._make_client()
        self._thread = threading.Thread(target=self._run, name="MQTT", daemon=True)

    @property
    def health(self) -> Health:
        """Whether the broker has the table, or why not. Never waits."""
        return self._health

    @property
    def topics(self) -> Topics:
        """Where the table is published."""
        return self._topics

    def start(self, feed: Feed) -> Callable[[], None]:
        """Publish every new view; the returned function says that the table is gone, and ends."""
        self._view = feed.view
        leave = feed.follow(self._show)
        self._thread.start()

        def stop() -> None:
            leave()
            self._is_stopping = True
            self._news.set()
            self._thread.join(LAST_WORD_S)

        return stop

    def _show(self, view: View) -> None:
        self._view = view
        self._news.set()

    def _run(self) -> None:
        wait_s = 1.0
        while not self._is_stopping:
            begun = time.monotonic()
            try:
                self._connect()
                self._publish_until_lost()
            except Exception as error:  # noqa: BLE001 - whatever it is, the next try may go well
                self._fail(_sentence(error, self._broker))
            finally:
                self._disconnect()
            if time.monotonic() - begun > LONGEST_WAIT_S:  # one that drops us again and again is asked ever more seldom
                wait_s = 1.0
            self._wait(wait_s)
            wait_s = min(2 * wait_s, LONGEST_WAIT_S)

    def _wait(self, seconds: float) -> None:
        """Wait before the next try; only the end makes it shorter."""
        until = time.monotonic() + seconds
        while not self._is_stopping and (left := until - time.monotonic()) > 0:
            self._news.wait(left)
            self._news.clear()

    def _connect(self) -> None:
        """Connect, and wait for the broker's answer.

        Raises:
            OSError: it cannot be reached.
            DeviceError: it does not answer, or refuses.
        """
        self._answer = None
        self._client.connect(self._settings.broker, self._port, KEEPALIVE_S)
        self._client.loop_start()
        answer = self._wait_for_answer()
        if answer is None:
            raise DeviceError("trouble_mqtt_silent", broker=self._broker)
        if answer.is_failure:
            raise DeviceError("trouble_mqtt_refused", broker=self._broker, reason=str(answer))
        self._health = self._health.mark_ok(self._broker)
        self._on_health()
        log.info("publishing the table to %s under %s", self._broker, self._topics.root)

    def _wait_for_answer(self) -> "ReasonCode | None":
        """The broker's answer to the connection; None where none comes, or the end comes first."""
        until = time.monotonic() + ANSWER_S
        while self._answer is None and not self._is_stopping and (left := until - time.monotonic()) > 0:
            self._news.wait(left)
            self._news.clear()
        return self._answer

    def _publish_until_lost(self) -> None:
        """Publish everything, and then what is new, until the connection is lost.

        Raises:
            DeviceError: it was lost.
        """
        self._published.clear()
        self._client.subscribe(self._topics.presence)
        self._say_presence()
        while not self._is_stopping:
            if not self._is_connected:
                raise DeviceError("trouble_mqtt_lost", broker=self._broker)
            self._publish_news()
            self._look_for_twin()
            self._news.wait(None if self._twin_heard is None else TWIN_S)
            self._news.clear()
        last = self._client.publish(self._topics.availability, OFFLINE, qos=1, retain=True)
        if last.rc == 0:  # else the connection is lost, and the broker says it as our will
            last.wait_for_publish(LAST_WORD_S / 2)

    def _look_for_twin(self) -> None:
        """Say that another table publishes under the same name, until it has not answered for a while."""
        heard, now = self._twin_heard, time.monotonic()
        if heard is None:
            return
        if now - heard > 3 * TWIN_S:
            self._twin_heard = None
            self._health = self._health.mark_ok(self._broker)
            self._on_health()
            return
        if self._health.ok or now - self._presence_said >= TWIN_S:  # one that came later has heard nothing yet
            self._say_presence()
        if self._health.ok:
            self._fail(Message("trouble_mqtt_twin", id=self._topics.table))

    def _say_presence(self) -> None:
        self._client.publish(self._topics.presence, self._own_word)
        self._presence_said = time.monotonic()

    def _hear_presence(self, _client: "Client", _data: Any, message: "MQTTMessage") -> None:
        if message.payload != self._own_word.encode():
            self._twin_heard = time.monotonic()
            self._news.set()

    def _publish_news(self) -> None:
        view = self._view
        assert view is not None
        names = [view.game.lane_name(lane) for lane in range(view.game.rules.lanes)]
        if self._topics.discovery:
            device = discovery_document(self._topics, self._name, names, self._url())
            self._publish(self._topics.discovery, json.dumps(device, ensure_ascii=False))
        self._publish(self._topics.state, json.dumps(table_state(view, NAME), ensure_ascii=False))
        self._publish(self._topics.availability, ONLINE)

    def _publish(self, topic: str, text: str) -> None:
        """Publish a text where the broker has not got it from this connection."""
        if self._published.get(topic) != text:
            self._client.publish(topic, text, qos=1, retain=True)
            self._published[topic] = text

    def _fail(self, trouble: Message) -> None:
        if self._is_stopping:
            return
        if self._health.trouble != trouble or self._health.ok:
            log.warning("%s: %s", NAME, trouble)
        self._health = self._health.mark_failed(trouble, self._wall())
        self._on_health()

    def _disconnect(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()
        self._is_connected = False

    def _make_client(self) -> "Client":
        try:
            from paho.mqtt.client import Client
            from paho.mqtt.enums import CallbackAPIVersion
        except ImportError as error:
            raise DeviceError(
                "trouble_mqtt_no_paho", command=install_command("paho-mqtt>=2.1", "python3-paho-mqtt")
            ) from error
        own = self._settings
        client = Client(CallbackAPIVersion.VERSION2, reconnect_on_failure=False)
        client.connect_timeout = ANSWER_S
        client.will_set(self._topics.availability, OFFLINE, qos=1, retain=True)
        if own.user:
            password = read_password(own.password_file, "mqtt.password_file") if own.password_file else None
            client.username_pw_set(own.user, password)
        if own.tls:
            try:
                client.tls_set(own.ca_file or None)
            except OSError as error:  # also what ssl says of a file that is no certificate
                why = error.strerror or str(error)
                raise DeviceError("trouble_mqtt_file", setting="mqtt.ca_file", file=own.ca_file, error=why) from error
        client.on_connect = self._connected
        client.on_disconnect = self._lost
        client.on_message = self._hear_presence
        return client

    def _connected(self, _client: "Client", _data: Any, _flags: Any, answer: "ReasonCode", _more: Any) -> None:
        self._is_connected = not answer.is_failure
        self._answer = answer
        self._news.set()

    def _lost(self, *_: Any) -> None:
        self._is_connected = False
        self._news.set()


def _sentence(error: Exception, broker: str) -> Message:
    """What a failed try says."""
    if isinstance(error, DeviceError):
        return error.message
    return Message(
        "trouble_mqtt_unreachable", broker=broker, error=getattr(error, "strerror", None) or str(error) or repr(error)
    )
