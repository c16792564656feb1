"""What Home Assistant is told so that it shows the table by itself: one device with its sensors.

The document is that of device discovery (https://www.home-assistant.io/integrations/mqtt/#mqtt-discovery), which Home
Assistant reads since 2024.11.
"""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

from pegboard.core.position import Phase
from pegboard.core.sentences import SKUNKS
from pegboard.core.wire import Json
from pegboard.install.program_version import program_version
from pegboard.mqtt.published_state import NO_SKUNK

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
