"""Publishes the table to the MQTT broker that the settings name; a fault there is one of a device, and no more."""

import contextlib
import os
import socket
from collections.abc import Callable

from pegboard.config import Settings, require_fit
from pegboard.devices.health import Devices
from pegboard.feed import Feed
from pegboard.install.host import TRIAL_VARIABLE
from pegboard.startup.devices import contain_errors

SECTION = "mqtt"


def publish_table(
    settings: Settings, feed: Feed, devices: Devices, url: Callable[[], str | None], cleanup: contextlib.ExitStack
) -> None:
    """Publish the table until `cleanup`, where a broker is configured and this version is not only tried.

    `url` gives the address of the pages for others on the network, or None.
    """
    is_unfit = any(name.startswith(f"{SECTION}.") for name in settings.unfit)
    if not (settings.mqtt.broker or is_unfit) or TRIAL_VARIABLE in os.environ:
        return
    with contain_errors("MQTT", settings, devices):
        require_fit(settings, SECTION)
        from pegboard.mqtt.home_assistant import MqttPublisher

        publisher = MqttPublisher(settings.mqtt, socket.gethostname().partition(".")[0], url, devices.wake)
        devices.add(lambda: publisher.health)
        cleanup.callback(publisher.start(feed))
