"""Packages of nights that other hubs have uploaded: each is stored once, however often it comes."""

import zlib
from typing import Any

from sqlalchemy import Column, insert, select
from sqlalchemy.exc import IntegrityError

from pegboard.hub.ledger.database import reading, writing
from pegboard.hub.ledger.ledger import Ledger
from pegboard.hub.ledger.ledger_tables import UPLOADED_PACKAGE


class UploadedPackages:
    """The packages in a ledger, by the digests of their contents."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    def add(self, digest: str, content: bytes, season: str) -> bool:
        """Store a package, and what seasons need of it; whether it was not there yet.

        Raises:
            LedgerNotStored: the database cannot store now.
        """
        if self.season_of(digest) is not None:
            return False
        values = {"digest": digest, "at": self._ledger.clock(), "season": season}
        try:
            with writing(self._ledger.engine) as connection:
                connection.execute(insert(UPLOADED_PACKAGE).values(values | {"content": zlib.compress(content)}))
        except IntegrityError:  # the same came by another way in this moment
            return False
        return True

    def content_of(self, digest: str) -> bytes | None:
        """The file of a package, as it came; None for one that is not there."""
        compressed: bytes | None = self._read(UPLOADED_PACKAGE.c.content, digest)
        return None if compressed is None else zlib.decompress(compressed)

    def season_of(self, digest: str) -> str | None:
        """What seasons need of a package; None for one that is not there."""
        season: str | None = self._read(UPLOADED_PACKAGE.c.season, digest)
        return season

    def digests(self) -> list[str]:
        """The digests of all of them in the order in which they came."""
        with reading(self._ledger.engine) as connection:
            own = UPLOADED_PACKAGE.c
            return [row[0] for row in connection.execute(select(own.digest).order_by(own.at, own.digest))]

    def seasons(self) -> list[tuple[str, str]]:
        """What seasons need of each, with its digest, in the order in which they came."""
        with reading(self._ledger.engine) as connection:
            own = UPLOADED_PACKAGE.c
            rows = connection.execute(select(own.digest, own.season).order_by(own.at, own.digest))
            return [(row[0], row[1]) for row in rows]

    def _read(self, column: "Column[Any]", digest: str) -> Any:
        with reading(self._ledger.engine) as connection:
            return connection.execute(select(column).where(UPLOADED_PACKAGE.c.digest == digest)).scalar()
