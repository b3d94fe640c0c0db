#!/usr/bin/env bash
# Builds the server's wheel into dist/, and a list of exercises, from where they go into the .vsix.
set -euo pipefail
cd "$(dirname "$0")/.."
# One with the server's libraries: that of `make install`, or the one that a release is built with.
python="${TUTOR_LSP_BUILD_PYTHON:-../../.venv/bin/python}"
[[ -x "$python" ]] || python=python3
mkdir -p dist
rm -f dist/*.whl
"$python" -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir dist ../..
ls dist/*.whl
# What a fresh learner's list begins with, which is read while the server is set up.
home="$(mktemp -d)"
trap 'rm -rf "$home"' EXIT
PYTHONPATH=../.. TUTOR_LSP_HOME="$home" TUTOR_LSP_BACKEND=library "$python" -m tutor_lsp choices start --json >dist/choices.json
