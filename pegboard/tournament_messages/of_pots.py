"""Messages of pots, shares of money and fees: key, English template, no line of the rules page."""

from collections.abc import Mapping

POT_MESSAGES: Mapping[str, tuple[str, str | None]] = {
    # --- shares ---
    "pots_money_by_place": (
        "{total} does not divide evenly: {by_place} went out by the largest remainder, then by the better place",
        None,
    ),
    "pots_money_by_place_and_house": (
        "{total} does not divide evenly: {by_place} went out by remainder and place, {rest} stay with the house",
        None,
    ),
    "pots_money_carried": ("{total} does not divide evenly: {rest} go into the pot of the next night", None),
    "pots_money_no_amount": ("amounts and shares of them are 0 or more, and a coin is 1 cent or more", None),
    "pots_money_to_the_house": ("{total} does not divide evenly: {rest} stay with the house", None),
    # --- pots ---
    "pots_carried": ("nobody has won {cents} of this pot: they go into the pot of the next night", None),
    "pots_cut_tied": ("the cut is still tied, so nobody knows whose this pot is; that tie is decided first", None),
    "pots_entered": ("this player is in the pot already", None),
    "pots_no_half": ("a fee of {fee} cannot be halved to the cent, so this pot has full shares alone", None),
    "pots_refunded": ("nobody has won this pot: everybody in it gets back what it cost, {total} together", None),
    "pots_to_the_house": ("nobody has won {cents} of this pot: they stay with the house", None),
    "pots_unknown": ("there is no pot {pot}; there are {known}", None),
    # --- prizes and fees ---
    "pots_prize_scale_unknown": (
        "{scale} is no scale of prizes: parts of 100 such as 50-30-20, the largest first, or {known} are accepted",
        None,
    ),
}
"""Rows of the table of messages, by key."""
