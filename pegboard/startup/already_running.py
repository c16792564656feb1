"""Who holds the port or the state folder: where that is a pegboard, the error names its address."""

import contextlib
import json
from pathlib import Path

from pegboard.errors import JournalInUse, PegboardError, PortTaken

TIMEOUT_S = 1.0
"""Timeout in seconds for the program that has the port."""

MOST_BYTES = 200_000
"""Bytes read of its answer at most; the state of a table has some thousand."""

STATE_KEYS = {"game", "lanes", "seats"}
"""Keys by which the answer is known to be the state of a pegboard."""

EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1", "localhost": "127.0.0.1"}  # noqa: S104 - not bound
"""Wildcard addresses to listen on, with the address by which this machine reaches such a server."""


def explain_port(error: PortTaken, host: str, port: int) -> PortTaken:
    """The same error; where a pegboard has the port, one that names its address."""
    url = url_on(host, port)
    return error if url is None else PortTaken("port_of_a_table", port=port, url=url)


def explain_folder(error: JournalInUse, state: Path) -> JournalInUse:
    """The same error, with the address of the pegboard that uses the folder where that is known."""
    url = _url_of_table(state)
    if url is None:
        return JournalInUse("folder_in_use_elsewhere", fault=error.message)
    return JournalInUse("folder_of_a_table", fault=error.message, url=url)


def url_on(host: str, port: int) -> str | None:
    """The address of the pegboard that listens there; None where it is another program."""
    from http.client import HTTPException

    address = EVERYWHERE.get(host, host)
    place = f"[{address}]" if ":" in address else address
    for scheme in ("http", "https"):
        try:
            if _is_table(scheme, address, port):
                return f"{scheme}://{place}:{port}/"
        except TimeoutError:
            return None
        except (OSError, HTTPException, ValueError, RecursionError):
            continue  # it may speak https
    return None


def _is_table(scheme: str, address: str, port: int) -> bool:
    from pegboard.install.service_control import connect

    with connect(address, port, TIMEOUT_S, is_secure=scheme == "https") as connection:
        connection.request("GET", "/api/v1/state")
        values = json.loads(connection.getresponse().read(MOST_BYTES))
        return isinstance(values, dict) and values.keys() >= STATE_KEYS


def _url_of_table(state: Path) -> str | None:
    from web.access.pairing_codes import Codes

    with contextlib.suppress(PegboardError):
        table = Codes.of_table(state).table
        if table is not None and table.is_running:
            return table.url
    return None
