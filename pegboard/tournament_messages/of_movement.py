"""Messages of schedules and teams: key, English template, no line of the rules page."""

from collections.abc import Mapping

MOVEMENT_MESSAGES: Mapping[str, tuple[str, str | None]] = {
    "movement_games": ("each player has 1 to {most} games, not {games}", None),
    "movement_late": ("{name} was not there in some rounds: {games} games instead of {wanted}", None),
    "movement_more": ("{names}: {games} games, which have begun, instead of {wanted}", None),
    "movement_nobody_left": ("nobody is left for {name} to play: {games} games instead of {wanted}", None),
    "movement_one_fewer": (
        "a game takes two, and {places} places cannot be paired: {name} plays one game fewer, {games} in all",
        None,
    ),
    "movement_one_more": (
        "a game takes two, and {places} places cannot be paired: {name} plays one game more, {games} in all",
        None,
    ),
    "movement_rematches": (
        "rematches that cannot be avoided: {number}; no two meet more than {most} times",
        None,
    ),
    "movement_rematches_found": (
        "rematches: {number}, the fewest that were found; no two meet more than {most} times",
        None,
    ),
    "movement_rematches_of_sides": (
        "there are more rounds than tables, so some meet again: {number}; no two meet more than {most} times",
        None,
    ),
    "movement_rounds_end": (
        "round {last} is the last, and too early for all games of {names}: {games} instead of {wanted}",
        None,
    ),
    "movement_match_teams": ("a match is played by two teams of as many each, and here are: {teams}", None),
    "movement_sides": (
        "one side stays and the other moves, so they are equal or differ by one; {staying} and {moving} are given",
        None,
    ),
    "movement_sit_outs": (
        "of {players} somebody has to sit out: of {last} rounds each sits out {fewest} to {most}",
        None,
    ),
    "movement_sit_outs_alike": (
        "of {players} somebody has to sit out: of {last} rounds each sits out {most}",
        None,
    ),
    "movement_sitting_uneven": (
        "the games played before allow no fairer sit-outs: {most} for {names}, and {fewest} for who has the fewest",
        None,
    ),
    "movement_table": ("tables are numbered from 1; {table} is none", None),
    "movement_table_away": (
        "{name} is to stay at table {table}, but has to go to table {away} in round {round}",
        None,
    ),
    "movement_table_twice": (
        "{name} and {other} cannot both stay at table {table}; give one of them another",
        None,
    ),
    "movement_team_mates": ("{name} and {other} are of one team, and still meet in round {round}", None),
    "movement_twice": ("{name} stands twice among the players of the draw", None),
}
