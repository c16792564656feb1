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
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from pegboard.config import MqttSettings
from pegboard.core.board import Game
from pegboard.core.position import Phase
from pegboard.core.sentences import SKUNKS, marked_dealer, phase_sentence, skunk_name, to_count
from pegboard.core.view import View
from pegboard.core.view_as_json import to_save
from pegboard.core.wire import Json
from pegboard.devices.health import Health
from pegboard.errors import DeviceError
from pegboard.feed import Feed
from pegboard.install.host import install_command
from pegboard.install.program_version import program_version
from pegboard.messages import Message
from pegboard.mqtt.broker_session import PORT, TLS_PORT, hide_password, read_password

if TYPE_CHECKING:
    from paho.mqtt.client import Client, MQTTMessage
    from paho.mqtt.reasoncodes import ReasonCode

# --- what Home Assistant is told so that it shows the table by itself: one device with its sensors ---
#
# The document is that of device discovery (https://www.home-assistant.io/integrations/mqtt/#mqtt-discovery), which Home
# Assistant reads since 2024.11.


MOST_LANES = 3


ONLINE, OFFLINE = "online", "offline"
"""What stands in the topic of availability; Home Assistant expects these."""


HASH_LETTERS = 8
"""Hexadecimal digits that tell names apart whose letters an identifier cannot have."""


@dataclass(frozen=True, slots=True)
class Topics:
    """The topics of a table.

    Attributes:
        table: its name as an identifier: lower-case ASCII letters, digits, `_` and `-`.
        root: the topic that its state and availability lie under.
        discovery: the topic that Home Assistant reads, or "" for none.
        prefix: the first part of `root`.
    """

    table: str
    root: str
    discovery: str
    prefix: str

    @property
    def state(self) -> str:
        """The topic of the state, a JSON document."""
        return f"{self.root}/state"

    @property
    def presence(self) -> str:
        """The topic in which tables of this identifier hear of each other; nothing stays in it."""
        return f"{self.prefix}/{self.table}/present"

    @property
    def availability(self) -> str:
        """The topic that says whether the table is there: `ONLINE` or `OFFLINE`."""
        return f"{self.root}/availability"


def topics_of(name: str, prefix: str, discovery_prefix: str) -> Topics:
    """The topics of the table that is called `name`, under these prefixes; no discovery under an empty one."""
    table = _identifier(name)
    own = table if table.startswith("pegboard") else f"pegboard-{table}"
    discovery = f"{discovery_prefix}/device/{own}/config" if discovery_prefix else ""
    return Topics(own, f"{prefix}/{table}", discovery, prefix)


def _identifier(name: str) -> str:
    """A name in lower-case ASCII letters, digits, `_` and `-`; where that loses letters, with a hash of the name."""
    plain = " ".join(unicodedata.normalize("NFC", name).lower().split())
    letters = "".join(sign for sign in unicodedata.normalize("NFKD", plain) if not unicodedata.combining(sign))
    slug = re.sub(r"[^a-z0-9_-]+", "-", letters).strip("-")
    if re.fullmatch(r"[a-z0-9_ -]+", plain) and slug:
        return slug
    return "-".join(filter(None, (slug, sha256(plain.encode()).hexdigest()[:HASH_LETTERS])))


def discovery_document(topics: Topics, name: str, lanes: Sequence[str], url: str | None) -> Json:
    """The device and its sensors.

    Args:
        topics: where the table is published.
        name: what the device is called.
        lanes: the names of the lanes of the running game; sensors of other lanes are taken away.
        url: the address of the table's pages, or None where nobody else reaches them.
    """
    device: Json = {
        "identifiers": [topics.table],
        "name": name,
        "manufacturer": "pegboard",
        "model": "Cribbage scoreboard",
        "sw_version": program_version(),
    }
    return {
        "device": device if url is None else device | {"configuration_url": url},
        "origin": {"name": "pegboard", "sw_version": program_version()},
        "availability_topic": topics.availability,
        "state_topic": topics.state,
        "qos": 1,
        "components": {
            **{f"score_{_letter(lane)}": _score(topics, lane, lanes) for lane in range(MOST_LANES)},
            "says": _sensor(topics, "says", "Game", icon="mdi:cards-playing"),
            "dealer": _sensor(topics, "dealer", "Dealer", icon="mdi:account-arrow-left"),
            "phase": _sensor(topics, "phase", "Phase", options=[phase for phase in Phase if phase != Phase.UNKNOWN]),
            "counts": _sensor(topics, "counts", "Counting", attributes="{'what': value_json.counts_what}"),
            "winner": _sensor(topics, "winner", "Winner", icon="mdi:trophy"),
            "skunk": _sensor(topics, "skunk", "Skunk", options=[NO_SKUNK, *SKUNKS.values(), "lurch"]),
            "trouble": _binary_sensor(topics),
        },
    }


def _letter(lane: int) -> str:
    return "abc"[lane]


def _score(topics: Topics, lane: int, lanes: Sequence[str]) -> Json:
    """The score of a lane; only its platform where the game has no such lane, which takes the sensor away."""
    if lane >= len(lanes):
        return {"platform": "sensor"}
    own = _own(topics, "sensor", f"score_{_letter(lane)}")
    return own | {
        "name": lanes[lane],
        "icon": "mdi:scoreboard",
        "state_class": "measurement",
        "unit_of_measurement": "points",
        "value_template": f"{{{{ value_json.lanes[{lane}].score if value_json.lanes | length > {lane} else None }}}}",
        "json_attributes_topic": topics.state,
        "json_attributes_template": f"{{{{ (value_json.lanes + [{{}}, {{}}])[{lane}] | tojson }}}}",
    }


def _sensor(
    topics: Topics,
    field: str,
    name: str,
    *,
    icon: str | None = None,
    options: Sequence[str] = (),
    attributes: str | None = None,
) -> Json:
    """A sensor of one field of the state; null is shown as unknown."""
    own = _own(topics, "sensor", field) | {"name": name, "value_template": f"{{{{ value_json.{field} }}}}"}
    if icon is not None:
        own["icon"] = icon
    if options:
        own |= {"device_class": "enum", "options": list(options)}
    if attributes is not None:
        own |= {
            "json_attributes_topic": topics.state,
            "json_attributes_template": f"{{{{ {attributes} | tojson }}}}",
        }
    return own


def _binary_sensor(topics: Topics) -> Json:
    return _own(topics, "binary_sensor", "trouble") | {
        "name": "Trouble",
        "device_class": "problem",
        "entity_category": "diagnostic",
        "value_template": "{{ 'ON' if value_json.trouble else 'OFF' }}",
        "json_attributes_topic": topics.state,
        "json_attributes_template": "{{ {'devices': value_json.trouble} | tojson }}",
    }


def _own(topics: Topics, platform: str, field: str) -> Json:
    """What each sensor needs; the ids stay when players and names change.

    Home Assistant knows only `object_id` before 2025.10, and only `default_entity_id` from 2026.4 on.
    """
    own = f"{topics.table}_{field}".replace("-", "_")
    return {"platform": platform, "unique_id": own, "default_entity_id": f"{platform}.{own}", "object_id": own}


# --- the state of the table as it is published: what a sensor or an automation asks for, in one flat document ---


NO_SKUNK = "none"
"""The skunk of a game that goes on, or that ended without one."""


LONGEST_STATE = 255
"""Characters that a state of Home Assistant may have (homeassistant/const.py, MAX_LENGTH_STATE_STATE)."""


def table_state(view: View, own_name: str) -> Json:
    """The state of the table; names are those that are on the table, and null is what is not known or not so now.

    `own_name` is the device of the broker itself, whose errors it cannot be told.
    """
    game, counts, dealer = view.game, to_count(view.game), marked_dealer(view)
    return {
        "says": _cut(phase_sentence(game, awaits_cut=view.awaits_cut)),
        "game": view.id,
        "variant": game.rules.variant,
        "deal": game.standing.deal,
        "phase": None if game.standing.phase == Phase.UNKNOWN else game.standing.phase,
        "dealer": None if dealer is None else game.players[dealer],
        "counts": None if counts is None else game.players[counts.seat],
        "counts_what": None if counts is None else counts.what,
        "over": game.outcome is not None,
        "winner": _winner(game),
        "skunk": _skunk(game),
        "match": view.match.format,
        "match_winner": None if view.match.winner is None else game.lane_name(view.match.winner),
        "lanes": [_lane_state(view, lane) for lane in range(game.rules.lanes)],
        "trouble": [device.name for device in view.devices if device.trouble and device.name != own_name],
    }


def _lane_state(view: View, lane: int) -> Json:
    game = view.game
    front = game.lanes[lane].front
    return {
        "name": game.lane_name(lane),
        "score": front,
        "rear_peg": game.lanes[lane].rear,
        "to_win": game.rules.game_hole - front,
        "to_save_skunk": to_save(game.rules, front)[0],
        "skunks": 0 if game.outcome is None else game.outcome.skunks[lane],
        "games_won": view.match.games_won[lane],
        "match_points": view.match.points[lane],
    }


def _winner(game: Game) -> str | None:
    """The lane that has won by its name; None while the game goes on, and of a solitaire that fell short."""
    if game.outcome is None or game.outcome.winner is None:
        return None
    return game.lane_name(game.outcome.winner)


def _skunk(game: Game) -> str:
    """The worst skunk of a game that is over."""
    missed = 0 if game.outcome is None else max(game.outcome.skunks)
    return skunk_name(game.rules, missed) if missed else NO_SKUNK


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST_STATE else f"{text[: LONGEST_STATE - 1]}…"


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
