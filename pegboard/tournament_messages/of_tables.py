"""Messages of a table in an event: joining, orders, calls, results: key, English template, no anchor."""

from collections.abc import Mapping

TABLE_MESSAGES: Mapping[str, tuple[str, str | None]] = {
    # --- joining ---
    "event_address": (
        "{text} is no code of an event: six digits are taken, or the address from the director's screen, such as http://192.168.1.20:8090/t/482913",
        None,
    ),
    "event_answer": ("what answers at {hub} is no hub; look at the address again", None),
    "event_ask_broker": ("send games to {address}? UNDO+DEAL: yes, UNDO: no", None),
    "event_ask_hub": ("join {address}? UNDO+DEAL: yes, UNDO: no", None),
    "event_ask_on_page": ("a director confirms the hub's long address on the page Event", None),
    "event_broker_elsewhere": (
        "the hub {hub} has the games sent to another machine, {broker}; join the event?",
        None,
    ),
    "event_code_refused": ("the hub {hub} refuses the code {code}; look at the director's desk", None),
    "event_code_unknown": ("the hub {hub} knows no code {code}; look at the director's screen again", None),
    "event_code_used": ("the code {code} has been used, or is too old; the director makes another", None),
    "event_confirm": ("the address of a hub is confirmed at the keys of the table, or by a director", None),
    "event_director": ("a table leaves its event, or joins another one, by the director's code", None),
    "event_hub_busy": ("the hub {hub} is asked too often; wait a minute and try again", None),
    "event_hub_no_broker": ("the hub {hub} has no broker for this table; look at the director's desk", None),
    "event_hubs": (
        "several hubs are here ({hubs}): type the address of one with the code, such as 192.168.1.20:8090/t/482913",
        None,
    ),
    "event_joined": ("this table is table {label} of {event}", None),
    "event_joining": ("the hub has the code, and will answer", None),
    "event_left": ("this table plays in no event now", None),
    "event_no_hub": (
        "no hub is known here: type its address with the code (192.168.1.20:8090/t/482913), or name its machine {host}",
        None,
    ),
    "event_none": ("this table plays in no event; join one first", None),
    "event_not_joined": ("this table joins no event; the director can make another code", None),
    "event_not_stored": ("the event could not be stored ({error}), so nothing has changed", None),
    "event_question_changed": ("another hub is asked about now; look at its address again", None),
    "event_set": ("the event of this table stands in its settings, [hub]; change it there", None),
    "event_unreachable": ("the hub {hub} does not answer ({error}); is this table in the same network?", None),
    # --- keys ---
    "event_key_code": ("let UNDO go to type the code of an event", None),
    "event_key_director": ("let UNDO go to call the director", None),
    "event_key_director_end": ("let UNDO go to take the call for the director back", None),
    "event_key_leave": ("let UNDO go to leave the event", None),
    "event_key_judge": ("let UNDO go to call a judge", None),
    "event_key_judge_end": ("let UNDO go to take the call for a judge back", None),
    "event_typing": ("event code {code}: keys change the digit, DEAL goes on, UNDO goes back", None),
    # --- orders and games ---
    "event_game_on": ("a game of {event} that has begun is given up by the director", None),
    "event_next_unknown": ("the next game of {event} has not come yet; the director can begin another", None),
    "card_in_event": ("while a game of an event is played, nobody but the director counts by this page", None),
    "event_orders_form": ("what the hub has sent for this table makes no sense", None),
    "event_orders_version": (
        "the hub has sent orders of version {version}, and {known} is known here; update pegboard",
        None,
    ),
    "event_order_unfit": ("the game that the hub has sent cannot be played here: {fault}", None),
    "event_confirmed_by_phone": ("{names} confirmed by phone", None),
    "event_director_decided": ("the director has decided this game", None),
    # --- results ---
    "result_code_content": ("this result code makes no sense, though no letter of it is wrong", None),
    "result_code_damaged": ("a letter of this result code is wrong or missing; scan or type it again", None),
    "result_code_letters": ("this is no result code: those have letters A to Z and digits 2 to 7", None),
    "result_code_long": ("this game has too many lines for a QR code ({letters} letters; {most} fit)", None),
    "result_code_none": ("{game} is no finished game of an event, so it has no result code", None),
    "result_code_version": (
        "this result code is of version {version}, and {known} is known here; update pegboard",
        None,
    ),
}
"""All are shown on pages, and so translated."""
