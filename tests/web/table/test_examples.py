"""The evening of the document's examples can be played, and the table then stands as the example says."""

from collections.abc import Callable
from typing import Any

from pegboard.core.view import Device
from pegboard.messages import Message
from tests.support.web_server_and_clients import Answer, Site
from web.table import openapi_document

BOB_WINS_THE_FIRST = [(0, 24)] * 4 + [(0, 10)] + [(1, 24)] * 5 + [(1, 1)]  # 121 to 106

TWO = {"variant": "standard", "players": ["Ann", "Bob"]}


def stored(answer: Answer) -> None:
    assert answer.status == 201, answer.json


def play_the_evening(site: Site) -> None:
    """Bob wins the first game; in the second, Ann's hand is put right twice and Bob gets two for a misdeal."""
    stored(site.on_board("start_match", **TWO, format="best of 3", dealer=0, replaces=site.game, game=...))
    for seat, points in BOB_WINS_THE_FIRST:
        stored(site.score(seat, points))
    stored(site.on_board("start", **TWO, dealer=0, game=...))
    for seat, points, why in [(1, 2, "play"), (0, 1, "go"), (1, 5, "hand"), (0, 4, None), (0, 0, "crib")]:
        stored(site.score(seat, points, why=why))
    stored(site.score(0, 1, why="go"))
    stored(site.score(0, 5, why="hand"))
    stored(site.command(do="amend", entry="7", points=6, was=5))
    stored(site.on_lane("penalty", 1, points=2, note="misdeal"))
    stored(site.command(do="over_peg", entry="7", points=4, was=6))
    site.scoreboard.keys.dial(1, 2)
    site.scoreboard.set_devices(
        (Device("OLED"), Device("LED strip", Message("device_no_answer", error="Input/output error")), Device("keys"))
    )


def lasting(values: Any) -> Any:
    """What is the same on every evening: neither hours, sources nor drawn ids."""
    if isinstance(values, list):
        return [lasting(one) for one in values]
    if not isinstance(values, dict):
        return values
    drawn = {"at", "source", "epoch"} | ({"id"} if {"format", "variant"} & set(values) else set())
    return {name: lasting(one) for name, one in values.items() if name not in drawn}


def names(values: Any) -> Any:
    """The names of all fields, in their places."""
    if isinstance(values, list):
        return [names(one) for one in values]
    return {name: names(one) for name, one in values.items()} if isinstance(values, dict) else None


def test_the_evening_of_the_examples_can_be_played(serve: Callable[..., Site]):
    site = serve(house=("muggins=on", "misdeal=2"))
    play_the_evening(site)
    state = site.get("/api/v1/state").json
    assert lasting(state) == lasting(openapi_document.STATE)
    assert names(state) == names(openapi_document.STATE)
