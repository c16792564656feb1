"""Awards without play: late after lunch, a refused ruling of three judges, a forfeit; and what a judge decides."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from pegboard.errors import Already, RuleError
from pegboard.messages import Message
from pegboard.tournament.ids import PlayerId
from pegboard.tournament.results.claims import NOBODY, DecidedBy, GameRecord, Names, Values, name_of
from pegboard.tournament.results.scoring import PointTable
from pegboard.tournament.results.settling import value_of_game

AWARD_MARGIN = 10
"""Holes by which a game without play is won, and lost (ACC 11.4 of 2025)."""


@dataclass(frozen=True, slots=True)
class AwardRule:
    """A game that one player wins without play.

    Attributes:
        name: as it is stored.
        said: key of the sentence that says it.
        margin: by how many holes the opponent wins.
        once: whether it happens to a player once in a night at most.
    """

    name: str
    said: str
    margin: int = AWARD_MARGIN
    once: bool = False


LATE, REFUSED_JUDGES, FORFEIT, JUDGE = "late", "refused_judges", "forfeit", "judge"

AWARDS: Mapping[str, AwardRule] = {
    award.name: award
    for award in (
        AwardRule(LATE, "results_award_late", once=True),
        AwardRule(REFUSED_JUDGES, "results_award_refused_judges"),
        AwardRule(FORFEIT, "results_award_forfeit"),
    )
}
"""ACC 11.4 (2025): more than five minutes late after lunch; ACC 11: refusing the ruling of three judges; and a player
who has left, whose games go to his opponents by the same margin, so that none keeps a night from its end."""


def award(
    record: GameRecord,
    name: str,
    against: PlayerId,
    table: PointTable,
    *,
    earlier: Iterable[GameRecord] = (),
    names: Names = NOBODY,
) -> GameRecord:
    """The game as it counts without play; claims, if there are any, stay as they were written.

    Args:
        record: the game.
        name: of the award.
        against: who loses it.
        table: what a win is worth.
        earlier: the games of the night, among which an award that happens once is looked for.
        names: what players are called.

    Raises:
        Already: the player has lost a game by it, and it happens once.
        RuleError: there is no such award, or the player does not play in this game.
    """
    if name not in AWARDS:
        raise RuleError("results_no_award", name=repr(name), known=", ".join(AWARDS))
    if against not in record.pairing.players:
        raise RuleError("results_not_in_game", name=name_of(against, names), game=record.key)
    rule = AWARDS[name]
    for other in earlier:
        if rule.once and other.rule == name and other.key != record.key and _has_lost(other, against):
            raise Already("results_late_once", name=name_of(against, names), round=other.pairing.round)
    nets = (-rule.margin if player == against else rule.margin for player in record.pairing.players)
    return _with_values(record, _values(nets, record, table), name)


def _has_lost(record: GameRecord, player: PlayerId) -> bool:
    value = record.value_of(player) if player in record.pairing.players else None
    return value is not None and not value.won


def _values(nets: Iterable[int], record: GameRecord, table: PointTable) -> Values:
    one, other = (value_of_game(net, record, table) for net in nets)
    return one, other


def _with_values(record: GameRecord, values: Values, rule: str) -> GameRecord:
    return replace(record, values=values, decided_by=DecidedBy.AWARD, rule=rule)


def decide_freely(record: GameRecord, values: Values, table: PointTable) -> GameRecord:
    """The game as a judge decides it: any net for each player, also a loss for both, with the points that belong to it.

    Raises:
        RuleError: a net is beyond what a game can give, its points are not those of the table, or both would win.
    """
    for value in values:
        if not 1 <= abs(value.net) <= table.game_hole:
            raise RuleError("results_judge_net", most=table.game_hole, net=value.net)
        worth = value_of_game(value.net, record, table).points
        if value.points != worth:
            raise RuleError(
                "results_judge_points", net=value.net, worth=worth, round=record.pairing.round, points=value.points
            )
    if all(value.won for value in values):
        raise RuleError("results_judge_two_wins")
    return _with_values(record, values, JUDGE)


def say_award(record: GameRecord, names: Names = NOBODY) -> Message | None:
    """What a game was awarded for, in a sentence; None where it was not."""
    if record.decided_by != DecidedBy.AWARD or record.both_values is None:
        return None
    if record.rule not in AWARDS:
        return Message("results_award_judge")
    one, other = record.both_values
    winner = 0 if one.won else 1
    called = [name_of(player, names) for player in record.pairing.players]
    margin = max(one.net, other.net)
    return Message(AWARDS[record.rule].said, name=called[1 - winner], other=called[winner], margin=margin)
