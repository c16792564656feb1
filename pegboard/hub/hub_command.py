"""The command `pegboard hub`: runs a hub; its `event` opens events, its `acl` prints the broker's access list."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from pegboard.commandline import parameters
from pegboard.commandline.exits import LazyCommands
from pegboard.commandline.help_layout import Documented, DocumentedGroup
from pegboard.commandline.state_owner import act_as_owner
from pegboard.commandline.streams import echo_line
from pegboard.hub.ledger.sqlalchemy_version import require_sqlalchemy
from pegboard.hub.transport.access_list import access_list
from pegboard.hub_protocol.broker_address import BrokerAddress, parse_broker_url, read_password

FILE = "hub.db"
"""The hub's database in the state folder, unless another is named."""

HUB_USER = "hub"
"""The user name of the hub at its broker, unless another is named."""

SUBCOMMANDS: dict[str, str] = {
    "package": "pegboard.hub.packages.package_commands:package",
    "upload": "pegboard.hub.packages.package_commands:upload",
    "verify": "pegboard.hub.packages.package_commands:verify",
}
"""Commands of other modules by name, "module:variable", which are loaded only for who types them."""

READABLE = click.Path(exists=True, dir_okay=False)

database_option = click.option(
    "--database",
    metavar="URL",
    help="Where all is stored: sqlite:////FOLDER/FILE or postgresql://USER:PASSWORD@HOST/NAME; else a file of --state.",
)


def _database_url(database: str | None, state: Path) -> str:
    if database is None:
        act_as_owner(state)
    return database or f"sqlite:///{(state / FILE).absolute()}"


@click.group(
    "hub",
    cls=DocumentedGroup,
    commands=LazyCommands(SUBCOMMANDS),
    invoke_without_command=True,
    short_help="Run the hub of a tournament night.",
)
@database_option
@parameters.state_option
@click.option(
    "--broker",
    metavar="URL",
    default="mqtt://127.0.0.1",
    show_default=True,
    help="The MQTT broker that tables and hub meet at: mqtt://HOST:PORT, or mqtts://HOST:PORT encrypted.",
)
@click.option("--user", metavar="NAME", default="", help="The hub's user name at the broker.")
@click.option("--password-file", type=READABLE, metavar="FILE", help="File whose first line is its password.")
@click.option("--ca", "ca_file", type=READABLE, metavar="FILE", help="Certificates that are trusted (PEM).")
@click.option("--certificate", type=READABLE, metavar="FILE", help="The hub's own certificate (PEM).")
@click.option("--key", type=READABLE, metavar="FILE", help="That certificate's private key (PEM).")
@click.option("--port", type=parameters.PORT, metavar="PORT", default=8090, show_default=True, help="The pages' port.")
@click.option(
    "--demo", is_flag=True, help="Show a night of eleven simulated tables on this machine; nothing is stored."
)
@click.option(
    "--demo-speed",
    type=click.FloatRange(1, 10_000),
    metavar="TIMES",
    default=30,
    show_default=True,
    help="How many times faster than people they play.",
)
@click.pass_context
def hub(
    context: click.Context,
    /,
    *,
    database: str | None,
    state: Path,
    broker: str,
    port: int,
    demo: bool,
    demo_speed: float,
    **more: Any,
) -> None:
    """Run the hub of a tournament night: it stores what tables send, and answers for every result."""
    if demo and context.invoked_subcommand is None:
        require_sqlalchemy()
        from pegboard.hub.demo.demo_program import run_demo

        return run_demo(port, demo_speed)
    context.obj = _database_url(database, state)
    if context.invoked_subcommand is not None:
        return None
    require_sqlalchemy()
    from pegboard.startup.hub_service import HubOptions, run_hub

    return run_hub(HubOptions(context.obj, _address(broker, **more), port))


hub.examples = (
    "hub --demo",
    "hub event open club-night",
    "hub --broker mqtts://broker.local --user hub --password-file hub.secret",
    "hub acl > /etc/mosquitto/pegboard.acl",
)


def _address(  # noqa: PLR0917 - as the options are
    broker: str,
    user: str,
    password_file: str | None,
    ca_file: str | None,
    certificate: str | None,
    key: str | None,
) -> BrokerAddress:
    """The broker, and who the hub is there.

    Raises:
        DeviceError: the URL is none, or the password cannot be read.
    """
    if key is not None and certificate is None:
        raise click.UsageError("--key goes with --certificate")
    password = read_password(password_file, "--password-file") if password_file else None
    files = {"ca_file": ca_file or "", "certificate": certificate or "", "key": key or ""}
    own: dict[str, Any] = {"user": user, "password": password, **files}
    return replace(parse_broker_url(broker), **own)


@hub.group("event", cls=DocumentedGroup, short_help="Open an event, or list those that are open.")
def hub_event() -> None:
    """Open an event, or list those that are open: from no other does a table's message count."""


@hub_event.command("open", cls=Documented, examples=("hub event open club-night",))
@click.argument("name", type=parameters.TYPED)
@click.option("--label", type=parameters.TYPED, metavar="TEXT", default="", help="What it is called; else its NAME.")
@click.pass_obj
def open_event(database: str, name: str, label: str) -> None:
    """Open the event NAME (1 to 32 small letters, digits, _ and -); a hub that runs hears of it."""
    require_sqlalchemy()
    from pegboard.hub.ledger.ledger import open_ledger

    with open_ledger(database) as ledger:
        found = ledger.open_event(name, label)
    echo_line(f"Event {found.name} ({found.label}) is open.")


@hub_event.command("list", cls=Documented)
@click.pass_obj
def list_events(database: str) -> None:
    """List the events that are open, oldest first."""
    require_sqlalchemy()
    from pegboard.hub.ledger.ledger import open_ledger

    with open_ledger(database) as ledger:
        for one in ledger.open_events():
            echo_line(f"{one.name:<32}  {one.label}")


@hub.command("acl", cls=Documented, examples=("hub acl > /etc/mosquitto/pegboard.acl",))
@click.option("--hub-user", metavar="NAME", default=HUB_USER, show_default=True, help="The hub's user name.")
def print_access_list(hub_user: str) -> None:
    """Print the access list for Mosquitto: a table writes and reads what is its own, and nothing else."""
    click.echo(access_list(hub_user), nl=False)
