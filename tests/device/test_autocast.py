"""Autocast follows PyTorch's lists for accelerators; the numbers are those of an explicit cast."""

import pytest
import torch
from torch.nn import functional as F


def test_default_type_is_bfloat16():
    assert torch.get_autocast_dtype("neuron") == torch.bfloat16
    x = torch.randn(4, 4, device="neuron")
    with torch.autocast("neuron"):
        assert torch.is_autocast_enabled("neuron")
        assert (x @ x).dtype == torch.bfloat16
    assert (x @ x).dtype == torch.float32


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_lower_precision_equals_an_explicit_cast(dtype):
    x, weight, bias = torch.randn(5, 8), torch.randn(6, 8), torch.randn(6)
    with torch.autocast("neuron", dtype=dtype):
        y = F.linear(x.to("neuron"), weight.to("neuron"), bias.to("neuron"))
    assert y.dtype == dtype
    assert torch.equal(y.cpu(), F.linear(x.to(dtype), weight.to(dtype), bias.to(dtype)))


def test_fp32_and_promoting_ops():
    x = torch.randn(4, 4, device="neuron", dtype=torch.bfloat16)
    with torch.autocast("neuron"):
        assert F.softmax(x, -1).dtype == torch.float32
        assert F.layer_norm(x, (4,)).dtype == torch.float32
        assert x.sum().dtype == torch.float32
        assert torch.cat([x, x.float()]).dtype == torch.float32
        image, kernel = torch.ones(1, 1, 3, 3, device="neuron"), torch.ones(1, 1, 2, 2, device="neuron")
        assert F.conv2d(image, kernel).dtype == torch.bfloat16


def test_binary_cross_entropy_is_refused():
    p = torch.rand(3, device="neuron")
    sentence = "unsafe to autocast; use binary_cross_entropy_with_logits"
    with torch.autocast("neuron"), pytest.raises(RuntimeError, match=sentence):
        F.binary_cross_entropy(p, p)


def test_cpu_autocast_does_not_reach_the_device():
    x = torch.randn(4, 4, device="neuron")
    with torch.autocast("cpu"):
        assert (x @ x).dtype == torch.float32


def test_training_with_a_grad_scaler():
    torch.manual_seed(0)
    model = torch.nn.Sequential(torch.nn.Linear(8, 32), torch.nn.GELU(), torch.nn.Linear(32, 1)).to("neuron")
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
    scaler = torch.amp.GradScaler("neuron")
    x = torch.randn(64, 8).to("neuron")
    y = x.sum(1, keepdim=True)
    losses = []
    for _ in range(20):
        optimizer.zero_grad(set_to_none=True)
        with torch.autocast("neuron"):
            loss = F.mse_loss(model(x).float(), y)
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        scaler.step(optimizer)
        scaler.update()
        losses.append(loss.item())
    assert losses[-1] < 0.7 * losses[0]


def test_grad_scaler_skips_a_step_with_infinities():
    parameter = torch.nn.Parameter(torch.ones(3, device="neuron"))
    optimizer = torch.optim.SGD([parameter], lr=1.0)
    scaler = torch.amp.GradScaler("neuron", init_scale=4.0)
    scaler.scale((parameter * torch.tensor([1.0, float("inf"), 1.0], device="neuron")).sum()).backward()
    scaler.step(optimizer)
    scaler.update()
    assert parameter.detach().cpu().tolist() == [1, 1, 1] and scaler.get_scale() == 2.0


def test_custom_fwd_and_bwd():
    class Cast(torch.autograd.Function):
        @staticmethod
        @torch.amp.custom_fwd(device_type="neuron", cast_inputs=torch.float32)
        def forward(ctx, x):
            assert x.dtype == torch.float32 and not torch.is_autocast_enabled("neuron")
            return x * 2

        @staticmethod
        @torch.amp.custom_bwd(device_type="neuron")
        def backward(ctx, grad):
            return grad * 2

    x = torch.ones(2, device="neuron", requires_grad=True)
    with torch.autocast("neuron"):
        y = Cast.apply(x.bfloat16())
    y.sum().backward()
    assert y.dtype == torch.float32 and x.grad.cpu().tolist() == [2, 2]
