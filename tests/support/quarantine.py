"""What a hub has put aside of the messages of an event."""

from sqlalchemy import select

from pegboard.hub.ledger.database import reading
from pegboard.hub.ledger.ledger_tables import QUARANTINE


def read_quarantine(ledger, event):
    """The rows, oldest first."""
    with reading(ledger.engine) as connection:
        return connection.execute(select(QUARANTINE).filter_by(event=event).order_by(QUARANTINE.c.number)).all()
