"""Static files: minified, gzipped, in memory, under versioned paths cached forever; compression of other responses."""

import gzip
import hashlib
import posixpath
import re
from collections.abc import Iterable, Iterator
from functools import cache, cached_property
from http import HTTPStatus
from pathlib import Path

from flask import Flask, Response, request
from markupsafe import Markup
from rjsmin import jsmin

from web.http.asgi import App, Headers, Receive, Scope, Send, answer, header
from web.http.problems import method_not_allowed

FOLDER = Path(__file__).parents[1] / "static"

PREFIX = "/static/"

VERSION_LETTERS = 12
VERSION = re.compile(rf"[0-9a-f]{{{VERSION_LETTERS}}}")

IMMUTABLE = b"max-age=31536000, immutable"
"""Cache-Control of a file under the current version: the content at that path never changes."""

REVALIDATE = b"no-cache"
"""Cache-Control of a file without a version, or under an older one."""

GZIP_FROM_BYTES = 700
"""Size from which gzip saves a packet, or a good part of one."""

COMPRESSIBLE = re.compile(r"(text/|application/(.+\+)?(json|javascript|x-ndjson)\b|image/svg)")
"""Content types that compress well; an event stream is never compressed, as its events must not be delayed."""

CSS_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
CSS_BLANKS = re.compile(r"(?<=[{};:,])\s+|\s+(?=[{}])")
"""Whitespace that is removed from a style sheet; not a blank before a colon, as `a :hover` is not `a:hover`."""

IMPORT = re.compile(r"""\b(?:from |import |import(\())"(\.[^"]*)\"""")
"""The path of a module that another one imports: statically, or dynamically (with the parenthesis)."""

CONTENT_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".png": "image/png",
    ".svg": "image/svg+xml; charset=utf-8",
    ".webmanifest": "application/manifest+json",
}
"""Content types by suffix; the operating system's tables are slower to load, and vary."""


class Asset:
    """A file ready to send; gzipped at the first request that accepts it."""

    def __init__(self, name: str, content: bytes) -> None:
        self.content = content
        self._content_type = CONTENT_TYPES.get(posixpath.splitext(name)[1], "application/octet-stream")
        self._hash = hashlib.sha256(content).hexdigest()[:VERSION_LETTERS]

    @cached_property
    def compressed(self) -> bytes | None:
        """The gzipped content; None if gzip is not worthwhile."""
        is_worth_it = COMPRESSIBLE.match(self._content_type) and len(self.content) >= GZIP_FROM_BYTES
        return compress(self.content) if is_worth_it else None

    def response(self, scope: Scope, cache_control: bytes) -> tuple[int, Headers, bytes]:
        """Status, headers and body for a request."""
        compressed = self.compressed if accepts_gzip(header(scope, b"accept-encoding")) else None
        etag = f'"{self._hash}"' if compressed is None else f'"{self._hash}z"'
        headers = [(b"etag", etag.encode()), (b"cache-control", cache_control), (b"vary", b"accept-encoding")]
        if _matches(header(scope, b"if-none-match"), etag):
            return 304, headers, b""
        headers.append((b"content-type", self._content_type.encode()))
        if compressed is None:
            return 200, headers, self.content
        return 200, [*headers, (b"content-encoding", b"gzip")], compressed


class Assets:
    """The files of a folder by name, under one version.

    Attributes:
        version: a hash of all files; modules import others by relative paths, so under the same version.
    """

    def __init__(self, folder: Path = FOLDER) -> None:
        paths = sorted(path for path in folder.rglob("*") if path.is_file())
        contents = {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}
        self._sources = {name: content.decode() for name, content in contents.items() if name.endswith(".js")}
        self._files = {name: Asset(name, _minify(name, content)) for name, content in contents.items()}
        self.version = _version_of(self._files.items())

    def path(self, name: str) -> str:
        """The path under which pages load the file `name`."""
        return f"{PREFIX}{self.version}/{name}"

    def source(self, name: str) -> str:
        """The source of the module `name`, with its comments."""
        return self._sources[name]

    def imports(self, name: str, *, dynamic: bool = False) -> list[str]:
        """The modules that the module `name` imports statically; with `dynamic` also those that it loads later."""
        found = IMPORT.findall(self._sources[name])
        return [posixpath.normpath(f"{name}/../{path}") for is_dynamic, path in found if dynamic or not is_dynamic]

    def modules(self, name: str) -> list[str]:
        """The module `name`, preceded by all modules that it imports, in execution order."""
        return list(self._in_order(name, set()))

    def _in_order(self, name: str, seen: set[str]) -> Iterator[str]:
        seen.add(name)
        for imported in self.imports(name):
            if imported not in seen:
                yield from self._in_order(imported, seen)
        yield name

    def find(self, path: str) -> tuple[Asset, bytes] | None:
        """The file at a path and its Cache-Control, or None.

        A page opened before an update requests files under the older version, and gets the current files.
        """
        name = path.removeprefix(PREFIX)
        first, _, rest = name.partition("/")
        if name == path:
            return None
        if first == self.version and rest in self._files:
            return self._files[rest], IMMUTABLE
        found = self._files.get(name) or (self._files.get(rest) if VERSION.fullmatch(first) else None)
        return None if found is None else (found, REVALIDATE)


class StaticFiles:
    """An ASGI application that serves assets; `others` serves every other path."""

    def __init__(self, assets: Assets, others: App) -> None:
        self._assets, self._others = assets, others

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request.

        Raises:
            Problem: 405, the method is neither GET nor HEAD.
        """
        found = self._assets.find(scope["path"])
        if found is None:
            await self._others(scope, receive, send)
        elif scope["method"] in {"GET", "HEAD"}:
            asset, cache_control = found
            await _send(send, *asset.response(scope, cache_control))
        else:
            raise method_not_allowed(scope["method"], scope["path"], ("GET", "HEAD"))


@cache
def assets() -> Assets:
    """The static files of this program, read once."""
    return Assets()


def asset(name: str) -> str:
    """The path of the static file `name`, for templates."""
    return assets().path(name)


@cache
def script(name: str) -> Markup:
    """The HTML that loads the module `name` and preloads all modules that it imports, for templates."""
    *imported, own = (asset(module) for module in assets().modules(name))
    links = (Markup('<link rel="modulepreload" href="{}">\n').format(path) for path in imported)
    return Markup().join([*links, Markup('<script type="module" src="{}"></script>').format(own)])


def add_to(app: Flask) -> None:
    """Add `asset` and `script` to the templates, and compress the application's responses."""
    app.jinja_env.globals |= {"asset": asset, "script": script}
    app.after_request(_compress)


def _compress(response: Response) -> Response:
    """Compress a page or API response if worthwhile and accepted by the client."""
    if response.is_streamed or not COMPRESSIBLE.match(response.mimetype or "") or response.content_encoding:
        return response
    response.vary.add("Accept-Encoding")
    if accepts_gzip(request.headers.get("Accept-Encoding")) and len(response.get_data()) >= GZIP_FROM_BYTES:
        response.set_data(compress(response.get_data(), fast=True))
        response.content_encoding = "gzip"
        etag, _ = response.get_etag()
        if etag is not None:
            response.set_etag(etag, weak=True)
    return response


def compress(content: bytes, *, fast: bool = False) -> bytes:
    """The content gzipped: as small as possible, or `fast` for content that is sent once."""
    return gzip.compress(content, 6 if fast else 9, mtime=0)


async def _send(send: Send, status: int, headers: Headers, body: bytes) -> None:
    if status == HTTPStatus.NOT_MODIFIED:  # has no Content-Length
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": b""})
    else:
        await answer(send, status, headers, body)


def accepts_gzip(accept_encoding: str | None) -> bool:
    """Whether an Accept-Encoding header accepts gzip; False without one."""
    for coding in (accept_encoding or "").lower().split(","):
        name, _, quality = coding.replace(" ", "").partition(";q=")
        if name in {"gzip", "*"}:
            return re.fullmatch(r"0(\.0*)?", quality) is None
    return False


def _minify(name: str, content: bytes) -> bytes:
    """Remove comments and most whitespace from a module or style sheet."""
    if name.endswith(".js"):
        return str(jsmin(content.decode())).encode()
    if name.endswith(".css"):
        return CSS_BLANKS.sub("", CSS_COMMENT.sub("", content.decode())).encode()
    return content


def _matches(if_none_match: str | None, etag: str) -> bool:
    known = {one.strip().removeprefix("W/") for one in (if_none_match or "").split(",")}
    return etag in known or "*" in known


def _version_of(files: Iterable[tuple[str, Asset]]) -> str:
    version = hashlib.sha256()
    for name, file in files:
        version.update(f"{name} {len(file.content)} ".encode() + file.content)
    return version.hexdigest()[:VERSION_LETTERS]
