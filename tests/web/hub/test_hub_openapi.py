"""The hub's OpenAPI document: valid, true to what is answered, and no request made from it finds a fault of ours."""

import json
import re
from collections.abc import Iterator
from copy import deepcopy
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
from pegboard.hub.ledger import hub_errors
from pegboard.tournament.calls import JUDGE, OpenCalls, TableCall
from pegboard.tournament.night.decide import add
from pegboard.tournament.night.decisions import BY_WORD, from_row
from pegboard.tournament.night.night_state import EMPTY_NIGHT, Night
from pegboard.tournament.night.views.night_views import audit_lines, director_view, player_view, screen_view
from tests.support.hub_site import Client, HubSite, opened_hub, request_id
from tests.support.long_runs import some_of
from web.http import problems
from web.hub import hub_answers, hub_app, hub_server
from web.kit import openapi_writer

ROOT = Path(__file__).parents[3]

PROBLEM = re.compile(r"""Problem\(\s*(\d{3}),\s*"(\w+)\"""")
"""A refusal in the source, with its status and code."""

WITHOUT_BODY = {
    "/night/v1/directors/code",
    "/night/v1/{night}/players/{player}/code",
    "/night/v1/{night}/tables/{table}/code",
}
"""Paths that take a POST and read no body."""

FILES = ("application/vnd.pegboard.package+json", "text/csv")
"""Types of content without an example."""

A_FEW = settings(
    max_examples=some_of(8, 4),
    database=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
    derandomize=True,
)

Document = dict[str, Any]


@pytest.fixture(scope="module")
def document(quiet_hub: HubSite) -> Document:
    return quiet_hub.client().get("/night/v1/openapi.json").json


class Shapes:
    """The shapes that a document tells, read by a foreign validator."""

    def __init__(self, document: Document) -> None:
        self.document, self._validators = document, {}

    def check(self, schema: dict[str, Any], value: Any) -> None:
        key = json.dumps(schema)
        if key not in self._validators:
            whole = {**schema, "components": self.document["components"]}
            self._validators[key] = jsonschema_rs.Draft202012Validator(whole)
        self._validators[key].validate(value)

    def check_as(self, name: str, value: Any) -> None:
        self.check({"$ref": f"#/components/schemas/{name}"}, value)


@pytest.fixture(scope="module")
def shapes(document: Document) -> Shapes:
    return Shapes(document)


@pytest.fixture(scope="module")
def closed(document: Document) -> Shapes:
    """The shapes as if no object had a field that the document does not tell of."""
    strict = deepcopy(document)
    for schema in strict["components"]["schemas"].values():
        if "properties" in schema:
            schema["additionalProperties"] = False
    return Shapes(strict)


def operations(document: Document) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Path, method and description of everything one can ask."""
    for path, item in document["paths"].items():
        yield from ((path, method, described) for method, described in item.items() if method in {"get", "post"})


# --- the document itself ---


def test_anyone_gets_it_and_it_is_written_once_and_only_then(hub: HubSite):
    openapi_writer._write.cache_clear()
    with patch.object(openapi_writer, "_operation", side_effect=openapi_writer._operation) as described:
        assert hub.client().get("/night/v1/nights").status == 200
        assert not described.called
        first, count = hub.client().get("/night/v1/openapi.json"), described.call_count
        assert (first.status, first.headers["content-type"]) == (200, "application/json")
        assert hub.client().get("/night/v1/openapi.json").json == first.json
        assert described.call_count == count == len(list(operations(first.json)))


def test_it_is_openapi_3_1_of_version_1(document: Document):
    assert document["openapi"].startswith("3.1.")
    assert document["info"]["version"] == "1"
    schemathesis.openapi.from_dict(document).validate()
    for schema in document["components"]["schemas"].values():
        jsonschema_rs.meta.validate({"$schema": "https://json-schema.org/draft/2020-12/schema", **schema})


@pytest.fixture(scope="module")
def application(tmp_path_factory: pytest.TempPathFactory) -> Flask:
    """The application of a hub."""
    made: list[Flask] = []
    with (
        patch.object(hub_server, "create_hub_app", lambda parts: made.append(hub_app.create_hub_app(parts)) or made[0]),
        opened_hub(tmp_path_factory.mktemp("served") / "hub"),
    ):
        return made[0]


def test_every_route_of_the_api_is_in_it(application: Flask, document: Document):
    served = {
        (re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule), method)
        for rule in application.url_map.iter_rules()
        for method in rule.methods or ()
        if hub_app.API.match(rule.rule) and rule.endpoint != "openapi_json"
    }
    described = {(path, method.upper()) for path, method, _ in operations(document)}
    assert described == {one for one in served if one[1] in {"GET", "POST"}} | {("/night/v1/events", "GET")}
    assert {method for _, method in served} <= {"GET", "HEAD", "OPTIONS", "POST"}


def test_every_route_says_what_it_is_takes_and_answers(document: Document):
    for path, method, operation in operations(document):
        item = document["paths"][path]
        assert operation["summary"].endswith("."), path
        named = {one["name"]: one for one in [*operation.get("parameters", []), *item.get("parameters", [])]}
        assert set(re.findall(r"{(\w+)}", path)) == {name for name, one in named.items() if one["in"] == "path"}
        assert all(one["description"] and one["schema"] for one in named.values()), path
        assert ("requestBody" in operation) == (method == "post" and path not in WITHOUT_BODY), path
        assert min(operation["responses"]) < "300", path
        for status, answer in operation["responses"].items():
            assert answer["description"], (path, status)
            for kind, content in answer["content"].items():
                assert "schema" in content, (path, status)
                assert kind in FILES or "example" in content or content["examples"], (path, status)
    tags = {tag for _, _, operation in operations(document) for tag in operation["tags"]}
    assert tags == {tag["name"] for tag in document["tags"] if tag["description"]}


def test_no_two_types_have_the_same_name(document: Document):
    """A component is named after its class without `Json` or `Request`; the fields tell which class it was."""
    wanted = {"Code": {"code"}, "CodePage": {"code", "url", "host", "reach", "qr", "command"}}
    schemas = document["components"]["schemas"]
    assert {name: set(schemas[name]["properties"]) for name in wanted} == wanted
    assert {BY_WORD[do].__name__ for do in SENT} <= schemas.keys()


def test_its_examples_have_the_shapes_it_tells(document: Document, shapes: Shapes):
    seen = 0
    for path, _, operation in operations(document):
        contents = [response["content"] for response in operation["responses"].values()]
        contents.append(operation.get("requestBody", {}).get("content", {}))
        for content in (content for by_type in contents for content in by_type.values()):
            given_values = [shown["value"] for shown in content.get("examples", {}).values()]
            for example in [*given_values, *([content["example"]] if "example" in content else [])]:
                shapes.check(content["schema"], example)
                seen += 1
        for one in [*operation.get("parameters", []), *document["paths"][path].get("parameters", [])]:
            if "example" in one:
                shapes.check(one["schema"], one["example"])
    assert seen > 200


def test_every_code_of_a_refusal_is_in_it(document: Document):
    told = document["components"]["schemas"]["HubProblem"]["properties"]["code"]["enum"]
    rows = hub_answers.REFUSALS | hub_answers.ELSEWHERE
    table = {(name.partition(" ")[0], status) for name, (status, _) in rows.items()}
    table_only = ROOT / "web" / "table"
    sources = [path.read_text("utf-8") for path in (ROOT / "web").rglob("*.py") if table_only not in path.parents]
    thrown = {(code, int(status)) for text in sources for status, code in PROBLEM.findall(text)}
    assert len(thrown) > 20
    assert thrown <= table
    raised = [*vars(pegboard.errors).values(), *vars(hub_errors).values()]
    errors = [one for one in raised if isinstance(one, type) and issubclass(one, RuleError)]
    assert {one.code for one in errors} - {"over"} <= set(told)
    assert set(told) == {code for code, _ in table}
    given_codes = {
        (name, int(status))
        for _, _, operation in operations(document)
        for status, answer in operation["responses"].items()
        for name in answer["content"].get(problems.JSON_TYPE, {}).get("examples", {})
    }
    elsewhere = {(code, status) for code, (status, _) in hub_answers.ELSEWHERE.items()}
    assert given_codes == table - elsewhere


# --- decisions ---


SENT = sorted(do for do, kind in BY_WORD.items() if kind.who & {"director", "player"})
"""The decisions that are not only tables' own, which come through the broker."""


def body_of_decisions(document: Document) -> dict[str, Any]:
    found: dict[str, Any] = document["paths"]["/night/v1/decisions"]["post"]["requestBody"]["content"]
    return found["application/json"]


def test_every_decision_is_in_it_by_its_word(document: Document):
    body, schemas = body_of_decisions(document), document["components"]["schemas"]
    mapping = body["schema"]["discriminator"]["mapping"]
    assert sorted(mapping) == sorted(body["examples"]) == SENT
    assert [one["$ref"] for one in body["schema"]["oneOf"]] == list(mapping.values())
    for do, ref in mapping.items():
        schema = schemas[ref.rpartition("/")[2]]
        assert schema["properties"]["do"]["enum"] == [do]
        assert {"do", "id", "night"} <= set(schema["required"])
        assert all(role in schema["description"] for role in BY_WORD[do].who)
        assert ("it is refused" in schema["properties"]["base"]["description"]) == BY_WORD[do].needs_base


@pytest.mark.parametrize("do", SENT)
def test_the_example_of_each_decision_has_no_field_that_a_hub_refuses(quiet_hub: HubSite, document, do: str):
    example = body_of_decisions(document)["examples"][do]["value"]
    night = quiet_hub.open_night()
    answer = quiet_hub.director().post("/night/v1/decisions", **example | {"id": request_id(), "night": night})
    assert answer.status in {201, 403, 409, 422}
    assert answer.json.get("key") not in {"night_field", "night_field_unknown", "night_no_such_decision", "desk_id"}
    assert answer.status != 403


# --- views of events that were played ---


@pytest.fixture(params=["night_v1", "night_v1_reopened_games"])
def nights(request: pytest.FixtureRequest) -> list[Night]:
    """An event after some of its decisions, and after all."""
    found = [EMPTY_NIGHT]
    for row in json.loads((ROOT / f"tests/data/{request.param}.json").read_text("utf-8")):
        found.append(add(found[-1], from_row(row)))
    return [*found[1 :: some_of(6, 3)], found[-1]]


def test_views_of_events_have_the_shapes_it_tells(nights: list[Night], closed: Shapes):
    calls = OpenCalls().with_call(TableCall("5d21", "t1", JUDGE))
    for night in nights:
        closed.check_as("Director", director_view(night, calls) | {"alarms": [], "troubles": []})
        closed.check_as("Screen", screen_view(night))
        closed.check_as("Log", {"audit": audit_lines(night)})
        for player in night.players:
            closed.check_as("PlayersPage", player_view(night, player))


# --- what a hub answers ---


class Checked:
    """A client whose requests and answers must have the shapes that the document tells."""

    def __init__(self, client: Client, shapes: Shapes, night: str) -> None:
        self.client, self.night, self._shapes, self._paths = client, night, shapes, shapes.document["paths"]
        self.seen: set[tuple[str, str]] = set()

    def get(self, path: str, **path_values: str) -> Any:
        return self.check(path, "get", self.client.get(path.format(night=self.night, **path_values)))

    def post(self, path: str, path_values: dict[str, str] | None = None, **values: Any) -> Any:
        if path not in WITHOUT_BODY:
            body = self._paths[path]["post"]["requestBody"]["content"]["application/json"]
            self._shapes.check(body["schema"], values)
        answer = self.client.post(path.format(night=self.night, **path_values or {}), **values)
        return self.check(path, "post", answer)

    def check(self, path: str, method: str, answer: Any) -> Any:
        self.seen.add((path, method))
        content = self._paths[path][method]["responses"][str(answer.status)]["content"]
        kind = answer.headers["content-type"].partition(";")[0]
        if "json" in kind and "package" not in kind:
            self._shapes.check(content[kind]["schema"], answer.json)
            return answer.json
        assert kind in content
        return answer


def test_what_is_answered_has_the_shape_it_tells(hub: HubSite, closed: Shapes):
    night = hub.open_night()
    desk, phone = Checked(hub.director(), closed, night), Checked(hub.client(), closed, night)
    desk.post("/night/v1/nights", id=request_id(), name="Other night", date="2026-11-27")
    decide = "/night/v1/decisions"
    for fields in (
        {"do": "enter", "name": "Ann", "walk_up": True},
        {"do": "enter", "name": "Bob"},
        {"do": "enter", "name": "Bob"},
        {"do": "add_table", "table": "t1", "label": "Table 1", "kind": "board"},
    ):
        desk.post(decide, id=request_id(), night=night, **fields)
    for path in ("/night/v1/nights", "/night/v1/me", "/night/v1/{night}/screen"):
        phone.get(path)
    door = desk.get("/night/v1/{night}/door")["code"]
    phone.post("/night/v1/door/list", code=door)
    phone.post("/night/v1/door", id=request_id(), code=door, player="p2")
    phone.post("/night/v1/door", id=request_id(), code=door, name="Cy")
    phone.post("/night/v1/door", id=request_id(), code=door, name="cy")
    phone.get("/night/v1/{night}/players/{player}", player="p3")
    calls = phone.post("/night/v1/calls", night=night, do="call", **{"for": "judge"})["calls"]
    desk.post("/night/v1/calls", night=night, do="accept_call", call=calls[0]["call"])
    desk.post("/night/v1/calls", night=night, do="end_call", call=calls[0]["call"])
    phone.get("/night/v1/{night}/director")
    phone.post("/night/v1/forget", night=night)
    card = desk.get("/night/v1/{night}/players/{player}/code", player="p2")["code"]
    phone.post("/night/v1/card", code=card)
    phone.post("/night/v1/card", code="ZZZZZZ")
    desk.post("/night/v1/{night}/players/{player}/code", {"player": "p2"})
    seat = desk.post("/night/v1/{night}/tables/{table}/code", {"table": "t1"})["code"]
    for _ in range(2):
        phone.post("/join", code=seat)
    phone.post("/join", code="000000")
    phone.post("/night/v1/result-codes", code="nonsense")
    for path in ("carried", "audit", "director", "files/night.json", "files/night.pegboard"):
        desk.get(f"/night/v1/{{night}}/{path}")
    desk.get("/night/v1/{night}/files/{name}", name="roster.csv")
    desk.post("/night/v1/import", id=request_id(), night=night, text="name\nDee\nDee\n")
    desk.post("/night/v1/alarms", night=night, alarm=1)
    package = desk.client.get(f"/night/v1/{night}/files/night.pegboard").body
    stored = desk.check("/night/v1/packages", "post", desk.client.ask("POST", "/night/v1/packages", package))
    desk.get("/night/v1/packages/{digest}", digest=stored["digest"])
    phone.post("/night/v1/pair", code=desk.post("/night/v1/directors/code")["code"])
    desk.get("/night/v1/directors")
    desk.post("/night/v1/unpair")
    described = {(path, method) for path, method, _ in operations(closed.document)}
    assert described - desk.seen - phone.seen == {("/night/v1/events", "get")}


def test_a_fuzzer_finds_no_fault_of_ours(tmp_path: Path, document: Document):
    names = ["not_a_server_error", "response_schema_conformance", "status_code_conformance", "content_type_conformance"]
    statuses: list[int] = []
    with opened_hub(tmp_path / "hub", open=True) as hub:
        night = hub.open_night()
        hub.enter(night, 3)
        api = schemathesis.openapi.from_dict(about(document, night))
        checks = schemathesis.checks.CHECKS.get_by_names(names)

        def ask(case: schemathesis.Case) -> None:
            response = case.call_and_validate(base_url=f"http://127.0.0.1:{hub.server.port}", checks=checks)
            statuses.append(response.status_code)

        for operation in (result.ok() for result in api.get_all_operations()):
            modes = list(schemathesis.GenerationMode) if operation.body else [schemathesis.GenerationMode.POSITIVE]
            for mode in modes if operation.path != "/night/v1/events" else ():
                A_FEW(given(operation.as_strategy(generation_mode=mode))(ask))()
    assert len(statuses) > some_of(60, 4)
    assert {200, 404, 422} <= set(statuses)


def answered_schemas(document: Document) -> set[str]:
    """The names of the schemas that answers have, or have within."""
    schemas, found = document["components"]["schemas"], set[str]()
    new = named_in([one["responses"] for _, _, one in operations(document)])
    while new := new - found:
        found |= new
        new = named_in([schemas[name] for name in new])
    return found


def named_in(values: object) -> set[str]:
    """The names of the schemas that these parts of a document refer to."""
    return set(re.findall(r'"#/components/schemas/(\w+)"', json.dumps(values)))


def about(document: Document, night: str) -> Document:
    """The document of a hub whose only events are this one and an unknown one."""
    found = deepcopy(document)
    answered = answered_schemas(document)  # an event that is opened on the way has another id
    for name, schema in found["components"]["schemas"].items():
        night_field = schema.get("properties", {}).get("night", {})
        if name not in answered and night_field.get("type") == "string":
            night_field["enum"] = [night, "none"]
    for item in found["paths"].values():
        for one in item.get("parameters", []):
            if one["name"] == "night":
                one["schema"] = {"type": "string", "enum": [night, "none"]}
    return found
