"""Packages of nights that other hubs have uploaded: each is stored once, however often it comes."""

from dataclasses import dataclass

from sqlalchemy import insert, select
from sqlalchemy.exc import IntegrityError

from pegboard.hub.ledger.database import reading, writing
from pegboard.hub.ledger.ledger import Ledger
from pegboard.hub.ledger.ledger_tables import UPLOADED_PACKAGE


@dataclass(frozen=True, slots=True)
class StoredPackage:
    """A package: the digest of its bytes, the event that it is of, when it came (ns since 1970), and the bytes."""

    digest: str
    event: str
    at: int
    content: bytes


class UploadedPackages:
    """The packages in a ledger."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    def add(self, digest: str, event: str, content: bytes) -> bool:
        """Store a package; whether it was not there yet.

        Raises:
            LedgerNotStored: the database cannot store now.
        """
        if self.get(digest) is not None:
            return False
        values = {"digest": digest, "event": event, "at": self._ledger.clock(), "content": content}
        try:
            with writing(self._ledger.engine) as connection:
                connection.execute(insert(UPLOADED_PACKAGE).values(values))
        except IntegrityError:  # the same came by another way in this moment
            return False
        return True

    def get(self, digest: str) -> StoredPackage | None:
        """The package of that digest, or None."""
        with reading(self._ledger.engine) as connection:
            own = UPLOADED_PACKAGE.c
            found = connection.execute(select(UPLOADED_PACKAGE).where(own.digest == digest)).first()
            return None if found is None else StoredPackage(*found)

    def digests(self) -> "list[str]":
        """The digests of all of them in the order in which they came."""
        with reading(self._ledger.engine) as connection:
            own = UPLOADED_PACKAGE.c
            return [row[0] for row in connection.execute(select(own.digest).order_by(own.at, own.digest))]

    def list(self) -> list[StoredPackage]:
        """All of them in the order in which they came."""
        with reading(self._ledger.engine) as connection:
            own = UPLOADED_PACKAGE.c
            rows = connection.execute(select(UPLOADED_PACKAGE).order_by(own.at, own.digest))
            return [StoredPackage(*row) for row in rows]
