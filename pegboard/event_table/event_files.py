"""The file in the state folder with the newest orders of the hub, by which a table without a network goes on."""

from pathlib import Path

from pegboard.event_table.join_answer import JoinAnswer, Json
from pegboard.storage.state_files import read_values, write_values
from pegboard.tournament.table_orders import OrdersError, TableOrders, read_orders

FILE = "event_orders.json"

UNREADABLE = (OSError, ValueError, TypeError, LookupError, OrdersError)
"""What reading the file ends in that is missing, damaged or of another version."""


class EventFiles:
    """The file of one table: the hub that was joined last, and its orders."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / FILE

    def last_hub(self) -> str:
        """The address of the hub that was joined last, or ""."""
        try:
            return str(read_values(self._file)["hub"])
        except UNREADABLE:
            return ""

    def read_orders(self, place: JoinAnswer) -> TableOrders | None:
        """The orders for that place; None where there are none."""
        try:
            orders = read_orders(read_values(self._file)["orders"])
        except UNREADABLE:
            return None
        return orders if (orders.event, orders.table) == (place.event, place.table) else None

    def write(self, hub: str, orders: Json | None) -> None:
        """Store the hub's address, and its orders as it has sent them.

        Raises:
            OSError: they could not be written.
        """
        write_values(self._file, {"hub": hub, "orders": orders})
