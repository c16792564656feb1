"""Hub service: runs a hub with ledger, broker, pages and announcement until a signal; broker details for tables."""

import logging
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
from pegboard.streams import call_on_end, echo_line
from web.access.invitation import in_terminal, own_address, own_addresses, reach_of
from web.http.listener import EVERYWHERE, tls_context
from web.http.problems import Problem

# --- broker details for joining tables: URL and account ---


LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})
"""Names of this machine that other machines cannot use to reach it."""


@dataclass(frozen=True, slots=True)
class BrokerForTables:
    """Callable that returns the broker details for a table.

    Attributes:
        folder: the hub's folder, with the broker accounts; they are reread each time, since `pegboard hub broker` may
            have added some.
        broker: the address at which the hub reaches the broker.
        url: the broker's URL for tables; None to derive it from `broker`.
    """

    folder: Path
    broker: BrokerAddress
    url: str | None = None

    def __call__(self, _night: str, table: str) -> dict[str, Any]:
        """The broker details for the table `table`.

        Raises:
            HubError: the accounts cannot be read.
            Problem: 409, the broker uses accounts and has none for this table.
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
        """The broker's URL, with `here` as the host if the broker is on this machine."""
        host = here if self.broker.host in LOOPBACK else self.broker.host
        place = f"[{host}]" if ":" in host else host
        return f"{'mqtts' if self.broker.is_encrypted else 'mqtt'}://{place}:{self.broker.port}"


FULL_PASS_EACH = 100
"""Collections of younger objects between two full garbage collections (Python's default is 10).

With a thousand tables a full collection blocked every thread for 30 to 180 ms, every twelve seconds, and found only
some three hundred objects: score sheets leave no reference cycles behind.
"""


@dataclass(frozen=True, slots=True)
class HubOptions:
    """Options of a hub.

    Attributes:
        database: the URL of the hub's database.
        folder: the folder of the hub's key, codes and broker accounts.
        broker: the broker and the hub's account on it; None for the broker on this machine, set up by
            `pegboard hub broker`.
        tables_broker: the broker's URL for tables; None to derive it from `broker`.
        web: the address, port and certificate of the hub's pages.
    """

    database: str
    folder: Path
    broker: BrokerAddress | None
    tables_broker: str | None
    web: WebSettings


def run_hub(options: HubOptions) -> None:
    """Run the hub until a signal ends it.

    Raises:
        HubError: the database cannot be used, or the broker accounts cannot be read.
        HubNotNow: the database is unavailable.
        DeviceError: paho-mqtt is missing, a certificate cannot be read, or a URL does not name a broker.
        SettingError: the pages' address cannot be bound, or their certificate cannot be used.
        StateFileError: the folder cannot be written.
        JournalInUse: another hub uses the folder.
    """
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    logging.getLogger("pegboard.security").setLevel(logging.INFO)  # pairings need no warning
    over = threading.Event()
    call_on_end(over.set)
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
    """Whether to announce the hub (discovery) to tables that join by digits only.

    A hub with a certificate is not announced, since such tables do not know the name that the certificate is for. A hub
    without a network yet is announced, since the network may come up later.
    """
    return not web.certificate and reach_of(web.host, own_address(web.host)) != "machine"


def broker_of(options: HubOptions) -> BrokerAddress:
    """The hub's broker, with the hub's account made by `pegboard hub broker` unless another account is given.

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
    """Print the address of the pages and a director's code; the code is kept out of the system log."""
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
