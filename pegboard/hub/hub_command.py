"""The command `pegboard hub`: runs a hub; its `event` opens events, its `acl` prints the broker's access list."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from pegboard.commandline import parameters
from pegboard.commandline.exits import LazyCommands
from pegboard.commandline.help_layout import Documented, DocumentedGroup
from pegboard.commandline.state_owner import require_readable
from pegboard.commandline.streams import echo_line
from pegboard.config import WebSettings
from pegboard.hub.broker_accounts import HUB_USER, access_list
from pegboard.hub.hub_folder import HubPlace, hub_state_option, own_state_option
from pegboard.hub.ledger.hub_errors import require_sqlalchemy
from pegboard.mqtt.broker_session import BrokerAddress, parse_broker_url, read_password

SUBCOMMANDS: dict[str, str] = {
    "broker": "pegboard.hub.broker_command:broker",
    "code": "pegboard.startup.hub.hub_code_command:tell_code",
    "package": "pegboard.hub.packages.package_commands:package",
    "upload": "pegboard.hub.packages.package_commands:upload",
    "verify": "pegboard.hub.packages.package_commands:verify",
}
"""Commands of other modules by name, "module:variable", which are loaded only for who types them."""

DEMO_OPTIONS = ("demo", "demo_speed", "port")
"""The options that the demo heeds."""

READABLE = click.Path(exists=True, dir_okay=False)

database_option = click.option(
    "--database",
    metavar="URL",
    help="Database: sqlite:////FOLDER/FILE or postgresql://USER:PASSWORD@HOST/NAME (default: a file in --state).",
)


@click.group(
    "hub",
    cls=DocumentedGroup,
    commands=LazyCommands(SUBCOMMANDS),
    invoke_without_command=True,
    short_help="Run the hub of an event.",
)
@database_option
@hub_state_option
@click.option(
    "--broker",
    metavar="URL",
    help="MQTT broker: mqtt://HOST:PORT, or mqtts://HOST:PORT for TLS (default: the one set up by hub broker).",
)
@click.option(
    "--user", metavar="NAME", default="", help="User name at the broker (default: the one made by hub broker)."
)
@click.option("--password-file", type=READABLE, metavar="FILE", help="File whose first line is the password.")
@click.option("--ca", "ca_file", type=READABLE, metavar="FILE", help="Trusted certificates (PEM).")
@click.option("--certificate", type=READABLE, metavar="FILE", help="The hub's own certificate (PEM).")
@click.option("--key", type=READABLE, metavar="FILE", help="That certificate's private key (PEM).")
@click.option(
    "--tables-broker",
    metavar="URL",
    help="Broker address for tables (default: --broker, or this machine's network address).",
)
@click.option(
    "--host",
    metavar="ADDRESS",
    default="0.0.0.0",  # noqa: S104 - phones must reach it
    show_default=True,
    help="Address for the web pages.",
)
@click.option(
    "--port", type=parameters.PORT, metavar="PORT", default=8090, show_default=True, help="Port for the web pages."
)
@click.option(
    "--pages-certificate",
    type=READABLE,
    metavar="FILE",
    help="HTTPS certificate (PEM, with its chain).",
)
@click.option("--pages-key", type=READABLE, metavar="FILE", help="That certificate's private key (PEM).")
@click.option(
    "--demo", is_flag=True, help="Run a demo event with eleven simulated tables on this machine; nothing is saved."
)
@click.option(
    "--demo-speed",
    type=click.FloatRange(1, 10_000),
    metavar="TIMES",
    default=30,
    show_default=True,
    help="How many times faster than people the demo plays.",
)
@click.pass_context
def hub(
    context: click.Context,
    /,
    *,
    database: str | None,
    state: Path,
    broker: str | None,
    tables_broker: str | None,
    host: str,
    port: int,
    pages_certificate: str | None,
    pages_key: str | None,
    demo: bool,
    demo_speed: float,
    **more: Any,
) -> None:
    """Run the hub of an event: it collects results from tables and phones and serves the director's desk."""
    if demo and context.invoked_subcommand is None:
        _refuse_beside_demo(context)
        require_sqlalchemy()
        from pegboard.hub.demo.demo_program import run_demo

        return run_demo(port, demo_speed)
    context.obj = place = HubPlace(state, database)
    if context.invoked_subcommand is not None:
        return None
    require_sqlalchemy()
    from pegboard.startup.hub.hub_service import HubOptions, run_hub

    if bool(pages_certificate) is not bool(pages_key):
        raise click.UsageError("--pages-certificate and --pages-key must be used together")
    if tables_broker is not None:
        parse_broker_url(tables_broker)
    place.act_as_owner()
    web = WebSettings(host=host, port=port, certificate=pages_certificate or "", key=pages_key or "")
    return run_hub(HubOptions(place.database, place.folder, _address(broker, **more), tables_broker, web))


hub.examples = (
    "hub --demo",
    "hub",
    "hub --broker mqtts://broker.local --user hub --password-file hub.secret",
)


def _refuse_beside_demo(context: click.Context) -> None:
    """See that no option was given that the demo would ignore.

    Raises:
        click.UsageError: one was.
    """
    for option in context.command.params:
        given = context.get_parameter_source(option.name or "") is ParameterSource.COMMANDLINE
        if given and option.name not in DEMO_OPTIONS:
            raise click.UsageError(f"the demo runs on this machine only: leave out {option.opts[0]}")


def _address(  # noqa: PLR0917 - as the options are
    broker: str | None,
    user: str,
    password_file: str | None,
    ca_file: str | None,
    certificate: str | None,
    key: str | None,
) -> BrokerAddress | None:
    """The broker, and who the hub is there; None where nothing is said of it.

    Raises:
        DeviceError: the URL is none, or the password cannot be read.
    """
    if key is not None and certificate is None:
        raise click.UsageError("--key needs --certificate")
    password = read_password(password_file, "--password-file") if password_file else None
    files = {"ca_file": ca_file or "", "certificate": certificate or "", "key": key or ""}
    own: dict[str, Any] = {"user": user, "password": password, **files}
    if broker is None and not any(own.values()):
        return None
    return replace(parse_broker_url(broker or "mqtt://127.0.0.1"), **own)


@hub.group("event", cls=DocumentedGroup, short_help="Open events or list them.")
def hub_event() -> None:
    """Open events or list them. The hub accepts messages only for open events."""


@hub_event.command("open", cls=Documented, examples=("hub event open club-night",))
@click.argument("name", type=parameters.TYPED)
@click.option("--label", type=parameters.TYPED, metavar="TEXT", default="", help="Display name (default: NAME).")
@own_state_option
@click.pass_obj
def open_event(place: HubPlace, name: str, label: str) -> None:
    """Open the event NAME.

    NAME is 1 to 32 lowercase letters, digits, _ or -. A running hub picks up the new event.
    """
    require_sqlalchemy()
    from pegboard.hub.ledger.ledger import open_ledger

    place.act_as_owner()
    with open_ledger(place.database) as ledger:
        found = ledger.open_event(name, label)
    echo_line(f"Event {found.name} ({found.label}) is open.")


@hub_event.command("list", cls=Documented)
@own_state_option
@click.pass_obj
def list_events(place: HubPlace) -> None:
    """List open events, oldest first."""
    require_sqlalchemy()
    from pegboard.hub.ledger.ledger import open_ledger

    require_readable(place.folder)
    place.require_database()
    place.act_as_owner()
    with open_ledger(place.database) as ledger:
        for one in ledger.open_events():
            echo_line(f"{one.name:<32}  {one.label}")


@hub.command("acl", cls=Documented, examples=("hub acl > /etc/mosquitto/pegboard.acl",))
@click.option("--hub-user", metavar="NAME", default=HUB_USER, show_default=True, help="The hub's user name.")
def print_access_list(hub_user: str) -> None:
    """Print the access list for Mosquitto.

    Each table can read and write only its own topics.
    """
    click.echo(access_list(hub_user), nl=False)
