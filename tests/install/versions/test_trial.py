"""The trial of a version beside what the account of the service may do meanwhile."""

import pytest

from pegboard.install.versions.trial import try_tree
from tests.install.versions.small_packages import PROGRAM

PLANTS = """
def copy_scores(folder, target):
    for name in ("said", "notify"):
        (target / name).symlink_to(folder / "of_root")
"""


@pytest.fixture
def planting_tree(tmp_path):
    """A tree whose copying leaves links among the scores, as the account that owns the copy can at any moment."""
    tree = tmp_path / "tree"
    (tree / "pegboard" / "storage").mkdir(parents=True)
    for package in ("pegboard", "pegboard/storage"):
        (tree / package / "__init__.py").write_text("", "utf-8")
    (tree / "pegboard/storage/schema.py").write_text(PLANTS, "utf-8")
    (tree / "run.py").write_text(PROGRAM.format(version="0.2.0", how="works"), "utf-8")
    return tree


def test_root_follows_no_link_that_lies_in_the_copy(planting_tree, tmp_path):
    state = tmp_path / "state"
    state.mkdir()
    (state / "of_root").write_text("precious", "utf-8")
    mode = (state / "of_root").stat().st_mode
    try_tree(planting_tree, state, tmp_path / "none.toml", "0.2.0")
    assert (state / "of_root").read_text("utf-8") == "precious"
    assert (state / "of_root").stat().st_mode == mode
