"""Key machine: pure state machine that turns edges and time into actions: holds, UNDO+DEAL chord, questions, digits.

Each key is debounced (`debounce`). Edges carry the time at which the pin changed and may be delivered late, so a key is
sampled only when no earlier edge can still arrive, or when another key moves: keys act in the order they were pressed.
Times are integer nanoseconds of one monotonic clock: float seconds lost one press in a hundred. The role of each key is
data (`KeyRole`), so the same machine handles several keys per player, one key per player and a numeric keypad.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum, auto
from functools import partial
from typing import TypeAlias

from hardware.key_roles_and_actions import (
    Action,
    AddKey,
    AskNewGame,
    AskPowerOff,
    CancelNewGame,
    CancelPowerOff,
    Choose,
    DealKey,
    Dial,
    DigitKey,
    Drop,
    Enter,
    EnterKey,
    ForgetTyped,
    Invite,
    KeyRole,
    NewGame,
    PassDeal,
    Peg,
    PowerOff,
    RefuseDigit,
    ReportStuck,
    ShortLongKey,
    ShowChoice,
    ShowTyped,
    TypeCodeDigit,
    Undo,
    UndoKey,
    lane_of,
)
from hardware.keys.debounce import Contact, Nanoseconds, Timing
from pegboard.core.rules import MOST_AT_ONCE

# --- one key: its role, its debounced contact, and the state of the current press ---


@dataclass(slots=True)
class KeyState:
    """One key and its current press.

    Attributes:
        name: the key's name.
        role: the key's role.
        contact: the key's debounced contact.
        hold_at: when the press becomes a hold, or None.
        stuck_at: when the key counts as stuck, or None.
        added: points that long presses have added during this press.
        spent: whether this press has no further effect until the key is released.
        stuck: whether the key is ignored until it is released.
    """

    name: str
    role: KeyRole
    contact: Contact
    hold_at: Nanoseconds | None = None
    stuck_at: Nanoseconds | None = None
    added: int = 0
    spent: bool = False
    stuck: bool = False

    @property
    def lane(self) -> int | None:
        """The lane that the key adds points for, from 0; None for the other keys."""
        return lane_of(self.role)

    def release(self) -> None:
        """Mark the key as up, and cancel whatever its press has pending."""
        self.contact.reset(down=False)
        self.stuck = False
        self.hold_at = self.stuck_at = None


# --- chord of UNDO and DEAL: DEAL pressed once or more while UNDO is down, or both held ---


class Chord:
    """The UNDO and DEAL keys of an input.

    Attributes:
        undo_keys: the UNDO keys of the input.
        deal_keys: the DEAL keys of the input, which become a hold only in a chord.
        taps: how often DEAL has been pressed while UNDO is down; 0 if UNDO is up, or both have been held.
    """

    def __init__(self, keys: Iterable[KeyState]) -> None:
        keys = list(keys)
        self.undo_keys = [key for key in keys if isinstance(key.role, UndoKey)]
        self.deal_keys = [key for key in keys if isinstance(key.role, DealKey)]
        self.taps = 0

    def held_undo(self) -> list[KeyState]:
        """The UNDO keys that are down and may still become a hold."""
        return [undo for undo in self.undo_keys if undo.hold_at is not None]

    def is_under_way(self) -> bool:
        """Whether DEAL is down with UNDO and both may still become a hold."""
        return any(deal.hold_at is not None for deal in self.deal_keys)

    def takes_deal(self) -> bool:
        """Whether DEAL, pressed now, joins a chord: UNDO may still become a hold, or is down in a chord."""
        return bool(self.held_undo()) or self._goes_on()

    def begin(self, deal: KeyState, hold_at: Nanoseconds) -> int:
        """DEAL was pressed while UNDO is down; together they become a hold at `hold_at`. Returns the tap number."""
        self.taps = self.taps + 1 if self._goes_on() else 1
        self.spend_undo()
        deal.hold_at = hold_at
        return self.taps

    def end(self, key: KeyState) -> int:
        """A key is released. Returns how often DEAL was tapped if the key is UNDO and ends the chord, else 0."""
        if key not in self.undo_keys or not key.spent or key.stuck:
            return 0
        taps, self.taps = self.taps, 0
        return taps

    def _goes_on(self) -> bool:
        """Whether UNDO is down in a chord and not stuck."""
        held = [undo for undo in self.undo_keys if undo.contact.down and undo.spent and not undo.stuck]
        return self.taps > 0 and bool(held)

    def spend_undo(self) -> None:
        """Ignore UNDO until it is released."""
        for undo in self.undo_keys:
            undo.hold_at, undo.spent = None, undo.contact.down

    def release(self, key: KeyState) -> bool:
        """A key is released. Returns whether that breaks the chord before it becomes a hold."""
        if not self.is_under_way() or key not in (*self.undo_keys, *self.deal_keys):
            return False
        for deal in self.deal_keys:
            deal.hold_at = None
        return True


# --- question asked by a hold: new game, or shut down; another hold confirms it ---


class Topic(Enum):
    """The topic of a question: holding UNDO asks about a new game, holding UNDO and DEAL about shutting down."""

    NEW_GAME = auto()
    POWER_OFF = auto()


ASK: dict[Topic, Action] = {Topic.NEW_GAME: AskNewGame(), Topic.POWER_OFF: AskPowerOff()}

CONFIRM_ACTIONS: dict[Topic, Action] = {Topic.NEW_GAME: NewGame(), Topic.POWER_OFF: PowerOff()}

CANCEL_ACTIONS: dict[Topic, Action] = {Topic.NEW_GAME: CancelNewGame(), Topic.POWER_OFF: CancelPowerOff()}


@dataclass(slots=True)
class HeldQuestion:
    """The open question; at most one at a time.

    Attributes:
        at_table: for each topic, whether the table still shows the question; another input may have closed it.
        topic: the topic of the last question if this input has not answered it, or None.
        until: when the question expires.
    """

    at_table: Mapping[Topic, Callable[[], bool]]
    topic: Topic | None = None
    until: Nanoseconds = 0

    def is_open(self) -> bool:
        """Whether the question is open, so that the next press answers it."""
        return self.topic is not None and self.at_table[self.topic]()

    def hold(self, topic: Topic, until: Nanoseconds) -> Action:
        """The keys of a topic were held: confirm its open question, or ask it until `until`."""
        if self.topic is topic and self.is_open():
            self.topic = None
            return CONFIRM_ACTIONS[topic]
        self.topic, self.until = topic, until
        return ASK[topic]

    def cancel(self) -> list[Action]:
        """Answer no."""
        topic, self.topic = self.topic, None
        return [] if topic is None else [CANCEL_ACTIONS[topic]]


# --- amount typed on a keypad and not yet pegged for a player ---


MOST_DIGITS = len(str(MOST_AT_ONCE))


class TypedAmount:
    """The digits typed so far.

    Attributes:
        text: the digits, or "".
        until: when the digits are dropped.
    """

    def __init__(self, lasts: Nanoseconds, types_code: Callable[[], bool]) -> None:
        """Digits are dropped after `lasts`; `types_code` says whether the table expects a code instead of an amount."""
        self._lasts, self._types_code = lasts, types_code
        self.text = ""
        self.until: Nanoseconds = 0

    def type_digit(self, digit: int, t_ns: Nanoseconds) -> list[Action]:
        """Handle one more digit."""
        if self._types_code():
            return [TypeCodeDigit(digit)]
        text = f"{self.text}{digit}"
        self.until = t_ns + self._lasts
        if len(text) > MOST_DIGITS or int(text) > MOST_AT_ONCE:
            return [RefuseDigit(text, int(self.text))]
        self.text = text
        return [ShowTyped(int(text))]

    def pop(self) -> int | None:
        """Return the amount and clear it, or None."""
        text, self.text = self.text, ""
        return int(text) if text else None

    def drop(self) -> list[Action]:
        """Clear the amount, if any."""
        return [] if self.pop() is None else [ShowTyped(None)]

    def forget(self, _t_ns: Nanoseconds = 0) -> list[Action]:
        """Drop the amount and report it, because no ENTER followed."""
        points = self.pop()
        return [] if points is None else [ForgetTyped(points)]


_Due: TypeAlias = tuple[Nanoseconds, Callable[[Nanoseconds], list[Action]]]
"""When something is due, and what to do then."""


class KeyMachine:
    """Turns presses into the players' actions. The result does not depend on how often `tick` is called."""

    def __init__(
        self,
        roles: Mapping[str, KeyRole],
        timing: Timing,
        asks: Callable[[], bool] = lambda: True,
        asks_off: Callable[[], bool] = lambda: True,
        types_code: Callable[[], bool] = lambda: False,
    ) -> None:
        """`asks` says whether the table still asks about a new game, `asks_off` whether it asks about shutting down.

        `types_code` says whether digits belong to an event's code.
        """
        self._keys = {name: KeyState(name, role, Contact(timing.lockout)) for name, role in roles.items()}
        self._chord = Chord(self._keys.values())
        self._timing = timing
        self._now: Nanoseconds = 0
        self._dialing_lane: int | None = None
        self._silent_at: Nanoseconds = 0
        self._typed = TypedAmount(timing.typed, types_code)
        self._question = HeldQuestion({Topic.NEW_GAME: asks, Topic.POWER_OFF: asks_off})

    @property
    def stuck_keys(self) -> tuple[str, ...]:
        """The keys that are ignored until they are released."""
        return tuple(key.name for key in self._keys.values() if key.stuck)

    @property
    def levels(self) -> dict[str, bool]:
        """The last seen level of each key, True while the key is down."""
        return {name: key.contact.level for name, key in self._keys.items()}

    def down_at_start(self, name: str) -> list[Action]:
        """A key is down at startup: nobody pressed it, so it is ignored until released."""
        key = self._keys[name]
        key.contact.reset(down=True)
        key.spent = key.stuck = True
        return [ReportStuck(name)]

    def release_all(self, t_ns: Nanoseconds) -> list[Action]:
        """The keys were unplugged: all keys are up, and unfinished presses have no further effect."""
        actions = self.tick(t_ns)
        for key in self._keys.values():
            key.release()
        self._silent_at = max(self._silent_at, self._now + self._timing.silence)
        return actions

    def edge(self, t_ns: Nanoseconds, name: str, down: bool) -> list[Action]:
        """The pin of a key changed at `t_ns`, possibly some time ago; edges of one key arrive in order."""
        actions = self.tick(t_ns)
        key = self._keys[name]
        if key.contact.is_stale(t_ns):
            self._correct(key, down)
            return actions
        key.contact.expect_edge(t_ns, down)
        actions += self._sample_earlier(t_ns)
        return actions + self._change(key, self._now) if key.contact.edge(t_ns, down) else actions

    def poll_level(self, t_ns: Nanoseconds, name: str, down: bool) -> list[Action]:
        """The pin of a key was read; earlier edges may still arrive."""
        actions, key = self.tick(t_ns), self._keys[name]
        return actions + self._change(key, self._now) if key.contact.poll(t_ns, down) else actions

    def tick(self, t_ns: Nanoseconds) -> list[Action]:
        """Advance the time to `t_ns`, never backward; do everything due by then, each at its own time."""
        self._now = max(t_ns, self._now)
        actions: list[Action] = []
        while (due := self._next()) is not None and due[0] <= self._now:
            actions += due[1](due[0])
        return actions

    def deadline(self) -> Nanoseconds | None:
        """When to call `tick` next, or None while only a press can change anything."""
        due = self._next()
        return None if due is None else due[0]

    def _next(self) -> _Due | None:
        return min(self._pending_deadlines(), key=lambda due: due[0], default=None)

    def _pending_deadlines(self) -> Iterator[_Due]:
        for key in self._keys.values():
            contact = key.contact
            if contact.level != contact.down:
                yield contact.locked_until + self._timing.late, partial(self._sample, key)
            if key.hold_at is not None:
                yield key.hold_at, partial(self._hold, key)
            if key.stuck_at is not None:
                yield key.stuck_at, partial(self._report_stuck, key)
        if self._dialing_lane is not None and not self._is_adding_long():
            yield self._silent_at, self._peg_dialed
        if self._typed.text:
            yield self._typed.until, self._typed.forget
        if self._question.topic is not None and not self._chord.held_undo() and not self._chord.is_under_way():
            yield self._question.until, self._cancel

    def _is_adding_long(self) -> bool:
        """Whether a player's only key is down and may still add points, so that the silence has not begun."""
        return any(
            isinstance(key.role, ShortLongKey) and key.lane == self._dialing_lane and not key.spent
            for key in self._keys.values()
            if key.contact.down
        )

    def _sample_earlier(self, t_ns: Nanoseconds) -> list[Action]:
        """A key moved at `t_ns`: first sample the keys whose lock-out ended before that."""
        pending = [key for key in self._keys.values() if key.contact.level != key.contact.down]
        waiting = [key for key in pending if key.contact.locked_until <= t_ns]
        waiting.sort(key=lambda key: key.contact.locked_until)
        return [action for key in waiting for action in self._sample(key, self._now)]

    def _sample(self, key: KeyState, t_ns: Nanoseconds) -> list[Action]:
        return self._change(key, t_ns) if key.contact.sample() else []

    def _change(self, key: KeyState, t_ns: Nanoseconds) -> list[Action]:
        """Handle a change of a key's debounced level."""
        if key.lane is not None and key.lane == self._dialing_lane:
            self._silent_at = t_ns + self._timing.silence
        return self._press(key, t_ns) if key.contact.down else self._release(key, t_ns)

    def _correct(self, key: KeyState, down: bool) -> None:
        """An edge arrived too late: a sample has already counted a bounce as a press or release; correct the level."""
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
        """Undo first if UNDO is still down when another key is pressed, else it would undo that key's press."""
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
                return [] if lane == self._dialing_lane or self._is_adding_long() else self._peg_dialed()
            case DigitKey(digit):
                return self._typed.type_digit(digit, t_ns)
            case EnterKey(lane):
                return [Enter(lane, self._typed.pop())]
            case DealKey():
                return self._deal(key, t_ns)

    def _dial(self, lane: int, points: int, t_ns: Nanoseconds) -> list[Action]:
        self._dialing_lane, self._silent_at = lane, t_ns + self._timing.silence
        return [Dial(lane, points)]

    def _deal(self, deal: KeyState, t_ns: Nanoseconds) -> list[Action]:
        """DEAL passes the deal. While UNDO is down it starts a chord instead, and UNDO has no effect."""
        if not self._chord.takes_deal():
            self._dialing_lane = None
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
        self._dialing_lane = None
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
        return self._peg_dialed() if key.lane == self._dialing_lane else []

    def _add_long(self, key: KeyState, lane: int, points: int, t_ns: Nanoseconds) -> list[Action]:
        """Add a long press; one press adds at most what can be scored at once."""
        key.added += points
        if key.added + points <= MOST_AT_ONCE:
            key.hold_at = t_ns + self._timing.long
        return self._dial(lane, points, t_ns)

    def _hold_undo(self, t_ns: Nanoseconds) -> list[Action]:
        meant = self._question.hold(Topic.NEW_GAME, t_ns + self._timing.question)
        if self._question.topic is not None:
            return [meant]
        self._dialing_lane = None
        return [*self._typed.drop(), meant]

    def _peg_dialed(self, _t_ns: Nanoseconds = 0) -> list[Action]:
        lane, self._dialing_lane = self._dialing_lane, None
        return [] if lane is None else [Peg(lane)]

    def _cancel(self, _t_ns: Nanoseconds = 0) -> list[Action]:
        self._chord.spend_undo()
        return self._question.cancel()

    def _report_stuck(self, key: KeyState, _t_ns: Nanoseconds) -> list[Action]:
        key.hold_at = key.stuck_at = None
        key.spent = key.stuck = True
        if not key.added or key.lane is None or key.lane != self._dialing_lane:
            return [ReportStuck(key.name)]
        self._dialing_lane = None
        return [ReportStuck(key.name), Drop(key.lane)]
