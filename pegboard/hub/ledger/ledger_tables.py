"""The tables of the ledger, for SQLite and PostgreSQL alike."""

from sqlalchemy import BigInteger, Column, Integer, LargeBinary, MetaData, Table, Text, UniqueConstraint

METADATA = MetaData()

ABOUT = Table(
    "about",
    METADATA,
    Column("hub", Text, primary_key=True),
    Column("version", Integer, nullable=False),
)
"""The id of this ledger, made with it, and the version of its tables."""

NIGHT_EVENT = Table(
    "night_event",
    METADATA,
    Column("name", Text, primary_key=True),
    Column("label", Text, nullable=False),
    Column("opened", BigInteger, nullable=False),
)
"""The events that are open: from no other does a table's message count."""

TABLE_EVENT = Table(
    "table_event",
    METADATA,
    Column("event", Text, primary_key=True),
    Column("table", Text, primary_key=True),
    Column("epoch", Text, primary_key=True),
    Column("seq", BigInteger, primary_key=True, autoincrement=False),
    Column("game", Text, nullable=False),
    Column("place", BigInteger, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("received", BigInteger, nullable=False),
    Column("kind", Text, nullable=False),
    Column("body", Text, nullable=False),
    Column("source", Text, nullable=False),
    Column("version", BigInteger, nullable=False),
    Column("digest", Text, nullable=False),
    sqlite_with_rowid=False,
)
"""Each event of a table's journal, as it was received; `received` is the hub's clock, in nanoseconds since 1970."""

WATERMARK = Table(
    "watermark",
    METADATA,
    Column("event", Text, primary_key=True),
    Column("table", Text, primary_key=True),
    Column("epoch", Text, primary_key=True),
    Column("number", Integer, nullable=False),
    Column("seq", BigInteger, nullable=False),
    Column("chain", Text, nullable=False),
)
"""Up to where the events of an epoch are stored without a gap; `number` counts the epochs of a table, from 1."""

QUARANTINE = Table(
    "quarantine",
    METADATA,
    Column("number", Integer, primary_key=True),
    Column("event", Text, nullable=False),
    Column("table", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("digest", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("times", BigInteger, nullable=False),
    Column("message", Text, nullable=False),
    Column("body", LargeBinary, nullable=False),
    UniqueConstraint("event", "table", "kind", "digest"),
)
"""What was refused, once for each body, and how many times it came."""

ALARM = Table(
    "alarm",
    METADATA,
    Column("number", Integer, primary_key=True),
    Column("event", Text, nullable=False),
    Column("table", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("digest", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("message", Text, nullable=False),
    Column("dismissed", BigInteger),
    Column("dismissed_by", Text),
    UniqueConstraint("event", "table", "kind", "digest"),
)
"""What a director is to know of, until somebody dismisses it."""

NIGHT_DECISION = Table(
    "night_decision",
    METADATA,
    Column("event", Text, primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("id", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("role", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("version", Integer, nullable=False),
    Column("body", Text, nullable=False),
    Column("chain", Text, nullable=False),
    UniqueConstraint("event", "id"),
)
"""What directors, players and tables decided, numbered from 1 in each event; `chain` is its link in a hash chain."""

UPLOADED_PACKAGE = Table(
    "uploaded_package",
    METADATA,
    Column("digest", Text, primary_key=True),
    Column("at", BigInteger, nullable=False),
    Column("content", LargeBinary, nullable=False),
    Column("season", Text, nullable=False),
)
"""Packages of nights that other hubs have uploaded, each once, compressed; `season` is what seasons need of each."""

APPENDED_ONLY = (TABLE_EVENT, NIGHT_DECISION)
"""The tables whose rows are only ever added; triggers refuse all else."""
