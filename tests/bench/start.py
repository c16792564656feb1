"""Start, first load and end: seconds to the first picture, answer, page and to the exit; bytes a browser loads."""

import contextlib
import itertools
import signal
import time
import timeit
import urllib.request
from functools import partial
from statistics import median

from playwright.sync_api import sync_playwright

from hardware.simulator.ssd1306 import Ssd1306
from tests.bench.service_probe import first_burst, undisturbed
from tests.browser.traffic import FIRST_LOAD, REQUESTS, Traffic
from tests.conftest import chromium
from tests.support.mosquitto import Broker
from tests.support.program import Service
from tests.support.waiting import soon


def start(budgets, folder):
    """Seconds to the first picture, answer and page, and to the end."""
    frame, ready, page, again, stop = zip(*undisturbed(starts(folder), budgets.samples(12, quick=2)), strict=True)
    budgets.add("process start to the end of the first OLED frame", frame, 0.6, "s")
    budgets.add("process start to the first HTTP answer", ready, 0.6, "s", of="median")
    budgets.add("  the same", ready, 1.0, "s")
    budgets.add("process start to the whole first page, once all is compiled", page, 0.7, "s", of="median")
    budgets.add("  requested again", again, 0.02, "s", of="median")
    budgets.add("SIGTERM to exit, nobody watching", stop, 0.5, "s")
    with contextlib.closing(ended_connected(folder)) as ends:
        stop = undisturbed(ends, budgets.samples(12, quick=2))
    budgets.add("SIGTERM to exit, connected to an MQTT broker", stop, 0.5, "s")
    with contextlib.closing(ended_connected(folder, hangs=True)) as ends:
        stop = undisturbed(ends, budgets.samples(8, quick=1))
    budgets.add("  while the broker hangs", stop, 1, "s")


def ended_connected(folder, *, hangs=False):
    """Seconds from SIGTERM to the end of programs that publish their table to an MQTT broker, which may hang."""
    broker, settings = Broker(folder).start(), folder / "mqtt.toml"
    settings.write_text(f'[mqtt]\nbroker = "127.0.0.1"\nport = {broker.port}\n', "utf-8")
    try:
        for n in itertools.count():
            with Service(folder / f"connected{n}", "--config", str(settings)) as service:
                soon(lambda: broker.retained("pegboard/+/availability") == "online")
                if hangs:
                    broker.process.send_signal(signal.SIGSTOP)
                took_s = service.stop()
                broker.process.send_signal(signal.SIGCONT)
                yield took_s
    finally:
        broker.stop()


def starts(folder):
    """Seconds to the first picture, answer and page, of a page requested again, and from SIGTERM to the end."""
    for n in itertools.count():
        with Service(folder / f"state{n}", record=folder / f"record{n}") as service:
            service.client().state()
            ready = (time.monotonic_ns() - service.begun_ns) / 1e9
            load(service)
            shown = (time.monotonic_ns() - service.begun_ns) / 1e9
            again = median(timeit.repeat(partial(load, service), number=1, repeat=5))
            frame = (end_of_first_frame(service.recorded()) - service.begun_ns) / 1e9
            yield frame, ready, shown, again, service.stop()


def load(service):
    """Load the first page, without its scripts."""
    with urllib.request.urlopen(f"{service.url}/") as page:
        page.read()


def end_of_first_frame(lines):
    """When the panel had been sent the whole of its first picture."""
    chip, sent = Ssd1306(), [line for line in lines if line["bus"] == "i2c"]
    for n, line in enumerate(sent):
        chip.receive(bytes.fromhex(line["data"]))
        if any(chip.pixels()):
            return first_burst(sent[n:])[-1]["t_ns"]
    raise AssertionError("no picture was sent")


# --- what a browser loads at first ---

LANGUAGES = {"English": "en-GB", "French": "fr-FR"}


def first_load(budgets, folder):
    """Bytes and requests of the score pad in a browser that knows nothing yet."""
    with Service(folder / "state") as service, sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium(), args=["--no-sandbox", "--disable-gpu"])
        for language, locale in LANGUAGES.items():
            traffic = Traffic(browser, service.url, locale)
            budgets.add(
                f"first load of / in {language}, heads and all", [traffic.total / 1000], FIRST_LOAD / 1000, "kB"
            )
            budgets.add("  its requests, with icon and manifest", [traffic.requests], REQUESTS, "")
        browser.close()
