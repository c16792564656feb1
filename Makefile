# pegboard: `make` alone prints what a newcomer needs, `make help-all` every target.
PYTHON ?= python3
VENV := .venv
# One worker more than cores: browsers and programs that a test waits for leave some of them idle.
WORKERS := $(shell expr $$(nproc) + 1)
# What tests write stays in memory where there is room for it: they wait for no disk, and spare a card.
IN_MEMORY = $(shell test -w /dev/shm && df -k --output=avail /dev/shm 2>/dev/null \
  | awk 'NR == 2 && $$1 > 1000000 { print "TMPDIR=/dev/shm" }')
# In a fresh checkout the tests are not compiled yet.
COLLECTED = $(if $(wildcard tests/__pycache__),,collected)
# The proofs take their numbers from the environment: make test-power IMAGES=500.
PROVE = tests/debian-packages && $(VENV)/bin/python -m
export SEED IMAGES COMMANDS KILLS CONTROL_IMAGES EVERY PROGRAMS CASES CASE MINUTES EVENTS
# Ctrl-C in Python's own first moments would show a traceback: with this it waits until the program looks for it.
PATIENTLY := $(shell env --block-signal=INT true 2>/dev/null && echo env --block-signal=INT)
SET_UP = $(PATIENTLY) $(PYTHON) -m pegboard.install.set_up $(VENV)
# An environment whose Python has gone or become another, or that was left half changed, is made anew.
INTERPRETER := $(notdir $(realpath $(VENV)/bin/python))
SOUND := $(wildcard $(VENV)/lib/$(INTERPRETER)/site-packages)$(filter-out python3.%,$(INTERPRETER))
AGAIN := $(if $(wildcard $(VENV)/changing),again,$(if $(SOUND),,again))
# Without the compiled modules beside their sources every start would compile the whole program again.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: audit pins materials help help-all collected setup run test test-quick test-long test-looks durations test-debian test-install test-boot test-container test-pi test-vm test-raspi wheel deb release release-key lint bench frames pictures oracle course coverage mutation clean again test-power test-damage test-hub soak

help:  ## the five targets that a newcomer needs
	@awk -F ':.*## ' '/^(setup|run|test|test-quick|deb):.*## /{printf "make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)
	@echo "make help-all       every other target"

help-all:  ## every target
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: $(VENV)/developing  ## .venv with the program and everything to develop it

run: $(VENV)/running  ## play: the program with stand-in hardware (ARGS="--players Ann,Bob" adds options)
	@PEGBOARD_STARTED_BY=make exec $(PATIENTLY) $(VENV)/bin/pegboard run $(ARGS)

test:  ## lint, types, and every test but the long ones, of whose cases it tries a part (SEED=... chooses which)
	@tests/debian-packages
	@$(MAKE) --no-print-directory --jobs=2 lint $(COLLECTED)
	@$(IN_MEMORY) $(VENV)/bin/python -m pytest --numprocesses=$(WORKERS) --dist=worksteal -m "not looks"

test-quick: setup  ## lint, types, and the tests that need neither browser, Debian packages nor mounted disks, and start no programs
	@$(MAKE) --no-print-directory --jobs=2 lint $(COLLECTED)
	@PEGBOARD_TESTS=quick $(IN_MEMORY) $(VENV)/bin/python -m pytest --numprocesses=$(WORKERS) --dist=worksteal -m "not browser and not debian and not mounts and not looks"

test-long: lint  ## every test but the looks, with all cases, and types for Python 3.12 too
	@tests/debian-packages
	@$(VENV)/bin/mypy --python-version 3.12
	@PEGBOARD_TESTS=long $(IN_MEMORY) $(VENV)/bin/python -m pytest --numprocesses=$(WORKERS) --dist=worksteal -m "not looks"

test-looks: setup  ## every page at every size, in every theme and language, and with axe (minutes)
	@tests/debian-packages
	@PEGBOARD_TESTS=looks $(IN_MEMORY) $(VENV)/bin/python -m pytest tests/browser --numprocesses=$(WORKERS) --dist=worksteal -m "looks or sizes"

durations: setup  ## how long the tests of the last run took, by folder, file and test
	@$(VENV)/bin/python -m tests.support.durations

test-debian:  ## every test but the browser's, as a plain user in bare roots of Debian 12 and 13 (SUITES="trixie" names one)
	@tests/debian/run_tests_in_suites $(SUITES)

test-install: $(VENV)/building  ## the Debian package in bare roots of Debian 12 and 13, amd64, arm64, armhf (SUITES, ARCHS choose)
	@tests/debian/install_package

test-boot: setup  ## updates, sandbox, watchdog, hub and pulled plugs in a machine with systemd, in qemu (an hour; POINTS=3 is quicker)
	@which qemu-system-x86_64 qemu-img mmdebstrap ssh mke2fs >/dev/null || { echo "test-boot needs more packages: \
	  sudo apt-get install qemu-system-x86 qemu-utils mmdebstrap openssh-client e2fsprogs" >&2; exit 1; }
	@PEGBOARD_BOOT=qemu $(VENV)/bin/python -m pytest -x -rs -p no:cacheprovider tests/boot

test-container: setup  ## the same at full speed in containers of Debian 12 and 13, with the budgets of starts and updates (as root; half an hour)
	@which systemd-nspawn mmdebstrap ssh mke2fs ip >/dev/null || { echo "test-container needs more packages: \
	  sudo apt-get install systemd-container mmdebstrap openssh-client e2fsprogs iproute2" >&2; exit 1; }
	@test "$$(id -u)" = 0 || { echo "test-container starts containers, which only root may: sudo make test-container" >&2; exit 1; }
	@for suite in $(or $(SUITES),bookworm trixie); do \
	  PEGBOARD_BOOT=container SUITE=$$suite $(VENV)/bin/python -m pytest -x -rs -p no:cacheprovider tests/boot || exit 1; done

test-pi:  ## make run on a Raspberry Pi as it comes, in a root of Debian 13 for arm64 under qemu (quarter of an hour)
	@tests/debian/make_run_on_pi_os $(SUITES)

test-vm: setup  ## the keys on a real kernel's GPIO lines, in qemu (the first run builds that kernel: minutes)
	@tests/vm/run

test-raspi: setup  ## frames through a real kernel's Broadcom I2C and SPI drivers, on QEMU's Raspberry Pi 3B (five minutes)
	@tests/raspi/run

test-power: setup  ## power cuts, kills and failing calls of the real program, with journals that lose (an hour; IMAGES, KILLS, EVERY, SEED)
	@$(PROVE) tests.proofs.power

test-damage: setup  ## the state folder damaged 2,000 times: it is right, or says so (an hour; CASES, SEED, CASE)
	@$(PROVE) tests.proofs.damage

test-hub: setup  ## a night of 200 tables with broker and hub killed: nothing lost or doubled, on both databases (EVENTS, SEED)
	@$(PROVE) tests.proofs.hub_night

soak: setup  ## half an hour of ten scores a second: memory, descriptors and threads stay (MINUTES, KILLS=1 kills each minute)
	@$(PROVE) tests.proofs.soak

wheel: $(VENV)/building  ## dist/pegboard-VERSION-py3-none-any.whl, for pip, pipx and uv, with its bill of materials
	@$(PATIENTLY) $(VENV)/bin/python -m pegboard.install.building wheel

deb: $(VENV)/building  ## dist/pegboard_VERSION_all.deb, for every Raspberry Pi and Debian, unsigned (and the wheel)
	@$(PATIENTLY) $(VENV)/bin/python -m pegboard.install.building deb

release: $(VENV)/building  ## the same package, signed with the private key in KEY=FILE: what `pegboard update` takes
	@$(PATIENTLY) $(VENV)/bin/python -m pegboard.install.building release $(KEY)

release-key: $(VENV)/building  ## a new private key in KEY=FILE; prints its public half, for release_keys.txt
	@$(PATIENTLY) $(VENV)/bin/python -m pegboard.install.building key $(KEY)

lint: setup  ## ruff, mypy (for Python 3.11; test-long tries 3.12 too) and the translations
	@$(VENV)/bin/ruff check
	@$(VENV)/bin/ruff format --check
	@$(VENV)/bin/mypy --python-version 3.11
	@$(VENV)/bin/pegboard languages check web/languages/*.json

# Compiles the tests once, beside mypy; otherwise each worker would do so for itself. Its errors are told by the run.
collected: setup
	@$(VENV)/bin/python -m pytest --collect-only -q >/dev/null 2>&1 || true

audit: $(VENV)/building  ## known faults of every pinned version, as far as the package index tells (its address in INDEX)
	@$(PATIENTLY) $(VENV)/bin/python -m pegboard.install.building audit $(if $(INDEX),--index "$(INDEX)")

pins: setup  ## write constraints.txt anew, after a number in it was changed: sections and hashes; and docs/licences.md
	@$(PATIENTLY) $(VENV)/bin/python -m pegboard.install.building pins $(if $(INDEX),--index "$(INDEX)")

materials: setup  ## dist/pegboard-VERSION-development.cdx.json: the bill of materials with all that builds and tests it
	@$(PATIENTLY) $(VENV)/bin/python -m pegboard.install.building materials

bench: setup  ## measure every budget: median and p99 (ARGS=quick: each once, in two minutes)
	@$(VENV)/bin/python -m tests.bench $(ARGS)

frames: setup  ## every picture of 200 games on every panel and wire, decoded from its bytes (a minute)
	@$(VENV)/bin/python -m tests.hardware.oled.every_frame

pictures: setup  ## draw docs/pictures and docs/templates anew, to be looked at
	@tests/debian-packages
	@$(VENV)/bin/python -m tests.pictures

oracle: setup  ## count all 12,994,800 hands and cribs against the published table (minutes)
	@$(VENV)/bin/python -m tests.oracles.check_all_hands

course: setup  ## learn anew what the play, hands and cribs peg, from dealt games, for the course of the deal (a minute)
	@$(VENV)/bin/python -m tests.core.course.learn

coverage: setup  ## see that the core's own tests try every branch of it
	@PEGBOARD_TESTS=long $(VENV)/bin/python -m pytest tests/core --cov=pegboard.core --cov-branch --cov-fail-under=100 \
	  --cov-report=term-missing:skip-covered

mutation: setup  ## change the core in every small way and see that a test notices (an hour)
	@$(VENV)/bin/python -m tests.core.mutation

clean:  ## remove what the other targets made
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
