"""docs/displays.md as a stranger follows it: its package is taken from the page, installed, and runs in the program."""

import inspect
import re
import socket
import tomllib
from dataclasses import fields
from pathlib import Path

import pytest
from click.testing import CliRunner

from hardware.interfaces import (
    Acknowledges,
    Buses,
    Darkens,
    Display,
    HasHealth,
    Input,
    KeyTarget,
    Mends,
    Patient,
    SelfTests,
)
from pegboard import new_game, play
from pegboard.core.moves import Score
from pegboard.core.rules import Rules
from pegboard.core.view import View
from pegboard.devices.health import Health
from tests.support.foreign_package import lay_out
from tests.support.program import Service
from tests.support.waiting import soon

PAGE = (Path(__file__).parents[2] / "docs/displays.md").read_text("utf-8")
FILES = dict(re.findall(r"\*\*`gadgets/([\w.]+)`\*\*\n\n```\w+\n(.*?)```", PAGE, re.DOTALL))


def rows(heading):
    """What the first column of the table with that heading names, without arguments."""
    table = PAGE.split(f"| {heading} |")[1].split("\n\n")[0]
    return [re.sub(r"\(.*", "", name) for name in re.findall(r"^\| `([^`]+)`", table, re.MULTILINE)]


@pytest.fixture
def gadgets(tmp_path, monkeypatch):
    """The page's package, installed as its pyproject.toml says; the folder in which it is."""
    project = tomllib.loads(FILES["pyproject.toml"])
    groups = project["project"]["entry-points"]
    points = "".join(
        f"[{group}]\n" + "".join(f"{name} = {value}\n" for name, value in entries.items())
        for group, entries in groups.items()
    )
    sources = {f"{name}.py": FILES[f"{name}.py"] for name in project["tool"]["setuptools"]["py-modules"]}
    lay_out(tmp_path / "site", "gadgets", sources, points, monkeypatch)
    return tmp_path


@pytest.fixture
def port():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def settings(folder, text):
    path = folder / "gadgets.toml"
    path.write_text(text)
    return "--config", str(path)


def send(port, words):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as button:
        button.sendto(words.encode(), ("127.0.0.1", port))


def lit(service):
    """The eight digits as a MAX7219 would light them from what has passed over the bus, and how brightly."""
    registers = {}
    for line in service.recorded():
        if line["bus"] == "spi" and line["hz"] == 1_000_000:
            register, value = bytes.fromhex(line["data"])
            registers[register] = value
    if not registers.get(0x0C):
        return None
    assert (registers[0x09], registers[0x0B], registers[0x0F]) == (0xFF, 7, 0), "decoded, all eight, no test"
    return "".join("0123456789-EHLP "[registers[digit]] for digit in range(8, 0, -1)), registers[0x0A]


def health(client):
    return {device["name"]: device for device in client.ask("GET", "/api/v1/health")[1]["devices"]}


def on_the_bench(client, name):
    return next(device for device in client.ask("GET", "/api/v1/bench")[1]["devices"] if device["name"] == name)


# --- the example runs ---


def test_example_shows_the_score_and_pegs_it(gadgets, port):
    given = settings(gadgets, f"[digits]\nintensity = 8\n[wireless]\nport = {port}\n")
    with Service(gadgets / "state", *given, record=gadgets / "wires") as service:
        client = service.client()
        soon(lambda: lit(service) == ("   0   0", 8))
        send(port, "a 29")
        soon(lambda: lit(service) == ("  29   0", 8))
        assert client.state()["lanes"][0]["front"] == 29
        client.score(1, 12)
        soon(lambda: lit(service) == ("  29  12", 8))
        send(port, "undo")
        soon(lambda: lit(service) == ("  29   0", 8))
        told = health(client)
        assert (told["digits"]["about"], told["digits"]["ok"]) == ("MAX7219 on SPI1", True)
        assert told["digits"]["frames"] >= 4
        assert told["digits"]["acknowledges"] is False
        soon(lambda: health(client)["wireless buttons"]["about"] == f"UDP 127.0.0.1:{port}")
        send(port, "b five")
        sentence = "a button sent 'b five'; it must be a lane and points, such as 'a 5', undo or deal"
        soon(lambda: health(client)["wireless buttons"]["trouble"] == sentence)
        service.stop()
        assert lit(service) is None, "it is dark"


def test_example_is_on_the_bench_with_a_plug_and_comes_back_after_a_write_that_failed(gadgets, port):
    given = settings(gadgets, f"[wireless]\nport = {port}\n")
    with Service(gadgets / "state", *given) as service:
        client = service.client()
        soon(lambda: on_the_bench(client, "digits")["plugged"])
        client.score(0, 2)
        soon(lambda: on_the_bench(client, "digits")["last_bytes"] == 26)  # 13 registers of two bytes
        assert on_the_bench(client, "wireless buttons")["plugged"] is None
        fault = {"device": "digits", "fault": "fail next write", "on": True}
        assert client.ask("POST", "/api/v1/bench/fault", fault)[0] == 204
        client.score(0, 4)
        soon(lambda: on_the_bench(client, "digits")["errors"] == 1)
        assert on_the_bench(client, "digits")["trouble"] == "no answer: Input/output error"
        soon(lambda: on_the_bench(client, "digits")["ok"])
        assert client.ask("POST", "/api/v1/bench/plugs", {"device": "digits", "plugged": False})[0] == 204
        assert on_the_bench(client, "digits")["plugged"] is False


def test_device_that_is_not_enabled_is_not_there(gadgets):
    given = settings(gadgets, "[digits]\nenabled = false\n[wireless]\nenabled = false\n")
    with Service(gadgets / "state", *given) as service:
        assert list(health(service.client())) == ["OLED", "LED strip", "keys"]


def test_device_whose_setting_cannot_be_says_so_and_the_table_plays(gadgets, port):
    given = settings(gadgets, f"[digits]\nintensity = 99\n[wireless]\nport = {port}\n")
    with Service(gadgets / "state", *given) as service:
        client = service.client()
        assert health(client)["digits"]["trouble"] == f"{given[1]}, line 2: the intensity must be 0 to 15, not 99"
        assert client.score(0, 4)[0] == 201


def test_input_whose_port_is_another_programs_says_so(gadgets, port):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other:
        other.bind(("127.0.0.1", port))
        with Service(gadgets / "state", *settings(gadgets, f"[wireless]\nport = {port}\n")) as service:
            told = health(service.client())["wireless buttons"]["trouble"]
    assert told.startswith(f"cannot use UDP 127.0.0.1:{port} (")
    assert told.endswith("choose another wireless.port")


# --- the commands know it ---


@pytest.fixture
def pegboard(gadgets, monkeypatch):
    """A command of the program in this process, which finds the package as another one would."""
    monkeypatch.syspath_prepend(str(gadgets / "site"))

    def run(*arguments):
        from pegboard.cli.main import main  # noqa: PLC0415 - as late as the package is there

        return CliRunner().invoke(main, arguments)

    return run


def test_self_test_looks_for_it(gadgets, pegboard, port):
    given = settings(gadgets, f"[wireless]\nport = {port}\n")
    ended = pegboard("selftest", "--mock", "--state", str(gadgets / "state"), *given)
    assert "ok    digits: the bus for the digits works (they send no reply): MAX7219 on SPI1" in ended.output
    assert f"ok    wireless: the port is free: UDP 127.0.0.1:{port}" in ended.output
    assert ended.exit_code == 0, ended.output


def test_enabled_that_is_neither_true_nor_false_costs_that_device_alone(gadgets, port):
    given = settings(gadgets, f'[digits]\nenabled = "no"\n[wireless]\nport = {port}\n')
    with Service(gadgets / "state", *given) as service:
        client = service.client()
        assert (
            "line 2: the setting digits.enabled must be true or false, not 'no'" in health(client)["digits"]["trouble"]
        )
        assert client.score(0, 4)[0] == 201


def test_self_test_says_what_is_wrong_with_it(gadgets, pegboard):
    given = settings(gadgets, "[digits]\nintensity = 99\n[wireless]\nenabled = false\n")
    ended = pegboard("selftest", "--mock", "--state", str(gadgets / "state"), *given)
    assert f"FAIL  digits: {given[1]}, line 2: the intensity must be 0 to 15, not 99" in ended.output
    assert "wireless" not in ended.output
    assert ended.exit_code == 1


def test_its_settings_are_printed_as_they_were_read(gadgets, pegboard):
    ended = pegboard("config", *settings(gadgets, '[digits]\nintensity = 8\nnote = "by the door"\n'))
    assert ended.output.endswith('\n[digits]\nintensity = 8\nnote = "by the door"\n')


def test_section_that_is_misspelt_is_refused_with_what_was_meant(gadgets, pegboard):
    ended = pegboard("config", *settings(gadgets, "[digitz]\nintensity = 8\n"))
    assert ended.exit_code == 2
    assert "line 1: there is no setting 'digitz'; did you mean 'digits'?" in ended.stderr


def test_settings_of_the_page_are_taken(gadgets, pegboard):
    (text,) = re.findall(r"```toml\n(\[digits\].*?)```", PAGE, re.DOTALL)
    assert pegboard("config", *settings(gadgets, text)).exit_code == 0


# --- the tables say what is so ---


def methods(*protocols):
    return {
        name
        for protocol in protocols
        for name in [*vars(protocol), *vars(protocol).get("__annotations__", {})]
        if not name.startswith("_")
    }


@pytest.mark.parametrize(
    ("heading", "names"),
    [
        ("display | meaning", {"Display"} | methods(Display, Acknowledges, Patient, Darkens, SelfTests)),
        ("input | meaning", {"Input"} | methods(Input, HasHealth, Mends, SelfTests)),
        ("`Health` field | meaning", {field.name for field in fields(Health)}),
        ("target method | what it does", methods(KeyTarget)),
        ("bus method | what it gives", methods(Buses)),
        ("view field | type | meaning", {field.name for field in fields(View)}),
    ],
)
def test_table_names_everything_that_there_is_and_nothing_else(heading, names):
    assert set(rows(heading)) == names


def test_every_method_is_documented_with_its_arguments():
    for protocol in (KeyTarget, Buses):
        for name in methods(protocol):
            arguments = ", ".join([*inspect.signature(getattr(protocol, name)).parameters][1:])
            assert f"| `{name}({arguments})` |" in PAGE


def test_types_of_a_views_fields_are_those_of_the_page():
    for field in fields(View):
        kind = str(getattr(field.type, "__name__", field.type)) if isinstance(field.type, type) else str(field.type)
        kind = re.sub(r"pegboard[\w.]*\.", "", kind).replace("|", "\\|")
        assert f"| `{field.name}` | `{kind}` |" in PAGE


def test_everything_that_the_page_says_of_game_and_match_is_there():
    game = new_game(Rules(), players=("Ann", "Bob"))
    for seat, points in [(0, 29)] * 4 + [(0, 5)]:
        game = play(game, Score(seat=seat, points=points))
    view = View(game=game)
    for path in rows("game and match | meaning"):
        found = view
        for name in path.split("."):
            found = getattr(found, name)
        assert found is not None, path
    assert (game.outcome.winner, game.lanes[0].rear, game.rules.lane_of(1)) == (0, 116, 1)
