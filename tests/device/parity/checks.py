"""The checks of one sample: each runs the CPU first, and returns None (does not apply) or a list of problems.

A check applies when the CPU can do it: what raises there is not counted.
"""

import torch
from parity.cases import POLICY, difference, is_dense, tensors_of
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.utils._pytree import tree_map


class Skip(Exception):
    """The check does not apply to this sample."""


class EqualToRounding(Exception):
    """Equal up to the order in which the engine adds gradients."""


def on_cpu(function):
    try:
        return function()
    except Exception as error:
        raise Skip from error


def call(op, parts, **extra):
    return op(parts[0], *parts[1], **{**parts[2], **extra})


def forward(op, name, sample, parts, values):
    """Values, type, strides; and that results alias arguments where the CPU's do."""
    expected = on_cpu(lambda: tensors_of(call(op, sample)))
    if not expected or not is_dense(expected):
        raise Skip
    actual = tensors_of(call(op, parts))
    if len(actual) != len(expected):
        return ["other number of results"]
    problems = [difference(a, b, values) for a, b in zip(actual, expected)]
    ours, theirs = tensors_of(parts), tensors_of(sample)
    for a, b in zip(actual, expected):
        aliases = [[shares(result, argument) for argument in arguments] for result, arguments in ((a, ours), (b, theirs))]
        if aliases[0] != aliases[1] or (any(aliases[1]) and a.storage_offset() != b.storage_offset()):
            problems.append("aliases other arguments than on the CPU")
    return problems


def shares(a, b):
    return is_dense([a, b]) and a.untyped_storage()._cdata == b.untyped_storage()._cdata


def backward(op, name, sample, parts, values):
    return gradients(op, sample, parts, twice=False)


def double_backward(op, name, sample, parts, values):
    return gradients(op, sample, parts, twice=True)


def gradients(op, sample, parts, twice):
    expected = on_cpu(lambda: chain(op, sample, twice))
    actual = chain(op, parts, twice)
    if [g is None for g in actual] != [g is None for g in expected]:
        return ["other gradients are missing than on the CPU"]
    problems = [difference(a, b) for a, b in zip(actual, expected) if b is not None]
    if twice and any(problems) and all(b is None or is_close(a, b) for a, b in zip(actual, expected)):
        raise EqualToRounding
    return problems


def is_close(ours, theirs):
    """The same sum in another order; see the policy on double backward."""
    rtol = POLICY["double_backward"]["rtol"].get(str(theirs.dtype).removeprefix("torch."), 0)
    same_kind = ours.dtype == theirs.dtype and ours.shape == theirs.shape
    scale = max(1.0, theirs.abs().max().item()) if theirs.numel() else 1.0  # terms of size 1 may cancel
    return same_kind and torch.allclose(ours.cpu(), theirs, rtol=rtol, atol=rtol * scale, equal_nan=True)


def chain(op, parts, twice):
    """First (or second) gradients of the sum of all differentiable results.

    One root, because the engine may start on one of several before it sees the others, which changes the order in which
    it adds gradients up, and so the bits.
    """
    leaves = [t for t in tensors_of(parts) if t.requires_grad]
    outputs = [t for t in tensors_of(call(op, parts)) if t.requires_grad]
    if not leaves or not outputs:
        raise Skip
    first = gradients_of_sum(outputs, leaves, create_graph=twice)
    if not twice:
        return first
    again = [g for g in first if g is not None and g.requires_grad]
    if not again:
        raise Skip
    return gradients_of_sum(again, leaves)


def gradients_of_sum(outputs, leaves, create_graph=False):
    root = sum(t.sum() for t in outputs)
    return torch.autograd.grad(root, leaves, torch.ones_like(root), allow_unused=True, create_graph=create_graph)


def out(op, name, sample, parts, values):
    """out= of the right size is written in place, also when strided; of no elements it is resized."""
    if not op.supports_out:
        raise Skip
    expected = on_cpu(lambda: call(op, sample))
    if not tensors_of(expected) or not is_dense(tensors_of(expected)):
        raise Skip
    problems = []
    for make in (torch.empty_like, lambda t: torch.empty(0, dtype=t.dtype), strided_like):
        theirs = tree_map(make, expected)
        try:
            wanted = on_cpu(lambda: call(op, sample, out=theirs))
        except Skip:
            continue
        ours = tree_map(lambda t, make=make: on_neuron(make(t)), expected)
        result = call(op, parts, out=ours)
        problems += [difference(a, b, values) for a, b in zip(tensors_of(ours), tensors_of(theirs))]
        problems += bookkeeping((result, ours), (wanted, theirs))
    return problems


def bookkeeping(ours, theirs):
    """Written tensors are returned, and count as written, where that is so on the CPU."""
    identical = [[a is b for a, b in zip(tensors_of(result), tensors_of(written))] for result, written in (ours, theirs)]
    problems = [] if identical[0] == identical[1] else ["does not return the tensors that it wrote"]
    versions = zip(tensors_of(ours[1]), tensors_of(theirs[1]))
    return problems + ["has written without a new version" for a, b in versions if b._version and not a._version]


def strided_like(tensor):
    return torch.empty(tensor.shape[::-1], dtype=tensor.dtype).permute(tuple(reversed(range(tensor.dim()))))


def on_neuron(tensor):
    return torch.empty_strided(tensor.shape, tensor.stride(), dtype=tensor.dtype, device="neuron")


def in_place(op, name, sample, parts, values):
    variant = op.inplace_variant
    if variant is None or not isinstance(sample[0], torch.Tensor) or sample[2].get("out") is not None:
        raise Skip
    theirs = sample[0].detach().clone()
    wanted = on_cpu(lambda: variant(theirs, *sample[1], **sample[2]))
    ours = parts[0].detach().clone()
    result = variant(ours, *parts[1], **parts[2])
    return [difference(ours, theirs, values), *bookkeeping((result, ours), (wanted, theirs))]


def fake(op, name, sample, parts, values):
    """Shape, type and strides without bytes agree with the real run, where they do so for the CPU."""
    expected = on_cpu(lambda: tensors_of(call(op, sample)))
    if not expected or not is_dense(expected):
        raise Skip
    theirs = on_cpu(lambda: fake_results(op, sample))
    if [geometry(t) for t in theirs] != [geometry(t) for t in expected]:
        raise Skip
    ours, real = fake_results(op, parts), tensors_of(call(op, parts))
    if [geometry(t) for t in ours] != [geometry(t) for t in real]:
        return ["fake results have another geometry"]
    wrong = [str(a.device) for a, b in zip(ours, real) if a.device != b.device]
    return [f"a fake result is on {wrong[0]}"] if wrong else []


def fake_results(op, parts):
    with FakeTensorMode() as mode:
        faked = tree_map(lambda t: mode.from_tensor(t) if isinstance(t, torch.Tensor) else t, tuple(parts))
        return tensors_of(call(op, faked))


def geometry(tensor):
    return tensor.dtype, tuple(tensor.shape), tensor.stride() if tensor.numel() else None


# Which checks look at which samples: all, or the first few.
ALL = {
    "forward": (forward, None),
    "backward": (backward, None),
    "double backward": (double_backward, 2),
    "out=": (out, 2),
    "in-place": (in_place, 2),
    "fake": (fake, 1),
}
