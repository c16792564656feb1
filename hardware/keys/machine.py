"""The keys as a pure machine: edges and the time go in, what the players mean comes out.

A leading edge counts at once; then the key is deaf for the lock-out and is looked at again, so that bounces cost
neither a press nor a delay. Edges carry the time of the line and may be told late, so such a look waits until no
earlier edge can come any more, or another key moves: what was done first acts first. All times are integer nanoseconds
of one steady clock: float seconds lost one press in a hundred. What each key is for is data (`Means`), so several keys
a player, one key a player and a numeric keypad are one machine.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

from hardware.key_roles import (
    Action,
    AddKey,
    AskNewGame,
    Cancel,
    Deal,
    DealKey,
    Dial,
    DigitKey,
    Drop,
    Enter,
    EnterKey,
    Forgot,
    Invite,
    KeyRole,
    NewGame,
    Peg,
    ShortLongKey,
    Stuck,
    TooMuch,
    Typed,
    Undo,
    UndoKey,
)
from pegboard.config import KeySettings
from pegboard.core.rules import MOST_AT_ONCE
from pegboard.errors import DeviceError

Nanoseconds: TypeAlias = int

SECOND: Nanoseconds = 1_000_000_000

MOST_DIGITS = len(str(MOST_AT_ONCE))


@dataclass(frozen=True, slots=True)
class Timing:
    """How long the keys wait for what, each in nanoseconds.

    Attributes:
        lockout: a key is deaf for so long after each change that counted.
        late: an edge may be told so long after it.
        silence: a dialled amount pegs after so long without a change on its lane's keys.
        hold: a player's key held so long pegs at once.
        long: a player's only key held so long is a long press, and each time so long again another one.
        typed: an amount typed without an ENTER is dropped after so long.
        undo_hold: UNDO held so long asks for a new game, and so long again starts it.
        question: the question stands so long.
        stuck: a key down for so long is stuck.
    """

    lockout: Nanoseconds = 25_000_000
    late: Nanoseconds = 60_000_000
    silence: Nanoseconds = 1_200_000_000
    hold: Nanoseconds = 800_000_000
    long: Nanoseconds = 500_000_000
    typed: Nanoseconds = 10 * SECOND
    undo_hold: Nanoseconds = 3 * SECOND
    question: Nanoseconds = 10 * SECOND
    stuck: Nanoseconds = 30 * SECOND

    @staticmethod
    def of(keys: KeySettings) -> "Timing":
        """The timing that is set.

        Raises:
            DeviceError: a key would be stuck before it is held.
        """
        longest = max(keys.hold_s, keys.long_s, keys.undo_hold_s)
        if keys.stuck_s <= longest:
            raise DeviceError(
                f"keys.stuck_s is {keys.stuck_s:g}; more is taken than the longest hold, {longest:g} s",
                "keys.stuck_s",
                "keys.undo_hold_s",
                "keys.hold_s",
                "keys.long_s",
            )
        return Timing(
            lockout=round(keys.lockout_s * SECOND),
            silence=round(keys.silence_s * SECOND),
            hold=round(keys.hold_s * SECOND),
            long=round(keys.long_s * SECOND),
            undo_hold=round(keys.undo_hold_s * SECOND),
            question=round(keys.question_s * SECOND),
            stuck=round(keys.stuck_s * SECOND),
        )


@dataclass(slots=True)
class _Contact:
    """One key: the level last seen, the level that counts, and what is still to come of the press in hand."""

    name: str
    means: KeyRole
    level: bool = False
    down: bool = False
    deaf_until: Nanoseconds = 0
    looked_at: Nanoseconds = 0
    """When it was for the last time that no edge, but a look after the lock-out counted."""
    sprang_back: bool = False
    """Whether the line was seen to be again as it counts, though no edge has told that."""
    hold_at: Nanoseconds | None = None
    stuck_at: Nanoseconds | None = None
    added: int = 0
    """Points of long presses that this press has been so far."""
    spent: bool = False
    """Whether this press does nothing more until the key is let go."""
    stuck: bool = False

    @property
    def lane(self) -> int | None:
        return self.means.lane if isinstance(self.means, AddKey | ShortLongKey) else None

    def rest(self) -> None:
        """Nobody touches it."""
        self.level = self.down = self.stuck = self.sprang_back = False
        self.hold_at = self.stuck_at = None


_Due: TypeAlias = tuple[Nanoseconds, Callable[[Nanoseconds], list[Action]]]
"""When something falls due, and what is then done."""


class KeyMachine:
    """What the players mean by their presses. It answers the same however often it is told the time."""

    def __init__(self, keys: Mapping[str, KeyRole], timing: Timing) -> None:
        self._contacts = {name: _Contact(name, means) for name, means in keys.items()}
        self._timing = timing
        self._now: Nanoseconds = 0
        self._dialling: int | None = None
        self._silent_at: Nanoseconds = 0
        self._typed = ""
        self._typed_until: Nanoseconds = 0
        self._asked_until: Nanoseconds | None = None

    @property
    def stuck(self) -> tuple[str, ...]:
        """The keys that are ignored until they are let go."""
        return tuple(contact.name for contact in self._contacts.values() if contact.stuck)

    def found_down(self, name: str) -> list[Action]:
        """A key is down when the machine is switched on: nobody has pressed it, so it is ignored until let go."""
        contact = self._contacts[name]
        contact.level = contact.down = contact.spent = contact.stuck = True
        return [Stuck(name)]

    def gone(self, t_ns: Nanoseconds) -> list[Action]:
        """The keys have been unplugged: none is down any more, and a press that was not over does nothing more."""
        actions = self.tick(t_ns)
        for contact in self._contacts.values():
            contact.rest()
        self._silent_at = max(self._silent_at, self._now + self._timing.silence)
        return actions

    def edge(self, t_ns: Nanoseconds, name: str, down: bool) -> list[Action]:
        """The line of a key changed at `t_ns`, which may be some time ago; its edges come in order."""
        actions = self.tick(t_ns)
        contact = self._contacts[name]
        if t_ns < contact.looked_at:
            self._correct(contact, down)
            return actions
        contact.sprang_back = False
        if down == contact.level == contact.down:
            contact.deaf_until = min(contact.deaf_until, t_ns + self._timing.lockout)  # it was seen before it was told
        actions += self._earlier(t_ns)
        return actions + self._now_is(contact, t_ns, down)

    def seen(self, t_ns: Nanoseconds, name: str, down: bool) -> list[Action]:
        """The line of a key was looked at; edges that were earlier may still come.

        What an edge has told is no news: its own time counts, or the key would be deaf anew. And a key that was told
        to be let go and is seen down may just have been pressed again: its next edge decides, or that none comes.
        """
        actions, contact = self.tick(t_ns), self._contacts[name]
        if contact.level != contact.down and t_ns >= contact.deaf_until:
            contact.sprang_back = down == contact.down
            return actions
        return actions if down == contact.level else actions + self._now_is(contact, t_ns, down)

    def tick(self, t_ns: Nanoseconds) -> list[Action]:
        """The time is `t_ns`, or no earlier than it was: whatever fell due meanwhile happens, each at its own time."""
        self._now = max(t_ns, self._now)
        actions: list[Action] = []
        while (due := self._next()) is not None and due[0] <= self._now:
            actions += due[1](due[0])
        return actions

    def deadline(self) -> Nanoseconds | None:
        """When `tick` is to be called next, or None while only a press can change anything."""
        due = self._next()
        return None if due is None else due[0]

    def _next(self) -> _Due | None:
        return min(self._to_come(), key=lambda due: due[0], default=None)

    def _to_come(self) -> Iterator[_Due]:
        for contact in self._contacts.values():
            if contact.level != contact.down:
                yield contact.deaf_until + self._timing.late, partial(self._look, contact)
            if contact.hold_at is not None:
                yield contact.hold_at, partial(self._held, contact)
            if contact.stuck_at is not None:
                yield contact.stuck_at, partial(self._stuck, contact)
        if self._dialling is not None and not self._adding_longer():
            yield self._silent_at, self._silence
        if self._typed:
            yield self._typed_until, self._forgotten
        if self._asked_until is not None and not self._answering():
            yield self._asked_until, self._unanswered

    def _adding_longer(self) -> bool:
        """Whether the key that dials is still down, so that it is not silent yet."""
        return any(
            isinstance(contact.means, ShortLongKey) and contact.lane == self._dialling and not contact.spent
            for contact in self._contacts.values()
            if contact.down
        )

    def _answering(self) -> bool:
        """Whether UNDO is down for the second time: the hold began in time, so the question waits for its end."""
        return any(undo.hold_at is not None for undo in self._undos())

    def _undos(self) -> list[_Contact]:
        return [contact for contact in self._contacts.values() if isinstance(contact.means, UndoKey)]

    def _earlier(self, t_ns: Nanoseconds) -> list[Action]:
        """A key has moved at `t_ns`: those whose lock-out was over before are looked at first."""
        waiting = [each for each in self._contacts.values() if each.level != each.down and each.deaf_until <= t_ns]
        waiting.sort(key=lambda each: each.deaf_until)
        return [action for contact in waiting for action in self._look(contact, self._now)]

    def _now_is(self, contact: _Contact, t_ns: Nanoseconds, down: bool) -> list[Action]:
        contact.level = down
        return self._changed(contact, t_ns, self._now) if t_ns >= contact.deaf_until else []

    def _look(self, contact: _Contact, t_ns: Nanoseconds) -> list[Action]:
        """What the line was when the lock-out ended."""
        if contact.sprang_back:
            contact.level, contact.sprang_back = contact.down, False
        if contact.level != contact.down:
            contact.looked_at = contact.deaf_until
        return self._changed(contact, contact.deaf_until, t_ns)

    def _changed(self, contact: _Contact, at: Nanoseconds, t_ns: Nanoseconds) -> list[Action]:
        """What counts is what the line was `at` that time; now it is `t_ns`."""
        if contact.level == contact.down:
            return []
        contact.down = contact.level
        contact.deaf_until = at + self._timing.lockout
        if contact.lane is not None and contact.lane == self._dialling:
            self._silent_at = t_ns + self._timing.silence
        return self._pressed(contact, t_ns) if contact.down else self._let_go(contact, t_ns)

    def _correct(self, contact: _Contact, down: bool) -> None:
        """An edge came later than any may: a look took a bounce for a press or a release, which is done already."""
        contact.rest()
        contact.level = contact.down = contact.spent = down
        contact.stuck_at = self._now + self._timing.stuck if down else None

    def _pressed(self, contact: _Contact, t_ns: Nanoseconds) -> list[Action]:
        contact.stuck_at = t_ns + self._timing.stuck
        contact.spent = False
        contact.added = 0
        if isinstance(contact.means, UndoKey):
            contact.hold_at = t_ns + self._timing.undo_hold
            return []
        if self._asked_until is not None:
            contact.spent = True
            return self._cancel()
        return [*self._undone_before(contact), *self._meant(contact, contact.means, t_ns)]

    def _undone_before(self, pressed: _Contact) -> list[Action]:
        """An UNDO that is still down acts before another key does, or it would take back what is pressed after it."""
        held = [undo for undo in self._undos() if undo.hold_at is not None]
        if not held or isinstance(pressed.means, DealKey):
            return []
        for undo in held:
            undo.hold_at, undo.spent = None, True
        return self._undone()

    def _meant(
        self, contact: _Contact, means: AddKey | ShortLongKey | DigitKey | EnterKey | DealKey, t_ns: Nanoseconds
    ) -> list[Action]:
        match means:
            case AddKey(lane, points):
                contact.hold_at = t_ns + self._timing.hold
                return self._dialled(lane, points, t_ns)
            case ShortLongKey(lane):
                contact.hold_at = t_ns + self._timing.long
                return [] if lane == self._dialling or self._adding_longer() else self._silence(t_ns)
            case DigitKey(digit):
                return self._digit(digit, t_ns)
            case EnterKey(lane):
                return self._entered(lane)
            case DealKey():
                return self._dealt()

    def _dialled(self, lane: int, points: int, t_ns: Nanoseconds) -> list[Action]:
        self._dialling, self._silent_at = lane, t_ns + self._timing.silence
        return [Dial(lane, points)]

    def _digit(self, digit: int, t_ns: Nanoseconds) -> list[Action]:
        text = f"{self._typed}{digit}"
        self._typed_until = t_ns + self._timing.typed
        if len(text) > MOST_DIGITS or int(text) > MOST_AT_ONCE:
            return [TooMuch(text, int(self._typed))]
        self._typed = text
        return [Typed(int(text))]

    def _entered(self, lane: int) -> list[Action]:
        typed, self._typed = self._typed, ""
        return [Enter(lane, int(typed) if typed else None)]

    def _dealt(self) -> list[Action]:
        """DEAL passes the deal; pressed while UNDO is down it is a chord, and neither does anything else."""
        if not self._answering():
            self._dialling = None
            return [Deal()]
        for undo in self._undos():
            undo.hold_at, undo.spent = None, undo.down
        return [Invite()]

    def _let_go(self, contact: _Contact, t_ns: Nanoseconds) -> list[Action]:
        unheld = contact.hold_at is not None
        contact.rest()
        if contact.spent:
            return []
        match contact.means:
            case ShortLongKey(lane, points) if not contact.added:
                return self._dialled(lane, points, t_ns)
            case UndoKey() if unheld:
                return self._undone()
        return []

    def _undone(self) -> list[Action]:
        if self._asked_until is not None:
            return self._cancel()
        if self._typed:
            self._typed = ""
            return [Typed(None)]
        self._dialling = None
        return [Undo()]

    def _held(self, contact: _Contact, t_ns: Nanoseconds) -> list[Action]:
        contact.hold_at = None
        match contact.means:
            case UndoKey():
                return self._undo_held(t_ns)
            case ShortLongKey(lane, _, longer):
                return self._held_longer(contact, lane, longer, t_ns)
        return self._silence(t_ns) if contact.lane == self._dialling else []

    def _held_longer(self, contact: _Contact, lane: int, longer: int, t_ns: Nanoseconds) -> list[Action]:
        """A press adds no more than can be scored at once, however long it is."""
        contact.added += longer
        if contact.added + longer <= MOST_AT_ONCE:
            contact.hold_at = t_ns + self._timing.long
        return self._dialled(lane, longer, t_ns)

    def _undo_held(self, t_ns: Nanoseconds) -> list[Action]:
        if self._asked_until is None:
            self._asked_until = t_ns + self._timing.question
            return [AskNewGame()]
        typed: list[Action] = [Typed(None)] if self._typed else []
        self._asked_until = self._dialling = None
        self._typed = ""
        return [*typed, NewGame()]

    def _silence(self, _t_ns: Nanoseconds) -> list[Action]:
        lane, self._dialling = self._dialling, None
        return [] if lane is None else [Peg(lane)]

    def _forgotten(self, _t_ns: Nanoseconds) -> list[Action]:
        typed, self._typed = self._typed, ""
        return [Forgot(int(typed))]

    def _unanswered(self, _t_ns: Nanoseconds) -> list[Action]:
        return self._cancel()

    def _cancel(self) -> list[Action]:
        self._asked_until = None
        for undo in self._undos():
            undo.hold_at, undo.spent = None, undo.down
        return [Cancel()]

    def _stuck(self, contact: _Contact, _t_ns: Nanoseconds) -> list[Action]:
        contact.hold_at = contact.stuck_at = None
        contact.spent = contact.stuck = True
        if not contact.added or contact.lane is None or contact.lane != self._dialling:
            return [Stuck(contact.name)]
        self._dialling = None
        return [Stuck(contact.name), Drop(contact.lane)]
