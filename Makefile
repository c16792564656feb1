# pegboard: `make` alone prints what a newcomer needs, `make help-all` every target.
PYTHON ?= python3
VENV := .venv
# One worker more than cores, because workers wait for browsers and programs.
WORKERS := $(shell expr $$(nproc) + 1)
# Tests write to memory if there is room: no waiting for disks, no wear on SD cards.
IN_MEMORY = $(shell test -w /dev/shm && df -k --output=avail /dev/shm 2>/dev/null \
  | awk 'NR == 2 && $$1 > 1000000 { print "TMPDIR=/dev/shm" }')
# What people read is spelled as Americans do; names in backticks and addresses of links keep their spelling.
AMERICAN = --builtin clear,rare,en-GB_to_en-US --ignore-regex '\w*[a-z][A-Z]\w*|`[^`]+`|\]\([^)]+\)' README.md \
  CONTRIBUTING.md CHANGELOG.md docs web/languages/en.json pegboard/messages.py pegboard/tournament_messages.py pegboard/config.py
# In a fresh checkout the tests are not compiled yet.
COLLECTED = $(if $(wildcard tests/__pycache__),,collected)
# The proofs take their numbers from the environment: make test-power IMAGES=500.
PROVE = tests/debian-packages && $(VENV)/bin/python -m
export SEED IMAGES COMMANDS KILLS CONTROL_IMAGES EVERY PROGRAMS CASES CASE MINUTES EVENTS
# Holds Ctrl-C back until the program handles it; earlier, Python would show a traceback.
PATIENTLY := $(shell env --block-signal=INT true 2>/dev/null && echo env --block-signal=INT)
SET_UP = $(PATIENTLY) $(PYTHON) -m pegboard.install.set_up $(VENV)
# If the environment's Python is gone or changed, or a change was interrupted, the environment is rebuilt.
INTERPRETER := $(notdir $(realpath $(VENV)/bin/python))
SOUND := $(wildcard $(VENV)/lib/$(INTERPRETER)/site-packages)$(filter-out python3.%,$(INTERPRETER))
AGAIN := $(if $(wildcard $(VENV)/changing),again,$(if $(SOUND),,again))
# Without compiled modules beside the sources, every start would compile the program again.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: audit pins materials help help-all collected setup run test test-quick test-long test-looks durations test-debian test-install test-boot test-container test-pi test-vm test-raspi wheel deb release release-key lint bench frames pictures oracle course coverage mutation clean again test-power test-damage test-hub soak

help:  ## list the five targets that a newcomer needs
	@awk -F ':.*## ' '/^(setup|run|test|test-quick|deb):.*## /{printf "make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)
	@echo "make help-all       list every target"

help-all:  ## list every target
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: $(VENV)/developing  ## create or update .venv with the program and everything to develop it

run: $(VENV)/running  ## play, with simulated hardware if there is none (ARGS="--players Ann,Bob" adds options)
	@PEGBOARD_STARTED_BY=make exec $(PATIENTLY) $(VENV)/bin/pegboard run $(ARGS)

test:  ## lint, types and all tests except the slow ones; runs a sample of long tables (SEED=... chooses it)
	@tests/debian-packages
	@$(MAKE) --no-print-directory --jobs=2 lint $(COLLECTED)
	@$(IN_MEMORY) $(VENV)/bin/python -m pytest --numprocesses=$(WORKERS) --dist=worksteal -m "not looks"

test-quick: setup  ## lint, types and the tests that need no browser, Debian package or mounted disk and start no program
	@$(MAKE) --no-print-directory --jobs=2 lint $(COLLECTED)
	@PEGBOARD_TESTS=quick $(IN_MEMORY) $(VENV)/bin/python -m pytest --numprocesses=$(WORKERS) --dist=worksteal -m "not browser and not debian and not mounts and not looks"

test-long: lint  ## all tests except the looks, with all cases, and types for Python 3.12
	@tests/debian-packages
	@$(VENV)/bin/mypy --python-version 3.12
	@PEGBOARD_TESTS=long $(IN_MEMORY) $(VENV)/bin/python -m pytest --numprocesses=$(WORKERS) --dist=worksteal -m "not looks"

test-looks: setup  ## every page at every size, in every theme and language, and with axe (minutes)
	@tests/debian-packages
	@PEGBOARD_TESTS=looks $(IN_MEMORY) $(VENV)/bin/python -m pytest tests/browser --numprocesses=$(WORKERS) --dist=worksteal -m "looks or sizes"

durations: setup  ## the slowest folders, files and tests of the last run
	@$(VENV)/bin/python -m tests.support.durations

test-debian:  ## every test except the browser's, as a plain user in bare roots of Debian 12 and 13 (SUITES="trixie" picks one)
	@tests/debian/run_tests_in_suites $(SUITES)

test-install: $(VENV)/building  ## the Debian package in bare roots of Debian 12 and 13, amd64, arm64, armhf (SUITES, ARCHS, LAST)
	@tests/debian/install_package

test-boot: setup  ## updates, sandbox, watchdog, hub and pulled plugs in a virtual machine with systemd (an hour; POINTS=3 is quicker)
	@which qemu-system-x86_64 qemu-img mmdebstrap ssh mke2fs >/dev/null || { echo "test-boot needs more packages: \
	  sudo apt-get install qemu-system-x86 qemu-utils mmdebstrap openssh-client e2fsprogs" >&2; exit 1; }
	@PEGBOARD_BOOT=qemu $(VENV)/bin/python -m pytest -x -rs -p no:cacheprovider tests/boot

test-container: setup  ## the same at full speed in containers of Debian 12 and 13, with time budgets of starts and updates (as root; half an hour)
	@which systemd-nspawn mmdebstrap ssh mke2fs ip >/dev/null || { echo "test-container needs more packages: \
	  sudo apt-get install systemd-container mmdebstrap openssh-client e2fsprogs iproute2" >&2; exit 1; }
	@test "$$(id -u)" = 0 || { echo "test-container starts containers, which only root may: sudo make test-container" >&2; exit 1; }
	@for suite in $(or $(SUITES),bookworm trixie); do \
	  PEGBOARD_BOOT=container SUITE=$$suite $(VENV)/bin/python -m pytest -x -rs -p no:cacheprovider tests/boot || exit 1; done

test-pi:  ## make run on a fresh Raspberry Pi OS: a root of Debian 13 for arm64 under qemu (15 minutes)
	@tests/debian/make_run_on_pi_os $(SUITES)

test-vm: setup  ## the keys on a real kernel's GPIO lines in qemu (the first run builds that kernel: minutes)
	@tests/vm/run

test-raspi: setup  ## frames through a real kernel's Broadcom I2C and SPI drivers on QEMU's Raspberry Pi 3B (5 minutes)
	@tests/raspi/run

test-power: setup  ## power outages, kills and failing calls of the real program (an hour; IMAGES, KILLS, EVERY, SEED)
	@$(PROVE) tests.proofs.power

test-damage: setup  ## damage the state folder 2,000 times: the program is right or says what is lost (an hour; CASES, SEED, CASE)
	@$(PROVE) tests.proofs.damage

test-hub: setup  ## an event of 200 tables with broker and hub killed: nothing is lost or doubled, on both databases (EVENTS, SEED)
	@$(PROVE) tests.proofs.hub_night

soak: setup  ## half an hour of ten scores a second: memory, descriptors and threads stay level (MINUTES, KILLS=1 kills each minute)
	@$(PROVE) tests.proofs.soak

wheel: $(VENV)/building  ## dist/pegboard-VERSION-py3-none-any.whl for pip, pipx and uv, with its bill of materials
	@$(PATIENTLY) $(VENV)/bin/python -m pegboard.install.building wheel

deb: $(VENV)/building  ## dist/pegboard_VERSION_all.deb, for every Raspberry Pi and Debian, and the wheel (KEY=FILE signs it)
	@$(PATIENTLY) $(VENV)/bin/python -m pegboard.install.building deb $(KEY)

release: $(VENV)/building  ## dist/pegboard-VERSION: wheel, source, package signed with KEY=FILE, notes, checksums, materials
	@$(PATIENTLY) $(VENV)/bin/python -m pegboard.install.building release $(KEY)

release-key: $(VENV)/building  ## create a private key in KEY=FILE and print its public half for release_keys.txt
	@$(PATIENTLY) $(VENV)/bin/python -m pegboard.install.building key $(KEY)

lint: setup  ## ruff, mypy for Python 3.11, spelling, plain words and the translations
	@$(VENV)/bin/ruff check
	@$(VENV)/bin/ruff format --check
	@$(VENV)/bin/codespell
	@$(VENV)/bin/codespell $(AMERICAN)
	@$(VENV)/bin/python -m tests.support.plain_words
	@$(VENV)/bin/mypy --python-version 3.11
	@$(VENV)/bin/pegboard languages check web/languages/*.json

# Compiles the tests once, beside mypy, so that not every worker does. The test run reports its errors.
collected: setup
	@$(VENV)/bin/python -m pytest --collect-only -q >/dev/null 2>&1 || true

audit: $(VENV)/building  ## look up known faults of every pinned version in the package index (INDEX=https://... picks another index)
	@$(PATIENTLY) $(VENV)/bin/python -m pegboard.install.building audit $(if $(INDEX),--index "$(INDEX)")

# The environment is set up after the pins: before, a changed version has the hashes of the old one.
pins: $(if $(wildcard $(VENV)/developing),,setup)  ## regenerate constraints.txt and docs/licenses.md after you changed a version
	@$(PATIENTLY) $(VENV)/bin/python -m pegboard.install.building pins $(if $(INDEX),--index "$(INDEX)")
	@$(MAKE) --no-print-directory setup
	@$(PATIENTLY) $(VENV)/bin/python -m pegboard.install.building licenses

materials: setup  ## dist/pegboard-VERSION-development.cdx.json: the bill of materials with all build and test tools
	@$(PATIENTLY) $(VENV)/bin/python -m pegboard.install.building materials

bench: setup  ## measure every budget: median and p99 (ARGS=quick takes two minutes)
	@$(VENV)/bin/python -m tests.bench $(ARGS)

frames: setup  ## draw 200 games on every panel and wire and decode each picture from its bytes (a minute)
	@$(VENV)/bin/python -m tests.hardware.oled.every_frame

pictures: setup  ## redraw docs/pictures and docs/templates
	@tests/debian-packages
	@$(VENV)/bin/python -m tests.pictures

oracle: setup  ## compare the counting with the published table of all 12,994,800 hands, and with second counters (minutes)
	@$(VENV)/bin/python -m tests.oracles.check_all_hands
	@PEGBOARD_TESTS=long $(VENV)/bin/python -m pytest -q tests/core/cards/test_second_counters.py

course: setup  ## relearn from dealt games what the play, hands and cribs score, for the course of the deal (a minute)
	@$(VENV)/bin/python -m tests.core.learn

coverage: setup  ## check that the core's own tests reach every branch of it
	@PEGBOARD_TESTS=long $(VENV)/bin/python -m pytest tests/core --cov=pegboard.core --cov-branch --cov-fail-under=100 \
	  --cov-report=term-missing:skip-covered

mutation: setup  ## change the core in every small way and check that tests notice (an hour)
	@$(VENV)/bin/python -m tests.core.mutation

clean:  ## remove everything that the other targets made
	rm -rf $(VENV) dist mutants .mypy_cache .ruff_cache .pytest_cache .hypothesis *.egg-info

again:

$(VENV)/running: pyproject.toml constraints.txt $(AGAIN)
	@command -v $(PYTHON) >/dev/null \
	  || { echo "there is no $(PYTHON) here: sudo apt-get install python3 python3-venv" >&2; exit 1; }
	@$(PATIENTLY) $(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "pegboard needs Python 3.11 or newer; $$($(PYTHON) --version) is here (PYTHON=... names another)" >&2; exit 1; }
	@$(SET_UP)
	@touch $@

$(VENV)/building: $(VENV)/running
	@$(SET_UP) build
	@touch $@

$(VENV)/developing: $(VENV)/running
	@$(SET_UP) dev
	@touch $@
