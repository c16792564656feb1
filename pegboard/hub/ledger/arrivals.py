"""Judges a message of a table against what the ledger has of it: new events, a repeat, a gap, or something to refuse.

Pure: a watermark and, for events that are stored already, their digests come as arguments.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from pegboard.core.names import original_journal
from pegboard.hub.ledger.ledger_rows import Refused, Watermark
from pegboard.hub.ledger.trouble_rows import Refusal
from pegboard.messages import Message
from pegboard.mqtt.messages_of_hub import BadMessage, EventMessage, SheetEvent, read_events


@dataclass(frozen=True, slots=True)
class Arrival:
    """A message that came by a table's topic.

    Attributes:
        event: the event in the topic; table: the table in it.
        payload: its bytes.
        message: what they say; None where nothing can be read, for the reason in `fault`.
    """

    event: str
    table: str
    payload: bytes
    message: EventMessage | None
    fault: Message | None = None

    @property
    def size(self) -> int:
        """How many events it holds; 1 where it cannot be read."""
        return 1 if self.message is None else len(self.message.events)


def read_arrival(event: str, table: str, payload: bytes) -> Arrival:
    """The message in a payload; one that cannot be read is an arrival, too."""
    try:
        return Arrival(event, table, payload, read_events(payload))
    except BadMessage as error:
        return Arrival(event, table, payload, None, error.message)


class MessageOutcome(Enum):
    """What became of a message."""

    STORED = "stored"
    REPEATED = "repeated"
    GAP = "gap"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is to become of a message.

    Attributes:
        outcome: which of the four.
        new: the events that are to be stored.
        mark: the watermark of the epoch afterwards; None where it stays.
        refusal: what is quarantined, with an alarm; None for nothing.
    """

    outcome: MessageOutcome
    new: Sequence[SheetEvent] = ()
    mark: Watermark | None = None
    refusal: Refusal | None = None


def judge(
    arrival: Arrival, marks: Mapping[str, Watermark], digests: Callable[[Sequence[int]], Mapping[int, str]]
) -> Verdict:
    """What is to become of a message.

    Args:
        arrival: the message.
        marks: the watermarks of its table, by epoch.
        digests: gives those of the stored events of the message's epoch, by their numbers.
    """
    message = arrival.message
    if message is None:
        assert arrival.fault is not None
        return _refuse(arrival, Refused.POISON, Message("hub_poison", table=arrival.table, fault=arrival.fault))
    if message.table != arrival.table:
        why = Message("hub_other_table", table=arrival.table, other=message.table)
        return _refuse(arrival, Refused.OTHER_TABLE, why)
    mark = marks.get(message.epoch, Watermark(len(marks) + 1, 0, ""))
    if message.after > mark.seq:
        return Verdict(MessageOutcome.GAP)
    stored = [event for event in message.events if event.seq <= mark.seq]
    if _is_other_history(message, mark, stored, digests):
        return _refuse(arrival, Refused.OTHER_BODY, Message("hub_other_body", table=arrival.table))
    new = message.events[len(stored) :]
    if not new:
        return Verdict(MessageOutcome.REPEATED)
    after = Watermark(mark.number, message.last, message.chain)
    return Verdict(MessageOutcome.STORED, new, after, _second_epoch(arrival, message.epoch, marks))


def _is_other_history(
    message: EventMessage,
    mark: Watermark,
    stored: Sequence[SheetEvent],
    digests: Callable[[Sequence[int]], Mapping[int, str]],
) -> bool:
    """Whether the table says now that something else happened than it said before."""
    if message.after == mark.seq:
        return message.before != mark.chain
    if message.last > mark.seq and (not stored or stored[-1].seq != mark.seq):
        return True  # it leaves out an event that it has sent
    known = digests([event.seq for event in stored])
    return any(known.get(event.seq) != event.digest for event in stored)


def _refuse(arrival: Arrival, kind: Refused, why: Message) -> Verdict:
    refusal = Refusal(arrival.event, arrival.table, kind, why, arrival.payload)
    return Verdict(MessageOutcome.REFUSED, refusal=refusal)


def _second_epoch(arrival: Arrival, epoch: str, marks: Mapping[str, Watermark]) -> Refusal | None:
    """What a director is to know of where a table that was heard before begins another journal, as on another card."""
    journals = {original_journal(other) for other in marks}
    if not journals or original_journal(epoch) in journals:
        return None
    why = Message("hub_second_epoch", table=arrival.table)
    return Refusal(arrival.event, arrival.table, Refused.SECOND_EPOCH, why, arrival.payload, cause=epoch)
