"""What the pages of a hub refuse: at the door, at the desk, on phones."""

from collections.abc import Mapping

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
"""Rows by key: the English template, and no line of the rules page."""
