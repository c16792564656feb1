"""Status line of the game in English: dealer, hand counted next, winner; helpers for lists of names and plurals."""

from collections.abc import Sequence
from typing import NamedTuple

from pegboard.core.board import Game
from pegboard.core.course_of_sheet import BOTH_WAYS_BELOW, Standing, Where
from pegboard.core.position import Phase
from pegboard.core.rules import KEY_LANES, Rules, Seat
from pegboard.core.view import View
from pegboard.messages import Message

# --- sentence parts: winner, lists of names, plurals, ranges ---


def how_it_ended(game: Game) -> Message:
    """How the game ended: "Ann has won"."""
    winner = None if game.outcome is None else game.outcome.winner
    if winner is None:
        return Message("fell_short")
    return game.message_on(winner, "has_won", "have_won")


def join_names(names: Sequence[str]) -> str:
    """Join names with commas and "and": "Ann", "Ann and Bob", "Ann, Bob and Cy"."""
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def pluralize(number: int, thing: str) -> str:
    """A number with an English noun: "1 line", "2 lines"."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def number_of_players(number: int) -> Message:
    """A number of players: "1 player", "2 players"."""
    return Message("one_player" if number == 1 else "many_players", n=number)


def span(number: int) -> Message:
    """The range of seat or lane numbers: "0 to 3"."""
    return Message("only_zero") if number == 1 else Message("zero_to", most=number - 1)


def lane_without_keys(game: Game) -> Message | None:
    """The sentence that says where the lane beyond the keys is scored; None if each lane has keys."""
    return Message("key_no_key", name=game.lane_name(KEY_LANES)) if game.rules.lanes > KEY_LANES else None


SHOW = "Show: now "
"""Prefix of the hand or crib that is counted next."""

SKUNKS = {1: "skunk", 2: "double skunk", 3: "triple skunk"}
"""Names of skunks by the number of missed skunk lines."""

CUT = "Cut for the deal: low card deals"


def phase_sentence(game: Game, *, awaits_cut: bool = False) -> str:
    """The state of the game, as said at the table: "Show: now count Ann's crib"; if uncertain, both possibilities."""
    if game.outcome is not None:
        ended = how_it_ended(game)
        missed = enumerate(game.outcome.skunks)
        skunks = [f"{skunk_name(game.rules, many)} against {game.lane_name(lane)}" for lane, many in missed if many]
        return ", ".join((ended[:1].upper() + ended[1:], *skunks))
    if awaits_cut:
        return CUT
    at = game.standing
    likeliest = _says_of(game, at, begun=at.begun)
    return likeliest if at.other is None else f"{likeliest}, or {_otherwise(game, at, at.other)}"


def _otherwise(game: Game, at: Standing, other: Where) -> str:
    """The less likely standing in words: "Ann's crib" after another hand or crib, "count Ann's crib" after the play."""
    verb = "count " if at.phase == Phase.PLAY else ""
    return _says_of(game, other, begun=at.begun and other.dealer == at.dealer, count=verb, play="play")


def _says_of(game: Game, at: Standing | Where, *, begun: bool, count: str = f"{SHOW}count ", play: str = "Play") -> str:
    """One standing in words; `count` and `play` are the prefixes for counting and for the play."""
    dealer, counts = game.players[at.dealer], _to_count(at)
    if counts is not None:
        return f"{count}{game.players[counts.seat]}'s {counts.what}"
    match at.phase:
        case Phase.CUT:
            return f"{dealer} deals first"
        case Phase.PLAY:
            return play if begun else f"{dealer} deals"
    return f"{play} or show"


class ToCount(NamedTuple):
    """The hand or crib that is counted next in the show.

    Attributes:
        seat: the seat of its owner.
        what: hand or crib.
    """

    seat: Seat
    what: Phase


def to_count(game: Game) -> ToCount | None:
    """The hand or crib that is counted next; None outside the show, or if another standing is about as likely."""
    return None if game.standing.other is not None else _to_count(game.standing)


def _to_count(at: Standing | Where) -> ToCount | None:
    if at.phase == Phase.HAND and at.to_count is not None:
        return ToCount(at.to_count, Phase.HAND)
    return ToCount(at.dealer, Phase.CRIB) if at.phase == Phase.CRIB else None


def marked_dealer(view: View) -> Seat | None:
    """The dealer that displays mark; None while the dealer is unknown."""
    return view.game.dealer if is_dealer_known(view.game) and not view.awaits_cut else None


def is_dealer_known(game: Game) -> bool:
    """Whether the dealer is certain enough for displays and pages to mark."""
    return game.standing.dealer_sure >= BOTH_WAYS_BELOW


def skunk_name(rules: Rules, skunks: int) -> str:
    """The name for this number of missed skunk lines at this table."""
    return "lurch" if rules.lurch else SKUNKS.get(skunks, SKUNKS[3])
