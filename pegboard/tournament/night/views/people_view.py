"""JSON views of an event's people: roster, waiting players, each player's next game, fees."""

from functools import lru_cache, partial

from pegboard.tournament.ids import PlayerId
from pegboard.tournament.night import facts
from pegboard.tournament.night.deciding import check_phase, find_refusal
from pegboard.tournament.night.night_report import report
from pegboard.tournament.night.night_state import GameFacts, Night, Participant, Presence
from pegboard.tournament.night.pots import pot_of, total_of
from pegboard.tournament.night.views.actions import Actions, actions, as_action, say
from pegboard.tournament.night.views.game_view import find_dealer, find_game_mismatch, find_next_games, state_of_game
from pegboard.tournament.night.views.view_types import (
    EntrantJson,
    MoneyJson,
    NextGameJson,
    PeopleJson,
    RosterLineJson,
    WaitingPlayerJson,
)
from pegboard.tournament.pots.payouts import FeeKind, FeeLedger, FeeRow, open_ledger


def count_people(night: Night) -> PeopleJson:
    """Counts of players on the roster, checked in, missing, late, left, and exempt from the fee."""
    people = list(night.players.values())
    return {
        "entered": len(people),
        "checked_in": sum(one.presence is Presence.HERE for one in people),
        "missing": sum(one.presence is Presence.ENTERED for one in people),
        "late": sum(one.late for one in people),
        "left": sum(one.presence is Presence.LEFT for one in people),
        "free": sum(one.free for one in people),
    }


def list_players(night: Night) -> list[RosterLineJson]:
    """The roster, with each player's buttons."""
    fees, correct = fee_ledger(night), as_action(find_refusal(partial(check_phase, night, facts.EntryCorrected)))
    due = {account.player: account.due for account in fees.accounts}
    pots: dict[PlayerId, list[str]] = {}
    for name, pot in night.pots.items():
        for entry in pot.entries:
            pots.setdefault(entry.player, []).append(name)
    entries = {row.decision.player: row.number for row in night.rows if isinstance(row.decision, facts.PlayerEntered)}
    return [
        {
            **player_as_json(one),
            "fee": {"due": due.get(one.player, 0), "paid": night.payments.get(one.player, 0)},
            "pots": pots.get(one.player, []),
            "next": next_of(night, one.player),
            "entry": entries[one.player],
            "actions": {**_player_actions(night, one), "correct_entry": correct},
        }
        for one in night.players.values()
    ]


def player_as_json(one: Participant) -> EntrantJson:
    """A player on the roster."""
    return {
        "player": one.player,
        "name": one.name,
        "number": one.number,
        "walk_up": one.walk_up,
        "late": one.late,
        "free": one.free,
        "stays": one.stays,
        "team": one.team,
        "partner": one.partner,
        "state": one.presence,
    }


def _player_actions(night: Night, one: Participant) -> Actions:
    return actions(
        night,
        {
            "check_in": facts.CheckedIn((one.player,)),
            "leave": facts.PlayerLeft(one.player),
            "come_back": facts.PlayerReturned(one.player),
            "fee_paid": facts.FeePaid(one.player, 1),
        },
    )


def next_of(night: Night, player: PlayerId) -> NextGameJson | None:
    """A player's next game and table; None if no more games are drawn for them."""
    game = find_next_games(night).of_player.get(player)
    if game is None:
        return None
    record = report(night).records[game.key]
    state = night.games.get(game.key) or GameFacts(record.pairing)
    return {
        "round": game.round,
        "game": game.key,
        "table": game.table,
        "label": night.label(game.table) if game.table else "",
        "against": next(one for one in game.players if one != player),
        "deals_first": game.deals_first == player,
        "dealer": find_dealer(night, game),
        "state": state_of_game(night, record, state, find_game_mismatch(night, record)),
    }


def list_waiting(night: Night) -> list[WaitingPlayerJson]:
    """Checked-in players who cannot play now, with the reasons."""
    return [{"player": player, "why": say(why)} for player, why in find_next_games(night).waiting.items()]


# --- money ---


@lru_cache(maxsize=8)
def fee_ledger(night: Night) -> FeeLedger:
    """Accounts of everyone who has come, with entry fees, pots, payments and payouts of pots."""
    came = [one.player for one in night.players.values() if one.came]
    free = {one.player for one in night.players.values() if one.free}
    rows = [
        FeeRow(player, FeeKind.PAID if cents > 0 else FeeKind.PAID_BACK, abs(cents))
        for player, cents in night.payments.items()
        if cents
    ]
    for pot in night.pots.values():
        if pot.paid is not None:
            rows += [FeeRow(one.player, FeeKind.PRIZE, one.cents) for one in (*pot.paid.shares, *pot.paid.refunds)]
    return open_ledger(came, night.rules.fee, free, [pot_of(night, pot) for pot in night.pots.values()], rows)


def money_as_json(night: Night) -> MoneyJson:
    """Amounts due, paid and open, and the amount that the cash box must hold."""
    fees = fee_ledger(night)
    return {
        "currency": night.rules.currency,
        "due": fees.due,
        "paid": fees.paid,
        "open": [{"player": account.player, "cents": account.owed} for account in fees.accounts if account.owed],
        "credit": [{"player": account.player, "cents": account.credit} for account in fees.accounts if account.credit],
        "pots": sum(total_of(night, pot) for pot in night.pots.values()),
        "in_hand": fees.in_hand,
    }
