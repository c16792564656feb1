"""A new command needs its row, its decision and its step in the replay: a copy of the program is given one.

What is added here is what docs/develop.md tells to add; everything else, from the request's check to the document of
the API, must follow from the table.
"""

import json
import re
import shutil
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from tests.support.program import Service

ROOT = Path(__file__).parent.parent

CLASSES = '''
@dataclass(frozen=True, slots=True)
class GiveHoles:
    """Give `holes`, 1 to 10, to `seat`, as when children play."""

    seat: Seat
    holes: int


@dataclass(frozen=True, slots=True)
class HolesGiven:
    """The front peg of `lane` was given `holes`."""

    lane: int
    holes: int
    seat: Seat | None = None


'''

ROW = """    CommandRow(
        "give_holes",
        GiveHoles,
        HolesGiven,
        Base.LANE,
        Who.DIRECTOR_WHEN_STRICT,
        own_fields={"seat": fields.seat("the seat that is given holes"), "holes": fields.points(1, 10)},
        example={"seat": 1, "holes": 5, "base": 3},
    ),
"""

DECISION = '''

@decides(GiveHoles)
def give_holes(game: Game, asked: GiveHoles) -> HolesGiven:
    """Judge that a player is given holes."""
    check_running(game)
    return HolesGiven(game.rules.lane_of(require_seat(game.rules, asked.seat)), asked.holes, asked.seat)
'''

STEP = """        case HolesGiven(lane, holes):
            return _put(lanes, lane, lanes[lane].leapfrog(holes, rules.game_hole))
"""

ADDED = {
    "pegboard/core/moves.py": [
        ("before", "Award: TypeAlias", CLASSES),
        ("instead", "\nRuling: TypeAlias = ", "\nRuling: TypeAlias = HolesGiven | "),
        ("instead", "Command: TypeAlias = (\n", "Command: TypeAlias = (\n    GiveHoles |\n"),
        ("before", '    CommandRow(\n        "abandon"', ROW),
    ],
    "pegboard/core/decisions.py": [
        ("before", "from pegboard.core.names", "from pegboard.core.moves import GiveHoles, HolesGiven\n"),
        ("before", "\n\n@decides(Abandon)", DECISION),
    ],
    "pegboard/core/replay.py": [
        ("before", "from pegboard.core.position", "from pegboard.core.moves import HolesGiven\n"),
        ("before", "        case PeggedBack(lane, holes):\n", STEP),
        ("instead", "PointsRuling | PeggedBack | PegsSet\n", "PointsRuling | PeggedBack | PegsSet | HolesGiven\n"),
    ],
}
"""What is put into which file before, or instead of, which text."""


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """The program with one command more."""
    folder = tmp_path_factory.mktemp("copy")
    for room in ("pegboard", "web", "hardware"):
        shutil.copytree(ROOT / room, folder / room)  # with what is compiled already
    for name, changes in ADDED.items():
        path = folder / name
        text = path.read_text("utf-8")
        for way, place, added in changes:
            assert text.count(place) == 1 or way == "before", f"{name}: {place!r}"
            text = text.replace(place, added + place if way == "before" else added, 1)
        path.write_text(text, "utf-8")
    return folder


def pegboard(copy, command, state, *options):
    program = ["env", f"PYTHONPATH={copy}", sys.executable, "-P", "-m", "pegboard"]
    return [*program, command, "--state", str(state), *options]


def run(copy, state):
    return Service(
        state, command=pegboard(copy, "run", state, "--mock", "--open", "--host", "127.0.0.1", "--port", "0")
    )


def gift_to_bob(state, **more):
    return {"game": state["game"]["id"], "do": "give_holes", "seat": 1, "holes": 5, "base": 0} | more


def test_a_new_command_touches_its_row_its_decision_and_its_step_alone(copy, tmp_path):
    with run(copy, tmp_path / "state") as program:
        client = program.client()
        gift = gift_to_bob(client.state())
        status, preview = client.ask("POST", "/api/v1/preview", gift)
        assert (status, preview["after"]["fronts"]) == (200, [0, 5])
        assert [client.command(**gift, id="a-gift-of-holes-")[0] for _ in range(2)] == [201, 200]
        status, refusal = client.command(**gift_to_bob(client.state(), holes=11))
        assert (status, refusal["detail"]) == (422, "`holes` must be a whole number from 1 to 10, not 11")
        told = {"do": "give_holes", "seat": 1, "lane": 1, "holes": 5, "from": 0, "to": 5}
        assert told.items() <= client.state()["entries"][0].items()
        for do, front in (("undo", 0), ("redo", 5)):
            _, receipt = client.command(do=do, entry="1", game=gift["game"])
            assert receipt["state"]["lanes"][1]["front"] == front
        before = client.state()
    with run(copy, tmp_path / "state") as program:
        after = program.client().state()
        assert after["entries"] == before["entries"]
        assert after["lanes"] == before["lanes"]


def test_a_new_command_comes_in_from_another_table(copy, tmp_path):
    with run(copy, tmp_path / "state") as program:
        client = program.client()
        assert client.command(**gift_to_bob(client.state()))[0] == 201
    export = subprocess.run(pegboard(copy, "export", tmp_path / "state"), capture_output=True, check=True).stdout
    assert b'"holes_given"' in export or b'"give_holes"' in export
    bring = pegboard(copy, "import", tmp_path / "other", "-")
    done = subprocess.run(bring, input=export, capture_output=True, check=False)
    assert (done.returncode, b"1 game" in done.stdout) == (0, True), done.stderr.decode()


def test_the_document_and_the_pages_tell_of_a_new_command(copy, tmp_path):
    with run(copy, tmp_path / "state") as program:
        _, document = program.client().ask("GET", "/api/openapi.json")
        body = document["paths"]["/api/v1/commands"]["post"]["requestBody"]["content"]["application/json"]
        assert body["examples"]["give_holes"]["value"]["holes"] == 5
        assert document["components"]["schemas"]["GiveHoles"]["properties"]["holes"]["maximum"] == 10
        with urllib.request.urlopen(f"{program.url}/", timeout=60) as page:
            table = re.search(r'<script type="application/json" id="commands">(.*?)</script>', page.read().decode())
        assert next(row for row in json.loads(table[1]) if row["do"] == "give_holes") == {
            "do": "give_holes",
            "base": "lane",
            "who": "director when strict",
            "names_line": False,
            "most": {"seat": 5, "holes": 10},
        }
