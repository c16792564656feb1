"""What a table that joins needs to know of the broker: its URL as tables reach it, and the table's account there."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pegboard.hub.broker_accounts import read_accounts
from pegboard.mqtt.broker_session import BrokerAddress
from web.access.invitation import own_address
from web.http.listener import EVERYWHERE
from web.http.problems import Problem

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
