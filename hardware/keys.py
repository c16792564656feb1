"""The keys as a pure machine: edges and the time go in, what the players mean comes out.

A leading edge counts at once; then the key is deaf for the lock-out and is looked at again, so that bounces cost
neither a press nor a delay. All times are integer nanoseconds of one steady clock: float seconds lost one press in a
hundred.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

from hardware.wiring import Key
from pegboard.config import KeySettings

Nanoseconds: TypeAlias = int

SECOND: Nanoseconds = 1_000_000_000


@dataclass(frozen=True, slots=True)
class Dial:
    """A player's key was pressed: add its points to what is dialled."""

    lane: int
    points: int


@dataclass(frozen=True, slots=True)
class Peg:
    """The player is done dialling."""

    lane: int


@dataclass(frozen=True, slots=True)
class Undo:
    """UNDO was let go before it became a hold."""


@dataclass(frozen=True, slots=True)
class Deal:
    """DEAL was pressed."""


@dataclass(frozen=True, slots=True)
class AskNewGame:
    """UNDO was held once: ask."""


@dataclass(frozen=True, slots=True)
class NewGame:
    """UNDO was held again: yes."""


@dataclass(frozen=True, slots=True)
class Cancel:
    """Another key, a short UNDO or no answer: no."""


@dataclass(frozen=True, slots=True)
class Stuck:
    """A key has been down for so long that nobody can be pressing it."""

    key: str


Action: TypeAlias = Dial | Peg | Undo | Deal | AskNewGame | NewGame | Cancel | Stuck


@dataclass(frozen=True, slots=True)
class Timing:
    """How long the keys wait for what, each in nanoseconds.

    Attributes:
        lockout: a key is deaf for so long after each change that counted.
        silence: a dialled amount pegs after so long without a change on its lane's keys.
        hold: a player's key held so long pegs at once.
        undo_hold: UNDO held so long asks for a new game, and so long again starts it.
        question: the question stands so long.
        stuck: a key down for so long is stuck.
    """

    lockout: Nanoseconds = 25_000_000
    silence: Nanoseconds = 1_200_000_000
    hold: Nanoseconds = 800_000_000
    undo_hold: Nanoseconds = 3 * SECOND
    question: Nanoseconds = 10 * SECOND
    stuck: Nanoseconds = 30 * SECOND

    @staticmethod
    def of(keys: KeySettings) -> "Timing":
        """The timing that is set."""
        seconds = (keys.lockout_s, keys.silence_s, keys.hold_s, keys.undo_hold_s, keys.question_s, keys.stuck_s)
        return Timing(*(round(value * SECOND) for value in seconds))


@dataclass(slots=True)
class _Contact:
    """One key: the level last seen, the level that counts, and what is still to come of the press in hand."""

    key: Key
    level: bool = False
    down: bool = False
    deaf_until: Nanoseconds = 0
    hold_at: Nanoseconds | None = None
    stuck_at: Nanoseconds | None = None
    spent: bool = False
    """Whether this press does nothing more until the key is let go."""


_Due: TypeAlias = tuple[Nanoseconds, Callable[[Nanoseconds], list[Action]]]
"""When something falls due, and what is then done."""


class KeyMachine:
    """What the players mean by their presses. It answers the same however often it is told the time."""

    def __init__(self, keys: Sequence[Key], timing: Timing) -> None:
        self._contacts = {key.name: _Contact(key) for key in keys}
        self._timing = timing
        self._now: Nanoseconds = 0
        self._dialling: int | None = None
        self._silent_at: Nanoseconds = 0
        self._asked_until: Nanoseconds | None = None

    def found_down(self, name: str) -> list[Action]:
        """A key is down when the machine is switched on: nobody has pressed it, so it is ignored until let go."""
        contact = self._contacts[name]
        contact.level = contact.down = contact.spent = True
        return [Stuck(name)]

    def edge(self, t_ns: Nanoseconds, name: str, down: bool) -> list[Action]:
        """The line of a key has changed."""
        actions = self.tick(t_ns)
        contact = self._contacts[name]
        contact.level = down
        if self._now >= contact.deaf_until:
            actions += self._look(contact, self._now)
        return actions

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
                yield contact.deaf_until, partial(self._look, contact)
            if contact.hold_at is not None:
                yield contact.hold_at, partial(self._held, contact)
            if contact.stuck_at is not None:
                yield contact.stuck_at, partial(self._stuck, contact)
        if self._dialling is not None:
            yield self._silent_at, self._silence
        if self._asked_until is not None and not self._answering():
            yield self._asked_until, self._unanswered

    def _answering(self) -> bool:
        """Whether UNDO is down for the second time: the hold began in time, so the question waits for its end."""
        return any(contact.key.name == "undo" and contact.hold_at is not None for contact in self._contacts.values())

    def _look(self, contact: _Contact, t_ns: Nanoseconds) -> list[Action]:
        if contact.level == contact.down:
            return []
        contact.down = contact.level
        contact.deaf_until = t_ns + self._timing.lockout
        if contact.key.lane is not None and contact.key.lane == self._dialling:
            self._silent_at = t_ns + self._timing.silence
        return self._pressed(contact, t_ns) if contact.down else self._let_go(contact)

    def _pressed(self, contact: _Contact, t_ns: Nanoseconds) -> list[Action]:
        contact.stuck_at = t_ns + self._timing.stuck
        contact.spent = False
        if contact.key.name == "undo":
            contact.hold_at = t_ns + self._timing.undo_hold
            return []
        if self._asked_until is not None:
            contact.spent = True
            return self._cancel()
        if contact.key.lane is None:
            self._dialling = None
            return [Deal()]
        return self._dialled(contact, contact.key.lane, t_ns)

    def _dialled(self, contact: _Contact, lane: int, t_ns: Nanoseconds) -> list[Action]:
        self._dialling, self._silent_at = lane, t_ns + self._timing.silence
        contact.hold_at = t_ns + self._timing.hold
        return [Dial(lane, contact.key.points)]

    def _let_go(self, contact: _Contact) -> list[Action]:
        short = contact.hold_at is not None and not contact.spent
        contact.hold_at = contact.stuck_at = None
        if contact.key.name != "undo" or not short:
            return []
        if self._asked_until is not None:
            return self._cancel()
        self._dialling = None
        return [Undo()]

    def _held(self, contact: _Contact, t_ns: Nanoseconds) -> list[Action]:
        contact.hold_at = None
        if contact.key.name == "undo":
            return self._undo_held(t_ns)
        return self._silence(t_ns) if contact.key.lane == self._dialling else []

    def _undo_held(self, t_ns: Nanoseconds) -> list[Action]:
        if self._asked_until is None:
            self._asked_until = t_ns + self._timing.question
            return [AskNewGame()]
        self._asked_until = self._dialling = None
        return [NewGame()]

    def _silence(self, _t_ns: Nanoseconds) -> list[Action]:
        lane, self._dialling = self._dialling, None
        return [] if lane is None else [Peg(lane)]

    def _unanswered(self, _t_ns: Nanoseconds) -> list[Action]:
        return self._cancel()

    def _cancel(self) -> list[Action]:
        self._asked_until = None
        undo = self._contacts.get("undo")
        if undo is not None:
            undo.hold_at, undo.spent = None, undo.down
        return [Cancel()]

    def _stuck(self, contact: _Contact, _t_ns: Nanoseconds) -> list[Action]:
        contact.hold_at = contact.stuck_at = None
        contact.spent = True
        return [Stuck(contact.key.name)]
