"""Ops, modules and optimizers on neuron against the CPU, bit for bit; see parity/policy.json for what is left out.

A part drawn by a fixed seed runs always, all of it in the slow suite (NP_PARITY=all). The comparison runs in a process of
its own: within pytest the same Python code takes three times as long.
"""

import json
import os
import subprocess
import sys

import torch
from conftest import ROOT
from helpers import environment
from parity.cases import PAIRS, POLICY, differing, is_chosen_by_device_name, is_refused

ALL = os.environ.get("NP_PARITY") == "all"


def compare(module, out, *arguments):
    settings = environment(NEURON_PORT_RUN="1", NEURON_PORT_ANNOUNCED="1", NEURON_PORT_POLICY="silent")
    command = [sys.executable, "-m", f"parity.{module}", str(out), *arguments]
    result = subprocess.run(command, capture_output=True, text=True, timeout=3600, env=settings, cwd=ROOT / "tests" / "device")
    assert result.returncode == 0, result.stderr[-3000:]
    return [json.loads(line) for line in out.read_text().splitlines()]


def test_ops(tmp_path):
    outcomes = compare("run", tmp_path / "ops.jsonl", *(["--samples", "4"] if ALL else ["--samples", "2", "--fraction", "0.02"]))
    failures = [f"{outcome['dtype']} {failure}" for outcome in outcomes for failure in outcome.get("failures", [])]
    assert not failures, "\n".join(failures)
    compared = sum(1 for outcome in outcomes if outcome.get("checks"))
    assert compared > 0.9 * len(outcomes)


def test_modules_and_optimizers(tmp_path):
    outcomes = compare("modules", tmp_path / "modules.jsonl", *([] if ALL else ["--every", "10"]))
    failures = [f"{outcome['dtype']} {outcome['variant']} {failure}" for outcome in outcomes for failure in outcome["failures"]]
    assert not failures, "\n".join(failures)
    assert sum(outcome["compared"] > 0 for outcome in outcomes) > 0.9 * len(outcomes)


def test_the_policy_leaves_little_out():
    left_out = sum(is_refused(name) or is_chosen_by_device_name(name, dtype) for name, dtype in PAIRS)
    assert left_out < 0.01 * len(PAIRS)
    names = {name for name, _ in PAIRS}
    assert set(POLICY["refused"]["ops"]) | set(POLICY["chosen_by_device_name"]["ops"]) <= names


def test_the_comparison_sees_one_wrong_bit():
    a = torch.tensor([1.0, float("nan"), 3.0])
    b = a.clone()
    assert differing(a, b) == 0
    b[2] = torch.nextafter(b[2], torch.tensor(9.0))
    assert differing(a, b) == 1
