#!/usr/bin/env bash
# Measures the hot paths and writes docs/benchmarks.md. Ratios are taken interleaved within one run; times are of this machine.
set -euo pipefail
cd "$(dirname "$0")/.."
exec .venv/bin/python tests/bench/run.py "$@"
