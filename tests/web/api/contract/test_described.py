"""What several decorators say of a view, gathered at once, is what they say one upon the other."""

from web.api.contract.openapi import Described, _together
from web.api.contract.state import ProblemSchema


def test_documents_that_are_gathered_are_those_of_one_decorator_upon_the_other():
    views = Described("views", __name__)
    decorators = [
        views.alt_response(404, schema=ProblemSchema, description="not here", examples={"a": {"value": 1}}),
        views.alt_response(409, description="not now", example=2),
        views.alt_response(409, schema=ProblemSchema, description="moved"),
        views.alt_response(200, success=True, description="well", headers={"ETag": {"description": "newest"}}),
        views.doc(requestBody={"required": True}),
        views.doc(parameters=[{"in": "query", "name": "player"}, {"in": "query", "name": "since"}]),
    ]

    def view():
        """Nobody asks it."""

    nested = view
    for decorator in decorators:
        nested = decorator(nested)
    together, whole = _together(decorators), vars(nested)["_apidoc"]
    assert shapeless(together) == shapeless(whole)
    assert list(together["response"]["responses"]) == list(whole["response"]["responses"])


def shapeless(documents):
    """Documents with their schemas told by name: each decorator makes one of its own."""
    if isinstance(documents, dict):
        return {name: shapeless(one) for name, one in documents.items()}
    if isinstance(documents, list):
        return [shapeless(one) for one in documents]
    return type(documents).__name__ if isinstance(documents, ProblemSchema) else documents
