"""Which hubs are known here: a text file of public keys with names, which a person can read and change."""

from collections.abc import Mapping
from pathlib import Path

from pegboard.hub.packages.hub_key import SEED_BYTES, load_key
from pegboard.hub.packages.package_errors import PackageRefused
from pegboard.storage.state_files import read_owned, replace_file

FILE = "known_hubs.txt"
"""In the state folder: on each line 64 hexadecimal digits, a blank, and a name."""

MOST_BYTES = 1_000_000
"""Of that file."""

LONGEST_NAME = 64


def read_known_hubs(folder: Path) -> Mapping[bytes, str]:
    """The names of known hubs by their public keys; nobody is known where there is no file.

    Raises:
        PackageRefused: a line holds no key, or the file cannot be read.
    """
    path = folder / FILE
    try:
        lines = read_owned(path, MOST_BYTES).decode().splitlines()
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise PackageRefused("package_hubs_unreadable", path=str(path), error=error) from error
    known = {}
    for number, line in enumerate(lines, 1):
        if line.strip() and not line.startswith("#"):
            digits, _, name = line.strip().partition(" ")
            known[_read_key(digits, number)] = name.strip()
    return known


def hubs_known_here(folder: Path) -> Mapping[bytes, str]:
    """The names of hubs by their public keys, the one of this folder among them.

    Raises:
        PackageRefused: the file of known hubs cannot be read.
        HubKeyLost: this hub's own key cannot be read.
    """
    own = load_key(folder)
    return dict(read_known_hubs(folder)) | ({own.public: "this hub"} if own is not None else {})


def _read_key(digits: str, line: int) -> bytes:
    try:
        key = bytes.fromhex(digits)
    except ValueError:
        key = b""
    if len(key) != SEED_BYTES:
        raise PackageRefused("package_hubs_line", line=line, file=FILE)
    return key


def add_known_hub(folder: Path, public: bytes, name: str) -> None:
    """Remember a hub by a name; one that is known gets this name.

    Raises:
        PackageRefused: the name is blank or too long, or the file cannot be read.
        OSError: it cannot be written.
    """
    words = " ".join(name.split())
    if not words or len(words) > LONGEST_NAME or not words.isprintable():
        raise PackageRefused("package_hub_name", most=LONGEST_NAME)
    known = dict(read_known_hubs(folder)) | {public: words}
    replace_file(folder / FILE, "".join(f"{key.hex()} {one}\n" for key, one in known.items()))
