"""Messages of schedules and teams: key, English template, no line of the rules page."""

from collections.abc import Mapping

MOVEMENT_MESSAGES: Mapping[str, tuple[str, str | None]] = {
    "movement_games": ("games per player must be 1 to {most}, not {games}", None),
    "movement_late": ("{name} missed some rounds: {games} games instead of {wanted}", None),
    "movement_more": ("{names}: {games} games instead of {wanted}, because that many have already started", None),
    "movement_nobody_left": ("nobody is left for {name} to play: {games} games instead of {wanted}", None),
    "movement_one_fewer": (
        "the games do not divide evenly: {name} plays one fewer game, {games} in total",
        None,
    ),
    "movement_one_more": (
        "the games do not divide evenly: {name} plays one more game, {games} in total",
        None,
    ),
    "movement_rematches": (
        "unavoidable rematches: {number}; no pair meets more than {most} times",
        None,
    ),
    "movement_rematches_found": (
        "rematches: {number}, the fewest found; no pair meets more than {most} times",
        None,
    ),
    "movement_rematches_of_sides": (
        "with more rounds than tables, there must be rematches: {number}; no pair meets more than {most} times",
        None,
    ),
    "movement_rounds_end": (
        "round {last} is the last, so {names} cannot play all their games: {games} instead of {wanted}",
        None,
    ),
    "movement_match_teams": ("a match needs two teams of equal size; present: {teams}", None),
    "movement_sides": (
        "the two sides must be the same size or differ by one player, not {staying} and {moving}",
        None,
    ),
    "movement_sit_outs": (
        "with {players} players, someone must sit out: {fewest} to {most} of {last} rounds each",
        None,
    ),
    "movement_sit_outs_alike": (
        "with {players} players, someone must sit out: {most} of {last} rounds each",
        None,
    ),
    "movement_sitting_uneven": (
        "earlier games rule out fairer sit-outs: {most} for {names}, but as few as {fewest} for others",
        None,
    ),
    "movement_table": ("table numbers start at 1; {table} is not valid", None),
    "movement_table_away": (
        "{name} should stay at table {table} but must go to table {away} in round {round}",
        None,
    ),
    "movement_table_twice": (
        "{name} and {other} cannot both stay at table {table}; move one of them",
        None,
    ),
    "movement_team_mates": ("{name} and {other} are teammates but meet in round {round}", None),
    "movement_twice": ("{name} appears twice in the draw", None),
}
