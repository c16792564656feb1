"""Decisions about normal play: start, names and substitutes, head starts, score, muggins, deal, abandon."""

import itertools
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias, TypeGuard, TypeVar

from pegboard.core.board import Game
from pegboard.core.moves import (
    FAULTS,
    FOR_CARDS,
    REASONS,
    Abandon,
    Abandoned,
    Award,
    CallMuggins,
    Command,
    Deal,
    DealStage,
    Dealt,
    Event,
    GiveHeadStart,
    HeadStartGiven,
    Line,
    MugginsCalled,
    Reason,
    Rename,
    Renamed,
    Ruling,
    Score,
    Scored,
    Stage,
    Staged,
    Start,
    Started,
    Substitute,
    Substituted,
)
from pegboard.core.names import check_distinct, cite, clean_name, clean_note, comparison_key, compose
from pegboard.core.position import Phase, deal_out
from pegboard.core.rules import (
    HEELS_LIMITS,
    IMPOSSIBLE_HANDS_OF_THREE,
    IMPOSSIBLE_SHOWS,
    MOST_AT_ONCE,
    MOST_FOR_A_CARD,
    OPEN,
    Rules,
    Seat,
    check,
    read_format,
)
from pegboard.core.sentences import how_it_ended, number_of_players, span
from pegboard.errors import Already, GameOver, Moved, RuleError, SayFirst
from pegboard.messages import Message

# --- registry of decision functions ---


Decision: TypeAlias = Callable[[Game, Any], Event]
"""A function that turns a command into an event, or raises a `RuleError` if the rules do not allow it."""

DECISIONS: dict[type[Command], Decision] = {}

_Function = TypeVar("_Function", bound=Decision)


def decides(command: type[Command]) -> Callable[[_Function], _Function]:
    """Register the decorated function as the decision for a command class."""

    def register(decision: _Function) -> _Function:
        DECISIONS[command] = decision
        return decision

    return register


# --- decisions about the deal: dealer, new deal, stage ---


@decides(Deal)
def deal(game: Game, asked: Deal) -> Dealt:
    """Decide on a new deal, or on a corrected dealer for this deal.

    Raises:
        RuleError: there is no such seat, or no dealer is named for this deal; `GameOver` after the end, `Already` if
            nothing has scored in this deal.
    """
    if asked.dealer is not None:
        require_seat(game.rules, asked.dealer)
    if asked.new is not None and type(asked.new) is not bool:
        raise RuleError("deal_new", value=repr(asked.new))
    if asked.new is False and asked.dealer is None:
        raise RuleError("deal_whose")
    check_running(game)
    if asked.new is not False and (has_scored(game) or game.position.deal == game.rules.last_deal):
        return Dealt(asked.dealer)
    return _correct_dealer(game, asked)


def _correct_dealer(game: Game, asked: Deal) -> Dealt:
    """Correct the dealer of the current deal; before its first score, a new deal can only mean the first deal."""
    is_first = not deals_begun(game)
    if asked.dealer is None and is_first and game.rules.seats > 1:
        return Dealt(None, new=False)
    if asked.dealer is None or (asked.new and not is_first):
        raise Already("has_deal", name=game.players[game.dealer])
    if asked.dealer == said_dealer(game):
        raise Already("deal_said", name=game.players[asked.dealer])
    return Dealt(asked.dealer, new=False, midway=game.position.scored)


@decides(Stage)
def stage(game: Game, asked: Stage) -> Staged:
    """Decide on announcing the play or the show.

    Raises:
        RuleError: there is no such stage, or the game is solitaire; `GameOver` after the end, `Already` if the newest
            line says so.
    """
    if game.rules.seats == 1:
        raise RuleError("stage_alone")
    if asked.stage not in tuple(DealStage):
        raise RuleError("stage_none", stage=repr(asked.stage))
    check_running(game)
    newest = game.newest_standing()
    if newest is not None and game.entries[newest - 1].event == Staged(asked.stage):
        raise Already("stage_already", stage=asked.stage)
    return Staged(asked.stage)


# --- facts about the deal from the lines that count ---


def has_scored(game: Game) -> bool:
    """Whether anything has scored in the current deal, by the lines that count since the start or the last new deal.

    Penalties and muggins say nothing about the deal. If a ruling reopened the game, its deal counts as scored.
    """
    since = itertools.takewhile(lambda line: not _begins_a_deal(line), counting_lines(game))
    return game.position.scored or any(tells_of_cards(line) for line in since)


def said_dealer(game: Game) -> Seat | None:
    """The stated dealer, if nothing has scored since; None if no dealer was stated, or another deal may have begun."""
    newest = _newest_of_the_deal(game)
    if newest is None:
        return game.first_dealer if game.dealer_said else None
    return newest.dealer if isinstance(newest, Dealt) else newest.redeal


def check_contradiction(game: Game, seat: Seat | None, lane: int, why: Reason | None) -> None:
    """Check that heels or a crib do not contradict what was stated since the last score.

    Only statements can be contradicted, not inferences: another deal may have begun between two scores.

    Raises:
        SayFirst: another player was named as dealer (heels and crib belong to the dealer), heels were just pegged
            (there is one starter per deal), or the same player has just scored in the play (heels come before it).
    """
    if why not in (Reason.HEELS, Reason.CRIB):
        return
    _check_against_said_dealer(game, seat, lane, why)
    newest = _newest_of_the_deal(game)
    if why == Reason.CRIB or not isinstance(newest, Scored) or newest.guessed:
        return
    offer = {"new": True} if seat is None else {"dealer": seat, "new": True}
    if newest.why == Reason.HEELS:
        raise SayFirst("say_deal_first", offer, fault=Message("heels_again"))
    if newest.why in FOR_CARDS and seat is not None and seat == newest.seat:
        raise SayFirst("say_deal_first", offer, fault=Message("heels_played", name=game.players[seat]))


def _check_against_said_dealer(game: Game, seat: Seat | None, lane: int, why: Reason) -> None:
    dealer = said_dealer(game)
    if dealer is None or dealer == seat or (seat is None and lane == game.rules.lane_of(dealer)):
        return
    fault = Message("heels_are_dealers" if why == Reason.HEELS else "crib_is_dealers", name=game.players[dealer])
    if seat is None:
        raise SayFirst("say_who_first", fault=fault)
    raise SayFirst("say_dealer_first", {"dealer": seat, "new": False}, fault=fault, other=game.players[seat])


def deals_begun(game: Game) -> bool:
    """Whether a new deal was announced."""
    return any(_begins_a_deal(line) for line in counting_lines(game))


def _newest_of_the_deal(game: Game) -> Scored | Dealt | None:
    """The newest counting line about the deal: a score for cards, a redeal, or a `Dealt`."""
    return next((line for line in counting_lines(game) if isinstance(line, Dealt) or _tells_of_deal(line)), None)


def counting_lines(game: Game) -> Iterator[Line]:
    """The lines that count, newest first."""
    return (game.entries[n - 1].event for n in range(len(game.entries), 0, -1) if game.counts(n))


def _begins_a_deal(line: Line) -> bool:
    return isinstance(line, Dealt) and line.new


def _tells_of_deal(line: Line) -> TypeGuard[Scored]:
    return tells_of_cards(line) or is_redeal(line)


def is_redeal(line: Line) -> TypeGuard[Scored]:
    """Whether the same deal begins again with this line, because of a fault."""
    return isinstance(line, Scored) and line.redeal is not None


def tells_of_cards(line: Line) -> TypeGuard[Scored]:
    """Whether a line is a score for cards, not an award for an opponent's fault."""
    return isinstance(line, Scored) and line.why not in FAULTS


@decides(Start)
def start(game: Game, asked: Start) -> Started:
    """Decide on starting a game.

    Raises:
        RuleError: the players, the dealer or the format are not valid.
    """
    rules = asked.rules
    check(rules)
    if len(asked.players) != rules.seats:
        raise RuleError(
            "players", variant=rules.variant, players=number_of_players(rules.seats), number=len(asked.players)
        )
    names = tuple(clean_name(name) for name in asked.players)
    if names == tuple(map(compose, game.players)):  # the same players keep their names as an older version stored them
        names = game.players
    else:
        check_distinct(names)
    if asked.dealer is not None:
        require_seat(rules, asked.dealer)
    if asked.format is not None:
        read_format(asked.format)
    dealer, said, form = asked.dealer or 0, asked.dealer is not None, asked.format or OPEN
    return Started(rules, names, dealer, format=form, dealer_said=said, pairing=asked.pairing)


@decides(Rename)
def rename(game: Game, asked: Rename) -> Renamed:
    """Decide on a corrected name, with the checks of a start; it moves no peg, so it is also allowed after the end.

    Raises:
        RuleError: there is no such seat, or the name is invalid or looks like another player's; `Already` if the
            player already has that name.
        Moved: nobody who plays or played at that seat is called `asked.former`.
    """
    seat = require_seat(game.rules, asked.seat)
    name, here = clean_name(asked.to), game.names_at(seat)
    if asked.former not in here:
        raise Moved("called_now", name=game.players[seat], former=cite(asked.former))
    if name == asked.former:
        raise Already("called_already", name=name)
    check_other_seats(game, seat, name)
    for other in here:
        if other != asked.former:
            check_distinct((name, other))
    return Renamed(seat, asked.former, name)


@decides(Substitute)
def substitute(game: Game, asked: Substitute) -> Substituted:
    """Decide on somebody taking over a seat for the rest of the game; a player who left can come back.

    Raises:
        RuleError: there is no such seat, or the name is invalid or looks like that of somebody at the table; `GameOver`
            after the end, `Already` if the player already plays there.
        Moved: the player's name is not `asked.former`.
    """
    seat = require_seat(game.rules, asked.seat)
    name, shown = clean_name(asked.name), game.players[seat]
    if asked.former != shown:
        raise Moved("called_now", name=shown, former=cite(asked.former))
    check_running(game)
    if comparison_key(name) == comparison_key(shown):
        raise Already("plays_already", name=shown)
    check_other_seats(game, seat, name)
    return Substituted(seat, name)


def check_other_seats(game: Game, seat: Seat, name: str) -> None:
    """Check that a name for `seat` does not look like one at another seat, so that a line names one person.

    Raises:
        RuleError: somebody of that name plays at another seat, or has played there by a line that is not undone.
    """
    others = [other for other in range(game.rules.seats) if other != seat]
    for other in others:
        check_distinct((name, game.players[other]))
    look = comparison_key(name)
    if any(comparison_key(taken) == look for other in others for taken in game.names_at(other, undone=False)):
        raise RuleError("played_elsewhere", name=name)


@decides(GiveHeadStart)
def head_start(game: Game, asked: GiveHeadStart) -> HeadStartGiven:
    """Decide on a handicap: a player starts ahead, at most to one hole short of the game hole, before the first points.

    Raises:
        RuleError: there is no such seat or opponent, or so many holes are not possible; `GameOver` after the end,
            `Already` if the player already starts ahead, or something was pegged.
    """
    lane = game.rules.lane_of(require_seat(game.rules, asked.seat))
    if game.rules.lanes == 1:
        raise RuleError("head_start_alone")
    check_running(game)
    for line in range(1, len(game.entries) + 1):
        event = game.entries[line - 1].event
        if isinstance(event, Award | Ruling) and not only_settles(event) and game.counts(line):
            raise Already("head_start_late", line=line)
    check_one_head_start(game, lane)
    most = game.rules.game_hole - 1 - game.lanes[lane].front
    if type(asked.holes) is not int or not 1 <= asked.holes <= most:
        raise RuleError("head_start_holes", hole=game.rules.game_hole, most=most, holes=repr(asked.holes))
    return HeadStartGiven(lane, asked.holes, asked.seat)


def check_one_head_start(game: Game, lane: int) -> None:
    """Check that no other head start of this lane counts.

    Raises:
        Already: one does.
    """
    for line, entry in enumerate(game.entries, 1):
        event = entry.event
        if isinstance(event, HeadStartGiven) and event.lane == lane and game.counts(line):
            raise Already("head_start_given", name=game.lane_name(lane), holes=event.holes, line=line)


def only_settles(line: Line) -> bool:
    """Whether a line only says what follows a fault of the deal, and awards no points for it."""
    return isinstance(line, Scored) and line.why == Reason.PENALTY and not line.points


@decides(Score)
def score(game: Game, asked: Score) -> Scored:
    """Decide on points scored in normal play.

    Raises:
        RuleError: such a score is not possible, or not at this point; `GameOver` after the end.
    """
    seat, lane = whose(game.rules, asked)
    check_amount(game.rules, asked.points, asked.why)
    if asked.why == Reason.MUGGINS:
        check_muggins_played(game.rules)
    if asked.why == Reason.PENALTY:
        check_penalty(game.rules, asked.points)
    check_running(game)
    _check_heels_limit(game, lane, asked.why)
    check_contradiction(game, seat, lane, asked.why)
    return Scored(lane, asked.points, seat, asked.why)


@decides(CallMuggins)
def muggins(game: Game, asked: CallMuggins) -> MugginsCalled:
    """Decide on a muggins call.

    The caller gets the lesser of claimed and missed points; for a wrong call, the opponent gets the points claimed (ACC
    10.4). Points beyond the game hole are not missed: the award is limited to what their owner could still have pegged.

    Raises:
        RuleError: muggins is not played, or the claim is not possible; `GameOver` after the end.
    """
    rules = game.rules
    check_muggins_played(rules)
    lane = rules.lane_of(require_seat(rules, asked.seat))
    _check_between(asked.claimed, 1, MOST_AT_ONCE, "points_claimed")
    _check_between(asked.missed, 0, MOST_AT_ONCE, "points_missed")
    check_running(game)
    other = opponent(game, lane, asked.opponent)
    assert other is not None  # muggins needs an opponent
    if asked.missed == 0:
        theirs = other if asked.opponent is None and rules.seats == rules.lanes else asked.opponent
        return MugginsCalled(other, asked.claimed, theirs, asked.seat, asked.claimed, 0)
    award = min(asked.claimed, asked.missed, rules.game_hole - game.lanes[other].front)
    return MugginsCalled(lane, award, asked.seat, asked.seat, asked.claimed, asked.missed)


def opponent(game: Game, lane: int, seat: Seat | None) -> int | None:
    """The opponent's lane: the lane of `seat`, or else the only lane other than `lane`; None if there is no other.

    Raises:
        RuleError: there are several opponents and none is named, or the named seat is not an opponent.
    """
    rules = game.rules
    if seat is not None:
        theirs = rules.lane_of(require_seat(rules, seat))
        if theirs == lane:
            raise RuleError("no_opponent", name=game.players[seat], other=game.lane_name(lane))
        return theirs
    others = [other for other in range(rules.lanes) if other != lane]
    if len(others) > 1:
        raise RuleError("which_opponent", lanes=rules.lanes)
    return others[0] if others else None


def check_running(game: Game) -> None:
    """Check that the game is not over.

    Raises:
        GameOver: the game is over.
    """
    if game.outcome is not None:
        raise GameOver("game_is_over", ended=how_it_ended(game))


def check_muggins_played(rules: Rules) -> None:
    """Check that muggins is played.

    Raises:
        RuleError: muggins is not played at this table, or there is no opponent.
    """
    if rules.lanes == 1:
        raise RuleError("muggins_alone")
    if not rules.muggins:
        raise RuleError("muggins_not_played")


def whose(rules: Rules, asked: Score) -> tuple[Seat | None, int]:
    """The seat (None if only the lane is known) and the lane of a score.

    Raises:
        RuleError: there is no such seat or lane, neither is named, or they belong to different players.
    """
    if asked.seat is not None:
        lane = rules.lane_of(require_seat(rules, asked.seat))
        if asked.lane not in (None, lane):
            raise RuleError("lane_of_seat", seat=asked.seat, lane=lane, other=asked.lane)
        return asked.seat, lane
    if asked.lane is None:
        raise RuleError("score_of_whom")
    if type(asked.lane) is not int or not 0 <= asked.lane < rules.lanes:
        raise RuleError("no_lane", lane=repr(asked.lane), lanes=span(rules.lanes))
    return (asked.lane if rules.seats == rules.lanes else None), asked.lane


def require_seat(rules: Rules, seat: Seat) -> Seat:
    """Check that a seat exists, and return it.

    Raises:
        RuleError: there is no such seat.
    """
    if type(seat) is not int or not 0 <= seat < rules.seats:
        raise RuleError("no_seat", seat=repr(seat), seats=span(rules.seats))
    return seat


def check_amount(rules: Rules, points: int, why: Reason | None) -> None:
    """Check that these points are possible for this reason.

    Raises:
        RuleError: no cards score this many points for this reason, or there is no such reason.
    """
    _check_between(points, 0, MOST_AT_ONCE, "points_at_once")
    if why is not None and why not in REASONS:
        raise RuleError("no_reason", reason=repr(why), reasons=", ".join(Reason))
    if points in IMPOSSIBLE_SHOWS and why in (Reason.HAND, Reason.CRIB):
        raise RuleError("no_show", why=why, points=points)
    if rules.pegging_only and points in IMPOSSIBLE_HANDS_OF_THREE and why == Reason.HAND:
        raise RuleError("no_hand_of_three", points=points)
    if points > MOST_FOR_A_CARD and why in (Reason.PLAY, Reason.THIRTY_ONE):
        raise RuleError("one_card", points=points, most=MOST_FOR_A_CARD)
    if points < 2 and why == Reason.THIRTY_ONE:  # noqa: PLR2004 - two for thirty-one
        raise RuleError("thirty_one_two", points=points)
    if points != 2 and why == Reason.HEELS:  # noqa: PLR2004 - two for his heels
        raise RuleError("heels_two", points=points)
    if points != 1 and why == Reason.GO:
        raise RuleError("go_one", points=points)


def check_penalty_amount(rules: Rules, points: int, least: int = 1) -> None:
    """Check the points of a penalty: at least `least`, at most the game hole.

    Raises:
        RuleError: a penalty cannot have this many points.
    """
    _check_between(points, least, rules.game_hole, "no_penalty")


def check_penalty(rules: Rules, points: int, least: int = 1) -> None:
    """Check that a penalty of this many points can be awarded.

    Raises:
        RuleError: there is no opponent, or a penalty cannot have this many points.
    """
    if rules.lanes == 1:
        raise RuleError("penalty_alone")
    check_penalty_amount(rules, points, least)


def _check_between(value: int, least: int, most: int, otherwise: str) -> None:
    if type(value) is not int or not least <= value <= most:
        raise RuleError(otherwise, points=repr(value), least=least, most=most)


def _check_heels_limit(game: Game, lane: int, why: Reason | None) -> None:
    """Check that heels score at the dealer's peg position (a house rule can exclude the last holes)."""
    if why != Reason.HEELS:
        return
    at, rules = game.position, game.rules
    if at.phase == Phase.CRIB:  # the heels belong to the next deal
        at = deal_out(rules, at.lanes, rules.after(at.dealer), at.deal + 1)
    front, limit = at.lanes[lane].front, rules.game_hole - HEELS_LIMITS[rules.heels_limit]
    if front >= limit:
        there = game.message_on(lane, "is_at", "are_at", hole=front)
        raise RuleError("heels_limit", hole=limit, there=there)


@decides(Abandon)
def abandon(_game: Game, asked: Abandon) -> Abandoned:
    """Decide on abandoning the current game.

    Raises:
        RuleError: the note is not valid.
    """
    return Abandoned(clean_note(asked.note))
