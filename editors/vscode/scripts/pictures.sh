#!/usr/bin/env bash
# Takes the README's pictures in a real VS Code, from the end-to-end tests, and makes them small.
set -euo pipefail
cd "$(dirname "$0")/.."

command -v pngquant >/dev/null || { echo "needed: apt-get install pngquant" >&2; exit 1; }
npm run --silent package
e2e/run.sh session
for picture in images/*.png; do
  pngquant --force --strip --quality 70-95 --output "$picture" "build/artefacts/${picture##*/}"
done
ls -l images
