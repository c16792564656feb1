"""Certificate of a perfect hand (29) or the next best (28): what the score sheet and the hand counter know of it.

Nothing is guessed: what nobody has stated, such as the cards of a hand that was only pegged, stays empty for a pen.
"""

import re
from dataclasses import dataclass

from pegboard.core.board import Game
from pegboard.core.cards.pack import check_pack, read_laid
from pegboard.core.cards.show import only_card, possible_points
from pegboard.core.command_fields import line_id
from pegboard.core.moves import Reason, Scored
from pegboard.core.view_as_json import NANOSECONDS
from pegboard.errors import RuleError
from pegboard.storage.games import History
from web.http.problems import Problem
from web.kit.documented_endpoints import quote
from web.table.worked_examples import CardFace, card_face

PERFECT = ("29", "28")
"""The hands that get a certificate, as their page's address ends."""

BLANK = (None,) * 4
"""The cards of a hand that nobody has stated."""

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
        cards: the four cards, without suits that nobody has stated.
        starter: the starter.
    """

    points: int
    players: tuple[str, ...] = ()
    opponents: tuple[str, ...] = ()
    why: str = ""
    at: float | None = None
    game: str = ""
    line: str = ""
    cards: tuple[CardFace | None, ...] = BLANK
    starter: CardFace | None = None

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
        line: the id of the line on its score sheet that scored the hand or crib; "" for the newest such line.
        cards: the four cards, with or without suits, such as `5-5-5-J` or `5H,5C,5S,JD`, or "" if they are not known.
        starter: the starter in the same form, or "".

    Raises:
        Problem: 404, no such certificate, game or line; 422, a line without a game, or cards that do not score the
            hand.
    """
    if hand not in PERFECT:
        raise Problem(404, "not_found", "no_certificate", hand=quote(hand))
    points = int(hand)
    held, cut = _read_cards(points, cards, starter)
    if not game and line:
        raise Problem(422, "shape", "certificate_game", line=quote(line))
    if not game:
        return Certificate(points, cards=held, starter=cut)
    found = history.game(game)
    if found is None:
        raise Problem(404, "not_found", "no_such_game", game=quote(game))
    _, sheet = found
    number, scored = _line_of(sheet, line, points)
    players, opponents = _names(sheet, scored, number)
    at = sheet.entries[number - 1].origin.at / NANOSECONDS
    why = scored.why if scored.why in (Reason.HAND, Reason.CRIB) else ""
    return Certificate(points, players, opponents, str(why), at, game, line_id(number), held, cut)


def _read_cards(points: int, cards: str, starter: str) -> tuple[tuple[CardFace | None, ...], CardFace | None]:
    """The cards to print; empty places if none are given.

    Raises:
        Problem: 422, a card cannot be read, or the cards do not score the points.
    """
    if not cards and not starter:
        return BLANK, None
    try:
        hand, cut = read_laid(cards), only_card(read_laid(starter))
        check_pack((*hand, cut))
    except RuleError as error:
        raise Problem(422, "shape", error.message) from error
    if len(hand) != len(BLANK) or points not in possible_points(hand, cut):
        raise Problem(422, "shape", "certificate_cards", points=points)
    return tuple(map(card_face, hand)), card_face(cut)


def _line_of(sheet: Game, line: str, points: int) -> tuple[int, Scored]:
    """The number of the line and its hand or crib; without a line, the newest one with these points.

    Raises:
        Problem: 404, there is no such hand or crib.
    """
    numbers = range(len(sheet.entries), 0, -1) if not line else [int(line)] if LINE.fullmatch(line) else []
    for number in numbers:
        scored = _scored(sheet, number, points)
        if scored is not None:
            return number, scored
    if not line:
        raise Problem(404, "not_found", "no_certificate_game", points=points)
    raise Problem(404, "not_found", "no_certificate_line", line=quote(line), points=points)


def _scored(sheet: Game, number: int, points: int) -> Scored | None:
    """The hand or crib of a line that counts and has just these points, unless a ruling corrects them."""
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
