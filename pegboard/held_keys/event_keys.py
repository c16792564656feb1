"""DEAL tapped twice and more while UNDO is down: it calls a judge or the director, or types the code of an event."""

from typing import Protocol

from pegboard.core.view import CallFor
from pegboard.devices.power_and_clock import PowerSwitch
from pegboard.held_keys.invitation_keys import InvitationKeys
from pegboard.held_keys.typed_code import TypedCode
from pegboard.live_table import KeyQuestion, LiveTable
from pegboard.messages import Message

KEYS = "keys"
"""Who joins, to the event."""

CALLED: tuple[CallFor, ...] = ("judge", "director")
"""Who is called, by two taps of DEAL, and by three; one more calls nobody, and so on from the first."""

CALL_KEYS = {
    ("judge", False): "event_key_judge",
    ("judge", True): "event_key_judge_end",
    ("director", False): "event_key_director",
    ("director", True): "event_key_director_end",
}
"""What is said of a call, by whether it stands already."""


class EventDoor(Protocol):
    """The table's event as keys see it; nothing waits, and nothing is raised."""

    @property
    def is_by_keys(self) -> bool:
        """Whether the keys have joined the event, and so may leave it."""

    def join(self, text: str, by: str = "") -> None:
        """Begin to join the event of a code; what becomes of it is a notice."""

    def answer_question(self, address: str, *, yes: bool) -> None:
        """Join that address, or not."""

    def leave(self) -> None:
        """Play in no event any more."""

    def toggle_call(self, kind: CallFor) -> None:
        """Call somebody, or take that back."""


class EventKeys(InvitationKeys):
    """What UNDO held while DEAL is tapped does, and the keys while a code is typed.

    Attributes:
        event_door: where that leads; None where there are no events.
    """

    def __init__(self, table: LiveTable, power: PowerSwitch) -> None:
        super().__init__(table, power)
        self.event_door: EventDoor | None = None
        self._code = TypedCode()

    def show_choice(self, taps: int) -> None:
        """Show what letting UNDO go will do, after so many taps of DEAL, two or more."""
        with self._table.lock:
            self._table.inviting = False
            notice = self._describe(taps)
            self._table.set_notice(notice, None if notice is None else KeyQuestion.CALL)
            self._table.publish()

    def choose(self, taps: int) -> None:
        """UNDO was let go: do what was shown, unless something else has come between."""
        with self._table.lock:
            if self._table.question is KeyQuestion.CALL and self.event_door is not None:
                self._table.set_notice(None)
                self._choose(taps, self.event_door)
            self._table.publish()

    def ask_hub(self, question: Message, *, by_keys: bool) -> None:
        """Ask whether to join; `by_keys` says that the keys may answer: UNDO with DEAL says yes, UNDO no."""
        with self._table.lock:
            self._table.set_notice(question, KeyQuestion.EVENT_HUB if by_keys else None)
            self._table.publish()

    def is_typing_code(self) -> bool:
        """Whether keys type the code of an event: no command and no other notice has ended that."""
        return self._table.question is KeyQuestion.EVENT_CODE

    def type_code_digit(self, digit: int) -> None:
        """Add a digit to the code."""
        with self._table.lock:
            if self.is_typing_code():
                self._go_on_typing(self._code.type_digit(digit))

    # --- for whoever holds the lock of the table ---

    def answer_hub(self, *, yes: bool) -> None:
        """The keys have answered whether to join."""
        question = self._table.notice
        self._table.set_notice(Message("event_joining") if yes else None)
        if self.event_door is not None and question is not None:
            self.event_door.answer_question(str(question.values["address"]), yes=yes)

    def _answer_chord(self) -> None:
        """Answer yes to the hub; else do what the chord does otherwise."""
        if self._table.question is KeyQuestion.EVENT_HUB:
            self.answer_hub(yes=True)
        else:
            super()._answer_chord()

    def count_code_up(self, points: int) -> None:
        """A player's key was pressed while a code is typed."""
        self._go_on_typing(self._code.count_up(points))

    def go_on_in_code(self) -> None:
        """DEAL or ENTER was pressed while a code is typed."""
        self._go_on_typing(self._code.go_on())

    def go_back_in_code(self) -> None:
        """UNDO was pressed while a code is typed."""
        before = self._code.go_back()
        if before is None:
            self._table.set_notice(None)
            self._table.publish()
        else:
            self._go_on_typing(before)

    def _describe(self, taps: int) -> Message | None:
        """What so many taps do, in words; None where they do nothing."""
        if self.event_door is None:
            return None
        if self._table.event is None:
            return Message("event_key_code") if taps % 2 == 0 else None
        if _is_leave(taps, self.event_door):
            return Message("event_key_leave")
        kind = _kind_of(taps)
        stands = any(call.kind == kind for call in self._table.event.calls)
        return None if kind is None else Message(CALL_KEYS[kind, stands])

    def _choose(self, taps: int, door: EventDoor) -> None:
        if self._table.event is None:
            self._code = TypedCode()
            self._go_on_typing(self._code)
        elif _is_leave(taps, door):
            door.leave()
        elif (kind := _kind_of(taps)) is not None:
            door.toggle_call(kind)

    def _go_on_typing(self, code: TypedCode) -> None:
        self._code = code
        if code.is_complete and self.event_door is not None:
            self._table.set_notice(Message("event_joining"))
            self.event_door.join(code.digits, KEYS)
        else:
            self._table.set_notice(Message("event_typing", code=code.as_text), KeyQuestion.EVENT_CODE)
        self._table.publish()


def _is_leave(taps: int, door: EventDoor) -> bool:
    """Whether so many taps of DEAL leave the event that the keys have joined: those that would call nobody."""
    return door.is_by_keys and _kind_of(taps) is None


def _kind_of(taps: int) -> CallFor | None:
    """Who is called by so many taps of DEAL; None for nobody."""
    place = (taps - 2) % (len(CALLED) + 1)
    return CALLED[place] if place < len(CALLED) else None
