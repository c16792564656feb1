"""Many tables in one process: each keeps a journal in memory, and speaks MQTT 3.1.1 to a broker as a real one does.

What is sent next, and which acknowledgement counts, is decided by the link's own `SendWindow` and `KnownHubs`.
"""

import asyncio
import contextlib
import itertools
import secrets
import struct
from collections import deque
from typing import NamedTuple

from pegboard import Rules, Score, new_game
from pegboard.core import wire
from pegboard.core.house_rules import with_house_rules
from pegboard.core.moves import Confirm, Start
from pegboard.core.referee import apply, decide
from pegboard.mqtt.messages_of_hub import EVERY_HUB, Acknowledged, TableTopics, read_acknowledgement, read_presence
from pegboard.mqtt.outbox import KnownHubs, SendWindow
from pegboard.table.event_shown import EVENT_HOUSE_RULES
from tests.support.table_messages import WrittenJournal

CONNECT, CONNACK, PUBLISH, PUBACK, SUBSCRIBE, PINGREQ = 0x10, 0x20, 0x30, 0x40, 0x82, 0xC0
"""First bytes of packets (MQTT 3.1.1, table 2.1)."""


def packet(first, body):
    """A packet: its first byte, the length of the rest in groups of seven bits, the rest."""
    length, groups = len(body), bytearray()
    while True:
        length, group = divmod(length, 128)
        groups.append(group | (0x80 if length else 0))
        if not length:
            return bytes([first]) + groups + body


def text(words):
    encoded = words if isinstance(words, bytes) else words.encode()
    return struct.pack("!H", len(encoded)) + encoded


async def read_packet(reader):
    """The first byte of the next packet, and its body."""
    (first,) = await reader.readexactly(1)
    length = shift = 0
    while True:
        (group,) = await reader.readexactly(1)
        length |= (group & 0x7F) << shift
        shift += 7
        if group < 0x80:
            return first, await reader.readexactly(length)


class Sitting(NamedTuple):
    """What a table plays: a game of a night by its pairing, or any."""

    pairing: str = ""
    players: tuple[str, str] = ("Ann", "Bob")
    dealer: int = 0


ANY_GAME = Sitting()


def sheet_of(dice, sitting=ANY_GAME):
    """Kinds and bodies of the events of one game until somebody has won and all have confirmed; winner and margin."""
    rules = with_house_rules(Rules.named("acc"), EVENT_HOUSE_RULES if sitting.pairing else ())
    game, events = new_game(rules, sitting.players, sitting.dealer), []

    def do(command):
        nonlocal game
        events.append(decide(game, command))
        game = apply(game, events[-1])

    do(Start(rules, sitting.players, sitting.dealer, pairing=sitting.pairing))
    while game.outcome is None:
        do(Score(dice.choice((1, 2, 4, 6, 8, 12, 16)), dice.randrange(2)))
    fronts, winner = tuple(lane.front for lane in game.lanes), game.outcome.winner
    while lanes := game.lanes_to_confirm():
        do(Confirm(lanes[0], winner, fronts))
    return [wire.event_values(event) for event in events], winner, max(fronts) - min(fronts)


class SimulatedTable:
    """One table. `acknowledged` is called with its name, an epoch and a number for each acknowledgement."""

    def __init__(self, name, event, port, dice, *, sittings=(), trusts_broker=False, acknowledged=lambda *_: None):
        self.name, self.event, self.port, self.dice = name, event, port, dice
        self.trusts_broker, self._on_acknowledged = trusts_broker, acknowledged
        self.topics = TableTopics(event, name)
        self.journals, self._ids, self._games = [], itertools.count(1), itertools.count(1)
        self.hubs, self.sent_messages, self.is_cut = KnownHubs(event), 0, False
        self._news, self._writer, self._waiting = asyncio.Event(), None, {}
        self._sheet, self.over = iter(()), False
        self._sittings, self.results, self._dealt = list(sittings), [], deque()
        self.put_card_in()

    @property
    def journal(self):
        return self.journals[-1]

    def put_card_in(self):
        """A fresh card: another journal, which begins at 1."""
        self.journals.append(WrittenJournal(self.name, secrets.token_hex(8)))
        self._sheet, self._window = iter(()), SendWindow(self.dice.random)
        self._news.set()

    def score(self):
        """One more event of the game that is played, or of the next one; its number."""
        found = next(self._sheet, None)
        if found is None:
            self._sit_down()
            found = next(self._sheet)
        kind, body = found
        number = self.journal.add(self._game, kind, **body)
        if number == self._last:
            self.results.append((self._sitting, *self._result))
        self._news.set()
        return number

    def deal_ahead(self, events):
        """Have the games of the next events ready, so that they cost no time while something is measured."""
        while sum(len(sheet) for sheet, *_ in self._dealt) < events:
            self._dealt.append(sheet_of(self.dice))

    def _sit_down(self):
        """Begin the next game of the night: on a fresh card the one that was not played to its end."""
        played = len(self.results)
        self._sitting = self._sittings[played] if played < len(self._sittings) else ANY_GAME
        events, *self._result = self._dealt.popleft() if self._dealt else sheet_of(self.dice, self._sitting)
        self._sheet, self._last = iter(events), len(self.journal.lines) + len(events)
        self._game = f"{self.name}-{len(self.journals)}-{next(self._games)}"

    @property
    def is_done(self):
        """Whether the hub has everything of the card that is in."""
        return self._position() == len(self.journal.lines)

    def _position(self):
        if self.trusts_broker:
            return self._window.acknowledged
        found = self.hubs.common_acknowledgement().get(self.journal.epoch, Acknowledged(0, ""))
        return found.seq

    async def run(self):
        """Connect, and again whenever the connection is lost."""
        while not self.over:
            with contextlib.suppress(OSError, asyncio.IncompleteReadError, asyncio.TimeoutError):
                if not self.is_cut:
                    await self._hold_connection()
            self._writer = None
            await asyncio.sleep(0.1 + 0.4 * self.dice.random())

    async def _hold_connection(self):
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        try:
            head = text("MQTT") + bytes([4, 2]) + struct.pack("!H", 60)
            writer.write(packet(CONNECT, head + text(f"sim-{self.name}")))
            await asyncio.wait_for(read_packet(reader), 10)
            own = (self.topics.of("ack"), EVERY_HUB)
            writer.write(packet(SUBSCRIBE, struct.pack("!H", 1) + b"".join(text(topic) + b"\x00" for topic in own)))
            self.hubs.forget_presences()
            self._window.restart()
            self._writer = writer
            sending = asyncio.ensure_future(self._keep_sending())
            try:
                while not self.is_cut:
                    self._hear(*await read_packet(reader))
            finally:
                sending.cancel()
        finally:
            writer.close()

    def cut(self):
        """Its Wi-Fi is gone, until `is_cut` is unset."""
        self.is_cut = True
        if self._writer is not None:
            self._writer.transport.abort()

    def _hear(self, first, body):
        if first & 0xF0 == PUBACK:
            number = self._waiting.pop(struct.unpack("!H", body[:2])[0], 0)
            if self.trusts_broker and number > self._window.acknowledged:
                self._window.acknowledge(number, asyncio.get_running_loop().time())
                self._news.set()
        if first & 0xF0 != PUBLISH:
            return
        (length,) = struct.unpack("!H", body[:2])
        topic, payload = body[2 : 2 + length].decode(), body[2 + length :]
        if topic == self.topics.of("ack"):
            hub, acks = read_acknowledgement(payload)
            self.hubs.note_acknowledgement(hub, acks)
            for epoch, each in acks.items():
                self._on_acknowledged(self.name, epoch, each.seq)
        elif self.hubs.note_presence(read_presence(payload)) and not self.trusts_broker:
            self._window.restart()
        self._news.set()

    async def _keep_sending(self):
        loop = asyncio.get_running_loop()
        while True:
            due = self._window.due_s
            seconds = None if due is None else max(0.0, due - loop.time())
            with contextlib.suppress(asyncio.TimeoutError):
                await asyncio.wait_for(self._news.wait(), seconds)
            self._news.clear()
            self._send(loop.time())

    def _send(self, now):
        if not self.trusts_broker:
            if not self.hubs.present:
                return
            self._window.acknowledge(self._position(), now)
            self._window.back_off(now)
        while (room := self._window.room) and self._window.sent < len(self.journal.lines):
            first = self._window.sent + 1
            last = min(self._window.sent + room, len(self.journal.lines))
            self.publish(self.journal.payload(first, last), last)
            self._window.note_sent(range(first, last + 1), now)

    def publish(self, payload, last=0, channel="events"):
        """Send a message with quality of service 1."""
        number = next(self._ids) % 65535 + 1
        self._waiting[number] = last
        self.sent_messages += 1
        if self._writer is not None:
            self._writer.write(packet(PUBLISH | 2, text(self.topics.of(channel)) + struct.pack("!H", number) + payload))
