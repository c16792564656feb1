"""The command `join`: joins an event with a code, or leaves it, whether the table is running or not."""

import contextlib
from pathlib import Path

import click

from pegboard.cli import parameters
from pegboard.cli.command_groups import Documented
from pegboard.cli.parameters import act_as_owner
from pegboard.errors import JournalError
from pegboard.messages import Message, capitalize
from pegboard.mqtt.joined_event import read_joined, write_joined
from pegboard.startup.hub_connection import joined_event_of, machine_name, search_hubs
from pegboard.storage.games import History
from pegboard.streams import echo_line
from pegboard.table.event_table import EventFiles, find_announced, hand_in_or_find
from pegboard.table.joining import JoinError, names_one_machine, post_json, read_join_text


@click.command(
    cls=Documented,
    short_help="Join a club night or tournament with a code.",
    examples=("join 482913", "join http://192.168.1.20:8090/t/482913", "join --leave"),
)
@click.argument("code", metavar="CODE", required=False)
@click.option("--leave", is_flag=True, help="Leave the event.")
@parameters.state_option
def join(code: str | None, leave: bool, state: Path) -> None:
    """Join the event with the CODE on the director's screen.

    CODE is the six-digit code or the address in the QR code next to it. A six-digit code is tried at the last hub used,
    then at a hub announced on this network, then at pegboard-hub.local. A running table picks up the change within a
    second, unless its settings name a hub.
    """
    if (code is None) is not leave:
        raise click.UsageError("give a CODE or use --leave")
    act_as_owner(state)
    echo_line(capitalize(_leave(state) if code is None else _join(state, code)))


def _join(state: Path, text: str) -> Message:
    """Submit the code, and store the table's place in the event.

    Raises:
        JoinError: the code is invalid, no hub answers, the hub refuses, or the place could not be stored.
    """
    files = EventFiles(state)
    address = read_join_text(text, files.last_hub())
    if not address.is_known:
        address = find_announced(address, search_hubs()) or address
    place, address = hand_in_or_find(address, machine_name(), post_json, search_hubs)
    if not names_one_machine(place.broker, address.hub):
        click.confirm(str(Message("event_broker_elsewhere", hub=address.hub, broker=place.broker)), abort=True)
    newest = 0
    with contextlib.suppress(JournalError):  # no game has been played at this table
        newest = History(state).revision()
    try:
        state.mkdir(parents=True, exist_ok=True)
        write_joined(state, joined_event_of(place, newest))
        files.write(address.hub, None)
    except OSError as error:
        raise JoinError("event_not_stored", error=error.strerror or str(error)) from error
    return Message("event_joined", label=place.label, event=place.event_name)


def _leave(state: Path) -> Message:
    """Store that the table has left its event.

    Raises:
        JoinError: the table has not joined an event, or the change could not be stored.
    """
    if read_joined(state) is None:
        raise JoinError("event_none")
    try:
        write_joined(state, None)
    except OSError as error:
        raise JoinError("event_not_stored", error=error.strerror or str(error)) from error
    return Message("event_left")
