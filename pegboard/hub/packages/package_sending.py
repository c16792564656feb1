"""Send a package to another hub over HTTP; one that it has already changes nothing there."""

import http.client
import json
from typing import Any
from urllib.parse import urlsplit

from pegboard.errors import NotNow
from pegboard.hub.packages.package_errors import PackageRefused

PATH = "/night/v1/packages"
"""Where a hub takes packages."""

MEDIA_TYPE = "application/vnd.pegboard.package+json"

PATIENCE_S = 30
"""Seconds until an answer."""

CREATED, OK = 201, 200

LONGEST_ANSWER = 100_000


class HubUnreachable(NotNow):
    """The other hub does not answer, or not as a hub does."""

    code = "hub_unreachable"


def send_package(file: bytes, url: str) -> str:
    """Send a package to the hub at a URL; the sentence that tells what became of it.

    Raises:
        PackageRefused: the URL is none, or the other hub refuses the package; the sentence is that hub's.
        HubUnreachable: it does not answer.
    """
    status, answer = _post(url, file)
    if status == CREATED:
        return f"{url} stored the package {answer.get('digest')}"
    if status == OK:
        return f"{url} already had the package {answer.get('digest')}; nothing changed"
    raise PackageRefused("package_refused_there", url=url, why=str(answer.get("detail", status)))


def _post(url: str, file: bytes) -> tuple[int, dict[str, Any]]:
    connection = _connect(url)
    try:
        connection.request("POST", PATH, file, {"Content-Type": MEDIA_TYPE})
        response = connection.getresponse()
        answer = json.loads(response.read(LONGEST_ANSWER))
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise HubUnreachable("package_hub_silent", url=url, error=error) from error
    finally:
        connection.close()
    return response.status, answer if isinstance(answer, dict) else {}


def _connect(url: str) -> http.client.HTTPConnection:
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise PackageRefused("package_no_url", url=repr(url)) from None
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.path.strip("/"):
        raise PackageRefused("package_no_url", url=repr(url))
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    return kind(parts.hostname, port, timeout=PATIENCE_S)
