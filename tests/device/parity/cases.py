"""PyTorch's own samples (OpInfo, from the torch wheel) on the CPU and, with equal bytes and strides, on neuron.

What can be compared is decided by policy.json and by the CPU run, before looking at the device: a sample that dispatches
an op tagged as drawing random numbers is random. Samples that raise on the CPU are left out and counted.
"""

import json
import sys
import types
import unittest
from pathlib import Path

import torch

# PyTorch's test package wants a third-party module for one base class that these tests do not use.
if "expecttest" not in sys.modules:
    sys.modules["expecttest"] = types.ModuleType("expecttest")
    sys.modules["expecttest"].TestCase = unittest.TestCase

from torch.testing._internal.common_methods_invocations import op_db  # noqa: E402
from torch.utils._python_dispatch import TorchDispatchMode  # noqa: E402
from torch.utils._pytree import tree_flatten, tree_map  # noqa: E402

OPS = {f"{op.name}.{op.variant_test_name}" if op.variant_test_name else op.name: op for op in op_db}
POLICY = json.loads((Path(__file__).parent / "policy.json").read_text())
PAIRS = sorted((name, str(dtype).removeprefix("torch.")) for name, op in OPS.items() for dtype in op.supported_dtypes("cpu"))


class SeededOps(TorchDispatchMode):
    """Notes the ops that draw random numbers."""

    def __init__(self):
        super().__init__()
        self.seen = set()

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        if torch.Tag.nondeterministic_seeded in func.tags:
            self.seen.add(str(func))
        return func(*args, **(kwargs or {}))


def is_refused(name):
    return name in POLICY["refused"]["ops"]


def is_chosen_by_device_name(name, dtype):
    rule = POLICY["chosen_by_device_name"]
    return name in rule["ops"] and dtype in rule["dtypes"]


def is_uninitialised(name):
    return name.startswith(tuple(POLICY["values_not_compared"]["uninitialised"]["prefixes"]))


def to_neuron(value):
    """The same tensor on the device: equal bytes, strides, offset and storage size."""
    if isinstance(value, torch.device) or value == "cpu":
        return torch.device("neuron")
    if not isinstance(value, torch.Tensor) or value.layout != torch.strided:
        return value
    plain = value.detach()
    if plain.is_conj():
        return to_neuron(plain.conj()).conj().requires_grad_(value.requires_grad)
    plain = plain.resolve_neg()
    moved = torch.empty(0, dtype=plain.dtype, device="neuron")
    moved.set_(plain.untyped_storage().neuron(), plain.storage_offset(), plain.shape, plain.stride())
    return moved.requires_grad_(value.requires_grad)


def moved_sample(name, parts):
    """(input, args, kwargs) on neuron."""
    if name in POLICY["indices_on_the_cpu"]["ops"]:
        return (to_neuron(parts[0]), *parts[1:])
    return moved(parts)


def moved(value):
    """Everything in it on neuron. One tensor that occurs twice is one tensor there too."""
    known = {}

    def move(leaf):
        if not isinstance(leaf, torch.Tensor):
            return to_neuron(leaf) if isinstance(leaf, (torch.device, str)) else leaf
        if id(leaf) not in known:
            known[id(leaf)] = to_neuron(leaf)
        return known[id(leaf)]

    return tree_map(move, value)


def tensors_of(value):
    return [leaf for leaf in tree_flatten(value)[0] if isinstance(leaf, torch.Tensor)]


def is_dense(tensors):
    return all(tensor.layout == torch.strided and not tensor.is_quantized for tensor in tensors)


def difference(ours, theirs, values=True):
    """None, or how a result on neuron differs from the CPU's."""
    if not ours.is_neuron:
        return None if ours.device == theirs.device and torch.equal(ours, theirs) else f"is on {ours.device}"
    for what in ("dtype", "shape", "layout"):
        if getattr(ours, what) != getattr(theirs, what):
            return f"{what} {getattr(ours, what)}, not {getattr(theirs, what)}"
    if ours.stride() != theirs.stride():
        return f"strides {ours.stride()}, not {theirs.stride()}"
    if ours.is_conj() != theirs.is_conj() or ours.is_neg() != theirs.is_neg():
        return "conj or neg bit differs"
    if not values:
        return None
    count = differing(ours.cpu(), theirs)
    return f"{count} of {theirs.numel()} values differ" if count else None


def differing(a, b):
    """How many values differ; NaN equals NaN, and 0 equals -0."""
    a, b = (t.detach().resolve_conj().resolve_neg() for t in (a, b))
    if a.dtype == torch.complex32:
        a, b = torch.view_as_real(a), torch.view_as_real(b)
    if a.dtype.itemsize == 1 and a.dtype.is_floating_point:
        a, b = a.float(), b.float()
    return int((a.ne(b) & ~(a.ne(a) & b.ne(b))).sum())
