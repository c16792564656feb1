"""The arrows between the rooms: who may import whom, read from the source itself."""

import ast
import functools
from collections import defaultdict
from pathlib import Path

from pegboard.install.building.tree import NOT_SHIPPED

ROOT = Path(__file__).parent.parent
OURS = {"pegboard", "web", "hardware"}
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
ENCODERS = {f"pegboard.tournament.{name}" for name in ("code_letters", "packed_sheet", "result_code", "table_orders")}
"""What tables and hubs tell each other is written and read there."""
PURE_ROOMS = ("pegboard.core", "pegboard.tournament", "pegboard.tournament_messages")
STARTING = (
    "cli",
    "bootstrap",
    "main_loop",
    "startup.devices",
    "startup.start_notice",
    "startup.already_running",
    "startup.selftest_command",
    "startup.mqtt_broker",
    "startup.hub.hub_service",
    "startup.hub.running_hub",
)
WHOLE = {f"pegboard.{name}" for name in (*STARTING, "__main__")}
"""The modules that know every room, since they start it."""

GAME = {"pegboard.core", "pegboard.errors", "pegboard.messages"}
SETTINGS = GAME | {"pegboard.config"}
INSTALLED = {"pegboard.install.host"}
"""How the program was installed, and so how a missing library is."""

VERSION = {"pegboard.install.program_version"}

MAY_IMPORT = {
    "pegboard": GAME,
    "pegboard.core": GAME,
    "pegboard.core.cards": {"pegboard.core.cards", "pegboard.errors", "pegboard.messages"},
    "pegboard.core": {
        *("pegboard.core.board", "pegboard.core", "pegboard.core.moves", "pegboard.core.position"),
        "pegboard.core.rules",
    },
    "pegboard.core": {
        *("pegboard.core.board", "pegboard.core.rules", "pegboard.core.moves", "pegboard.core.names"),
        *("pegboard.core.position", "pegboard.core", "pegboard.core.rules", "pegboard.core.rules"),
        *("pegboard.core.sentences", "pegboard.errors", "pegboard.messages"),
    },
    "pegboard.core.game_statistics": {
        *("pegboard.core.board", "pegboard.core", "pegboard.core.match", "pegboard.core.moves"),
        *("pegboard.core.position", "pegboard.core", "pegboard.core.rules", "pegboard.core.game_statistics"),
    },
    "pegboard.messages": {"pegboard.tournament_messages"},
    "pegboard.tournament_messages": set(),
    "pegboard.errors": {"pegboard.messages"},
    "pegboard.config": {"pegboard.errors", "pegboard.messages"},
    "pegboard.interpreter_tuning": set(),
    "pegboard.json_parser": set(),
    "pegboard.systemd": set(),
    "pegboard.tournament": {
        *("pegboard.core.names", "pegboard.errors", "pegboard.json_parser", "pegboard.messages"),
        "pegboard.tournament",
    },
    "pegboard.tournament.results": {
        *("pegboard.errors", "pegboard.messages", "pegboard.tournament.ids", "pegboard.tournament.pairings"),
        "pegboard.tournament.results",
    },
    "pegboard.tournament.playoffs": {
        *("pegboard.errors", "pegboard.messages", "pegboard.tournament.ids", "pegboard.tournament.pairings"),
        *("pegboard.tournament.playoffs", "pegboard.tournament.results.scoring"),
    },
    "pegboard.tournament.pots": {
        *("pegboard.errors", "pegboard.messages", "pegboard.tournament.ids", "pegboard.tournament.playoffs"),
        "pegboard.tournament.pots",
    },
    "pegboard.tournament.night": {
        *("pegboard.core.names", "pegboard.core.names"),
        *("pegboard.errors", "pegboard.messages", "pegboard.tournament.ids", "pegboard.tournament.pairings"),
        *("pegboard.tournament.schedule", "pegboard.tournament.night", "pegboard.tournament.pairings"),
        *("pegboard.tournament.playoffs", "pegboard.tournament.pots", "pegboard.tournament.results"),
    },
    "pegboard.tournament.schedule": {
        *("pegboard.errors", "pegboard.messages", "pegboard.tournament.ids", "pegboard.tournament.schedule"),
        "pegboard.tournament.pairings",
    },
    "pegboard.tournament.schedule": {
        *("pegboard.tournament.schedule.ring", "pegboard.tournament.schedule"),
        "pegboard.tournament.schedule.ring",
    },
    "pegboard.watchdog": {"pegboard.messages", "pegboard.watchdog"},
    "pegboard.watchdog": set(),
    "pegboard.watchdog": set(),
    "pegboard.feed": {"pegboard.core"},
    "pegboard.startup.main_loop": GAME,
    "pegboard.install": {"pegboard.install"},
    "pegboard.install": {
        *("pegboard.errors", "pegboard.messages", "pegboard.install.host", "pegboard.install"),
        "pegboard.install.host",
    },
    "pegboard.install.boot_partition": {"pegboard.install"},
    "pegboard.install.building": {"pegboard.errors", "pegboard.install"},
    "pegboard.storage": GAME | {"pegboard.interpreter_tuning", "pegboard.json_parser", "pegboard.storage"},
    "pegboard.storage.state_files": set(),
    "pegboard.storage.state_files": {"pegboard.storage.state_files"},
    "pegboard.storage.state_files": {"pegboard.storage.state_files", "pegboard.storage.state_files"},
    "pegboard.devices": GAME | {"pegboard.devices", "pegboard.storage.state_files"},
    "pegboard.devices.health": {"pegboard.errors", "pegboard.messages"},
    "pegboard.devices.power_and_clock": {"pegboard.errors", "pegboard.install.host"},
    "pegboard.mqtt": SETTINGS
    | INSTALLED
    | {"pegboard.devices.health", "pegboard.feed", "pegboard.mqtt.broker_session", "pegboard.mqtt"},
    "pegboard.mqtt.home_assistant": GAME,
    "pegboard.mqtt.home_assistant": GAME | VERSION | {"pegboard.mqtt.home_assistant"},
    "pegboard.mqtt": INSTALLED | {"pegboard.errors", "pegboard.mqtt", "pegboard.json_parser", "pegboard.messages"},
    "pegboard.mqtt": GAME
    | {
        *("pegboard.devices.health", "pegboard.feed", "pegboard.mqtt", "pegboard.mqtt"),
        *("pegboard.storage.event_row", "pegboard.storage.reader", "pegboard.storage.state_files"),
    },
    "pegboard.hub": GAME | {"pegboard.hub", "pegboard.mqtt"},
    "pegboard.cli.hub_commands": {"pegboard.cli", "pegboard.hub.ledger.hub_errors"},
    "pegboard.cli.hub_commands": {
        *("pegboard.cli", "pegboard.cli.hub_commands", "pegboard.hub.broker_accounts"),
        *("pegboard.mqtt", "pegboard.storage.state_files"),
    },
    "pegboard.hub.ledger": {
        *("pegboard.errors", "pegboard.messages", "pegboard.hub.ledger.hub_errors", "pegboard.hub.ledger"),
        *("pegboard.mqtt", "pegboard.storage.state_files", "pegboard.core.names"),
        "pegboard.install.host",
    },
    "pegboard.hub": GAME
    | {
        *("pegboard.devices.health", "pegboard.hub.ledger", "pegboard.hub", "pegboard.mqtt"),
        *("pegboard.hub.ledger.hub_errors", "pegboard.storage.state_files"),
    },
    "pegboard.hub": {
        *("pegboard.errors", "pegboard.hub.ledger.hub_errors", "pegboard.hub.ledger", "pegboard.hub"),
        *("pegboard.hub.table_results", "pegboard.messages", "pegboard.tournament"),
    },
    "pegboard.hub.packages": INSTALLED
    | VERSION
    | {
        *(
            "pegboard.cli",
            "pegboard.cli.hub_commands",
            "pegboard.errors",
            "pegboard.messages",
            "pegboard.hub.ledger",
        ),
        *("pegboard.hub.packages", "pegboard.hub.table_results", "pegboard.mqtt"),
        *("pegboard.storage.state_files", "pegboard.storage.state_files", "pegboard.tournament.night"),
        "pegboard.tournament.pairings",
    },
    "pegboard.hub.demo": GAME
    | {
        *("pegboard.table.event_shown", "pegboard.hub.demo", "pegboard.mqtt.outbox"),
        *("pegboard.mqtt.outbox", "pegboard.mqtt.outbox", "pegboard.mqtt.hub_link"),
        *("pegboard.mqtt", "pegboard.tournament.night", "pegboard.tournament.table_orders"),
    },
    "pegboard.startup.hub_demo": SETTINGS
    | {
        *("pegboard.cli", "pegboard.hub.demo", "pegboard.hub.ledger", "pegboard.mqtt"),
        *("pegboard.interpreter_tuning", "pegboard.startup.running_hub"),
    },
    "pegboard.cli.hub_commands": SETTINGS
    | {"pegboard.cli", "pegboard.hub", "pegboard.mqtt", "pegboard.startup.hub_service"},
    "pegboard.table.game_session": GAME | {"pegboard.storage"},
    "pegboard.table.live_table": GAME,
    "pegboard.table.live_table": GAME
    | {
        *("pegboard.devices.alarms", "pegboard.table.live_table", "pegboard.feed", "pegboard.table.game_session"),
        "pegboard.watchdog",
    },
    "pegboard.table": GAME | {"pegboard.devices.power_and_clock", "pegboard.table", "pegboard.table.live_table"},
    "pegboard.table.scoreboard": GAME | {"pegboard.table.live_table", "pegboard.storage"},
    "pegboard.table.key_entry": GAME
    | {"pegboard.table.live_table", "pegboard.table.game_session", "pegboard.table", "pegboard.table.live_table"},
    "pegboard.table": GAME
    | {
        *("pegboard.table", "pegboard.feed", "pegboard.table.key_entry", "pegboard.table.scoreboard"),
        *("pegboard.storage", "pegboard.tournament"),
    },
    "pegboard.table": GAME | {"pegboard.table.game_session", "pegboard.table.live_table", "pegboard.storage"},
    "pegboard.table.scoreboard": GAME
    | {
        *("pegboard.feed", "pegboard.table.game_session", "pegboard.table.key_entry", "pegboard.table.live_table"),
        *(
            "pegboard.devices.alarms",
            "pegboard.devices.power_and_clock",
            "pegboard.storage",
            "pegboard.table.scoreboard",
        ),
        *("pegboard.table", "pegboard.watchdog"),
    },
    "pegboard.startup.main_loop": {"pegboard.core", "pegboard.startup.main_loop"},
    "pegboard.startup.backup_thread": GAME
    | {
        "pegboard.feed",
        "pegboard.devices.health",
        "pegboard.devices.health",
        "pegboard.storage.rescue.backups",
        "pegboard.storage.rescue",
    },
    "pegboard.startup.settings_file": {"pegboard.config", "pegboard.errors", "pegboard.messages"},
    "pegboard.startup.next_game": {"pegboard.config", "pegboard.storage.state_files"},
    "pegboard.startup.welcome": {"pegboard.errors", "pegboard.install.host", "web.access"},
    "pegboard.cli.main": {"pegboard.startup.start_notice", "web.access"},
    "pegboard.startup.hub_connection": SETTINGS
    | {
        *("pegboard.devices.health", "pegboard.devices.health", "pegboard.feed", "pegboard.mqtt"),
        *("pegboard.mqtt", "pegboard.install.host", "pegboard.startup.devices"),
        "pegboard.storage.reader",
    },
    "pegboard.cli.hub_commands": {
        *("pegboard.cli", "pegboard.cli.hub_commands", "pegboard.startup.start_notice", "web.access"),
    },
    "pegboard.startup.running_hub": {
        *("pegboard.devices.health", "pegboard.hub", "pegboard.messages"),
        *("pegboard.tournament.night.views", "pegboard.tournament.table_orders"),
    },
    "pegboard.startup.hub_service": {
        *("pegboard.hub.broker_accounts", "pegboard.mqtt.broker_session", "web.access.invitation"),
        *("web.http.listener", "web.http.problems"),
    },
    "pegboard.startup": SETTINGS
    | {
        *("pegboard.cli", "pegboard.devices.health", "pegboard.table", "pegboard.feed"),
        *("pegboard.mqtt.joined_event", "pegboard.table.scoreboard", "pegboard.startup"),
        *("pegboard.startup.hub_connection", "pegboard.storage.games", "pegboard.mqtt"),
        *("web.access.invitation", "web.http.listener"),
    },
    "pegboard.startup.next_game": SETTINGS | {"pegboard.table.scoreboard", "pegboard.startup.next_game"},
    "pegboard.cli.journal_commands": GAME | {"pegboard.cli", "pegboard.interpreter_tuning", "pegboard.storage"},
    "pegboard.cli.journal_commands": GAME | {"pegboard.cli", "pegboard.interpreter_tuning", "pegboard.storage"},
    "pegboard.cli.journal_commands": GAME | {"pegboard.storage.transfer.import_parser"},
    "pegboard.cli": GAME | {"pegboard.cli", "pegboard.install"},
    "hardware": set(),
    "pegboard.devices.health": set(),
    "hardware.key_roles_and_actions": GAME,
    "hardware.interfaces": SETTINGS | {"pegboard.devices.health"},
    "hardware.pin_assignment": SETTINGS | {"hardware.key_roles_and_actions"},
    "hardware.display_thread": SETTINGS
    | {
        *("pegboard.devices.health", "pegboard.feed", "pegboard.watchdog", "pegboard.devices.health"),
        "hardware.interfaces",
    },
    "hardware.buses": SETTINGS | INSTALLED | {"hardware.buses", "hardware.interfaces"},
    "hardware.keys": SETTINGS
    | {
        "pegboard.devices.health",
        "pegboard.watchdog",
        "pegboard.devices.health",
        "hardware.buses",
        "hardware.interfaces",
        "hardware.key_roles_and_actions",
        "hardware.keys",
        "hardware.pin_assignment",
    },
    "hardware.oled": SETTINGS | {"hardware.buses", "hardware.interfaces", "hardware.oled", "hardware.pin_assignment"},
    "hardware.oled.drawing.track_in_pixels": GAME,
    "hardware.oled.drawing": GAME | {"hardware.oled.drawing", "hardware.oled.drawing.track_in_pixels"},
    "hardware.strip": SETTINGS | {"hardware.buses", "hardware.interfaces", "hardware.pin_assignment", "hardware.strip"},
    "hardware.simulator": SETTINGS | {"hardware.interfaces", "hardware.simulator"},
    "hardware.bench": SETTINGS
    | {
        "pegboard.devices.health",
        "hardware.bench",
        "hardware.display_thread",
        "hardware.keys",
        "hardware.pin_assignment",
        "hardware.simulator",
        "hardware.strip",
    },
    "hardware.selftest": SETTINGS
    | {
        "pegboard.devices.health",
        "pegboard.devices.health",
        "pegboard.devices.power_and_clock",
        "pegboard.devices.power_and_clock",
        "hardware.buses",
        "hardware.interfaces",
        "hardware.key_roles_and_actions",
        "hardware.keys",
        "hardware.oled",
        "hardware.pin_assignment",
        "hardware.selftest",
        "hardware.strip",
    },
    "web.http": {"web.http", "pegboard.errors", "pegboard.messages", "pegboard.config"},
    "web.access": SETTINGS
    | {"pegboard.devices.health", "pegboard.devices.power_and_clock"}
    | {"pegboard.storage.state_files", "pegboard.storage.state_files"}
    | {"web.access", "web.http"},
    "web.table": SETTINGS
    | VERSION
    | {
        *("web.table", "web.access", "web.http", "pegboard.devices", "pegboard.install", "pegboard.table.scoreboard"),
        *("pegboard.table", "pegboard.json_parser", "pegboard.storage", "pegboard.tournament"),
    },
    "web.kit": SETTINGS | {"web.kit", "web.table", "web.access", "web.http", "pegboard.table.scoreboard"},
    "web.http": SETTINGS | {"web.http", "web.table", "web.access", "web.http", "pegboard.feed"},
    "web.table.app": SETTINGS | {"web.kit", "web.table", "web.access", "web.http", "pegboard.table.scoreboard"},
    "web.table.server": {"web.access", "web.http"},
    "web.hub.hub_access": {"pegboard.storage.state_files", "web.access.pairing_file"},
    "web.hub": SETTINGS
    | {
        *("pegboard.hub.ledger.hub_errors", "pegboard.hub.ledger", "pegboard.hub", "pegboard.hub.packages"),
        "pegboard.tournament",
        *("web.access", "web.kit.documented_endpoints", "web.hub", "web.http", "web.http.viewers"),
        *("web.http.viewers", "web.http.viewers", "web.kit.i18n", "web.kit.i18n"),
        "web.kit.wrong_name_page",
    },
    "web.table.server": SETTINGS
    | {
        *("web", "pegboard.devices", "pegboard.feed", "pegboard.install", "pegboard.table.scoreboard"),
        *("pegboard.table", "pegboard.watchdog"),
    },
}
"""Each room, and the rooms of ours that it may import; a module's own row goes before its package's."""

HARDWARE_FLOORS = (
    ("bench", "selftest"),
    ("keys", "oled", "strip"),
    ("buses", "display_thread", "pin_assignment"),
    ("key_roles_and_actions", "interfaces", "backoff"),
)
"""The rooms of hardware from the top; each knows itself and the floors below it. The simulator knows interfaces."""


@functools.cache
def modules():
    return tuple(all_modules())


def all_modules():
    for room in sorted(OURS):
        for path in sorted((ROOT / room).rglob("*.py")):
            name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
            yield name, path


@functools.cache
def imported(path):
    return tuple(all_imported(path))


def all_imported(path):
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are written out"
            assert node.module
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                yield whole if is_module(whole) else node.module


@functools.cache
def is_module(name):
    path = ROOT / name.replace(".", "/")
    return path.with_suffix(".py").is_file() or (path / "__init__.py").is_file()


def within(name, room):
    return name == room or name.startswith(room + ".")


def allowed(name, other):
    if any(within(name, room) for room in PURE_ROOMS) or name in ("pegboard.errors", "pegboard.messages"):
        pure = PURE | ENCODINGS if name in ENCODERS else PURE
        if within(name, "pegboard.tournament.night.exchange"):
            pure = pure | TEXT
        return other.split(".")[0] in pure or any(within(other, room) for room in MAY_IMPORT[row_of(name)])
    if other.split(".")[0] not in OURS:
        return True
    return name in WHOLE or any(within(other, room) for room in MAY_IMPORT[row_of(name)])


def row_of(name):
    """The most particular row that a module falls under."""
    rows = [room for room in MAY_IMPORT if name == room or (room != "pegboard" and within(name, room))]
    assert rows, f"{name} has no row: say in MAY_IMPORT what it may import"
    return max(rows, key=len)


def test_arrows_point_one_way():
    """Each that is wrong is named: the module, and what it may not import."""
    wrong = {name: sorted(other for other in imported(path) if not allowed(name, other)) for name, path in modules()}
    assert {name: others for name, others in wrong.items() if others} == {}


def test_what_is_shipped_imports_nothing_that_only_a_checkout_has():
    checkout = NOT_SHIPPED | {"pegboard.install.building"}
    wrong = {
        name: sorted(other for other in imported(path) if any(within(other, room) for room in checkout))
        for name, path in modules()
        if not any(within(name, room) for room in checkout)
    }
    assert {name: others for name, others in wrong.items() if others} == {}


def test_each_arrow_is_used():
    """All may stand on the settings and the core, whether they need them today or not."""
    used = defaultdict(set)
    for name, path in modules():
        for other in imported(path) if name not in WHOLE else ():
            if other.split(".")[0] in OURS:
                used[row_of(name)] |= {room for room in MAY_IMPORT[row_of(name)] if within(other, room)}
    unused = {row: sorted(rooms - used[row] - SETTINGS) for row, rooms in MAY_IMPORT.items()}
    assert {row: rooms for row, rooms in unused.items() if rooms} == {}, "take them off MAY_IMPORT"


def hardware_room(name):
    return name.split(".")[1] if name.startswith("hardware.") else None


def test_rooms_of_hardware_know_only_the_floors_below_them():
    floor_of = {room: floor for floor, rooms in enumerate(HARDWARE_FLOORS) for room in rooms}
    for name, path in modules():
        own = hardware_room(name)
        others = {hardware_room(other) for other in imported(path)} - {None, own, "simulator"} if own else set()
        if own == "simulator":
            assert others <= {"interfaces"}, f"{name} knows {others}"
        else:
            wrong = [other for other in others if floor_of[other] <= floor_of[own]]
            assert not wrong, f"{name} may not import hardware.{', '.join(wrong)}"


def test_only_the_bench_and_the_start_of_devices_know_the_simulator():
    know = {name for name, path in modules() if any(hardware_room(other) == "simulator" for other in imported(path))}
    rooms = {name for name in know if hardware_room(name) not in {"simulator", "bench"}}
    assert rooms == {"pegboard.startup.devices"}


def test_no_module_imports_both_web_and_hardware():
    both = {"web", "hardware"}
    assert [name for name, path in modules() if both <= {other.split(".")[0] for other in imported(path)}] == []


def test_each_package_opens_with_its_law():
    ours = ("pegboard", "pegboard/core", "pegboard/tournament", "pegboard/hub", "pegboard/hub_link")
    for room in (*ours, "web", "hardware"):
        law = ast.get_docstring(ast.parse((ROOT / room / "__init__.py").read_text("utf-8")))
        assert law, f"{room} has no law"
        assert "aw of this" in law, f"{room} does not state its law"
