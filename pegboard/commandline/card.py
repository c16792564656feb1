"""The command `card`: makes a freshly flashed card install pegboard by itself at its first start."""

from pathlib import Path

import click

from pegboard.commandline.help_layout import Documented
from pegboard.install.versions.install_error import InstallError


@click.command(cls=Documented, examples=("card /media/bootfs", "card D:\\ pegboard_0.1.0_all.deb"))
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path), metavar="DIR")
@click.argument(
    "package", type=click.Path(exists=True, dir_okay=False, path_type=Path), metavar="[FILE]", required=False
)
def card(folder: Path, package: Path | None) -> None:
    """Put pegboard on a freshly flashed SD card.

    Raspberry Pi OS installs it at its first start.
    DIR is the card's boot partition, as it shows on this machine after flashing. FILE is the package; without it, the
    newest one in the folder where you are.
    """
    from pegboard.install.boot_partition import prepare_card

    version = prepare_card(folder, package or _newest_here())
    click.echo(f"The card installs pegboard {version} when the Pi first starts with a network. Take it out safely.")


def _newest_here() -> Path:
    """The newest package in the working folder.

    Raises:
        InstallError: there is none.
    """
    from pegboard.install.version_order import version_order
    from pegboard.install.versions.package_file import file_name

    found = sorted(Path().glob(file_name("*")), key=lambda path: version_order(path.name))
    if not found:
        raise InstallError("boot_no_package")
    return found[-1]
