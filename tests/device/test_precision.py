"""precision=device: float64 as float32, 16-bit products accumulated in float32, int64 wrapped to 32 bits."""

import pytest
import torch
from neuron_port_runtime import report


@pytest.fixture(autouse=True)
def device_precision():
    torch.ops.neuron_port.set_precision("device")
    yield
    torch.ops.neuron_port.set_precision("exact")


def test_float64_is_computed_as_float32():
    x = torch.randn(16, dtype=torch.float64)
    y = torch.randn(16, dtype=torch.float64)
    result = x.to("neuron") * y.to("neuron")
    assert result.dtype == torch.float64
    assert torch.equal(result.cpu(), (x.float() * y.float()).double())
    assert not torch.equal(result.cpu(), x * y)


def test_in_place_out_and_lists():
    x, y = torch.randn(5, dtype=torch.float64), torch.randn(5, dtype=torch.float64)
    a = x.to("neuron")
    assert a.add_(y.to("neuron")) is a
    assert torch.equal(a.cpu(), (x.float() + y.float()).double())
    out = torch.empty(0, dtype=torch.float64, device="neuron")
    torch.mul(x.to("neuron"), 3, out=out)
    assert torch.equal(out.cpu(), (x.float() * 3).double())
    b = [x.to("neuron"), y.to("neuron")]
    torch._foreach_mul_(b, 1.1)
    assert torch.equal(b[1].cpu(), (y.float() * 1.1).double())


def test_copies_and_views_keep_their_bits():
    x = torch.randn(6, dtype=torch.float64)
    assert torch.equal(x.to("neuron").view(2, 3).t().cpu(), x.view(2, 3).t())


def test_float32_is_untouched():
    x = torch.randn(8, 8)
    assert torch.equal((x.to("neuron") @ x.to("neuron")).cpu(), x @ x)


def test_bfloat16_products_accumulate_in_float32():
    x, y = torch.randn(32, 512, dtype=torch.bfloat16), torch.randn(512, 32, dtype=torch.bfloat16)
    result = x.to("neuron") @ y.to("neuron")
    assert result.dtype == torch.bfloat16
    assert torch.equal(result.cpu(), (x.float() @ y.float()).bfloat16())


def test_int64_wraps_and_is_counted():
    torch.ops.neuron_port.clear_ops()
    x = torch.tensor([1, 2**31 - 1], device="neuron")
    assert (x + 1).tolist() == [2, -(2**31)]
    assert report.op_records()["neuron::int64_overflow"]["calls"] == 1
    assert (x * 1).tolist() == [1, 2**31 - 1]


def test_training_in_float64_shows_the_drift():
    results = []
    for device in ("cpu", "neuron"):
        torch.manual_seed(0)
        model = torch.nn.Linear(8, 8).double().to(device)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1, foreach=True)
        x = torch.randn(4, 8, dtype=torch.float64, generator=torch.Generator().manual_seed(1)).to(device)
        for _ in range(3):
            optimizer.zero_grad()
            model(x).square().sum().backward()
            optimizer.step()
        results.append(model.weight.detach().cpu())
    assert not torch.equal(*results)
    torch.testing.assert_close(*results, rtol=1e-3, atol=1e-3)
