"""Messages of a table in an event: joining, orders, calls, results: key, English template, no anchor."""

from collections.abc import Mapping

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
"""All are shown on pages, and so translated."""
