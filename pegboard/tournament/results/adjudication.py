"""Rulings on two cards that do not fit: ACC rule 12.2 as guided choices, each with its letter, sentence and values.

Who bears a difference depends on who apparently qualifies, so the two values of a game may differ on purpose: nothing
here makes one of the other. (g), totals are adjusted, is always so, since totals are added up from values; (i), the
director is told where a ruling changes who qualifies, is `qualifying_notice`.
"""

from collections.abc import Collection
from dataclasses import dataclass, replace

from pegboard.errors import RuleError
from pegboard.messages import Message
from pegboard.tournament.ids import PlayerId
from pegboard.tournament.results.claims import NOBODY, DecidedBy, GameRecord, Names, Values, name_of
from pegboard.tournament.results.rulings import RULINGS, Dispute, Found
from pegboard.tournament.results.scoring import PointTable


@dataclass(frozen=True, slots=True)
class RulingChoice:
    """A ruling that a director can choose, or the reason why it is not to be had.

    Attributes:
        letter: of ACC 12.2; "sheet" and "stand" are no letters of it.
        said: what it does, in a sentence; None where it is not to be had.
        values: what the game then counts, in the order of the pairing's players; None where it is not to be had.
        why_not: why it is not to be had; None where it is.
    """

    letter: str
    said: Message | None = None
    values: Values | None = None
    why_not: Message | None = None

    @property
    def possible(self) -> bool:
        """Whether the director can choose it."""
        return self.why_not is None


def ruling_choices(
    record: GameRecord, qualifiers: Collection[PlayerId], table: PointTable, names: Names = NOBODY
) -> tuple[RulingChoice, ...]:
    """Every ruling on a game: those that are to be had with their values, the others with the reason why not.

    Args:
        record: the game; its claims count, whatever it has been ruled before.
        qualifiers: who apparently qualifies.
        table: what a win is worth.
        names: what players are called.
    """
    one, other = (player in qualifiers for player in record.pairing.players)
    dispute = Dispute(record, (one, other), table, names)
    return tuple(_choice(letter, find(dispute)) for letter, find in RULINGS.items())


def _choice(letter: str, found: Found) -> RulingChoice:
    if isinstance(found, Message):
        return RulingChoice(letter, why_not=found)
    said, values = found
    return RulingChoice(letter, said, values)


def adjudicate(
    record: GameRecord, letter: str, qualifiers: Collection[PlayerId], table: PointTable, names: Names = NOBODY
) -> GameRecord:
    """The game as the chosen ruling values it; its claims stay as they were written.

    Raises:
        RuleError: there is no such ruling, or it is not to be had here, with the reason.
    """
    choices = {choice.letter: choice for choice in ruling_choices(record, qualifiers, table, names)}
    if letter not in choices:
        raise RuleError("results_ruling_unknown", letter=repr(letter), known=", ".join(choices))
    chosen = choices[letter]
    if chosen.values is None:
        raise RuleError(chosen.why_not or Message("results_cards_fit"))
    return replace(record, values=chosen.values, decided_by=DecidedBy.RULING, rule=letter)


def qualifying_notice(
    before: Collection[PlayerId], after: Collection[PlayerId], names: Names = NOBODY
) -> Message | None:
    """ACC 12.2 (i): what the director hears where a ruling changes who apparently qualifies; None where it does not."""
    into = ", ".join(name_of(player, names) for player in after if player not in before)
    out = ", ".join(name_of(player, names) for player in before if player not in after)
    if into and out:
        return Message("results_qualifiers_change", into=into, out=out)
    if into:
        return Message("results_qualifies_now", into=into)
    return Message("results_qualifies_no_longer", out=out) if out else None
