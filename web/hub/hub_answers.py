"""Types of a hub's API responses except views (events, devices, codes, joining, packages, imports), and its errors."""

from typing import Annotated, Literal, NotRequired, TypedDict

from pegboard.messages import Message
from pegboard.tournament.night.views.actions import SaidJson
from pegboard.tournament.night.views.view_types import EventAlarmJson, LogLineJson, Phase, TableCallJson
from pegboard.values import Takes
from web.access.invitation import QrJson
from web.kit.openapi_writer import COMMON_ELSEWHERE, COMMON_REFUSALS, TOO_MANY_VIEWERS, Api, ProblemDetailsJson

# --- events ---


class CallsJson(TypedDict):
    """The open calls of an event."""

    calls: Annotated[list[TableCallJson], "oldest first"]


class AlarmsJson(TypedDict):
    """The alarms of an event."""

    alarms: Annotated[list[EventAlarmJson], "the alarms that nobody has dismissed, oldest first"]


class StoredJson(TypedDict):
    """The outcome of a decision."""

    number: Annotated[int, "the decision's number in the log"]
    revision: Annotated[int, "the event's revision after the decision"]
    replayed: Annotated[bool, "whether the same request was stored before"]
    player: NotRequired[Annotated[str, "the id of the player that the decision added"]]


class EventLineJson(TypedDict):
    """An event in the list."""

    night: Annotated[str, "its id"]
    name: str
    date: Annotated[str, "such as 2026-11-26"]
    phase: Phase
    ended: bool


class EventsJson(TypedDict):
    """All events."""

    nights: Annotated[list[EventLineJson], "latest date first"]


class EventIdJson(TypedDict):
    """An event's id."""

    night: str


class CarriedJson(TypedDict):
    """Money carried over from earlier events."""

    carried: Annotated[dict[str, int], "cents that pots of earlier events left, by kind of pot"]


class LogJson(TypedDict):
    """The whole log of an event."""

    audit: Annotated[list[LogLineJson], "newest first"]


# --- joining: directors, players and tables ---


class AddressJson(TypedDict):
    """The address of a page, for phones."""

    url: str
    host: Annotated[str, "the hub's name or address to type"]
    reach: Annotated[
        Literal["network", "machine", "offline"],
        "who can reach it: everyone on the network, or only this machine, by its settings or while it is offline",
    ]
    qr: Annotated[QrJson | None, "null if phones cannot reach that address"]
    command: Annotated[str | None, "the command that starts a hub which phones can reach, or null"]


class CodePageJson(AddressJson):
    """A code, with the address and QR code of its page."""

    code: str


class DirectorCodeJson(CodePageJson):
    """A code for a director."""

    until: Annotated[int, "valid until, in seconds since 1970"]


class DoorJson(CodePageJson):
    """The check-in code of this minute."""

    until: Annotated[int, "when it changes next, in milliseconds since 1970"]


class RoleJson(TypedDict):
    """The role of a device."""

    role: Literal["director", "viewer"]


class OwnRoleJson(RoleJson):
    """The role of a device, and whether the hub is open."""

    open: Annotated[bool, "whether everyone is a director without pairing"]


class DirectorsDeviceJson(TypedDict):
    """A director's device."""

    device: Annotated[str, "the id for `/night/v1/unpair`"]
    label: Annotated[str, "its system and browser; empty if unknown"]
    this: Annotated[bool, "whether it is the device making this request"]


class DirectorsJson(TypedDict):
    """The devices of directors."""

    directors: list[DirectorsDeviceJson]


class PlayersPhoneJson(TypedDict):
    """The player to whom the phone is now assigned."""

    night: Annotated[str, "the event's id"]
    player: Annotated[str, "the player's id"]


class GuestJson(TypedDict):
    """A player on the roster."""

    player: Annotated[str, "the player's id"]
    name: str


class GuestsJson(TypedDict):
    """An event, as people at check-in see it."""

    name: Annotated[str, "the event's name"]
    format: Annotated[str, "what an entry is: singles, pairs or teams"]
    players: Annotated[list[GuestJson], "the players who are not here yet"]


class NamedJson(TypedDict):
    """The event that a table joined."""

    id: str
    name: str


class PlaceJson(TypedDict):
    """A table's place."""

    id: Annotated[str, "the table's id"]
    label: Annotated[str, "its name for people"]


class BrokerJson(TypedDict):
    """The MQTT broker for a table."""

    url: str
    user: str
    password: str
    ca: Annotated[str | None, "the certificate of its authority in PEM; null if it needs none"]


class JoinedJson(TypedDict):
    """The data that a table needs to take part in an event."""

    v: Annotated[int, "the version of this response"]
    hub: Annotated[str, "the hub's address"]
    event: NamedJson
    table: PlaceJson
    broker: BrokerJson
    key: Annotated[str, "the key that seals the table's result codes, in hexadecimal"]


# --- files ---


class PackageJson(TypedDict):
    """The content of a package, and how far it can be trusted."""

    event: Annotated[str | None, "the event's id at its hub"]
    name: Annotated[str | None, "the event's name"]
    date: Annotated[str | None, "such as 2026-11-26"]
    finished: Annotated[bool, "whether the event had ended"]
    digest: Annotated[str, "the SHA-256 of the content, in hexadecimal"]
    fingerprint: Annotated[str, "the fingerprint of the key that signed it"]
    signer: Annotated[str, "the name of the hub that signed it, as it is known here; otherwise empty"]
    known: Annotated[bool, "whether that hub is known here"]
    margins: Annotated[int, "margins that were computed again from score sheets"]
    departures: Annotated[list[SaidJson], "what differs from today's rules or from the score sheets"]
    new: Annotated[bool, "whether it was not stored before"]


class ImportedJson(TypedDict):
    """The outcome of an import."""

    kind: Literal["roster", "results"]
    entered: Annotated[int, "imported lines"]
    faults: Annotated[list[SaidJson], "lines that were not imported, and why"]
    notes: Annotated[list[SaidJson], "things to check"]


# --- errors ---


REFUSALS = COMMON_REFUSALS | {
    "wrong_code": (403, Message("desk_director_code")),
    "role": (403, Message("night_director_only")),
    "hub_unknown": (403, Message("package_hub_unknown", fingerprint="2f1c 77b0 9a3e d514")),
    "wrong_code 404": (404, Message("desk_seat_unknown")),
    "no_night": (404, Message("desk_no_night", night="2026-11-26-kx4m")),
    "no_player": (404, Message("desk_no_such_player")),
    "no_device": (404, Message("no_such_device", device="'9f2c07d1e4b85a36'")),
    "no_view": (404, Message("desk_no_view", view="phone")),
    "not_found": (404, Message("hub_no_page", path="/night/v1/packages/0")),
    "already": (409, Message("night_is_here", name="Ann")),
    "moved": (409, Message("night_moved", number=7)),
    "here": (409, Message("desk_here_already", name="Ann")),
    "name_twice": (409, Message("desk_name_twice", name="Ann")),
    "no_broker": (409, Message("desk_no_broker")),
    "code_gone": (410, Message("desk_seat_gone")),
    "shape": (422, Message("desk_id")),
    "rule": (422, Message("night_registration_closed", name="Ann")),
    "id_reused": (422, Message("desk_id_reused", id="Qm7vX2nLw0aTz5RkD1sYbg")),
    "result_code": (422, Message("result_code_damaged")),
    "package": (422, Message("package_digest")),
    "busy": (503, Message("try_again_in", full=Message("desk_packages_busy"), seconds=2)),
    "hub": (503, Message("verbatim", text="the database does not answer")),
    "hub_key": (503, Message("package_key_unreadable", path="/var/lib/pegboard/hub_key.hex", error="disk I/O error")),
    "no_cryptography": (503, Message("package_no_cryptography", command="apt install python3-cryptography")),
    "too_many_viewers": TOO_MANY_VIEWERS,
}
"""Errors by code, each with its status and an example message."""

ELSEWHERE = COMMON_ELSEWHERE | {
    "method": (405, Message("method", method="PUT", path="/night/v1/decisions", methods="OPTIONS, POST")),
}
"""Errors outside the documented routes: unknown method or invalid request."""

CODES = tuple(sorted({name.partition(" ")[0] for name in (*REFUSALS, *ELSEWHERE)}))


class HubProblemJson(ProblemDetailsJson):
    """Problem details (RFC 9457)."""

    code: Annotated[str, Takes(words="a stable word for programs", one_of=CODES)]
    rule: NotRequired[Annotated[str, "the rule's place on a table's rules page, if there is one"]]


HUB_API = Api(
    {
        "description": (
            "A hub: events with their players, tables and results. Anyone can see an event; decisions need the cookie"
            " of a director (`POST /night/v1/pair`) or of a player's phone (`POST /night/v1/door` or `/night/v1/card`)."
        ),
        "license": {"name": "MIT", "identifier": "MIT"},
        "title": "pegboard hub",
        "version": "1",
    },
    REFUSALS | ELSEWHERE,
    HubProblemJson,
)
