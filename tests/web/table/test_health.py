"""How everything is: every display and input with all that is known of it, and the program itself."""

import time
from collections.abc import Callable

import jsonschema_rs

from pegboard.devices.health import Health
from pegboard.install.program_version import program_version
from pegboard.messages import Message
from tests.support.web_server_and_clients import Site, ToyBench, ToyDevices

OLED = Health("OLED", "SSD1306 on I2C", frames=12)
NO_ANSWER = Message("device_no_answer", error="Input/output error")
STRIP = Health("LED strip", "WS2812 on SPI0", False, 1795000000.5, NO_ANSWER, 3, 7, 4)


def test_every_device_is_told_with_all_that_is_known_of_it(serve: Callable[..., Site]):
    answer = serve(devices=ToyDevices([OLED, STRIP])).get("/api/v1/health")
    assert (answer.status, answer.headers["content-type"]) == (200, "application/json")
    assert answer.headers["cache-control"] == "no-store"
    assert answer.json["devices"] == [
        {
            "name": "OLED",
            "about": "SSD1306 on I2C",
            "ok": True,
            "failing_since": None,
            "trouble": None,
            "about_message": None,
            "trouble_message": None,
            "retries": 0,
            "frames": 12,
            "errors": 0,
            "acknowledges": True,
        },
        {
            "name": "LED strip",
            "about": "WS2812 on SPI0",
            "ok": False,
            "failing_since": 1795000000.5,
            "trouble": "no answer: Input/output error",
            "about_message": None,
            "trouble_message": {"key": "device_no_answer", "values": {"error": "Input/output error"}},
            "retries": 3,
            "frames": 7,
            "errors": 4,
            "acknowledges": True,
        },
    ]


def test_it_is_told_as_it_is_now(serve: Callable[..., Site]):
    devices = ToyDevices([OLED])
    site = serve(devices=devices)
    devices.health = [STRIP]
    assert [one["name"] for one in site.get("/api/v1/health").json["devices"]] == ["LED strip"]


def test_the_program_tells_its_version_its_age_who_looks_on_and_what_it_has_kept(serve: Callable[..., Site]):
    before = time.monotonic()
    site = serve()
    watchers = [site.watch(), site.watch()]
    for watcher in watchers:
        watcher.until("state")
    assert site.score(0, 2).status == 201
    told = site.get("/api/v1/health").json["service"]
    assert 0 <= told.pop("uptime_s") <= time.monotonic() - before + 0.05, "told to a tenth of a second"
    assert told == {
        "version": program_version(),
        "viewers": 2,
        "stand_ins": False,
        "stalls": [],
        "open_to": None,
        "journal": {"epoch": site.scoreboard.view.epoch, "revision": site.journal.last_id},
    }


def test_the_age_grows(serve: Callable[..., Site]):
    site = serve()
    ages = []
    while len(set(ages)) < 2:
        ages.append(site.get("/api/v1/health").json["service"]["uptime_s"])
    assert ages == sorted(ages)


def test_stand_ins_are_called_so(serve: Callable[..., Site], bench: ToyBench):
    assert serve(bench).get("/api/v1/health").json["service"]["stand_ins"] is True


def test_a_table_without_devices_tells_of_none(site: Site):
    assert site.get("/api/v1/health").json["devices"] == []


def test_looking_needs_no_open_table(serve: Callable[..., Site]):
    site = serve(open=False)
    assert site.get("/api/v1/health").status == site.get("/health").status == 200


def test_it_is_only_looked_at(quiet: Site):
    assert quiet.post("/api/v1/health", {}).refusal == (405, "method")


def test_what_is_told_has_the_shape_that_the_document_says(serve: Callable[..., Site]):
    site = serve(devices=ToyDevices([OLED, STRIP]))
    document, told = site.get("/api/openapi.json").json, site.get("/api/v1/health").json
    schemas = document["components"]["schemas"]
    whole = {"$ref": "#/components/schemas/Health", "components": document["components"]}
    jsonschema_rs.validate(whole, told)
    assert set(told) == set(schemas["Health"]["properties"])
    assert set(told["devices"][0]) == set(schemas["HealthOfDevice"]["properties"])
    assert set(told["service"]) == set(schemas["Service"]["properties"])
    assert set(told["service"]["journal"]) == set(schemas["Journal"]["properties"])


def test_a_device_in_trouble_is_seen_by_every_viewer_and_so_is_its_end(serve: Callable[..., Site]):
    devices = ToyDevices([OLED])
    site = serve(devices=devices)
    watcher = site.watch()
    watcher.until("state", devices=[])
    devices.put(site, Health("OLED", "SSD1306 on I2C", ok=False, trouble="no answer: Input/output error"))
    watcher.until("state", devices=[{"name": "OLED", "trouble": "no answer: Input/output error"}])
    devices.put(site, OLED)
    watcher.until("state", devices=[{"name": "OLED", "trouble": None}])
