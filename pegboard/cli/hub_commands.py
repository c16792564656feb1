"""The command `pegboard hub` and its subcommands: run a hub, manage events, packages, codes and broker accounts."""

import contextlib
import json
import os
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO

import click
from click.core import ParameterSource

from pegboard.cli import parameters
from pegboard.cli.command_groups import Documented, DocumentedGroup, LazyCommands
from pegboard.cli.parameters import Folder, act_as_owner, open_folder_of, open_in, require_readable
from pegboard.config import WebSettings
from pegboard.hub.broker_accounts import HUB_USER, MOSQUITTO_FILES, access_list, make_accounts, mosquitto_files
from pegboard.hub.ledger.hub_errors import HubError, require_sqlalchemy
from pegboard.hub.packages.hub_keys import PackageRefused, add_known_hub, fingerprint, hubs_known_here, load_or_make_key
from pegboard.hub.packages.night_package import MOST_BYTES
from pegboard.hub.packages.package_exchange import send_package
from pegboard.hub.packages.verification import VerifiedPackage, verified_json, verified_lines, verify_package
from pegboard.install.host import default_hub_folder
from pegboard.mqtt.broker_session import PORT, BrokerAddress, parse_broker_url, read_password
from pegboard.startup.start_notice import clock
from pegboard.storage.state_files import create_private
from pegboard.streams import echo_line

# --- the hub's folder: key, codes and broker accounts ---


FILE = "hub.db"
"""Default file name of the hub's database in the hub's folder."""

SQLITE_URL = "sqlite:///"
"""URL prefix of a database in a file."""

hub_state_option = click.option(
    "--state",
    type=Folder(file_okay=False, path_type=Path),
    metavar="DIR",
    default=default_hub_folder,
    help="The hub's folder (default: hub inside the state folder).",
)


@dataclass(frozen=True, slots=True)
class HubPlace:
    """Storage locations of a hub.

    Attributes:
        folder: the folder of the hub's key, codes and broker accounts.
        named_database: the URL of the hub's database; None for a file in the folder.
    """

    folder: Path
    named_database: str | None = None

    @property
    def database(self) -> str:
        """The URL of the hub's database."""
        return self.named_database or f"{SQLITE_URL}{(self.folder / FILE).absolute()}"

    def require_database(self) -> None:
        """Require an existing database, so that a command that only reads does not create one.

        Raises:
            HubError: the database file is missing.
        """
        file, _, _ = self.database.removeprefix(SQLITE_URL).partition("?")
        if self.database.startswith(SQLITE_URL) and not Path(file).exists():
            raise HubError("hub_no_ledger", folder=file if self.named_database else self.folder)

    def act_as_owner(self) -> None:
        """Continue as the owner of the folder, or of its parent if it does not exist yet."""
        act_as_owner(self.folder if self.folder.exists() else self.folder.parent)


def _choose_folder(context: click.Context, _: click.Parameter, folder: Path | None) -> None:
    if folder is not None:
        context.obj = replace(context.find_object(HubPlace) or HubPlace(folder), folder=folder)


own_state_option = click.option(
    "--state",
    type=Folder(file_okay=False, path_type=Path),
    metavar="DIR",
    expose_value=False,
    callback=_choose_folder,
    help="The hub's folder; can also be given before the command.",
)
"""--state for subcommands of `hub`, so that it is also accepted after them."""


# --- `hub broker`: Mosquitto configuration for the hub and its tables ---


MOST_TABLES = 1000

WHERE = Path("/etc/mosquitto/conf.d")
"""Debian's folder for additions to Mosquitto's configuration."""


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
    for name in MOSQUITTO_FILES:  # before dropping to the account of the hub's folder, which may not write here
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


# --- `hub package`, `hub verify` and `hub upload`: an event as one signed file ---


NOT_REDERIVED = 1
"""Exit status for a package that is unaltered, but whose results are different when rederived."""

PACKAGE = click.Path(exists=True, dir_okay=False, path_type=Path)

READABLE_MODE = 0o644
"""File mode of a package: it is meant to be passed on, and has nothing that the hub's files for directors lack."""


@click.command(
    "verify",
    cls=Documented,
    short_help="Verify an event package.",
    examples=("hub verify thursday.pegboard", "hub verify thursday.pegboard --remember Riverside"),
)
@click.argument("file", type=PACKAGE)
@click.option(
    "--remember", type=parameters.TYPED, metavar="NAME", help="Trust the hub that signed it, under this name."
)
@click.option("--json", "as_json", is_flag=True, help="Print one line of JSON.")
@own_state_option
@click.pass_obj
def verify(place: HubPlace, file: Path, remember: str | None, as_json: bool) -> int:
    """Verify a package: its signature, its integrity, and that standings and margins can be recomputed.

    Compare the fingerprint with the one the other hub's director reads to you, then use --remember.
    """
    if remember is not None:
        place.act_as_owner()
    verified = verify_package(read_package(file), hubs_known_here(place.folder))
    if remember is not None:
        add_known_hub(place.folder, verified.sealed.public, remember)
        verified = VerifiedPackage(verified.sealed, remember, verified.rederived)
    if as_json:
        click.echo(json.dumps(verified_json(verified), ensure_ascii=False))
    else:
        for line in verified_lines(verified):
            echo_line(line)
    return NOT_REDERIVED if verified.departures else 0


@click.command(
    "package",
    cls=Documented,
    short_help="Write an event package.",
    examples=("hub package club-night thursday.pegboard",),
)
@click.argument("event", type=parameters.TYPED)
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@own_state_option
@click.pass_obj
def package(place: HubPlace, event: str, file: Path) -> None:
    """Write EVENT to one signed FILE, with the full log and every score sheet."""
    require_sqlalchemy()
    from pegboard.hub.ledger.ledger import open_ledger
    from pegboard.hub.packages.night_package import package_of_event

    require_readable(place.folder)
    place.require_database()
    with _open_target(file, place.folder) as target:
        place.act_as_owner()  # only now: the account may not be allowed to write there
        key = load_or_make_key(place.folder)
        with open_ledger(place.database) as ledger:
            content = package_of_event(ledger, event, key)
        target.truncate(0)
        target.write(content)
    echo_line(f"Wrote {file}, signed by {fingerprint(key.public)}")


@contextlib.contextmanager
def _open_target(file: Path, state: Path) -> Iterator[BinaryIO]:
    """Open a package's target file without truncating it; on failure, remove it if it is new."""
    is_new = not file.exists()
    folder = open_folder_of(file, state)
    try:
        descriptor = open_in(folder, file, os.O_WRONLY | os.O_CREAT, state, READABLE_MODE)
    finally:
        os.close(folder)
    with os.fdopen(descriptor, "wb") as target:
        try:
            yield target
        except BaseException:
            if is_new:
                with contextlib.suppress(OSError):  # the hub's account may not remove it, but then it is empty
                    file.unlink()
            raise


@click.command(
    "upload",
    cls=Documented,
    short_help="Send an event package to another hub.",
    examples=("hub upload thursday.pegboard http://192.168.1.20:8090",),
)
@click.argument("file", type=PACKAGE)
@click.argument("url", type=parameters.TYPED)
def upload(file: Path, url: str) -> None:
    """Send the package FILE to the hub at URL. Sending it again changes nothing."""
    echo_line(send_package(read_package(file), url))


def read_package(file: Path) -> bytes:
    """The content of a package.

    Raises:
        PackageRefused: the package is too large.
    """
    with file.open("rb") as opened:
        content = opened.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise PackageRefused("package_too_long", most=MOST_BYTES)
    return content


# --- `hub code`: code that signs a browser in as director ---


@click.command("code", cls=Documented, short_help="Print a director's code.", examples=("hub code",))
@own_state_option
@click.pass_obj
def tell_code(place: HubPlace) -> None:
    """Print a code that signs a browser in as director at the hub. It works once; earlier codes become invalid."""
    from web.access.invitation import in_terminal
    from web.access.pairing_codes import Codes
    from web.access.pairing_file import StateFileError

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


SUBCOMMANDS: dict[str, str] = {
    "broker": "pegboard.cli.hub_commands:broker",
    "code": "pegboard.cli.hub_commands:tell_code",
    "package": "pegboard.cli.hub_commands:package",
    "upload": "pegboard.cli.hub_commands:upload",
    "verify": "pegboard.cli.hub_commands:verify",
}
"""Subcommands by name, "module:variable", loaded only when used."""

DEMO_OPTIONS = ("demo", "demo_speed", "port")
"""The options that the demo accepts."""

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
        from pegboard.startup.hub_demo import run_demo

        return run_demo(port, demo_speed)
    context.obj = place = HubPlace(state, database)
    if context.invoked_subcommand is not None:
        return None
    require_sqlalchemy()
    from pegboard.startup.hub_service import HubOptions, run_hub

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
    """Refuse options that the demo would ignore.

    Raises:
        click.UsageError: such an option was given.
    """
    for option in context.command.params:
        given = context.get_parameter_source(option.name or "") is ParameterSource.COMMANDLINE
        if given and option.name not in DEMO_OPTIONS:
            raise click.UsageError(f"the demo runs on this machine only: leave out {option.opts[0]}")


def _address(  # noqa: PLR0917 - one for each option
    broker: str | None,
    user: str,
    password_file: str | None,
    ca_file: str | None,
    certificate: str | None,
    key: str | None,
) -> BrokerAddress | None:
    """The broker and the hub's account there; None if no option sets either.

    Raises:
        click.UsageError: a key is given without a certificate.
        DeviceError: the URL is invalid, or the password cannot be read.
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
