"""The API of the workbench (simulated hardware of mock mode): its picture, keys, plugs and device faults."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Literal, cast

from flask import Response, request

from pegboard.errors import DeviceError, PegboardError
from pegboard.messages import Message
from pegboard.values import Takes
from web.access import sessions
from web.http.problems import Problem
from web.kit.documented_endpoints import (
    ANY_REFUSALS,
    BODY_REFUSALS,
    DocumentedBlueprint,
    Loaded,
    RequestBody,
    ResponseDoc,
    json_object,
    json_response,
    load,
)
from web.table.program_parts import Bench, parts

workbench = DocumentedBlueprint("bench", "The bench of simulated hardware.", prefix="/bench")


@dataclass(frozen=True, slots=True)
class PressRequest:
    """A request to press or release a key of the bench."""

    key: Annotated[str, Takes(words="the name of a key, such as a1, undo or deal", least=1, most=32)]
    level: Annotated[Literal["down", "up"], '"down" or "up"']


@dataclass(frozen=True, slots=True)
class PlugRequest:
    """A request to plug in or unplug a device of the bench."""

    device: Annotated[str, Takes(words="the name of a device on the bench", least=1, most=32)]
    plugged: Annotated[bool, "true or false"]


@dataclass(frozen=True, slots=True)
class FaultRequest:
    """A request to turn a fault of a device of the bench on or off."""

    device: Annotated[str, Takes(words="the name of a device on the bench", least=1, most=32)]
    fault: Annotated[str, Takes(words="the name of a fault of the device", least=1, most=32)]
    on: Annotated[bool, "true or false"]


@workbench.view(
    "GET",
    "",
    answers={200: ResponseDoc("Panel, strip, keys and buses", {"type": "object"})},
    refuses=(*ANY_REFUSALS, "not_paired"),
)
def picture() -> Response:
    """The picture of the simulated hardware; only for clients that can see the pairing code, which is on the panel."""
    sessions.require_code_viewer(request)
    return json_response(_bench().picture())


@workbench.view(
    "POST",
    "/keys",
    takes=RequestBody(PressRequest, {"press": {"key": "a1", "level": "down"}}),
    answers={204: ResponseDoc("The key moved")},
    refuses=BODY_REFUSALS,
)
def keys() -> Response:
    """Press or release a key."""
    wish = _load(PressRequest, "a key")
    return _do(lambda: _bench().press(wish.key, wish.level))


@workbench.view(
    "POST",
    "/plugs",
    takes=RequestBody(PlugRequest, {"pull": {"device": "OLED", "plugged": False}}),
    answers={204: ResponseDoc("Plugged in or unplugged")},
    refuses=BODY_REFUSALS,
)
def plugs() -> Response:
    """Plug in or unplug a device."""
    wish = _load(PlugRequest, "a plug")
    return _do(lambda: _bench().plug(wish.device, wish.plugged))


@workbench.view(
    "POST",
    "/fault",
    takes=RequestBody(FaultRequest, {"hang": {"device": "OLED", "fault": "hang", "on": True}}),
    answers={204: ResponseDoc("The fault is on or off")},
    refuses=BODY_REFUSALS,
)
def fault() -> Response:
    """Turn a fault of a device on or off."""
    wish = _load(FaultRequest, "a fault")
    return _do(lambda: _bench().fault(wish.device, wish.fault, wish.on))


def _bench() -> Bench:
    return cast("Bench", parts().bench)  # these views are only registered with a bench


def _load(kind: type[Loaded], what: str) -> Loaded:
    sessions.require_scorer(request)
    return load(kind, json_object(request), what)


def _do(act: Callable[[], None]) -> Response:
    try:
        act()
    except (DeviceError, ValueError) as error:
        message = error.message if isinstance(error, PegboardError) else Message("verbatim", text=error)
        raise Problem(422, "shape", message) from error
    return Response(status=204, headers={"Cache-Control": "no-store"})
