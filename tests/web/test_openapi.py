"""The OpenAPI document: valid, true to what is answered, and no request made from it finds a fault of ours."""

from typing import Any

import jsonschema_rs
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings

from tests.web.client import Site, tap

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
        "/api/v1/commands",
        "/api/v1/bench",
        "/api/v1/bench/keys",
        "/api/v1/bench/plugs",
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


def test_the_example_commands_are_taken_as_they_stand(site: Site, document: dict[str, Any]):
    body = document["paths"]["/api/v1/commands"]["post"]["requestBody"]["content"]["application/json"]
    for do in ("score", "undo", "redo", "deal", "start"):
        example = body["examples"][do]["value"] | {"id": tap()}
        here = {"game": site.game, "replaces": site.game, "entry": "1"}
        example |= {name: value for name, value in here.items() if name in example}
        if "base" in example:
            example["base"] = 0 if do == "score" else site.scoreboard.view.revision
        assert site.post("/api/v1/commands", example).status == 201, do


def test_what_is_answered_has_the_shape_it_tells(site: Site, document: dict[str, Any]):
    site.score(0, 12, why="play")
    site.scoreboard.dial(1, 2)
    validator(document, "State").validate(site.get("/api/v1/state").json)
    validator(document, "Receipt").validate(site.score(1, 2).json)
    validator(document, "Receipt").validate(site.command(do="deal", base=site.scoreboard.view.revision).json)
    validator(document, "Problem").validate(site.score(0, 2, base=0).json)


def test_every_field_that_is_answered_is_told_of(site: Site, document: dict[str, Any]):
    site.score(0, 12, why="play")
    state = site.command(do="deal", base=site.scoreboard.view.revision).json["state"]
    told = {name: set(schema["properties"]) for name, schema in document["components"]["schemas"].items()}
    assert set(state) == told["State"]
    assert set(state["game"]) == told["Game"]
    assert set(state["lanes"][0]) == told["Lane"]
    assert set(state["seats"][0]) == told["Seat"]
    assert {field for entry in state["entries"] for field in entry} == told["Entry"]


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
    assert {200, 409, 422} <= set(statuses)
