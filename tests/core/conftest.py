"""How thoroughly properties are tried where the core is mutated: a mutant is tried by all tests that reach it."""

from hypothesis import Phase, settings

settings.register_profile(
    "mutation", max_examples=12, derandomize=True, database=None, deadline=None, phases=[Phase.explicit, Phase.generate]
)
