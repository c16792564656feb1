"""Bootstrap of a table: settings and options, start of all parts in order and stop in reverse, MQTT, watchdog.

It is the only module that knows all parts.
"""

import contextlib
import os
import socket
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from pegboard import systemd
from pegboard.config import Settings, require_fit
from pegboard.core.view import Brightness
from pegboard.devices.brightness import BrightnessControl
from pegboard.devices.health import Devices
from pegboard.devices.power_and_clock import PowerSwitch, SupplyVoltage, with_notice
from pegboard.feed import Feed
from pegboard.install.director_updates import DirectorUpdates
from pegboard.install.host import INSTALLED, TRIAL_VARIABLE, is_installed, on_a_pi
from pegboard.interpreter_tuning import pause_collection, tune_interpreter
from pegboard.messages import Message
from pegboard.startup import settings_file
from pegboard.startup.backup_thread import BackupThread
from pegboard.startup.devices import (
    contain_errors,
    device_names,
    make_bench,
    make_displays,
    open_buses,
    start_displays,
    start_inputs,
    stop_displays,
)
from pegboard.startup.hub_connection import HubConnection, machine_name
from pegboard.startup.main_loop import Look, MainLoop
from pegboard.startup.next_game import NextGame, seat_next
from pegboard.startup.start_notice import JoinNotice, announce
from pegboard.storage.journal.journal import Journal
from pegboard.storage.memory_disk import find_memory
from pegboard.table.scoreboard import Scoreboard
from pegboard.watchdog import COMMITTING, DISPLAY, KEYS, SCORING, Watchable, Watchdog
from web.http.listener import EVERYWHERE, adopt, tls_context

# --- MQTT publishing to the configured broker; its faults are listed like those of a device ---


SECTION = "mqtt"


def publish_table(
    settings: Settings, feed: Feed, devices: Devices, url: Callable[[], str | None], cleanup: contextlib.ExitStack
) -> None:
    """Publish the table over MQTT until `cleanup`, if a broker is configured and this is not a trial start.

    `url` returns the address of the pages for others on the network, or None.
    """
    is_unfit = any(name.startswith(f"{SECTION}.") for name in settings.unfit)
    if not (settings.mqtt.broker or is_unfit) or TRIAL_VARIABLE in os.environ:
        return
    with contain_errors("MQTT", settings, devices):
        require_fit(settings, SECTION)
        from pegboard.mqtt.home_assistant import MqttPublisher

        publisher = MqttPublisher(settings.mqtt, machine_name(), url, devices.wake)
        devices.add(lambda: publisher.health)
        cleanup.callback(publisher.start(feed))


EVENT_LOOK_S = 1.0
"""Poll interval in seconds for an event joined for this table by `pegboard join`."""

JOURNAL_LOOK_S = 1.0
"""Poll interval in seconds for journal files that are gone, replaced or truncated."""


def load_settings(
    config_file: Path | None,
    *,
    open_table: bool | None = None,
    host: str | None = None,
    port: int | None = None,
    guess: bool = True,
    sockets: Sequence[socket.socket] = (),
) -> Settings:
    """The settings: options override the file, which overrides the defaults.

    Without `config_file`, the file of the installed service is read, if there is one. On a machine other than a Pi, the
    table listens on this machine only, unless told otherwise; such a table is open, unless `guess` is off. `sockets`
    opened by systemd are used unless options or the file set an address.
    """
    if config_file is None and is_installed() and INSTALLED.settings.exists():
        config_file = INSTALLED.settings
    settings = Settings()
    if not on_a_pi():
        settings = replace(settings, web=replace(settings.web, host="127.0.0.1"))
    if config_file is not None:
        settings = settings_file.read(config_file, settings, device_names())
    options: dict[str, Any] = {"host": host, "port": port, "open": open_table}
    given = {name: value for name, value in options.items() if value is not None}
    web = replace(settings.web, **given)
    told = host is not None or port is not None or any(settings.origin.has(f"web.{name}") for name in ADDRESS)
    if sockets and not told:
        web = replace(web, host=EVERYWHERE, port=sockets[0].getsockname()[1])
    alone = guess and open_table is None and not on_a_pi() and web.host in ("127.0.0.1", "::1", "localhost")
    origin = settings.origin.without(f"web.{name}" for name in given)
    return replace(settings, web=replace(web, open=web.open or alone), origin=origin)


ADDRESS = ("host", "port", "certificate")
"""Settings of the pages' address; if one is set, systemd's sockets are not used, since they are for plain HTTP."""


def run_table(
    next_game: NextGame,
    state: Path,
    *,
    mock: bool,
    record: Path | None,
    command: str | None,
    sockets: Sequence[socket.socket] = (),
) -> None:
    """Run a table until a signal ends it.

    `command` is the command line that would let phones reach the table; `sockets` are the sockets opened by systemd.

    Raises:
        PegboardError: the table cannot run with these settings.
    """
    settings = next_game.settings
    main_loop = MainLoop()
    first = next_game.first_setup()
    tls = tls_context(settings.web.certificate, settings.web.key)
    with pause_collection(), contextlib.ExitStack() as cleanup:  # until `tune_interpreter`
        listener = adopt(sockets, settings.web)  # bound before anything is written
        journal = cleanup.enter_context(Journal(state, systemd.busy))
        main_loop.take_signals()
        feed = Feed()
        scoreboard = Scoreboard(journal, feed, first, house=next_game.add_house_rules, power=PowerSwitch.of_service())
        news = seat_next(scoreboard, next_game, state)
        brightness = BrightnessControl(
            scoreboard.set_brightness, Brightness(settings.oled.contrast, settings.strip.brightness), state
        )
        for alarm in (brightness.fault, find_memory(state)):
            if alarm is not None:
                scoreboard.raise_alarm(alarm)
        buses = open_buses(settings, cleanup, mock=mock, record=record)
        devices = Devices(with_notice(scoreboard.set_devices, scoreboard.keys.show_notice))
        display_threads = make_displays(settings, buses, devices, cleanup)
        bench = make_bench(settings, buses, display_threads, feed, devices) if mock else None  # counts every write
        start_displays(display_threads, feed)
        inputs = start_inputs(settings, buses, scoreboard, devices, cleanup)
        if not mock and (supply := SupplyVoltage()).is_reported:
            devices.add(supply.health)
        backups = BackupThread(state, feed.view, devices)
        devices.start()
        cleanup.callback(devices.stop)
        backups.start(feed)
        cleanup.callback(backups.stop)
        from web.table.server import Server

        more: dict[str, Any] = {"devices": devices, "tls": tls, "brightness": brightness, "command": command}
        more["updates"] = DirectorUpdates.of_service(state)
        more["event"] = event = (hub := HubConnection(state, feed, devices)).make_event(scoreboard)
        more["watchdog"] = watchdog = make_watchdog(scoreboard, display_threads, inputs)
        server = Server(scoreboard, feed, settings, bench, listener, folder=state, **more)
        server.start()
        cleanup.callback(server.stop)
        tune_interpreter()
        cleanup.callback(systemd.notify, "STOPPING=1")
        cleanup.callback(stop_displays, display_threads)  # the slowest panel goes dark while the pages are closing
        systemd.notify("READY=1")
        server.report_exposure()
        notice = JoinNotice(server.access, scoreboard, mock=mock)
        announce(scoreboard.view, notice, state, news=news)
        publish_table(settings, feed, devices, lambda: notice.network_pages, cleanup)
        hub.connect(event, settings, cleanup)
        server.watch(watchdog)
        watchdog.start()
        cleanup.callback(watchdog.stop)
        looks = [
            Look(Message("stall_look_journal"), scoreboard.look_after, JOURNAL_LOOK_S),
            Look(Message("stall_look_code"), notice.refresh),
            Look(Message("stall_look_exposure"), server.report_exposure),
            Look(Message("stall_look_unpaired"), server.look_for_unpaired),
            Look(Message("stall_look_event"), event.look, EVENT_LOOK_S),
            *([Look(Message("stall_look_bench"), bench.refresh_rates)] if bench else []),
        ]
        main_loop.run(feed, notice, looks, watchdog)


def make_watchdog(scoreboard: Scoreboard, displays: Sequence[Any], inputs: Mapping[str, Any]) -> Watchdog:
    """A watchdog for scoring, committing, every display, and each input that supports it (`Watchable`)."""
    seconds = systemd.watchdog_s()
    feed = partial(systemd.notify, "WATCHDOG=1", wait=False) if seconds else lambda: None
    watchdog = Watchdog(feed, watchdog_s=seconds or None, table=scoreboard.committing)
    watchdog.watch(SCORING, scoreboard.judging.current_span)
    watchdog.watch(COMMITTING, scoreboard.committing.current_span)
    for display in displays:
        watchdog.watch(DISPLAY, display.current_span, display.health.name)
    for name, device in inputs.items():
        if isinstance(device, Watchable):
            watchdog.watch(KEYS, device.current_span, name)
    return watchdog
