"""Static files: cached for ever under their version, and compressed, as pages are."""

import gzip
import json
import re
import socket
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import Mock

import pytest
import tree_sitter_javascript
from tree_sitter import Language, Node, Parser

from tests.support.web_server_and_clients import Answer, Site
from web.http.static_files import CONTENT_TYPES, FOLDER, IMMUTABLE, Assets, accepts_gzip, asset


def asked(site: Site, path: str, method: str = "GET", **headers: str) -> Answer:
    return site.ask(method, path, headers={name.replace("_", "-"): value for name, value in headers.items()})


def test_a_file_under_its_version_is_kept_for_ever(quiet: Site):
    answer = asked(quiet, asset("pegboard.css"))
    assert answer.status == 200
    assert b"body{background:var(--table);" in answer.body
    assert b"/*" not in answer.body
    assert answer.headers["content-type"] == "text/css; charset=utf-8"
    assert answer.headers["cache-control"] == "max-age=31536000, immutable"
    assert answer.headers["x-content-type-options"] == "nosniff"


def test_a_file_is_packed_for_those_who_take_that(quiet: Site):
    plain, packed = (asked(quiet, asset("pegboard.css"), accept_encoding=said) for said in ("identity", "br, gzip"))
    assert "content-encoding" not in plain.headers
    assert packed.headers["content-encoding"] == "gzip"
    assert gzip.decompress(packed.body) == plain.body
    assert len(packed.body) < len(plain.body) / 3
    assert plain.headers["vary"] == packed.headers["vary"] == "accept-encoding"
    assert plain.headers["etag"] != packed.headers["etag"]


@pytest.mark.parametrize(
    ("said", "takes"),
    [
        (None, False),
        ("", False),
        ("gzip", True),
        ("deflate, GZIP;q=0.5", True),
        ("*", True),
        ("gzip;q=0", False),
        ("gzip; q=0.000, br", False),
        ("br, zstd", False),
    ],
)
def test_what_an_accept_encoding_takes(said: str | None, takes: bool):
    assert accepts_gzip(said) == takes


def test_a_file_without_its_version_is_asked_for_again_and_not_sent_twice(quiet: Site):
    first = asked(quiet, "/static/pegboard.css", accept_encoding="gzip")
    assert first.headers["cache-control"] == "no-cache"
    mark = first.headers["etag"]
    again = asked(quiet, "/static/pegboard.css", accept_encoding="gzip", if_none_match=f'"older", W/{mark}')
    assert (again.status, again.body, again.headers["etag"]) == (304, b"", mark)
    assert asked(quiet, "/static/pegboard.css", accept_encoding="gzip", if_none_match='"older"').status == 200


def test_a_page_from_before_the_program_was_renewed_still_finds_its_modules(quiet: Site):
    answer = asked(quiet, "/static/0123456789ab/live/table_stream.js")
    assert (answer.status, answer.headers["cache-control"]) == (200, "no-cache")
    assert answer.body == asked(quiet, asset("live/table_stream.js")).body


def test_the_head_of_a_file_is_told_without_the_file(quiet: Site):
    connection = quiet.raw(
        f"HEAD {asset('live/table_stream.js')} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode()
    )
    answer = _all_of(connection)
    assert answer.startswith(b"HTTP/1.1 200 ")
    assert f"content-length: {len(asked(quiet, asset('live/table_stream.js')).body)}".encode() in answer
    assert answer.endswith(b"\r\n\r\n")


def _all_of(connection: socket.socket) -> bytes:
    answer = b""
    while part := connection.recv(65536):
        answer += part
    return answer


@pytest.mark.parametrize(
    "path",
    [
        "/static/no-such.js",
        "/static/",
        "/static/0123456789ab/no-such.js",
        "/static/pegboard.css/",
        "/static/../app.py",
        "/static/0123456789ab/../../app.py",
        "/static/%2e%2e/app.py",
        "/static/nowhere/live/table_stream.js",
    ],
)
def test_what_is_not_there_is_said_as_everywhere(quiet: Site, path: str):
    answer = asked(quiet, path)
    assert answer.refusal == (404, "not_found")
    assert asked(quiet, path, accept="text/html").headers["content-type"] == "text/html; charset=utf-8"


def test_a_file_is_only_looked_at(quiet: Site):
    assert asked(quiet, "/static/live/table_stream.js", "POST").refusal == (405, "method")


def test_every_asset_that_a_page_names_carries_the_version(quiet: Site):
    for path in ("/", "/board", "/health"):
        named = re.findall(r'(?:src|href)="(/static/[^"]*)"', quiet.get(path).body.decode())
        assert named
        for place in named:
            assert asked(quiet, place).headers["cache-control"] == IMMUTABLE.decode(), place


def test_which_modules_a_page_loads_is_looked_up_once(quiet: Site, monkeypatch: pytest.MonkeyPatch):
    page = quiet.get("/").body
    assert b"modulepreload" in page
    monkeypatch.setattr(Assets, "imports", Mock(side_effect=AssertionError("read a second time")))
    assert quiet.get("/").body == page


def test_any_change_of_any_file_makes_another_version(tmp_path: Path):
    def version(**files: str) -> str:
        for name, content in files.items():
            (tmp_path / name).write_text(content)
        return Assets(tmp_path).version

    versions = [version(a="1", b="2"), version(a="12", b=""), version(a="1", b="3"), version(c="")]
    assert len(set(versions)) == 4
    assert version() == versions[-1]


def test_modules_find_each_other_under_their_own_version_only():
    for module in FOLDER.rglob("*.js"):
        for place in re.findall(r"""(?:from|import\()\s*["']([^"']+)["']""", module.read_text("utf-8")):
            assert (module.parent / place).is_file(), (module.name, place)
            assert (module.parent / place).resolve().is_relative_to(FOLDER), (module.name, place)


MODULE = """// What it is about.

/** Told to whoever reads it at home,
 * in several lines. */
export const place = "http://127.0.0.1"; // on the line of something else
  // within
  const rest = 4 /* of five */ + 1;
"""


def test_comments_are_stripped_from_modules_alone(tmp_path: Path):
    for name in ("module.js", "drawing.svg"):
        (tmp_path / name).write_text(MODULE)
    sent = {name: _sent(tmp_path, name) for name in ("module.js", "drawing.svg")}
    assert sent["drawing.svg"] == MODULE
    assert sent["module.js"] == 'export const place="http://127.0.0.1";const rest=4+1;'


def _sent(folder: Path, name: str) -> str:
    found = Assets(folder).find(f"/static/{name}")
    assert found is not None
    return found[0].content.decode()


JAVASCRIPT = Parser(Language(tree_sitter_javascript.language()))


def _parsed(node: Node) -> Iterator[object]:
    """The syntax tree without comments: every node, and what stands in those that have no parts."""
    yield node.type
    yield [list(_parsed(child)) for child in node.children if child.type != "comment"] or node.text
    if node.type in {"string", "template_string", "regex"}:
        yield [node.text[: child.start_byte - node.start_byte] for child in node.children]


@pytest.mark.parametrize("module", sorted(FOLDER.rglob("*.js")), ids=lambda path: path.relative_to(FOLDER).as_posix())
def test_a_module_parses_as_it_is_written_once_its_comments_are_stripped(module: Path):
    """What the library cannot read, such as a template in a template, must be written otherwise."""
    written, sent = (JAVASCRIPT.parse(source).root_node for source in (module.read_bytes(), _stripped(module)))
    assert not written.has_error
    assert list(_parsed(sent)) == list(_parsed(written))


def _stripped(module: Path) -> bytes:
    found = Assets().find(f"/static/{module.relative_to(FOLDER).as_posix()}")
    assert found is not None
    return found[0].content


def test_commands_and_decisions_are_sent_and_given_their_ids_in_one_module_each():
    sources = {path.relative_to(FOLDER).as_posix(): path.read_text("utf-8") for path in FOLDER.rglob("*.js")}
    commands, decisions = {"live/command_queue.js"}, {"hub/decisions.js"}
    for what, where in {
        "/api/v1/commands": commands,
        "/api/v1/preview": commands,
        "/night/v1/decisions": decisions,
        "getRandomValues": commands | decisions,
        "randomUUID(": set(),
    }.items():
        assert {name for name, source in sources.items() if what in source} <= where, what


def test_the_home_screen_of_a_phone_gets_a_name_and_icons_that_are_there(quiet: Site):
    page = quiet.get("/").body.decode()
    place = re.search(r'rel="manifest" href="([^"]+)"', page)
    assert place
    answer = asked(quiet, place[1])
    assert answer.headers["content-type"] == "application/manifest+json"
    manifest = json.loads(answer.body)
    assert (manifest["start_url"], manifest["display"]) == ("/", "standalone")
    for icon in manifest["icons"]:
        sent = asked(quiet, place[1].rpartition("/")[0] + "/" + icon["src"]).headers["content-type"]
        assert sent.removesuffix("; charset=utf-8") == icon["type"]


def test_every_text_names_its_letters(quiet: Site):
    """ASVS 4.1.1; JSON needs no charset, it is UTF-8 by its standard."""
    texts = re.compile(r"text/|.*[/+]xml\b")
    assert [kind for kind in CONTENT_TYPES.values() if texts.match(kind) and "; charset=utf-8" not in kind] == []
    for path in ("/", "/nowhere", "/static/icons/icon.svg", "/api/v1/export.csv", asset("pegboard.css")):
        kind = asked(quiet, path, Accept="text/html").headers["content-type"]
        assert (kind.endswith("; charset=utf-8"), bool(texts.match(kind))) == (True, True), path


@pytest.mark.parametrize("path", ["/", "/board", "/api/v1/state", "/api/openapi.json"])
def test_pages_and_json_are_packed_for_those_who_take_that(site: Site, path: str):
    for points in (2, 3, 4):
        site.score(0, points)
    plain, packed = asked(site, path), asked(site, path, accept_encoding="gzip")
    assert "content-encoding" not in plain.headers
    assert packed.headers["content-encoding"] == "gzip"
    assert gzip.decompress(packed.body) == plain.body
    assert len(packed.body) < len(plain.body) / 2
    assert "Accept-Encoding" in plain.headers["vary"]
    assert packed.headers.get("etag") == (f"W/{plain.headers['etag']}" if "etag" in plain.headers else None)


def test_what_is_small_and_what_is_live_is_never_packed(quiet: Site):
    refusal = asked(quiet, "/api/v1/nothing", accept_encoding="gzip")
    assert (refusal.status, "content-encoding" in refusal.headers) == (404, False)
    watcher = quiet.watch(Accept_Encoding="gzip")
    assert "content-encoding" not in watcher.headers
