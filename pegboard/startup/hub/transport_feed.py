"""What the transport of a hub knows of its tables, as pages read it."""

from collections.abc import Mapping

from pegboard.devices.health import Health
from pegboard.hub.hub_transport import BROKER, HeardTable, HubTransport
from pegboard.messages import Message
from pegboard.tournament.night.views.actions import say
from pegboard.tournament.table_orders import Json

NS_PER_MS = 1_000_000


class TransportFeed:
    """What tables show, and why none is heard of."""

    def __init__(self) -> None:
        """Without a table, until `transport` is set."""
        self.transport: HubTransport | None = None

    def tables(self, night: str) -> Mapping[str, Json]:
        """What each table of a night shows; times in ms since 1970."""
        return {} if self.transport is None else {name: _row(one) for name, one in self.transport.tables(night).items()}

    def troubles(self) -> list[Json]:
        """Why no table is heard of, or nothing that they send is stored."""
        ill = [] if self.transport is None else [one for one in self.transport.health if not one.ok]
        return [say(_trouble_of(one)) for one in ill]


def _row(one: HeardTable) -> Json:
    last_at = one.last_event_at or one.since
    return {
        "online": one.online,
        "since": one.since // NS_PER_MS,
        "last_at": last_at // NS_PER_MS,
        "state": one.state,
    }


def _trouble_of(one: Health) -> Message:
    if one.name == BROKER:
        return Message("hub_broker_away", fault=one.trouble)
    inner = one.trouble.values.get("fault") if isinstance(one.trouble, Message) else None
    return Message("hub_ledger_away", fault=inner or one.trouble)  # that nothing is stored it says itself
