"""What a run of all tests leaves out and samples, which tests must be marked, and what it keeps of their durations."""

import subprocess
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests import conftest
from tests.support import durations, long_runs

# --- what is run ---


@pytest.mark.parametrize("names", [conftest.SLOW, conftest.LONG])
def test_every_file_and_folder_that_a_run_leaves_out_is_there(names):
    assert [name for name in names.split() if not (Path(__file__).parent / name).exists()] == []


def item(name, **marks):
    found = {mark: SimpleNamespace(kwargs=kwargs) for mark, kwargs in marks.items()}
    return SimpleNamespace(path="file", originalname=name, get_closest_marker=found.get)


def test_long_tests_are_left_out_and_of_sampled_ones_a_tenth_runs_but_as_many_as_they_say(monkeypatch):
    monkeypatch.setattr(long_runs, "is_long", lambda: False)
    whole, long = [item("whole") for _ in range(20)], [item("long", long={}), item("both", long={}, sampled={})]
    tenth, few = [item("tenth", sampled={}) for _ in range(20)], [item("few", sampled={"least": 3}) for _ in range(9)]
    chosen = list(conftest.chosen_of([*whole, *long, *tenth, *few]))
    assert sorted(one.originalname for one in chosen) == ["few"] * 3 + ["tenth"] * 2 + ["whole"] * 20
    assert chosen == list(conftest.chosen_of([*whole, *long, *tenth, *few])), "the same ones in every worker"


@pytest.mark.parametrize("program", ["mosquitto", "/usr/bin/strace", b"unshare"])
def test_a_test_that_starts_a_program_which_not_every_machine_has_must_be_marked(program):
    with pytest.raises(AssertionError, match=r"must be marked: @pytest\.mark"):
        subprocess.run([program, "--version"], check=False)


@pytest.mark.debian
def test_a_marked_test_may_start_it():
    with pytest.raises(FileNotFoundError):
        subprocess.run(["/nowhere/mosquitto"], check=False)


# --- durations ---


def test_phases_of_a_test_are_added_up_whichever_worker_ran_it(tmp_path):
    kept = durations.Durations(tmp_path / "cache" / "durations.tsv")
    reports = [("a/test_a.py::test_b[1\t2]", 0.25), ("a/test_a.py::test_b[1\t2]", 1.5), ("a/test_c.py::test_d", 2)]
    for test, seconds in reports:
        kept.pytest_runtest_logreport(SimpleNamespace(nodeid=test, duration=seconds))
    kept.pytest_sessionfinish()
    durations.Durations(kept.file).pytest_sessionfinish()  # tests were only collected
    assert durations.read(kept.file) == {"a/test_c.py::test_d": 2, r"a/test_a.py::test_b[1\t2]": 1.75}


def test_seconds_are_added_up_by_folder_file_and_test():
    seconds = {"tests/a/test_b.py::test_c[1]": 1, "tests/a/test_b.py::test_c[2]": 2, "tests/d/e/test_f.py::test_g": 4}
    assert durations.totals(seconds, durations.folder) == [(4, 1, "tests/d"), (3, 2, "tests/a")]
    assert durations.totals(seconds, durations.file)[1] == (3, 2, "tests/a/test_b.py")
    assert durations.totals(seconds, durations.function)[1] == (3, 2, "tests/a/test_b.py::test_c")
