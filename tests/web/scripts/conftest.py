"""Scripts of the pages under Node, in English and in French; Playwright brings that Node, which needs libatomic1."""

import pytest

from tests.support.scripts_in_node import Scripts


@pytest.fixture(scope="session")
def scripts_in(tmp_path_factory):
    """Scripts in a language, begun once for all tests: `scripts_in("fr")`."""
    folder, begun = tmp_path_factory.mktemp("words"), {}

    def scripts_in(language, texts=None):
        if language not in begun:
            begun[language] = Scripts(folder, language, texts)
        return begun[language]

    yield scripts_in
    for scripts in begun.values():
        scripts.end()


@pytest.fixture(scope="session")
def scripts(scripts_in):
    """In English."""
    return scripts_in("en")
