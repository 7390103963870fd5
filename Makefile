# Everything a newcomer types. Needs python3 (3.11 or later) and make; fetches the rest.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PYTEST := PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -q
# The locks are complete. Without --no-deps, pip before 23.3 looks for the newest release of a package that another one wants
# with an extra, and refuses it when the lock has an older one (pypa/pip#12345).
INSTALL_LOCK := -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.NOTPARALLEL:
.DEFAULT_GOAL := help
.PHONY: help addons evals docs deploy pictures release roll demo fleet fleet-chaos fleet-tools test rest all lint types platforms arrows generated coverage faults honesty setup chromium xvfb redis lock wheel bench clean soak chaos npm

help: ## this list
	@grep -E '^[a-z-]+:.*## ' Makefile | sed -E 's/:.*## /\t/' | expand -t 16

evals: ## list the evals: real applications and libraries, other clients, servers and browsers
	@grep -E '^[a-z-]+:.*## ' evals/Makefile | sed -E 's/:.*## /\t/' | expand -t 16

include evals/Makefile

demo: chromium ## watch a real Chromium under supervision
	$(BIN)/python -m examples.demo

fleet: setup chromium ## watch a fleet: three nodes on this machine, 12 tasks, one node killed in the middle
	$(BIN)/python -m examples.fleet

# In CI a test that fails gets a second try, and is listed: a busy machine must not hide what else a change broke.
AGAIN := $(if $(CI),--reruns 1 -r fER)

# Checks of types run beside the tests, because neither keeps two cores busy all the time. What is compiled is kept, also
# where the environment says otherwise: programs that tests start would compile it again, hundreds of times.
both = @$(1) > $(VENV)/types.txt 2>&1 & types=$$!; $(2) && passed=yes || passed=; \
	wait $$types || { cat $(VENV)/types.txt; exit 1; }; [ "$$passed" ]

test: lint arrows generated chromium ## what to run before a commit: four minutes (CONTRIBUTING.md says what it plays)
	$(call both,$(BIN)/mypy,$(PYTEST) -n auto --part test $(AGAIN))

all: test rest ## every check

# Two of the frameworks whose examples `make frameworks` plays, in small environments.
FRAMEWORKS_OF_REST := $(VENV)/frameworks/anthropic_runner/.installed $(VENV)/frameworks/openai_agents/.installed

# How many workers there are, and what stays together on one, is in tests/support/runs/workers.py.
REST := CDP_TYPED_STAGES=mock,chromium,chrome131,qt6.8 $(PYTEST) -n auto --part rest --ignore evals/libraries $(AGAIN)
rest: setup chromium xvfb fetchers packages $(VENV)/miniwob/.installed $(FRAMEWORKS_OF_REST) # what `make all` plays besides `make test`: other browsers, web platform, tasks, Ray
	$(BIN)/python -m evals.browsers fetch chrome131 qt6.8
	$(call both,$(MAKE) platforms,$(REST))

lint: $(VENV)/.test ## format and lint
	$(BIN)/ruff format --check --quiet .
	$(BIN)/ruff check --quiet .

arrows: $(VENV)/.test # imports only point down (ARCHITECTURE.md)
	$(BIN)/python -m tests.support.layers
	$(BIN)/lint-imports --no-logo

generated: $(VENV)/.test # generated code is what its sources make of it
	$(BIN)/python -m codegen --check
	$(BIN)/python -m codegen.blocking --check

types: setup platforms ## mypy and pyright, both strict, also for Windows and macOS, and whether all that is public has a type
	$(BIN)/mypy

# On Windows and macOS what users install; the tests need Linux. Each with a cache of its own, which the other would spoil.
platforms: setup
	for platform in win32 darwin; do \
	  $(BIN)/mypy --platform $$platform --cache-dir .mypy_cache/$$platform -p cdp_typed -p supervisor; done
	$(BIN)/basedpyright
	$(BIN)/python -m tests.typing.completeness

# Those that have their toolbox made by `make_box`; the others are about the parts of one.
fleet-tools: setup chromium # the tests of the tools with a Fleet on a local Ray cluster in place of Toolbox: a minute
	CDP_TYPED_TOOLBOX=fleet $(BIN)/python -m pytest -q $$(grep -rlE "make_box" --include "test_*.py" tests/supervisor/tools tests/supervisor/addons)

addons: setup # the tree without each addon: imports, mypy, a part of the tests; half a minute for each (`make rest` deletes them all at once)
	CDP_TYPED_ADDONS=each $(PYTEST) tests/test_addons.py

npm: # npm, from apt when it is not there
	@$(SHELL_FUNCTIONS) command -v npm >/dev/null || provide npm

soak: setup chromium # many threads on one supervisor, ten thousand connections of the client, 200 pictures in the live view, 100 turns of an agent and a person there
	CDP_TYPED_SOAK_S=30 $(BIN)/python -m pytest -q tests/supervisor/scenarios/test_threads.py tests/cdp_typed/test_cycles.py \
	  tests/supervisor/addons/live/test_live_pictures.py

# Not `pytest --cov`: pytest loads our own plugin before that begins to count. SINCE=main names what the lines differ from.
SINCE ?= origin/main
coverage: setup chromium packages ## the tests, which must run 95% of cdp_typed and codegen, and each line that differs from SINCE
	$(BIN)/coverage erase
	$(BIN)/coverage run -m pytest -q --ignore evals/libraries || { $(BIN)/coverage erase; exit 1; }
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report
	$(BIN)/coverage xml -q -o .coverage.xml
	$(BIN)/diff-cover .coverage.xml --compare-branch $(SINCE) --fail-under 100
	$(BIN)/coverage erase; rm .coverage.xml

# The maps of which test runs which line take longer than the tests. Red tests are not in them, so that they judge nothing.
FAULT_MAPS := $(VENV)/mutations
faults: setup chromium xvfb packages $(FAULT_MAPS)/test.coverage $(FAULT_MAPS)/rest.coverage # small faults drawn by chance, and who catches each; FAULTS="--seed 7 --count 50" (CONTRIBUTING.md)
	$(BIN)/python -m tests.mutations $(FAULTS)

$(FAULT_MAPS)/%.coverage: $(shell find cdp_agent cdp_typed supervisor codegen tests -name "*.py")
	mkdir -p $(FAULT_MAPS)
	rm -f $@*
	CDP_TYPED_STAGES=mock,chromium PYTHONDONTWRITEBYTECODE= $(BIN)/coverage run --rcfile tests/mutations/coverage.ini \
	  --data-file $(abspath $@) -m pytest -q -n auto -p tests.mutations.contexts --part $* --ignore evals/libraries || true
	$(BIN)/coverage combine --quiet --rcfile tests/mutations/coverage.ini --data-file $(abspath $@)

honesty: setup chromium # every scenario of honesty, recorded on Chromium for the tests of the mock; what agrees, written into docs/mock.md
	$(BIN)/python -m tests.honesty --write

# Some 3 GB in .venv/deploy/image, and root, for debootstrap, buildah and crun: `apt-get install debootstrap buildah crun`.
DEPLOY := $(VENV)/deploy
deploy: setup $(DEPLOY)/.installed # deploy/: the manifests against the schemas of Kubernetes, and the image built, run and ended
	$(BIN)/python -m pytest -q tests/supervisor/addons/fleet/deploy
	$(BIN)/python -m tests.supervisor.addons.fleet.deploy $(DEPLOY)/bin $(DEPLOY)/image

$(DEPLOY)/.installed: tests/supervisor/addons/fleet/deploy/requirements.txt
	test -x $(DEPLOY)/bin/python || "$(PYTHON)" -m venv $(DEPLOY)
	$(DEPLOY)/bin/python $(INSTALL_LOCK) $<
	@touch $@

# An environment of its own, so that what the tests need stays small. Versions that were built before stay in site/.
DOCS := $(VENV)/docs
docs: setup chromium $(DOCS)/.installed ## the documentation as a site, in site/: no warning, every link, anchor and public name checked
	$(BIN)/python -m website $(DOCS)/bin/zensical
	$(BIN)/python -m pytest -q tests/website/check_site.py

$(DOCS)/.installed: locks/docs.txt
	test -x $(DOCS)/bin/python || "$(PYTHON)" -m venv $(DOCS)
	$(DOCS)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r $<
	@touch $@

pictures: setup chromium # the pictures of the documentation, those that are older than what they show
	$(BIN)/python -m website.pictures $(PICTURES)

setup: $(VENV)/.all # the virtual environment with all that any target needs

redis: # Redis, which a fleet's chaos puts behind Ray, from apt when it is not there
	@$(SHELL_FUNCTIONS) command -v redis-check-rdb >/dev/null || provide redis-tools

xvfb: # an X server and a keyboard, for tests with windows, from apt when they are not there
	@$(SHELL_FUNCTIONS) command -v Xvfb >/dev/null || provide xvfb; command -v xdotool >/dev/null || provide xdotool

chromium: $(VENV)/.demo # a Chromium for demo and test, from apt when none is found
	@$(SHELL_FUNCTIONS) \
	find() { $(BIN)/python -c 'from cdp_typed.launch import find_browser; find_browser()'; }; \
	find 2>/dev/null || { [ -n "$${CDP_TYPED_CHROME:-}" ] || provide chromium || true; find; }

# One resolution for all; the other locks take their versions from it.
LOCK := uv pip compile --universal --python-version 3.11 --quiet --generate-hashes --no-header \
  --no-annotate --no-emit-index-url --no-emit-find-links
lock: $(BIN)/python # write locks/ anew from pyproject.toml
	$(BIN)/python -m pip install --quiet uv
	lock() { \
	  echo "# Complete and with hashes. Written by \`make lock\`." > $$1.new; \
	  $(BIN)/$(LOCK) "$${@:2}" >> $$1.new; mv $$1.new $$1; }; \
	lock locks/all.txt pyproject.toml --upgrade --all-extras --group all; \
	lock locks/test.txt pyproject.toml --constraint locks/all.txt --extra idna --extra mcp --extra reading --extra secrets --extra video --extra yaml --group test; \
	lock locks/demo.txt pyproject.toml --constraint locks/all.txt; \
	lock locks/fleet.txt pyproject.toml --constraint locks/all.txt --extra idna --extra mcp --extra ray; \
	lock locks/docs.txt pyproject.toml --upgrade --group docs; \
	lock evals/arena/requirements.txt evals/arena/requirements.in --upgrade; \
	lock tests/supervisor/addons/fleet/deploy/requirements.txt tests/supervisor/addons/fleet/deploy/requirements.in --upgrade; \
	for name in $(FRAMEWORKS); do \
	  lock examples/frameworks/requirements/$$name.txt examples/frameworks/requirements/$$name.in --upgrade; done

wheel: setup # dist/*.whl
	$(BIN)/python -m build --wheel --no-isolation

# The same bytes at every build of a commit. TAG=v1.2.3 also holds the tag against the version and CHANGELOG.md.
release: setup ## sdist and wheel in dist/, built twice, checked, and tried on every Python of this machine
	$(BIN)/python -m tests.release --tag "$(TAG)"

# ROLL="--dry-run" writes nothing, ROLL="--package FILE.tgz" takes that in place of npm's newest.
roll: setup chromium npm # the newest npm devtools-protocol: vendored, generated, told in CHANGELOG.md, and tested
	$(BIN)/python -m tests.roll $(ROLL)

chaos: setup chromium # connections cut 500 times, browsers killed 50 times
	CDP_TYPED_CHAOS=whole $(BIN)/python -m pytest -q -s tests/supervisor/driver/test_chaos.py

# CHAOS=--small kills one of each kind, CHAOS="--seed 7" plays a failure again.
fleet-chaos: setup chromium redis # two fleets of 212 tasks on three nodes; nodes, hosts, browsers, drivers and directories killed 40 times; a network cut; Ray's control store killed
	$(BIN)/python -m tests.supervisor.addons.fleet.chaos $(CHAOS)
	$(BIN)/python -m tests.supervisor.addons.fleet.chaos.partition
	$(BIN)/python -m tests.supervisor.addons.fleet.chaos.control_store

PEERS := $(VENV)/peers
$(PEERS)/.installed: benchmarks/wire/package-lock.json | npm
	mkdir -p $(PEERS)
	cp benchmarks/wire/{package.json,package-lock.json} $(PEERS)
	cd $(PEERS) && npm ci --ignore-scripts --omit=optional --no-audit --no-fund --silent
	@touch $@

bench: setup $(PEERS)/.installed # figures against json.loads and other clients, in Python and on Node
	CDP_TYPED_PEERS=$(PEERS) $(BIN)/python -m benchmarks $(BENCHMARKS)

clean: ## remove everything that make made
	rm -rf $(VENV) build dist site .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis .coverage*
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# Debian's python3 has no venv until python3-venv is there.
$(BIN)/python:
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	|| { echo "$(PYTHON) is too old: Python 3.11 or later is needed (make PYTHON=...)" >&2; exit 1; }
	@$(SHELL_FUNCTIONS) "$(PYTHON)" -c 'import ensurepip' 2>/dev/null || provide python3-venv
	"$(PYTHON)" -m venv $(VENV)

# Each target installs what it needs: `demo` two packages, `test` further ones, and all others what `setup` installs.
# Hashes for everything, the build backend included, so that nothing is fetched that no lock names.
$(VENV)/.demo: locks/demo.txt | $(BIN)/python
	$(BIN)/python $(INSTALL_LOCK) locks/demo.txt
	@touch $@

$(VENV)/.test: locks/test.txt pyproject.toml | $(VENV)/.demo
	$(BIN)/python $(INSTALL_LOCK) locks/test.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

$(VENV)/.all: locks/all.txt $(VENV)/.test
	$(BIN)/python $(INSTALL_LOCK) locks/all.txt
	@touch $@

# provide PACKAGE: from apt, as root or with a sudo that does not ask. The package lists are updated first: an old list
# still names a browser that security updates have replaced long ago.
define SHELL_FUNCTIONS
as_root() { if [ "$$(id -u)" = 0 ]; then "$$@"; else sudo -n "$$@"; fi; }; \
apt() { as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq "$$@" >/dev/null; }; \
install() { apt install -y --no-install-recommends "$$1"; }; \
provide() { \
  echo "$$1 is missing; installing it with apt-get"; \
  apt update || echo "the package lists could not be updated; trying with those that are there" >&2; \
  install "$$1" \
  || { echo "$$1 could not be installed; install it by hand and run make again" >&2; return 1; }; \
};
endef
