"""Compares one op on neuron with the CPU over PyTorch's own samples (OpInfo, from the torch wheel), bit for bit.

What can be compared is decided by the CPU run, before looking at the device: a sample that dispatches an op tagged as
drawing random numbers is random, an op whose name starts with `empty` or `new_empty` returns memory as it finds it. Of
those, shape, type and strides are compared, not values. Samples that raise on the CPU are left out and counted.
"""

import dataclasses
import json
import sys
import types
import unittest
import warnings

import torch

# PyTorch's test package wants a third-party module for one base class that these tests do not use.
if "expecttest" not in sys.modules:
    sys.modules["expecttest"] = types.ModuleType("expecttest")
    sys.modules["expecttest"].TestCase = unittest.TestCase

from torch.testing._internal.common_methods_invocations import op_db  # noqa: E402
from torch.utils._python_dispatch import TorchDispatchMode  # noqa: E402
from torch.utils._pytree import tree_flatten, tree_map  # noqa: E402

OPS = {f"{op.name}.{op.variant_test_name}" if op.variant_test_name else op.name: op for op in op_db}


# The indices of this op must be on the CPU, on every device.
INDICES_ON_CPU = {"tensor_split"}


class SeededOps(TorchDispatchMode):
    """Notes the ops that draw random numbers."""

    def __init__(self):
        super().__init__()
        self.seen = set()

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        if torch.Tag.nondeterministic_seeded in func.tags:
            self.seen.add(str(func))
        return func(*args, **(kwargs or {}))


@dataclasses.dataclass
class Outcome:
    compared: int = 0
    skipped: int = 0
    failures: list = dataclasses.field(default_factory=list)


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


def moved_sample(name, sample):
    if name in INDICES_ON_CPU:
        return to_neuron(sample.input), sample.args, sample.kwargs
    return tuple(tree_map(lambda v: to_neuron(v) if isinstance(v, (torch.Tensor, torch.device, str)) else v, part)
                 for part in (sample.input, sample.args, sample.kwargs))  # fmt: skip


def tensors_of(value):
    return [leaf for leaf in tree_flatten(value)[0] if isinstance(leaf, torch.Tensor)]


def same(ours, theirs, values):
    """None, or how a result differs from the CPU's."""
    if not ours.is_neuron:
        return f"is on {ours.device}"
    for what in ("dtype", "shape", "layout"):
        if getattr(ours, what) != getattr(theirs, what):
            return f"{what} {getattr(ours, what)}, not {getattr(theirs, what)}"
    if ours.stride() != theirs.stride() or ours.is_conj() != theirs.is_conj() or ours.is_neg() != theirs.is_neg():
        return "stride, conj or neg bit differs"
    if not values:
        return None
    count = differing(ours.cpu(), theirs)
    return f"{count} of {theirs.numel()} values differ" if count else None


def differing(a, b):
    """How many values differ; NaN equals NaN."""
    a, b = (t.detach().resolve_conj().resolve_neg() for t in (a, b))
    if a.dtype == torch.complex32:
        a, b = torch.view_as_real(a), torch.view_as_real(b)
    if a.dtype.itemsize == 1 and a.dtype.is_floating_point:
        a, b = a.float(), b.float()
    return int((a.ne(b) & ~(a.ne(a) & b.ne(b))).sum())


def compare(name, dtype, max_samples, backward=True):
    """Runs the samples of one op in one type."""
    op = OPS[name]
    outcome = Outcome()
    differentiable = backward and op.supports_autograd and dtype in op.supported_backward_dtypes("cpu")
    torch.manual_seed(0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            samples = list(op.sample_inputs("cpu", dtype, requires_grad=differentiable))[:max_samples]
        except Exception:
            outcome.skipped += 1
            return outcome
        for number, sample in enumerate(samples):
            compare_sample(op, name, number, sample, differentiable, outcome)
    return outcome


def compare_sample(op, name, number, sample, differentiable, outcome):
    inputs = moved_sample(name, sample)  # before the CPU run, which may write to its inputs
    try:
        expected = op(sample.input, *sample.args, **sample.kwargs)
        with SeededOps() as seeded:  # a run of its own: under a mode, composite ops take other paths
            op(sample.input, *sample.args, **sample.kwargs)
    except Exception:
        outcome.skipped += 1
        return
    theirs = tensors_of(expected)
    if not theirs or any(tensor.layout != torch.strided or tensor.is_quantized for tensor in theirs):
        outcome.skipped += 1
        return
    values = not seeded.seen and not name.startswith(("empty", "new_empty"))
    try:
        ours = tensors_of(op(inputs[0], *inputs[1], **inputs[2]))
        problems = [same(a, b, values) for a, b in zip(ours, theirs)] if len(ours) == len(theirs) else ["other number of results"]
        if differentiable and values and any(tensor.requires_grad for tensor in theirs):
            problems += gradient_problems(inputs, ours, sample, theirs)
    except Exception as error:
        problems = [f"{type(error).__name__}: {str(error).splitlines()[0][:160] if str(error) else ''}"]
    outcome.compared += 1
    outcome.failures += [f"{name} sample {number}: {problem}" for problem in problems if problem]


def gradient_problems(inputs, ours, sample, theirs):
    leaves = [t for t in tensors_of((sample.input, sample.args, sample.kwargs)) if t.requires_grad]
    moved = [t for t in tensors_of(inputs) if t.requires_grad]
    pairs = [(a, b) for a, b in zip(ours, theirs) if b.requires_grad]
    try:
        expected = torch.autograd.grad([b for _, b in pairs], leaves, [torch.ones_like(b) for _, b in pairs], allow_unused=True)
    except Exception:
        return []
    actual = torch.autograd.grad([a for a, _ in pairs], moved, [torch.ones_like(a) for a, _ in pairs], allow_unused=True)
    problems = []
    for a, b in zip(actual, expected):
        if (a is None) != (b is None):
            problems.append("gradient is missing")
        elif a is not None:
            problem = same(a, b, True)
            problems.append(problem and f"gradient: {problem}")
    return problems


def main(arguments):
    """TYPE SAMPLES [NAME...]: compares ops (default all that have the type) and prints the outcome as JSON."""
    dtype, samples = getattr(torch, arguments[0]), int(arguments[1])
    names = arguments[2:] or [name for name, op in OPS.items() if dtype in op.supported_dtypes("cpu")]
    outcomes = {name: dataclasses.asdict(compare(name, dtype, samples)) for name in names}
    json.dump(outcomes, sys.stdout)


if __name__ == "__main__":
    main(sys.argv[1:])
