# Everything starts from Python 3.11 and make alone; `make help` lists the targets.
PYTHON ?= $(shell command -v python3.11 || command -v python3 || echo python3.11)
BIN := .venv/bin
CODE := services gateway protojson deployment tests
CODE_HERE = $(wildcard $(CODE))
LANDED := deployment/landed-contract.binpb
ARGS ?=
DIR ?= ../shared/conformance
CASES ?= 1000000
SEED ?= 18cz

.DEFAULT_GOAL := help
.PHONY: help setup protos run test lint format bench conformance fuzz rules-report accept-contract lock clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## make .venv, stubs/ and build/googleapis (again only where something changed)
	@$(PYTHON) -I deployment/bootstrap.py

protos: setup ## generate the stubs from protos/ (setup does it too)

run: setup ## serve all games and the gateway on 127.0.0.1:8080 (PORT=... for another port)
	@exec $(BIN)/python -m deployment

test: setup ## the default test suite (ARGS=... goes to pytest)
	@$(BIN)/python -m pytest $(ARGS)

lint: setup ## ruff, mypy, the import walls and the contract
	@$(BIN)/ruff check $(CODE_HERE)
	@$(BIN)/ruff format --check $(CODE_HERE)
	@$(BIN)/mypy $(CODE_HERE)
	@$(BIN)/lint-imports --no-cache --no-logo
	@$(BIN)/buf lint protos
	@$(BIN)/buf breaking protos --exclude-imports --against $(LANDED)
	@$(BIN)/buf build protos --exclude-source-info -o build/contract.binpb
	@cmp -s build/contract.binpb $(LANDED) || { echo "lint: protos/ has grown since $(LANDED): make accept-contract"; exit 1; }

accept-contract: setup ## take protos/ as the landed contract, which later ones must not break
	@test ! -e $(LANDED) || $(BIN)/buf breaking protos --exclude-imports --against $(LANDED)
	@$(BIN)/buf build protos --exclude-source-info -o $(LANDED)

format: setup ## put the code in the house format
	@$(BIN)/ruff check --fix --quiet $(CODE_HERE)
	@$(BIN)/ruff format --quiet $(CODE_HERE)
	@$(BIN)/buf format --write protos

bench: setup ## measure speed side by side; writes build/bench.json (ARGS=... goes to it)
	@$(BIN)/python -m tests.bench $(ARGS)

conformance: setup ## compare with a folder of recorded games and positions (DIR=...)
	@$(BIN)/python -m tests.conformance $(DIR) $(ARGS)

rules-report: setup ## for every rule, the cases that it accepts and refuses
	@$(BIN)/python -m tests.rules_report $(ARGS)

fuzz: setup ## attack with hostile input (CASES=1000000, SEED=...; a failure says how to repeat it)
	@SIGNALBOX_FUZZ_CASES=$(CASES) SIGNALBOX_FUZZ_SEED=$(SEED) $(BIN)/python -m pytest --timeout=0 tests/fuzz $(ARGS)

lock: ## choose dependency versions anew and write requirements.lock
	@$(PYTHON) -m venv build/lock
	@build/lock/bin/python -m pip --disable-pip-version-check install -qq uv
	@build/lock/bin/uv pip compile pyproject.toml --group dev --generate-hashes --universal \
	  --python-version 3.11 --no-annotate --upgrade --quiet --custom-compile-command "make lock" \
	  --output-file requirements.lock

clean: ## remove everything that the other targets made
	@rm -rf .venv stubs build .setup.lock .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	@find $(CODE_HERE) -name __pycache__ -type d -prune -exec rm -rf {} +
