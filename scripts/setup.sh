#!/usr/bin/env bash
# Installs what the build and the tests need, and only what is missing.
#
#   scripts/setup.sh            system packages, .venv with torch (CPU) and the test tools, grammar sources from npm
#
# Works without root when the packages are already there. Prints each thing it installs; a second run installs nothing.
set -euo pipefail
cd "$(dirname "$0")/.."

TORCH_VERSION=2.13.0
TORCH_CPU_INDEX=https://download.pytorch.org/whl/cpu
APT_PACKAGES=(git make g++ clang-19 libclang-19-dev llvm-19-dev llvm-19-tools clang-format-19 clang-tidy-19 libclang-rt-19-dev lld-19
  ninja-build ccache cmake libcli11-dev nlohmann-json3-dev libtomlplusplus-dev libgtest-dev python3-venv python3-dev strace patch)

say() { printf 'setup: %s\n' "$*"; }

installSystemPackages() {
  command -v dpkg-query >/dev/null || { say "not a Debian system: install ${APT_PACKAGES[*]} by hand"; return; }
  local missing=() package
  for package in "${APT_PACKAGES[@]}"; do
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
  done
  command -v node >/dev/null || missing+=(nodejs)
  command -v npm >/dev/null || missing+=(npm)
  [ ${#missing[@]} -gt 0 ] || return 0
  local sudo=()
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || { say "missing packages: ${missing[*]} (not root and no sudo: ask an administrator to install them)"; exit 2; }
    sudo=(sudo)
  fi
  say "installing with apt: ${missing[*]}"
  "${sudo[@]}" apt-get update -qq
  DEBIAN_FRONTEND=noninteractive "${sudo[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

# The interpreter must have a torch wheel and development headers.
choosePython() {
  local candidate
  for candidate in python3.11 python3.12 python3.13 python3; do
    command -v "$candidate" >/dev/null || continue
    "$candidate" - <<'PY' 2>/dev/null && { echo "$candidate"; return; }
import os, sys, sysconfig, venv
ok = (3, 11) <= sys.version_info[:2] <= (3, 13) and os.path.exists(os.path.join(sysconfig.get_paths()["include"], "Python.h"))
sys.exit(0 if ok else 1)
PY
  done
  say "no python 3.11 to 3.13 with development headers found"; exit 2
}

installPythonPackages() {
  local python=.venv/bin/python
  if [ ! -x "$python" ]; then
    say "creating .venv"
    "$(choosePython)" -m venv .venv
  fi
  local wanted_stamp; wanted_stamp=$(cat scripts/requirements.txt; echo "torch==$TORCH_VERSION")
  if [ "$(cat .venv/neuron-port-stamp 2>/dev/null)" = "$wanted_stamp" ]; then return; fi
  if ! "$python" -c "import torch, sys; sys.exit(torch.__version__.split('+')[0] != '$TORCH_VERSION')" 2>/dev/null; then
    say "installing torch==$TORCH_VERSION (CPU build)"
    # A CPU-only machine index is asked first where pip is already set up to give a CPU build; else PyTorch's public CPU index.
    if [ "${NEURON_PORT_TORCH_INDEX:-}" = cpu ] || ! installTorchFromDefaultIndex "$python"; then
      "$python" -m pip install -q --disable-pip-version-check --retries 1 --index-url "$TORCH_CPU_INDEX" "torch==$TORCH_VERSION"
    fi
  fi
  say "installing python packages from scripts/requirements.txt"
  "$python" -m pip install -q --disable-pip-version-check -r scripts/requirements.txt
  "$python" -c "import torch, sys; sys.exit(torch.version.cuda is not None)" ||
    { say "the installed torch is a CUDA build; remove .venv and set NEURON_PORT_TORCH_INDEX=cpu"; exit 2; }
  printf '%s' "$wanted_stamp" >.venv/neuron-port-stamp
}

# Installs from pip's default index, but only when what it would install holds no CUDA package (asked before any download).
installTorchFromDefaultIndex() {
  local python=$1
  "$python" -m pip install -q --disable-pip-version-check --dry-run --report .venv/torch-plan.json "torch==$TORCH_VERSION" 2>/dev/null || return 1
  "$python" - <<'PY' || return 1
import json, sys
names = [item["metadata"]["name"].lower() for item in json.load(open(".venv/torch-plan.json"))["install"]]
sys.exit(any(name == "triton" or name.startswith(("nvidia-", "cuda-")) for name in names))
PY
  "$python" -m pip install -q --disable-pip-version-check "torch==$TORCH_VERSION"
}

installGrammars() {
  local wanted; wanted=$(cat cmake/grammars.json)
  [ "$(cat build/grammars/package.json 2>/dev/null)" = "$wanted" ] && [ -e build/grammars/.complete ] && return
  say "installing tree-sitter sources with npm"
  mkdir -p build/grammars
  rm -f build/grammars/.complete
  cp cmake/grammars.json build/grammars/package.json
  (cd build/grammars && npm install --ignore-scripts --no-audit --no-fund --no-package-lock --legacy-peer-deps --silent)
  touch build/grammars/.complete
}

installSystemPackages
installPythonPackages
installGrammars
say "ready"
