"""The OpenAPI document: valid, true to what is answered, and no request made from it finds a fault of ours."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

import jsonschema_rs
import pytest
import schemathesis
from flask import Flask
from hypothesis import HealthCheck, Phase, given, settings

import pegboard.errors
from pegboard.errors import RuleError
from tests.support.long_runs import some_of
from tests.support.web_server_and_clients import Site, ToyBench, opened
from tests.web.table.test_every_command import CASES, HOUSE, TWO, Case
from web.http import problems
from web.http.problems import JSON_TYPE
from web.kit import openapi_writer
from web.table import app, openapi_document, server

ROOT = Path(__file__).parents[3]

PROBLEM = re.compile(r"""Problem\(\s*(\d{3}),\s*"(\w+)\"""")
"""A refusal in the source, with its status and code."""

A_FEW = settings(
    max_examples=some_of(20, 10),
    database=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
    derandomize=True,
)


@pytest.fixture(scope="module")
def document(quiet: Site) -> dict[str, Any]:
    return quiet.get("/api/openapi.json").json


def test_it_is_written_once_and_only_when_somebody_asks_for_it(serve: Callable[..., Site]):
    """Writing it takes as long as a third of a start, and hardly anybody asks."""
    openapi_writer._write.cache_clear()
    with patch.object(openapi_writer, "_operation", side_effect=openapi_writer._operation) as described:
        site = serve()
        assert site.get("/").status == site.get("/api/v1/state").status == 200
        assert not described.called
        first, paths = site.get("/api/openapi.json").json, described.call_count
        assert site.get("/api/openapi.json").json == first
        assert paths == described.call_count >= len(first["paths"])


def test_what_each_command_takes_stays_as_it_was(document: dict[str, Any]):
    """Programs of other people send them: a field may be added, and nothing that was taken be refused."""
    known = json.loads((ROOT / "tests/data/command_schemas.json").read_text("utf-8"))
    mapping = document["paths"]["/api/v1/commands"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    names = {do: place.split("/")[-1] for do, place in mapping["discriminator"]["mapping"].items()}
    assert {do: document["components"]["schemas"][names[do]] for do in known} == known


def validator(document: dict[str, Any], name: str) -> Any:
    whole = {"$ref": f"#/components/schemas/{name}", "components": document["components"]}
    return jsonschema_rs.Draft202012Validator(whole)


def operations(document: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Path, method and description of everything one can ask."""
    for path, item in document["paths"].items():
        yield from ((path, method, told) for method, told in item.items() if method in {"get", "post"})


def test_it_is_openapi_3_1_of_version_1(document: dict[str, Any]):
    assert document["openapi"].startswith("3.1.")
    assert document["info"]["version"] == "1"
    assert all(path.startswith("/api/v1/") for path in document["paths"])
    schemathesis.openapi.from_dict(document).validate()


@pytest.fixture(scope="module")
def application(tmp_path_factory: pytest.TempPathFactory) -> Flask:
    """The application of a table with a bench."""
    made: list[Flask] = []
    with (
        patch.object(server, "create_app", lambda *args, **more: made.append(app.create_app(*args, **more)) or made[0]),
        opened(tmp_path_factory.mktemp("served"), ToyBench()),
    ):
        return made[0]


def test_every_route_of_the_api_is_in_it(application: Flask, document: dict[str, Any]):
    rules = [rule for rule in application.url_map.iter_rules() if rule.rule.startswith("/api/v")]
    served = {
        (re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule), method) for rule in rules for method in rule.methods or ()
    }
    told = {(path, method.upper()) for path, method, _ in operations(document)}
    assert told == {one for one in served if one[1] in {"GET", "POST"}}
    assert {method for _, method in served} <= {"GET", "HEAD", "OPTIONS", "POST"}


def test_every_route_says_what_it_is_takes_and_answers(document: dict[str, Any]):
    for path, method, told in operations(document):
        assert told["summary"].endswith("."), path
        assert told["tags"], path
        named = {
            one["name"]: one for one in [*told.get("parameters", []), *document["paths"][path].get("parameters", [])]
        }
        assert set(re.findall(r"{(\w+)}", path)) == {name for name, one in named.items() if one["in"] == "path"}
        assert all(one["description"] and one["schema"] for one in named.values()), path
        assert ("requestBody" in told) == (method == "post"), path
        for status, answer in told["responses"].items():
            assert answer["description"], (path, status)
            for content in answer.get("content", {}).values():
                assert "schema" in content, (path, status)
                assert path == "/api/v1/bench" or "example" in content or content["examples"], (path, status)


def test_every_code_of_a_refusal_is_told(document: dict[str, Any]):
    told = document["components"]["schemas"]["Problem"]["properties"]["code"]["enum"]
    hub = ROOT / "web" / "hub"  # has an API of its own
    sources = [path.read_text("utf-8") for path in (ROOT / "web").rglob("*.py") if hub not in path.parents]
    thrown = {(code, int(status)) for text in sources for status, code in PROBLEM.findall(text)}
    assert len(thrown) > 12
    table = {code: status for code, (status, _) in (openapi_document.REFUSALS | openapi_document.ELSEWHERE).items()}
    assert dict(thrown) == {code: table.get(code) for code, _ in thrown}
    errors = [one for one in vars(pegboard.errors).values() if isinstance(one, type) and issubclass(one, RuleError)]
    assert {one.code for one in errors} | set(problems.STATUS) <= set(told)
    assert {code: table[code] for code in problems.STATUS} == problems.STATUS
    assert set(told) == set(table)


def test_every_schema_in_it_is_a_json_schema(document: dict[str, Any]):
    for schema in document["components"]["schemas"].values():
        jsonschema_rs.meta.validate({"$schema": "https://json-schema.org/draft/2020-12/schema", **schema})


def test_its_examples_have_the_shapes_it_tells(document: dict[str, Any]):
    seen = 0
    for _, _, operation in operations(document):
        contents = [response.get("content", {}) for response in operation["responses"].values()]
        contents.append(operation.get("requestBody", {}).get("content", {}))
        for content in (content for by_type in contents for content in by_type.values()):
            schema = {**content["schema"], "components": document["components"]}
            given = [shown["value"] for shown in content.get("examples", {}).values()]
            for example in [*given, *([content["example"]] if "example" in content else [])]:
                jsonschema_rs.validate(schema, example)
                seen += 1
    assert seen > 120


def test_the_parameters_have_the_shapes_of_their_examples(document: dict[str, Any]):
    for path, _, told in operations(document):
        for one in [*told.get("parameters", []), *document["paths"][path].get("parameters", [])]:
            if "example" in one:
                jsonschema_rs.validate(one["schema"], one["example"])


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.do)
def test_the_example_of_each_command_is_taken_as_it_stands(serve: Callable[..., Site], document, case: Case):
    site = serve(house=HOUSE)
    case.before(site)
    body = document["paths"]["/api/v1/commands"]["post"]["requestBody"]["content"]["application/json"]
    example = body["examples"][case.do]["value"]
    now = case.body(site)
    lines = ("entry", "to", "from", "was", "points", "fronts")  # what stands on this table
    put = {name: now[name] for name in ("id", "game", "base", "replaces", *lines) if name in example and name in now}
    assert site.post("/api/v1/commands", example | put).status == 201
    assert set(now) - {"game"} <= set(example), "the example shows every field that is needed"


def test_every_command_is_told_of_by_its_name(document: dict[str, Any]):
    body = document["paths"]["/api/v1/commands"]["post"]["requestBody"]["content"]["application/json"]
    mapping = body["schema"]["discriminator"]["mapping"]
    assert set(mapping) == set(body["examples"]) == {case.do for case in CASES}
    assert {one["$ref"] for one in body["schema"]["oneOf"]} == set(mapping.values())
    schemas = document["components"]["schemas"]
    for do, ref in mapping.items():
        assert schemas[ref.rpartition("/")[2]]["properties"]["do"]["enum"] == [do]


def test_every_refusal_of_a_command_has_an_example(document: dict[str, Any]):
    responses = document["paths"]["/api/v1/commands"]["post"]["responses"]
    refusals = {status: content for status, content in responses.items() if int(status) >= 400}
    told = {status: set(one["content"][JSON_TYPE]["examples"]) for status, one in refusals.items()}
    assert told["409"] == {"moved", "other_game", "over", "already"}
    assert told["422"] == {"shape", "rule", "id_reused"}
    assert told["403"] == {"not_paired", "role", "foreign_origin"}
    assert told["428"] == {"base_missing"}
    assert set(told) == {"400", "403", "408", "409", "413", "415", "422", "428", "429", "500", "503"}


@pytest.mark.sampled(least=6)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.do)
def test_what_is_answered_has_the_shape_it_tells(serve: Callable[..., Site], document, case: Case):
    site = serve(house=HOUSE)
    case.before(site)
    answer = site.post("/api/v1/commands", case.body(site))
    validator(document, "Receipt").validate(answer.json)
    validator(document, "State").validate(site.get("/api/v1/state").json)
    validator(document, "Sheet").validate(site.get("/api/v1/sheet").json)
    validator(document, "Problem").validate(site.score(0, 2, base=99).json)
    told = {name: set(schema["properties"]) for name, schema in document["components"]["schemas"].items()}
    assert set(answer.json) | {"note"} == told["Receipt"]
    for entry in site.get("/api/v1/sheet").json["entries"]:
        assert set(entry) <= told["Entry"]


def test_every_field_that_is_answered_is_told_of(serve: Callable[..., Site], document: dict[str, Any]):
    site = serve(house=HOUSE)
    fields: dict[str, set[str]] = {}
    for case in CASES:
        fresh_game(site)
        case.before(site)
        assert site.post("/api/v1/commands", case.body(site)).status == 201
        if case.do == "amend":
            assert site.command(do="amend", entry="1", why="hand", seat=1, was=12).status == 201
        if case.do == "penalty":
            for choice in ({"fault": "out-of-turn", "accepted": True}, {"fault": "wrong-pack", "redeal": 0}):
                assert site.on_lane("penalty", 1, points=0, **choice).status == 201
        sheet, state = site.get("/api/v1/sheet").json, site.get("/api/v1/state").json
        entries = [*sheet["entries"], *state["entries"]]
        game = state["game"]
        seen = {"State": [state], "Sheet": [sheet], "Game": [game], "Rules": [game["rules"]], "Match": [state["match"]]}
        seen |= {"Seat": state["seats"], "Lane": state["lanes"], "Needs": state["needs"], "Entry": entries}
        seen["Change"] = [change for entry in entries for change in entry.get("history", [])]
        for name, values in seen.items():
            fields.setdefault(name, set()).update(*values)
    told = {name: set(schema["properties"]) for name, schema in document["components"]["schemas"].items()}
    told["Entry"] -= {"guessed"}  # only of what pages of older versions have pegged
    told["State"] -= {"event"}  # only at a table in an event (tests/web/table/test_event.py)
    told["Game"] -= {"pairing", "preset"}
    assert fields == {name: told[name] for name in fields}


def fresh_game(site: Site) -> None:
    unfinished = {} if site.scoreboard.view.game.outcome else {"replaces": site.game}
    assert site.on_board("start", **TWO, **unfinished).status == 201


@schemathesis.serializer("application/x-ndjson", "application/vnd.debian.binary-package")
def lines(_: schemathesis.SerializationContext, value: Any) -> bytes:
    """A body that is no JSON document, as it stands."""
    return value.encode("utf-8", "replace") if isinstance(value, str) else json.dumps(value).encode()


def test_a_fuzzer_finds_no_fault_of_ours(quiet: Site, document: dict[str, Any]):
    api = schemathesis.openapi.from_dict(document)
    names = ["not_a_server_error", "response_schema_conformance", "status_code_conformance", "content_type_conformance"]
    checks = schemathesis.checks.CHECKS.get_by_names(names)
    statuses: list[int] = []

    def ask(case: schemathesis.Case) -> None:
        response = case.call_and_validate(base_url=f"http://127.0.0.1:{quiet.port}", checks=checks)
        statuses.append(response.status_code)

    for operation in (result.ok() for result in api.get_all_operations()):
        modes = list(schemathesis.GenerationMode) if operation.body else [schemathesis.GenerationMode.POSITIVE]
        for mode in modes:
            A_FEW(given(operation.as_strategy(generation_mode=mode))(ask))()
    assert len(statuses) > some_of(200, 4)
    assert {200, 404, 409, 422} <= set(statuses)
