"""Messages of score cards, rulings, awards, standings and totals: key, English template, no line of the rules page."""

from collections.abc import Mapping

RESULT_MESSAGES: Mapping[str, tuple[str, str | None]] = {
    # --- point tables, margins, claims ---
    "results_no_point_table": ("unknown point table {name}; use {known}", None),
    "results_holes": (
        "one player must be in the game hole, {hole}, and the other not, but they are at {one} and {other}",
        None,
    ),
    "results_margin": ("a game's margin must be 1 to {most}, not {margin}", None),
    "results_not_in_game": ("{name} is not playing in {game}", None),
    # --- claims that do not fit ---
    "results_game": ("round {round}, {one} against {other}", None),
    "results_both_won": ("{game}: both cards claim a win", None),
    "results_both_lost": ("{game}: both cards claim a loss", None),
    "results_margins_differ": (
        "{game}: {winner}'s card says won by {plus}, but {loser}'s card says lost by {minus}",
        None,
    ),
    "results_same_column": ("{game}: both cards have the spread in the same column", None),
    "results_wrong_columns": ("{game}: both cards have the spread in the wrong column", None),
    "results_blank": ("{game}: {name}'s card has no spread", None),
    "results_both_blank": ("{game}: neither card has a spread", None),
    "results_sheet_margin": ("{game}: the cards say {claimed} holes, but the table's score sheet says {derived}", None),
    "results_sheet_winner": ("{game}: the cards say {claimed} won, but the table's score sheet says {derived}", None),
    # --- rulings of 12.2 ---
    "results_ruling_a_win": (
        "(a) {name} apparently qualifies: {name}'s card becomes a win by {margin}, {other}'s stays as it is",
        None,
    ),
    "results_ruling_a_loss": (
        "(a) {name} apparently qualifies: {name}'s card becomes a loss by {margin}, {other}'s stays as it is",
        None,
    ),
    "results_ruling_b": (
        "(b) both apparently qualify: {winner}'s card becomes a win by {plus}, {loser}'s a loss by {minus}",
        None,
    ),
    "results_ruling_c": ("(c) only {name}'s card gives the spread: {margin} goes on both cards", None),
    "results_ruling_d": (
        "(d) {winner} has the spread in the plus column and wins by {plus}; {loser} loses by {minus}",
        None,
    ),
    "results_ruling_e": (
        "(e) both cards claim the same result in the same column: {one} loses by {one_margin}, {other} by {other_margin}",
        None,
    ),
    "results_ruling_f": (
        "(f) {winner}'s win stands, by {plus}; the wrong card's spread changes column: {loser} loses by {minus}",
        None,
    ),
    "results_ruling_h": (
        "(h) the difference already costs the apparent qualifier: both cards stay as they are",
        None,
    ),
    "results_ruling_sheet": ("the table's score sheet decides: {winner} won by {margin}", None),
    "results_ruling_stand": ("ACC 12.2 changes neither card: both stay as they are", None),
    "results_ruling_unknown": ("unknown ruling {letter}; use {known}", None),
    # --- why a ruling is not to be had ---
    "results_cards_fit": ("the two cards agree", None),
    "results_card_missing": ("{name}'s card has not been entered yet", None),
    "results_cards_missing": ("neither card has been entered yet", None),
    "results_same_result": ("both cards claim the same result", None),
    "results_results_differ": ("one card claims a win and the other a loss", None),
    "results_columns_differ": ("the spreads are in different columns", None),
    "results_columns_alike": ("the spreads are in the same column", None),
    "results_columns_wrong": ("both cards have the spread in the wrong column, which ACC 12.2 does not cover", None),
    "results_spread_missing": ("a card has no spread", None),
    "results_spreads_missing": ("neither card has a spread", None),
    "results_spreads_given": ("both cards have a spread", None),
    "results_nobody_qualifies": ("apparently neither player qualifies", None),
    "results_one_qualifies": ("only one player apparently qualifies: use (a) or (h)", None),
    "results_both_qualify": ("both players apparently qualify: use (b) or (h)", None),
    "results_somebody_qualifies": ("the difference costs an apparent qualifier", None),
    "results_costs_already": ("the difference already costs the apparent qualifier: use (h)", None),
    "results_favours": ("the difference favors an apparent qualifier", None),
    "results_no_sheet": ("no table has sent a score sheet for this game", None),
    # --- who qualifies after a ruling: 12.2 (i) ---
    "results_qualifies_now": ("with this ruling, {into} would qualify", None),
    "results_qualifies_no_longer": ("with this ruling, {out} would no longer qualify", None),
    "results_qualifiers_change": (
        "with this ruling, {into} would qualify, and {out} no longer would",
        None,
    ),
    # --- awards ---
    "results_award_late": ("{name} was late after lunch: {other} wins by {margin}", None),
    "results_award_refused_judges": ("{name} refused a three-judge ruling: {other} wins by {margin}", None),
    "results_award_forfeit": ("{name} forfeits: {other} wins by {margin}", None),
    "results_award_judge": ("a judge has decided", None),
    "results_no_award": ("unknown award {name}; use {known}", None),
    "results_late_once": (
        "{name} has already lost round {round} for being late after lunch, which counts only once; use a forfeit instead",
        None,
    ),
    "results_judge_points": ("a net of {net} is worth {worth} game points in round {round}, not {points}", None),
    "results_judge_net": ("each player's net must be 1 to {most}, plus or minus, not {net}", None),
    "results_judge_two_wins": ("a game can have only one winner, not two", None),
    # --- standings ---
    "results_no_tie_breaks": ("unknown tie-break order {name}; use {known}", None),
    "results_place_first": ("{n}st", None),
    "results_place_st": ("{n}st", None),
    "results_place_nd": ("{n}nd", None),
    "results_place_rd": ("{n}rd", None),
    "results_place_th": ("{n}th", None),
    "results_alone": ("{place} by {what}, {own}", None),
    "results_over": ("{place} by {what}, {own} over {next}", None),
    "results_behind": ("{place} by {what}, {own} behind {before}", None),
    "results_over_players": ("{place} by {what}, over {names}", None),
    "results_behind_players": ("{place} by {what}, behind {names}", None),
    "results_shared_play_off": ("tied for {place} ({players} players); a playoff decides", None),
    "results_shared": ("tied for {place} ({players} players)", None),
    "results_what_game_points": ("game points", None),
    "results_what_games_won": ("games won", None),
    "results_what_net_spread": ("net spread", None),
    "results_what_plus_points": ("plus points", None),
    "results_what_skunks": ("skunks", None),
    "results_what_losing_points": ("fewest minus points", None),
    "results_what_head_to_head": ("head-to-head", None),
    "results_what_play_off": ("a playoff", None),
    # --- the panel of totals ---
    "results_total_plus": ("plus {plus} = minus {minus}", None),
    "results_total_plus_broken": ("plus {plus}, minus {minus}: off by {difference}", None),
    "results_total_net": ("sum of nets: 0", None),
    "results_total_net_broken": ("sum of nets: {difference} instead of 0", None),
    "results_total_wins": ("wins {wins} = games {games}", None),
    "results_total_wins_broken": ("wins {wins}, games {games}", None),
    "results_total_points": ("game points {points} = {base} for wins + {extra} for skunks", None),
    "results_total_points_broken": (
        "game points are {points}, but should be {base} for wins + {extra} for skunks",
        None,
    ),
    "results_total_cards": ("each card: game points = points for wins + points for skunks", None),
    "results_total_cards_broken": ("game points do not match wins and skunks on the card of {names}", None),
}
"""Every message of the results."""
