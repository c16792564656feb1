"""The commands `hub package`, `hub verify` and `hub upload`: a night as one signed file, out, looked at, and on."""

import contextlib
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import click

from pegboard.commandline import parameters
from pegboard.commandline.help_layout import Documented
from pegboard.commandline.state_owner import open_folder_of, open_in, require_readable
from pegboard.commandline.streams import echo_line
from pegboard.hub.hub_folder import HubPlace, own_state_option
from pegboard.hub.ledger.hub_errors import require_sqlalchemy
from pegboard.hub.packages.hub_keys import PackageRefused, add_known_hub, fingerprint, hubs_known_here, load_or_make_key
from pegboard.hub.packages.night_package import MOST_BYTES
from pegboard.hub.packages.package_exchange import send_package
from pegboard.hub.packages.verification import VerifiedPackage, verified_json, verified_lines, verify_package

DEPARTS = 1
"""Exit status of a package that is as it was signed, but does not re-derive."""

PACKAGE = click.Path(exists=True, dir_okay=False, path_type=Path)

READABLE_MODE = 0o644
"""Of a package's file: it is handed on, and holds nothing that the hub's files for directors do not."""


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
    return DEPARTS if verified.departures else 0


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
    from pegboard.hub.ledger.ledger import open_ledger  # noqa: PLC0415 - needs SQLAlchemy
    from pegboard.hub.packages.night_package import package_of_event  # noqa: PLC0415 - the same

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
    """The file that a package goes into, as it is; where that fails, one that was made for it is gone again."""
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
                with contextlib.suppress(OSError):  # as the owner of the hub it may not be removed, but is empty
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
    """The bytes of a package.

    Raises:
        PackageRefused: there are too many.
    """
    with file.open("rb") as opened:
        content = opened.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise PackageRefused("package_too_long", most=MOST_BYTES)
    return content
