"""Four devices at one table, over a line that loses, delays and doubles: the sheet equals the taps, each once.

The devices keep to the rules of the queue: a tap has one id for ever; it is sent until it is answered; "moved"
is answered by a person who looked, with the same id and the newest base; a refusal ends it.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support.web_server_and_clients import Site, opened

DEVICES = range(4)
FATES = ("through", "request lost", "answer lost", "doubled", "late")
"""What the line does with a request; a late one arrives when its device has long sent it again."""

SCORES = st.tuples(st.sampled_from(DEVICES), st.integers(0, 1), st.integers(0, 3), st.sampled_from(FATES))
UNDOS = st.tuples(st.sampled_from(DEVICES), st.just("undo"), st.just(0), st.sampled_from(FATES))
LOOKS = st.tuples(st.sampled_from(DEVICES), st.just("look"), st.just(0), st.just("through"))


@dataclass
class Tap:
    """What a person meant, and what became of it: None while nobody knows, else whether it is stored."""

    body: dict[str, Any]
    stored: bool | None = None
    entry: str | None = None


@dataclass
class Line:
    """Carries requests to the table, badly."""

    site: Site
    late: list[dict[str, Any]] = field(default_factory=list)

    def carry(self, body: dict[str, Any], fate: str) -> Any:
        """The answer, or None where none came."""
        if fate == "request lost":
            return None
        if fate == "late":
            self.late.append(dict(body))
            return None
        if fate == "doubled":
            self.site.post("/api/v1/commands", body)
        answer = self.site.post("/api/v1/commands", body)
        return None if fate == "answer lost" else answer

    def bring_late(self, one: int | None = None) -> None:
        """What was late arrives after all, and nobody waits for its answer."""
        arriving = self.late if one is None else self.late[one : one + 1]
        for body in list(arriving):
            self.site.post("/api/v1/commands", body)
            self.late.remove(body)


@dataclass
class Device:
    """A phone: what it has seen, and its one tap under way."""

    site: Site
    line: Line
    ids: Iterator[str]
    state: dict[str, Any] = field(default_factory=dict)
    waiting: Tap | None = None
    taps: list[Tap] = field(default_factory=list)

    def look(self) -> None:
        """The stream is up to date."""
        self.state = self.site.get("/api/v1/state").json

    def score(self, seat: int, points: int, fate: str) -> None:
        base = self.state["lanes"][seat]["revision"]
        self._tap({"do": "score", "seat": seat, "points": points, "why": "play", "base": base}, fate)

    def undo(self, fate: str) -> None:
        if self.state["undo"] is not None:
            self._tap({"do": "undo", "entry": self.state["undo"]}, fate)

    def _tap(self, body: dict[str, Any], fate: str) -> None:
        self.settle()  # taps of one phone go out in their order
        self.waiting = Tap({"id": next(self.ids), "game": self.state["game"]["id"]} | body)
        self.taps.append(self.waiting)
        self.send(fate)

    def send(self, fate: str) -> None:
        tap = self.waiting
        if tap is None:
            return
        answer = self.line.carry(tap.body, fate)
        if answer is None:
            return
        assert answer.status in {200, 201, 409, 422}, answer.body
        if answer.status == 409 and answer.json["code"] == "moved":
            self.state = answer.json["state"]
            tap.body["base"] = self.state["lanes"][tap.body["seat"]]["revision"]
            return  # the person has looked, and says yes
        tap.stored, self.waiting = answer.status < 300, None
        if tap.stored:
            tap.entry = answer.json["entry"]
            self.state = answer.json["state"]

    def settle(self) -> None:
        """Try again until the tap is answered."""
        while self.waiting is not None:
            self.send("through")


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with opened(tmp_path_factory.mktemp("four")) as site:
        yield site


_ids = (f"four-clients-tap-{number:08}" for number in count())


def play(site: Site, steps: list[tuple[int, Any, int, str]], stragglers: list[int]) -> list[Device]:
    """Let the four play so, and everything arrive in the end."""
    assert site.on_board("start", variant="standard", players=["Ann", "Bob"], replaces=site.game).status == 201
    line = Line(site)
    devices = [Device(site, line, _ids) for _ in DEVICES]
    for device in devices:
        device.look()
    for number, (who, what, points, fate) in enumerate(steps):
        device = devices[who]
        match what:
            case "look":
                device.look()
            case "undo":
                device.undo(fate)
            case seat:
                device.score(seat, points, fate)
        if number < len(stragglers) and line.late:
            line.bring_late(stragglers[number] % len(line.late))
    for device in devices:
        device.settle()
    line.bring_late()
    return devices


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    steps=st.lists(st.one_of(SCORES, SCORES, UNDOS, LOOKS), min_size=4, max_size=24),
    stragglers=st.lists(st.integers(0, 5), max_size=24),
)
def test_the_sheet_equals_the_taps_whatever_the_line_does(
    house: Site, steps: list[tuple[int, Any, int, str]], stragglers: list[int]
):
    devices = play(house, steps, stragglers)
    taps = [tap for device in devices for tap in device.taps]
    assert all(tap.stored is not None for tap in taps), "every tap is answered in the end"
    scores = {tap.entry: tap.body for tap in taps if tap.body["do"] == "score" and tap.stored}
    undone = {tap.body["entry"] for tap in taps if tap.body["do"] == "undo" and tap.stored}
    sheet = house.get("/api/v1/sheet").json["entries"]
    told = {line["id"]: (line["seat"], line["points"]) for line in sheet}
    assert told == {entry: (body["seat"], body["points"]) for entry, body in scores.items()}
    assert len(scores) == sum(tap.body["do"] == "score" and bool(tap.stored) for tap in taps), "no two share a line"
    assert {line["id"] for line in sheet if not line["stands"]} == undone
    standing = [(line["seat"], line["points"]) for line in sheet if line["stands"]]
    assert house.fronts == [sum(points for whose, points in standing if whose == seat) for seat in (0, 1)]
    order = {line["id"]: place for place, line in enumerate(sheet)}
    for device in devices:
        own = [order[tap.entry] for tap in device.taps if tap.body["do"] == "score" and tap.stored]
        assert own == sorted(own, reverse=True), "the taps of one device stand in their order"
