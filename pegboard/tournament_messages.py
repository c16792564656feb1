"""Messages of tournaments and hubs, by key: refusals, hub setup and broker trouble, packages, joining, audit log."""

from collections.abc import Mapping

# --- refusals on hub pages: check-in, director's desk, phones ---


DESK_MESSAGES: Mapping[str, tuple[str, str | None]] = {
    "desk_alarm_number": ("`alarm` must be the number of an alarm", None),
    "desk_blank_cards": ("print 1 to {most} blank cards at once", None),
    "desk_busy": ("someone else is making a decision right now; try again", None),
    "desk_call_do": ("use `call` to make a call, `accept_call` to accept it and `end_call` to end it", None),
    "desk_call_own": ("judges must come from another table", None),
    "desk_call_own_table": ("players can call only from their own table", None),
    "desk_call_table": ("a call must name a table of the event", None),
    "desk_card_code": ("no scorecard of a current event has this code", None),
    "desk_director_code": (
        "wrong or expired director's code; get a new one with pegboard hub code, or from the Log tab on a desk",
        None,
    ),
    "desk_door_code": ("this door code has expired; it changes every minute, so scan the new one", None),
    "desk_name_twice": (
        "{name} is already on the roster; choose it in the list or use your scorecard's code; if you are someone else, add a letter to your name",
        None,
    ),
    "desk_here_already": (
        "{name} is already checked in; to connect another phone, use the code on your scorecard",
        None,
    ),
    "desk_code_form": ("a code has {length} letters and digits, such as 7KQ2AB; try again", None),
    "desk_code_undone": (
        "this result was undone by log entry {number}; undo that entry to restore the result",
        None,
    ),
    "desk_id": ("`id` must be 16 to 64 characters from A-Z a-z 0-9 - _, new for each tap", None),
    "desk_id_reused": ("the ID {id} belongs to another request", None),
    "desk_no_account": (
        "the broker has accounts for tables 1 to {tables}, but none for {table}; add more with pegboard hub broker",
        None,
    ),
    "desk_no_broker": (
        "the hub has no broker, so tables cannot reach it; set one up with pegboard hub broker",
        None,
    ),
    "desk_no_night": ("there is no event {night}", None),
    "desk_no_player": (
        "this phone is not linked to a player; scan the code at the door or on your scorecard",
        None,
    ),
    "desk_no_such_player": ("this name is no longer on the list", None),
    "desk_no_view": ("unknown view {view}; use director, screen or player", None),
    "desk_not_your_card": ("this is another player's card", None),
    "desk_other_game_hole": (
        "this game was played to {hole}, but the event plays to {due}; replay the game or decide its result",
        None,
    ),
    "desk_packages_busy": ("other packages are being received; try again in a moment", None),
    "desk_phones_file": (
        "the list of disconnected phones in {path} cannot be read or saved: {error}",
        None,
    ),
    "desk_result_not_sealed": (
        "this code was not made by a table of this event; a director must scan it at the table",
        None,
    ),
    "desk_result_of_no_game": ("this code is for a game that is not over or not part of this event", None),
    "desk_seat_gone": (
        "this code was used or is older than 15 minutes; get a new one from the desk",
        None,
    ),
    "desk_seat_unknown": ("no table has this code; check the code on the desk", None),
    "desk_short_code": (
        "only a director's phone can use this short code; others need the full code from the table's page",
        None,
    ),
    "desk_short_names": (
        "{game}: the table has different names, so the seats are unclear; enter both scorecards",
        None,
    ),
    "desk_short_other_sheet": (
        "{game}: the table sent a different result than this code; check the board and decide which one counts",
        None,
    ),
    "desk_short_reopened": (
        "{game} was reopened at its table, so this short code is ambiguous; enter both scorecards",
        None,
    ),
    "desk_short_unconfirmed": ("both players must confirm the game at the table before its code counts", None),
    "desk_too_many_arrivals": (
        "too many check-ins from this address; try again in {seconds} s",
        None,
    ),
    "desk_too_many_of_a_player": (
        "you have reached the limit of {most} entries per event; ask the desk to enter the rest",
        None,
    ),
}
"""Messages by key: the English template, and None (no anchor on the rules page)."""


# --- hub ledger and transport, and a table's link to a hub ---


HUB_MESSAGES: Mapping[str, tuple[str, str | None]] = {
    "hub_broker_away": (
        "the hub cannot reach its broker; tables play on and send everything later: {fault}",
        None,
    ),
    "hub_broker_refused": (
        "{broker} refuses the connection: {reason}; check user name, password and certificate",
        None,
    ),
    "hub_broker_silent": (
        "{broker} does not answer like an MQTT broker; use mqtt:// for plain and mqtts:// for encrypted connections",
        None,
    ),
    "hub_broker_subscribing": ("{broker} does not let the hub read its messages; check the broker's access list", None),
    "hub_broker_url": (
        "{url} is not a broker address; use mqtt://HOST:PORT, or mqtts://HOST:PORT for an encrypted connection",
        None,
    ),
    "hub_entered_stands": (
        "table {table} has reopened {game}; the result entered here counts until it is undone",
        None,
    ),
    "hub_certificate": ("{file} cannot be read as a certificate or key: {error}", None),
    "hub_database_away": ("the database {database} is not answering: {error}", None),
    "hub_decision_moved": ("someone else made a decision first, so log entry {number} is taken", None),
    "hub_disk_full": (
        "the disk of {database} is full, so no results are accepted; free some space, and the tables will resend",
        None,
    ),
    "hub_impossible": ("the score sheet of game {game} is impossible: {fault}", None),
    "hub_ledger_away": (
        "the hub cannot save now; tables keep their scores and resend them: {fault}",
        None,
    ),
    "hub_message_field": ("`{name}` is missing or has the wrong type", None),
    "hub_message_json": ("not a JSON object", None),
    "hub_message_long": ("{bytes} bytes is too long; the limit is {most}", None),
    "hub_message_order": ("the journal entries are not in order", None),
    "hub_name": ("{setting} must be 1 to 32 lowercase letters, digits, _ or -, not {name}", None),
    "hub_no_page": ("nothing at {path}; the events are at /", None),
    "hub_not_counted": ("a result from table {table} does not count yet: {fault}", None),
    "hub_not_stored": ("not saved, and so not acknowledged: {fault}", None),
    "hub_other_body": (
        "table {table} reused a number for a different message; the first message counts, and the new one is set aside: compare the score sheet at the table",
        None,
    ),
    "hub_other_table": (
        "a message from table {table} claims to be from table {other}; it is set aside, because a table can speak only for itself",
        None,
    ),
    "hub_poison": ("a message from table {table} cannot be read and is set aside: {fault}", None),
    "hub_second_epoch": (
        "table {table} started a new journal, as it would with a new SD card; its games count, but check that the last results from the old card arrived",
        None,
    ),
    "hub_sheet_gap": ("journal entry {place} is missing", None),
    "hub_sheet_goes_on": ("the score sheet continues after the game was abandoned", None),
    "hub_sheet_other": ("under the rules, the `{kind}` entry does not follow from what was played before it", None),
    "hub_sheet_start": ("a game must have exactly one start, at the beginning", None),
    "hub_still_counts": ("table {table} has reopened {game}, but its result still counts: {fault}", None),
    "hub_two_hubs": ("another hub is writing to the same database; stop one of them", None),
    "hub_unreadable_sheet": ("the score sheet of game {game} has values that no table would write", None),
    "trouble_hub_away": (
        "the hub is offline; the table plays on and sends everything when the hub is back",
        None,
    ),
    "trouble_hub_event": (
        "the hub does not know the event {event}; check hub.event, or ask the director to open the event",
        None,
    ),
    "trouble_hub_history": (
        "the hub has different scores for this table, {table}; another table may be using the same name, so tell the director",
        None,
    ),
    "trouble_hub_silent": ("the hub is online but has not confirmed the newest scores", None),
}
"""Messages on pages: a table's health page, and the hub's pages."""

HUB_IN_ENGLISH: Mapping[str, tuple[str, str | None]] = {
    "hub_accounts_unreadable": (
        "cannot read the broker accounts in {path}: {error}; move that file away and make new ones with pegboard hub broker",
        None,
    ),
    "hub_database_url": (
        "{url} is not a database URL for the hub; use sqlite:////FOLDER/FILE or postgresql://USER:PASSWORD@HOST/NAME",
        None,
    ),
    "hub_event_name": ("{name} is not a valid event name; use 1 to 32 lowercase letters, digits, _ or -", None),
    "hub_foreign_database": ("{database} belongs to another program; name an empty database", None),
    "hub_newer_ledger": (
        "{database} was written by a newer pegboard (schema {version}; this one knows {newest}); use that version",
        None,
    ),
    "hub_no_codes": (
        "no hub has run in {folder}, so there is no code; start one with pegboard hub, or name another folder with --state",
        None,
    ),
    "hub_no_ledger": ("no hub has saved anything in {folder}; name another folder with --state", None),
    "hub_no_psycopg": ("PostgreSQL needs psycopg 3; install it: {command}", None),
    "hub_no_sqlalchemy": ("the hub needs SQLAlchemy 2; install it: {command}", None),
    "hub_no_sqlalchemy_deb": (
        "the hub needs SQLAlchemy 2: sudo apt install python3-sqlalchemy; on Debian 12, where that is too old, sudo pip install --target /usr/local/lib/pegboard 'sqlalchemy>=2'",
        None,
    ),
    "hub_not_durable": ("the database does not flush commits to disk ({setting}); use one that does", None),
    "hub_old_sqlalchemy": (
        "SQLAlchemy {version} is too old; the hub needs 2.0 or newer; install it: {command}",
        None,
    ),
    "hub_old_sqlalchemy_deb": (
        "SQLAlchemy {version} is too old; the hub needs 2.0 or newer: sudo apt remove python3-sqlalchemy, then sudo pip install --target /usr/local/lib/pegboard 'sqlalchemy>=2'",
        None,
    ),
}
"""Messages shown only in terminals."""


# --- schedules and teams ---


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


# --- packages: refusals, and results that do not match when recomputed ---


PACKAGE_MESSAGES: Mapping[str, tuple[str, str | None]] = {
    # --- the file ---
    "package_digest": ("the package was altered: its content does not match its digest", None),
    "package_newer": ("the package has format {format}, from a newer pegboard; this one reads {known}", None),
    "package_no_json": ("not a package: it is not JSON, or was altered", None),
    "package_no_cryptography": ("packages need the cryptography library; install it: {command}", None),
    "package_none": ("the file is not an event package", None),
    "package_not_canonical": ("the package was altered: it is not in canonical form", None),
    "package_signature": ("the package was altered: its signature does not match its key and content", None),
    "package_too_dense": ("not an event package: it has too many small parts", None),
    "package_too_long": ("not a package: it is larger than {most} bytes", None),
    # --- keys and hubs ---
    "package_hub_name": ("a hub's name must have 1 to {most} characters", None),
    "package_hub_silent": ("the hub at {url} is not answering: {error}", None),
    "package_hub_unknown": (
        "signed by an unknown hub (fingerprint: {fingerprint}); to trust it, run pegboard hub verify --remember",
        None,
    ),
    "package_hubs_line": ("line {line} of {file} has no key; use 64 hexadecimal digits and a name", None),
    "package_hubs_unreadable": ("the known hubs in {path} cannot be read: {error}", None),
    "package_key_no_key": ("{path} does not contain a key; move the file elsewhere to create a new key", None),
    "package_key_unreadable": ("the hub key in {path} cannot be read: {error}", None),
    "package_log_altered": (
        "entry {number} in the log of {event} was changed after the hub wrote it, so the package cannot be signed; check the backups",
        None,
    ),
    "package_no_event": (
        "the event {event} has no log entries; `pegboard hub event list` lists open events",
        None,
    ),
    "package_no_url": ("{url} is not a hub address; use one such as http://192.168.1.20:8090", None),
    "package_refused_there": ("the hub at {url} refuses the package: {why}", None),
    # --- departures ---
    "package_departs": ("log entry {number} would be refused today: {why}", None),
    "package_games_differ": ("the games in the package do not match its log", None),
    "package_impossible_sheet": ("game {game}: its score sheet is impossible: {why}", None),
    "package_invariants_differ": ("the totals in the package do not match its log", None),
    "package_margin": ("game {game}: recorded margin {stored}, score sheet margin {derived}", None),
    "package_newer_rules": (
        "the event was played under rules version {version}; this pegboard knows {known} and cannot recompute it",
        None,
    ),
    "package_no_sheet": ("game {game}: its score sheet is missing", None),
    "package_not_derived": ("the package could not be recomputed ({error})", None),
    "package_numbering": ("log entry {number} is out of order: it is in place {place}", None),
    "package_other_sheet": ("game {game}: the score sheet is not the one named in the result", None),
    "package_qualifiers_differ": ("the qualifiers in the package do not match its log", None),
    "package_standings_differ": ("the standings in the package do not match its log", None),
    "package_winners_differ": ("the winners in the package do not match its log", None),
}
"""Messages about packages in terminals and on pages."""


# --- cutoff, ties, brackets and playoffs ---


PLAYOFF_MESSAGES: Mapping[str, tuple[str, str | None]] = {
    "playoffs_names_in_a_row": ("{others} and {last}", None),
    # --- the cutoff and its ties ---
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
    # --- playoffs ---
    "playoffs_length": ("a playoff must be best of {known} games, not {best_of}", None),
    # --- the consolation, rating points ---
    "playoffs_consolation_not_eligible": ("players chosen who cannot enter the consolation: {count}", None),
    "playoffs_rating_unknown": (
        "the rating sheets cover only {known} games, so a {event} of {games} has no rating points",
        None,
    ),
}
"""Playoff messages by key."""


# --- pots, shares of money and fees ---


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
"""Pot messages by key."""


# --- score cards, rulings, awards, standings and totals ---


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
    # --- rulings under rule 12.2 ---
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
    # --- why a ruling is not available ---
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
    # --- qualifying after a ruling: rule 12.2 (i) ---
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
"""Result messages by key."""


# --- a table in an event: joining, orders, calls, results ---


TABLE_MESSAGES: Mapping[str, tuple[str, str | None]] = {
    # --- joining ---
    "event_address": (
        "{text} is not an event code; use the six digits or the address from the director's screen, such as http://192.168.1.20:8090/t/482913",
        None,
    ),
    "event_answer": ("{hub} is not a hub; check the address", None),
    "event_ask_broker": ("send games to {address}? UNDO+DEAL: yes, UNDO: no", None),
    "event_ask_hub": ("join {address}? UNDO+DEAL: yes, UNDO: no", None),
    "event_ask_on_page": ("a director must confirm the hub's long address on the Event page", None),
    "event_broker_elsewhere": (
        "games for the hub {hub} are sent to another machine, {broker}; join the event?",
        None,
    ),
    "event_code_refused": ("the hub {hub} refuses the code {code}; see the director's desk", None),
    "event_code_unknown": ("the hub {hub} does not know the code {code}; check the director's screen", None),
    "event_code_used": ("the code {code} was used or has expired; ask the director for a new one", None),
    "event_confirm": ("only the table's keys or a director can confirm a hub's address", None),
    "event_director": ("leaving or changing events needs a director's code", None),
    "event_hub_busy": ("too many requests to the hub {hub}; wait a minute and try again", None),
    "event_hub_no_broker": ("the hub {hub} has no broker for this table; see the director's desk", None),
    "event_hubs": (
        "found several hubs ({hubs}); type a hub's address followed by the code, such as 192.168.1.20:8090/t/482913",
        None,
    ),
    "event_joined": ("this table is now table {label} of {event}", None),
    "event_joining": ("waiting for the hub to answer", None),
    "event_left": ("this table has left the event", None),
    "event_no_hub": (
        "no hub found; type the hub's address followed by the code (192.168.1.20:8090/t/482913), or give the hub's machine the name {host}",
        None,
    ),
    "event_none": ("this table is not in an event; join one first", None),
    "event_not_joined": ("this table has not joined an event; ask the director for a new code", None),
    "event_not_stored": ("the event could not be saved ({error}); nothing changed", None),
    "event_question_changed": ("the question is now about another hub; check its address", None),
    "event_set": ("this table's event is set in the settings file under [hub]; change it there", None),
    "event_unreachable": (
        "the hub {hub} is not answering ({error}); check that this table is on the same network",
        None,
    ),
    # --- keys ---
    "event_key_code": ("release UNDO to type an event code", None),
    "event_key_director": ("release UNDO to call the director", None),
    "event_key_director_end": ("release UNDO to cancel the director call", None),
    "event_key_leave": ("release UNDO to leave the event", None),
    "event_key_judge": ("release UNDO to call a judge", None),
    "event_key_judge_end": ("release UNDO to cancel the judge call", None),
    "event_typing": ("event code {code}: keys change the digit, DEAL next, UNDO back", None),
    # --- orders and games ---
    "event_game_on": ("only the director can abandon a game of {event} that has started", None),
    "event_next_unknown": ("the next game of {event} has not arrived yet; the director can start another", None),
    "card_in_event": ("during an event game, only the director can use this counter", None),
    "event_orders_form": ("the hub sent this table invalid data; tell the director", None),
    "event_orders_version": (
        "the hub sent version {version}, but this table knows only {known}; update pegboard",
        None,
    ),
    "event_order_unfit": ("the game from the hub cannot be played here: {fault}", None),
    "event_confirmed_by_phone": ("{names} confirmed by phone", None),
    "event_director_decided": ("the director has decided this game", None),
    # --- results ---
    "result_code_content": ("this result code is complete but makes no sense", None),
    "result_code_damaged": ("a character in this result code is wrong or missing; scan or type it again", None),
    "result_code_letters": (
        "this is not a result code; result codes use only the letters A to Z and the digits 2 to 7",
        None,
    ),
    "result_code_long": ("this game is too long for a QR code ({letters} characters; {most} fit)", None),
    "result_code_none": ("{game} is not a finished event game, so it has no result code", None),
    "result_code_version": (
        "this result code has version {version}, but this pegboard knows only {known}; update pegboard",
        None,
    ),
}
"""Messages of a table in an event; all are shown on pages, so they are translated."""

NIGHT_MESSAGES: Mapping[str, tuple[str, str | None]] = {
    # --- requests ---
    "night_director_only": ("only a director can decide that", None),
    "night_field": ("`{field}` must be {takes}", None),
    "night_field_unknown": ("there is no field `{field}` here; use {known}", None),
    "night_for_oneself": ("players can do that only for themselves; a director can do it for others", None),
    "night_moved": ("another decision (log entry {number}) came first; check the log and try again", None),
    "night_no_such_decision": ("there is no decision {do}; use {known}", None),
    "night_nobody_named": ("name the players in `player` or `players`", None),
    "night_other_table": ("table {table} can send only the results of its own games", None),
    "night_tables_only": ("only the hub can enter results from a table's score sheet", None),
    # --- the event ---
    "night_day": ("{date} is not a date; use one such as 2026-11-26", None),
    "night_ended": ("the event has ended; reopen it to change anything", None),
    "night_ended_already": ("the event has already ended", None),
    "night_not_ended": ("the event has not ended, so there is nothing to reopen", None),
    "night_not_open": ("no event is open yet; open one with a name and a date", None),
    "night_open_already": ("{name} is already open", None),
    "night_rules_same": ("the event already has these rules", None),
    # --- people ---
    "night_all_here": ("all these players are already checked in", None),
    "night_entry_same": ("{name}'s entry already has these details", None),
    "night_fee_back": ("{name} has paid {paid} cents, so no more can be refunded", None),
    "night_fee_nothing": (
        "{name}'s payment cannot be 0; enter an amount in cents, or no payment if there is no fee to pay",
        None,
    ),
    "night_gone_already": ("{name} has already left", None),
    "night_has_left": ("{name} has left; mark them as back instead", None),
    "night_is_here": ("{name} is already checked in", None),
    "night_name_blank": ("a name needs at least one letter", None),
    "night_name_twice": ("{name} is already on the roster; add a letter or a town to tell the two apart", None),
    "night_pair_long": (
        "the two names of a pair can have at most {most} characters in all; these have {letters}",
        None,
    ),
    "night_no_player": ("there is no player {player} on the roster", None),
    "night_not_gone": ("{name} has not left", None),
    "night_number_twice": ("number {number} belongs to {name}; leave the number out, or correct {name}'s entry", None),
    "night_player_known": ("{player} is already on the roster", None),
    "night_registration_closed": ("registration is closed; a director can reopen it to add {name}", None),
    "night_registration_closed_already": ("registration is already closed", None),
    "night_registration_open_already": ("registration is already open", None),
    # --- tables and schedule ---
    "night_draw_drops": ("{game} has a result, so it must stay in the schedule", None),
    "night_drawn_twice": ("{name} has two games in round {round}", None),
    "night_label_twice": ("another table is already called {label}", None),
    "night_no_game": ("{game} is not in the schedule; draw its round first, or check the schedule", None),
    "night_no_round": ("round {round} is not drawn; the last one is {last}", None),
    "night_no_table": ("there is no table {table}; add it first", None),
    "night_one_table": ("there is no other table; add one first", None),
    "night_round_begun": ("round {round} has already started", None),
    "night_table_id": ("{table} is not a valid table ID; use 1 to 32 characters from a-z 0-9 _ -", None),
    "night_table_in_use": ("{game} is being played at table {label}; move that game first", None),
    "night_table_same": ("the game is already at table {label}", None),
    "night_table_there": ("there is already a table {label}", None),
    "night_table_was_board": (
        "{table} is a pegboard from this event that may still send results; use another ID for a table that scores on paper",
        None,
    ),
    "night_text_unseen": ("{text} has invisible characters, as copied text sometimes does; retype it", None),
    "night_too_few": ("checked in: {count}; a game needs two players", None),
    # --- results ---
    "night_confirmed_already": ("{name} has already confirmed the result", None),
    "night_cut_closed": ("qualifying is closed; reopen it to change anything that affects it", None),
    "night_decided_already": ("a director has decided {game}; undo that decision to enter scorecards", None),
    "night_judge_values": ("a judge's own ruling needs the points and the net of both players", None),
    "night_not_in_game": ("{name} is not playing in {game}", None),
    "night_nothing_to_confirm": ("there is no result to confirm, from the table or from the other card", None),
    "night_nothing_to_play": ("you have no game to play now", None),
    "night_result_older": ("there is already a newer result for {game}", None),
    "night_other_result": (
        "{game}: both players confirmed another score sheet, from table {label}; undo that result to accept this one",
        None,
    ),
    "night_unclear_sheet": (
        "{game}: the table lost entries twice, so it is unclear which ending is the latest; enter both scorecards",
        None,
    ),
    "night_result_reopened": ("{game} was reopened at its table after this result", None),
    "night_result_there": ("{game} already has a result", None),
    "night_wrong_table": (
        "{game} is drawn for table {label}, but table {other} sent its result; move the game there to accept the result",
        None,
    ),
    # --- cutoff and brackets ---
    "night_ahead_bye": ("you are seed {seed}: a bye, then the winner of {one} and {other}", None),
    "night_ahead_consolation": ("no match for you now; a consolation can still be drawn", None),
    "night_ahead_open": ("you are {place} now, and {count} qualify; wait until qualifying closes", None),
    "night_ahead_seed": ("you are seed {seed} of {count}; wait for the bracket", None),
    "night_ahead_through": ("you are {place} of {count} qualifiers; wait for the bracket", None),
    "night_ahead_tied": (
        "you are tied at the cutoff (qualifiers: {count}); wait until the director breaks the tie",
        None,
    ),
    "night_ahead_unknown": ("you play on; your next opponent is not known yet", None),
    "night_ahead_winner": ("next you play the winner of {one} and {other}", None),
    "night_ahead_won": ("you won the bracket", None),
    "night_bracket_begun": (
        "games of the bracket {bracket} have been played; undo them first, starting with log entry {number}",
        None,
    ),
    "night_consolation_drawn": ("this consolation is already drawn", None),
    "night_consolation_waits": ("waiting for open bracket matches that decide who can enter: {count}", None),
    "night_cut_closed_already": ("qualifying is already closed", None),
    "night_bracket_misplaced": ("by the current results, these players do not belong in this bracket: {names}", None),
    "night_cut_differs": (
        "a correction has changed who would qualify; reopen qualifying to apply it",
        None,
    ),
    "night_cut_first": ("close qualifying first", None),
    "night_cut_is_closed": ("qualifying is closed; in the bracket: {names}", None),
    "night_cut_open_already": ("qualifying is already open", None),
    "night_cut_ready": ("qualifying can be closed; qualifiers: {count}", None),
    "night_games_open": ("games without a result: {count}; the first is {game}", None),
    "night_match_over": ("{name} has won this match", None),
    "night_match_waits": ("this match is waiting for another match", None),
    "night_no_bracket": ("the bracket {bracket} is not drawn yet", None),
    "night_no_games": ("no games are drawn yet", None),
    "night_no_such_tie": ("the names are only part of the tie; name everyone in it", None),
    "night_no_tie": ("there is no tie to break", None),
    "night_still_plays": ("{name} is still playing round {round}; finish that before entering a later game", None),
    "night_standing_stored": ("place {place} when the event ended", None),
    "night_standings_differ": (
        "the standings differ from those saved when the event ended; the saved ones count",
        None,
    ),
    # --- pots ---
    "night_no_pot": ("there is no pot {pot}; open it first", None),
    "night_pot_bracket_open": ("prizes depend on the bracket, which has no winner yet", None),
    "night_pot_by_standings": ("there is no bracket, so places come from the standings", None),
    "night_pot_empty": ("nobody is in {pot} yet", None),
    "night_pot_for_all": ("the event fee puts everyone in {pot}, so nobody can be added to it", None),
    "night_pot_four_of_a_kind": ("shared by players with four of a kind, one share each time", None),
    "night_pot_hand_24": ("shared by players with a 24 hand, one share each time", None),
    "night_pot_hand_28_29": ("a 29 hand wins all of it, a 28 hand half", None),
    "night_pot_high_non_qualifier": ("for the best player in the pot who does not qualify", None),
    "night_pot_hits_itself": ("{pot} is decided by the results themselves, so there are no hits to record", None),
    "night_pot_in": ("{name} is already in {pot}", None),
    "night_pot_kind": ("`kind` must be one of {kinds}", None),
    "night_pot_no_fee": ("prizes by place are paid from the event fees and have no fee of their own", None),
    "night_pot_no_scale": ("only prizes by place have a scale", None),
    "night_pot_not_in": ("{name} is not in {pot}; add them to the pot first", None),
    "night_pot_own_rule": ("paid out under a house rule", None),
    "night_pot_paid": ("{pot} is paid out; to change it, undo the payout", None),
    "night_pot_prizes": (
        "the event fees by place, {scale} percent; tied players share their places",
        None,
    ),
    "night_pot_prizes_there": ("there are already prizes by place; the event fees pay only one set", None),
    "night_pot_differs": ("by the current results, this pot would pay: {shares}", None),
    "night_pot_differs_nobody": ("by the current results, this pot would pay nobody", None),
    "night_pot_differs_open": ("by the current results, the winner of this pot is undecided again", None),
    "night_pot_q_pool": ("shared by the qualifiers in the pot", None),
    "night_pot_skunk_bank": ("each player who is skunked pays in, and the player with the most skunks wins it", None),
    "night_pot_there": ("the pot {pot} is already open", None),
    # --- announcements, calls, audit log ---
    "night_call_accepted": ("{name} is already coming", None),
    "night_call_answered": ("enough helpers are coming: {count}", None),
    "night_call_wanted": ("`for` must be one of {known}", None),
    "night_no_call": ("this call is already over", None),
    "night_no_decision": ("there is no log entry {number}", None),
    "night_undo_first": (
        "undo log entry {number} first, because it depends on this entry; without this entry, {why}",
        None,
    ),
    "night_undone_already": ("already undone by log entry {number}", None),
    "night_unknown_decision": ("a newer pegboard made the decision {do}, which this version cannot read", None),
    "night_words_blank": ("an announcement needs at least one letter", None),
    # --- waiting players ---
    "night_waits_busy": ("{name} is waiting for {other}, who is still playing round {round}", None),
    "night_waits_missing": ("{name} is waiting for {other}, who has not checked in", None),
    "night_waits_rests": ("{name} sits out round {round}", None),
    "night_waits_table": ("{name} is waiting for table {label}, where a game is in progress", None),
    # --- audit log ---
    "night_claim_lost": ("lost by {margin}", None),
    "night_claim_lost_blank": ("lost, no margin given", None),
    "night_claim_won": ("won by {margin}", None),
    "night_claim_won_blank": ("won, no margin given", None),
    "night_did_add_table": ("table {label} added", None),
    "night_did_announce": ("announced: {words}", None),
    "night_did_award": ("{game}: awarded against {name}", None),
    "night_did_bracket_forfeit": (
        "{match}: {other} is a no-show; games won by {name}: {games}",
        None,
    ),
    "night_did_bracket_game": ("{match}: {name} wins a game against {other} by {margin}", None),
    "night_did_bracket_win": ("{match}: {name} wins a game against {other}", None),
    "night_did_break_tie": ("tie broken: {names}", None),
    "night_did_check_in": ("checked in: {names}", None),
    "night_did_claim": ("{name}'s card, {game}: {claim}", None),
    "night_did_close_cut": ("qualifying closed: {names}", None),
    "night_did_close_registration": ("registration closed", None),
    "night_did_come_back": ("{name} is back", None),
    "night_did_confirm": ("{name} confirms {game}: {claim}", None),
    "night_did_correct": ("entry of {name} corrected", None),
    "night_did_draw": ("draw made; games: {games}, rounds: {rounds}", None),
    "night_did_draw_bracket": ("bracket {bracket} drawn", None),
    "night_did_draw_main": ("bracket drawn", None),
    "night_did_end": ("event ended", None),
    "night_did_enter": ("{name} added to the roster", None),
    "night_did_enter_pot": ("{name} added to {pot}", None),
    "night_did_forfeit": ("{game}: {name} forfeits", None),
    "night_did_leave": ("{name} left", None),
    "night_did_leave_pot": ("{name} removed from {pot}", None),
    "night_did_move": ("{game} moved to table {label}", None),
    "night_did_open": ("{name} opened", None),
    "night_did_open_again": ("event reopened", None),
    "night_did_open_cut": ("qualifying reopened", None),
    "night_did_open_pot": ("pot {pot} opened", None),
    "night_did_open_registration": ("registration reopened", None),
    "night_did_paper": ("{game}, both cards: {name} wins by {margin}", None),
    "night_did_pay": ("{name} paid {amount}", None),
    "night_did_pay_back": ("{amount} refunded to {name}", None),
    "night_did_pay_pot": ("{pot} paid out", None),
    "night_did_place_bracket": ("places in bracket {bracket} changed", None),
    "night_did_place_main": ("places in the bracket changed", None),
    "night_did_pot_hit": ("{name}: hit in {pot}", None),
    "night_did_remove_table": ("table {label} removed", None),
    "night_did_rule": ("{game}, ruling {letter}: {one} {net}, {other} {other_net}", None),
    "night_did_rules": ("rules changed: {changes}", None),
    "night_did_rules_first": ("rules set", None),
    "night_rule_best_of": ("bracket matches {before} → {after}", None),
    "night_rule_currency": ("currency {before} → {after}", None),
    "night_rule_cut": ("qualifiers {before} → {after}", None),
    "night_rule_fee": ("fee {before} → {after}", None),
    "night_rule_format": ("format", None),
    "night_rule_games": ("games per player {before} → {after}", None),
    "night_rule_movement": ("movement", None),
    "night_rule_odd": ("odd numbers of players and games", None),
    "night_rule_order": ("tie-breaks", None),
    "night_rule_points": ("game points", None),
    "night_rule_table_games": ("games per table", None),
    "night_rules_and": ("{rule}, {others}", None),
    "night_did_start_round": ("round {round} started", None),
    "night_did_table_confirmed": ("{result}, confirmed by {names}", None),
    "night_did_table_result": ("{game}, from the table: {name} wins by {margin}", None),
    "night_did_table_withdrawal": (
        "{game}, from the table: a finished score sheet was reopened",
        None,
    ),
    "night_match": ("round {round}, match {number}", None),
    "night_match_of": ("{bracket}, {match}", None),
    "night_did_undo": ("log entry {number} undone", None),
    "night_did_undo_also": ("log entry {number} undone, with the entries that depended on it: {also}", None),
    "night_did_unknown": ("a decision from a newer pegboard: {do}", None),
    # --- files and seasons ---
    "night_file_cells": (
        "more cells ({cells}) than headings ({columns}); put names with a comma in quotes",
        None,
    ),
    "night_file_column_twice": ("{one} and {other} name the same column; keep one of them", None),
    "night_file_columns_left": ("columns that were not imported: {columns}", None),
    "night_file_lines_left": ("lines with nothing new: {count}", None),
    "night_file_columns": (
        "the first line must name the columns: for a roster, {known}, including a name column; for results, {results}",
        None,
    ),
    "night_file_empty": ("the file is empty", None),
    "night_file_games": ("{one} and {other} meet more than once; add a column `round`", None),
    "night_file_line": ("line {line}: {why}", None),
    "night_file_long": ("the file has more than {most} lines", None),
    "night_file_margin": ("a margin must be a number of holes from 1 to {most}, not {value}", None),
    "night_file_no_csv": (
        "not a CSV file: use commas between cells, and quotes around cells that contain commas",
        None,
    ),
    "night_file_no_game": ("{one} and {other} have no game (round {round})", None),
    "night_file_no_name": ("{name} is not on the roster", None),
    "night_file_other_result": (
        "the game of {one} and {other} has a different result; if the file is right, correct the result at the desk",
        None,
    ),
    "night_file_result_columns": (
        "a results file needs both players, and either the winner and margin or the first player's net; known columns: {known}",
        None,
    ),
    "night_file_twice": (
        "line {line} repeats the game of {one} and {other} from line {first}; nothing was imported",
        None,
    ),
    "night_file_winner": ("the winner must be {one} or {other}", None),
    "night_file_word": ("{column} must be yes or no, not {value}", None),
    "night_not_rated": ("{why}; events without rating points for that reason: {count}", None),
    "night_season_twice": ("{name} ({date}) was imported twice and counts once", None),
    "night_season_twin": (
        "{name} has one row without a number and one with {number}; if they are the same person, correct the entry",
        None,
    ),
}
"""Messages on the pages of an event."""
