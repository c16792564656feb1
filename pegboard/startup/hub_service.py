"""Runs a hub: opens its ledger, connects to its broker, and stores what tables send until a signal ends it."""

import logging
import secrets
import signal
import threading
from dataclasses import dataclass

from pegboard.commandline.streams import echo_line
from pegboard.hub.ledger.database import place_of
from pegboard.hub.ledger.ledger import open_ledger
from pegboard.hub.transport.hub_transport import HubTransport
from pegboard.hub_protocol.broker_address import BrokerAddress
from pegboard.interpreter_tuning import tune_interpreter


@dataclass(frozen=True, slots=True)
class HubOptions:
    """How a hub is run: the URL of its database, its broker, and the port of its pages."""

    database: str
    broker: BrokerAddress
    port: int


def run_hub(options: HubOptions) -> None:
    """Run the hub until a signal ends it.

    Raises:
        HubError: its database cannot be used so.
        HubNotNow: the database is not there.
        DeviceError: paho-mqtt is missing, or a certificate cannot be read.
    """
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    over = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        if signal.getsignal(number) != signal.SIG_IGN or number != signal.SIGHUP:
            signal.signal(number, lambda *_: over.set())
    with open_ledger(options.database) as ledger:
        transport = HubTransport(ledger, options.broker, jitter=lambda: secrets.randbelow(1000) / 1000)
        echo_line(f"Ledger  {place_of(ledger.engine.url)}")
        echo_line(f"Broker  {options.broker}")
        names = ", ".join(one.name for one in ledger.open_events())
        echo_line(f"Events  {names or 'none is open: pegboard hub event open NAME opens one'}")
        transport.start()
        tune_interpreter()
        try:
            over.wait()
        finally:
            transport.stop()
