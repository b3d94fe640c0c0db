#!/usr/bin/env bash
# The end-to-end tests in a real VS Code:  e2e/run.sh [PART …]  (default: all).
# Needs dist/tutor-lsp.vsix; TUTOR_LSP_VSIX names another package. Prints TAP-like results; ends with 1 unless all pass.
set -euo pipefail
cd "$(dirname "$0")/.."

TUTOR_LSP_VSCODE_HOST="${TUTOR_LSP_VSCODE_HOST:-$(scripts/host.sh)}"
export TUTOR_LSP_VSCODE_HOST
readonly code="$TUTOR_LSP_VSCODE_HOST/bin/code-server"
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT

install_into() {
  local folder="build/$1"
  shift
  rm -rf "$folder"
  for package in "$@"; do
    "$code" --config "$scratch/config.yaml" --user-data-dir "$scratch/data" \
      --extensions-dir "$folder" --install-extension "$package" --force >>"$scratch/log" 2>&1 || {
      cat "$scratch/log"
      return 1
    }
  done
}

# What pip fetches for the set-up of the server is fetched once.
export PIP_CACHE_DIR="${PIP_CACHE_DIR:-$(dirname "$TUTOR_LSP_VSCODE_HOST")/pip}"

export TUTOR_LSP_E2E="$*"
if (($# == 0)) || [[ " $* " == *" beside "* ]]; then
  readonly python=../../.venv/bin/python
  "$python" ../../scripts/editors.py install rust-analyzer >"$scratch/log"
  TUTOR_LSP_RUST_ANALYZER="$("$python" ../../scripts/editors.py list | sed -n 's/^rust-analyzer: //p')"
  export TUTOR_LSP_RUST_ANALYZER
fi

node scripts/bundle.mjs --e2e
(cd build/companion && node --require ../../scripts/node18.cjs \
  ../../node_modules/@vscode/vsce/vsce package --no-dependencies --allow-missing-repository \
  --skip-license --out companion.vsix >/dev/null)
echo 'auth: none' >"$scratch/config.yaml"
# How long installing alone takes belongs to the first minute.
readonly vsix="${TUTOR_LSP_VSIX:-dist/tutor-lsp.vsix}"
began="$(date +%s%N)"
install_into extensions "$vsix"
export TUTOR_LSP_INSTALL_MS="$((($(date +%s%N) - began) / 1000000))"
install_into extensions "$vsix" build/companion/companion.vsix
rm -rf build/artefacts

status=0
"$TUTOR_LSP_VSCODE_HOST/node/bin/node" --test \
  --test-reporter=spec --test-reporter-destination=stdout \
  --test-reporter=tap --test-reporter-destination=build/e2e.tap \
  build/e2e/all.js || status=$?
cat build/artefacts/figures.txt 2>/dev/null || true
exit "$status"
