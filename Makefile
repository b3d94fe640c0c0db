# Two commands do all on a fresh machine with python3, venv, make and git:
#   make demo    a whole learning session, played against the real server
#   make test    every check and the tests
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
PYTEST_JOBS ?= 2
# More than cores: a test waits for programs and limits half of its time.
TEST_JOBS ?= 4
LONG_JOBS ?= 3
# Programs that the tests start by the hundred are compiled once, whatever the shell says.
export PYTHONDONTWRITEBYTECODE =

.PHONY: pictures packages demo test tests check still format types generated contracts library-check signatures test-editors test-vscode test-first-minute test-codex test-long test-release release bench bench-history wheel vsix clean install tools settings facts interface catalogue links corpus hints

install: $(STAMP)

$(STAMP): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "tutor-lsp needs Python 3.11 or later; $(PYTHON) is $$($(PYTHON) --version 2>&1). Try: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV) || \
	  { echo "python3-venv is missing. On Debian: apt-get install python3-venv"; exit 1; }
	@echo "Installing tutor-lsp and its tools into $(VENV) …"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@$(BIN)/python -m compileall -q -x 'library/[^/]*/' tutor_lsp
	@touch $(STAMP)

demo: $(STAMP)
	@$(BIN)/tutor-lsp demo --remove

# What nothing need run for takes one core a sixth of the time of the tests: it goes on beside them.
test: $(STAMP) tools
	@$(MAKE) --silent -j3 types generated tests

tests: $(STAMP)
	@$(BIN)/python -m pytest -q -n $(TEST_JOBS) --dist loadgroup -m 'not codex and not long and not release' tests

check: still
	@$(BIN)/python -m pytest -qq tests/unit/test_structure.py tests/unit/test_imports.py

# All that nothing need run for. Types take as long as all the rest, which one process beside them
# looks at meanwhile.
still: $(STAMP) tools
	@$(MAKE) --silent -j2 types generated

types: $(STAMP)
	@$(BIN)/mypy

generated: $(STAMP)
	@$(BIN)/ruff check --quiet .
	@$(BIN)/ruff format --check --quiet .
	@$(BIN)/python -m tutor_lsp.contracts.export --check
	@$(BIN)/python scripts/settings_page.py --check
	@$(BIN)/python scripts/interface_page.py --check
	@$(BIN)/python scripts/catalogue.py --check
	@$(BIN)/python scripts/initialize_facts.py --check
	@$(BIN)/python scripts/release_facts.py --check

# What is not on this machine is named, skipped and counted; under CI=true it fails.
tools:
	@if cargo --version >/dev/null 2>&1; then :; \
	elif [ "$$CI" = true ]; then echo "cargo does not work here, and CI=true: Rust tests cannot be skipped"; exit 1; \
	else echo "cargo does not work here: 1 tool missing, Rust tests are skipped"; fi

format: $(STAMP)
	@$(BIN)/ruff check --quiet --fix . ; $(BIN)/ruff format --quiet .

contracts: $(STAMP)
	@$(BIN)/python -m tutor_lsp.contracts.export

# Texts for translators, and every translation up to date; make catalogue NEW=de begins one.
catalogue: $(STAMP)
	@$(BIN)/python scripts/catalogue.py $(if $(NEW),--new $(NEW))

interface: $(STAMP)
	@$(BIN)/python scripts/interface_page.py

settings: $(STAMP)
	@$(BIN)/python scripts/settings_page.py

# What the answer to initialize is made from before the server is loaded.
facts: $(STAMP)
	@$(BIN)/python scripts/initialize_facts.py

# The links of release.toml in those sources that carry them.
links: $(STAMP)
	@$(BIN)/python scripts/release_facts.py

library-check: $(STAMP)
	@$(BIN)/python -m tutor_lsp.authoring.library_check --write

# What known mistakes come to on the inputs that tell them apart: of exercises whose content is new.
signatures: $(STAMP)
	@$(BIN)/python -m tutor_lsp.authoring.signatures.library --write

# Every defective exercise of the corpus is found at its step, and no good one is refused, 3 times.
corpus: $(STAMP)
	@TUTOR_CORPUS=all $(BIN)/python -m pytest -q -n $(LONG_JOBS) tests/proof/test_corpus.py

# Every hint of both sets: those that leak are held back, honest ones are shown.
hints: $(STAMP)
	@TUTOR_HINTS=all $(BIN)/python -m pytest -q -n $(PYTEST_JOBS) --dist loadfile tests/coach

test-editors: $(STAMP)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev,editors]'
	@$(BIN)/python scripts/editors.py install
	@$(BIN)/python -m pytest -q -n $(PYTEST_JOBS) tests/editors

# What `make test` leaves out, each marked with why, and property tests with more examples.
# What `make corpus` and `make hints` run whole is left to them.
test-long: $(STAMP)
	@HYPOTHESIS_PROFILE=long $(BIN)/python -m pytest -q -n $(LONG_JOBS) --dist loadgroup -m 'long or hypothesis' \
	  --ignore tests/proof/test_corpus.py --ignore tests/coach tests

# The real Codex CLI, a wheel of 140 MB, against a model server of our own.
test-codex: $(STAMP)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev,codex]'
	@$(BIN)/python -m pytest -q -n $(PYTEST_JOBS) -m codex tests/stages

# A whole release of a copy, and the wheel as uvx and pipx run it.
test-release: $(STAMP)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev,release]'
	@$(BIN)/python -m pytest -q -m release tests/release

# Everything of a release but its publication, which it says how to do: make release TAG=v1.2.3,
# with DRY_RUN=1 before the tag is made.
release: $(STAMP)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev,release]'
	@$(BIN)/python scripts/release.py $(TAG) $(if $(DRY_RUN),--dry-run)

test-vscode: $(STAMP)
	@editors/vscode/test.sh

# The first minute with the package for this machine, and what keeps it from coming, in a real VS Code;
# then the same cut off from the network. Times are told; TUTOR_LSP_BARS=hold holds their bars.
test-first-minute: package-linux-x64
	@editors/vscode/e2e/first_minute.sh

# What a learner sees after a wrong answer, in three sizes and four themes: editors/vscode/build/artefacts/pictures.
# Those of the READMEs are taken, too: docs/terminal.svg and editors/vscode/images.
pictures: vsix
	@$(BIN)/python scripts/terminal_picture.py
	@editors/vscode/scripts/pictures.sh

bench: $(STAMP)
	@$(BIN)/python -m benchmarks $(BENCH)

# The same from run to run: a ratio that is a quarter over the usual is told, nothing fails on time.
BENCH_HISTORY ?= .cache/benchmarks.jsonl
bench-history: $(STAMP)
	@$(BIN)/python -m benchmarks --history $(BENCH_HISTORY) $(BENCH)

# The VS Code extension, with the server's wheel in it.
vsix: $(STAMP)
	@editors/vscode/test.sh package

# With the server's libraries unpacked in it, for one target each: nothing is installed where it is used.
# PYTHON_ARCHIVE and PYTHON_SHA256 name a relocatable CPython to bring along.
TARGETS := linux-x64 linux-arm64 darwin-x64 darwin-arm64
packages: $(TARGETS:%=package-%)

package-%: $(STAMP) vsix
	@editors/vscode/scripts/package.sh $* $(if $(PYTHON_ARCHIVE),--python $(PYTHON_ARCHIVE) --sha256 $(PYTHON_SHA256))

wheel: $(STAMP)
	@$(BIN)/python -m pip wheel --quiet --no-deps --wheel-dir dist .

clean:
	@rm -rf $(VENV) dist build .pytest_cache .mypy_cache .ruff_cache
