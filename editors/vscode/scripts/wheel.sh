#!/usr/bin/env bash
# Builds the server's wheel into dist/, from where it goes into the .vsix.
set -euo pipefail
cd "$(dirname "$0")/.."
python=../../.venv/bin/python
[[ -x "$python" ]] || python=python3
mkdir -p dist
rm -f dist/*.whl
"$python" -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir dist ../..
ls dist/*.whl
