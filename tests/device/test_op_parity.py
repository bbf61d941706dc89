"""Every op of PyTorch's op database on neuron against the CPU, bit for bit, forward and backward.

NP_OP_SAMPLES (default 1) samples an op and type; the slow suite runs with more samples and types. The comparison runs in
a process of its own: within pytest the same Python code takes three times as long.
"""

import json
import os
import subprocess
import sys

import pytest
import torch
from conftest import ROOT
from helpers import environment
from op_cases import differing

SAMPLES = os.environ.get("NP_OP_SAMPLES", "1")
SLOW_TYPES = ["int64", "float64", "complex64", "float16", "bool", "int32"]
TYPES = ["float32", "bfloat16"] + (SLOW_TYPES if int(SAMPLES) > 2 else [])

REFUSED = {"sparse.mm.reduce": "takes sparse tensors, which the device refuses"}
# PyTorch's Python code picks another precision for types "cpu" and "cuda" than for all others, on the chip too.
CHOSEN_BY_DEVICE_NAME = {"nn.functional.linear_cross_entropy.chunked", "nn.functional.linear_cross_entropy.chunked_none"}


def compare_in_own_process(dtype):
    command = [sys.executable, str(ROOT / "tests" / "device" / "op_cases.py"), dtype, SAMPLES]
    settings = environment(NEURON_PORT_RUN="1", NEURON_PORT_ANNOUNCED="1")
    result = subprocess.run(command, capture_output=True, text=True, timeout=1500, env=settings)
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)


@pytest.mark.parametrize("dtype", TYPES)
def test_ops_are_bitwise_equal_to_the_cpu(dtype):
    outcomes = compare_in_own_process(dtype)
    for name in REFUSED.keys() & outcomes.keys():
        failures = outcomes.pop(name)["failures"]
        assert failures and all("device neuron has no sparse tensors" in failure for failure in failures)
    if dtype in ("bfloat16", "float16"):
        outcomes = {name: outcome for name, outcome in outcomes.items() if name not in CHOSEN_BY_DEVICE_NAME}
    failures = [failure for outcome in outcomes.values() for failure in outcome["failures"]]
    assert not failures, "\n".join(failures)
    assert sum(outcome["compared"] > 0 for outcome in outcomes.values()) > 0.95 * len(outcomes)


def test_the_comparison_sees_one_wrong_bit():
    a = torch.tensor([1.0, float("nan"), 3.0])
    b = a.clone()
    assert differing(a, b) == 0
    b[2] = torch.nextafter(b[2], torch.tensor(9.0))
    assert differing(a, b) == 1
