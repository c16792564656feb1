"""The command `hub code`: prints a code that makes a browser a director's at the hub."""

import click

from pegboard.commandline.help_layout import Documented
from pegboard.commandline.state_owner import require_readable
from pegboard.commandline.streams import echo_line
from pegboard.hub.hub_folder import HubPlace, own_state_option
from pegboard.startup.start_notice import clock


@click.command("code", cls=Documented, short_help="Print a director's code.", examples=("hub code",))
@own_state_option
@click.pass_obj
def tell_code(place: HubPlace) -> None:
    """Print a code that signs a browser in as director at the hub. It works once; earlier codes become invalid."""
    from web.access.invitation import in_terminal  # noqa: PLC0415 - only where the hub has been run
    from web.access.pairing_codes import Codes  # noqa: PLC0415 - likewise
    from web.access.pairing_file import StateFileError  # noqa: PLC0415 - likewise

    require_readable(place.folder)
    place.act_as_owner()
    try:
        codes = Codes.of_table(place.folder)
    except StateFileError as error:
        if error.message.key != "codes_missing":
            raise
        raise StateFileError("hub_no_codes", folder=place.folder) from error
    hub = codes.table
    code = codes.director()
    until = clock(codes.as_wall_time(code.until))
    echo_line(f"{code.text} signs in one browser as director, until {until}.")
    if hub is None:
        return
    address = f"{hub.url}j/{code.text}"
    echo_line(f"Open {address}" + ("" if hub.reach != "network" else ", or scan this:"))
    if not hub.is_running:
        echo_line("The hub is not running; the code will work once it is started with pegboard hub.")
    if hub.reach == "network":
        click.echo(in_terminal(address))
