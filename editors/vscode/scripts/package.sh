#!/usr/bin/env bash
# Packs the extension for one target into dist/tutor-lsp-TARGET.vsix, with the server's libraries in it:
#
#   scripts/package.sh TARGET [--python ARCHIVE --sha256 SUM]
#
# TARGET: linux-x64, linux-arm64, darwin-x64, darwin-arm64. With an archive it brings a Python along as
# well, see libraries.py. `npm run package` makes the one for every machine, which sets the server up
# from its wheel where it is used first.
set -euo pipefail
cd "$(dirname "$0")/.."
python="${TUTOR_LSP_BUILD_PYTHON:-../../.venv/bin/python}"
[[ -x "$python" ]] || python=python3
out="dist/tutor-lsp-$1.vsix"

npm run --silent bundle
scripts/wheel.sh
"$python" scripts/libraries.py "$1" dist/tutor_lsp-*.whl "${@:2}"
node scripts/package.mjs --target "$1" --out "$out"
node scripts/verify-vsix.mjs "$out"
