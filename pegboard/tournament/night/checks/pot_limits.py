"""What is refused of pots: one that is not there or paid already, and players who are not in it."""

from collections.abc import Callable, Mapping
from typing import Any

from pegboard.errors import Already, RuleError
from pegboard.tournament.night import facts
from pegboard.tournament.night.checks.shared_limits import require_player
from pegboard.tournament.night.night_state import Night, NightPot


def _check_pot(night: Night, fact: facts.PotOpened) -> None:
    if fact.pot in night.pots:
        raise Already("night_pot_there", pot=fact.pot)


def require_pot(night: Night, name: str) -> NightPot:
    """The pot of that id.

    Raises:
        RuleError: there is none.
    """
    pot = night.pots.get(name)
    if pot is None:
        raise RuleError("night_no_pot", pot=name)
    return pot


def require_open_pot(night: Night, name: str) -> NightPot:
    """The pot of that id, which is not paid yet.

    Raises:
        RuleError: there is none, or it is paid.
    """
    pot = require_pot(night, name)
    if pot.paid is not None:
        raise RuleError("night_pot_paid", pot=pot_name(pot))
    return pot


def require_pot_to_pay(night: Night, name: str) -> NightPot:
    """The pot of that id, which is to be paid.

    Raises:
        RuleError: there is none.
        Already: it is paid.
    """
    pot = require_pot(night, name)
    if pot.paid is not None:
        raise Already("night_pot_paid", pot=pot_name(pot))
    return pot


def pot_name(pot: NightPot) -> str:
    """What a pot is called."""
    return pot.opened.name or pot.opened.pot


def _check_pot_entry(night: Night, fact: facts.PotEntered) -> None:
    known, pot = require_player(night, fact.player), require_open_pot(night, fact.pot)
    if fact in pot.entries:
        raise Already("night_pot_in", name=known.display_name, pot=pot_name(pot))


def _check_pot_leave(night: Night, fact: facts.PotLeft) -> None:
    known, pot = require_player(night, fact.player), require_open_pot(night, fact.pot)
    if all(entry.player != fact.player for entry in pot.entries):
        raise Already("night_pot_not_in", name=known.display_name, pot=pot_name(pot))


def _check_hit(night: Night, fact: facts.PotHitNoted) -> None:
    known, pot = require_player(night, fact.player), require_open_pot(night, fact.pot)
    if all(entry.player != fact.player for entry in pot.entries):
        raise RuleError("night_pot_not_in", name=known.display_name, pot=pot_name(pot))


def _check_payment(night: Night, fact: facts.PotPaid) -> None:
    require_pot_to_pay(night, fact.pot)


POT_LIMITS: Mapping[type, Callable[[Night, Any], None]] = {
    facts.PotOpened: _check_pot,
    facts.PotEntered: _check_pot_entry,
    facts.PotLeft: _check_pot_leave,
    facts.PotHitNoted: _check_hit,
    facts.PotPaid: _check_payment,
}
"""By the class of a fact."""
