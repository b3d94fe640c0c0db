#!/usr/bin/env bash
# The end-to-end tests in a real VS Code:  e2e/run.sh [FILE …]  (without .e2e.ts; default: all).
# Needs dist/tutor-lsp.vsix. Prints TAP-like results; ends with 1 unless all pass.
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

names=("$@")
if ((${#names[@]} == 0)); then
  for file in e2e/*.e2e.ts; do names+=("$(basename "$file" .e2e.ts)"); done
fi

if [[ " ${names[*]} " == *" beside "* ]]; then
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
install_into extensions dist/tutor-lsp.vsix
install_into extensions-companion dist/tutor-lsp.vsix build/companion/companion.vsix
rm -rf build/artefacts

files=()
for name in "${names[@]}"; do files+=("build/e2e/$name.e2e.js"); done
# One editor at a time: two would only wait for each other.
status=0
"$TUTOR_LSP_VSCODE_HOST/node/bin/node" --test --test-concurrency=1 \
  --test-reporter=spec --test-reporter-destination=stdout \
  --test-reporter=tap --test-reporter-destination=build/e2e.tap \
  "${files[@]}" || status=$?
cat build/artefacts/figures.txt 2>/dev/null || true
exit "$status"
