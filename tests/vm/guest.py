"""Runs the tests of the real lines and prints their figures; the exit status is pytest's."""

import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).with_name("keys_on_kernel_lines.py")
QUIETLY = ["-v", "-v", "--noconftest", "-p", "no:cacheprovider", "--color=no", "--tb=short"]


class Figures:
    """Prints what the tests recorded, beneath their verdicts."""

    def pytest_terminal_summary(self, terminalreporter):
        rows = [row for report in terminalreporter.getreports("passed") for row in report.user_properties]
        width = max((len(name) for name, _ in rows), default=0)
        terminalreporter.section("figures")
        for name, figure in rows:
            terminalreporter.line(f"{name:{width}}  {figure}")


if __name__ == "__main__":
    sys.exit(pytest.main([*QUIETLY, str(TESTS)], plugins=[Figures()]))
