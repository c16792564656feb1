"""How thoroughly properties are tried where the core is mutated: a mutant is tried by all tests that reach it."""

import pytest
from hypothesis import Phase, settings

from pegboard.core import course_model
from pegboard.core.course_costs import weights

settings.register_profile(
    "mutation", max_examples=12, derandomize=True, database=None, deadline=None, phases=[Phase.explicit, Phase.generate]
)


@pytest.fixture(scope="session", autouse=True)
def fresh_models():
    """What is learned and linked is worked out once a process; where a mutant is tried in a fork, it is so anew."""
    course_model._model.cache_clear()
    course_model.Model.middle.cache_clear()
    weights.cache_clear()
