"""Decisions about game results: claims by score cards, confirmations, table results, rulings, awards, forfeits."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Annotated, Any, TypeVar

from pegboard.errors import Already, RuleError
from pegboard.messages import Message
from pegboard.tournament.ids import PlayerId
from pegboard.tournament.night import facts, request_fields
from pegboard.tournament.night.deciding import RESULTS, Choosing, Request, decision
from pegboard.tournament.night.night_report import find_apparent_qualifiers, report
from pegboard.tournament.night.night_state import (
    DIRECTOR_AND_PLAYERS,
    TABLES,
    Author,
    GameFacts,
    Night,
    Role,
    pairing_of_game,
    require_game,
    require_open_cut,
    say_game_key,
    say_game_of,
)
from pegboard.tournament.pairings import GameKey, join_names
from pegboard.tournament.results.claims import Claim, Column, GameRecord, Value, Values
from pegboard.tournament.results.rulings import FORFEIT, JUDGE, adjudicate, award, decide_as_judge
from pegboard.tournament.results.scoring import GAME_HOLE, check_margin

SheetRef = Annotated[facts.SheetReference, "a reference to a score sheet"]


def require_undecided(night: Night, game: facts.ScheduledGame) -> None:
    """Check that no director has decided a game.

    Raises:
        Already: a director has decided it.
    """
    state = night.games.get(game.key)
    if state is not None and state.verdict is not None:
        raise Already("night_decided_already", game=say_game_of(night, game.pairing))


def _check_against_recorded(night: Night, fact: facts.TableResultReceived, state: GameFacts) -> None:
    """Check that a table's result is new: not a duplicate, and not older than the recorded one.

    Raises:
        Already: the result is recorded, or is an older state of the recorded score sheet, or that sheet has continued.
        RuleError: both players have confirmed the result of another score sheet, or the order of two states of the
            sheet is unknown; a director decides which counts.
    """
    said = say_game_of(night, state.pairing)
    if state.report == fact:
        raise Already("night_result_there", game=said)
    _check_order(night, fact.sheet, state)
    if fact.sheet is not None and state.has_continued(fact.sheet):
        raise Already("night_result_reopened", game=said)
    if state.report is None:
        return
    if fact.sheet is not None and fact.sheet.is_earlier(state.report.sheet):
        raise Already("night_result_older", game=said)
    if state.is_confirmed and fact.sheet is not None and not fact.sheet.is_of(state.report.sheet):
        raise RuleError("night_other_result", game=said, label=night.label(state.report.table))


def _check_order(night: Night, sheet: facts.SheetReference | None, state: GameFacts) -> None:
    """Check that the order of this score sheet and its recorded states is known.

    Raises:
        RuleError: the order is unknown.
    """
    known = [*state.withdrawn, state.report.sheet if state.report else None]
    if sheet is not None and any(sheet.is_unclear(one) for one in known):
        raise RuleError("night_unclear_sheet", game=say_game_of(night, state.pairing))


# --- state changes of games: the newest claim, report and verdict count ---


Each = TypeVar("Each")


def put(pair: tuple[Each, Each], place: int, value: Each) -> tuple[Each, Each]:
    """A copy of the pair with one value replaced."""
    return (value, pair[1]) if place == 0 else (pair[0], value)


def _change_game(night: Night, key: GameKey, number: int, change: Callable[[GameFacts], GameFacts]) -> Night:
    game = night.games.get(key) or _new_game(night, key)
    if game is None:
        return night
    game = change(replace(game, decisions=(*game.decisions, number)))
    return replace(night, games={**night.games, key: game})


def _new_game(night: Night, key: GameKey) -> GameFacts | None:
    """A game without records; if it was not drawn, it is built from its key so that its records are kept."""
    pairing = pairing_of_game(night, key)
    return None if pairing is None else GameFacts(pairing)


def say_claim(claim: Claim) -> Message:
    """The claim of a card, in words."""
    if claim.margin is None:
        return Message("night_claim_won_blank" if claim.won else "night_claim_lost_blank")
    return Message("night_claim_won" if claim.won else "night_claim_lost", margin=claim.margin)


def require_no_earlier_open_game(night: Night, key: GameKey) -> None:
    """Check that neither player of a game still has an open game in an earlier round.

    Raises:
        RuleError: one of them has such a game; the message names the round.
    """
    game, plays = night.schedule.get(key), _first_open_rounds(night)
    for player in game.players if game is not None else ():
        if game is not None and plays.get(player, game.round) < game.round:
            raise RuleError("night_still_plays", name=night.name(player), round=plays[player])


@lru_cache(maxsize=8)
def _first_open_rounds(night: Night) -> dict[PlayerId, int]:
    """Each player's first round with an open game; cached per event state for all phones."""
    found: dict[PlayerId, int] = {}
    for key in report(night).open_games:
        pairing = report(night).records[key].pairing
        for player in pairing.players:
            found[player] = min(pairing.round, found.get(player, pairing.round))
    return found


def find_claim_to_confirm(game: GameFacts, player: PlayerId) -> Claim | None:
    """The claim a player would confirm: the table's result, else the opponent's card; None if there is neither."""
    if game.report is not None:
        return Claim(player == game.report.winner, game.report.margin)
    other = game.claims[1 - game.pairing.players.index(player)]
    return None if other is None or other.margin is None else Claim(not other.won, other.margin)


def _award(night: Night, key: str, kind: str, against: PlayerId) -> GameRecord:
    record = _record(night, key)
    require_game(night, key, against)
    return award(record, kind, against, night.rules.points, earlier=report(night).records.values(), names=night.names)


def _record(night: Night, key: str) -> GameRecord:
    require_game(night, key)
    return report(night).records[key]


def _both(record: GameRecord) -> Values:
    values = record.both_values
    assert values is not None  # a decision settles a game
    return values


# --- decisions by the players' cards ---


def _check_claim(night: Night, fact: facts.ResultClaimed | facts.ResultConfirmed) -> None:
    game = require_game(night, fact.game, fact.player)
    require_open_cut(night)
    if fact.claim.margin is not None:
        check_margin(fact.claim.margin, night.rules.points)
    require_undecided(night, game)
    state, place = night.games.get(fact.game), game.pairing.players.index(fact.player)
    if state is not None and isinstance(fact, facts.ResultConfirmed) and state.claims[place] == fact.claim:
        raise Already("night_confirmed_already", name=night.name(fact.player))


def _apply_claim(night: Night, fact: facts.ResultClaimed | facts.ResultConfirmed, number: int) -> Night:
    def change(game: GameFacts) -> GameFacts:
        if fact.player not in game.pairing.players:
            return game
        place = game.pairing.players.index(fact.player)
        claims, at_table = put(game.claims, place, fact.claim), put(game.at_table, place, value=False)
        return replace(game, claims=claims, at_table=at_table)

    return _change_game(night, fact.game, number, change)


def _say_card(key: str) -> Any:
    return staticmethod(
        lambda night, fact: Message(
            key, name=night.name(fact.player), game=say_game_key(night, fact.game), claim=say_claim(fact.claim)
        )
    )


def _say_game(key: str, player: Callable[[Any], PlayerId] | None = None) -> Any:
    """A sentence about the fact's game, and perhaps a player."""

    def say(night: Night, fact: Any) -> Message:
        named = {} if player is None else {"name": night.name(player(fact))}
        return Message(key, game=say_game_key(night, fact.game), **named)

    return staticmethod(say)


def _topics_of_game(it: Any) -> Iterable[str]:
    """The game of a request."""
    return (f"game {it.game}",)


def _topics_of_result(fact: Any) -> Iterable[str]:
    """Topics that the result of the fact's game changes."""
    return (RESULTS, f"game {fact.game}")


def _check_order_of_rounds(night: Night, game: str, by: Author) -> None:
    """Check that players report their own games in order.

    Raises:
        RuleError: a player of the game still has an open game in an earlier round.
    """
    if by.role is Role.PLAYER:
        require_no_earlier_open_game(night, game)


@decision(
    "claim",
    facts.ResultClaimed,
    who=DIRECTOR_AND_PLAYERS,
    about="game",
    before_cut=True,
    example={"game": "r3:p1-p7", "player": "p1", "won": True, "margin": 12},
)
class ClaimResult(Request):
    """Report what a player's score card says about a game."""

    game: request_fields.GameRef
    player: Annotated[str, request_fields.player("the card's player")]
    won: Annotated[bool, "true for a win, false for a loss"]
    margin: request_fields.MarginOrNull
    column: Annotated[str, request_fields.word("the spread's column on the card", ("plus", "minus"))] | None = None
    points: Annotated[int, request_fields.number("the game points on the card", 0, 20)] | None = None

    check = staticmethod(_check_claim)
    apply = staticmethod(_apply_claim)
    changes = staticmethod(_topics_of_result)
    say = _say_card("night_did_claim")

    def choose(self, night: Night, choosing: Choosing) -> facts.ResultClaimed:
        """The claim.

        Raises:
            RuleError: a player reports a game before an earlier game.
        """
        _check_order_of_rounds(night, self.game, choosing.by)
        said = Claim(self.won, self.margin, Column(self.column) if self.column else None, self.points)
        return facts.ResultClaimed(self.game, self.player, said)


def find_confirmation(night: Night, key: GameKey, player: PlayerId) -> facts.ResultConfirmed:
    """The confirmation that a player can make about a game, with the result as a claim of this player.

    Raises:
        RuleError: there is no such game, or nothing to confirm; `Already` if a director has decided it.
    """
    game = require_game(night, key, player)
    require_open_cut(night)
    require_undecided(night, game)
    said = find_claim_to_confirm(night.games.get(game.key) or GameFacts(game.pairing), player)
    if said is None:
        raise RuleError("night_nothing_to_confirm")
    return facts.ResultConfirmed(game.key, player, said)


@decision(
    "confirm",
    facts.ResultConfirmed,
    who=DIRECTOR_AND_PLAYERS,
    about="game",
    before_cut=True,
    example={"game": "r3:p1-p7", "player": "p7"},
)
class ConfirmResult(Request):
    """Confirm the table's result, or else the opponent's card."""

    game: request_fields.GameRef
    player: Annotated[str, request_fields.player("the confirming player")]

    check = staticmethod(_check_claim)
    apply = staticmethod(_apply_claim)
    changes = staticmethod(_topics_of_result)
    say = _say_card("night_did_confirm")

    def choose(self, night: Night, choosing: Choosing) -> facts.ResultConfirmed:
        """The result as a claim of this player.

        Raises:
            RuleError: as in `find_confirmation`, or a player reports a game before an earlier game.
        """
        _check_order_of_rounds(night, self.game, choosing.by)
        return find_confirmation(night, self.game, self.player)


# --- decisions by the tables' score sheets ---


def _say_winner(key: str, night: Night, fact: Any) -> Message:
    return Message(key, game=say_game_key(night, fact.game), name=night.name(fact.winner), margin=fact.margin)


@decision(
    "table_result",
    facts.TableResultReceived,
    who=TABLES,
    about="game",
    before_cut=True,
    example={"game": "r3:p1-p7", "table": "t1", "winner": "p1", "margin": 12, "confirmed": ["p1", "p7"]},
)
class ReceiveTableResult(Request):
    """Record the result that the hub derived from a table's score sheet."""

    game: request_fields.GameRef
    table: request_fields.TableRef
    winner: Annotated[str, request_fields.player("the winner")]
    margin: request_fields.Margin
    confirmed: Annotated[
        tuple[request_fields.PlayerRef, ...], request_fields.several("a list of the players who confirmed", most=2)
    ] = ()
    sheet: SheetRef | None = None

    changes = staticmethod(_topics_of_result)

    @staticmethod
    def check(night: Night, fact: facts.TableResultReceived) -> None:
        """Refuse a wrong game, player or table, a closed cutoff, and a result not newer than the recorded one."""
        game = require_game(night, fact.game, fact.winner)
        require_open_cut(night)
        check_margin(fact.margin, night.rules.points)
        if game.table and game.table != fact.table:
            raise RuleError(
                "night_wrong_table",
                game=say_game_of(night, game.pairing),
                label=night.label(game.table),
                other=night.label(fact.table),
            )
        if (state := night.games.get(fact.game)) is not None:
            _check_against_recorded(night, fact, state)

    @staticmethod
    def apply(night: Night, fact: facts.TableResultReceived, number: int) -> Night:
        """The event with the table result in place of the last one; drops claims that confirmed the last one there."""

        def change(game: GameFacts) -> GameFacts:
            claims, at_table = game.claims, game.at_table
            for place, player in enumerate(game.pairing.players):
                if player in fact.confirmed:
                    claims = put(claims, place, Claim(player == fact.winner, fact.margin))
                    at_table = put(at_table, place, value=True)
                elif at_table[place]:
                    claims, at_table = put(claims, place, None), put(at_table, place, value=False)
            return replace(game, report=fact, claims=claims, at_table=at_table)

        return _change_game(night, fact.game, number, change)

    @staticmethod
    def say(night: Night, fact: facts.TableResultReceived) -> Message:
        """The result, and the players who confirmed it."""
        said = _say_winner("night_did_table_result", night, fact)
        if not fact.confirmed:
            return said
        return Message("night_did_table_confirmed", result=said, names=join_names(fact.confirmed, night.names))


@decision(
    "table_withdrawal",
    facts.TableResultWithdrawn,
    who=TABLES,
    about="game",
    before_cut=True,
    example={
        "game": "r3:p1-p7",
        "table": "t1",
        "sheet": {"table": "t1", "epoch": "e1", "game": "g1", "first": 1, "last": 60, "digest": "5d1f"},
    },
)
class WithdrawTableResult(Request):
    """Withdraw a table's result, because its score sheet continued."""

    game: request_fields.GameRef
    table: request_fields.TableRef
    sheet: SheetRef

    changes = staticmethod(_topics_of_result)
    say = _say_game("night_did_table_withdrawal")

    @staticmethod
    def check(night: Night, fact: facts.TableResultWithdrawn) -> None:
        """Refuse a withdrawal that is recorded, and one that is older than the recorded result."""
        game = require_game(night, fact.game)
        state = night.games.get(fact.game) or GameFacts(game.pairing)
        if state.has_continued(fact.sheet):
            raise Already("night_result_reopened", game=say_game_of(night, game.pairing))
        _check_order(night, fact.sheet, state)
        if state.report is None or not fact.sheet.is_of(state.report.sheet):
            return
        require_open_cut(night)
        if fact.sheet.is_earlier(state.report.sheet):
            raise Already("night_result_older", game=say_game_of(night, game.pairing))

    @staticmethod
    def apply(night: Night, fact: facts.TableResultWithdrawn, number: int) -> Night:
        """The event without the game's table result and the players' claims about it, because the game continues."""

        def change(game: GameFacts) -> GameFacts:
            withdrawn = (*(one for one in game.withdrawn if not one.is_of(fact.sheet)), fact.sheet)
            if game.report is None or not fact.sheet.is_of(game.report.sheet):
                return replace(game, withdrawn=withdrawn)
            return replace(game, withdrawn=withdrawn, report=None, claims=(None, None), at_table=(False, False))

        return _change_game(night, fact.game, number, change)


# --- decisions by the director ---


def _apply_verdict(night: Night, fact: Any, number: int) -> Night:
    return _change_game(night, fact.game, number, lambda game: replace(game, verdict=fact))


@decision(
    "paper_result",
    facts.PaperResultEntered,
    about="game",
    needs_base=True,
    before_cut=True,
    example={"game": "r3:p1-p7", "winner": "p1", "margin": 12},
)
class EnterPaperResult(Request):
    """Enter the result on which both cards agree."""

    game: request_fields.GameRef
    winner: Annotated[str, request_fields.player("the winner")]
    margin: request_fields.Margin

    topics = _topics_of_game
    changes = staticmethod(_topics_of_result)
    apply = staticmethod(_apply_verdict)
    say = staticmethod(partial(_say_winner, "night_did_paper"))

    @staticmethod
    def check(night: Night, fact: facts.PaperResultEntered) -> None:
        """Refuse a wrong game or player, a closed cutoff, and an impossible margin."""
        require_game(night, fact.game, fact.winner)
        require_open_cut(night)
        check_margin(fact.margin, night.rules.points)


LETTERS = ("a", "b", "c", "d", "e", "f", "h", "sheet", "stand", "judge")
"""Rulings: by ACC 12.2, by the table's score sheet, letting both cards stand, or a judge's own values."""


@dataclass(frozen=True, slots=True)
class JudgedValue:
    """A player's value by a judge's own ruling."""

    points: Annotated[int, request_fields.number("game points", 0, 20)]
    net: Annotated[int, request_fields.number("the spread, minus for a loss", -GAME_HOLE, GAME_HOLE)]


@decision(
    "rule",
    facts.ResultRuled,
    about="game",
    needs_base=True,
    before_cut=True,
    example={"game": "r3:p1-p7", "letter": "a", "note": "both cards seen"},
)
class RuleOnGame(Request):
    """Make a ruling on a game, by its letter or with a judge's own values."""

    game: request_fields.GameRef
    letter: Annotated[str, request_fields.word("the ruling", LETTERS)]
    values: (
        Annotated[
            tuple[JudgedValue, ...],
            request_fields.several("points and spread of both players, for a judge's own ruling", least=2, most=2),
        ]
        | None
    ) = None
    note: request_fields.Note = ""

    topics = _topics_of_game
    changes = staticmethod(_topics_of_result)
    apply = staticmethod(_apply_verdict)

    def choose(self, night: Night, _: Choosing) -> facts.ResultRuled:
        """Both players' values.

        Raises:
            RuleError: there is no such game, or the ruling does not apply, with the reason.
        """
        record = _record(night, self.game)
        table = night.rules.points
        if self.letter == JUDGE:
            decided = decide_as_judge(record, self._judgment(), table)
        else:
            decided = adjudicate(record, self.letter, find_apparent_qualifiers(night, record.key), table, night.names)
        return facts.ResultRuled(record.key, self.letter, _both(decided), self.note)

    def _judgment(self) -> Values:
        if self.values is None:
            raise RuleError("night_judge_values")
        one, other = (Value(value.points, value.net) for value in self.values)
        return one, other

    @staticmethod
    def check(night: Night, fact: facts.ResultRuled) -> None:
        """Refuse a wrong game, and a closed cutoff."""
        require_game(night, fact.game)
        require_open_cut(night)

    @staticmethod
    def say(night: Night, fact: facts.ResultRuled) -> Message:
        """The ruling with both players' names, because the log may list them in another order."""
        pairing = pairing_of_game(night, fact.game)
        one, other = ("?", "?") if pairing is None else (night.name(player) for player in pairing.players)
        nets = {"net": f"{fact.values[0].net:+d}", "other_net": f"{fact.values[1].net:+d}"}
        game = say_game_key(night, fact.game)
        return Message("night_did_rule", game=game, letter=fact.letter, one=one, other=other, **nets)


@decision(
    "award",
    facts.GameAwarded,
    about="game",
    needs_base=True,
    before_cut=True,
    example={"game": "r3:p1-p7", "against": "p7", "kind": "late"},
)
class AwardGame(Request):
    """Award a game to one player without play."""

    game: request_fields.GameRef
    against: Annotated[str, request_fields.player("the player who loses the game")]
    kind: Annotated[str, request_fields.word("the reason", ("late", "refused_judges"))]

    topics = _topics_of_game
    changes = staticmethod(_topics_of_result)
    apply = staticmethod(_apply_verdict)
    say = _say_game("night_did_award", lambda fact: fact.against)

    def choose(self, night: Night, _: Choosing) -> facts.GameAwarded:
        """Both players' values.

        Raises:
            RuleError: there is no such game, or the losing player is not in it; `Already` if the award is possible
                only once.
        """
        decided = _award(night, self.game, self.kind, self.against)
        return facts.GameAwarded(self.game, self.against, self.kind, _both(decided))

    @staticmethod
    def check(night: Night, fact: facts.GameAwarded) -> None:
        """Refuse a wrong game or player, and a closed cutoff."""
        require_game(night, fact.game, fact.against)
        require_open_cut(night)


@decision(
    "forfeit",
    facts.GameForfeited,
    about="game",
    needs_base=True,
    before_cut=True,
    example={"game": "r3:p1-p7", "player": "p7"},
)
class ForfeitGame(Request):
    """Record a game as forfeited by a player."""

    game: request_fields.GameRef
    player: Annotated[str, request_fields.player("the player who forfeits")]

    topics = _topics_of_game
    changes = staticmethod(_topics_of_result)
    apply = staticmethod(_apply_verdict)
    say = _say_game("night_did_forfeit", lambda fact: fact.player)

    def choose(self, night: Night, _: Choosing) -> facts.GameForfeited:
        """Both players' values.

        Raises:
            RuleError: there is no such game, or the player is not in it.
        """
        decided = _award(night, self.game, FORFEIT, self.player)
        return facts.GameForfeited(self.game, self.player, _both(decided))

    @staticmethod
    def check(night: Night, fact: facts.GameForfeited) -> None:
        """Refuse a wrong game or player, a closed cutoff, and the same forfeit."""
        game = require_game(night, fact.game, fact.player)
        require_open_cut(night)
        state = night.games.get(fact.game)
        if state is not None and isinstance(state.verdict, facts.GameForfeited) and state.verdict.player == fact.player:
            raise Already("night_decided_already", game=say_game_of(night, game.pairing))
