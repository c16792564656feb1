"""Decisions about qualifying and playoffs: cutoff, broken ties, brackets and consolations, no-shows."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Annotated, Any

from pegboard.errors import Already, RuleError
from pegboard.messages import Message
from pegboard.tournament.ids import PlayerId
from pegboard.tournament.night import facts, request_fields
from pegboard.tournament.night.deciding import (
    CUT,
    FIELD,
    RESULTS,
    RULES,
    SCHEDULE,
    Choosing,
    Request,
    always,
    decision,
    say_only,
    say_players,
)
from pegboard.tournament.night.night_report import NightReport, ranking_of, report
from pegboard.tournament.night.night_state import Night, NightBracket, require_open_cut, require_player, say_game_of
from pegboard.tournament.playoffs.bracket import Bracket, BracketMatch, Ending, draw
from pegboard.tournament.playoffs.consolation import (
    CONSOLATIONS,
    ConsolationField,
    count_open_matches,
    draw_consolation,
    eligible,
)
from pegboard.tournament.playoffs.qualifying import Cut, Decider, Ranking, Tie, TieDecision, say_tie
from pegboard.tournament.playoffs.seeding import BEST_OF

# --- brackets by name ---


MAIN = "main"
"""Name of the qualifiers' bracket; all others are consolations."""


def require_bracket(night: Night, name: str) -> NightBracket:
    """The bracket with this name.

    Raises:
        RuleError: the bracket is not drawn.
    """
    state = night.brackets.get(name)
    if state is None:
        raise RuleError("night_no_bracket", bracket=name)
    return state


def mark_gone(night: Night, player: str) -> Night:
    """Mark a player as left in each bracket: their opponents advance, so that no match waits for them."""
    for state in night.brackets.values():
        if player in state.bracket.players and player not in state.bracket.gone:
            gone = (*state.bracket.gone, player)
            night = _with_bracket(night, replace(state, bracket=replace(state.bracket, gone=gone)))
    return night


def mark_back(night: Night, player: str) -> Night:
    """Mark a player as back in each bracket; games others won in their place do not count."""
    for state in night.brackets.values():
        if player in state.bracket.gone:
            gone = tuple(one for one in state.bracket.gone if one != player)
            night = _with_bracket(night, _drop_idle(replace(state, bracket=replace(state.bracket, gone=gone))))
    return night


def _drop_idle(state: NightBracket) -> NightBracket:
    """Drop games that no longer fit a match, so that none of them counts again later."""
    idle = {id(game) for game in state.bracket.idle}
    rows = [
        (game, number) for game, number in zip(state.bracket.games, state.numbers, strict=True) if id(game) not in idle
    ]
    games = tuple(game for game, _ in rows)
    return NightBracket(replace(state.bracket, games=games), tuple(number for _, number in rows))


def _with_bracket(night: Night, state: NightBracket) -> Night:
    return replace(night, brackets={**night.brackets, state.bracket.name: state})


def require_ties(night: Night) -> tuple[Tie, ...]:
    """The ties that can be broken now.

    Raises:
        RuleError: games are open, or qualifying is closed.
        Already: nobody is tied.
    """
    require_open_cut(night)
    derived = report(night)
    require_results(night, derived)
    ties = find_ties(derived.cut)
    if not ties:
        raise Already("night_no_tie")
    return ties


def find_ties(found: Cut | None) -> tuple[Tie, ...]:
    """Every tie that matters: at the cutoff, for seeds, and for the high non-qualifier."""
    if found is None:
        return ()
    return tuple(tie for tie in (found.tie, *found.seed_ties, found.tie_below) if tie is not None)


def require_cut(night: Night, derived: NightReport) -> Cut:
    """The cutoff, if qualifying can be closed.

    Raises:
        RuleError: there are no players or games, a game has no result, or a tie must be broken first.
        Already: qualifying is closed.
    """
    if night.cut is not None:
        raise Already("night_cut_closed_already")
    found = require_results(night, derived)
    for tie in (found.tie, *found.seed_ties):
        if tie is not None:
            raise RuleError(say_tie(tie, night.names))
    return found


def require_results(night: Night, derived: NightReport) -> Cut:
    """The cutoff, if every game has a result.

    Raises:
        RuleError: nothing was drawn, or a game has no result.
    """
    if derived.cut is None or not derived.records:
        raise RuleError("night_no_games")
    if derived.open_games:
        first = derived.records[derived.open_games[0]].pairing
        raise RuleError("night_games_open", count=len(derived.open_games), game=say_game_of(night, first))
    return derived.cut


def require_field_known(night: Night, name: str) -> None:
    """Check that no open match of the main bracket can change the field of a consolation.

    Raises:
        RuleError: the main bracket is not drawn, or the field depends on its open matches.
    """
    main = require_bracket(night, MAIN).bracket
    if count := count_open_matches(main, CONSOLATIONS.get(name, ConsolationField.NON_QUALIFIERS)):
        raise RuleError("night_consolation_waits", count=count)


def find_eligible(night: Night, name: str) -> Ranking:
    """Players eligible for a consolation who have not left, by the standings.

    Raises:
        RuleError: the main bracket, which determines them, is not drawn.
    """
    may = find_field(night, name)
    here = (tuple(player for player in group if not night.has_left(player)) for group in may)
    return tuple(group for group in here if group)


def find_field(night: Night, name: str) -> Ranking:
    """Players eligible for a consolation, including those who have left since, by the standings.

    Raises:
        RuleError: the main bracket, which determines them, is not drawn.
    """
    main = require_bracket(night, MAIN).bracket
    field = CONSOLATIONS.get(name, ConsolationField.NON_QUALIFIERS)
    return eligible(ranking_of(night, report(night).placings), main, field)


def _opponent(match: BracketMatch, player: PlayerId) -> PlayerId:
    """The other player of a match; "" while only one is known, which the bracket then refuses with a reason."""
    if player not in match.players:
        return ""
    return match.players[1 - match.players.index(player)] or ""


# --- decisions about qualifying ---


def _topics_of_cut(_: Any) -> Iterable[str]:
    """Everything that decides who qualifies."""
    return (RESULTS, CUT, SCHEDULE, FIELD, RULES)


@decision(
    "break_tie",
    facts.TieBroken,
    needs_base=True,
    before_cut=True,
    example={"players": ["p3", "p5"], "how": "game"},
)
class BreakTie(Request):
    """Break a tie: put the tied players in order, best first."""

    players: Annotated[
        tuple[request_fields.PlayerRef, ...], request_fields.several("the tied players, best first", least=2)
    ]
    how: Annotated[str, request_fields.word("how it was decided", ("game", "draw", "director"))] = "game"

    topics = _topics_of_cut
    changes = always(CUT)
    say = say_players(
        "night_did_break_tie", lambda fact: (player for group in fact.decision.groups for player in group)
    )

    def choose(self, night: Night, _: Choosing) -> facts.TieBroken:
        """The broken tie.

        Raises:
            RuleError: games are open, qualifying is closed, or there is no tie of exactly these players.
        """
        if not any(frozenset(tie.players) == frozenset(self.players) for tie in require_ties(night)):
            raise RuleError("night_no_such_tie")
        return facts.TieBroken(TieDecision(tuple((player,) for player in self.players), Decider(self.how)))

    @staticmethod
    def check(night: Night, fact: facts.TieBroken) -> None:
        """Refuse a closed cutoff, and unknown players."""
        require_open_cut(night)
        for player in sorted(fact.decision.players):
            require_player(night, player)

    @staticmethod
    def apply(night: Night, fact: facts.TieBroken, number: int) -> Night:
        """The event with the broken tie."""
        return replace(night, ties_broken=(*night.ties_broken, (number, fact)))


@decision("close_cut", facts.CutClosed, needs_base=True)
class CloseCut(Request):
    """Close qualifying, and record the qualifiers by seed."""

    topics = _topics_of_cut
    changes = always(CUT)
    say = say_players("night_did_close_cut", lambda fact: fact.qualifiers)

    def choose(self, night: Night, _: Choosing) -> facts.CutClosed:
        """The qualifiers.

        Raises:
            RuleError: a game has no result, or a tie must be broken first; the message names it.
        """
        found = require_cut(night, report(night))
        return facts.CutClosed(found.order_seeds(), found.high_non_qualifiers)

    @staticmethod
    def check(night: Night, fact: facts.CutClosed) -> None:
        """Refuse if qualifying is already closed, and unknown players."""
        if night.cut is not None:
            raise Already("night_cut_closed_already")
        for player in (*fact.qualifiers, *fact.high_non_qualifiers):
            require_player(night, player)

    @staticmethod
    def apply(night: Night, fact: facts.CutClosed, _: int) -> Night:
        """The event with its qualifiers."""
        return replace(night, cut=fact, left_before_cutoff=frozenset(filter(night.has_left, night.players)))


@decision("open_cut", facts.CutOpened)
class OpenCut(Request):
    """Reopen qualifying."""

    changes = always(CUT)
    say = say_only("night_did_open_cut")

    @staticmethod
    def check(night: Night, _: facts.CutOpened) -> None:
        """Refuse if qualifying is already open."""
        if night.cut is None:
            raise Already("night_cut_open_already")

    @staticmethod
    def apply(night: Night, _fact: facts.CutOpened, _: int) -> Night:
        """The event with qualifying open."""
        return replace(night, cut=None, left_before_cutoff=frozenset())


# --- decisions about brackets ---


BracketName = Annotated[
    str, request_fields.text("the name of the bracket: main, or another for a consolation", least=1, most=24)
]

MatchRef = Annotated[str, request_fields.text("the id of a match, such as main:1:2", least=5)]


def _say_bracket(key: str, main_key: str) -> Any:
    return staticmethod(
        lambda _, fact: Message(main_key) if fact.bracket == MAIN else Message(key, bracket=fact.bracket)
    )


def _topics_of_bracket(it: Any) -> Iterable[str]:
    """Topics that a bracket depends on."""
    return (CUT, f"bracket {it.bracket}")


def _topics_of_places(it: Any) -> Iterable[str]:
    """Topics that a change of a bracket's places changes."""
    return (f"bracket {it.bracket}", f"places {it.bracket}")


def _topics_of_match(it: Any) -> Iterable[str]:
    """Topics that a match depends on."""
    return (f"match {it.match}", f"places {name_of_bracket(it.match)}")


def name_of_bracket(match: str) -> str:
    """The bracket of a match, by its id."""
    return match.partition(":")[0]


@decision("draw_bracket", facts.BracketDrawn, needs_base=True, example={"bracket": "main"})
class DrawBracket(Request):
    """Draw the first round of a bracket: the qualifiers by seed, or the eligible players chosen for a consolation.

    Qualifiers' ties were broken before qualifying was closed; tied players in a consolation are seeded by lot.
    """

    bracket: BracketName
    players: Annotated[
        tuple[request_fields.PlayerRef, ...], request_fields.several("the players of a consolation", least=2)
    ] = ()
    best_of: request_fields.BestOf | None = None

    topics = _topics_of_bracket
    changes = staticmethod(_topics_of_places)
    say = _say_bracket("night_did_draw_bracket", "night_did_draw_main")

    def choose(self, night: Night, choosing: Choosing) -> facts.BracketDrawn:
        """The first-round places.

        Raises:
            RuleError: qualifying is open, nobody may play, or a chosen player may not play.
        """
        if night.cut is None:
            raise RuleError("night_cut_first")
        best_of = night.rules.best_of if self.best_of is None else self.best_of
        if self.bracket == MAIN:
            drawn = draw(self.bracket, self.players or night.cut.qualifiers, best_of)
        else:
            require_field_known(night, self.bracket)
            may = find_eligible(night, self.bracket)
            chosen = list(self.players) or [one for group in may for one in group]
            seeded = (choosing.shuffle([one for one in group if one in chosen]) for group in may)
            by_lot = tuple((one,) for group in seeded for one in group)
            drawn = draw_consolation(self.bracket, by_lot, chosen, best_of)
        return facts.BracketDrawn(self.bracket, drawn.placements, drawn.best_of)

    @staticmethod
    def check(night: Night, fact: facts.BracketDrawn) -> None:
        """Refuse any bracket while qualifying is open, unknown players, and a bracket with games."""
        if night.cut is None:
            raise RuleError("night_cut_first")
        for place in fact.placements:
            if place.player is not None:
                require_player(night, place.player)
        state = night.brackets.get(fact.bracket)
        if state is not None and state.bracket.games:
            raise RuleError("night_bracket_begun", bracket=fact.bracket, number=state.numbers[-1])

    @staticmethod
    def apply(night: Night, fact: facts.BracketDrawn, _: int) -> Night:
        """The event with the bracket."""
        gone = tuple(one.player for one in fact.placements if one.player is not None and night.has_left(one.player))
        return _with_bracket(night, NightBracket(Bracket(fact.bracket, fact.placements, fact.best_of, gone=gone)))


@decision(
    "place",
    facts.BracketPlaced,
    about="bracket",
    needs_base=True,
    example={"bracket": "main", "place": 2, "player": "p7"},
)
class PlaceInBracket(Request):
    """Put a player in a first-round place: a swap with another player, or a replacement."""

    bracket: BracketName
    place: Annotated[int, request_fields.number("the first-round place, counted from the top", 1, 4096)]
    player: Annotated[str, request_fields.text("the player's id, or empty for a bye", most=8)]

    topics = _topics_of_bracket
    changes = staticmethod(_topics_of_places)
    say = _say_bracket("night_did_place_bracket", "night_did_place_main")

    def choose(self, night: Night, _: Choosing) -> facts.BracketPlaced:
        """The first-round places after the change.

        Raises:
            RuleError: there is no such bracket or place; `Already` if the player is in that place.
        """
        bracket = require_bracket(night, self.bracket).bracket
        return facts.BracketPlaced(bracket.name, bracket.with_player_at(self.place, self.player).placements)

    @staticmethod
    def check(night: Night, fact: facts.BracketPlaced) -> None:
        """Refuse an unknown bracket, and unknown players."""
        require_bracket(night, fact.bracket)
        for place in fact.placements:
            if place.player is not None:
                require_player(night, place.player)

    @staticmethod
    def apply(night: Night, fact: facts.BracketPlaced, _: int) -> Night:
        """The event with the places; games that then fit no match do not count."""
        state = night.brackets.get(fact.bracket)
        if state is None:
            return night
        placed = replace(state.bracket, placements=fact.placements)
        return _with_bracket(night, _drop_idle(replace(state, bracket=placed)))


@decision(
    "bracket_game",
    facts.BracketGamePlayed,
    about="match",
    needs_base=True,
    example={"match": "main:1:2", "winner": "p1", "margin": 12},
)
class PlayBracketGame(Request):
    """Record a played game of a match."""

    match: MatchRef
    winner: Annotated[str, request_fields.player("the winner of the game")]
    margin: request_fields.Margin | None = None

    topics = _topics_of_match

    def choose(self, night: Night, _: Choosing) -> facts.BracketGamePlayed:
        """The game.

        Raises:
            RuleError: there is no such match, it is not ready, or the winner is not in it; `Already` if the match is
                decided.
        """
        bracket = require_bracket(night, name_of_bracket(self.match)).bracket
        played = bracket.with_game(self.match, self.winner, Ending.PLAYED, self.margin)
        return facts.BracketGamePlayed(played.games[-1])

    @staticmethod
    def check(night: Night, fact: facts.BracketGamePlayed) -> None:
        """Refuse games that the bracket refuses."""
        game = fact.game
        bracket = require_bracket(night, name_of_bracket(game.match)).bracket
        bracket.with_game(game.match, game.winner, game.how, game.margin, game.games)

    @staticmethod
    def apply(night: Night, fact: facts.BracketGamePlayed, number: int) -> Night:
        """The event with one more game of the match."""
        state = night.brackets.get(name_of_bracket(fact.match))
        if state is None:
            return night
        bracket = replace(state.bracket, games=(*state.bracket.games, fact.game))
        return _with_bracket(night, NightBracket(bracket, (*state.numbers, number)))

    @staticmethod
    def changes(fact: facts.BracketGamePlayed) -> Iterable[str]:
        """The match and its bracket."""
        return (f"match {fact.match}", f"bracket {name_of_bracket(fact.match)}")

    @staticmethod
    def say(night: Night, fact: facts.BracketGamePlayed) -> Message:
        """The winner, the opponent, the match, and how the game was won."""
        game, (bracket, round_, number) = fact.game, fact.match.rsplit(":", 2)
        other = next((night.name(player) for player in game.players if player != game.winner), "")
        match = Message("night_match", number=number, round=round_)
        where = match if bracket == MAIN else Message("night_match_of", match=match, bracket=bracket)
        values: dict[str, Any] = {"match": where, "name": night.name(game.winner)}
        if game.how is not Ending.PLAYED:
            return Message("night_did_bracket_forfeit", **values, other=other, games=game.games)
        if game.margin is None:
            return Message("night_did_bracket_win", **values, other=other)
        return Message("night_did_bracket_game", **values, other=other, margin=game.margin)


@decision(
    "bracket_forfeit",
    facts.BracketGamePlayed,
    about="match",
    needs_base=True,
    example={"match": "main:1:2", "player": "p7", "games": 1},
)
class ForfeitBracketGames(Request):
    """Record games of a match that a player loses as a no-show; the log words it like a played game."""

    match: MatchRef
    player: Annotated[str, request_fields.player("the absent player")]
    games: Annotated[int, request_fields.number("games lost by the no-show", 1, BEST_OF[-1])] = 1

    topics = _topics_of_match

    def choose(self, night: Night, _: Choosing) -> facts.BracketGamePlayed:
        """The games.

        Raises:
            RuleError: there is no such match, it is not ready, or the player is not in it; `Already` if the match is
                decided.
        """
        bracket = require_bracket(night, name_of_bracket(self.match)).bracket
        match = bracket.find_match(self.match)
        winner = _opponent(match, self.player)
        lost = bracket.with_game(match.key, winner, Ending.NO_SHOW, games=self.games)
        return facts.BracketGamePlayed(lost.games[-1])
