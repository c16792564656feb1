"""Conditional responses: an ETag of the journal's newest event and the program's version, and 304 for what is known."""

import contextlib
import hashlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from flask import Response, request

from pegboard.core import view_as_json
from pegboard.core.view import View
from web.api.contract.strict_json import json_response
from web.api.program_parts import parts
from web.http import static_files

ETAG = {"ETag": "the journal's epoch, its newest relevant event, and the program's version"}

PROGRAM = (Path(__file__).parents[1], Path(view_as_json.__file__).parents[1])
"""The folders whose modules make the responses."""


def state_id(view: View) -> str:
    """The id of a state for its ETag: the journal's epoch and its newest event."""
    return f"{view.epoch}-{view.revision}"


def respond_unless_known(revision: int, values: Callable[[], dict[str, Any]]) -> Response:
    """The values, or 304 where the client has them already from this version of the program."""
    etag = f"{parts().scoreboard.view.epoch}-{revision}-{parts().version}"
    is_known = request.if_none_match.contains_weak(etag)  # a compressed response has a weak one
    response = Response(status=304) if is_known else json_response(values())
    response.set_etag(etag)
    response.headers["Cache-Control"] = "private, no-cache"
    return response


def program_version() -> str:
    """The version of the static files, which pages are written with, and of the modules, which make the responses.

    It is read when the program starts: files that are replaced later do not run yet. Their bytes are not read: an
    update changes the size of a module, or at least the time it was written.
    """
    modules = hashlib.sha256()
    for file in sorted((file for folder in PROGRAM for file in _list_modules(folder)), key=lambda file: file.path):
        with contextlib.suppress(FileNotFoundError):  # an editor's lock is a link to nowhere
            written = file.stat()
            modules.update(f"{file.path} {written.st_size} {written.st_mtime_ns} ".encode())
    return f"{static_files.assets().version}-{modules.hexdigest()[: static_files.VERSION_LETTERS]}"


def _list_modules(folder: str | Path) -> Iterator[os.DirEntry[str]]:
    """The modules of a folder and its folders; a start waits for it, and `Path.rglob` takes twice as long."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                yield from _list_modules(entry.path)
            elif entry.name.endswith(".py"):
                yield entry
