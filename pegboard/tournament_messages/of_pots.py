"""Messages of pots, shares of money and fees: key, English template, no line of the rules page."""

from collections.abc import Mapping

POT_MESSAGES: Mapping[str, tuple[str, str | None]] = {
    # --- shares ---
    "pots_money_by_place": (
        "{total} does not divide evenly: the extra {by_place} went to the largest remainders, then to the better places",
        None,
    ),
    "pots_money_by_place_and_house": (
        "{total} does not divide evenly: the extra {by_place} went by remainder and place, and {rest} to the house",
        None,
    ),
    "pots_money_carried": ("{total} does not divide evenly: {rest} carries over to the next event", None),
    "pots_money_no_amount": ("amounts and shares must be 0 or more, and a coin at least 1 cent", None),
    "pots_money_to_the_house": ("{total} does not divide evenly: {rest} goes to the house", None),
    # --- pots ---
    "pots_carried": ("{cents} of this pot was not won and carries over to the next event", None),
    "pots_cut_tied": ("there is still a tie at the cutoff, so this pot has no winner; break the tie first", None),
    "pots_entered": ("this player is already in the pot", None),
    "pots_no_half": ("a fee of {fee} cannot be halved exactly, so this pot has only full shares", None),
    "pots_refunded": ("nobody won this pot: all players in it get their money back, {total} in total", None),
    "pots_to_the_house": ("{cents} of this pot was not won and goes to the house", None),
    "pots_unknown": ("unknown pot {pot}; use {known}", None),
    # --- prizes and fees ---
    "pots_prize_scale_unknown": (
        "{scale} is not a prize scale; use percentages such as 50-30-20, the largest first, or {known}",
        None,
    ),
}
"""Rows of the table of messages, by key."""
