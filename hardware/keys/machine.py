"""The key machine, a pure state machine: edge events and the time go in, what the players mean comes out.

Each key is debounced (`debounce`). Edges carry the time at which the pin changed and may be delivered late, so a key is
sampled only when no earlier edge can come any more, or when another key moves: what was done first acts first. Times
are integer nanoseconds of one steady clock: float seconds lost one press in a hundred. What each key is for is data
(`KeyRole`), so several keys a player, one key a player and a numeric keypad are one machine.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import TypeAlias

from hardware.key_roles_and_actions import (
    Action,
    AddKey,
    Choose,
    DealKey,
    Dial,
    DigitKey,
    Drop,
    Enter,
    EnterKey,
    Invite,
    KeyRole,
    PassDeal,
    Peg,
    ReportStuck,
    ShortLongKey,
    ShowChoice,
    Undo,
    UndoKey,
)
from hardware.keys.chord import Chord
from hardware.keys.debounce import Contact
from hardware.keys.held_question import HeldQuestion, Topic
from hardware.keys.key_state import KeyState
from hardware.keys.timing import Nanoseconds, Timing
from hardware.keys.typed_amount import TypedAmount
from pegboard.core.rules import MOST_AT_ONCE

_Due: TypeAlias = tuple[Nanoseconds, Callable[[Nanoseconds], list[Action]]]
"""When something falls due, and what is then done."""


class KeyMachine:
    """What the players mean by their presses. However often it is given the time, its answers are the same."""

    def __init__(
        self,
        roles: Mapping[str, KeyRole],
        timing: Timing,
        asks: Callable[[], bool] = lambda: True,
        asks_off: Callable[[], bool] = lambda: True,
        types_code: Callable[[], bool] = lambda: False,
    ) -> None:
        """`asks` and `asks_off` say whether the table still asks for a new game, and whether to switch off.

        `types_code` says whether digits are those of an event's code.
        """
        self._keys = {name: KeyState(name, role, Contact(timing.lockout)) for name, role in roles.items()}
        self._chord = Chord(self._keys.values())
        self._timing = timing
        self._now: Nanoseconds = 0
        self._dialling: int | None = None
        self._silent_at: Nanoseconds = 0
        self._typed = TypedAmount(timing.typed, types_code)
        self._question = HeldQuestion({Topic.NEW_GAME: asks, Topic.POWER_OFF: asks_off})

    @property
    def stuck_keys(self) -> tuple[str, ...]:
        """The keys that are ignored until they are released."""
        return tuple(key.name for key in self._keys.values() if key.stuck)

    @property
    def levels(self) -> dict[str, bool]:
        """The level of each key that was seen last, True while it is down."""
        return {name: key.contact.level for name, key in self._keys.items()}

    def down_at_start(self, name: str) -> list[Action]:
        """A key is down when the machine is switched on: nobody has pressed it, so it is ignored until released."""
        key = self._keys[name]
        key.contact.reset(down=True)
        key.spent = key.stuck = True
        return [ReportStuck(name)]

    def release_all(self, t_ns: Nanoseconds) -> list[Action]:
        """The keys have been unplugged: none is down any more, and a press that was not over does nothing more."""
        actions = self.tick(t_ns)
        for key in self._keys.values():
            key.release()
        self._silent_at = max(self._silent_at, self._now + self._timing.silence)
        return actions

    def edge(self, t_ns: Nanoseconds, name: str, down: bool) -> list[Action]:
        """The pin of a key changed at `t_ns`, which may be some time ago; its edges come in order."""
        actions = self.tick(t_ns)
        key = self._keys[name]
        if key.contact.is_too_late(t_ns):
            self._correct(key, down)
            return actions
        key.contact.expect_edge(t_ns, down)
        actions += self._sample_earlier(t_ns)
        return actions + self._change(key, self._now) if key.contact.edge(t_ns, down) else actions

    def poll_level(self, t_ns: Nanoseconds, name: str, down: bool) -> list[Action]:
        """The pin of a key was read; edges that were earlier may still come."""
        actions, key = self.tick(t_ns), self._keys[name]
        return actions + self._change(key, self._now) if key.contact.poll(t_ns, down) else actions

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
        for key in self._keys.values():
            contact = key.contact
            if contact.level != contact.down:
                yield contact.locked_until + self._timing.late, partial(self._sample, key)
            if key.hold_at is not None:
                yield key.hold_at, partial(self._hold, key)
            if key.stuck_at is not None:
                yield key.stuck_at, partial(self._report_stuck, key)
        if self._dialling is not None and not self._is_adding_long():
            yield self._silent_at, self._peg_dialled
        if self._typed.text:
            yield self._typed.until, self._typed.forget
        if self._question.topic is not None and not self._chord.held_undo() and not self._chord.is_under_way():
            yield self._question.until, self._cancel

    def _is_adding_long(self) -> bool:
        """Whether the key that dials is still down, so that it is not silent yet."""
        return any(
            isinstance(key.role, ShortLongKey) and key.lane == self._dialling and not key.spent
            for key in self._keys.values()
            if key.contact.down
        )

    def _sample_earlier(self, t_ns: Nanoseconds) -> list[Action]:
        """A key has moved at `t_ns`: those whose lock-out was over before are sampled first."""
        pending = [key for key in self._keys.values() if key.contact.level != key.contact.down]
        waiting = [key for key in pending if key.contact.locked_until <= t_ns]
        waiting.sort(key=lambda key: key.contact.locked_until)
        return [action for key in waiting for action in self._sample(key, self._now)]

    def _sample(self, key: KeyState, t_ns: Nanoseconds) -> list[Action]:
        return self._change(key, t_ns) if key.contact.sample() else []

    def _change(self, key: KeyState, t_ns: Nanoseconds) -> list[Action]:
        """A key counts as down since now, or as up."""
        if key.lane is not None and key.lane == self._dialling:
            self._silent_at = t_ns + self._timing.silence
        return self._press(key, t_ns) if key.contact.down else self._release(key, t_ns)

    def _correct(self, key: KeyState, down: bool) -> None:
        """An edge came later than any may: a sample took a bounce for a press or a release, which is done already."""
        key.release()
        key.contact.reset(down=down)
        key.spent = down
        key.stuck_at = self._now + self._timing.stuck if down else None

    def _press(self, key: KeyState, t_ns: Nanoseconds) -> list[Action]:
        key.stuck_at = t_ns + self._timing.stuck
        key.spent = False
        key.added = 0
        if isinstance(key.role, UndoKey):
            key.hold_at = t_ns + self._timing.undo_hold
            return []
        is_chord = isinstance(key.role, DealKey) and self._chord.takes_deal()
        if self._question.is_open() and not (is_chord and self._question.topic is Topic.POWER_OFF):
            key.spent = True
            return self._cancel()
        return [*self._undo_before(key), *self._act(key, key.role, t_ns)]

    def _undo_before(self, pressed: KeyState) -> list[Action]:
        """An UNDO that is still down acts before another key does, or it would take back what is pressed after it."""
        if not self._chord.held_undo() or isinstance(pressed.role, DealKey):
            return []
        self._chord.spend_undo()
        return self._undo()

    def _act(
        self, key: KeyState, role: AddKey | ShortLongKey | DigitKey | EnterKey | DealKey, t_ns: Nanoseconds
    ) -> list[Action]:
        match role:
            case AddKey(lane, points):
                key.hold_at = t_ns + self._timing.hold
                return self._dial(lane, points, t_ns)
            case ShortLongKey(lane):
                key.hold_at = t_ns + self._timing.long
                return [] if lane == self._dialling or self._is_adding_long() else self._peg_dialled()
            case DigitKey(digit):
                return self._typed.type_digit(digit, t_ns)
            case EnterKey(lane):
                return [Enter(lane, self._typed.pop())]
            case DealKey():
                return self._deal(key, t_ns)

    def _dial(self, lane: int, points: int, t_ns: Nanoseconds) -> list[Action]:
        self._dialling, self._silent_at = lane, t_ns + self._timing.silence
        return [Dial(lane, points)]

    def _deal(self, deal: KeyState, t_ns: Nanoseconds) -> list[Action]:
        """DEAL passes the deal; pressed while UNDO is down it is a chord, which may be held, and neither does more."""
        if not self._chord.takes_deal():
            self._dialling = None
            return [PassDeal()]
        taps = self._chord.begin(deal, t_ns + self._timing.undo_hold)
        if self._question.is_open():
            return []
        return [Invite()] if taps == 1 else [ShowChoice(taps)]

    def _release(self, key: KeyState, t_ns: Nanoseconds) -> list[Action]:
        was_short, breaks_chord, taps = key.hold_at is not None, self._chord.release(key), self._chord.end(key)
        key.release()
        if taps > 1 and not self._question.is_open():
            return [Choose(taps)]
        if breaks_chord:
            return self._cancel() if self._question.is_open() else []
        if key.spent:
            return []
        match key.role:
            case ShortLongKey(lane, points) if not key.added:
                return self._dial(lane, points, t_ns)
            case UndoKey() if was_short:
                return self._undo()
        return []

    def _undo(self) -> list[Action]:
        if self._question.is_open():
            return self._cancel()
        if self._typed.text:
            return self._typed.drop()
        self._dialling = None
        return [Undo()]

    def _hold(self, key: KeyState, t_ns: Nanoseconds) -> list[Action]:
        key.hold_at = None
        match key.role:
            case UndoKey():
                return self._hold_undo(t_ns)
            case DealKey():
                self._chord.taps = 0
                return [self._question.hold(Topic.POWER_OFF, t_ns + self._timing.question)]
            case ShortLongKey(lane, _, points):
                return self._add_long(key, lane, points, t_ns)
        return self._peg_dialled() if key.lane == self._dialling else []

    def _add_long(self, key: KeyState, lane: int, points: int, t_ns: Nanoseconds) -> list[Action]:
        """A press adds no more than can be scored at once, however long it is."""
        key.added += points
        if key.added + points <= MOST_AT_ONCE:
            key.hold_at = t_ns + self._timing.long
        return self._dial(lane, points, t_ns)

    def _hold_undo(self, t_ns: Nanoseconds) -> list[Action]:
        meant = self._question.hold(Topic.NEW_GAME, t_ns + self._timing.question)
        if self._question.topic is not None:
            return [meant]
        self._dialling = None
        return [*self._typed.drop(), meant]

    def _peg_dialled(self, _t_ns: Nanoseconds = 0) -> list[Action]:
        lane, self._dialling = self._dialling, None
        return [] if lane is None else [Peg(lane)]

    def _cancel(self, _t_ns: Nanoseconds = 0) -> list[Action]:
        self._chord.spend_undo()
        return self._question.cancel()

    def _report_stuck(self, key: KeyState, _t_ns: Nanoseconds) -> list[Action]:
        key.hold_at = key.stuck_at = None
        key.spent = key.stuck = True
        if not key.added or key.lane is None or key.lane != self._dialling:
            return [ReportStuck(key.name)]
        self._dialling = None
        return [ReportStuck(key.name), Drop(key.lane)]
