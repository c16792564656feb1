"""The command `card`: makes a freshly flashed card install pegboard by itself at its first start."""

from pathlib import Path

import click

from pegboard.commandline.help_layout import Documented
from pegboard.install.package_file import InstallError


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
    """The newest package in the working folder.

    Raises:
        InstallError: there is none.
    """
    from pegboard.install.host import version_order
    from pegboard.install.package_file import file_name

    found = sorted(Path().glob(file_name("*")), key=lambda path: (version_order(path.name), path.stat().st_mtime))
    if not found:
        raise InstallError("boot_no_package")
    return found[-1]
