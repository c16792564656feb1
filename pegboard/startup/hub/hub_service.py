"""Runs a hub: opens its ledger, connects to its broker, and serves pages and tables until a signal ends it."""

import logging
import signal
import threading
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from pegboard import systemd
from pegboard.commandline.streams import echo_line
from pegboard.config import WebSettings
from pegboard.hub.ledger.database import place_of
from pegboard.hub.ledger.ledger import open_ledger
from pegboard.hub.transport.broker_accounts import HUB_USER, BrokerAccounts, read_accounts
from pegboard.hub_protocol.broker_address import BrokerAddress, parse_broker_url
from pegboard.interpreter_tuning import tune_interpreter
from pegboard.startup.hub.running_hub import RunningHub
from web.access.invitation import in_terminal, own_address
from web.http.listener import EVERYWHERE, tls_context
from web.http.problems import Problem

LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})
"""Names of this machine that mean another one elsewhere."""


@dataclass(frozen=True, slots=True)
class HubOptions:
    """How a hub is run.

    Attributes:
        database: the URL of its database.
        folder: where its key, its codes and its accounts at the broker are.
        broker: its broker, and who it is there.
        tables_broker: the URL of the broker as tables reach it; None where it is that of the hub, or on this machine.
        web: address, port and certificate of its pages.
    """

    database: str
    folder: Path
    broker: BrokerAddress
    tables_broker: str | None
    web: WebSettings


def run_hub(options: HubOptions) -> None:
    """Run the hub until a signal ends it.

    Raises:
        HubError: its database cannot be used so, or its accounts at the broker cannot be read.
        HubNotNow: the database is not there.
        DeviceError: paho-mqtt is missing, a certificate cannot be read, or a URL names no broker.
        SettingError: the pages' address cannot be bound, or their certificate cannot be used.
        StateFileError: the folder cannot be written.
    """
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    over = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        if signal.getsignal(number) != signal.SIG_IGN or number != signal.SIGHUP:
            signal.signal(number, lambda *_: over.set())
    if options.tables_broker is not None:
        parse_broker_url(options.tables_broker)
    options.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    accounts = read_accounts(options.folder)
    broker = options.broker
    if accounts is not None and not (broker.user or broker.certificate):
        broker = replace(broker, user=HUB_USER, password=accounts.passwords[HUB_USER])
    with open_ledger(options.database) as ledger:
        hub = RunningHub(
            ledger,
            options.web,
            options.folder,
            broker,
            broker_of=partial(_broker_of, options, accounts),
            tls=tls_context(options.web.certificate, options.web.key),
        )
        hub.start()
        try:
            echo_line(f"Ledger      {place_of(ledger.engine.url)}")
            echo_line(f"Broker      {broker}")
            _print_pages(hub)
            systemd.notify("READY=1")
            tune_interpreter()
            over.wait()
        finally:
            systemd.notify("STOPPING=1")
            hub.stop()


def _broker_of(options: HubOptions, accounts: BrokerAccounts | None, _night: str, table: str) -> dict[str, Any]:
    """What a table needs to know of the broker.

    Raises:
        Problem: 409, the broker knows hub and tables by accounts, and not this table.
    """
    if accounts is not None and table not in accounts.passwords:
        raise Problem(409, "no_account", "desk_no_account", table=table, tables=len(accounts.tables))
    authority = options.broker.ca_file
    return {
        "url": options.tables_broker or _url_for_tables(options.broker),
        "user": table,
        "password": "" if accounts is None else accounts.passwords[table],
        "ca": Path(authority).read_text(encoding="utf-8") if authority else None,
    }


def _url_for_tables(broker: BrokerAddress) -> str:
    """The broker's URL as a table reaches it: this machine is called by its address in the network."""
    host = own_address(EVERYWHERE) if broker.host in LOOPBACK else broker.host
    place = f"[{host}]" if ":" in host else host
    return f"{'mqtts' if broker.is_encrypted else 'mqtt'}://{place}:{broker.port}"


def _print_pages(hub: RunningHub) -> None:
    """Where the pages are, and a director's code; the code stays out of the system's log."""
    pages = hub.server.address_of("")
    echo_line(f"Pages       {pages['url']}")
    if systemd.is_logged():
        echo_line("pegboard hub code prints a director's code.")
        return
    code = hub.server.access.codes.director()
    director = hub.server.address_of(f"j/{code.text}")
    echo_line(f"Director    {director['url']}   (counts once; pegboard hub code prints another)")
    if director["qr"] is not None:
        echo_line("")
        for line in in_terminal(director["url"]).splitlines():
            echo_line(line)
