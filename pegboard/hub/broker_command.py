"""The command `hub broker`: writes the files that let Mosquitto know the hub and its tables."""

import shlex
from pathlib import Path

import click

from pegboard.commandline import parameters
from pegboard.commandline.help_layout import Documented
from pegboard.commandline.streams import echo_line
from pegboard.hub.broker_accounts import MOSQUITTO_FILES, make_accounts, mosquitto_files
from pegboard.hub.hub_folder import HubPlace, own_state_option
from pegboard.mqtt.broker_session import PORT
from pegboard.storage.state_files import create_private

MOST_TABLES = 1000

WHERE = Path("/etc/mosquitto/conf.d")
"""The folder of Debian's Mosquitto for what others add to its configuration."""


@click.command(
    "broker",
    cls=Documented,
    short_help="Write Mosquitto configuration for the hub and its tables.",
    examples=("hub broker for-mosquitto", "hub broker for-mosquitto --tables 100"),
)
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option(
    "--tables",
    type=click.IntRange(1, MOST_TABLES),
    metavar="N",
    default=60,
    show_default=True,
    help="Make accounts for tables 1 to N.",
)
@click.option("--listen", type=parameters.PORT, metavar="PORT", default=PORT, show_default=True, help="Broker's port.")
@own_state_option
@click.pass_obj
def broker(place: HubPlace, folder: Path, tables: int, listen: int) -> None:
    """Write a configuration, an access list and hashed passwords for Mosquitto to FOLDER.

    The plain passwords stay in the hub's folder; each table gets its own when it joins. Existing passwords are kept.
    """
    folder.mkdir(parents=True, exist_ok=True)
    opened = {}
    for name in MOSQUITTO_FILES:  # before this goes on as the account of the hub's folder, which may not write here
        create_private(folder / name)
        opened[name] = (folder / name).open("w", encoding="utf-8")
    place.act_as_owner()
    for name, text in mosquitto_files(make_accounts(place.folder, tables, listen), WHERE).items():
        with opened[name] as file:
            file.write(text)
    echo_line(f"Wrote accounts for the hub and {tables} tables to {folder}. For Mosquitto on this machine, run:")
    echo_line(f"  sudo install -o mosquitto -m 600 {shlex.quote(str(folder))}/pegboard.* {WHERE}/")
    echo_line("  sudo systemctl restart mosquitto")
    echo_line("Then start or restart the hub.")
