#!/usr/bin/env bash
# Takes pictures in a real VS Code, by the end-to-end tests, and makes those of the README small.
# Needs dist/tutor-lsp.vsix.
set -euo pipefail
cd "$(dirname "$0")/.."

e2e/run.sh session pictures
command -v pngquant >/dev/null || { echo "the README's pictures stay: apt-get install pngquant" >&2; exit 1; }
for picture in images/*.png; do
  pngquant --force --strip --quality 70-95 --output "$picture" "build/artefacts/${picture##*/}"
done
ls -l images
