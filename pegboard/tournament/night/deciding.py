"""Base class and decorator of an event's decisions: request, chosen fact, limits, effect, topics, log sentence.

Each decision is one class in the file of its subject, under `@decision`; `decisions` lists them all.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Protocol, TypeAlias, TypeVar, dataclass_transform

from pegboard.core.names import cite
from pegboard.errors import PegboardError, RuleError
from pegboard.messages import Message
from pegboard.tournament.ids import PlayerId
from pegboard.tournament.night import facts
from pegboard.tournament.night.night_state import DIRECTOR, Author, Night, Role, StoredDecision
from pegboard.tournament.night.request_fields import MOST_LETTERS, UNSEEN
from pegboard.tournament.pairings import join_names
from pegboard.values import Misfit, read

ENVELOPE = ("id", "night", "base")
"""Envelope fields of a request, which the rules do not see."""

# --- topics: the subjects of a decision; a request based on an older state is refused only if one has changed ---

RESULTS, SCHEDULE, CUT, FIELD, RULES, END, UNDONE = "results", "schedule", "cut", "field", "rules", "end", "undone"


def always(*topics: str) -> Any:
    """The same topics for every request or fact."""
    return staticmethod(lambda *_: topics)


# --- sentences of the log that need no more than a key ---


def say_only(key: str) -> Any:
    """A sentence without values."""
    return staticmethod(lambda _night, _fact: Message(key))


def say_player(key: str) -> Any:
    """A sentence about the fact's player."""
    return staticmethod(lambda night, fact: Message(key, name=night.name(fact.player)))


def say_players(key: str, players: Callable[[Any], Iterable[str]]) -> Any:
    """A sentence about several players of the fact."""
    return staticmethod(lambda night, fact: Message(key, names=join_names(players(fact), night.names)))


# --- the class of a decision ---

Shuffle: TypeAlias = Callable[[Sequence[PlayerId]], Sequence[PlayerId]]
"""Shuffles players: the only randomness of an event, supplied by the caller."""


@dataclass(frozen=True, slots=True)
class Choosing:
    """The input of a choice, apart from the event.

    Attributes:
        by: the author.
        shuffle: a function that puts players in random order, for a draw.
        add: a function that returns the event after one more stored decision.
    """

    by: Author
    shuffle: Shuffle
    add: Callable[[Night, StoredDecision], Night]


class Request:
    """Base class of the decisions: an instance is a request, and its class defines the effect.

    Attributes:
        do: the word for the decision.
        fact: the class of the stored fact; if two decisions have the same class of facts, the first listed decision
            checks, applies and describes all of them.
        who: the roles that may make the decision; players only for themselves.
        about: the request field that names its subject; pages show the button next to that subject.
        needs_base: whether to refuse a request if its subject has changed since the director looked.
        before_opening: whether the decision is possible while no event is open.
        after_end: whether the decision is possible after the end.
        before_cut: whether the standings, and so the cutoff, depend on the decision; then it cannot be undone while
            qualifying is closed.
        example: example values of the request's fields.
    """

    __slots__ = ()

    do: ClassVar[str]
    fact: ClassVar[Any]
    who: ClassVar[frozenset[Role]]
    about: ClassVar[str]
    needs_base: ClassVar[bool]
    before_opening: ClassVar[bool]
    after_end: ClassVar[bool]
    before_cut: ClassVar[bool]
    example: ClassVar[Mapping[str, Any]]

    def topics(self) -> Iterable[str]:
        """Topics that must not have changed since the director looked, if the request needs a base."""
        return ()

    def choose(self, night: Night, choosing: Choosing, /) -> facts.Decision:  # noqa: ARG002 - used by subclasses
        """Turn the request into a fact; if nothing must be chosen, the fact has the fields of the request.

        Raises:
            RuleError: the decision is refused; `Already` if there is nothing to do.
        """
        own = ((one.name, getattr(self, one.name)) for one in fields(self))  # type: ignore[arg-type]
        fact: facts.Decision = self.fact(**dict(own))
        return fact

    @staticmethod
    def check(night: Night, fact: Any, /) -> None:
        """Check the fact against today's limits.

        Raises:
            RuleError: the decision is refused; `Already` if there is nothing to do.
        """

    @staticmethod
    def apply(night: Night, fact: Any, number: int, /) -> Night:  # noqa: ARG004 - used by subclasses
        """The event after the fact, which has this decision number; it never refuses."""
        return night

    @staticmethod
    def changes(fact: Any, /) -> Iterable[str]:  # noqa: ARG004 - used by subclasses
        """Topics that the fact changes."""
        return ()

    @staticmethod
    def say(night: Night, fact: Any, /) -> Message:
        """The fact in one sentence, for the log."""
        raise NotImplementedError


Kind = TypeVar("Kind", bound=type[Request])

_KINDS: dict[type, type[Request]] = {}


class Decorate(Protocol):
    """A class decorator."""

    def __call__(self, kind: Kind, /) -> Kind:
        """The decorated class."""


@dataclass_transform(frozen_default=True)
def decision(
    do: str,
    fact: type[facts.Decision],
    *,
    who: frozenset[Role] = DIRECTOR,
    about: str = "",
    needs_base: bool = False,
    before_opening: bool = False,
    after_end: bool = False,
    before_cut: bool = False,
    example: Mapping[str, Any] | None = None,
) -> Decorate:
    """Class decorator of a decision; the arguments are the attributes of `Request`."""

    def register(kind: Any) -> Any:
        made = dataclass(frozen=True, slots=True)(kind)
        made.do, made.fact, made.who, made.about, made.needs_base = do, fact, who, about, needs_base
        made.before_opening, made.after_end, made.before_cut = before_opening, after_end, before_cut
        made.example = example or {}
        _KINDS.setdefault(fact, made)
        return made

    return register


def kind_of(fact: type) -> type[Request] | None:
    """The decision that describes a class of facts; None if this version does not know the class."""
    return _KINDS.get(fact)


# --- requests ---


def read_request(kind: type[Request], values: Mapping[str, Any]) -> Request:
    """Read the fields of a request.

    Raises:
        RuleError: a field is missing, unknown or invalid.
    """
    try:
        return read(kind, values)
    except Misfit as error:
        raise _refusal(error) from None


def _refusal(error: Misfit) -> RuleError:
    if error.why == "unknown":
        return RuleError("night_field_unknown", field=error.field[:MOST_LETTERS], known=", ".join(error.known))
    if error.why == UNSEEN:
        return RuleError("night_text_unseen", text=cite(error.value))
    return RuleError("night_field", field=error.field, takes=error.takes)


# --- limits ---


def find_refusal(look: Callable[[], object]) -> PegboardError | None:
    """The error that a check raises; None if it passes."""
    try:
        look()
    except PegboardError as error:
        return error
    return None


def check(night: Night, fact: facts.Decision) -> None:
    """Check a decision against today's limits.

    Raises:
        RuleError: the decision is refused; `Already` if there is nothing to do.
    """
    kind = kind_of(type(fact))
    if kind is None:
        raise RuleError("night_unknown_decision", do=repr(getattr(fact, "do", "")))
    check_phase(night, type(fact))
    kind.check(night, fact)


def check_phase(night: Night, fact: type) -> None:
    """Check that this kind of decision is possible in the event's phase: before the opening, open, or ended.

    Raises:
        RuleError: the decision is not possible in this phase.
    """
    kind = kind_of(fact)
    if night.opened is None and not (kind and kind.before_opening):
        raise RuleError("night_not_open")
    if night.ended is not None and kind is not None and not kind.after_end:
        raise RuleError("night_ended")
