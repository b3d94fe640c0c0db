#!/usr/bin/env bash
# A real VS Code (code-server) and a browser for the end-to-end tests, in a cache outside the
# repository. Prints the folder of the host; everything else goes to stderr. Ends with 1 and a
# reason where the host cannot be had.
#
# TUTOR_LSP_TEST_CACHE moves the cache. TUTOR_LSP_CHROMIUM names a browser to use.
set -euo pipefail

readonly NODE_VERSION=24.21.0 CODE_SERVER_VERSION=4.139.1
readonly cache="${TUTOR_LSP_TEST_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/tutor-lsp-tests}"
readonly host="$cache/code-server-$CODE_SERVER_VERSION-node-$NODE_VERSION"

say() { echo "$*" >&2; }

refuse() {
  say "$*"
  exit 1
}

# Debian's packages: the browser, what the build of code-server's native modules needs.
packages() {
  local needed=()
  [[ -x "${TUTOR_LSP_CHROMIUM:-/usr/bin/chromium}" ]] || needed+=(chromium)
  if [[ ! -x "$host/bin/code-server" ]]; then
    [[ -e /usr/include/gssapi/gssapi.h ]] || needed+=(libkrb5-dev)
    command -v g++ >/dev/null && command -v make >/dev/null || needed+=(build-essential)
    command -v pkg-config >/dev/null || needed+=(pkg-config)
  fi
  ((${#needed[@]} == 0)) && return
  command -v apt-get >/dev/null || refuse "needed: ${needed[*]}; there is no apt-get here"
  ((EUID == 0)) || refuse "needed, as root: apt-get install ${needed[*]}"
  say "Installing ${needed[*]} …"
  export DEBIAN_FRONTEND=noninteractive
  {
    apt-get update -qq &&
      apt-get install -y -qq --no-install-recommends -o DPkg::Lock::Timeout=300 "${needed[@]}"
  } >&2 || refuse "apt-get could not install ${needed[*]}"
}

architecture() {
  case "$(uname -m)" in
    x86_64) echo x64 ;;
    aarch64 | arm64) echo arm64 ;;
    *) refuse "no build of Node is known for $(uname -m)" ;;
  esac
}

# Built in a scratch folder and moved into place, so that a half-made host is never used.
code_server() {
  local scratch node log
  mkdir -p "$cache"
  scratch="$(mktemp -d "$cache/host.XXXXXX")"
  # shellcheck disable=SC2064  # the folder of now is meant
  trap "rm -rf '$scratch'" EXIT
  log="$cache/code-server.log"
  say "Installing Node $NODE_VERSION and code-server $CODE_SERVER_VERSION (some minutes; log: $log) …"
  (
    cd "$scratch"
    node="node-linux-$(architecture)"
    # The new Node's npm looks for the machine's npm configuration elsewhere.
    npm_config_globalconfig="$(npm config get globalconfig)"
    export npm_config_globalconfig
    npm pack --silent "$node@$NODE_VERSION"
    tar -xzf "$node-$NODE_VERSION.tgz"
    rm "$node-$NODE_VERSION.tgz"
    mv package node
    mkdir -p code bin
    cd code
    echo '{"private": true}' >package.json
    export PATH="$scratch/node/bin:$PATH" npm_config_nodedir="$scratch/node"
    npm install --no-audit --no-fund --loglevel=error "code-server@$CODE_SERVER_VERSION"
  ) >"$log" 2>&1 || {
    tail -n 20 "$log" >&2
    refuse "code-server $CODE_SERVER_VERSION could not be installed"
  }
  cat >"$scratch/bin/code-server" <<'LAUNCHER'
#!/bin/sh
here="$(dirname "$(dirname "$(readlink -f "$0")")")"
exec "$here/node/bin/node" "$here/code/node_modules/code-server/out/node/entry.js" "$@"
LAUNCHER
  chmod +x "$scratch/bin/code-server"
  chmod 755 "$scratch"
  "$scratch/bin/code-server" --config /dev/null --version >&2 ||
    refuse "the installed code-server does not start"
  # Another run may have been first: its copy is as good.
  mv -T "$scratch" "$host" 2>/dev/null || [[ -x "$host/bin/code-server" ]]
  trap - EXIT
}

packages
[[ -x "$host/bin/code-server" ]] || code_server
"${TUTOR_LSP_CHROMIUM:-/usr/bin/chromium}" --version >/dev/null 2>&1 || refuse "chromium does not start"
echo "$host"
