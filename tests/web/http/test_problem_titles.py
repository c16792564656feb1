"""A status has one title in every version of Python: that of RFC 9110 (section 15) and RFC 6585."""

import json
import re
from pathlib import Path

import pytest

from tests.support.web_server_and_clients import Site
from web.http.problems import STATUS, TITLES, Problem
from web.table import openapi_document

ROOT = Path(__file__).parent.parent.parent.parent

RENAMED = {413: "Content Too Large", 422: "Unprocessable Content"}
"""Titles that RFC 9110 changed, and Python with it: 3.11 has the old ones, 3.13 the new."""

HUGE = b'{"id": "' + b"x" * 4000 + b'"}'


@pytest.mark.parametrize(("body", "status"), [(HUGE, 413), (b"[]", 422)])
def test_a_title_stands_in_the_body_and_in_the_status_line(quiet: Site, body: bytes, status: int):
    answer = quiet.post("/api/v1/commands", body)
    assert (answer.status, answer.json["title"], answer.reason) == (status, RENAMED[status], RENAMED[status])


def test_the_document_has_the_same_titles(quiet: Site):
    document = quiet.get("/api/openapi.json").json
    answers = document["paths"]["/api/v1/commands"]["post"]["responses"]
    assert {int(status): answers[str(status)]["description"] for status in RENAMED} == RENAMED


def test_every_status_that_is_given_has_a_title():
    told = {status for status, _ in (openapi_document.REFUSALS | openapi_document.ELSEWHERE).values()} | set(
        STATUS.values()
    )
    written = "".join(path.read_text("utf-8") for path in (ROOT / "web").rglob("*.py"))
    told |= {int(status) for status in re.findall(r"Problem\(\s*(\d{3})\b", written)}
    assert sorted(told - set(TITLES)) == []


def test_another_status_is_a_refusal_still():
    assert json.loads(Problem(418, "teapot", "this is a teapot").json())["title"] == "Refused"
