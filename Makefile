# Two commands do all on a fresh machine with python3, venv, make and git:
#   make demo    a whole learning session, played against the real server
#   make test    every check and the tests
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
PYTEST_JOBS ?= 2
# Programs that the tests start by the hundred are compiled once, whatever the shell says.
export PYTHONDONTWRITEBYTECODE =

.PHONY: demo test check format types contracts library-check test-editors test-vscode test-codex test-long bench wheel vsix clean install tools settings corpus hints

install: $(STAMP)

$(STAMP): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "tutor-lsp needs Python 3.11 or later; $(PYTHON) is $$($(PYTHON) --version 2>&1). Try: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV) || \
	  { echo "python3-venv is missing. On Debian: apt-get install python3-venv"; exit 1; }
	@echo "Installing tutor-lsp and its tools into $(VENV) …"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $(STAMP)

demo: $(STAMP)
	@$(BIN)/tutor-lsp demo --remove

test: check
	@$(BIN)/python -m pytest -q -n $(PYTEST_JOBS) --dist loadgroup -m 'not codex and not long' tests

check: $(STAMP) tools
	@$(BIN)/ruff check --quiet .
	@$(BIN)/ruff format --check --quiet .
	@$(BIN)/mypy
	@$(BIN)/python -m tutor_lsp.contracts.export --check
	@$(BIN)/python scripts/settings_page.py --check

# What is not on this machine is named, skipped and counted; under CI=true it fails.
tools:
	@if cargo --version >/dev/null 2>&1; then :; \
	elif [ "$$CI" = true ]; then echo "cargo does not work here, and CI=true: Rust tests cannot be skipped"; exit 1; \
	else echo "cargo does not work here: 1 tool missing, Rust tests are skipped"; fi

format: $(STAMP)
	@$(BIN)/ruff check --quiet --fix . ; $(BIN)/ruff format --quiet .

contracts: $(STAMP)
	@$(BIN)/python -m tutor_lsp.contracts.export

settings: $(STAMP)
	@$(BIN)/python scripts/settings_page.py

library-check: $(STAMP)
	@$(BIN)/python -m tutor_lsp.authoring.library_check --write

# Every defective exercise of the corpus is found at its step, and no good one is refused, 3 times.
corpus: $(STAMP)
	@TUTOR_CORPUS=all $(BIN)/python -m pytest -q -n $(PYTEST_JOBS) tests/proof/test_corpus.py

# Every hint of both sets: those that leak are held back, honest ones are shown.
hints: $(STAMP)
	@TUTOR_HINTS=all $(BIN)/python -m pytest -q -n $(PYTEST_JOBS) --dist loadfile tests/coach

test-editors: $(STAMP)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev,editors]'
	@$(BIN)/python scripts/editors.py install
	@$(BIN)/python -m pytest -q -n $(PYTEST_JOBS) tests/editors

# What `make test` leaves out, each marked with why, and property tests with more examples.
test-long: $(STAMP)
	@HYPOTHESIS_PROFILE=long $(BIN)/python -m pytest -q -n $(PYTEST_JOBS) --dist loadgroup -m 'long or hypothesis' tests

# The real Codex CLI, a wheel of 140 MB, against a model server of our own.
test-codex: $(STAMP)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev,codex]'
	@$(BIN)/python -m pytest -q -n $(PYTEST_JOBS) -m codex tests/stages

test-vscode: $(STAMP)
	@editors/vscode/test.sh

bench: $(STAMP)
	@$(BIN)/python -m benchmarks

# The VS Code extension, with the server's wheel in it.
vsix: $(STAMP)
	@editors/vscode/test.sh package

wheel: $(STAMP)
	@$(BIN)/python -m pip wheel --quiet --no-deps --wheel-dir dist .

clean:
	@rm -rf $(VENV) dist build .pytest_cache .mypy_cache .ruff_cache
