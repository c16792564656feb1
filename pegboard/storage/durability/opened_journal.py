"""A journal that is open, as the disk gave it or as far as it can be read, and where it ends."""

import sqlite3
from dataclasses import dataclass, field

from pegboard.messages import Message
from pegboard.storage.durability.journal_mark import MarkedTail
from pegboard.storage.durability.match_rows import MatchRows


@dataclass(slots=True)
class OpenedJournal:
    """A journal that can be played with.

    Attributes:
        db: a connection on which a commit is on disk; where `fault` is set, a copy in memory of what can be read.
        epoch: its id.
        last_id: the number of its newest event, 0 before the first.
        chain: that event's link of the hash chain.
        match_rows: the rows of its running match.
        findings: what was found wrong, oldest first.
        fault: why nothing can be stored now, or None.
        left: where there is a `fault`, the end of what could be read on the disk; None where nothing could.
    """

    db: sqlite3.Connection
    epoch: str
    last_id: int
    chain: str
    match_rows: MatchRows
    findings: list[Message] = field(default_factory=list)
    fault: Message | None = None
    left: MarkedTail | None = None
