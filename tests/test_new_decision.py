"""A new decision of an event needs its fact, its class and its line in the list: a copy of the program is given one.

What is added here is what docs/develop.md tells to add; everything else, from the request's check to the log and undo,
must follow from the class.
"""

import json
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from pegboard.tournament.night.decide import fold
from pegboard.tournament.night.decisions import from_row
from pegboard.tournament.night.facts import UnknownDecision
from tests.support.hub_site import Client

ROOT = Path(__file__).parent.parent

FACT = '''
@dataclass(frozen=True, slots=True)
class DoorPrizeWon(Decision):
    """A player won a door prize."""

    player: PlayerId
    prize: str


'''

DECISION = '''

@decision("door_prize", facts.DoorPrizeWon, about="player", needs_base=True, example={"player": "p2", "prize": "board"})
class GiveDoorPrize(Request):
    """Give a door prize to a player; everyone is told."""

    player: request_fields.PlayerRef
    prize: Annotated[str, request_fields.text("the prize", least=1, most=40)]

    def topics(self) -> Iterable[str]:
        """The prize."""
        return (f"prize {self.prize}",)

    @staticmethod
    def check(night: Night, fact: facts.DoorPrizeWon) -> None:
        """Refuse an unknown player."""
        require_player(night, fact.player)

    @staticmethod
    def apply(night: Night, fact: facts.DoorPrizeWon, number: int) -> Night:
        """The event with an announcement."""
        words = facts.Announced(f"{night.name(fact.player)} won: {fact.prize}")
        return replace(night, announcements=(*night.announcements, (number, words)))

    @staticmethod
    def changes(fact: facts.DoorPrizeWon) -> Iterable[str]:
        """The prize."""
        return (f"prize {fact.prize}",)

    @staticmethod
    def say(night: Night, fact: facts.DoorPrizeWon) -> Message:
        """The player and the prize."""
        return Message("night_did_announce", words=f"{night.name(fact.player)}: {fact.prize}")
'''

ADDED = {
    "facts.py": [("# --- announcements, undo, unknown decisions ---\n", FACT)],
    "people.py": [("", DECISION)],
    "decisions.py": [("    evening.Announce,\n", "    people.GiveDoorPrize,\n")],
}
"""What is put into which file before which text; at its end, if that is empty."""


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """The program with one decision more."""
    folder = tmp_path_factory.mktemp("copy")
    for room in ("pegboard", "web", "hardware"):
        shutil.copytree(ROOT / room, folder / room)  # with what is compiled already
    for name, changes in ADDED.items():
        path = folder / "pegboard" / "tournament" / "night" / name
        text = path.read_text("utf-8")
        for place, added in changes:
            assert not place or text.count(place) == 1, f"{name}: {place!r}"
            text = text.replace(place, added + place) if place else text + added
        path.write_text(text, "utf-8")
    return folder


class Hub:
    """A hub of the copy, without a broker."""

    def __init__(self, copy, state):
        program = ["env", f"PYTHONPATH={copy}", sys.executable, "-P", "-m", "pegboard", "hub", "--state", str(state)]
        program += ["--host", "127.0.0.1", "--port", "0", "--broker", "mqtt://127.0.0.1:9"]
        self.process = subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        said = [self.process.stdout.readline() for _ in range(4)]
        self.client = Client(int(said[2].rpartition(":")[2].strip("/\n")))
        code = said[3].partition("/j/")[2].split(" ")[0]
        assert self.client.post("/night/v1/pair", code=code).status == 200, said

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.process.stdout.close()


def decide(client, night, tap, **values):
    return client.post("/night/v1/decisions", id=tap.ljust(22, "-"), night=night, **values)


def test_a_new_decision_touches_its_fact_its_class_and_the_list_alone(copy, tmp_path):
    with Hub(copy, tmp_path / "hub") as hub:
        club = {"name": "Thursday club", "date": "2026-11-26"}
        night = hub.client.post("/night/v1/nights", id="open-this-event-now---", **club).json["night"]
        for name in ("Ann", "Bob"):
            assert decide(hub.client, night, f"enter-{name}", do="enter", name=name, walk_up=True).status == 201
        prize = {"do": "door_prize", "player": "p2", "prize": "a board"}
        assert decide(hub.client, night, "nobody", **prize | {"player": "p9"}).json["key"] == "night_no_player"
        refused = decide(hub.client, night, "no-prize", **prize | {"prize": ""}).json
        assert refused["detail"] == "`prize` must be the prize, a text of 1 to 40 characters"
        assert [decide(hub.client, night, "a-prize", **prize, base=3).status for _ in range(2)] == [201, 200]
        assert decide(hub.client, night, "late", **prize | {"player": "p1"}, base=3).json["key"] == "night_moved"
        seen = hub.client.get(f"/night/v1/{night}/director").json
        assert [one["text"] for one in seen["announcements"]] == ["Bob won: a board"]
    with Hub(copy, tmp_path / "hub") as hub:
        assert b"Bob: a board" in hub.client.get(f"/night/v1/{night}/audit").body
        rows = json.loads(hub.client.get(f"/night/v1/{night}/files/night.json").body)["decisions"]
        assert decide(hub.client, night, "undo-it", do="undo", number=4).status == 201
        assert hub.client.get(f"/night/v1/{night}/director").json["announcements"] == []
    listed_only(rows)


def listed_only(rows):
    """A version without the decision lists it, and everything else is as it was."""
    stored = [from_row(row) for row in rows]
    assert [one.number for one in stored if isinstance(one.decision, UnknownDecision)] == [4]
    state = fold(stored)
    assert (sorted(state.players), state.announcements) == (["p1", "p2"], ())
