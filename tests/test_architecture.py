"""The arrows between the rooms: who may import whom, read from the source itself."""

import ast
from collections import defaultdict

import pytest

from pegboard.install.building.tree import NOT_SHIPPED
from tests.support.imports import imported, is_ours, modules
from tests.support.source_code import ROOT

PURE = {
    "collections",
    "dataclasses",
    "difflib",
    "enum",
    "functools",
    "itertools",
    "math",
    "types",
    "typing",
    "unicodedata",
}
TEXT = {"csv"}
"""Modules of the standard library that read and write no more than the text they are given, for files of a night."""
ENCODINGS = {"base64", "hashlib", "hmac", "json", "re", "zlib"}
"""Modules of the standard library that only turn values into letters and bytes, and back."""
ENCODERS = {
    "pegboard.json_parser",
    "pegboard.tournament.result_code",
    "pegboard.tournament.table_orders",
    "pegboard.values",
}
"""What comes from requests and files, and what tables and hubs tell each other, is written and read there."""
PURE_ROOMS = (
    "pegboard.core",
    "pegboard.errors",
    "pegboard.json_parser",
    "pegboard.messages",
    "pegboard.tournament",
    "pegboard.tournament_messages",
    "pegboard.values",
)
IMPORTS_OF_ROOMS = {
    "hardware": "",
    "hardware.bench": "config core devices errors hardware.display_thread hardware.keys hardware.pin_assignment "
    "hardware.simulator hardware.strip messages",
    "hardware.board_setting": "config core errors",
    "hardware.buses": "core errors hardware.interfaces install messages",
    "hardware.display_thread": "config core devices errors feed hardware.interfaces messages watchdog",
    "hardware.interfaces": "config core devices",
    "hardware.key_roles_and_actions": "",
    "hardware.keys": "config core devices errors hardware.buses hardware.interfaces hardware.key_roles_and_actions "
    "hardware.pin_assignment messages watchdog",
    "hardware.oled": "config core errors hardware.board_setting hardware.buses hardware.interfaces "
    "hardware.oled.drawing hardware.pin_assignment messages",
    "hardware.oled.drawing": "core errors messages",
    "hardware.pin_assignment": "config errors hardware.key_roles_and_actions messages",
    "hardware.selftest": "config devices errors hardware.buses hardware.interfaces hardware.key_roles_and_actions "
    "hardware.keys hardware.oled hardware.pin_assignment hardware.strip messages",
    "hardware.simulator": "config errors hardware.interfaces",
    "hardware.strip": "config core errors hardware.board_setting hardware.buses hardware.interfaces "
    "hardware.pin_assignment messages",
    "pegboard": "core core.cards errors",
    "pegboard.__main__": "cli interpreter_tuning streams",
    "pegboard.cli": "config core core.cards errors hardware.interfaces hardware.selftest hub hub.ledger hub.packages "
    "install interpreter_tuning messages mqtt startup storage storage.journal storage.rescue "
    "storage.transfer streams systemd table web.access web.kit",
    "pegboard.config": "errors messages",
    "pegboard.core": "errors messages values",
    "pegboard.core.cards": "errors messages",
    "pegboard.devices": "core errors install messages storage",
    "pegboard.errors": "messages",
    "pegboard.feed": "core",
    "pegboard.hub": "core devices errors hub.ledger json_parser messages mqtt storage tournament tournament.night "
    "tournament.night.views tournament.results",
    "pegboard.hub.ledger": "core errors install json_parser messages mqtt storage",
    "pegboard.hub.packages": "errors hub hub.ledger install json_parser messages storage tournament tournament.night "
    "tournament.night.exchange values",
    "pegboard.install": "errors messages",
    "pegboard.install.building": "errors install",
    "pegboard.interpreter_tuning": "",
    "pegboard.json_parser": "",
    "pegboard.messages": "tournament_messages",
    "pegboard.mqtt": "config core devices errors feed install json_parser messages storage values",
    "pegboard.startup": "config core core.cards devices errors feed hardware.bench hardware.buses "
    "hardware.display_thread hardware.interfaces hardware.selftest hardware.simulator hub hub.ledger install "
    "interpreter_tuning messages mqtt storage storage.journal storage.rescue streams systemd "
    "table tournament tournament.night tournament.night.views values watchdog web.access web.http web.hub web.table",
    "pegboard.storage": "core errors interpreter_tuning messages",
    "pegboard.storage.journal": "core errors json_parser messages storage storage.rescue storage.transfer",
    "pegboard.storage.rescue": "core errors messages storage",
    "pegboard.storage.transfer": "core errors interpreter_tuning json_parser messages storage values",
    "pegboard.streams": "install messages",
    "pegboard.systemd": "",
    "pegboard.table": "core devices errors feed json_parser messages storage storage.journal storage.rescue "
    "storage.transfer tournament values watchdog",
    "pegboard.tournament": "core errors json_parser messages values",
    "pegboard.tournament.night": "core errors messages tournament tournament.playoffs tournament.pots "
    "tournament.results tournament.schedule values",
    "pegboard.tournament.night.exchange": "errors messages tournament tournament.night tournament.night.views "
    "tournament.playoffs tournament.pots tournament.results values",
    "pegboard.tournament.night.views": "errors messages tournament tournament.night tournament.playoffs "
    "tournament.pots tournament.results tournament.schedule values",
    "pegboard.tournament.playoffs": "errors messages tournament tournament.results",
    "pegboard.tournament.pots": "errors messages tournament tournament.playoffs",
    "pegboard.tournament.results": "errors messages tournament",
    "pegboard.tournament.schedule": "errors messages tournament",
    "pegboard.tournament_messages": "",
    "pegboard.values": "",
    "pegboard.watchdog": "messages",
    "web": "",
    "web.access": "config core devices errors messages storage values web.http",
    "web.http": "config errors messages",
    "web.hub": "config errors hub hub.ledger hub.packages messages storage tournament tournament.night "
    "tournament.night.exchange tournament.night.views tournament.playoffs tournament.pots "
    "tournament.results values web.access web.http web.kit",
    "web.kit": "config errors json_parser messages values web.access web.http",
    "web.table": "config core core.cards devices errors feed install messages storage storage.transfer table "
    "tournament values watchdog web.access web.http web.kit",
}
"""Each folder, or module beside folders, and the others that it imports; `pegboard.` is left out."""


def names_of_rooms(words: str) -> set[str]:
    return {word if is_ours(word) else f"pegboard.{word}" for word in words.split()}


MAY_IMPORT = {room: {room, *names_of_rooms(words)} for room, words in IMPORTS_OF_ROOMS.items()}

CALLED_BY_INSTALLERS = {
    "pegboard.startup.welcome": names_of_rooms("errors install web.access"),
    "pegboard.storage.schema": names_of_rooms("errors messages storage"),
}
"""Modules that installers of earlier releases call in a newer tree, and the folders that they import."""

HARDWARE_FLOORS = (
    ("bench", "selftest"),
    ("keys", "oled", "strip"),
    ("board_setting", "buses", "display_thread", "pin_assignment"),
    ("key_roles_and_actions", "interfaces"),
)
"""The rooms of hardware from the top; each knows itself and the floors below it. The simulator knows interfaces."""


def within(name, room):
    return name == room or name.startswith(room + ".")


def allowed(name, other):
    if any(within(name, room) for room in PURE_ROOMS):
        pure = PURE | ENCODINGS if name in ENCODERS else PURE
        if within(name, "pegboard.tournament.night.exchange"):
            pure = pure | TEXT
        return other.split(".")[0] in pure or (is_ours(other) and row_of(other) in MAY_IMPORT[row_of(name)])
    return not is_ours(other) or row_of(other) in MAY_IMPORT[row_of(name)]


def row_of(name):
    """The most particular row that a module falls under."""
    rows = [room for room in MAY_IMPORT if name == room or (room != "pegboard" and within(name, room))]
    assert rows, f"{name} has no row: say in MAY_IMPORT what it may import"
    return max(rows, key=len)


def test_arrows_point_one_way():
    """Each that is wrong is named: the module, and what it may not import."""
    wrong = {name: sorted(other for other in imported(name) if not allowed(name, other)) for name in modules()}
    assert {name: others for name, others in wrong.items() if others} == {}


def test_what_is_shipped_imports_nothing_that_only_a_checkout_has():
    checkout = NOT_SHIPPED | {"pegboard.install.building"}
    assert checkout <= modules().keys()
    wrong = {
        name: sorted(other for other in imported(name) if any(within(other, room) for room in checkout))
        for name in modules()
        if not any(within(name, room) for room in checkout)
    }
    assert {name: others for name, others in wrong.items() if others} == {}


@pytest.mark.parametrize("name", CALLED_BY_INSTALLERS)
def test_what_installers_call_imports_little(name):
    assert {row_of(other) for other in imported(name) if is_ours(other)} <= CALLED_BY_INSTALLERS[name]


def test_each_arrow_is_used():
    used = defaultdict(set)
    for name in modules():
        used[row_of(name)] |= {row_of(other) for other in imported(name) if is_ours(other)}
    unused = {row: sorted(rooms - used[row] - {row}) for row, rooms in MAY_IMPORT.items()}
    assert {row: rooms for row, rooms in unused.items() if rooms} == {}, "take them off MAY_IMPORT"


def hardware_room(name):
    return name.split(".")[1] if name.startswith("hardware.") else None


def test_rooms_of_hardware_know_only_the_floors_below_them():
    floor_of = {room: floor for floor, rooms in enumerate(HARDWARE_FLOORS) for room in rooms}
    for name in modules():
        own = hardware_room(name)
        others = {hardware_room(other) for other in imported(name)} - {None, own, "simulator"} if own else set()
        if own == "simulator":
            assert others <= {"interfaces"}, f"{name} knows {others}"
        else:
            wrong = [other for other in others if floor_of[other] <= floor_of[own]]
            assert not wrong, f"{name} may not import hardware.{', '.join(wrong)}"


def test_only_the_bench_and_the_start_of_devices_know_the_simulator():
    know = {name for name in modules() if any(hardware_room(other) == "simulator" for other in imported(name))}
    rooms = {name for name in know if hardware_room(name) not in {"simulator", "bench"}}
    assert rooms == {"pegboard.startup.devices"}


def test_no_module_imports_both_web_and_hardware():
    both = {"web", "hardware"}
    assert [name for name in modules() if both <= {other.split(".")[0] for other in imported(name)}] == []


def test_each_package_states_its_rule():
    ours = ("pegboard", "pegboard/core", "pegboard/tournament", "pegboard/hub", "pegboard/mqtt")
    for package in (*ours, "web", "hardware"):
        text = ast.get_docstring(ast.parse((ROOT / package / "__init__.py").read_text("utf-8")))
        assert text, f"{package} has no docstring"
        assert "Rule of this package:" in text, f"{package} does not state its rule"
