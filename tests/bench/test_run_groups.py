"""The bench itself, on groups that take no time: rows at once, failures, Ctrl-C, files, and what got worse."""

import io
import json

import pytest

from tests.bench import results, run_groups
from tests.bench.measured_rows import Budgets
from tests.bench.progress import Progress


def kept(budgets, _folder):
    budgets.add("kept", [1, 2, 3], 5, "ms")
    budgets.add("  beside it", [4], None, "ms")


def missed(budgets, _folder):
    budgets.add("missed", [7] * budgets.samples(20, quick=4, long=100), 5, "ms", of="median")


def failing(budgets, _folder):
    budgets.add("before it failed", [1], 5, "ms")
    raise ValueError("the wire is cut")


def stopped(budgets, _folder):
    budgets.add("before Ctrl-C", [1], 5, "ms")
    raise KeyboardInterrupt


class Terminal(io.StringIO):
    def isatty(self):
        return True


def run(*words, err=None, **groups):
    """The exit status of a bench of these groups, and what it prints."""
    out, err = io.StringIO(), err or io.StringIO()
    status = run_groups.main(words, groups, out, err)
    return status, out.getvalue(), err.getvalue()


def test_each_row_is_printed_with_its_samples_and_budget_and_a_missed_one_is_marked():
    status, out, err = run(kept=kept, missed=missed)
    assert status == 0
    lines = [" ".join(line.split()) for line in out.splitlines()]
    assert "kept (n=3) 2 ms 3 ms p99 <= 5 ms ok" in lines
    assert "beside it (n=1) 4 ms 4 ms" in lines
    assert "missed (n=20) 7 ms 7 ms median <= 5 ms MISSED" in lines
    assert "MISSED missed: missed" in lines
    assert "3 rows in 0 s; 1 of 2 budgets kept" in lines
    assert err == "measuring kept (1 of 2)\nmeasuring missed (2 of 2)\n"


def test_a_row_is_out_before_the_next_is_measured():
    out, seen = io.StringIO(), []

    def group(budgets, _folder):
        budgets.add("first", [1], None, "")
        seen.append("first (n=1)" in out.getvalue())

    run_groups.main([], {"group": group}, out, io.StringIO())
    assert seen == [True]


def test_a_group_that_fails_costs_no_row_and_no_other_group():
    status, out, err = run(failing=failing, kept=kept)
    assert status == 1
    assert "before it failed (n=1)" in out
    assert "kept (n=3)" in out
    assert "FAILED failing" in out
    assert "ValueError: the wire is cut" in err


def test_ctrl_c_keeps_what_was_measured_and_says_what_was_not(tmp_path):
    file = tmp_path / "run.json"
    status, out, _ = run("--json", str(file), kept=kept, stopped=stopped, missed=missed)
    assert status == 130
    assert "stopped in stopped; not measured: missed" in out
    told = json.loads(file.read_text("utf-8"))
    assert told["stopped"] is True
    assert [row["name"] for row in told["rows"]] == ["kept", "kept: beside it", "before Ctrl-C"]


@pytest.mark.parametrize(("words", "n"), [(("quick",), 4), ((), 20), (("long",), 100)])
def test_as_many_samples_are_taken_as_is_asked_for(words, n):
    assert f"missed (n={n})" in run(*words, missed=missed)[1]


def test_a_budget_that_is_not_measured_says_why():
    def group(budgets, _folder):
        budgets.skip("slow", 5, "s", "it takes an hour")

    _, out, _ = run(group=group)
    assert "not measured: it takes an hour; budget p99 <= 5 s" in out
    assert "0 of 0 budgets kept" in out


@pytest.mark.parametrize("words", [("nothing",), ("quick", "long"), ("--compare", "/nowhere/run.json")])
def test_what_nobody_can_measure_is_refused_at_once(words, capsys):
    with pytest.raises(SystemExit) as refused:
        run(*words, kept=kept)
    assert refused.value.code == 2
    assert "error:" in capsys.readouterr().err


def test_a_file_says_machine_commit_time_and_samples(tmp_path):
    file = tmp_path / "run.json"
    run("quick", "--json", str(file), missed=missed, failing=failing)
    told = json.loads(file.read_text("utf-8"))
    assert set(told["machine"]) == {"processor", "cores", "system", "python", "loop_ms"}
    assert told["size"] == "quick"
    assert {"commit", "began"} <= set(told)
    assert [(group["name"], group["failed"]) for group in told["groups"]] == [
        ("missed", None),
        ("failing", "ValueError('the wire is cut')"),
    ]
    figures = {"n": 4, "median": 7, "p99": 7, "budget": 5, "of": "median", "verdict": "MISSED", "unit": "ms"}
    assert told["rows"][0].items() >= figures.items()


def test_a_terminal_shows_one_line_that_is_written_over():
    now = iter([0, 61, 61, 62])
    err, out = Terminal(), io.StringIO()
    progress = Progress(err, 3, clock=lambda: next(now, 62))
    with progress.group("viewers"):
        progress.print_row("a row", out)
    assert "measuring viewers (1 of 3): 1 row, 1:0" in err.getvalue()
    assert "\n" not in err.getvalue()
    assert err.getvalue().endswith("\r\x1b[K")
    assert out.getvalue() == "a row\n"


def test_rows_of_one_name_are_told_apart_by_the_row_above_them():
    rows = []
    budgets = Budgets("group", "usual", rows.append)
    for what in ("a press", "  the same", "a request", "  the same", "  the same"):
        budgets.add(what, [1], None, "ms")
    assert [row.name for row in rows] == [
        "a press",
        "a press: the same",
        "a request",
        "a request: the same",
        "a request: the same (2)",
    ]


@pytest.mark.filterwarnings("ignore:Image.Image.getdata:DeprecationWarning")  # luma's
@pytest.mark.parametrize("name", ["core", "keys", "oled", "strip"])
def test_what_needs_no_program_is_measured(name, monkeypatch):
    monkeypatch.setattr("tests.bench.oled.FEW", 1)
    status, out, err = run("quick", **{name: run_groups.GROUPS[name]})
    assert status == 0, err
    assert len(out.splitlines()) > 6


# --- then and now ---


def compared(then, now, *, budget=100, unit="ms", **more):
    """What is said of a row with these samples then and now."""

    def row(values):
        rows = []
        Budgets("group", "usual", rows.append).add("row", values, budget, unit, of="median", **more)
        return results.values_of(rows[0])

    return results.verdict(row(then), row(now))


AROUND_TEN = [9, 9.5, 10, 10.5, 11] * 20


def test_what_is_surely_slower_is_worse_and_what_is_surely_faster_is_better():
    twice = [2 * value for value in AROUND_TEN]
    assert compared(AROUND_TEN, twice) == "WORSE"
    assert compared(twice, AROUND_TEN) == "better"


def test_what_is_within_the_spread_of_both_is_noise():
    assert compared([5, 10, 15], [6, 12, 18]) == ""
    assert compared(AROUND_TEN, AROUND_TEN) == ""


def test_a_trifle_is_noise_however_sure_it_is():
    assert compared([10] * 100, [10.2] * 100) == ""


def test_of_one_sample_only_much_more_is_worse():
    assert compared([10], [12]) == ""
    assert compared([10], [13]) == "WORSE"


def test_mistakes_in_a_hundred_are_worse_where_chance_does_not_explain_them():
    assert compared([1.0], [1.4], unit="%", trials=1000) == ""
    assert compared([1.0], [4.0], unit="%", trials=1000) == "WORSE"


def test_of_what_has_no_budget_nobody_says_which_is_better():
    assert compared([10] * 9, [20] * 9, budget=None) == "more"
    assert compared([20] * 9, [10] * 9, budget=None) == "less"


def test_an_earlier_run_is_shown_beside_this_one(tmp_path):
    file = tmp_path / "run.json"
    run("--json", str(file), missed=missed)

    def slower(budgets, _folder):
        budgets.add("missed", [14] * 20, 5, "ms", of="median")
        budgets.add("new", [1], 5, "ms")

    _, out, _ = run("--compare", str(file), missed=slower)
    lines = [" ".join(line.split()) for line in out.splitlines()]
    assert "missed: missed 7 ms 14 ms 2.00 WORSE" in lines
    assert "1 of 1 worse beyond the noise" in lines
