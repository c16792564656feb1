"""Messages of a table to a hub, made of a journal that a test writes itself."""

import json
from hashlib import sha256

from pegboard.core.wire import USUAL
from pegboard.hub.ledger.event_store import read_arrival
from pegboard.mqtt.messages_of_hub import write_events


class WrittenJournal:
    """A journal whose events a test adds; the chain is as good as any other, for a hub only compares its links."""

    def __init__(self, table="t1", epoch="a1b2c3d4e5f60718", first=1):
        self.table, self.epoch = table, epoch
        self.lines, self.links, self.first = [], {0: ""}, first
        self.places = {}

    def add(self, game="game-1", kind="scored", at=1_795_000_000_000_000_000, **body):
        number = self.first + len(self.lines)
        self.places[game] = self.places.get(game, 0) + 1
        values = {"id": number, "epoch": self.epoch, "game": game, "seq": self.places[game], "at": at}
        values |= {"source": "phone", "kind": kind, "v": USUAL, "body": body}
        self.lines.append(json.dumps(values))
        before = self.links.get(number - 1, "")
        self.links[number] = sha256(f"{before}{self.lines[-1]}".encode()).hexdigest()[:32]
        return number

    def score(self, number=1, game="game-1"):
        """Add so many scores."""
        for each in range(number):
            self.add(game, lane=each % 2, points=each % 29, seat=each % 2, why=None)
        return self

    def payload(self, first=None, last=None, after=None, table=None):
        """The message with the events from `first` to `last`."""
        first = self.first if first is None else first
        last = self.first + len(self.lines) - 1 if last is None else last
        after = (first - 1 if first > self.first else 0) if after is None else after
        lines = self.lines[first - self.first : last - self.first + 1]
        return write_events(table or self.table, self.epoch, (after, self.links[after]), self.links[last], lines)

    def arrival(self, *words, topic=None, event="club-night", **more):
        """The same as it comes by a table's topic."""
        return read_arrival(event, topic or self.table, self.payload(*words, **more))


def message_of_rows(rows, after, table, event):
    """A message with rows of a ledger, as an arrival; `after` is the number of the event before."""
    lines = [json.dumps(_line_of(row)) for row in rows]
    ends = ((rows[0], after), (rows[-1], rows[-1].seq))
    links = [sha256(f"{row.epoch}-{n}".encode()).hexdigest()[:32] if n else "" for row, n in ends]
    return read_arrival(event, table, write_events(table, rows[0].epoch, (after, links[0]), links[1], lines))


def _line_of(row):
    head = {"id": row.seq, "epoch": row.epoch, "game": row.game, "seq": row.place, "at": row.at}
    return head | {"source": row.source, "kind": row.kind, "v": row.version, "body": json.loads(row.body)}


def journal_of_code(code):
    """The journal in which a table has the game of a result code."""
    journal = WrittenJournal(code.table, code.epoch)
    for row in code.rows:
        journal.add(code.game, row.kind, **row.body)
    return journal


def journal_of_table(table, name="t1", board=""):
    """The journal of a table to test at, as it sends it; another board of that name has other epochs and games."""
    rows = list(table.journal.rows())
    epoch = sha256(board.encode()).hexdigest()[:16] if board else rows[0].epoch
    journal = WrittenJournal(name, epoch)
    for row in rows:
        journal.add(f"{board}{row.game}", row.kind, **json.loads(row.body))
    return journal
