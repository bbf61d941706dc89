"""Autograd on the device against autograd on the CPU, bit for bit."""

import pytest
import torch
from torch.utils.checkpoint import checkpoint


def gradients(function, device, *inputs):
    leaves = [tensor.to(device).requires_grad_() for tensor in inputs]
    function(*leaves).backward()
    return [leaf.grad.cpu() for leaf in leaves]


@pytest.mark.parametrize(
    "function",
    [
        lambda a, b: (a @ b).square().mean(),
        lambda a, b: torch.nn.functional.conv1d(b.unsqueeze(0), b.unsqueeze(-1)).sum() + a.sum(),
        lambda a, b: torch.cat([a, b.t()], 0)[:, 1::2].exp().sum(),
        lambda a, b: torch.einsum("ij,jk->k", a, b).tanh().prod(),
        lambda a, b: a.index_select(0, torch.tensor([0, 2, 2], device=a.device)).cumsum(0).std() + b.logsumexp(0).sum(),
        lambda a, b: torch.nn.functional.layer_norm(a, (a.shape[1],)).max(dim=1).values.sum() + b.norm(),
    ],
    ids=["matmul", "conv", "cat-slice", "einsum", "index", "norm"],
)
def test_gradients_are_bitwise_equal(function):
    inputs = torch.randn(4, 6), torch.randn(6, 6)
    for ours, theirs in zip(gradients(function, "neuron", *inputs), gradients(function, "cpu", *inputs)):
        assert torch.equal(ours, theirs)


def test_gradcheck_and_double_backward():
    x = torch.randn(3, 3, dtype=torch.float64, device="neuron", requires_grad=True)
    assert torch.autograd.gradcheck(lambda t: (t @ t).tanh(), x)
    assert torch.autograd.gradgradcheck(lambda t: (t @ t).tanh(), x)


def test_custom_function_and_hooks():
    class Double(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, grad):
            assert grad.device.type == "neuron"
            return grad * 2

    x = torch.ones(3, device="neuron", requires_grad=True)
    seen = []
    x.register_hook(lambda grad: seen.append(grad.device.type))
    Double.apply(x).sum().backward()
    assert x.grad.cpu().tolist() == [2, 2, 2] and seen == ["neuron"]


@pytest.mark.parametrize("reentrant", [True, False])
def test_checkpoint_with_dropout_recomputes_the_same_mask(reentrant):
    x = torch.ones(64, 8, device="neuron", requires_grad=True)
    y = checkpoint(lambda t: torch.nn.functional.dropout(t, 0.5), x, use_reentrant=reentrant)
    y.sum().backward()
    assert torch.equal(x.grad, y.detach())
    assert 0 < y.count_nonzero().item() < y.numel()


def test_functional_transforms():
    x = torch.randn(4, 3)
    hessian = torch.func.hessian(lambda t: (t**3).sum())
    assert torch.equal(hessian(x.to("neuron")).cpu(), hessian(x))
    batched = torch.vmap(lambda t: t @ t.t())
    y = torch.randn(5, 2, 2)
    assert torch.equal(batched(y.to("neuron")).cpu(), batched(y))
    _, tangent = torch.func.jvp(torch.sin, (x.to("neuron"),), (torch.ones_like(x).to("neuron"),))
    assert torch.equal(tangent.cpu(), x.cos())


def test_in_place_change_of_a_saved_tensor_is_refused():
    x = torch.ones(3, device="neuron", requires_grad=True)
    y = x.exp()
    y.add_(1)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        y.sum().backward()


def test_inference_and_no_grad():
    x = torch.ones(3, device="neuron", requires_grad=True)
    with torch.no_grad():
        assert not (x * 2).requires_grad
    with torch.inference_mode():
        assert (x * 2).is_inference()


def test_symbolic_zeros_become_real_ones_when_read():
    zero = torch._efficientzerotensor((2, 3), device="neuron")
    for made in (zero.clone(), zero.cpu(), zero.to("neuron:1"), torch.empty(2, 3, device="neuron").copy_(zero)):
        assert not made._is_zerotensor() and made.cpu().eq(0).all()
    assert (zero + 1).sum().item() == 6 and torch.cat([zero, zero]).sum().item() == 0
