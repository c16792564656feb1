"""A table behind nginx, with the lines that docs/security.md gives."""

import re
import shutil
import socket
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.support.waiting import soon
from tests.support.web_server_and_clients import Site, Watcher

pytestmark = pytest.mark.debian

DOCUMENT = Path(__file__).parents[3] / "docs" / "security.md"


@pytest.fixture
def behind_nginx(serve: Callable[..., Site], tmp_path: Path) -> Iterator[tuple[Site, int]]:
    """A table, and the port of the nginx before it."""
    site = serve(proxies=("127.0.0.1",))
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    location = re.search(r"```nginx\n(.*?)```", DOCUMENT.read_text("utf-8"), re.DOTALL)[1]
    paths = " ".join(
        f"{name}_temp_path {tmp_path}/{name};" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    server = f"server {{ listen 127.0.0.1:{port}; {location.replace('127.0.0.1:8080', f'127.0.0.1:{site.port}')} }}"
    (tmp_path / "nginx.conf").write_text(
        f"daemon off; master_process off; pid {tmp_path}/pid; error_log {tmp_path}/errors;"
        f" events {{}} http {{ access_log off; {paths} {server} }}",
        "utf-8",
    )
    nginx = shutil.which("nginx", path="/usr/sbin:/usr/bin") or "nginx"
    with subprocess.Popen([nginx, "-e", f"{tmp_path}/errors", "-c", f"{tmp_path}/nginx.conf"]) as process:
        yield site, port
        process.terminate()


def test_nginx_passes_every_event_on_at_once(behind_nginx: tuple[Site, int]):
    site, port = behind_nginx
    watcher = soon(lambda: stream(site, port))
    assert watcher.next().kind == "state"
    state = site.score(0, 5).json["state"]
    assert watcher.next().data == state


def stream(site: Site, port: int) -> Watcher | None:
    try:
        connection = socket.create_connection(("127.0.0.1", port), timeout=60)
    except ConnectionRefusedError:  # nginx has not begun yet
        return None
    site.sockets.append(connection)
    connection.sendall(f"GET /events HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
    return Watcher(connection)
