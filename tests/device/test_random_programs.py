"""Random programs over a pool of tensors that share memory, run on the CPU and on neuron side by side: no value may
differ, no memory may stay behind. NP_RANDOM_OPS sets how many ops (default 3000)."""

import os
import random
import time

import torch
from parity.cases import differing

OPS = int(os.environ.get("NP_RANDOM_OPS", "3000"))
POOL = 12


def views(rng, t):
    """A view of a tensor, chosen by the generator."""
    kind = rng.randrange(6)
    if kind == 0:
        return t.t()
    if kind == 1:
        return t[rng.randrange(t.shape[0]) :]
    if kind == 2:
        return t[:, :: rng.choice([1, 2])]
    if kind == 3:
        return t.reshape(-1).view(-1, 1)
    if kind == 4:
        return t.unsqueeze(0).expand(2, *t.shape)[1]
    return t.diagonal().unsqueeze(0)


def results(rng, a, b):
    """A new tensor of two; shapes may not fit."""
    kind = rng.randrange(14)
    if kind == 0:
        return a + b
    if kind == 1:
        return a * b.sigmoid()
    if kind == 2:
        return a @ b.t()
    if kind == 3:
        return torch.cat([a, b], rng.randrange(2))
    if kind == 4:
        return torch.where(a > 0, a, b)
    if kind == 5:
        return a.softmax(-1)
    if kind == 6:
        return a.sum(rng.randrange(2), keepdim=True)
    if kind == 7:
        return a.sort(rng.randrange(2)).values
    if kind == 8:
        return a.index_select(0, torch.tensor([0, a.shape[0] - 1], device=a.device))
    if kind == 9:
        return a[a[:, 0] > 0]
    if kind == 10:
        return torch.nn.functional.layer_norm(a, a.shape[-1:])
    if kind == 11:
        return a.to(rng.choice([torch.bfloat16, torch.float64])).float()
    if kind == 12:
        return a.cumsum(1).clamp(-3, 3)
    return a.clone(memory_format=torch.contiguous_format)


def writes(rng, a, b):
    """Changes the first tensor in place."""
    kind = rng.randrange(8)
    if kind == 0:
        a.add_(b, alpha=0.5)
    elif kind == 1:
        a.mul_(0.5)
    elif kind == 2:
        a[0] = 1.5
    elif kind == 3:
        a.copy_(b)
    elif kind == 4:
        a.tanh_()
    elif kind == 5:
        a.masked_fill_(a > 1, 0.25)
    elif kind == 6:
        torch.add(a, 1, out=a)
    else:
        a.index_add_(0, torch.tensor([0], device=a.device), b[:1])


def apply(kind, seed, a, b):
    """One op on tensors of one device: (what it raised, its result)."""
    rng = random.Random(seed)
    try:
        return None, kind(rng, a, b) if kind is not views else views(rng, a)
    except (RuntimeError, IndexError) as error:
        return type(error), None


def usable(t):
    return t.dim() == 2 and 0 < t.numel() < 400 and t.shape[0] > 0


def run(ops, seed):
    rng = random.Random(seed)
    generator = torch.Generator().manual_seed(seed)
    pairs = []

    def fresh():
        t = torch.randn(rng.randrange(1, 7), rng.randrange(1, 7), generator=generator)
        return t, t.to("neuron")

    pairs = [fresh() for _ in range(POOL)]
    for number in range(ops):
        kind = rng.choice([views, results, results, writes])
        op_seed = rng.randrange(2**30)
        (a, ours_a), (b, ours_b) = rng.choice(pairs), rng.choice(pairs)
        raised, result = apply(kind, op_seed, a, b)
        ours_raised, ours = apply(kind, op_seed, ours_a, ours_b)
        where = f"op {number} of seed {seed}, {kind.__name__} {op_seed}"
        assert raised == ours_raised, f"{where}: {ours_raised}, not {raised}"
        if isinstance(result, torch.Tensor) and usable(result):
            assert result.stride() == ours.stride() or result.numel() < 2, where
            pairs[rng.randrange(POOL)] = (result, ours)
        elif rng.random() < 0.2:
            pairs[rng.randrange(POOL)] = fresh()
        if number % 25 == 0 or number == ops - 1:
            for mine, theirs in pairs:
                assert mine.shape == theirs.shape and differing(theirs.cpu(), mine) == 0, where


def test_random_programs_agree_and_leave_no_memory():
    before = torch.accelerator.memory_allocated()
    for seed in range(4):
        run(OPS // 4, seed)
    assert torch.accelerator.memory_allocated() == before


def test_random_programs_are_clean_in_chaos():
    torch.ops.neuron_port.set_streams("chaos")
    try:
        run(OPS // 4, 99)
    finally:
        torch.ops.neuron_port.set_streams("sync")


def test_memory_that_runs_out_in_backward_leaves_the_device_usable():
    free, _ = torch.accelerator.get_memory_info()
    before = torch.accelerator.memory_allocated()
    x = torch.ones(4, device="neuron", requires_grad=True)

    class Greedy(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, gradient):
            return torch.empty(2 * free, dtype=torch.uint8, device="neuron")[:4].float()

    try:
        Greedy.apply(x).sum().backward()
    except torch.OutOfMemoryError as error:
        assert "neuron out of memory" in str(error)
    else:
        raise AssertionError("no error")
    del x
    deadline = time.monotonic() + 10  # autograd's thread lets go of the failed pass when it gets to it
    while torch.accelerator.memory_allocated() != before and time.monotonic() < deadline:
        time.sleep(0.01)
    assert torch.accelerator.memory_allocated() == before
    y = torch.ones(4, device="neuron", requires_grad=True)
    (y * 3).sum().backward()
    assert y.grad.tolist() == [3] * 4
