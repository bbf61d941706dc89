import pytest
import torch

from fused_block import FusedBlock, bias_gelu, scaled_softmax

device = "cuda"
SHAPES = [(3, 67), (8, 128), (130, 33), (1, 1), (5, 300)]


def leaf(*shape, seed=0):
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(*shape, generator=generator)


@pytest.mark.parametrize("shape", SHAPES)
def test_bias_gelu_forward(shape):
    x, bias = leaf(*shape), leaf(shape[1], seed=1)
    y = bias_gelu(x.cuda(), bias.cuda())
    assert y.device.type == torch.device(device).type
    torch.testing.assert_close(y.cpu(), torch.nn.functional.gelu(x + bias, approximate="tanh"), rtol=2e-5, atol=2e-5)


@pytest.mark.parametrize("shape", SHAPES)
def test_bias_gelu_backward(shape):
    x, bias, grad = leaf(*shape), leaf(shape[1], seed=1), leaf(*shape, seed=2)
    xd = x.to(device).requires_grad_()
    bd = bias.to(device).requires_grad_()
    bias_gelu(xd, bd).backward(grad.to(device))
    x.requires_grad_()
    bias.requires_grad_()
    torch.nn.functional.gelu(x + bias, approximate="tanh").backward(grad)
    torch.testing.assert_close(xd.grad.cpu(), x.grad, rtol=1e-4, atol=1e-5)
    torch.testing.assert_close(bd.grad.cpu(), bias.grad, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("scale", [1.0, 0.125])
def test_scaled_softmax_forward(shape, scale):
    x = leaf(*shape)
    y = scaled_softmax(x.cuda(), scale)
    torch.testing.assert_close(y.cpu(), torch.softmax(scale * x, -1), rtol=2e-5, atol=1e-6)


@pytest.mark.parametrize("shape", SHAPES)
def test_scaled_softmax_backward(shape):
    x, grad = leaf(*shape), leaf(*shape, seed=2)
    xd = x.to(device).requires_grad_()
    scaled_softmax(xd, 0.5).backward(grad.to(device))
    x.requires_grad_()
    torch.softmax(0.5 * x, -1).backward(grad)
    torch.testing.assert_close(xd.grad.cpu(), x.grad, rtol=1e-4, atol=1e-6)


def test_block_on_batched_input():
    torch.manual_seed(0)
    block = FusedBlock(32, 4).cuda()
    x = torch.randn(2, 7, 32, device=device, requires_grad=True)
    block(x).square().mean().backward()
    assert x.grad is not None and torch.isfinite(x.grad).all()
    assert all(p.grad is not None and p.grad.is_cuda for p in block.parameters())


def test_rejects_wrong_bias():
    with pytest.raises(Exception):
        bias_gelu(torch.randn(3, 4, device=device), torch.randn(5, device=device))
