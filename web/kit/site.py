"""A web site: Flask application with error handlers, page for a wrong host name, path router, server in one thread."""

import contextlib
import html
import json
import logging
import re
import socket
import ssl
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from flask import Flask, Response, request
from flask.logging import default_handler
from werkzeug.datastructures import LanguageAccept
from werkzeug.exceptions import HTTPException, MethodNotAllowed, NotFound
from werkzeug.http import parse_accept_header

from pegboard.config import WebSettings
from pegboard.errors import PegboardError, SettingError
from web.access import sessions
from web.access.invitation import invitation
from web.access.pairing_file import StateFileError
from web.access.sessions import Access
from web.http import static_files
from web.http.asgi import App, Receive, Scope, Send, WsgiApp
from web.http.client_address import Proxies, address_of_request
from web.http.connections import ConnectionRoom, CountingListener, most_connections
from web.http.listener import listen
from web.http.problems import Problem, error_page, internal_error, method_not_allowed, render, title_of
from web.http.request_body import BufferedBody
from web.http.request_head import bounded_headers
from web.http.security_log import LOGGED_REFUSALS, quote_request
from web.http.security_middleware import Guard, RequestLimiter, cost_of, own_names
from web.http.static_files import StaticFiles, assets
from web.http.uvicorn_server import UvicornServer
from web.http.viewers import LiveEvents
from web.http.worker_pool import DaemonExecutor, FairQueue, Hold
from web.kit.catalogs import ENGLISH
from web.kit.i18n import add_languages, catalog, current_language, negotiate, translate, translate_message

# --- the Flask application: languages, static files, and error handlers ---


LONGEST_PATH = 80
"""Maximum characters of a path that an error quotes."""


@dataclass(frozen=True, slots=True)
class ErrorHandlers:
    """The error handlers of a site.

    Attributes:
        log: the log of faults.
        no_page: the key of the message for an unknown path.
        api: the pattern of API paths, whose errors are always JSON.
        to_problem: turns an error into the problem that is sent.
        names_device: whether the security log names the paired device that is refused.
    """

    log: logging.Logger
    no_page: str
    api: re.Pattern[str]
    to_problem: Callable[[PegboardError], Problem]
    names_device: bool

    def refuse(self, error: PegboardError) -> Response:
        """Answer an error."""
        problem = error if isinstance(error, Problem) else self.to_problem(error)
        self._note(problem)
        is_api = self.api.match(request.path) is not None
        accept = request.headers.get("Accept", "")
        content_type, body = render(problem, request.path, accept, is_api=is_api, page=_error_page)
        headers = {"Cache-Control": "no-store"} | problem.headers
        return Response(body, problem.status, headers, content_type=content_type)

    def refuse_http(self, error: HTTPException) -> Response:
        """Answer an error raised by Flask."""
        path = request.path if len(request.path) <= LONGEST_PATH else f"{request.path[:LONGEST_PATH]}..."
        match error:
            case NotFound():
                return self.refuse(Problem(404, "not_found", self.no_page, path=path))
            case MethodNotAllowed():
                return self.refuse(method_not_allowed(request.method, path, sorted(error.valid_methods or ())))
        return self.refuse(Problem(error.code or 500, "request", "verbatim", text=error.description))

    def refuse_fault(self, error: Exception) -> Response:
        """Log a fault of the program, and answer without its details."""
        self.log.error("%s failed", quote_request(request.method, request.path), exc_info=error)
        return self.refuse(internal_error())

    def _note(self, problem: Problem) -> None:
        if problem.code in LOGGED_REFUSALS:
            device = sessions.device(request) if self.names_device else ""
            by = f"by device {device}" if device else ""
            address, log = address_of_request(request), sessions.current_access().security_log
            log.note_refusal(problem.code, address, request.method, request.path, by)


def _error_page(problem: Problem) -> bytes:
    """The error page in the reader's language; in English if a part of its message is not translated."""
    language = current_language()
    if language == ENGLISH or not problem.message.is_translated:
        return problem.page()
    message, title = problem.message.as_json(), title_of(problem.status)
    return error_page(
        str(catalog(language).get(f"refused.status_{problem.status}", title)),
        translate_message(language, message["key"], message["values"]),
        language,
        translate(language, "refused.start"),
    )


def create_flask(access: Access, errors: ErrorHandlers) -> Flask:
    """Create the application of a site, without pages and API."""
    app = Flask("web", static_folder=None)  # "web" has the templates folder; `StaticFiles` serves static files
    app.url_map.merge_slashes = False  # else Flask would redirect
    app.logger.removeHandler(default_handler)  # which would write to standard output
    app.extensions[sessions.EXTENSION] = access
    app.before_request(_refuse_double_slash)
    static_files.add_to(app)
    add_languages(app)
    app.register_error_handler(PegboardError, errors.refuse)
    app.register_error_handler(HTTPException, errors.refuse_http)
    app.register_error_handler(Exception, errors.refuse_fault)
    return app


def _refuse_double_slash() -> None:
    """Refuse a path that begins with several slashes, because Flask would drop all but one."""
    if request.environ["PATH_INFO"].startswith("//"):
        raise NotFound


# --- the page for a wrong host name: the address that works, and the setting that adds names ---
#
# It uses no style sheet or script, because nothing is served under that name. Its inline style is allowed by its hash
# in `web.http.security_middleware`.


STYLE = """
:root { --table: #EFE9E0; --key: #FFFDF9; --line: #8A7765; --ink: #241812; --ink2: #5C4A3E }
@media (prefers-color-scheme: dark) {
  :root { --table: #15100C; --key: #2A201A; --line: #857160; --ink: #F4ECE1; --ink2: #C8B7A4 }
}
html { font: 18px/1.4 system-ui, sans-serif; font-size: max(18px, 1.6vw); background: var(--table); color: var(--ink) }
body { margin: 0 }
main { max-width: 34em; margin: 12vh auto; padding: 0 1em; overflow-wrap: anywhere }
h1 { font-size: 1.5em; line-height: 1.2; margin: 0 0 1em }
a {
  display: table; margin-top: .5em; padding: .85em 1em; font-weight: 600; color: inherit;
  background: var(--key); border: 1px solid var(--line); border-radius: 12px;
}
.setting { margin: 3em 0 0; color: var(--ink2) }
pre { font-size: .9em; white-space: pre-wrap }
"""

PAGE = """<!doctype html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title} · pegboard</title>
<style>{style}</style>
</head>
<body>
<main>
<h1>{title}</h1>
<p>{way}</p>
<p class="setting">{setting}</p>
<pre>[web]
names = [{name}]</pre>
</main>
</body>
</html>
"""


def wrong_name_page(accept_language: str, name: str, url: str | None) -> bytes:
    """The page in the language of an Accept-Language header; `url` is the address that works, None if unknown."""
    bounded = bounded_headers([(b"accept-language", accept_language.encode("latin-1"))])
    accepted = parse_accept_header(b",".join(value for _, value in bounded).decode("latin-1"), LanguageAccept)
    language = negotiate(tag for tag, _ in accepted)
    title = html.escape(translate(language, "reach.title", name=name))
    if url is None:
        way = html.escape(translate(language, "reach.unknown"))
    else:
        link = f'<a href="{html.escape(url)}">{html.escape(url)}</a>'
        way = html.escape(translate(language, "reach.open")).replace("{url}", link)
    setting = html.escape(translate(language, "reach.setting"))
    quoted = html.escape(json.dumps(name, ensure_ascii=False))
    return PAGE.format(language=language, style=STYLE, title=title, way=way, setting=setting, name=quoted).encode()


# --- the server: listener, middleware, live events and request routing by path ---


HANDSHAKE_S = 10.0
"""Timeout in seconds for a connection's TLS handshake."""

STOP_S = 0.45
"""Maximum seconds for stopping."""


@dataclass(frozen=True, slots=True)
class Content:
    """The ASGI applications of a site.

    Attributes:
        events: the live events.
        routes: the applications for certain paths.
        pages: the application for all other paths except static files.
        note_client: called with each request as sent.
    """

    events: LiveEvents
    routes: Mapping[str, App]
    pages: App
    note_client: Callable[[Scope], None] = lambda _: None


class Site(ABC):
    """A web site, from `start` to `stop`; a subclass makes its content.

    Attributes:
        access: the site's access control; set by `start`.
    """

    def __init__(
        self,
        name: str,
        settings: WebSettings,
        folder: Path,
        *,
        listener: socket.socket | None,
        tls: ssl.SSLContext | None,
        command: str | None = None,
        abrupt: Container[str] = (),
        cost_of: Callable[[str], int] = cost_of,
        note_unfinished: Callable[[str], None] = lambda _: None,
    ) -> None:
        """Prepare the site; `start` starts it.

        Args:
            name: the name of the server's thread.
            settings: the web settings.
            folder: the folder of the pairings.
            listener: the listening socket; None to open one by the settings.
            tls: the TLS context; None for plain HTTP.
            command: the command that starts a site that phones can reach, or None.
            abrupt: paths whose responses are cut off when the site stops.
            cost_of: returns the cost of a request for a path.
            note_unfinished: called with the address of each connection that closed before its handshake was done.

        Raises:
            SettingError: a proxy in the settings is not an address.
        """
        self._name, self._web, self._folder = name, settings, folder
        self._listener, self._tls, self._command, self._abrupt = listener, tls, command, abrupt
        self._proxies, self._cost_of, self._note_unfinished = Proxies(settings.proxies), cost_of, note_unfinished
        self._on_stop: list[Callable[[], None]] = []
        self._thread: threading.Thread | None = None

    @abstractmethod
    def _make_content(self) -> Content:
        """Make the content; called when the site has its port and its access control."""

    @property
    def port(self) -> int:
        """The port of the listening socket; chosen by the system if the setting is 0."""
        return self._port

    def start(self) -> None:
        """Listen, and return when the site answers requests.

        Raises:
            SettingError: host or port cannot be bound.
            StateFileError: the folder cannot be written.
        """
        listener = self._listener or listen(self._web.host, self._web.port)
        self._port: int = listener.getsockname()[1]
        self._room = ConnectionRoom(most_connections(self._web.viewers))
        self.access = Access(self._folder, self._web, self._invitation)
        self._listener = CountingListener(
            listener, self._web, self._proxies, HANDSHAKE_S, self._room, note_unfinished=self._note_unfinished
        )
        self._http = self._make_server(self._listener)
        self._thread = threading.Thread(target=self._http.serve_forever, name=self._name, daemon=True)
        self._thread.start()
        self._http.ready.wait()
        if not self._http.started:
            raise SettingError("server_not_begun")

    def stop(self) -> None:
        """End all event streams and stop, within `STOP_S`; does nothing if not started."""
        if self._thread is not None:
            self._http.stop()
            self._thread.join(STOP_S)

    def _make_server(self, listener: CountingListener) -> UvicornServer:
        access, content = self.access, self._make_content()
        self._live_events = content.events
        self._limiter = RequestLimiter(self._web, device_of=access.device_of, cost_of=self._cost_of)
        guard = Guard(
            PathRouter(content.routes, StaticFiles(assets(), BufferedBody(content.pages))),
            own_names(self._web),
            self._limiter,
            self._proxies,
            content.note_client,
            security_log=access.security_log,
            wrong_name_page=wrong_name_page,
        )
        return UvicornServer(
            guard,
            listener,
            self._tls,
            on_start=content.events.open,
            on_stop=[content.events.close, *self._on_stop],
            abrupt=self._abrupt,
            device_of=access.device_of,
            security_log=access.security_log,
            refusal_delays=self._limiter.refusals,
        )

    def _worker(self, name: str, hold: Hold | None = None) -> DaemonExecutor:
        """A new executor with one thread, which stops with the site; for `hold` see `DaemonExecutor`."""
        worker = DaemonExecutor(1, name, hold)
        self._on_stop.append(worker.close)
        return worker

    def _queue(self, app: WsgiApp, worker: DaemonExecutor, **options: Any) -> FairQueue:
        """A queue of requests that a worker handles in turn (`FairQueue`)."""
        queue = FairQueue(app, worker, 1, device_of=self.access.device_of, **options)
        self._on_stop.append(queue.close)
        return queue

    def _invitation(self, code: str | None = None) -> dict[str, Any]:
        """The data of a page that shows how to join, with a code or without one."""
        return invitation(self._web.host, self._port, code, secure=self._tls is not None, command=self._command)

    # --- unpaired devices ---

    def _ends_unpaired(self, app: App) -> App:
        """Wrap `app`, so that after each POST the streams of devices that are no longer paired are ended."""

        async def answer(scope: Scope, receive: Receive, send: Send) -> None:
            await app(scope, receive, send)
            if scope["method"] == "POST":
                self._end_unpaired()

        return answer

    def _end_unpaired(self) -> None:
        """End the streams of devices that are no longer paired."""
        with contextlib.suppress(StateFileError):
            self._live_events.end_unpaired(self._list_paired())

    def _list_paired(self) -> frozenset[str]:
        return frozenset(device.id for device in self.access.devices)


class PathRouter:
    """An ASGI application that routes requests by path, with a `fallback`."""

    def __init__(self, routes: Mapping[str, App], fallback: App) -> None:
        self._routes, self._fallback = routes, fallback

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request."""
        await self._routes.get(scope["path"], self._fallback)(scope, receive, send)
