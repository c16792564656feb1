"""cloud-init setup of a freshly flashed Raspberry Pi OS card: the first boot turns on the buses and installs pegboard.

Raspberry Pi OS reads `user-data` on the boot partition once (cloud-init, NoCloud). If Raspberry Pi Imager has written
its own user-data, it is kept unchanged as one part of a MIME archive (cloud-init's documentation, "User data formats"),
followed by ours.
"""

import email
import email.policy
import os
from email.message import EmailMessage
from pathlib import Path

from pegboard.install.package_file import InstallError, InstallFailed, build_of, file_name, members, read_bytes

USER_DATA, META_DATA = "user-data", "meta-data"
"""cloud-init's files on the boot partition."""

BOOT_FILES = ("config.txt", "cmdline.txt")
"""Files on every Raspberry Pi boot partition."""

PART = "pegboard.yaml"
"""The name of our part of the MIME archive."""

HEADER = "#cloud-config"

CONFIG = """\
#cloud-config
# Installs pegboard on the first start with a network, and turns on the buses of panel and strip.
merge_how:
  - {{name: list, settings: [append]}}
  - {{name: dict, settings: [no_replace, recurse_list]}}
rpi:
  interfaces:
    i2c: true
    spi: true
write_files:
  - path: /etc/systemd/system/pegboard-install.service
    content: |
      # Retries until it is installed, even without a network or after a power cut, then never runs again.
      [Unit]
      Description=Install pegboard from the boot partition
      Wants=network-online.target
      After=network-online.target

      [Service]
      Type=oneshot
      Environment=DEBIAN_FRONTEND=noninteractive
      ExecStart=/usr/bin/dpkg --configure -a
      ExecStart=/usr/bin/apt-get -q update
      ExecStart=/usr/bin/apt-get -q -y install /boot/firmware/{package}
      ExecStart=/usr/bin/systemctl disable pegboard-install.service
      Restart=on-failure
      RestartSec=30

      [Install]
      WantedBy=multi-user.target
runcmd:
  - [systemctl, daemon-reload]
  - [systemctl, enable, --now, --no-block, pegboard-install.service]
"""


def prepare_card(folder: Path, package: Path) -> str:
    """Write a package to the boot partition, and the user-data to install it on first boot; return its version.

    Raises:
        InstallError: the folder is not a boot partition with cloud-init, its user-data is invalid, or the file is not a
            pegboard package.
        InstallFailed: the partition cannot be written, or is full.
    """
    content = read_bytes(package)
    version = build_of(members(content, package.name), package.name).version
    _require_partition(folder)
    name = file_name(version)
    text = with_part(_read_user_data(folder), CONFIG.format(package=name))
    try:
        _write(folder / name, content)
        _write(folder / USER_DATA, text)
        for other in folder.glob(file_name("*")):
            if other.name != name:
                other.unlink()
    except OSError as error:
        raise InstallFailed("boot_not_written", folder=folder, error=error.strerror or str(error)) from error
    return version


def with_part(user_data: bytes, config: str) -> bytes:
    """User-data with our part added or replaced; every other part is kept unchanged.

    Raises:
        InstallError: `user_data` is not cloud-init user-data, or is truncated.
    """
    archive = EmailMessage(policy=email.policy.default)
    archive["MIME-Version"] = "1.0"
    archive.make_mixed(boundary="==pegboard==")
    for part in _parts_of(user_data):
        archive.attach(part)
    archive.attach(_part(config, PART))
    return archive.as_bytes()


def _parts_of(user_data: bytes) -> list[EmailMessage]:
    """The parts of user-data other than ours."""
    text = user_data.decode("utf-8", "replace")
    if text.startswith(HEADER):
        return [_part(text, "user-data.yaml")]
    if not text.strip():
        return []
    archive = email.message_from_bytes(user_data, policy=email.policy.default)
    if not archive.is_multipart() or archive.defects:
        raise InstallError("boot_user_data")
    return [part for part in archive.iter_parts() if isinstance(part, EmailMessage) and part.get_filename() != PART]


def _part(text: str, name: str) -> EmailMessage:
    part = EmailMessage(policy=email.policy.default)
    part.set_content(text, subtype="cloud-config", cte="8bit" if text.isascii() else "base64", filename=name)
    return part


def _require_partition(folder: Path) -> None:
    if not all((folder / name).is_file() for name in BOOT_FILES):
        raise InstallError("boot_foreign", folder=folder)
    if not (folder / META_DATA).is_file():
        raise InstallError("boot_without_cloud_init", folder=folder)


def _read_user_data(folder: Path) -> bytes:
    try:
        return (folder / USER_DATA).read_bytes()
    except FileNotFoundError:
        return b""
    except OSError as error:
        raise InstallError("install_package_unreadable", file=USER_DATA, error=error.strerror) from error


def _write(path: Path, content: bytes) -> None:
    """Write a file atomically: a card pulled out early has the old file or the new file."""
    new = path.with_name(f"{path.name}.new")
    try:
        with new.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        new.replace(path)
    except BaseException:
        new.unlink(missing_ok=True)
        raise
