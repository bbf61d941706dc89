#!/usr/bin/env bash
# Ports the bundled CUDA extension project tests/golden/fused_block and runs its own tests on the bundled neuron device.
#
#   scripts/demo.sh                 build what is needed, port, show each step, validate
#   scripts/demo.sh --validate OUT  only the last step, on a project ported before
set -euo pipefail
cd "$(dirname "$0")/.."

TARGETS=(neuron_port neuron_port_clang neuron_port_kernel neuron_port_device neuron_port_tile)
PROJECT=tests/golden/fused_block
OUT=build/demo/fused_block
KERNEL=scaled_softmax_forward
NP=build/neuron-port

heading() { printf '\n\033[1m== %s\033[0m\n' "$*"; }

validate() {
  local log; log=$(mktemp)
  if ! (cd "$1" && "$OLDPWD/$NP" run -- python -m pytest -q -p no:cacheprovider >"$log" 2>&1); then
    cat "$log"; rm -f "$log"
    echo "the ported project's tests fail on neuron"
    return 1
  fi
  local passed; passed=$(grep -oE '[0-9]+ passed' "$log" | tail -n 1 | cut -d' ' -f1)
  tail -n 1 "$log"; rm -f "$log"
  [ "${passed:-0}" -gt 0 ] || { echo "no test ran"; return 1; }
  printf '\033[32m%s of %s tests pass on neuron\033[0m (stand-in, not Trainium)\n' "$passed" "$passed"
}

if [ "${1:-}" = --validate ]; then validate "$2"; exit; fi

heading "build"
cmake --build build --target "${TARGETS[@]}"

heading "neuron-port check $PROJECT"
"$NP" check --exit-zero "$PROJECT"

heading "neuron-port fix --unsafe-fixes --diff $PROJECT"
"$NP" fix --unsafe-fixes --diff --exit-zero "$PROJECT" | sed -n '1,60p'

heading "neuron-port port $PROJECT --out-dir $OUT --validate"
rm -rf "$OUT"
mkdir -p build/demo
"$NP" port "$PROJECT" --out-dir "$OUT" --validate --exit-zero >build/demo/port.txt
grep -E 'tests pass on neuron' build/demo/port.txt

heading "one kernel: what it computes, the NKI text, the gates"
"$NP" kernel translate "$PROJECT/csrc/scaled_softmax.cu" --launch "$OUT/fused_block/_C_neuron/$KERNEL.launch.json" -I "$PROJECT/csrc"
cat "$OUT/fused_block/_C_neuron/${KERNEL}_nki.py"

heading "the ported project's own tests"
validate "$OUT"
echo "report: $OUT/neuron-port-report.html"
