#!/usr/bin/env bash
# The parts `minute` and `failures` with the package for this machine, with the network and without it.
# Where this user may not cut a process off, that is said and counted as skipped.
set -uo pipefail
cd "$(dirname "$0")/.."

readonly parts=(minute failures)
export TUTOR_LSP_VSIX="${TUTOR_LSP_VSIX:-dist/tutor-lsp-linux-x64.vsix}"
TUTOR_LSP_VSCODE_HOST="${TUTOR_LSP_VSCODE_HOST:-$(scripts/host.sh)}" || exit 1
export TUTOR_LSP_VSCODE_HOST

status=0 skipped=0
echo "== with the network"
e2e/run.sh "${parts[@]}" || status=1

echo "== without the network"
readonly cut_off=(unshare --net sh -ec 'ip link set lo up; exec "$@"' sh)
if "${cut_off[@]}" true 2>/dev/null; then
  TUTOR_LSP_OFFLINE=true "${cut_off[@]}" e2e/run.sh "${parts[@]}" || status=1
else
  skipped=1
  echo "unshare --net is not allowed here: skipped"
fi

result=passed
if ((status != 0)); then result=FAILED; fi
echo "first minute: $result, $skipped skipped"
exit "$status"
