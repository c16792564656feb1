"""Mosquitto accounts of the hub and its tables: generated passwords, access control list, configuration files."""

import hashlib
import secrets
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pegboard.hub.ledger.hub_errors import HubError
from pegboard.mqtt.broker_session import PORT
from pegboard.mqtt.messages_of_hub import ACK, COMMANDS, EVENTS, EVERY_HUB, ROOT, STATE, STATUS
from pegboard.storage.state_files import read_values, write_values

# --- Mosquitto's access control list: a table can only write and read its own topics ---


HEAD = """\
# Access list for Mosquitto: each table writes only its own events, state and status, and reads only messages to it.
# %u is the user name, which is the table's name. In mosquitto.conf: acl_file THIS FILE
"""


def access_list(hub_user: str) -> str:
    """The content of the ACL file (`acl_file` in mosquitto.conf); `hub_user` is the user name of the hub."""
    writes = [f"pattern write {ROOT}/+/%u/{channel}" for channel in (EVENTS, STATE, STATUS)]
    reads = [f"pattern read {ROOT}/+/%u/{channel}" for channel in (ACK, COMMANDS)]
    own = [f"user {hub_user}", f"topic readwrite {ROOT}/#"]
    return "\n".join([HEAD, *writes, *reads, f"pattern read {EVERY_HUB}", "", *own, ""])


FILE = "broker_accounts.json"
"""File of the accounts in the hub's folder, readable only by its owner."""

HUB_USER = "hub"
"""The hub's default user name at its broker."""

SECRET_BYTES = 18
"""Random bytes of a password: as many as for a key, since nobody types it."""

CONFIGURATION, ACCESS_LIST, PASSWORDS = MOSQUITTO_FILES = ("pegboard.conf", "pegboard.acl", "pegboard.passwords")
"""Names of the files for Mosquitto."""

ITERATIONS = 101
"""Hash iterations, the same as mosquitto_passwd's; more would only protect short passwords, which these are not."""

SALT_BYTES = 12
"""Bytes of the hash salt, the same as mosquitto_passwd's."""


@dataclass(frozen=True, slots=True)
class BrokerAccounts:
    """The accounts that may connect to the broker.

    Attributes:
        passwords: passwords by user name: the hub's, and those of tables.
        port: the port on which the broker listens.
    """

    passwords: Mapping[str, str]
    port: int = PORT

    @property
    def tables(self) -> list[str]:
        """The names of tables."""
        return [name for name in self.passwords if name != HUB_USER]


def read_accounts(folder: Path) -> BrokerAccounts | None:
    """Read the accounts in the hub's folder; None if none have been made.

    Raises:
        HubError: the file cannot be read, or is malformed.
    """
    try:
        found = read_values(folder / FILE)
        passwords = {str(name): str(password) for name, password in found["passwords"].items()}
        return BrokerAccounts(passwords, int(found.get("port", PORT)))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        raise HubError("hub_accounts_unreadable", path=str(folder / FILE), error=error) from error


def make_accounts(folder: Path, tables: int, port: int = PORT) -> BrokerAccounts:
    """Make and save accounts for the hub and the tables t1 to t`tables`; existing accounts keep their passwords.

    `port` is the port on which the broker will listen.

    Raises:
        HubError: existing accounts cannot be read.
        OSError: the accounts cannot be written.
    """
    known = read_accounts(folder)
    before = {} if known is None else dict(known.passwords)
    names = [HUB_USER, *(f"t{number}" for number in range(1, tables + 1))]
    made = {name: before.get(name) or secrets.token_urlsafe(SECRET_BYTES) for name in names}
    accounts = BrokerAccounts(made | before, port)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    write_values(folder / FILE, {"passwords": dict(accounts.passwords), "port": port})
    return accounts


def mosquitto_files(accounts: BrokerAccounts, where: Path) -> dict[str, str]:
    """The files for Mosquitto by name; `where` is the folder from which Mosquitto will read them.

    The user name must replace the client id, or a table could keep disconnecting another one by using its id.
    """
    configuration = (
        "# Written by pegboard hub broker. Each table has its own name, password and topics.\n"
        f"listener {accounts.port}\n"
        "use_username_as_clientid true\n"
        "set_tcp_nodelay true\n"  # else a small message waits until the one before it has been acknowledged
        "allow_anonymous false\n"
        f"password_file {where / PASSWORDS}\n"
        f"acl_file {where / ACCESS_LIST}\n"
    )
    hashed = "".join(f"{name}:{hash_password(password)}\n" for name, password in accounts.passwords.items())
    return {CONFIGURATION: configuration, ACCESS_LIST: access_list(HUB_USER), PASSWORDS: hashed}


def hash_password(password: str) -> str:
    """Hash a password for a password_file of Mosquitto 1.6 and newer: PBKDF2 with SHA-512 (mosquitto_passwd(1))."""
    salt = secrets.token_bytes(SALT_BYTES)
    digest = hashlib.pbkdf2_hmac("sha512", password.encode(), salt, ITERATIONS)
    return f"$7${ITERATIONS}${b64encode(salt).decode()}${b64encode(digest).decode()}"
