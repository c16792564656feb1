"""`make mutation`: change the core in every small way, and see how many changes some test of the core notices."""

import json
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]
MUTANTS = ROOT / "mutants"
WANTED = 0.95
"""The share of changes that must be noticed; the rest change nothing that the rules can tell."""


def mutmut(*words, **how):
    return subprocess.run([sys.executable, "-m", "mutmut", *words], cwd=ROOT, check=False, text=True, **how)


def noticed_and_all(statistics):
    """How many mutants a test noticed, by failing or by never ending, and how many there are."""
    return statistics["killed"] + statistics["timeout"] + statistics["segfault"], statistics["total"]


def main():
    shutil.rmtree(MUTANTS, ignore_errors=True)
    began = time.monotonic()
    mutmut("run").check_returncode()
    mutmut("export-cicd-stats", stdout=subprocess.DEVNULL).check_returncode()
    noticed, mutants = noticed_and_all(json.loads((MUTANTS / "mutmut-cicd-stats.json").read_text("utf-8")))
    for line in mutmut("results", capture_output=True).stdout.splitlines():
        name = line.strip().partition(":")[0]
        print(f"\n{line.strip()}")
        print(mutmut("show", name, capture_output=True).stdout)
    share = noticed / mutants
    minutes = (time.monotonic() - began) / 60
    print(f"{noticed} of {mutants} mutants noticed: {share:.1%} ({WANTED:.0%} wanted), in {minutes:.0f} minutes")
    return share < WANTED


if __name__ == "__main__":
    sys.exit(main())
