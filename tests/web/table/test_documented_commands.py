"""The one check of a request's shape: whatever a command does not take is refused before the rules see it."""

import pytest

from pegboard.core import wire
from pegboard.core.moves import COMMANDS, ROWS, row_of
from pegboard.errors import PegboardError
from web.http.problems import Problem
from web.table.openapi_document import COMMANDS as EXAMPLES
from web.table.schemas import read_command

START = {"do": "start", "variant": "short", "players": ["Ann", "Bob"]}
RENAME = {"do": "rename", "seat": 1, "from": "Bbo", "to": "Bob"}
TAP = {"id": "sixteen-letters-", "game": "5b0e7c1f92aa"}


@pytest.mark.parametrize(
    ("values", "field"),
    [
        ({"do": "win"}, "do"),
        ({}, "do"),
        ({"do": ["score"]}, "do"),
        ({"do": "score", "seat": 0}, "points"),
        ({"do": "score", "seat": 0, "points": 1, "colour": "blue"}, "colour"),
        ({"do": "score", "seat": 0, "points": 2, "why": "play", "guessed": True}, "guessed"),
        ({"do": "deal", "colour": 1}, "colour"),
        ({"do": "amend"}, "entry"),
        ({"do": "undo", "entry": "first"}, "entry"),
        ({"do": "undo", "entry": 1}, "entry"),
        ({"do": "undo", "entry": "²"}, "entry"),
        ({"do": "undo", "entry": "1" * 10}, "entry"),
        ({"do": "undo", "line": "1"}, "line"),
        ({"do": "retract", "to": 3}, "to"),
        ({"do": "abandon", "note": 7}, "note"),
        ({"do": "confirm", "seat": 0, "winner": 0, "fronts": 121}, "fronts"),
        (START | {"variant": "whist"}, "variant"),
        (START | {"variant": 1}, "variant"),
        (START | {"rules": "short"}, "rules"),
        (START | {"players": "Ann"}, "players"),
        (START | {"players": [1]}, "players"),
        (START | {"house": "muggins=on"}, "house"),
        (START | {"house": [1]}, "house"),
        (START | {"format": "single"}, "format"),
        (START | {"do": "start_match"}, "format"),
        (RENAME | {"to": 1}, "to"),
        (RENAME | {"to": None}, "to"),
        (RENAME | {"from": ["Bbo"]}, "from"),
        (RENAME | {"former": "Bbo"}, "former"),
        (RENAME | {"note": "typed in haste"}, "note"),
    ],
)
def test_what_a_command_does_not_take_is_refused_by_the_name_of_its_field(values, field):
    with pytest.raises(Problem) as refusal:
        read_command(TAP | values)
    assert (refusal.value.status, refusal.value.code) == (422, "shape")
    assert refusal.value.message.values["field"].strip('"') == field


def test_no_name_that_cannot_be_read_is_taken():
    with pytest.raises(PegboardError, match="must consist of visible characters only"):
        read_command(TAP | RENAME | {"to": "Bo\u200eb"})


@pytest.mark.parametrize("do", ROWS)
def test_every_example_is_a_command_of_its_row(do):
    envelope, command = read_command(EXAMPLES[do])
    assert row_of(command) is ROWS[do]
    written = wire.without_defaults(wire.command_values(command) | envelope)
    assert {key: value for key, value in written.items() if value is not None} == EXAMPLES[do]


def test_each_command_has_one_row():
    assert len({row.do for row in COMMANDS}) == len(COMMANDS)
