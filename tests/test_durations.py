"""What a run keeps of how long each test took, and what `make durations` prints of it."""

from types import SimpleNamespace

from tests.support import durations


def test_phases_of_a_test_are_added_up_whichever_worker_ran_it(tmp_path):
    kept = durations.Durations(tmp_path / "cache" / "durations.tsv")
    reports = [("a/test_a.py::test_b[1\t2]", 0.25), ("a/test_a.py::test_b[1\t2]", 1.5), ("a/test_c.py::test_d", 2)]
    for test, seconds in reports:
        kept.pytest_runtest_logreport(SimpleNamespace(nodeid=test, duration=seconds))
    kept.pytest_sessionfinish()
    assert durations.read(kept.file) == {"a/test_c.py::test_d": 2, r"a/test_a.py::test_b[1\t2]": 1.75}


def test_seconds_are_added_up_by_folder_file_and_test():
    seconds = {"tests/a/test_b.py::test_c[1]": 1, "tests/a/test_b.py::test_c[2]": 2, "tests/d/e/test_f.py::test_g": 4}
    assert durations.totals(seconds, durations.folder) == [(4, 1, "tests/d"), (3, 2, "tests/a")]
    assert durations.totals(seconds, durations.file)[1] == (3, 2, "tests/a/test_b.py")
    assert durations.totals(seconds, durations.function)[1] == (3, 2, "tests/a/test_b.py::test_c")
