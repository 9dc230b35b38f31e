# Everything a contributor does, by name. `make` alone lists the targets.
# Nothing here needs more than Python 3.11+, make and a network that pip can reach.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/pip install --quiet --disable-pip-version-check
COMPILE := $(BIN)/uv pip compile pyproject.toml --upgrade --universal --python-version 3.11 \
	--no-emit-index-url --no-emit-package larder --no-header --no-annotate --quiet
SCRIPTS := scripts/services scripts/processes.py scripts/servers.py $(wildcard scripts/prove scripts/screenshots)

# What was compiled once is kept: tests start hundreds of processes, each of which would compile all of it again.
unexport PYTHONDONTWRITEBYTECODE

# The newest Python on the PATH that is new enough; empty if there is none.
PYTHON := $(firstword $(foreach name,python3.14 python3.13 python3.12 python3.11 python3,$(shell \
	$(name) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && command -v $(name))))

.PHONY: help setup run test check prove bench screenshots lock clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## /{printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: $(VENV)/.ready-dev ## Make the virtualenv with all that running, testing and proving take

# What running takes is installed first and by itself: `make run` need not wait for the tools.
$(VENV)/.ready: requirements.lock pyproject.toml
	@test -n "$(PYTHON)" || { echo "make: Larder needs Python 3.11 or newer; found: $$(python3 --version 2>&1)" >&2; exit 1; }
	@test -x $(BIN)/pip || scripts/venv "$(PYTHON)" $(VENV)
	$(PIP) --no-compile -r requirements.lock
	$(PIP) --no-deps --editable .
	@touch $@

$(VENV)/.ready-dev: $(VENV)/.ready requirements-dev.lock
	$(PIP) --no-compile -r requirements-dev.lock
	@touch $@

run: $(VENV)/.ready ## See it work: simulated sites, the pipeline, a live view; Ctrl-C ends it
	$(BIN)/larder demo

test: setup ## Check beside the tests: start private services, run all tests, stop the services
	@check= services=$$(mktemp -d) && export LARDER_SERVICES_DIR="$$services" CI=true && \
	trap 'kill "$$check" 2>/dev/null || true; scripts/services stop; rm -rf "$$services"' EXIT && \
	{ $(MAKE) --no-print-directory check >"$$services/check" 2>&1 & check=$$!; } && \
	scripts/services start && eval "$$(scripts/services env)" && \
	$(BIN)/pytest -n $(or $(WORKERS),$$(($$(nproc) + 1))) --dist loadgroup $(TESTS) && \
	{ wait "$$check" || { cat "$$services/check"; exit 1; }; }

check: setup ## Lint, format, types and the import rules
	$(BIN)/ruff check . $(SCRIPTS)
	$(BIN)/ruff format --check . $(SCRIPTS)
	$(BIN)/mypy
	MYPYPATH=scripts $(BIN)/mypy --scripts-are-modules $(SCRIPTS)
	$(BIN)/lint-imports

prove: setup ## Run the long proofs (resumable); figures go to proofs/
	$(BIN)/python scripts/prove

bench: setup ## Measure, each figure beside a peer's in the same run (resumable)
	$(BIN)/python -m bench $(PARTS)

screenshots: setup ## Take the pictures of the README anew
	$(BIN)/python scripts/screenshots

lock: setup ## Resolve the dependencies anew into the lock files
	$(PIP) uv
	$(COMPILE) --all-extras --group dev --output-file requirements-dev.lock
	$(COMPILE) --constraint requirements-dev.lock --output-file requirements.lock

clean: ## Stop services; remove the virtualenv, caches and builds
	scripts/services stop
	rm -rf $(VENV) .services build dist .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
