"""The static files, from memory: addressed by their version, so that a phone asks for each of them once in its life."""

import gzip
import hashlib
import mimetypes
import posixpath
import re
from collections.abc import Iterable
from functools import cache, cached_property
from http import HTTPStatus
from pathlib import Path

from flask import Flask, Response, request
from markupsafe import Markup
from rjsmin import jsmin

from web.http.asgi import App, Headers, Receive, Scope, Send, answer, header
from web.http.problems import method_not_taken

FOLDER = Path(__file__).parents[1] / "static"

PLACE = "/static/"

VERSION_LETTERS = 12

FOR_EVER = b"public, max-age=31536000, immutable"
"""Of a file under its version: what is at that address never changes."""

ASK_AGAIN = b"no-cache"
"""Of a file without its version, or under an older one."""

WORTH_PACKING = 700
"""Bytes from which packing saves a packet, or a good part of one."""

TEXTS = re.compile(r"(text/|application/(.+\+)?(json|javascript|x-ndjson)\b|image/svg)")
"""Content types that pack well; an event stream is never packed, as its events must not wait for each other."""

REMARK = re.compile(r"^[ \t]*/\*(?s:.*?)\*/[ \t]*\n|^[ \t]+|^\n", re.MULTILINE)
"""Lines of a style sheet that are remarks and nothing else, and indents: they are not sent."""

IMPORT = re.compile(r"""\b(?:from |import |import(\())"(\.[^"]*)\"""")
"""The place of a module that is imported: before this one runs, or with the parenthesis later."""

mimetypes.add_type("text/javascript", ".js")
mimetypes.add_type("application/manifest+json", ".webmanifest")


class Asset:
    """One file as it is sent, packed when it is first asked for that way."""

    def __init__(self, name: str, content: bytes) -> None:
        self.content = content
        kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
        self._is_text = TEXTS.match(kind) is not None
        self._kind = f"{kind}; charset=utf-8" if kind.startswith("text/") else kind
        self._mark = hashlib.sha256(content).hexdigest()[:VERSION_LETTERS]

    @cached_property
    def packed(self) -> bytes | None:
        """The content with gzip, where that is worth it."""
        return pack(self.content) if self._is_text and len(self.content) >= WORTH_PACKING else None

    def told(self, scope: Scope, keeping: bytes) -> tuple[int, Headers, bytes]:
        """Status, headers and body for a request; `keeping` says how long the answer may be kept."""
        packed = self.packed if takes_gzip(header(scope, b"accept-encoding")) else None
        mark = f'"{self._mark}"' if packed is None else f'"{self._mark}z"'
        headers = [(b"etag", mark.encode()), (b"cache-control", keeping), (b"vary", b"accept-encoding")]
        if _is_known(header(scope, b"if-none-match"), mark):
            return 304, headers, b""
        headers.append((b"content-type", self._kind.encode()))
        if packed is None:
            return 200, headers, self.content
        return 200, [*headers, (b"content-encoding", b"gzip")], packed


class Assets:
    """All files of a folder by their names, and the version that stands for all of them together.

    Attributes:
        version: another one as soon as any file is another one; a module finds its neighbours under its own version.
    """

    def __init__(self, folder: Path = FOLDER) -> None:
        paths = sorted(path for path in folder.rglob("*") if path.is_file())
        contents = {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}
        self._sources = {name: content.decode() for name, content in contents.items() if name.endswith(".js")}
        self._files = {name: Asset(name, _as_sent(name, content)) for name, content in contents.items()}
        self.version = _version_of(self._files.items())

    def path(self, name: str) -> str:
        """Where a page finds the file `name`."""
        return f"{PLACE}{self.version}/{name}"

    def source(self, name: str) -> str:
        """The module `name` as it is written."""
        return self._sources[name]

    def imports(self, name: str, *, later: bool = False) -> list[str]:
        """The modules that the module `name` imports before it runs, or also those that it loads `later`."""
        found = IMPORT.findall(self._sources[name])
        return [posixpath.normpath(f"{name}/../{place}") for dynamic, place in found if later or not dynamic]

    def modules(self, name: str) -> list[str]:
        """All modules that are loaded with the module `name`, in the order in which they run; itself is the last."""
        below = [module for imported in self.imports(name) for module in self.modules(imported)]
        return list(dict.fromkeys([*below, name]))

    def find(self, path: str) -> tuple[Asset, bytes] | None:
        """The file at a path and how long it may be kept; None where there is none.

        A page that was opened before the program was renewed asks under the older version, and is given what there is.
        """
        name = path.removeprefix(PLACE)
        first, _, rest = name.partition("/")
        if name == path:
            return None
        if first == self.version and rest in self._files:
            return self._files[rest], FOR_EVER
        found = self._files.get(name) or (self._files.get(rest) if _is_version(first) else None)
        return None if found is None else (found, ASK_AGAIN)


class Shelf:
    """An ASGI application that hands out assets; everything else is for `others`, what it does not have too."""

    def __init__(self, assets: Assets, others: App) -> None:
        self._assets, self._others = assets, others

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request.

        Raises:
            Problem: something other than looking was asked.
        """
        found = self._assets.find(scope["path"])
        if found is None:
            await self._others(scope, receive, send)
        elif scope["method"] in {"GET", "HEAD"}:
            asset, keeping = found
            await _send(send, *asset.told(scope, keeping))
        else:
            raise method_not_taken(scope["method"], scope["path"], ("GET", "HEAD"))


@cache
def assets() -> Assets:
    """The assets of this program, read once."""
    return Assets()


def asset(name: str) -> str:
    """Where a page finds the static file `name`; templates ask for it by this name."""
    return assets().path(name)


def script(name: str) -> Markup:
    """The elements that load the module `name` in a page, and at once with it all modules that it imports."""
    *imported, own = (asset(module) for module in assets().modules(name))
    links = (Markup('<link rel="modulepreload" href="{}">\n').format(place) for place in imported)
    return Markup().join([*links, Markup('<script type="module" src="{}"></script>').format(own)])


def serve(app: Flask) -> None:
    """Teach the application `asset` and `script` in templates, and to pack what it answers."""
    app.jinja_env.globals |= {"asset": asset, "script": script}
    app.after_request(_packed)


def _packed(response: Response) -> Response:
    """An answer of the pages or the API, packed where that is worth it and whoever asks takes it."""
    if response.is_streamed or not TEXTS.match(response.mimetype or "") or response.content_encoding:
        return response
    response.vary.add("Accept-Encoding")
    if takes_gzip(request.headers.get("Accept-Encoding")) and len(response.get_data()) >= WORTH_PACKING:
        response.set_data(pack(response.get_data(), quickly=True))
        response.content_encoding = "gzip"
        mark, _ = response.get_etag()
        if mark is not None:
            response.set_etag(mark, weak=True)
    return response


def pack(content: bytes, *, quickly: bool = False) -> bytes:
    """The content with gzip: `quickly` what is made anew each time, as small as can be what is kept."""
    return gzip.compress(content, 5 if quickly else 9, mtime=0)


async def _send(send: Send, status: int, headers: Headers, body: bytes) -> None:
    if status == HTTPStatus.NOT_MODIFIED:  # has no length of its own
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": b""})
    else:
        await answer(send, status, headers, body)


def takes_gzip(said: str | None) -> bool:
    """Whether an Accept-Encoding header, if there is one, takes gzip."""
    for coding in (said or "").lower().split(","):
        name, _, quality = coding.replace(" ", "").partition(";q=")
        if name in {"gzip", "*"}:
            return re.fullmatch(r"0(\.0*)?", quality) is None
    return False


def _as_sent(name: str, content: bytes) -> bytes:
    """A module or a style sheet without what only its readers in the repository need."""
    if name.endswith(".js"):
        return str(jsmin(content.decode())).encode()
    return REMARK.sub("", content.decode()).encode() if name.endswith(".css") else content


def _is_known(said: str | None, mark: str) -> bool:
    known = {one.strip().removeprefix("W/") for one in (said or "").split(",")}
    return mark in known or "*" in known


def _is_version(name: str) -> bool:
    return re.fullmatch(rf"[0-9a-f]{{{VERSION_LETTERS}}}", name) is not None


def _version_of(files: Iterable[tuple[str, Asset]]) -> str:
    whole = hashlib.sha256()
    for name, file in files:
        whole.update(f"{name} {len(file.content)} ".encode() + file.content)
    return whole.hexdigest()[:VERSION_LETTERS]
