#!/usr/bin/env bash
# Everything about the VS Code extension: install, settings drift, types, lint, bundle, unit tests,
# package and its content, then whole sessions in a real VS Code. The last line counts.
#
#   ./test.sh          all of it
#   ./test.sh quick    without the real VS Code
#   ./test.sh package  only install and package
set -uo pipefail
cd "$(dirname "$0")"

readonly NODE_NEEDED=18
passed=0 failed=0 skipped=0

finish() {
  local line="$passed passed, $failed failed"
  if ((skipped > 0)); then line+=", $skipped skipped"; fi
  echo "$line"
  ((failed == 0))
  exit
}

# What is missing on this machine is named and counted; under CI=true that is a failure.
missing() {
  if [[ "${CI:-}" == true ]]; then
    echo "$1, and CI=true: this cannot be skipped"
    failed=$((failed + 1))
  else
    echo "$1: skipped"
    skipped=$((skipped + 1))
  fi
}

step() {
  local name="$1"
  shift
  echo "== $name"
  if "$@"; then
    passed=$((passed + 1))
  else
    echo "== $name: FAILED"
    failed=$((failed + 1))
    return 1
  fi
}

node_works() {
  local version
  version="$(node --version 2>/dev/null)" || return 1
  version="${version#v}"
  (("${version%%.*}" >= NODE_NEEDED)) && npm --version >/dev/null 2>&1
}

# A finished installation of this very lock file is used again, save in CI.
installed() {
  [[ "${CI:-}" != true && node_modules/.package-lock.json -nt package-lock.json ]]
}

install() {
  if installed; then
    echo "node_modules is up to date"
  elif [[ -f package-lock.json ]]; then
    npm ci --loglevel=error
  else
    npm install --loglevel=error
  fi
}

# The server's settings are read with the standard library only.
settings() {
  PYTHONPATH=../.. "$python" scripts/settings.py | node scripts/settings.mjs - --check
}

# Texts of the extension are collected for translators, and each one is translated.
texts() {
  node scripts/l10n.mjs --check
}

# The codes that can be practised come from the languages that are installed with the server.
codes() {
  PYTHONPATH=../.. "$python" scripts/codes.py --check
}

count() {
  local found
  found="$(sed -n "s/^# $1 //p" "$2" | tail -n 1)"
  echo "${found:-0}"
}

# suite NAME TAP-FILE COMMAND …: runs tests and counts them.
suite() {
  local name="$1" tap="$2"
  shift 2
  echo "== $name"
  rm -f "$tap"
  "$@"
  local status=$?
  if [[ ! -s "$tap" ]] || (($(count tests "$tap") == 0)); then
    echo "$name did not run"
    failed=$((failed + 1))
    return
  fi
  passed=$((passed + $(count pass "$tap")))
  skipped=$((skipped + $(count skipped "$tap")))
  local broken=$(($(count fail "$tap") + $(count cancelled "$tap")))
  if ((status != 0 && broken == 0)); then broken=1; fi
  failed=$((failed + broken))
}

# The real VS Code needs some hundred megabytes once; where it cannot be had that is said.
end_to_end() {
  local host
  if host="$(scripts/host.sh)"; then
    TUTOR_LSP_VSCODE_HOST="$host" suite "end-to-end tests" build/e2e.tap e2e/run.sh
  else
    missing "no real VS Code can be installed here, so the end-to-end tests did not run"
  fi
}

if ! node_works; then
  missing "node $NODE_NEEDED or later with npm is not here (on Debian: apt-get install nodejs npm)"
  finish
fi

step install install || finish

if [[ "${1:-}" == package ]]; then
  step package npm run --silent package
  finish
fi

python="$(command -v ../../.venv/bin/python python3 | head -n 1)"
if [[ -n "$python" ]] && "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
  step "settings as the server has them" settings
  step "codes as the server has them" codes
else
  missing "python 3.11 or later is not here, so settings and codes were not compared"
fi

step "texts are translated" texts
step types npx --no-install tsc --noEmit
step lint npx --no-install eslint .
step bundle npm run --silent bundle
suite "unit tests" build/unit.tap npm test --silent
step package npm run --silent package
step "content of the package" node scripts/verify-vsix.mjs dist/tutor-lsp.vsix
case "${1:-}" in
  quick) ;;
  *) end_to_end ;;
esac
finish
