"""Every op of PyTorch's op database on neuron against the CPU, bit for bit, forward and backward.

NP_OP_SAMPLES (default 2) samples an op and type; the slow suite runs with more samples and types.
"""

import os

import pytest
import torch
from op_cases import OPS, compare, differing

SAMPLES = int(os.environ.get("NP_OP_SAMPLES", "2"))
SLOW_TYPES = [torch.float64, torch.complex64, torch.float16, torch.bool, torch.int32]
TYPES = [torch.float32, torch.bfloat16, torch.int64] + (SLOW_TYPES if SAMPLES > 2 else [])

REFUSED = {"sparse.mm.reduce": "takes sparse tensors, which the device refuses"}
# PyTorch's Python code picks another precision for types "cpu" and "cuda" than for all others, on the chip too.
CHOSEN_BY_DEVICE_NAME = {"nn.functional.linear_cross_entropy.chunked", "nn.functional.linear_cross_entropy.chunked_none"}


def is_left_out(name, dtype):
    return name in REFUSED or (name in CHOSEN_BY_DEVICE_NAME and dtype in (torch.bfloat16, torch.float16))


@pytest.mark.parametrize("dtype", TYPES, ids=str)
def test_ops_are_bitwise_equal_to_the_cpu(dtype):
    names = [name for name, op in OPS.items() if dtype in op.supported_dtypes("cpu") and not is_left_out(name, dtype)]
    outcomes = {name: compare(name, dtype, SAMPLES) for name in names}
    failures = [failure for outcome in outcomes.values() for failure in outcome.failures]
    assert not failures, "\n".join(failures)
    compared = [name for name, outcome in outcomes.items() if outcome.compared]
    assert len(compared) > 0.95 * len(names)


def test_refused_ops_are_refused():
    for name in REFUSED:
        assert all("device neuron has no sparse tensors" in failure for failure in compare(name, torch.float32, 2).failures)


def test_the_comparison_sees_one_wrong_bit():
    a = torch.tensor([1.0, float("nan"), 3.0])
    b = a.clone()
    assert differing(a, b) == 0
    b[2] = torch.nextafter(b[2], torch.tensor(9.0))
    assert differing(a, b) == 1
