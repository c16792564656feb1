"""The OpenAPI document: valid, true to what is answered, and no request made from it finds a fault of ours."""

from collections.abc import Callable
from typing import Any

import jsonschema_rs
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings

from tests.web.client import Site
from tests.web.test_every_command import CASES, HOUSE, TWO, Case
from web.problems import JSON_TYPE

A_FEW = settings(
    max_examples=60,
    deadline=None,
    database=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
    derandomize=True,
)


@pytest.fixture(scope="module")
def document(quiet: Site) -> dict[str, Any]:
    return quiet.get("/api/openapi.json").json


def validator(document: dict[str, Any], name: str) -> Any:
    whole = {"$ref": f"#/components/schemas/{name}", "components": document["components"]}
    return jsonschema_rs.Draft202012Validator(whole)


def test_it_is_openapi_3_1(document: dict[str, Any]):
    assert document["openapi"].startswith("3.1.")
    assert set(document["paths"]) == {
        "/api/v1/state",
        "/api/v1/sheet",
        "/api/v1/health",
        "/api/v1/me",
        "/api/v1/pair",
        "/api/v1/pairing",
        "/api/v1/unpair",
        "/api/v1/commands",
        "/api/v1/bench",
        "/api/v1/bench/keys",
        "/api/v1/bench/plugs",
        "/api/v1/bench/fault",
    }
    schemathesis.openapi.from_dict(document).validate()


def test_every_schema_in_it_is_a_json_schema(document: dict[str, Any]):
    for schema in document["components"]["schemas"].values():
        jsonschema_rs.meta.validate({"$schema": "https://json-schema.org/draft/2020-12/schema", **schema})


def test_its_examples_have_the_shapes_it_tells(document: dict[str, Any]):
    seen = 0
    for path in document["paths"].values():
        for operation in path.values():
            contents = [response.get("content", {}) for response in operation["responses"].values()]
            contents.append(operation.get("requestBody", {}).get("content", {}))
            for content in (content for by_type in contents for content in by_type.values()):
                schema = {**content["schema"], "components": document["components"]}
                given = [shown["value"] for shown in content.get("examples", {}).values()]
                for example in [*given, *([content["example"]] if "example" in content else [])]:
                    jsonschema_rs.validate(schema, example)
                    seen += 1
    assert seen > 40


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.do)
def test_the_example_of_each_command_is_taken_as_it_stands(serve: Callable[..., Site], document, case: Case):
    site = serve(house=HOUSE)
    case.before(site)
    body = document["paths"]["/api/v1/commands"]["post"]["requestBody"]["content"]["application/json"]
    example = body["examples"][case.do]["value"]
    now = case.body(site)
    lines = ("entry", "to", "was", "points", "fronts")  # what stands on this table
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
        sheet, state = site.get("/api/v1/sheet").json, site.get("/api/v1/state").json
        entries = [*sheet["entries"], *state["entries"]]
        game = state["game"]
        seen = {"State": [state], "Sheet": [sheet], "Game": [game], "Rules": [game["rules"]], "Match": [state["match"]]}
        seen |= {"Seat": state["seats"], "Lane": state["lanes"], "Needs": state["needs"], "Entry": entries}
        seen["Change"] = [change for entry in entries for change in entry.get("history", [])]
        for name, values in seen.items():
            fields.setdefault(name, set()).update(*values)
    told = {name: set(schema["properties"]) for name, schema in document["components"]["schemas"].items()}
    assert fields == {name: told[name] for name in fields}


def fresh_game(site: Site) -> None:
    unfinished = {} if site.scoreboard.view.game.outcome else {"replaces": site.game}
    assert site.on_board("start", **TWO, **unfinished).status == 201


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
    assert len(statuses) > 200
    assert {200, 404, 409, 422} <= set(statuses)
