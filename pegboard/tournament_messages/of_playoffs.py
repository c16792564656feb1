"""Messages of the cut, ties, brackets and play-offs: key, English template, no line of the rules page."""

from collections.abc import Mapping

PLAYOFF_MESSAGES: Mapping[str, tuple[str, str | None]] = {
    "playoffs_names_in_a_row": ("{others} and {last}", None),
    # --- the cut and its ties ---
    "playoffs_cut_no_entrants": ("nobody has entered, so nobody can qualify", None),
    "playoffs_cut_rule_unknown": (
        "{rule} is not a number of qualifiers; use a fraction such as 1/4, a number such as 8, or {known}",
        None,
    ),
    "playoffs_cut_tied": ("there is a tie at the cutoff after place {places}; break the tie first", None),
    "playoffs_cut_tie_below": ("{names} tie for high non-qualifier: they share it, or play a game", None),
    "playoffs_cut_tie_of_more": (
        "{names} tie at the cutoff (places left: {places}): one-game playoffs, paired by draw, each knock one player out",
        None,
    ),
    "playoffs_cut_tie_of_two": ("{names} tie at the cutoff: a one-game playoff decides, and the loser is out", None),
    "playoffs_seed_tie": ("{names} tie for seeds {first} and {last}: a one-game playoff decides", None),
    "playoffs_seed_tie_more": ("{names} tie for seeds {first} to {last}: they cut cards", None),
    "playoffs_seed_tied": (
        "places {first} to {last} are tied, and the order of entry never decides seeds; break the tie first",
        None,
    ),
    # --- brackets ---
    "playoffs_bracket_decided": ("match {match} of round {round} is decided; to change it, undo its last game", None),
    "playoffs_bracket_decided_gone": (
        "a player in match {match} of round {round} has left; if that player is playing after all, undo the departure first",
        None,
    ),
    "playoffs_bracket_games_at_once": ("enter 1 to {most} games of this match at once, not {games}", None),
    "playoffs_bracket_margin": ("a played game has a margin of 1 to {most}, not {margin}", None),
    "playoffs_bracket_no_match": ("this bracket has no match {match}", None),
    "playoffs_bracket_no_place": ("this bracket has no player in place {place}", None),
    "playoffs_bracket_nobody": ("a bracket needs at least one player", None),
    "playoffs_bracket_not_in_match": (
        "the winner of match {match} of round {round} must be one of its two players",
        None,
    ),
    "playoffs_bracket_not_ready": (
        "match {match} of round {round} does not have both players yet; finish the matches before it",
        None,
    ),
    "playoffs_bracket_placed": ("this player is already in that place", None),
    "playoffs_bracket_twice": ("a player appears twice in this bracket", None),
    # --- play-offs ---
    "playoffs_length": ("a playoff must be best of {known} games, not {best_of}", None),
    # --- the consolation, rating points ---
    "playoffs_consolation_not_eligible": ("players chosen who cannot enter the consolation: {count}", None),
    "playoffs_rating_unknown": (
        "the rating sheets cover only {known} games, so a {event} of {games} has no rating points",
        None,
    ),
}
"""Rows of the table of messages, by key."""
