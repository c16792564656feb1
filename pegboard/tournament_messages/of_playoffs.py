"""Messages of the cut, ties, brackets and play-offs: key, English template, no line of the rules page."""

from collections.abc import Mapping

PLAYOFF_MESSAGES: Mapping[str, tuple[str, str | None]] = {
    "playoffs_names_in_a_row": ("{others} and {last}", None),
    # --- the cut and its ties ---
    "playoffs_cut_no_entrants": ("nobody has entered, so nobody qualifies", None),
    "playoffs_cut_rule_unknown": (
        "{rule} is no size of a cut: a part of the field such as 1/4, a number such as 8, or {known} are accepted",
        None,
    ),
    "playoffs_cut_tied": ("the cut after {places} is tied, and that tie is decided first", None),
    "playoffs_cut_tie_below": ("{names} tie as the highest who did not qualify: they share, or a game decides", None),
    "playoffs_cut_tie_of_more": (
        "{names} tie at the cut (places left: {places}): one-game play-offs as they draw decide, and each puts one out",
        None,
    ),
    "playoffs_cut_tie_of_two": ("{names} tie at the cut: a one-game play-off decides, and its loser is out", None),
    "playoffs_seed_tie": ("{names} tie for the seeds {first} and {last}: a one-game play-off decides", None),
    "playoffs_seed_tie_more": ("{names} tie for the seeds {first} to {last}: they cut cards for them", None),
    "playoffs_seed_tied": (
        "the places {first} to {last} are tied, and nobody is seeded by the order of entry: that tie is decided first",
        None,
    ),
    # --- brackets ---
    "playoffs_bracket_decided": ("match {match} of round {round} is decided; undo its last game first", None),
    "playoffs_bracket_decided_gone": (
        "one of the two in match {match} of round {round} has left; undo that first, if they play after all",
        None,
    ),
    "playoffs_bracket_games_at_once": ("1 to {most} games of this match can be entered at once, not {games}", None),
    "playoffs_bracket_margin": ("a game that was played is won by 1 to {most} holes, not by {margin}", None),
    "playoffs_bracket_no_match": ("there is no match {match} in this bracket", None),
    "playoffs_bracket_no_place": ("nobody begins in place {place} of this bracket", None),
    "playoffs_bracket_nobody": ("a bracket has one player or more, and nobody is in this one", None),
    "playoffs_bracket_not_in_match": ("match {match} of round {round} is won by one of the two who play in it", None),
    "playoffs_bracket_not_ready": (
        "it is not known yet who plays in match {match} of round {round}: the matches before it come first",
        None,
    ),
    "playoffs_bracket_placed": ("this player is in that place already", None),
    "playoffs_bracket_twice": ("a player is in a bracket once, and one is in this list twice", None),
    # --- play-offs ---
    "playoffs_length": ("a play-off is the best of {known} games, not of {best_of}", None),
    # --- the consolation, rating points ---
    "playoffs_consolation_not_eligible": ("players who chose it and may not play in it: {count}", None),
    "playoffs_rating_unknown": (
        "the rating sheets give points only for {known} games, and so none for a {event} of {games}",
        None,
    ),
}
"""Rows of the table of messages, by key."""
