"""Certificate of a perfect hand (29) or the next best (28): what the score sheet and the hand counter know of it.

Nothing is guessed: what nobody has stated, such as the cards of a hand that was only pegged, stays empty for a pen.
"""

import re
from dataclasses import dataclass

from pegboard.core.board import Game
from pegboard.core.cards.pack import RANKS, read_ranks
from pegboard.core.cards.show import count_ranks
from pegboard.core.moves import Reason, Scored
from pegboard.core.view_as_json import NANOSECONDS
from pegboard.errors import RuleError
from pegboard.storage.games import History
from web.http.problems import Problem
from web.kit.documented_endpoints import quote

PERFECT = ("29", "28")
"""The hands that get a certificate, as their page's address ends."""

HAND_CARDS = 4

LINE = re.compile(r"[1-9][0-9]{0,5}")
"""The id of a line of a score sheet."""


@dataclass(frozen=True, slots=True)
class Certificate:
    """What a certificate can say; empty or None where a pen must write it.

    Attributes:
        points: 29 or 28.
        players: the name of the player, or both partners' names if only their lane is known.
        opponents: the names of the other players.
        why: "hand" or "crib".
        at: when it was scored, in seconds since 1970.
        game: the id of its game.
        line: its line on the score sheet.
        cards: the ranks of the four cards, such as `5`; suits are never known.
        starter: the rank of the starter.
    """

    points: int
    players: tuple[str, ...] = ()
    opponents: tuple[str, ...] = ()
    why: str = ""
    at: float | None = None
    game: str = ""
    line: str = ""
    cards: tuple[str, ...] = ("",) * HAND_CARDS
    starter: str = ""

    @property
    def signers(self) -> tuple[str, ...]:
        """Who signs: the player and every opponent; empty names are written by hand."""
        return (*(self.players or ("",)), *(self.opponents or ("",)))


def make_certificate(history: History, hand: str, *, game: str, line: str, cards: str, starter: str) -> Certificate:
    """The certificate of a line of a game, or one to fill in if no `game` is named.

    Args:
        history: the games of the table.
        hand: `29` or `28`.
        game: the id of a game, or "".
        line: the id of the line on its score sheet that scored the hand or crib.
        cards: the four ranks as the hand counter writes them, such as `5-5-5-J`, or "" if they are not known.
        starter: the rank of the starter, or "".

    Raises:
        Problem: 404, no such certificate, game or line; 422, these cards cannot score the hand.
    """
    if hand not in PERFECT:
        raise Problem(404, "not_found", "no_certificate", hand=quote(hand))
    points = int(hand)
    ranks, cut = _read_cards(points, cards, starter)
    if not game:
        return Certificate(points, cards=ranks, starter=cut)
    found = history.game(game)
    if found is None:
        raise Problem(404, "not_found", "no_such_game", game=quote(game))
    _, sheet = found
    scored = _scored(sheet, line, points)
    if scored is None:
        raise Problem(404, "not_found", "no_certificate_line", line=quote(line), points=points)
    players, opponents = _names(sheet, scored, int(line))
    at = sheet.entries[int(line) - 1].origin.at / NANOSECONDS
    why = scored.why if scored.why in (Reason.HAND, Reason.CRIB) else ""
    return Certificate(points, players, opponents, str(why), at, game, line, ranks, cut)


def _read_cards(points: int, cards: str, starter: str) -> tuple[tuple[str, ...], str]:
    """The ranks to print; empty places unless both are known and can score the points."""
    if not cards and not starter:
        return ("",) * HAND_CARDS, ""
    try:
        hand, cut = read_ranks(cards), read_ranks(starter)
        possible = {count_ranks(cards, starter, flush=0, nobs=nobs).points for nobs in _nobs(cards, starter)}
    except RuleError:
        possible = set()
    if points not in possible:
        raise Problem(422, "shape", "certificate_cards", points=points)
    return tuple(RANKS[card.rank - 1] for card in hand), RANKS[cut[0].rank - 1]


def _nobs(cards: str, starter: str) -> tuple[bool, ...]:
    """Both answers on nobs, if the ranks allow both."""
    try:
        count_ranks(cards, starter, flush=0, nobs=True)
    except RuleError:
        return (False,)
    return (False, True)


def _scored(sheet: Game, line: str, points: int) -> Scored | None:
    """The hand or crib of a line that counts and has just these points, unless a ruling corrects them."""
    number = int(line) if LINE.fullmatch(line) else 0
    if not 1 <= number <= len(sheet.entries):
        return None
    event = sheet.entries[number - 1].event
    if not isinstance(event, Scored) or event.points != points or event.why not in (None, Reason.HAND, Reason.CRIB):
        return None
    return event if sheet.counts(number) and sheet.ruling_on(number) is None else None


def _names(sheet: Game, scored: Scored, line: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The names of the scoring player or lane, and those of the other lanes' players, as they sat then."""
    players = sheet.players_after(line - 1)
    own = [seat for seat in range(len(players)) if sheet.rules.lane_of(seat) == scored.lane]
    opponents = tuple(name for seat, name in enumerate(players) if seat not in own)
    return tuple(players[seat] for seat in (own if scored.seat is None else [scored.seat])), opponents
