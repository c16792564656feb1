"""What the pages of a hub refuse: at the door, at the desk, on phones."""

from collections.abc import Mapping

DESK_MESSAGES: Mapping[str, tuple[str, str | None]] = {
    "desk_alarm_number": ("`alarm` is the number of an alarm", None),
    "desk_blank_cards": ("blank cards are printed 1 to {most} at once", None),
    "desk_busy": ("others decide at this very moment; try again", None),
    "desk_call_do": ("a call is made by `call`, accepted by `accept_call`, and ended by `end_call`", None),
    "desk_call_own": ("judges come from other tables", None),
    "desk_call_own_table": ("a call comes from the table that one plays at", None),
    "desk_call_table": ("a call names a table of the night, so that somebody can come", None),
    "desk_card_code": ("no score card of a night that goes on has this code", None),
    "desk_director_code": (
        "no director's code of this hub, or no longer one; pegboard hub code prints another, a desk too, under Log",
        None,
    ),
    "desk_door_code": ("the door shows another code by now; it changes each minute, so scan it again", None),
    "desk_name_twice": (
        "{name} is on the roster: choose that in the list, or use your score card's code; if not you, add a letter",
        None,
    ),
    "desk_here_already": (
        "{name} is here already; if this is another phone of yours, the code on your score card connects it",
        None,
    ),
    "desk_code_form": ("a code has {length} letters and digits, such as 7KQ2AB; type it once more", None),
    "desk_code_undone": (
        "the result of this code was undone by entry {number} of the log; undo that entry, and it counts again",
        None,
    ),
    "desk_id": ("`id` is 16 to 64 letters of A-Z a-z 0-9 - _, another one for each tap", None),
    "desk_id_reused": ("the id {id} is that of another request", None),
    "desk_no_account": (
        "the broker knows {tables} tables by their numbers, and no {table}; make more accounts by pegboard hub broker",
        None,
    ),
    "desk_no_broker": (
        "the hub is not connected to a broker, so no table could reach it; pegboard hub broker sets one up",
        None,
    ),
    "desk_no_night": ("there is no night {night}", None),
    "desk_no_player": (
        "this phone is no player's yet; scan the code at the door, or the one on your score card",
        None,
    ),
    "desk_no_such_player": ("this name is no longer on the list", None),
    "desk_no_view": ("there is no view {view}; there are director, screen and player", None),
    "desk_not_your_card": ("this is another player's card", None),
    "desk_other_game_hole": (
        "the game was played to hole {hole}, and the night plays to {due}; let them play it anew, or decide it",
        None,
    ),
    "desk_packages_busy": ("other packages are being received; send this one again in a moment", None),
    "desk_phones_file": (
        "whose phones were disconnected cannot be read or stored in {path}: {error}",
        None,
    ),
    "desk_result_not_sealed": (
        "this code is not sealed by a table that joined this night, so a director has to scan it, at the table",
        None,
    ),
    "desk_result_of_no_game": ("the code is of a game that this night has not drawn, or that is not over", None),
    "desk_seat_gone": (
        "this code has been used, or its quarter of an hour is over; the desk makes another one",
        None,
    ),
    "desk_seat_unknown": ("no table waits for this code; the desk shows the right one", None),
    "desk_short_code": (
        "a director's phone takes this short code, and anybody's the whole one that the table's own page shows",
        None,
    ),
    "desk_short_names": (
        "{game}: the names at the table are others, so the code cannot tell who sat where; enter what both cards say",
        None,
    ),
    "desk_short_other_sheet": (
        "{game}: its table has sent another result than this code has; look at the board, and rule which counts",
        None,
    ),
    "desk_short_reopened": (
        "{game} was opened again at its table, and a short code cannot tell which end it shows; enter both cards",
        None,
    ),
    "desk_short_unconfirmed": ("both players have to confirm the game at its table before its code counts", None),
    "desk_too_many_arrivals": (
        "many players have come in from this address just now; the next one can in {seconds} s",
        None,
    ),
    "desk_too_many_of_a_player": (
        "a player decides {most} times a night at most; the desk enters what is still missing",
        None,
    ),
}
"""Rows by key: the English template, and no line of the rules page."""
