"""Judging what is asked of a game in its course: starts, scores, deals, penalties, muggins."""

import unicodedata
from collections.abc import Sequence

from pegboard.core.board import Game, dealt
from pegboard.core.match import read_format
from pegboard.core.moves import (
    OPEN,
    WHYS,
    Abandon,
    Abandoned,
    CallMuggins,
    MugginsCalled,
    Penalize,
    Score,
    Scored,
    Start,
    Started,
)
from pegboard.core.referee.deal_facts import fits_what_was_said
from pegboard.core.rules import HEELS_LIMITS, IMPOSSIBLE_SHOWS, MOST_AT_ONCE, MOST_FOR_A_CARD, Rules, Seat, check
from pegboard.errors import GameOver, RuleError

LONGEST_NAME = 64
"""Letters of a player's name; the snapshot of four such names still fits one live event."""

MOST_NAME_BYTES = 160
"""Of a name in UTF-8: 80 Arabic letters, 53 Japanese ones, 40 emoji."""

LONGEST_CITED = 24
"""Letters of an endless name that are said back."""

LONGEST_NOTE = 80
"""Letters of the reason of a penalty or ruling; ten of them still fit one live event."""

JOINERS = {0x200C: None, 0x200D: None}
"""Zero-width letters that join or part their neighbours."""


def start(game: Game, asked: Start) -> Started:
    """Judge the start of a game.

    Raises:
        RuleError: the players, the dealer or the format do not fit.
    """
    rules = asked.rules
    check(rules)
    if len(asked.players) != rules.seats:
        raise RuleError(f"{rules.variant} is for {so_many(rules.seats, 'player')}, not {len(asked.players)}")
    names = tuple(named(name) for name in asked.players)
    if names != game.players:  # who sits here already plays on
        are_told_apart(names)
    if asked.dealer is not None:
        seat_exists(rules, asked.dealer)
    if asked.format is not None:
        read_format(asked.format)
    return Started(rules, names, asked.dealer or 0, format=asked.format or OPEN, dealer_said=asked.dealer is not None)


def named(name: str) -> str:
    """A player's name without needless blanks.

    Raises:
        RuleError: it is empty, too long, or cannot be written on every window.
    """
    words = " ".join(name.split())
    said = cite(name)
    if not 1 <= len(words) <= LONGEST_NAME:
        raise RuleError(f"a player's name has 1 to {LONGEST_NAME} letters, and {said} has {len(words)}")
    if not is_legible(words):
        raise RuleError(f"a player's name is written in letters one can see, and {said} is not")
    if len(words.encode()) > MOST_NAME_BYTES:
        raise RuleError(f"the name {said} is too long to show; up to 53 Japanese letters or 40 emoji are taken")
    return words


def cite(name: str) -> str:
    """A name in quotes, of an endless one its beginning."""
    return repr(name) if len(name) <= LONGEST_NAME else f"{name[:LONGEST_CITED]!r}..."


def are_told_apart(names: Sequence[str]) -> None:
    """See that no name looks like another.

    Raises:
        RuleError: two do; the sentence says the first of them.
    """
    looks = [unicodedata.normalize("NFKC", name).casefold() for name in names]
    for name, look in zip(names, looks, strict=True):
        if looks.count(look) > 1:
            raise RuleError(f"two players are called {name}; give each a name of its own")


def is_legible(name: str) -> bool:
    """Whether a name can be written on every window; the joiners of Persian, Hindi and emoji belong to the letters."""
    return name.translate(JOINERS).isprintable()


def noted(note: str) -> str:
    """The reason of a penalty or ruling, without needless blanks.

    Raises:
        RuleError: it is too long, or cannot be written on every window.
    """
    words = " ".join(note.split())
    if len(words) > LONGEST_NOTE:
        raise RuleError(f"a note has up to {LONGEST_NOTE} letters, and this one has {len(words)}")
    if not is_legible(words):
        raise RuleError(f"a note is written in letters one can see, and {words!r} is not")
    return words


def score(game: Game, asked: Score) -> Scored:
    """Judge points of the game's own course.

    Raises:
        RuleError: nobody can score so, or not now; `GameOver` after the end.
    """
    seat, lane = whose(game.rules, asked)
    amount_is_possible(asked.points, asked.why)
    if asked.why == "muggins":
        muggins_is_played(game.rules)
    if asked.why == "penalty":
        _penalty_is_due(game.rules, asked.points)
    goes_on(game)
    _heels_count(game, lane, asked.why)
    fits_what_was_said(game, seat, lane, asked.why)
    return Scored(lane, asked.points, seat, asked.why)


def penalty(game: Game, asked: Penalize) -> Scored:
    """Judge points that `asked.seat` is awarded for an opponent's fault (RULES: a penalty of any size exists).

    Raises:
        RuleError: there is no such seat or amount, or nobody to commit a fault; `GameOver` after the end.
    """
    lane = game.rules.lane_of(seat_exists(game.rules, asked.seat))
    _penalty_is_due(game.rules, asked.points)
    note = noted(asked.note)
    goes_on(game)
    return Scored(lane, asked.points, asked.seat, "penalty", note)


def muggins(game: Game, asked: CallMuggins) -> MugginsCalled:
    """Judge a call of muggins: the lesser of what was claimed and missed, or a wrong call to the opponent (ACC 10.4).

    Nobody misses what the game hole would have cut off: more is not awarded than the owner could still have pegged.

    Raises:
        RuleError: muggins is not played, or nobody can claim so; `GameOver` after the end.
    """
    rules = game.rules
    muggins_is_played(rules)
    lane = rules.lane_of(seat_exists(rules, asked.seat))
    _is_between(asked.claimed, 1, MOST_AT_ONCE, "points cannot be claimed")
    _is_between(asked.missed, 0, MOST_AT_ONCE, "points cannot have been missed")
    goes_on(game)
    other = opponent(game, lane, asked.opponent)
    assert other is not None  # muggins is not played alone
    if asked.missed == 0:
        theirs = other if asked.opponent is None and rules.seats == rules.lanes else asked.opponent
        return MugginsCalled(other, asked.claimed, theirs, asked.seat, asked.claimed, 0)
    award = min(asked.claimed, asked.missed, rules.game_hole - game.lanes[other].front)
    return MugginsCalled(lane, award, asked.seat, asked.seat, asked.claimed, asked.missed)


def opponent(game: Game, lane: int, seat: Seat | None) -> int | None:
    """The lane of the opponent of `lane` who is meant: `seat`'s, or the only other one; None where there is none.

    Raises:
        RuleError: with several opponents none is named, or the one named is not an opponent.
    """
    rules = game.rules
    if seat is not None:
        theirs = rules.lane_of(seat_exists(rules, seat))
        if theirs == lane:
            raise RuleError(f"{game.players[seat]} is no opponent of {game.called(lane)}; name one in `opponent`")
        return theirs
    others = [other for other in range(rules.lanes) if other != lane]
    if len(others) > 1:
        raise RuleError(f"with {rules.lanes} lanes `opponent` names the seat that is meant")
    return others[0] if others else None


def goes_on(game: Game) -> None:
    """See that nobody has won yet.

    Raises:
        GameOver: somebody has.
    """
    if game.outcome is not None:
        raise GameOver(f"the game is over: {how_it_ended(game)}; only corrections are taken")


def muggins_is_played(rules: Rules) -> None:
    """See that a point can be for muggins.

    Raises:
        RuleError: it cannot: muggins is not played at this table, or there is no opponent.
    """
    if rules.lanes == 1:
        raise RuleError("muggins is called on an opponent, and there is none at this table")
    if not rules.muggins:
        raise RuleError("muggins is not played at this table; the house rule muggins=on plays it")


def whose(rules: Rules, asked: Score) -> tuple[Seat | None, int]:
    """The seat, or None where only its lane is known, and the lane that a score is for.

    Raises:
        RuleError: there is no such seat or lane, neither is named, or they are not the same player's.
    """
    if asked.seat is not None:
        lane = rules.lane_of(seat_exists(rules, asked.seat))
        if asked.lane not in (None, lane):
            raise RuleError(f"seat {asked.seat} pegs in lane {lane}, not in lane {asked.lane}")
        return asked.seat, lane
    if asked.lane is None:
        raise RuleError("a score names the seat or the lane that scores")
    if type(asked.lane) is not int or not 0 <= asked.lane < rules.lanes:
        raise RuleError(f"there is no lane {asked.lane!r} on this board; lanes are {_span(rules.lanes)}")
    return (asked.lane if rules.seats == rules.lanes else None), asked.lane


def seat_exists(rules: Rules, seat: Seat) -> Seat:
    """The seat, when there is one.

    Raises:
        RuleError: there is none.
    """
    if type(seat) is not int or not 0 <= seat < rules.seats:
        raise RuleError(f"there is no seat {seat!r} at this table; seats are {_span(rules.seats)}")
    return seat


def amount_is_possible(points: int, why: str | None) -> None:
    """See that so much can be scored for this.

    Raises:
        RuleError: no cards give so much, or there is no such reason.
    """
    _is_between(points, 0, MOST_AT_ONCE, "points cannot be scored at once")
    if why is not None and why not in WHYS:
        raise RuleError(f"{why!r} is no reason for a score; reasons are {', '.join(WHYS)}")
    if why in ("hand", "crib") and points in IMPOSSIBLE_SHOWS:
        raise RuleError(f"no {why} counts {points}: 19, 25, 26 and 27 cannot be made")
    if why in ("play", "thirty-one") and points > MOST_FOR_A_CARD:
        raise RuleError(f"one card in the play cannot score {points}; the most is {MOST_FOR_A_CARD}")
    if why == "thirty-one" and points < 2:  # noqa: PLR2004 - two for thirty-one
        raise RuleError(f"thirty-one is 2 points or more, not {points}")
    if why == "heels" and points != 2:  # noqa: PLR2004 - two for his heels
        raise RuleError(f"heels are 2 points, not {points}")
    if why == "go" and points != 1:
        raise RuleError(f"a go is 1 point, not {points}")


def penalty_is_possible(rules: Rules, points: int) -> None:
    """See that a penalty can have so many points.

    Raises:
        RuleError: it cannot.
    """
    _is_between(points, 1, rules.game_hole, "points are no penalty")


def _penalty_is_due(rules: Rules, points: int) -> None:
    if rules.lanes == 1:
        raise RuleError("a penalty goes to an opponent, and there is none at this table")
    penalty_is_possible(rules, points)


def _is_between(value: int, least: int, most: int, fault: str) -> None:
    if type(value) is not int or not least <= value <= most:
        raise RuleError(f"{value!r} {fault} (a whole number, {least} to {most})")


def _heels_count(game: Game, lane: int, why: str | None) -> None:
    """See that heels score from where the dealer's peg stands (RULES: not near home, where the house plays so)."""
    at, rules = game.position, game.rules
    if why == "heels" and at.phase == "crib":  # the next deal's
        at = dealt(rules, at.lanes, rules.after(at.dealer), at.deal + 1)
    if why == "heels" and not rules.heels_count_at(at.lanes[lane].front):
        limit = rules.game_hole - HEELS_LIMITS[rules.heels_limit]
        there = f"{game.told_of(lane, 'is', 'are')} at {at.lanes[lane].front}"
        raise RuleError(f"heels score nothing from hole {limit} on at this table; {there}")


def abandon(_game: Game, asked: Abandon) -> Abandoned:
    """Judge that the running game is given up.

    Raises:
        RuleError: the reason cannot be written down.
    """
    return Abandoned(noted(asked.note))


def how_it_ended(game: Game) -> str:
    """Who has won, in words: "Ann has won"."""
    winner = None if game.outcome is None else game.outcome.winner
    if winner is None:
        return "it fell short"
    return f"{game.told_of(winner, 'has', 'have')} won"


def listed(names: Sequence[str]) -> str:
    """Names in a sentence: "Ann", "Ann and Bob", "Ann, Bob and Cy"."""
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def so_many(number: int, thing: str) -> str:
    """So many of a thing: "1 line", "2 lines"."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def _span(number: int) -> str:
    return "only 0" if number == 1 else f"0 to {number - 1}"
