"""JSON views of an event's brackets, consolations and pots; messages on what is ahead of a player."""

from functools import partial

from pegboard.errors import Already, PegboardError, RuleError
from pegboard.messages import Message
from pegboard.tournament.ids import PlayerId
from pegboard.tournament.night import facts
from pegboard.tournament.night.deciding import find_refusal
from pegboard.tournament.night.night_report import report
from pegboard.tournament.night.night_state import Night, NightBracket, NightPot
from pegboard.tournament.night.play_offs import MAIN, find_eligible, find_field, require_field_known
from pegboard.tournament.night.pots import (
    notable_kinds,
    payout_of,
    pot_name,
    pot_of,
    require_pot_to_pay,
    rule_of_pot,
    total_of,
)
from pegboard.tournament.night.views.actions import POSSIBLE, Actions, action, as_action, say, say_or_none
from pegboard.tournament.night.views.view_types import (
    AmountJson,
    BracketGameJson,
    BracketJson,
    BracketMatchJson,
    ConsolationJson,
    PotJson,
    PotSharesJson,
)
from pegboard.tournament.pairings import join_names
from pegboard.tournament.playoffs.bracket import Bracket, BracketGame, BracketMatch, Ending, MatchState
from pegboard.tournament.playoffs.consolation import CONSOLATIONS, find_ineligible
from pegboard.tournament.playoffs.seeding import ACC_NO_SHOW
from pegboard.tournament.pots.money import Share, money
from pegboard.tournament.pots.pot_rules import FeeFor, PotRule
from pegboard.tournament.results.standings import say_ordinal


def list_brackets(night: Night) -> list[BracketJson]:
    """Every bracket with its matches."""
    return [bracket_as_json(night, state) for state in night.brackets.values()]


def next_step_message(night: Night, player: PlayerId) -> Message | None:
    """A message on what is ahead of a player without a drawn game, so that nobody with a match to come goes home.

    None if nothing is ahead, or if a match can be played now.
    """
    if night.ended is not None or night.has_left(player):
        return None
    said = (_say_ahead_in(night, state.bracket, player) for state in night.brackets.values())
    if found := next((one for one in said if one is not None), None):
        return found
    if night.cut is None:
        return _say_place(night, player)
    if MAIN not in night.brackets and player in night.cut.qualifiers:
        qualifiers = night.cut.qualifiers
        return Message("night_ahead_seed", seed=qualifiers.index(player) + 1, count=len(qualifiers))
    return _say_consolation(night, player)


def _say_ahead_in(night: Night, bracket: Bracket, player: PlayerId) -> Message | None:
    if bracket.winner == player:
        return Message("night_ahead_won")
    matches = bracket.progress.by_key
    waits = next((one for one in bracket.matches if player in one.players and one.state is MatchState.WAITING), None)
    if waits is None:
        return None
    other = waits.sides[1 - waits.players.index(player)]
    before = matches.get(other.source or "")
    one, two = (None, None) if before is None else before.players
    if one is None or two is None:
        return Message("night_ahead_unknown")
    names = {"one": night.name(one), "other": night.name(two)}
    own = matches[waits.sides[waits.players.index(player)].source or ""]
    if own.state is not MatchState.BYE:
        return Message("night_ahead_winner", **names)
    seed = next(row.seed for row in bracket.placements if row.player == player)
    return Message("night_ahead_bye", seed=seed, **names)


def _say_place(night: Night, player: PlayerId) -> Message | None:
    """A player's place before qualifying is closed, and how many players qualify."""
    derived = report(night)
    card = derived.cards.get(player)
    placing = next((one for one in derived.placings if one.player == player), None)
    if derived.cut is None or placing is None or card is None or not card.totals.games:
        return None
    count = derived.cut.places
    if derived.open_games or player not in derived.cut.qualifiers:
        tied = derived.cut.tie
        if not derived.open_games and tied is not None and player in tied.players:
            return Message("night_ahead_tied", count=count)
        return Message("night_ahead_open", place=say_ordinal(placing.place), count=count)
    return Message("night_ahead_through", place=say_ordinal(placing.place), count=count)


def _say_consolation(night: Night, player: PlayerId) -> Message | None:
    """A message that a second bracket with the player can still be drawn; None once one is drawn."""
    if MAIN not in night.brackets:
        return Message("night_ahead_consolation")
    may = (group for name in CONSOLATIONS for group in find_eligible(night, name))
    is_possible = len(night.brackets) == 1 and any(player in group for group in may)
    return Message("night_ahead_consolation") if is_possible else None


def bracket_as_json(night: Night, state: NightBracket) -> BracketJson:
    """A bracket, starting at the top of its first round."""
    bracket = state.bracket
    numbers = {id(game): number for game, number in zip(bracket.games, state.numbers, strict=True)}
    rounds = len(bracket.progress.rounds)
    return {
        "bracket": bracket.name,
        "best_of": list(bracket.best_of),
        "size": len(bracket.placements),
        "rounds": rounds,
        "byes": [match.winner for match in bracket.matches if match.state is MatchState.BYE],
        "matches": [_match(night, match, numbers) for match in bracket.matches],
        "places": [
            {"first": place.first, "last": place.last, "players": list(place.players)} for place in bracket.places
        ],
        "winner": bracket.winner,
        "said": say_or_none(_say_misplaced(night, bracket)),
        "actions": {
            "draw_bracket": action(night, facts.BracketDrawn(bracket.name, ())),
            "place": action(night, facts.BracketPlaced(bracket.name, ())),
        },
    }


def _say_misplaced(night: Night, bracket: Bracket) -> Message | None:
    """A message on consolation players no longer eligible after a correction of the main bracket; None without any."""
    if bracket.name == MAIN or MAIN not in night.brackets:
        return None
    found = find_ineligible(bracket, find_field(night, bracket.name))
    return Message("night_bracket_misplaced", names=join_names(found, night.names)) if found else None


def _match(night: Night, match: BracketMatch, numbers: dict[int, int]) -> BracketMatchJson:
    button = as_action(_match_refusal(night, match))
    return {
        "match": match.key,
        "round": match.round,
        "place": match.number,
        "players": list(match.players),
        "best_of": match.best_of,
        "games": [_bracket_game(game, numbers) for game in match.games],
        "won": list(match.won),
        "winner": match.winner,
        "state": match.state,
        "bye": match.state is MatchState.BYE,
        "by_departure": match.by_departure,
        "no_show": [_no_show_minutes(match, side) for side in (0, 1)],
        "actions": {"bracket_game": button, "bracket_forfeit": button},
    }


def _no_show_minutes(match: BracketMatch, side: int) -> list[int]:
    """Minutes after which a no-show loses each of the remaining games."""
    other = match.players[1 - side]
    by_absence = sum(game.games for game in match.games if game.how is Ending.NO_SHOW and game.winner == other)
    left = match.best_of // 2 + 1 - match.won[1 - side]
    return list(ACC_NO_SHOW.minutes(by_absence + left)[by_absence:])


def _match_refusal(night: Night, match: BracketMatch) -> PegboardError | None:
    if night.ended is not None:
        return PegboardError("night_ended")
    if match.state is MatchState.DECIDED:
        return PegboardError("night_match_over", name=night.name(match.winner or ""))
    return None if match.state is MatchState.READY else PegboardError("night_match_waits")


def _bracket_game(game: BracketGame, numbers: dict[int, int]) -> BracketGameJson:
    return {
        "winner": game.winner,
        "margin": game.margin,
        "forfeit": game.how is not Ending.PLAYED,
        "games": game.games,
        "number": numbers.get(id(game)),
    }


def list_consolations(night: Night) -> list[ConsolationJson]:
    """The second brackets with their eligible players by the standings, or the reason why they cannot be drawn.

    Empty before the main bracket is drawn.
    """
    return [_consolation(night, name) for name in CONSOLATIONS] if MAIN in night.brackets else []


def _consolation(night: Night, name: str) -> ConsolationJson:
    if name in night.brackets:
        return {"bracket": name, "players": [], "draw": as_action(Already("night_consolation_drawn"))}
    may = [player for group in find_eligible(night, name) for player in group]
    nobody = None if may else RuleError("playoffs_bracket_nobody")
    return {
        "bracket": name,
        "players": may,
        "draw": as_action(find_refusal(partial(require_field_known, night, name)) or nobody),
    }


# --- pots ---


def list_pots(night: Night) -> list[PotJson]:
    """Every pot with its entries and shares; before a pot is paid, the shares that it would pay now."""
    return [pot_as_json(night, state) for state in night.pots.values()]


def pot_as_json(night: Night, state: NightPot) -> PotJson:
    """A pot."""
    pot, dues = pot_of(night, state), pot_of(night, state).dues
    return {
        "pot": state.opened.pot,
        "kind": pot.rule.name,
        "name": pot_name(state),
        "fee": state.opened.fee,
        "fee_for": pot.rule.fee_for,
        "house_percent": pot.rule.house_percent,
        "entries": [
            {"player": one.player, "half": one.half, "cents": dues.get(one.player, 0)} for one in state.entries
        ],
        "hits": [{"player": hit.player, "kind": hit.kind, "count": hit.count} for hit in state.hits],
        "kinds": list(notable_kinds(rule_of_pot(state))),
        "sum": total_of(night, state),
        "carried": state.opened.carried,
        "rule": say(_say_rule(pot.rule)),
        "paid": state.paid is not None,
        "actions": _pot_actions(night, state),
        **_shares(night, state),
    }


RULE_SENTENCES = {
    "q_pool": "night_pot_q_pool",
    "hand_24": "night_pot_hand_24",
    "hand_28_29": "night_pot_hand_28_29",
    "four_of_a_kind": "night_pot_four_of_a_kind",
    "skunk_bank": "night_pot_skunk_bank",
    "high_non_qualifier": "night_pot_high_non_qualifier",
}
"""Message keys of the sentences that explain a pot's rule, by the name of the rule."""


def _say_rule(rule: PotRule) -> Message:
    if rule.scale:
        return Message("night_pot_prizes", scale="-".join(map(str, rule.scale)))
    return Message(RULE_SENTENCES.get(rule.name, "night_pot_own_rule"))


def _shares(night: Night, state: NightPot) -> PotSharesJson:
    if state.paid is not None:
        paid, differs = state.paid, _say_if_differs(night, state)
        return {
            "shares": _amounts(paid.shares),
            "refunds": _amounts(paid.refunds),
            "house": paid.house,
            "left": paid.carried,
            "said": [] if differs is None else [say(differs)],
            "differs": differs is not None,
        }
    if find_refusal(partial(payout_of, night, state)) is not None:
        return {"shares": [], "refunds": [], "house": 0, "left": 0, "said": [], "differs": False}
    payout = payout_of(night, state)
    return {
        "shares": _amounts(payout.shares),
        "refunds": _amounts(payout.refunds),
        "house": payout.house,
        "left": payout.carried,
        "said": [say(sentence) for sentence in (*_say_places(night, state), *payout.sentences)],
        "differs": False,
    }


def _say_if_differs(night: Night, state: NightPot) -> Message | None:
    """A message on what a paid pot would pay by the current results; None if it paid the same."""
    if find_refusal(partial(payout_of, night, state)) is not None:
        return Message("night_pot_differs_open")
    now, paid = payout_of(night, state), state.paid
    shares = {share.player: share.cents for share in (*now.shares, *now.refunds) if share.cents}
    if paid is None or shares == {share.player: share.cents for share in (*paid.shares, *paid.refunds) if share.cents}:
        return None
    said = ", ".join(f"{night.name(player)} {money(cents)}" for player, cents in shares.items())
    return Message("night_pot_differs", shares=said) if said else Message("night_pot_differs_nobody")


def _say_places(night: Night, state: NightPot) -> list[Message]:
    """A message that prizes go by the standings, if a bracket can still be drawn."""
    return [Message("night_pot_by_standings")] if rule_of_pot(state).scale and MAIN not in night.brackets else []


def _amounts(shares: tuple[facts.PotShare | Share, ...]) -> list[AmountJson]:
    return [{"player": share.player, "cents": share.cents} for share in shares]


ENTRIES = ("enter_pot", "enter_half")
"""Actions to enter with a full share and with half a share."""


def _pot_actions(night: Night, state: NightPot) -> Actions:
    pot = state.opened.pot
    if state.paid is not None:
        paid = as_action(PegboardError("night_pot_paid", pot=pot_name(state)))
        return dict.fromkeys((*ENTRIES, "leave_pot", "pot_hit", "pay_pot"), paid)
    pays = as_action(find_refusal(lambda: payout_of(night, require_pot_to_pay(night, pot))))
    if night.ended is not None:
        shut = as_action(PegboardError("night_ended"))
        return dict.fromkeys((*ENTRIES, "leave_pot", "pot_hit"), shut) | {"pay_pot": pays}
    empty = as_action(PegboardError("night_pot_empty", pot=pot_name(state)))
    noted = notable_kinds(rule_of_pot(state))
    hit = POSSIBLE if noted else as_action(PegboardError("night_pot_hits_itself", pot=pot_name(state)))
    entered = POSSIBLE
    if rule_of_pot(state).fee_for is FeeFor.NIGHT:
        entered = as_action(PegboardError("night_pot_for_all", pot=pot_name(state)))
    no_half = PegboardError("pots_no_half", fee=money(state.opened.fee)) if state.opened.fee % 2 else None
    return {
        "enter_pot": entered,
        "enter_half": entered if no_half is None else as_action(no_half),
        "leave_pot": POSSIBLE if state.entries else empty,
        "pot_hit": hit if state.entries else empty,
        "pay_pot": pays,
    }
