"""The parts of a site alone: how errors are answered, and which application gets a request."""

import asyncio
import json
import logging
import re
from types import SimpleNamespace
from typing import Any

import pytest
from flask import Flask, Response
from werkzeug.exceptions import ImATeapot, MethodNotAllowed, NotFound

from pegboard.errors import RuleError
from tests.support.event_loop import apart
from web.access.sessions import EXTENSION
from web.http.problems import Problem, problem_of
from web.http.security_log import SecurityLog
from web.kit.site import LONGEST_PATH, ErrorHandlers, PathRouter


def handlers(*, names_device: bool = False) -> ErrorHandlers:
    log = logging.getLogger("site on trial")
    return ErrorHandlers(log, "hub_no_page", re.compile("/night/v1/"), problem_of, names_device=names_device)


def answered(errors: ErrorHandlers, refuse: str, error: Exception, path: str = "/night/v1/x", **more: Any) -> Response:
    """The answer to a request for a path that ended in an error."""
    app = Flask("on trial")
    session = SimpleNamespace(device="phone")
    app.extensions[EXTENSION] = SimpleNamespace(security_log=SecurityLog(), session_of=lambda _: session)
    with app.test_request_context(path, environ_base={"REMOTE_ADDR": "192.168.1.9"}, **more):
        response: Response = getattr(errors, refuse)(error)
    return response


def test_a_refusal_is_json_with_the_rule_that_explains_it():
    response = answered(handlers(), "refuse", RuleError("night_no_player", player="p9"))
    assert (response.status_code, response.content_type) == (422, "application/problem+json")
    assert response.headers["Cache-Control"] == "no-store"
    assert json.loads(response.data)["key"] == "night_no_player"


def test_a_problem_is_answered_as_it_is_with_its_headers():
    response = answered(handlers(), "refuse", Problem(503, "busy", "internal", headers={"Retry-After": "2"}))
    assert (response.status_code, response.headers["Retry-After"]) == (503, "2")


@pytest.mark.parametrize(
    ("path", "accept", "is_page"),
    [
        ("/history", "text/html", True),
        ("/history", "*/*", False),
        ("/night/v1/nights", "text/html", False),
        ("/api/v1/state", "text/html", False),
    ],
)
def test_people_get_a_page_except_from_an_api(path: str, accept: str, *, is_page: bool):
    response = answered(handlers(), "refuse_http", NotFound(), path, headers={"Accept": accept})
    assert response.status_code == 404
    assert (response.mimetype == "text/html") is is_page


def test_a_path_that_is_not_there_is_named_and_a_long_one_shortened():
    for path, named in (("/nothing", "/nothing"), ("/" + "x" * 200, "/" + "x" * (LONGEST_PATH - 1) + "...")):
        problem = json.loads(answered(handlers(), "refuse_http", NotFound(), path).data)
        assert (problem["key"], problem["values"]["path"]) == ("hub_no_page", named)


def test_a_wrong_method_is_answered_with_the_right_ones():
    response = answered(handlers(), "refuse_http", MethodNotAllowed(["POST", "GET"]), "/here", method="PUT")
    assert (response.status_code, response.headers["Allow"]) == (405, "GET, POST")
    assert json.loads(response.data)["values"] == {"method": "PUT", "path": "/here", "methods": "GET, POST"}


def test_any_other_error_of_the_framework_keeps_its_status_and_words():
    response = answered(handlers(), "refuse_http", ImATeapot("short and stout"))
    assert (response.status_code, json.loads(response.data)["detail"]) == (418, "short and stout")


def test_a_fault_is_logged_and_its_details_are_not_told(caplog: pytest.LogCaptureFixture):
    response = answered(handlers(), "refuse_fault", ZeroDivisionError("the secret"))
    assert response.status_code == 500
    assert b"secret" not in response.data
    assert "/night/v1/x" in caplog.messages[0]
    assert "the secret" in caplog.text


@pytest.mark.parametrize(("names_device", "by"), [(True, " by device phone"), (False, "")])
def test_refusals_that_matter_for_security_are_logged_with_the_device_of_a_table(
    caplog: pytest.LogCaptureFixture, by: str, *, names_device: bool
):
    errors = handlers(names_device=names_device)
    answered(errors, "refuse", Problem(403, "role", "not_paired"))
    answered(errors, "refuse", Problem(404, "not_found", "not_paired"))
    (line,) = caplog.messages
    assert line.endswith(f" 192.168.1.9 role: GET '/night/v1/x'{by}")


def test_a_request_goes_to_the_application_of_its_path_or_to_the_fallback():
    def app(name: str) -> Any:
        async def answer(*_: Any) -> None:
            await asyncio.sleep(0)
            reached.append(name)

        return answer

    reached: list[str] = []
    router = PathRouter({"/events": app("events"), "/export": app("export")}, app("fallback"))
    for path in ("/events", "/export", "/events/", "/"):
        apart(router({"path": path}, app("receive"), app("send")))
    assert reached == ["events", "export", "fallback", "fallback"]
