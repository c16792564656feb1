"""MQTT publisher for Home Assistant: the table's state, availability and discovery, over a broker session.

Everything is published retained with QoS 1, and again after each reconnect. So new subscribers, and a broker that has
lost its retained messages, get the newest state at once. Nothing is queued while disconnected.
"""

import json
import logging
import re
import secrets
import ssl
import time
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256

from pegboard.config import MqttSettings
from pegboard.core.board import Game
from pegboard.core.position import Phase
from pegboard.core.rules import MOST_LANES
from pegboard.core.sentences import SKUNKS, marked_dealer, phase_sentence, skunk_name, to_count
from pegboard.core.view import View
from pegboard.core.view_as_json import to_save
from pegboard.core.wire import Json
from pegboard.devices.health import Health
from pegboard.errors import DeviceError
from pegboard.feed import Feed
from pegboard.install.program_version import program_version
from pegboard.messages import Message
from pegboard.mqtt.broker_session import (
    PORT,
    TLS_PORT,
    BrokerAddress,
    BrokerSession,
    Delivery,
    Publication,
    hide_password,
    note_trouble,
    read_password,
    tls_context,
)

# --- Home Assistant discovery: one device with its sensors ---
#
# The document is that of device discovery (https://www.home-assistant.io/integrations/mqtt/#mqtt-discovery), which Home
# Assistant reads since 2024.11.


ONLINE, OFFLINE = "online", "offline"
"""The payloads of the availability topic, as Home Assistant expects them."""

HASH_LETTERS = 8
"""Hexadecimal digits of the hash that distinguishes names whose characters an identifier cannot contain."""


@dataclass(frozen=True, slots=True)
class Topics:
    """The topics of a table.

    Attributes:
        table: the table's name as an identifier: lower-case ASCII letters, digits, `_` and `-`.
        root: the parent topic of the table's state and availability.
        discovery: the discovery topic of Home Assistant, or "" for none.
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
        """The topic in which tables with the same identifier detect each other; nothing is retained in it."""
        return f"{self.prefix}/{self.table}/present"

    @property
    def availability(self) -> str:
        """The topic with the availability of the table: `ONLINE` or `OFFLINE`."""
        return f"{self.root}/availability"


def topics_of(name: str, prefix: str, discovery_prefix: str) -> Topics:
    """The topics of the table called `name`, under these prefixes; an empty `discovery_prefix` turns discovery off."""
    table = _identifier(name)
    own = table if table.startswith("pegboard") else f"pegboard-{table}"
    discovery = f"{discovery_prefix}/device/{own}/config" if discovery_prefix else ""
    return Topics(own, f"{prefix}/{table}", discovery, prefix)


def _identifier(name: str) -> str:
    """A name in lower-case ASCII letters, digits, `_` and `-`; if that loses characters, plus a hash of the name."""
    plain = " ".join(unicodedata.normalize("NFC", name).lower().split())
    letters = "".join(sign for sign in unicodedata.normalize("NFKD", plain) if not unicodedata.combining(sign))
    slug = re.sub(r"[^a-z0-9_-]+", "-", letters).strip("-")
    if re.fullmatch(r"[a-z0-9_ -]+", plain) and slug:
        return slug
    return "-".join(filter(None, (slug, sha256(plain.encode()).hexdigest()[:HASH_LETTERS])))


def discovery_document(topics: Topics, name: str, lanes: Sequence[str], url: str | None) -> Json:
    """The discovery document: the device and its sensors.

    Args:
        topics: the topics of the table.
        name: the display name of the device.
        lanes: the names of the lanes of the running game; sensors of other lanes are removed.
        url: the address of the table's pages, or None if others cannot reach them.
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
    return "abcd"[lane]


def _score(topics: Topics, lane: int, lanes: Sequence[str]) -> Json:
    """The score sensor of a lane; if the game has no such lane, only its platform, which removes the sensor."""
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
        "json_attributes_template": f"{{{{ (value_json.lanes + [{{}}, {{}}, {{}}])[{lane}] | tojson }}}}",
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
    """The fields that each sensor needs; its ids do not depend on the players and their names.

    Home Assistant knows only `object_id` before 2025.10, and only `default_entity_id` from 2026.4 on.
    """
    own = f"{topics.table}_{field}".replace("-", "_")
    return {"platform": platform, "unique_id": own, "default_entity_id": f"{platform}.{own}", "object_id": own}


# --- published state of the table: one flat document for sensors and automations ---


NO_SKUNK = "none"
"""The skunk of a game that is running, or that ended without one."""

LONGEST_STATE = 255
"""Maximum characters of a state in Home Assistant (homeassistant/const.py, MAX_LENGTH_STATE_STATE)."""


def table_state(view: View, own_name: str) -> Json:
    """The state of the table, with the players' names; values are null if unknown or not applicable now.

    `own_name` is the broker connection's name in the list of devices, as its errors cannot be published.
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
    """The name of the winning lane; None while the game is running, and for a solitaire that fell short."""
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
"""The publisher's name in the list of devices."""

NOT_IN_HOST_NAME = re.compile(r"[/@\s\[\]]|^[^:]*:[^:]*$")
"""A pattern that a broker's host name or address must not match: parts of a URL, whitespace, brackets, or a port."""

KEEPALIVE_S = 30
"""MQTT keep-alive interval in seconds: after this much silence each side pings the other."""

TWIN_S = 20.0
"""Seconds between checks whether another table, once detected, still publishes under the same name."""

log = logging.getLogger("pegboard")


class MqttPublisher:
    """Follows the feed, and publishes the table's retained state, its availability and its discovery."""

    def __init__(
        self,
        settings: MqttSettings,
        host_name: str,
        url: Callable[[], str | None],
        on_health: Callable[[], None],
    ) -> None:
        """Prepare the publisher; it connects on `start`.

        Args:
            settings: the broker, and the table's name in its topics.
            host_name: the table's name if the settings have none.
            url: returns the address of the table's pages for others on the network, or None; it may block.
            on_health: called when the health has changed.

        Raises:
            DeviceError: paho-mqtt is missing, a file in the settings cannot be read, or the broker is not a host.
        """
        self._name = settings.table or host_name
        self._topics = topics_of(self._name, settings.prefix.strip("/"), settings.discovery.strip("/"))
        self._url, self._on_health = url, on_health
        address = _address_of(settings)
        self._health = Health(NAME, str(address), ok=False, trouble=Message("trouble_mqtt_begins"))
        self._view: View | None = None
        self._instance_token = secrets.token_hex(8).encode()  # tells this program from another with the same name
        self._twin_heard: float | None = None
        self._presence_said = 0.0
        self._session = BrokerSession(
            address,
            self,
            will=self._retained(self._topics.availability, OFFLINE),
            keepalive_s=KEEPALIVE_S,
            make_tls=_tls_of,
            troubles=("trouble_mqtt_silent", "trouble_mqtt_refused"),
            work=self._publish_news,
        )

    @property
    def health(self) -> Health:
        """Whether the broker has the state, or why not. Never blocks."""
        return self._health

    @property
    def topics(self) -> Topics:
        """The topics of the table."""
        return self._topics

    def start(self, feed: Feed) -> Callable[[], None]:
        """Publish every new view; the returned function publishes that the table is offline, and stops."""
        self._view = feed.view
        leave = feed.follow(self._show)
        self._session.start()

        def stop() -> None:
            leave()
            self._session.stop(self._retained(self._topics.availability, OFFLINE))

        return stop

    def _show(self, view: View) -> None:
        self._view = view
        self._session.wake()

    # --- called in the session's threads ---

    def note_connection(self) -> None:
        """Report a new connection, and look for another table with the same name over it."""
        self._mark_ok()
        log.info("publishing the table to %s under %s", self._health.about, self._topics.root)
        self._session.subscribe(self._topics.presence)
        self._publish_presence()

    def note_delivery(self, delivery: Delivery) -> None:
        """Note that another table publishes under the same name."""
        if delivery.payload != self._instance_token:
            self._twin_heard = time.monotonic()
            self._session.wake()

    def note_loss(self, trouble: Message) -> None:
        """Report trouble: no connection, or another table with the same name."""
        self._health = note_trouble(self._health, trouble, time.time(), is_retry=True)
        self._on_health()

    def _mark_ok(self) -> None:
        self._health = self._health.mark_ok(self._health.about)
        self._on_health()

    def _publish_news(self) -> float | None:
        """Publish what has changed; returns the seconds until the next check for another table."""
        view = self._view
        assert view is not None
        names = [view.game.lane_name(lane) for lane in range(view.game.rules.lanes)]
        if self._topics.discovery:
            device = discovery_document(self._topics, self._name, names, self._url())
            self._publish(self._topics.discovery, json.dumps(device, ensure_ascii=False))
        self._publish(self._topics.state, json.dumps(table_state(view, NAME), ensure_ascii=False))
        self._publish(self._topics.availability, ONLINE)
        self._check_for_duplicate()
        return None if self._twin_heard is None else TWIN_S

    def _publish(self, topic: str, text: str) -> None:
        self._session.publish_change(self._retained(topic, text))

    @staticmethod
    def _retained(topic: str, text: str) -> Publication:
        return Publication(topic, text.encode(), 1, retain=True)

    def _check_for_duplicate(self) -> None:
        """Report another table that publishes under the same name, until it has been silent for a while."""
        heard, now = self._twin_heard, time.monotonic()
        if heard is None:
            return
        if now - heard > 3 * TWIN_S:
            self._twin_heard = None
            self._mark_ok()
            return
        if self._health.ok or now - self._presence_said >= TWIN_S:  # a twin that connected later has heard nothing yet
            self._publish_presence()
        if self._health.ok:
            self.note_loss(Message("trouble_mqtt_twin", id=self._topics.table))

    def _publish_presence(self) -> None:
        self._session.publish(Publication(self._topics.presence, self._instance_token))
        self._presence_said = time.monotonic()


def _address_of(settings: MqttSettings) -> BrokerAddress:
    """The broker and the credentials in the settings.

    Raises:
        DeviceError: the password cannot be read, or the broker is not a host.
    """
    if NOT_IN_HOST_NAME.search(settings.broker):
        raise DeviceError("trouble_mqtt_broker", broker=repr(hide_password(settings.broker)))
    port = settings.port or (TLS_PORT if settings.tls else PORT)
    has_password = settings.user and settings.password_file
    password = read_password(settings.password_file, "mqtt.password_file") if has_password else None
    return BrokerAddress(settings.broker, port, settings.tls, settings.user, password, ca_file=settings.ca_file)


def _tls_of(address: BrokerAddress) -> ssl.SSLContext | None:
    """The TLS context; it accepts homemade certificates, even if Python 3.13 refuses them by default.

    Raises:
        DeviceError: the file of trusted certificates cannot be read.
    """
    try:
        context = tls_context(address)
    except DeviceError as error:
        raise DeviceError("trouble_mqtt_file", setting="mqtt.ca_file", **error.message.values) from error
    if context is not None:
        context.verify_flags = ssl.VerifyFlags.VERIFY_X509_TRUSTED_FIRST
    return context
