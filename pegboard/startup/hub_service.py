"""Runs a hub: opens its ledger, connects to its broker, and serves pages and tables until a signal ends it."""

import logging
import signal
import threading
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from pegboard import systemd
from pegboard.config import WebSettings
from pegboard.hub.broker_accounts import HUB_USER, read_accounts
from pegboard.hub.ledger.database import place_of
from pegboard.hub.ledger.ledger import open_ledger
from pegboard.install.host import code_command
from pegboard.interpreter_tuning import tune_interpreter
from pegboard.mqtt.broker_session import PORT, BrokerAddress
from pegboard.mqtt.hub_announcement import HubAnnouncer
from pegboard.startup.running_hub import RunningHub
from pegboard.storage.folder_lock import hold_lock
from pegboard.storage.memory_disk import find_memory
from pegboard.streams import echo_line
from web.access.invitation import in_terminal, own_address, own_addresses, reach_of
from web.http.listener import EVERYWHERE, tls_context
from web.http.problems import Problem

# --- what a table that joins needs to know of the broker: its URL as tables reach it, and the table's account there ---


LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})
"""Names of this machine that mean another one elsewhere."""


@dataclass(frozen=True, slots=True)
class BrokerForTables:
    """Tells it of each table.

    Attributes:
        folder: of the hub, where the accounts at the broker are; they are read anew each time, for
            `pegboard hub broker` may have made more.
        broker: the broker as the hub reaches it.
        url: as tables reach it; None where that is the same, or on this machine.
    """

    folder: Path
    broker: BrokerAddress
    url: str | None = None

    def __call__(self, _night: str, table: str) -> dict[str, Any]:
        """What the table of that name needs to know.

        Raises:
            HubError: the accounts cannot be read.
            Problem: 409, the broker knows hub and tables by accounts, and not this table.
        """
        accounts = read_accounts(self.folder)
        if accounts is not None and table not in accounts.tables:
            raise Problem(409, "no_account", "desk_no_account", table=table, tables=len(accounts.tables))
        authority = self.broker.ca_file
        return {
            "url": self.url or self._url(own_address(EVERYWHERE)),
            "url_here": self.url or self._url(self.broker.host),
            "user": table,
            "password": "" if accounts is None else accounts.passwords[table],
            "ca": Path(authority).read_text(encoding="utf-8") if authority else None,
        }

    def _url(self, here: str) -> str:
        """The broker's URL, in which this machine is called `here`."""
        host = here if self.broker.host in LOOPBACK else self.broker.host
        place = f"[{host}]" if ":" in host else host
        return f"{'mqtts' if self.broker.is_encrypted else 'mqtt'}://{place}:{self.broker.port}"


FULL_PASS_EACH = 100
"""Passes of the garbage collector over younger objects between two over all (Python's default is 10).

With a thousand tables a pass over all held every thread up for 30 to 180 ms, each twelve seconds, and found some three
hundred objects: score sheets leave no reference cycles behind.
"""


@dataclass(frozen=True, slots=True)
class HubOptions:
    """How a hub is run.

    Attributes:
        database: the URL of its database.
        folder: where its key, its codes and its accounts at the broker are.
        broker: its broker, and who it is there; None for that of `pegboard hub broker` on this machine.
        tables_broker: the URL of the broker as tables reach it; None where it is that of the hub, or on this machine.
        web: address, port and certificate of its pages.
    """

    database: str
    folder: Path
    broker: BrokerAddress | None
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
        JournalInUse: another hub runs on that folder.
    """
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    logging.getLogger("pegboard.security").setLevel(logging.INFO)  # pairings are no warning
    over = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        if signal.getsignal(number) != signal.SIG_IGN or number != signal.SIGHUP:
            signal.signal(number, lambda *_: over.set())
    options.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    broker = broker_of(options)
    with hold_lock(options.folder), open_ledger(options.database) as ledger:
        hub = RunningHub(
            ledger,
            options.web,
            options.folder,
            broker,
            broker_of=BrokerForTables(options.folder, broker, options.tables_broker),
            tls=tls_context(options.web.certificate, options.web.key),
        )
        hub.start()
        announcer = HubAnnouncer(hub.server.port, partial(own_addresses, options.web.host))
        if is_announced(options.web):
            announcer.start()
        try:
            place = place_of(ledger.engine.url)
            echo_line(f"Ledger      {place}")
            if (memory := find_memory(Path(place) if Path(place).is_file() else options.folder)) is not None:
                echo_line(f"WARNING     {memory}")
            hint = "" if broker.user or broker.certificate else "   (no accounts; make them with pegboard hub broker)"
            echo_line(f"Broker      {broker}{hint}")
            _print_pages(hub, options.folder)
            systemd.notify("READY=1")
            tune_interpreter(full_pass_each=FULL_PASS_EACH)
            over.wait()
        finally:
            systemd.notify("STOPPING=1")
            announcer.stop()
            hub.stop()


def is_announced(web: WebSettings) -> bool:
    """Whether tables at which digits alone are typed may find the hub: they know no name that its certificate is for.

    The network may come later.
    """
    return not web.certificate and reach_of(web.host, own_address(web.host)) != "machine"


def broker_of(options: HubOptions) -> BrokerAddress:
    """The broker, with the hub's account there as `pegboard hub broker` has made it, unless another is named.

    Raises:
        HubError: the accounts cannot be read.
    """
    named, accounts = options.broker, read_accounts(options.folder)
    if named is None:
        named = BrokerAddress("127.0.0.1", PORT if accounts is None else accounts.port)
    if accounts is None or named.user or named.certificate:
        return named
    return replace(named, user=HUB_USER, password=accounts.passwords[HUB_USER])


def _print_pages(hub: RunningHub, folder: Path) -> None:
    """Where the pages are, and a director's code; the code stays out of the system's log."""
    pages = hub.server.address_of("")
    echo_line(f"Pages       {pages['url']}")
    if systemd.is_logged():
        echo_line("To get a director's code: sudo pegboard hub code")
        return
    code = hub.server.access.codes.director()
    director = hub.server.address_of(f"j/{code.text}")
    echo_line(f"Director    {director['url']}   (works once; to get another: {code_command(folder)})")
    if director["qr"] is not None:
        echo_line("")
        for line in in_terminal(director["url"]).splitlines():
            echo_line(line)
