"""The commands `update`, `back` and `card`: software update, rollback, and preparing an SD card."""

import signal
from pathlib import Path

import click

from pegboard.cli.command_groups import Documented
from pegboard.install.host import is_installed
from pegboard.install.package_file import InstallError
from pegboard.streams import echo_line

# --- `card`: prepare a freshly flashed card to install pegboard on first boot ---


@click.command(cls=Documented, examples=("card /media/bootfs", "card D:\\ pegboard_0.1.0_all.deb"))
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path), metavar="DIR")
@click.argument(
    "package", type=click.Path(exists=True, dir_okay=False, path_type=Path), metavar="[FILE]", required=False
)
def card(folder: Path, package: Path | None) -> None:
    """Prepare a freshly flashed SD card to install pegboard.

    Raspberry Pi OS installs it on first boot. DIR is the card's boot partition as mounted on this machine. FILE is the
    package; by default the newest one in the current folder.
    """
    from pegboard.install.boot_partition import prepare_card

    version = prepare_card(folder, package or _newest_here())
    click.echo(
        f"The Pi will install pegboard {version} when it first boots with a network. You can now eject the card."
    )


def _newest_here() -> Path:
    """The newest package in the current folder.

    Raises:
        InstallError: there is no package.
    """
    from pegboard.install.host import version_order
    from pegboard.install.package_file import file_name

    found = sorted(Path().glob(file_name("*")), key=lambda path: (version_order(path.name), path.stat().st_mtime))
    if not found:
        raise InstallError("boot_no_package")
    return found[-1]


during_game_option = click.option("--during-game", is_flag=True, help="Change the version even during a game.")


@click.command(cls=Documented, examples=("update pegboard_0.2.0_all.deb",))
@click.argument("package", type=click.Path(path_type=Path), metavar="FILE")
@during_game_option
@click.option(
    "--trust",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="File of public keys to trust instead of pegboard's own, one per line (64 hexadecimal digits).",
)
def update(package: Path, during_game: bool, trust: Path | None) -> None:
    """Install a newer version from a signed package.

    The new version is first tested on a copy of the scores while the current one keeps running. If it is not healthy
    half a minute after its start, the current version comes back.
    """
    from pegboard.install.installer import Installer
    from pegboard.install.package_file import keys_in

    _require_installed()
    _outlive_terminal()
    keys = None if trust is None else keys_in(trust.read_text("utf-8", "replace"))
    echo_line(f"Testing {package.name} on a copy of the scores")
    version = Installer().update(package, keys, during_game=during_game)
    echo_line(f"Version {version} is running. To go back: sudo pegboard back")


@click.command(cls=Documented, examples=("back",))
@during_game_option
def back(during_game: bool) -> None:
    """Go back to the previous version; the scores are kept."""
    from pegboard.install.installer import Installer

    _require_installed()
    _outlive_terminal()
    echo_line(f"Version {Installer().back(during_game=during_game)} is running again.")


def _require_installed() -> None:
    """Refuse to run unless this program was installed from the Debian package.

    Raises:
        InstallError: this program was not installed from it.
    """
    if not is_installed():
        raise InstallError("not_from_package")


def _outlive_terminal() -> None:
    """Ignore SIGHUP: if the terminal closes, as on a lost network, the new version must still be watched."""
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
